// Trials with spheres for the contact cases: balls of one material, perfectly rigid planes, one contact law
// for all pairs, and an engine with a fixed step.

#ifndef SCREE_VERIFY_BALLS_H
#define SCREE_VERIFY_BALLS_H

#include "trial.h"

// The material of the balls.
struct scree_balls_material {
    double density, young, poisson; // elastic moduli are not set if young is 0
};

// The contact law and its parameters; a parameter without a name ends the list.
struct scree_balls_law {
    const char *name;
    struct scree_interaction_value values[8];
};

// Makes a world; `gravity` is along z.
SCREE_NODISCARD scree_status scree_balls_begin(struct scree_trial *trial,
                                               const struct scree_balls_material *material,
                                               const struct scree_balls_law *law, double gravity);

// Adds a ball of the material of the trial.
SCREE_NODISCARD scree_status scree_balls_add(struct scree_trial *trial, const struct scree_sphere_def *def);

// Adds a perfectly rigid plane; or if trial->mesh is positive, a disk of triangles in its place.
SCREE_NODISCARD scree_status scree_balls_plane(struct scree_trial *trial, const double point[3],
                                               const double normal[3]);

// Adds a perfectly rigid plane at z = 0, facing up.
SCREE_NODISCARD scree_status scree_balls_floor(struct scree_trial *trial);

// Creates the engine; 0 threads: their default number.
SCREE_NODISCARD scree_status scree_balls_start(struct scree_trial *trial, double step, int threads);

// Volume of a ball, m^3.
double scree_balls_volume(double radius);

// Elastic head-on impact by the Hertz theory: of two balls of one material, or of a ball on a rigid body.
// `radius` and `mass` are the effective ones, `speed` is the approach speed.
struct scree_balls_hertz {
    double overlap, force, duration; // maximum overlap, maximum force, total duration
};
struct scree_balls_hertz scree_balls_hertz(const struct scree_balls_material *material, bool rigid,
                                           double radius, double mass, double speed);

#endif
