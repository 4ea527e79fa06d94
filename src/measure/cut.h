// Volume of the intersection of a ball with a region: a box along the axes, a cylinder with flat ends,
// another ball. In two dimensions the area of a disk in a rectangle or another disk.
//
// By the divergence theorem a body bounded by flat faces at distances a, b, c from the centre of the unit
// ball and by a part S of its sphere has 3 V = S - a A_a - b A_b - c A_c, with the areas A of the flat faces;
// S follows from the arcs around it by the Gauss-Bonnet theorem. This gives the volume beyond one, two and
// three perpendicular planes in closed form, and that in a box from its eight corners by inclusion and
// exclusion. (General treatment: Strobl, Formella and Poeschel, J. Comput. Phys. 311, 158, 2016.)
//
// Invariant: the error for boxes and balls is a few roundings of the volume of the ball; for a cylinder,
// which has no closed form, 1e-8 of it. No result is negative.

#ifndef SCREE_MEASURE_CUT_H
#define SCREE_MEASURE_CUT_H

// The volume of a ball, or the area of a disk.
double scree_cut_ball_volume(int dimension, double radius);

// Volume of the part of a ball in a box; in two dimensions area of the part of a disk in a rectangle.
double scree_cut_box(int dimension, const double centre[3], double radius, const double lower[3],
                     const double upper[3]);

// The part in another ball, of radius `other`, whose centre is at `distance`.
double scree_cut_ball(int dimension, double radius, double other, double distance);

// The part in a cylinder of radius `other`; the centre of the ball is `along` above its lower end
// and `axis_distance` from its axis.
double scree_cut_cylinder(double radius, double other, double height, double along, double axis_distance);

#endif
