// How much of a ball lies in a piece of space: a box along the axes, a cylinder with flat ends, another ball.
// In two dimensions the same of a disk, a rectangle and a circle, as areas.
//
// By the divergence theorem a body of faces that go by the centre of a unit ball at distances a, b, c and a
// piece S of the sphere has 3 V = S - a A_a - b A_b - c A_c with the areas A of its flat faces; S follows
// from the arcs that bound it by the theorem of Gauss and Bonnet. That gives what lies beyond one, two and
// three planes at right angles in closed form, and a box from its eight corners by inclusion and exclusion.
// (A general account of such cuts: Strobl, Formella and Poeschel, J. Comput. Phys. 311, 158, 2016.)
//
// What always holds: boxes and balls are right to a few roundings of the whole ball; a cylinder, which has no
// closed form, to 1e-8 of it; no part is negative.

#ifndef SCREE_MEASURE_CUT_H
#define SCREE_MEASURE_CUT_H

// All of a ball, or of a disk.
double scree_cut_whole(int dimension, double radius);

// What lies in the box.
double scree_cut_box(int dimension, const double centre[3], double radius, const double lower[3],
                     const double upper[3]);

// What lies in another ball, of radius `other`, whose centre is `distance` away.
double scree_cut_ball(int dimension, double radius, double other, double distance);

// What lies in a cylinder of radius `other` and some height: the centre is `along` above its lower end and
// `off` its axis.
double scree_cut_cylinder(double radius, double other, double height, double along, double off);

#endif
