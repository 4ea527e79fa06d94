// Scenes of touching spheres for the cases of contacts: a world of one kind of ball, truly rigid planes, one
// contact law between all, and an engine of fixed steps on one thread unless it is asked for more.

#ifndef SCREE_VERIFY_BALLS_H
#define SCREE_VERIFY_BALLS_H

#include <scree/scree.h>

// What balls are made of.
struct scree_balls_stuff {
    double density, young, poisson; // young 0: not given
};

struct scree_balls {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id stuff, hard;
};

// How they touch: values of numbers, closed by one without a name; a word stands for a choice.
struct scree_balls_law {
    const char *name;
    struct scree_interaction_value values[8];
};

// Makes a world; `gravity` may be null. Scenes begin zeroed, and a scene that failed half-way can be ended.
SCREE_NODISCARD scree_status scree_balls_begin(struct scree_balls *balls,
                                               const struct scree_balls_stuff *stuff,
                                               const struct scree_balls_law *law, const double *gravity);
void scree_balls_end(struct scree_balls *balls);

// Adds a ball of the scene's stuff, whose `material` is filled in; `id` may be null.
SCREE_NODISCARD scree_status scree_balls_add(struct scree_balls *balls, const struct scree_sphere_def *def,
                                             scree_body_id *id);

// Adds a truly rigid plane; `id` may be null.
SCREE_NODISCARD scree_status scree_balls_plane(struct scree_balls *balls, const double point[3],
                                               const double normal[3], scree_wall_id *id);

// Makes the engine.
SCREE_NODISCARD scree_status scree_balls_start(struct scree_balls *balls, double step);
SCREE_NODISCARD scree_status scree_balls_start_threads(struct scree_balls *balls, double step, int threads);

// The volume of a ball of this radius, m^3.
double scree_balls_volume(double radius);

// E* of a ball against one of the same stuff, or against what is rigid, Pa.
double scree_balls_modulus(const struct scree_balls_stuff *stuff, bool rigid);

// An elastic head-on impact after Hertz: k = 4/3 E* sqrt(R*), effective mass, approach.
struct scree_balls_hertz {
    double overlap, force, duration; // largest, largest, in all
};
struct scree_balls_hertz scree_balls_hertz(double stiffness, double mass, double speed);

#endif
