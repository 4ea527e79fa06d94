// Flux surfaces: flat surfaces that count the bodies whose centres cross them, in both directions.
//
// Crossings are not detected continuously. Each update compares the position of each body with its position
// at the previous update and assumes a straight path in between. The counts therefore depend on when updates
// are done: update at a fixed interval of steps (scenes: every 64 steps), independent of records. In 64 steps
// a grain moves a fraction of its radius, so only crossings within that distance of the rim can be
// miscounted. A body is counted from the first update after its insertion, and not if it is inserted and
// deleted between two updates: keep flux surfaces away from regions of insertion and deletion.
//
// In a periodic cell paths are continuous across faces, and a flux surface has periodic images: crossing any
// image counts, and crossing overlapping images counts once. So a flux surface as wide as the cell counts the
// same wherever it is shifted in its plane. In a periodic cell its normal, and the edges of a rectangle, must
// be parallel or perpendicular to each periodic axis. Flux surfaces, their counts and the positions of the
// last update are part of the world and of its digest.
#ifndef SCREE_FLUX_SURFACE_H
#define SCREE_FLUX_SURFACE_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Geometry of a flux surface: a disk, or a rectangle if the radius is 0. In two dimensions a disk whose
 * normal is in the plane is a segment. */
struct scree_flux_surface_def {
    double centre[3];   /**< of a disk, m */
    double normal[3];   /**< of a disk, of any length but 0: the positive direction */
    double radius;      /**< of a disk, m */
    double corner[3];   /**< of a rectangle, m */
    double edge[2][3];  /**< from that corner, m, at right angles; the cross product of the first and the
                             second is the positive direction */
    scree_wall_id wall; /**< a mesh at rest, instead of a disk or a rectangle; 0 for none. The corners of its
                             facets are anticlockwise as seen from the positive side */
};

/** Counts of a flux surface since it was added. */
struct scree_flux_surface_crossings {
    double mass[2];     /**< in the positive and in the negative direction, kg */
    uint64_t bodies[2]; /**< in the same directions */
};

/** Adds a flux surface and updates all; `id` (not null) receives its id. If an identical flux surface exists,
 * its id is returned. One that is oblique to a periodic axis is refused. */
SCREE_NODISCARD scree_status scree_flux_surface_add(struct scree_world *world,
                                                    const struct scree_flux_surface_def *def,
                                                    scree_flux_surface_id *id);

/** Number of flux surfaces; their ids are 1 to that number. */
size_t scree_flux_surface_count(const struct scree_world *world);

/** Updates the counts of all flux surfaces; between steps or in a callback. */
SCREE_NODISCARD scree_status scree_flux_surface_update(struct scree_world *world);

/** Copies the counts at the last update to `passed`, not null. */
SCREE_NODISCARD scree_status scree_flux_surface_get(const struct scree_world *world, scree_flux_surface_id id,
                                                    struct scree_flux_surface_crossings *passed);

/** Length of the window of a mean flow; one of the two is 0. */
struct scree_flux_surface_window {
    double time;    /**< s */
    uint64_t steps; /**< number of steps */
};

/** Mean flow along the normal, minus that against it. */
struct scree_flux_surface_flow {
    double mass;   /**< kg/s */
    double bodies; /**< 1/s */
    double time;   /**< s, between the two counts whose difference this is */
};

/** Begins to keep the counts of a flux surface that its mean flow over a window needs, as part of the world
 * and its digest, and updates all flux surfaces. Nothing changes if they are kept already. */
SCREE_NODISCARD scree_status scree_measure_keep_flow(struct scree_world *world, scree_flux_surface_id id,
                                                     const struct scree_flux_surface_window *window);

/** Computes the mean flow over the window that ends at the last update, from two counts: that of the last
 * update, and the newest one kept that is at least the window older. Counts are kept at intervals of at least
 * 1/60 of the window, so the mean is over up to 1/60 more than the window or to the next update. Before the
 * window has passed, over the time since scree_measure_keep_flow; 0 at that time. */
SCREE_NODISCARD scree_status scree_measure_mean_flow(const struct scree_world *world,
                                                     scree_flux_surface_id id,
                                                     const struct scree_flux_surface_window *window,
                                                     struct scree_flux_surface_flow *flow);

#ifdef __cplusplus
}
#endif
#endif
