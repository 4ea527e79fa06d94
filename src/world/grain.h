// Grains: the spheres and disks that have contacts. The grain of a sphere or disk is the record of its body;
// other bodies carry grains, which are rows of the entity "grain" and move with their body.
//
// Invariants: all grains are stored in one array, those of the bodies first and carried grains after them,
// in the extra rows of the bodies' column. The record of a carried grain is computed from its row and the
// record of its body before contacts are searched, and is valid until bodies move, are added or are removed.
// Contact kernels treat both kinds in the same way.

#ifndef SCREE_WORLD_GRAIN_H
#define SCREE_WORLD_GRAIN_H

#include "math/quat.h"
#include "world/cell.h"
#include "world/polyhedron.h"

#include <scree/body.h>
#include <scree/law.h>

#include <stdatomic.h>

// Moment of inertia of a sphere about any axis, of a disk about its own axis, or the given polar one.
static inline double scree_grain_inertia(const struct scree_grain *grain, const struct scree_rotor *rotor)
{
    if (grain->kind == SCREE_KIND_POLAR)
        return rotor->inertia[2];
    const double inertia_factor = grain->kind == SCREE_KIND_DISK ? 0.5 : 0.4;
    return inertia_factor * grain->mass * grain->radius * grain->radius;
}

// Number of carried grains, and of all grains.
static inline size_t scree_grain_carried(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_GRAIN)->count;
}

static inline size_t scree_grain_count(const struct scree_world *world)
{
    return scree_world_bodies(world) + scree_grain_carried(world);
}

static inline struct scree_local_grain *scree_grain_locals(const struct scree_world *world)
{
    return (struct scree_local_grain *)scree_world_column(world, SCREE_ENTITY_GRAIN, SCREE_GRAIN_LOCAL);
}

// Adds a sphere (a disk in two dimensions) of `radius` to a body. `offset` is its centre in body axes,
// relative to the centre of mass.
SCREE_NODISCARD scree_status scree_grain_add(struct scree_world *world, scree_body_id body, double radius,
                                             const double offset[3], uint64_t *id);

// Checks the size and the place of a grain that a body at `position` is to carry.
SCREE_NODISCARD scree_status scree_grain_check(const struct scree_world *world, const double position[3],
                                               double radius, const double offset[3]);

// Adds grains to a body that carries none yet, as parts 1 to `count`; a pebble without a material gets that
// of the body. All grains of a body are added, or none. `first` receives the id of the first one, and the
// others have the ids that follow.
SCREE_NODISCARD scree_status scree_grain_add_pebbles(struct scree_world *world, scree_slot owner,
                                                     const struct scree_pebble *pebble, size_t count,
                                                     uint64_t *first);

// Allocates the records of all carried grains, and updates their owner slots.
SCREE_NODISCARD scree_status scree_grain_reserve_records(struct scree_world *world);

// A cell with cell vectors at the time of the positions. `moved` takes places from the corner at the last
// pass to where the mean motion has moved them. `middle`: velocities of the pass may be mid-step ones.
struct scree_pebbles_flow {
    struct scree_cell_lattice cell;
    struct scree_mat3 moved;
    bool middle;
};

// Writing the records of carried grains from their bodies, in pieces: begin prepares all records, `rows`
// writes those of rows [first, last) (threads may write different rows at the same time), and end adds the
// largest displacement of a grain since the last update to the world's `carried_displacement`, unless rows
// have changed in between, and sets `carried_rate`. Spins of bodies are mid-step ones of a step of `h` s, or
// on-step if h is 0. In a cell with cell vectors displacements are those without the mean motion; `after` is
// the cell at the end of the step if bodies move before the cell, else null.
struct scree_grain_update {
    struct scree_world *world;
    double h;
    bool moves;  // records are those of the same rows before they moved
    bool skewed; // the cell has cell vectors
    struct scree_pebbles_flow flow;
    // squares of the largest displacement, and of the largest speed over the radius; bits sort like the
    // values
    _Atomic uint64_t largest, largest_rate;
};
void scree_grain_update_begin(struct scree_grain_update *update, struct scree_world *world, double h,
                              const struct scree_cell_lattice *after);
void scree_grain_update_rows(struct scree_grain_update *update, size_t first, size_t last);
void scree_grain_update_end(struct scree_grain_update *update);

// All in one; `team` may be null.
void scree_grain_update_records(struct scree_world *world, double h, const struct scree_team *team);

// Writes the record of one carried grain, between steps.
struct scree_grain *scree_grain_update_record(const struct scree_world *world, size_t row);

// The body axes of a general body, in world axes.
struct scree_mat3 scree_grain_axes(const struct scree_world *world, size_t owner);

// Vector from the centre of mass of the body to the centre of a carried grain, in world axes.
static inline struct scree_vec3 scree_grain_arm_along(struct scree_mat3 axes,
                                                      const struct scree_local_grain *local)
{
    return scree_mat3_apply(axes, scree_vec3_load(local->offset));
}
void scree_grain_arm(const struct scree_world *world, size_t row, double arm[3]);

