// Walls of the event engine that are no planes, or turn: boxes, rectangles, spheres, disks, cylinders, cones
// and meshes, which may move and turn. All of them are found by one method, conservative advancement.
//
// The gap between a body and a surface is a function f(t) of time, the distance that shape/nearest.h gives
// minus the radius. With the normal n, and the centre x in axes that turn with the wall, it is above a
// parabola,
//
//     f(t + h) >= f + n . x' h + (n . x'' - J H / 3 - B) h^2 / 2    for 0 <= h <= H,
//
// where J bounds |x'''|. For a convex surface, which lies on one side of its tangent plane, the bend B is 0.
// Inside of a sphere, or of a surface of revolution, the distance r from the centre or the axis grows by
// motion across r,
//
//     r(t + h) <= r + r' h + b h^2 / 2,    b = min(w^2 / r, v^2 / (r - w H)),
//
// where w bounds the velocity, and v its part across r; and B is b times the part of -n along r. To go to the
// first root of the parabola never passes a collision, so none is missed, and it converges quadratically,
// because H goes to 0. Edges, rims and corners are parts of the distance, and need nothing of their own.
//
// For walls that vibrate J includes the bound on their a w^3. Convex ones that do not turn lie behind their
// tangent plane, which vibrates too, and so are not met before it would be (fall.h).
//
// A body that begins its flight a rounding error deep in a surface touches it when it gets deeper.

#ifndef SCREE_EVENT_SHAPES_H
#define SCREE_EVENT_SHAPES_H

#include "base/array.h"
#include "event/course.h"
#include "event/fall.h"
#include "math/vec3.h"
#include "world/world.h"

// A wall, or the facets of one.
struct scree_event_shape {
    uint32_t row;          // of the wall
    uint32_t first, count; // numbers of its surfaces: one, or one for each facet or face of a box
    bool moves, turns;     // in a way that is known for the present step only
    bool has_course;       // its pivot moves in a way that is known for all times, see course.h
    struct scree_event_course course;
    struct scree_wall wall;                   // at the start of the step, its pivot at that of the course
    struct scree_vec3 velocity, acceleration; // at the start of the step, and in it
    struct scree_vec3 spin;                   // in the step
    // a wall that moves with a body: its slot, else UINT32_MAX. Then the wall above is that of a body at the
    // origin, and where it is follows from the flight of the body
    uint32_t carrier;
    struct scree_vec3 fall; // acceleration of the carrier
};

struct scree_event_shapes {
    SCREE_ARRAY(struct scree_event_shape) shape;
    bool any_moves;
    double start, end;                 // of the step
    const struct scree_flight *flight; // of all bodies
};

// Adds a wall, of which the first surface has this number.
SCREE_NODISCARD scree_status scree_event_shapes_add(struct scree_event_shapes *shapes,
                                                    const struct scree_world *world, size_t row,
                                                    uint32_t first);

// Sets accelerations and spins of walls that move by functions, of which `world` has the velocities in the
// middle of the step.
void scree_event_shapes_accelerate(struct scree_event_shapes *shapes, const struct scree_world *world);

// The shape that has a surface.
const struct scree_event_shape *scree_event_shapes_of(const struct scree_event_shapes *shapes,
                                                      uint32_t surface);

struct scree_event_wall_hit {
    double time; // infinite if there is none
    uint32_t surface;
};

// A flight for the search of collisions with shapes; gravity may be null.
struct scree_event_path {
    struct scree_flight flight;
    const double *gravity;
};

// A body at a surface. Rates are relative to the wall, in axes that turn with it.
struct scree_event_near {
    double gap, speed;        // between the surfaces
    struct scree_vec3 normal; // towards the body
    double pull;              // n . x''
    double rate, change;      // |x'|, |x''|
    double straight[3];       // for walls that turn: |u|, |u'|, |u''| from the pivot in axes that do not turn
    double inward, out;       // part of -n along r, and r; 0 for convex surfaces
    double across, around;    // w and v
    double jerk;              // bound on the part of |x'''| that is due to a vibration
    double sway, calm[2];     // twice its amplitude; |x'| and |x''| relative to the mean place of the wall
    // of the tangent plane, for a wall that vibrates; else the angular frequency is 0
    struct scree_event_falling falling;
};

// The body with this path at a surface, at a time of this step.
struct scree_event_near scree_event_shapes_look(const struct scree_event_shapes *shapes, uint32_t surface,
                                                const struct scree_event_path *path, double time);

// Velocity of the matter of the surface at a point that touches it, with this normal, at a time of the step.
struct scree_vec3 scree_event_shapes_velocity(const struct scree_event_shapes *shapes,
                                              const struct scree_world *world, uint32_t surface,
                                              struct scree_vec3 point, struct scree_vec3 normal, double time);

// The collision with a surface, looked for from `from` on; its time is infinite if there is none up to
// `until`. It does not depend on `until` and `now`, but a search that takes very many steps beyond `now` ends
// with no surface, SCREE_EVENT_NONE, and a time before which there is no collision: then one looks again.
struct scree_event_wall_hit scree_event_shapes_time(const struct scree_event_shapes *shapes, uint32_t surface,
                                                    const struct scree_event_path *path, double from,
                                                    double now, double until);

// A delay in which the gap to a wall does not close, if `pull` is the least value that it has in it and
// `change` the largest; infinite if it never does. And whether a contact with a facet is one of its
// neighbour.
double scree_event_shapes_safe_delay(const struct scree_event_near *touch, double gap);
bool scree_event_shapes_passes(const struct scree_event_shapes *shapes, uint32_t surface,
                               const struct scree_event_path *path, double time);

// Called for each surface that is within a range of a point, or gets there in this step; of walls that move
// with bodies those that are within it at a time.
typedef void scree_event_shapes_visit(void *user, uint32_t surface);
void scree_event_shapes_near(const struct scree_event_shapes *shapes, const struct scree_event_shape *shape,
                             struct scree_vec3 point, double range, double time,
                             scree_event_shapes_visit *visit, void *user);

#endif
