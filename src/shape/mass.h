// Parts of the computation of mass properties, see scree/shape.h.

#ifndef SCREE_SHAPE_MASS_H
#define SCREE_SHAPE_MASS_H

#include <scree/shape.h>

// Integrals of 1, of x, and of xx, yy, zz, yz, zx, xy over a body in units of `size` about `origin`, and a
// bound of the error of each group.
struct scree_shape_integrals {
    double origin[3], size;
    double volume, first[3], second[6], error[3];
};

// Sets the volume, centre and inertia tensor about the centre, and their error bounds.
void scree_shape_mass_set(const struct scree_shape_integrals *integrals, int dimension,
                          struct scree_shape_mass *mass);

// Principal moments and axes of a tensor xx yy zz yz zx xy. Axes that are principal to round-off are kept.
void scree_shape_principal(const double tensor[6], double moment[3], double axes[4]);

// Sets `origin` and `size` from a bounding box.
void scree_shape_mass_frame(const double lower[3], const double upper[3],
                            struct scree_shape_integrals *integrals);

// Refuses pebbles that are not finite, and in two dimensions outside of the plane.
SCREE_NODISCARD scree_status scree_shape_check(const struct scree_pebble *pebble, size_t pebbles,
                                               int dimension);

// Corners of the bounding box.
void scree_shape_bounds(const struct scree_pebble *pebble, size_t pebbles, double lower[3], double upper[3]);

#endif