// Tangential mobility of the surface of a carried grain, relative to 1 / mass: 1 + m R^2 / I for a body that
// is a single sphere. In general the mean over all contact directions, 1 + m (d^2 tr A - d A d + R^2 tr A) /
// 3, with A the inverse inertia tensor and d the offset; in two dimensions 1 + m (R^2 + d^2 / 2) / I.
double scree_grain_tangential_factor(const struct scree_world *world, size_t row);
static inline double scree_grain_round_tangential_factor(int dimension)
{
    return dimension == 2 ? 3 : 3.5;
}

// Rows of clumps, null if the world has had none; and the row of one body, null if it is no clump.
static inline const struct scree_clump *scree_grain_clumps(const struct scree_world *world)
{
    return (const struct scree_clump *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_CLUMP);
}

static inline const struct scree_clump *scree_grain_clump(const struct scree_world *world, size_t slot)
{
    const struct scree_clump *clumps = scree_grain_clumps(world);
    return clumps && clumps[slot].grains > 0 ? &clumps[slot] : NULL;
}

// Radius of the sphere (disk) that has the volume (area) of a body; 0 for a rigid body without contacts.
static inline double scree_grain_equal_radius(const struct scree_world *world, size_t slot)
{
    const struct scree_clump *clump = scree_grain_clump(world, slot);
    const struct scree_shape *shape = scree_polyhedron_of(world, slot);
    return clump ? clump->equal_radius : shape ? shape->equal_radius : scree_world_grains(world)[slot].radius;
}

// Number of the shape of a body in files: n of shape n of the clumps of the scene, -n of shape n of its
// polyhedra, SCREE_GRAIN_UNNAMED of a polyhedron without a name there; 0 of another body.
enum { SCREE_GRAIN_UNNAMED = -1000000 };
int64_t scree_grain_shape(const struct scree_world *world, size_t slot);

// Orientation of a body; of a clump or a polyhedron that of the axes of its shape.
static inline struct scree_quat scree_grain_orientation(const struct scree_world *world, size_t slot)
{
    const struct scree_clump *clump = scree_grain_clump(world, slot);
    const struct scree_rotor *rotors = scree_world_rotors(world);
    const struct scree_shape *shape = scree_polyhedron_of(world, slot);
    const struct scree_quat none = scree_quat_make(1, 0, 0, 0),
                            own = rotors ? scree_quat_load(rotors[slot].orientation) : none;
    if (clump)
        return scree_quat_product(own, scree_quat_conjugate(scree_quat_load(clump->axes)));
    if (shape)
        return scree_quat_product(own, scree_quat_conjugate(scree_quat_load(shape->axes)));
    // a body without rotation has a zero quaternion
    return scree_quat_norm_squared(own) > 0 ? own : none;
}

// Fraction of the volume of a grain that counts for other pebbles of its clump, which overlap it; the same
// for all pebbles of a clump. Of a polyhedron, whose grain is the sphere around it, the fraction outside of
// the body. Needs records that are up to date.
double scree_grain_shared(const struct scree_world *world, size_t grain);

// Distance of the farthest point of a body from its centre of mass; 0 for a rigid body without contacts.
static inline double scree_grain_reach(const struct scree_world *world, size_t slot)
{
    const struct scree_clump *clump = scree_grain_clump(world, slot);
    return clump ? clump->reach : scree_world_grains(world)[slot].radius;
}

// Corners of the bounding box of the grains of a body; of a rigid body without contacts its centre of mass.
void scree_grain_bounds(const struct scree_world *world, size_t slot, double lower[3], double upper[3]);

// Carried grains sorted by body: those of body i are rows row[first[i]] to row[first[i + 1] - 1], in order of
// parts. Must be rebuilt when slots have changed.
struct scree_grain_owners {
    uint32_t *first, *row;
};
SCREE_NODISCARD scree_status scree_grain_owners_make(const struct scree_world *world,
                                                     struct scree_grain_owners *owners);
void scree_grain_owners_free(struct scree_grain_owners *owners);

// Writes the records of the grains that bodies [first, last) carry.
void scree_grain_update_bodies(struct scree_grain_update *update, const struct scree_grain_owners *owners,
                               size_t first, size_t last);

// Lists the numbers of the grains that are polyhedra, or of the spheres and disks that have contacts, by
// ascending id of the body, then by part. Needs records that are up to date. Free the list by
// scree_memory_free; it is null after a failure.
SCREE_NODISCARD scree_status scree_grain_list(const struct scree_world *world, bool polyhedra,
                                              uint32_t **number, size_t *count);

// Removes the grains of a body that is about to be removed.
void scree_grain_remove_carried(struct scree_world *world, scree_body_id body);

#endif
