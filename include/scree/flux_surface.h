// Gates: flat surfaces that count the bodies whose centres pass them, one way and the other.
//
// A flux surface does not watch all the time: it looks, and compares where each body is with where it was at
// the last look. The way between the two counts as straight. So what a flux surface has counted follows from
// the instants of the looks: a program looks at steps that it fixes (scenes at those divisible by 64), never
// when something happens to be recorded. In 64 steps a grain goes a fraction of its radius, so that a way is
// cut short or mistaken for another only within that of the rim of a flux surface. What comes and goes
// between two looks is not counted, and a body counts from the first look after it was added: keep flux
// surfaces off the places where bodies are put in and taken out.
//
// Where the cell is periodic a body that leaves through one face and comes in through the other has gone on,
// and a flux surface repeats with the cell: to pass any of its images is to pass it, wherever it lies, and
// where images overlap that counts once. So a flux surface as wide as the cell counts the same however it is
// shifted in its plane. There a flux surface is aligned with the cell: its normal, and the edges of a
// rectangle, are parallel or perpendicular to each periodic axis. Gates, what they have counted and where
// bodies were are part of the world and of its digest.
#ifndef SCREE_FLUX_SURFACE_H
#define SCREE_FLUX_SURFACE_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Where a flux surface is: a disk or, where the radius is 0, a rectangle. In two dimensions a disk whose
 * normal is in the plane is a segment. */
struct scree_flux_surface_def {
    double centre[3];  /**< of a disk, m */
    double normal[3];  /**< of a disk: the way that counts as positive, of any length but 0 */
    double radius;     /**< of a disk, m */
    double corner[3];  /**< of a rectangle, m */
    double edge[2][3]; /**< from that corner to its neighbours, m, at right angles; first times second is the
                            way that counts as positive */
};

/** What has passed a flux surface since it was added. */
struct scree_flux_surface_passed {
    double mass[2];     /**< along the normal, and against it, kg */
    uint64_t bodies[2]; /**< likewise */
};

/** Adds a flux surface, and looks; `id` (not null) receives its id. A flux surface that is there already is
 * given again. One that lies aslant in a periodic cell is refused. */
SCREE_NODISCARD scree_status scree_flux_surface_add(struct scree_world *world,
                                                    const struct scree_flux_surface_def *def,
                                                    scree_flux_surface_id *id);

/** Number of flux surfaces; their ids go from 1 to that. */
size_t scree_flux_surface_count(const struct scree_world *world);

/** Lets all flux surfaces look; between steps or in a callback. */
SCREE_NODISCARD scree_status scree_flux_surface_update(struct scree_world *world);

/** What has passed a flux surface, as of the last look, into `passed`, not null. */
SCREE_NODISCARD scree_status scree_flux_surface_get(const struct scree_world *world, scree_flux_surface_id id,
                                                    struct scree_flux_surface_passed *passed);

#ifdef __cplusplus
}
#endif
#endif
