// World: the complete simulated system. Bodies, materials, walls, loads and so on are added by the other
// headers.
//
// A world must be used by one thread at a time. Its state does not depend on addresses, threads or the order
// of slots.
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A world; opaque. */
struct scree_world;

/** Definition of a world; all zero is the default. */
struct scree_world_def {
    int dimension;           /**< 2 or 3; 0 means 3. In two dimensions all motion is in the plane z = 0 */
    double gravity[3];       /**< m/s^2; no z component in two dimensions */
    bool sphere_orientation; /**< integrate the orientation of spheres and disks, which costs time and memory
                              */
};

/** Hash of the persisted state, independent of the order of slots; equal states have equal digests. */
struct scree_digest {
    uint64_t low, high; /**< of 128 bits */
};

/** Creates an empty world; `def` may be null; `world` (not null) receives it; destroyed by the caller. */
SCREE_NODISCARD scree_status scree_world_create(const struct scree_world_def *def,
                                                struct scree_world **world);

/** Destroys a world and everything in it; null is allowed. Destroy its engine first. */
void scree_world_destroy(struct scree_world *world);

/** Dimension of the world, 2 or 3. */
int scree_world_dimension(const struct scree_world *world);

/** Time of the world, s; starts at 0. */
double scree_world_time(const struct scree_world *world);

/** Number of steps since the world was created. */
uint64_t scree_world_steps(const struct scree_world *world);

/** Called by the function `advance` of an engine: advances the time by one step of `step` s (positive). Equal
 * steps accumulate no round-off. */
SCREE_NODISCARD scree_status scree_world_advance_time(struct scree_world *world, double step);

/** Present time level of velocities: mid-step in a callback after point 10, else on-step. */
scree_level scree_world_level(const struct scree_world *world);

/** Copies the gravity, m/s^2, to `gravity`, not null. */
void scree_world_gravity(const struct scree_world *world, double gravity[3]);

/** Sets the gravity (m/s^2, finite); the change of potential energy is entered in the ledger as energy input.
 */
SCREE_NODISCARD scree_status scree_world_set_gravity(struct scree_world *world, const double gravity[3]);

/** From now on integrates the orientation of spheres and disks, starting from the identity. */
SCREE_NODISCARD scree_status scree_world_integrate_sphere_orientation(struct scree_world *world);

/** Reserves memory for `bodies` bodies. */
SCREE_NODISCARD scree_status scree_world_reserve(struct scree_world *world, size_t bodies);

/** Sorts the slots by ascending `keys`, one key per body in slot order; the sort is stable. */
SCREE_NODISCARD scree_status scree_world_sort(struct scree_world *world, const uint64_t *keys, size_t count);

/** Checks all invariants; the message of a failure names the body and the invalid value. */
SCREE_NODISCARD scree_status scree_world_validate(const struct scree_world *world);

/** Computes the digest of the persisted state into `digest`, not null. */
SCREE_NODISCARD scree_status scree_world_digest(const struct scree_world *world, struct scree_digest *digest);

#ifdef __cplusplus
}
#endif
#endif
