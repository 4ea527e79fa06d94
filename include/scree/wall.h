// Walls: rigid surfaces with prescribed motion, or that of a body.
//
// A wall is a plane or a simple finite shape of one material. It moves with a velocity and a spin about its
// pivot until they are changed. The force and moment of bodies on it can be measured (scree_wall_load). The
// material provides the properties of the contact law; "young" INFINITY is a rigid material.
//
// A wall can also be attached to a rigid body: then contact forces move it (scree_wall_body_attach).
//
// Solid walls (plane, box, sphere) have an inside and push a body out of it at any depth. Thin walls
// (rectangle, disk, cylinder, cone, mesh) have no thickness and push to the side on which the centre of the
// body is; their edges and rims are sharp. A body outside an edge shared by two thin walls has two contacts,
// but one if they are facets of one mesh that share it.
//
// The surface of a wall can move along itself while the wall stays, like a conveyor belt: its surface
// velocity and surface spin act on bodies by friction. Only their part tangential to the surface at the
// contact counts.
//
// A function of time can prescribe the motion of a wall. The function must depend on its arguments only;
// then restarts continue bit for bit. The wall moves by its velocity in the middle of each step, so its
// position has an error of order 2 in the step. Walls that vibrate (scree_wall_set_vibration) have none in
// the event engine.
//
// Walls have no periodic images: in a periodic cell a body does not touch a wall through a face. So a wall
// must lie inside the faces, at a distance above the largest radius; or span the cell along the axis (a
// plane parallel to it; a rectangle, solid box or cylinder from face to face); or have a copy one period
// away. At any other wall a body that passes a face would gain energy; SCREE_ALARM_FACE stops the run, see
// docs/theory/walls.md.
//
// The contact point is the point of the wall nearest to the body; a container box has one contact per face.
// So a body as wide as a tube touches it on one side only.
//
// In two dimensions a wall must be symmetric about the plane z = 0, and its section with that plane counts.
// Possible walls, with their sections: a plane whose normal has no z component (a line); a rectangle with
// one edge along z (a segment); a disk, cylinder or cone with centre and axis in the plane (one or two
// segments); a cylinder along z (a circle); a box with z bounds 0 (a rectangle); a sphere (a circle).
// Extents along z count as infinite.
#ifndef SCREE_WALL_H
#define SCREE_WALL_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Shapes of walls. */
enum scree_wall_shape {
    SCREE_WALL_PLANE = 1, /**< a half-space; bodies are on the side of the normal */
    SCREE_WALL_RECTANGLE, /**< thin */
    SCREE_WALL_DISK,      /**< thin, optionally with a hole */
    SCREE_WALL_BOX,       /**< a container with six faces, or a solid */
    SCREE_WALL_CYLINDER,  /**< thin, open at both ends */
    SCREE_WALL_CONE,      /**< thin, whole or truncated, open at both ends */
    SCREE_WALL_SPHERE,    /**< a container or a solid */
    SCREE_WALL_MESH       /**< thin, made of triangles */
};

/** Side of a box or a sphere on which the bodies are. */
enum scree_wall_side { SCREE_WALL_INSIDE = 1, SCREE_WALL_OUTSIDE = 2 };

/** A plane. */
struct scree_wall_plane {
    double point[3];  /**< any point of the plane, m */
    double normal[3]; /**< of any length but 0 */
};

/** A rectangle. */
struct scree_wall_rectangle {
    double corner[3];  /**< m */
    double edge[2][3]; /**< from that corner, m; at right angles */
};

/** A flat disk. */
struct scree_wall_disk {
    double centre[3]; /**< m */
    double normal[3]; /**< of any length but 0 */
    double radius;    /**< m, positive */
    double hole;      /**< radius of a central hole, m; 0 for none */
};

/** A box, aligned with the axes of the world unless it is rotated. */
struct scree_wall_box {
    double lower[3], upper[3]; /**< corners, m */
    double orientation[4];     /**< rotation about the centre; all zero means identity */
    enum scree_wall_side side; /**< inside: a container, one contact per face; outside: a solid */
};

/** A cylinder surface, open at both ends. */
struct scree_wall_cylinder {
    double from[3], to[3]; /**< ends of the axis, m */
    double radius;         /**< m, positive */
};

/** A cone surface, open at both ends. */
struct scree_wall_cone {
    double from[3], to[3]; /**< ends of the axis, m */
    double radius[2];      /**< at these ends, m; one may be 0 */
};

/** A spherical container or a solid sphere. */
struct scree_wall_sphere {
    double centre[3];          /**< m */
    double radius;             /**< m, positive */
    enum scree_wall_side side; /**< where the bodies are */
};

