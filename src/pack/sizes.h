// Size distributions: inverse cumulative distribution of the radius.
//
// Invariants: every kind of distribution is stored as a sequence of intervals of the radius with their share
// of the number of bodies, so all kinds are drawn in the same way. Radii are uniform within an interval.
// Shares by mass are converted to shares by number with the cube of the radius (the square for disks),
// interval by interval, so the few large bodies that have most of the mass are resolved as well as the rest.

#ifndef SCREE_PACK_SIZES_H
#define SCREE_PACK_SIZES_H

#include <stdbool.h>
#include <stddef.h>

enum { SCREE_SIZES_PIECES = 2048, SCREE_SIZES_ROWS = 128 };

struct scree_sizes {
    double smallest, largest; // radii, m
    int pieces;
    double share[SCREE_SIZES_PIECES + 1]; // cumulative share before each interval; rises from 0 to 1
    double from[SCREE_SIZES_PIECES], to[SCREE_SIZES_PIECES];
};

enum scree_sizes_kind { SCREE_SIZES_UNIFORM, SCREE_SIZES_NORMAL, SCREE_SIZES_LOGNORMAL, SCREE_SIZES_WEIBULL };

// One radius for all.
void scree_sizes_equal(struct scree_sizes *sizes, double radius);

// A probability density truncated to two radii: uniform; normal with mean and standard deviation; lognormal
// with median and standard deviation of the logarithm; Weibull with scale and shape. `dimension` matters only
// for shares by mass.
void scree_sizes_spread(struct scree_sizes *sizes, enum scree_sizes_kind kind, const double parameter[2],
                        double smallest, double largest, bool by_mass, int dimension);

// A sieve curve: rows of the opening of a sieve (a diameter) and the share that passes it, both increasing,
// the shares from 0 to 1. Interpolation is linear in the logarithm of the opening. At most SCREE_SIZES_ROWS
// rows.
void scree_sizes_sieve(struct scree_sizes *sizes, const double (*row)[2], size_t rows, bool by_mass,
                       int dimension);

// Discrete radii, increasing, and the share of each.
void scree_sizes_classes(struct scree_sizes *sizes, const double (*row)[2], size_t rows, bool by_mass,
                         int dimension);

// Returns the mean volume of a sphere, m^3 (in two dimensions the mean area of a disk, m^2).
double scree_sizes_volume(const struct scree_sizes *sizes, int dimension);

// Returns the radius at the cumulative share `u` in (0, 1).
double scree_sizes_draw(const struct scree_sizes *sizes, double u);

#endif
