// Scenes of spheres for the contact cases: balls of one material, perfectly rigid planes, one contact law for
// all pairs, and an engine with a fixed step, by default on one thread.

#ifndef SCREE_VERIFY_BALLS_H
#define SCREE_VERIFY_BALLS_H

#include <scree/scree.h>

// The material of the balls.
struct scree_balls_material {
    double density, young, poisson; // elastic moduli are not set if young is 0
};

struct scree_balls {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material, rigid;
};

// The contact law and its parameters; a parameter without a name ends the list.
struct scree_balls_law {
    const char *name;
    struct scree_interaction_value values[8];
};

// Makes a world; `gravity` may be null. `balls` must be zeroed before; call scree_balls_end also after a
// failure.
SCREE_NODISCARD scree_status scree_balls_begin(struct scree_balls *balls,
                                               const struct scree_balls_material *material,
                                               const struct scree_balls_law *law, const double *gravity);
void scree_balls_end(struct scree_balls *balls);

// Adds a ball of the material of the scene; `id` may be null.
SCREE_NODISCARD scree_status scree_balls_add(struct scree_balls *balls, const struct scree_sphere_def *def,
                                             scree_body_id *id);

// Adds a perfectly rigid plane; `id` may be null.
SCREE_NODISCARD scree_status scree_balls_plane(struct scree_balls *balls, const double point[3],
                                               const double normal[3], scree_wall_id *id);

// Creates the engine.
SCREE_NODISCARD scree_status scree_balls_start(struct scree_balls *balls, double step);
SCREE_NODISCARD scree_status scree_balls_start_threads(struct scree_balls *balls, double step, int threads);

// Volume of a ball of this radius, m^3.
double scree_balls_volume(double radius);

// Effective modulus E* of a ball against one of the same material, or against a rigid body, Pa.
double scree_balls_modulus(const struct scree_balls_material *material, bool rigid);

// Elastic head-on impact by the Hertz theory, for a stiffness k = 4/3 E* sqrt(R*), the effective mass and the
// approach speed.
struct scree_balls_hertz {
    double overlap, force, duration; // maximum overlap, maximum force, total duration
};
struct scree_balls_hertz scree_balls_hertz(double stiffness, double mass, double speed);

#endif