/** A surface of triangles, called facets. Facets that share edges and lie in one plane act as one face.
 * Copied when the wall is added. Three dimensions only. */
struct scree_wall_mesh {
    const double (*vertex)[3];  /**< m */
    size_t vertices;            /**< number of vertices */
    const uint32_t (*facet)[3]; /**< numbers of vertices, from 0 */
    size_t facets;              /**< number of facets, at most 2^24 */
    double vertex_error;        /**< largest error of coordinates, m: facets within it of a plane lie in it */
    double
        smooth_angle; /**< rad, from 0 to 1: a grain that is over two neighbouring faces at once, as inside
                           of a pipe, touches only the nearer if their directions differ by less; 0: both */
};

/** Definition of a wall: the shape, the struct of that shape, and the motion. */
struct scree_wall_def {
    enum scree_wall_shape shape;
    scree_material_id material;
    struct scree_wall_plane plane;
    struct scree_wall_rectangle rectangle;
    struct scree_wall_disk disk;
    struct scree_wall_box box;
    struct scree_wall_cylinder cylinder;
    struct scree_wall_cone cone;
    struct scree_wall_sphere sphere;
    struct scree_wall_mesh mesh;
    double velocity[3];  /**< of the pivot, m/s */
    double spin[3];      /**< angular velocity about the pivot, rad/s, world axes */
    const double *pivot; /**< centre of rotation and reference point of the moment: three numbers, m, copied;
                              null: the point of a plane, else the centre */
};

/** A copy of the state of one wall. */
struct scree_wall_state {
    enum scree_wall_shape shape;
    scree_material_id material;
    double position[3];    /**< present position of the point of a plane, or of the centre, m */
    double orientation[4]; /**< rotation since the wall was added; scalar first */
    double pivot[3];       /**< present position of the pivot, m */
    double velocity[3];    /**< of the pivot, m/s */
    double spin[3];        /**< rad/s, world axes */
    double surface_velocity[3], surface_spin[3]; /**< see struct scree_wall_motion */
};

/** Motion of a wall. */
struct scree_wall_motion {
    double velocity[3];         /**< of the pivot, m/s */
    double spin[3];             /**< about the pivot, rad/s, world axes */
    double surface_velocity[3]; /**< of the surface along itself, m/s, in the axes of the wall as added, which
                                     turn with it */
    double surface_spin[3]; /**< of the surface along itself about the reference point of the wall (the point
                                 of a plane, else the centre), rad/s, in the same axes */
};

/** Motion of a wall at a time: `motion` has the present motion, and the function changes what depends on
 * time. It must not change the world. */
typedef void scree_wall_motion_function(void *user, double time, struct scree_wall_motion *motion);

/** A vibration: at a time t the pivot has the velocity
 * velocity + direction / |direction| * amplitude * w * cos(w * t + phase), w = 2 pi * frequency. */
struct scree_wall_vibration {
    double velocity[3];  /**< constant part, m/s */
    double direction[3]; /**< any length above 0 */
    double amplitude;    /**< m, above 0 */
    double frequency;    /**< Hz, above 0 */
    double phase;        /**< rad */
};

/** Definition of a motion by a function. */
struct scree_wall_motion_def {
    scree_wall_motion_function *function;
    void *user;                  /**< passed to `function` */
    void (*release)(void *user); /**< called when the function is no longer used; null for nothing */
};

/** Adds a wall; `id` (not null) receives its id. A wall added between steps acts at once. */
SCREE_NODISCARD scree_status scree_wall_add(struct scree_world *world, const struct scree_wall_def *def,
                                            scree_wall_id *id);

/** Removes a wall; takes effect like an added wall. */
SCREE_NODISCARD scree_status scree_wall_remove(struct scree_world *world, scree_wall_id id);

/** Number of walls. */
size_t scree_wall_count(const struct scree_world *world);

/** Whether the wall exists. */
bool scree_wall_exists(const struct scree_world *world, scree_wall_id id);

/** Copies the state of a wall to `state`, not null. */
SCREE_NODISCARD scree_status scree_wall_get(const struct scree_world *world, scree_wall_id id,
                                            struct scree_wall_state *state);

/** Sets the velocity of the pivot of a wall, m/s. */
SCREE_NODISCARD scree_status scree_wall_set_velocity(struct scree_world *world, scree_wall_id id,
                                                     const double velocity[3]);

/** Sets the angular velocity of a wall about its pivot, rad/s, world axes. */
SCREE_NODISCARD scree_status scree_wall_set_spin(struct scree_world *world, scree_wall_id id,
                                                 const double spin[3]);

