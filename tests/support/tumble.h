// Bodies that rotate under moments: integrated by a scheme of rotation in the engine, and by a reference
// that shares no code with Scree.
//
// The reference integrates Euler's equations in body axes and the quaternion by Gragg's modified midpoint
// rule with extrapolation (Bulirsch and Stoer) of order 16, in 800 intervals. Its error stays below 1e-11
// while a body turns by 50 radians.

#ifndef SCREE_SUPPORT_TUMBLE_H
#define SCREE_SUPPORT_TUMBLE_H

#include "motion/motion.h"

#include <scree/scree.h>

// Moment in world axes as a function of time, orientation and spin (world axes).
typedef void scree_tumble_moment(const void *user, double time, const double orientation[4],
                                 const double spin[3], double moment[3]);

// One body.
struct scree_tumble {
    double inertia[3];
    double orientation[4];
    double spin[3];              // world axes
    scree_tumble_moment *moment; // null: none
    const void *user;
    struct scree_damping damping;
};

struct scree_tumble_state {
    double orientation[4];
    double spin[3]; // world axes
};

// How bodies are moved in the engine.
struct scree_tumble_run {
    const char *name;                         // of a registered scheme
    const struct scree_motion_scheme *scheme; // or a scheme that is not registered
    double time;
    size_t steps;
    bool uneven;            // steps vary in a repeating pattern of three
    const char *field_name; // a field that is copied to `field_values`, `field_width` numbers per body
    double *field_values;
    unsigned field_width;
};

// The states of `count` bodies after a run of the engine.
void scree_tumble_move(const struct scree_tumble *bodies, size_t count, const struct scree_tumble_run *run,
                       struct scree_tumble_state *out);

// The state of one body by the reference. Under local damping it asserts that no component of spin or moment
// changes sign, because only then is the motion smooth enough to have an order.
void scree_tumble_reference(const struct scree_tumble *body, double time, struct scree_tumble_state *out);

// Root mean square over bodies of the errors in angle, and in spin relative to 1 + |spin|.
double scree_tumble_error(const struct scree_tumble_state *got, const struct scree_tumble_state *expected,
                          size_t count);

// Rotates v from body to world axes, and back.
void scree_tumble_to_world(const double q[4], const double v[3], double out[3]);
void scree_tumble_to_body(const double q[4], const double v[3], double out[3]);

#endif
