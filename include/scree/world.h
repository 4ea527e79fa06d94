// World: everything that exists. Opaque; made, asked and destroyed here; filled by body.h, material.h,
// load.h.
//
// A world belongs to one thread at a time. Nothing in it depends on addresses, threads or the order of slots.
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Everything that exists; opaque. */
struct scree_world;

/** What a world is made from; zero is a good value for all of it. */
struct scree_world_def {
    int dimension;           /**< 2 or 3; 0 means 3. In 2 the motion is confined to the plane z = 0 */
    double gravity[3];       /**< m/s^2; no z component in two dimensions */
    bool sphere_orientation; /**< integrate the orientation of spheres and disks, which costs time and memory
                              */
};

/** A fingerprint of the whole persisted state: equal states have equal digests, whatever the order of slots.
 */
struct scree_digest {
    uint64_t low, high; /**< of 128 bits */
};

/** Makes an empty world; `def` may be null; `world` (not null) receives it, to be destroyed by the caller. */
SCREE_NODISCARD scree_status scree_world_create(const struct scree_world_def *def,
                                                struct scree_world **world);

/** Destroys the world and all in it; null is fine. Its engines must have been destroyed before. */
void scree_world_destroy(struct scree_world *world);

/** 2 or 3. */
int scree_world_dimension(const struct scree_world *world);

/** The world's time in s; starts at 0. */
double scree_world_time(const struct scree_world *world);

/** Steps taken since the world was made. */
uint64_t scree_world_steps(const struct scree_world *world);

/** Lets one step of `step` s (positive) pass: for engines, in their advance. Equal steps gather no round-off.
 */
SCREE_NODISCARD scree_status scree_world_pass(struct scree_world *world, double step);

/** The instant that velocities belong to now: mid-step in a callback after point 10, else on-step. */
scree_level scree_world_level(const struct scree_world *world);

/** Writes the gravity in m/s^2 to `gravity`, not null. */
void scree_world_gravity(const struct scree_world *world, double gravity[3]);

/** Changes the gravity (m/s^2, finite); the potential energy that this brings is booked as fed in. */
SCREE_NODISCARD scree_status scree_world_set_gravity(struct scree_world *world, const double gravity[3]);

/** From now on integrates the orientation of spheres and disks too; they start unturned. */
SCREE_NODISCARD scree_status scree_world_track_spheres(struct scree_world *world);

/** Makes room for `bodies` bodies at once, to save growing step by step. */
SCREE_NODISCARD scree_status scree_world_reserve(struct scree_world *world, size_t bodies);

/** Reorders the slots by ascending `keys`, one for each body in order of slots; equal keys keep their order.
 */
SCREE_NODISCARD scree_status scree_world_sort(struct scree_world *world, const uint64_t *keys, size_t count);

/** Checks every invariant; the message of a failure names the body and what is wrong with it. */
SCREE_NODISCARD scree_status scree_world_validate(const struct scree_world *world);

/** Fingerprint of the persisted state into `digest`, not null. */
SCREE_NODISCARD scree_status scree_world_digest(const struct scree_world *world, struct scree_digest *digest);

#ifdef __cplusplus
}
#endif
#endif