/** Sets the velocity (m/s) and the spin (rad/s) of the surface along itself, see struct scree_wall_motion. */
SCREE_NODISCARD scree_status scree_wall_set_surface_motion(struct scree_world *world, scree_wall_id id,
                                                           const double velocity[3], const double spin[3]);

/** Roughness of a wall: a body hits a virtual wall, inclined at random (docs/theory/hard-spheres.md). */
struct scree_wall_roughness {
    double angle;  /**< standard deviation of the angles of virtual walls to the wall, rad, at most
                        SCREE_WALL_ROUGHEST; 0: smooth */
    uint64_t seed; /**< of the virtual walls */
};

#define SCREE_WALL_ROUGHEST 0.5 /**< the largest angle of a rough wall, rad */

/** Sets the roughness of a wall, not null. Only the event engine uses it; the soft engine refuses rough
 * walls. */
SCREE_NODISCARD scree_status scree_wall_set_roughness(struct scree_world *world, scree_wall_id id,
                                                      const struct scree_wall_roughness *roughness);

/** Copies the roughness of a wall to `roughness`, not null; its angle is 0 for a smooth wall. */
SCREE_NODISCARD scree_status scree_wall_get_roughness(const struct scree_world *world, scree_wall_id id,
                                                      struct scree_wall_roughness *roughness);

/** Lets a wall move with the mean motion of a cell with cell vectors, from now on, or ends this: then it
 * keeps its velocity. The wall must be a plane along all periodic vectors of the cell
 * (scree_cell_set_vectors_along, scree_cell_deform). At a place x from the corner its matter has the velocity
 * D x, so a shear moves it along itself, and a strain along its normal moves it; velocity gradients that
 * would turn it are refused. Its motion cannot be set otherwise, nor by a servo. */
SCREE_NODISCARD scree_status scree_wall_set_in_cell(struct scree_world *world, scree_wall_id id,
                                                    bool in_cell);

/** Returns whether a wall moves with the cell in `in_cell`, not null. */
SCREE_NODISCARD scree_status scree_wall_is_in_cell(const struct scree_world *world, scree_wall_id id,
                                                   bool *in_cell);

/** Moves a wall by a function of time, from now on; replaces a present one. A null `def`, or a null function
 * in it, removes the function: the wall keeps its motion. While a wall has a function its motion and pivot
 * cannot be set otherwise; a servo replaces the component of the velocity along its direction. A checkpoint
 * does not contain the function: set it again before running. If the call fails `release` is not called. */
SCREE_NODISCARD scree_status scree_wall_motion_set_function(struct scree_world *world, scree_wall_id id,
                                                            const struct scree_wall_motion_def *def);

/** Lets a wall vibrate, from now on, as a function of time would move it: the same rules apply, and it is
 * ended, and set again after a checkpoint, like one. The event engine executes collisions with such a wall at
 * their exact times. `vibration` is not null and is copied. */
SCREE_NODISCARD scree_status scree_wall_set_vibration(struct scree_world *world, scree_wall_id id,
                                                      const struct scree_wall_vibration *vibration);

/** Sets the pivot of a wall, m: the centre of its rotation and the reference point of its moment. The
 * velocity is kept and becomes that of the new pivot. */
SCREE_NODISCARD scree_status scree_wall_set_pivot(struct scree_world *world, scree_wall_id id,
                                                  const double pivot[3]);

/** Makes a wall move with a rigid body (scree_body_add_rigid) from now on, as one piece with it: forces of
 * contacts with the wall act on the body, and bodies see the velocity of its matter. The centre of mass
 * becomes the pivot. Its motion and pivot can no longer be set, its surface cannot move along itself, no
 * servo controls it, and it has no bonds. There are no contacts among walls. Three dimensions only. Removing
 * the body removes the wall. */
SCREE_NODISCARD scree_status scree_wall_body_attach(struct scree_world *world, scree_wall_id id,
                                                    scree_body_id body);

/** The wall keeps its present velocity and spin, and its body is as free as before. */
SCREE_NODISCARD scree_status scree_wall_body_detach(struct scree_world *world, scree_wall_id id);

/** The body that a wall moves with, to `body`, not null; value 0 if there is none. */
SCREE_NODISCARD scree_status scree_wall_body_id(const struct scree_world *world, scree_wall_id id,
                                                scree_body_id *body);

/** Returns the area of one side of a rectangle or a disk, m^2, in `area`, not null; refused for other shapes
 * and in two dimensions. */
SCREE_NODISCARD scree_status scree_wall_area(const struct scree_world *world, scree_wall_id id, double *area);

#ifdef __cplusplus
}
#endif
#endif
