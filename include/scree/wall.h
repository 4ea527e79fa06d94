// Walls: surfaces that bodies touch and that nothing moves but what you prescribe.
//
// A wall is a plane or a simple finite shape of one material. It keeps a velocity and a spin about its pivot
// until you give it others, and tells the force and moment that bodies exert on it. The material gives what a
// contact needs; one with "young" INFINITY is truly rigid.
//
// Half-spaces and solids (plane, box, sphere) have an inside, where a body is pushed out however deep it is.
// Thin walls (rectangle, disk, cylinder, cone) have no thickness and push to whichever side a body's centre
// is on; their edges and rims are touched as the sharp lines that they are. Two thin walls that meet in an
// edge are two contacts for a body that touches the edge from outside.
//
// Walls have no images: where the cell is periodic a body meets a wall where it stands, and not through a
// face. What is to be met through one, as within a radius of it, is added once more, a period on.
//
// A body touches a wall in its nearest point, a container of flat faces in that of each face: one that is as
// wide as a tube is held on one side only.
//
// In two dimensions a wall must be a mirror image of itself about the plane z = 0, and what counts is its cut
// with that plane: a plane whose normal has no z; a rectangle with one edge along z, which is a segment; a
// disk, cylinder or cone with centre and axis in the plane, which is a pair of segments; a cylinder along z,
// which is a circle; a box whose z bounds are 0; a sphere, which is a circle. What extends along z counts as
// endless.
#ifndef SCREE_WALL_H
#define SCREE_WALL_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** What a wall looks like. */
enum scree_wall_shape {
    SCREE_WALL_PLANE = 1, /**< bodies are where the normal points */
    SCREE_WALL_RECTANGLE, /**< thin */
    SCREE_WALL_DISK,      /**< thin, with a hole if you like */
    SCREE_WALL_BOX,       /**< a container of six faces, or a solid */
    SCREE_WALL_CYLINDER,  /**< thin, open at both ends */
    SCREE_WALL_CONE,      /**< thin, whole or truncated, open at both ends */
    SCREE_WALL_SPHERE     /**< a container or a solid */
};

/** Where the bodies of a box or a sphere are. */
enum scree_wall_side { SCREE_WALL_INSIDE = 1, SCREE_WALL_OUTSIDE = 2 };

/** A half-space of wall. */
struct scree_wall_plane {
    double point[3];  /**< any on it, m */
    double normal[3]; /**< of any length but 0 */
};

/** A rectangle. */
struct scree_wall_rectangle {
    double corner[3];  /**< m */
    double edge[2][3]; /**< from that corner to its neighbours, m; at right angles */
};

/** A round plate. */
struct scree_wall_disk {
    double centre[3]; /**< m */
    double normal[3]; /**< of any length but 0 */
    double radius;    /**< m, positive */
    double hole;      /**< radius of a hole in the middle, m; 0 for none */
};

/** A box, along the axes of the world unless it is turned. */
struct scree_wall_box {
    double lower[3], upper[3];
    double orientation[4];     /**< turns it about its centre; all zero means unturned */
    enum scree_wall_side side; /**< inside: each face is a contact of its own; outside: the box is solid */
};

/** A tube. */
struct scree_wall_cylinder {
    double from[3], to[3]; /**< ends of the axis, m */
    double radius;         /**< m, positive */
};

/** A funnel. */
struct scree_wall_cone {
    double from[3], to[3]; /**< ends of the axis, m */
    double radius[2];      /**< at these ends, m; one of them may be 0 */
};

/** A round room or a ball. */
struct scree_wall_sphere {
    double centre[3];          /**< m */
    double radius;             /**< m, positive */
    enum scree_wall_side side; /**< where the bodies are */
};

/** What a wall is made from: the shape, its struct of that name, and how it moves. */
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
    double velocity[3];  /**< of the pivot, m/s */
    double spin[3];      /**< angular velocity about the pivot, rad/s, world axes */
    const double *pivot; /**< three numbers, m, copied: what the wall turns and its moment is taken about;
                              null means its place: the point of a plane, else the centre */
};

/** The state of one wall, copied out. */
struct scree_wall_state {
    enum scree_wall_shape shape;
    scree_material_id material;
    double place[3];       /**< where the point of a plane, or the centre of another shape, is now, m */
    double orientation[4]; /**< turns the wall as it was added into the wall as it is; scalar first */
    double pivot[3];       /**< where the pivot is now, m */
    double velocity[3];    /**< of the pivot, m/s */
    double spin[3];        /**< rad/s, world axes */
};

/** Adds a wall; `id` (not null) receives its id. Between steps it acts from this instant on. */
SCREE_NODISCARD scree_status scree_wall_add(struct scree_world *world, const struct scree_wall_def *def,
                                            scree_wall_id *id);

/** Removes a wall; likewise. */
SCREE_NODISCARD scree_status scree_wall_remove(struct scree_world *world, scree_wall_id id);

/** Number of walls. */
size_t scree_wall_count(const struct scree_world *world);

/** Whether the wall exists. */
bool scree_wall_exists(const struct scree_world *world, scree_wall_id id);

/** Copies the state of a wall to `state`, not null. */
SCREE_NODISCARD scree_status scree_wall_get(const struct scree_world *world, scree_wall_id id,
                                            struct scree_wall_state *state);

/** Lets the pivot of a wall move with `velocity`, m/s, from now on. */
SCREE_NODISCARD scree_status scree_wall_set_velocity(struct scree_world *world, scree_wall_id id,
                                                     const double velocity[3]);

/** Lets a wall turn about its pivot with `spin`, rad/s, world axes, from now on. */
SCREE_NODISCARD scree_status scree_wall_set_spin(struct scree_world *world, scree_wall_id id,
                                                 const double spin[3]);

/** Lets a wall turn about `pivot`, m, from now on, and its moment be taken about it; the velocity stays the
 * same, and is that of the new pivot. */
SCREE_NODISCARD scree_status scree_wall_set_pivot(struct scree_world *world, scree_wall_id id,
                                                  const double pivot[3]);

/** The area of one side of a rectangle or a disk, m^2, into `area`, not null; other shapes, and walls of two
 * dimensions, are refused. */
SCREE_NODISCARD scree_status scree_wall_area(const struct scree_world *world, scree_wall_id id, double *area);

#ifdef __cplusplus
}
#endif
#endif
