// Integrals over the part of a sphere (circle) that no other ball covers.
//
// n is the unit normal. In three dimensions the measure is the area on the unit sphere, in two dimensions the
// angle. The integrals are those of the monomials nx^p ny^q nz^r with p + q + r <= 3.
//
// Along a circle of latitude the covered part is a union of arcs, so integrals along it are closed forms. The
// integral over latitudes is adaptive: it is divided at the latitudes where arcs begin, end or meet, and a
// substitution removes the roots at both ends of each interval.

#ifndef SCREE_SHAPE_EXPOSED_H
#define SCREE_SHAPE_EXPOSED_H

#include "base/array.h"

#include <stdbool.h>

enum { SCREE_EXPOSED_MOMENTS = 20, SCREE_EXPOSED_ORDERS = 4, SCREE_EXPOSED_NODES = 96 };

// The part n . u > h of the unit sphere, which another ball covers.
struct scree_exposed_cap {
    double u[3], h, radius; // radius of its edge
    double across, angle;   // length and direction of u in the plane of x and y
    double low, high;       // least and largest nz on its edge
};

// Memory and constants for the integration, to be used for many spheres.
struct scree_exposed {
    SCREE_ARRAY(struct scree_exposed_cap) cap;
    SCREE_ARRAY(double) level;      // where the interval [-1, 1] of nz is divided
    SCREE_ARRAY(uint64_t) from, to; // bits of the ends of arcs
    double node[SCREE_EXPOSED_ORDERS][SCREE_EXPOSED_NODES], weight[SCREE_EXPOSED_ORDERS][SCREE_EXPOSED_NODES];
};

void scree_exposed_init(struct scree_exposed *exposed);
void scree_exposed_free(struct scree_exposed *exposed);

// Adds the cap of a sphere of radius `radius` that a ball of radius `other` covers, whose centre is at
// `offset` from that of the sphere. The ball must not contain the sphere.
SCREE_NODISCARD scree_status scree_exposed_add(struct scree_exposed *exposed, const double offset[3],
                                               double radius, double other);

// True if that ball contains the sphere; if both are equal, if the ball comes first.
bool scree_exposed_contains(const double offset[3], double radius, double other, bool comes_first);

// Integrates over the part of the sphere (circle) outside of all caps, which it takes out of `exposed`.
// `error` is a bound of the error of each integral.
SCREE_NODISCARD scree_status scree_exposed_integrate(struct scree_exposed *exposed, int dimension,
                                                     double moment[SCREE_EXPOSED_MOMENTS], double *error);

// The integral of nx^p ny^q nz^r.
double scree_exposed_moment(const double moment[SCREE_EXPOSED_MOMENTS], int p, int q, int r);

#endif
