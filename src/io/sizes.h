// Distributions of sizes: from what a scene says to a radius for each number in (0, 1).
//
// What always holds: a distribution is a table of quantiles, of numbers of bodies whatever it was given by,
// so all kinds are drawn in one way. Shares of mass become shares of number by the cube of the radius (the
// square for disks).

#ifndef SCREE_IO_SIZES_H
#define SCREE_IO_SIZES_H

#include <stdbool.h>

enum { SCREE_SIZES_ROWS = 2048 };

struct scree_sizes {
    double least, most;                    // radii, m
    double quantile[SCREE_SIZES_ROWS + 1]; // radius below which k / ROWS of all are
};

enum scree_sizes_kind { SCREE_SIZES_UNIFORM, SCREE_SIZES_NORMAL, SCREE_SIZES_LOGNORMAL, SCREE_SIZES_WEIBULL };

// All of one radius.
void scree_sizes_equal(struct scree_sizes *sizes, double radius);

// A density between two radii: uniform; normal with mean and deviation; lognormal with median and the
// standard deviation of the logarithm; Weibull with scale and shape. `dimension` counts for shares of mass.
void scree_sizes_spread(struct scree_sizes *sizes, enum scree_sizes_kind kind, const double parameter[2],
                        double least, double most, bool by_mass, int dimension);

// The radius of which a share `u` of all is smaller.
double scree_sizes_draw(const struct scree_sizes *sizes, double u);

#endif
