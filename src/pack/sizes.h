// Distributions of sizes: from what a scene says to a radius for each number in (0, 1).
//
// What always holds: a distribution is a row of pieces, each with a share of the number of bodies, whatever
// it was given by, so all kinds are drawn in one way. Within a piece all radii are alike often. Shares of
// mass become shares of number by the cube of the radius (the square for disks), piece by piece, so what is
// rare by number and heavy by mass is resolved as well as the rest.

#ifndef SCREE_PACK_SIZES_H
#define SCREE_PACK_SIZES_H

#include <stdbool.h>
#include <stddef.h>

enum { SCREE_SIZES_PIECES = 2048, SCREE_SIZES_ROWS = 128 };

struct scree_sizes {
    double least, most; // radii, m
    int pieces;
    double share[SCREE_SIZES_PIECES + 1]; // of all that are in the pieces before; rises from 0 to 1
    double from[SCREE_SIZES_PIECES], to[SCREE_SIZES_PIECES];
};

enum scree_sizes_kind { SCREE_SIZES_UNIFORM, SCREE_SIZES_NORMAL, SCREE_SIZES_LOGNORMAL, SCREE_SIZES_WEIBULL };

// All of one radius.
void scree_sizes_equal(struct scree_sizes *sizes, double radius);

// A density between two radii: uniform; normal with mean and deviation; lognormal with median and the
// standard deviation of the logarithm; Weibull with scale and shape. `dimension` counts for shares of mass.
void scree_sizes_spread(struct scree_sizes *sizes, enum scree_sizes_kind kind, const double parameter[2],
                        double least, double most, bool by_mass, int dimension);

// A sieve curve: rows of the opening of a sieve, which is a diameter, and the share that passes it, both
// rising, the shares from 0 to 1. Between two sieves the curve is straight over the logarithm of the opening,
// as it is drawn. At most SCREE_SIZES_ROWS rows.
void scree_sizes_sieve(struct scree_sizes *sizes, const double (*row)[2], size_t rows, bool by_mass,
                       int dimension);

// Some radii, rising, and the share of each.
void scree_sizes_classes(struct scree_sizes *sizes, const double (*row)[2], size_t rows, bool by_mass,
                         int dimension);

// The mean volume of a sphere (in two dimensions the mean area of a disk), m^3.
double scree_sizes_volume(const struct scree_sizes *sizes, int dimension);

// The radius of which a share `u` of all is smaller.
double scree_sizes_draw(const struct scree_sizes *sizes, double u);

#endif
