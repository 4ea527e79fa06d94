// Contacts: their geometry, forces and energies.
//
// These functions return the contacts of the last force evaluation, computed with the present state of the
// bodies. If an edit has moved a body since then, its existing contacts use the new position; new contacts
// appear in the next run (a run of 0 steps is enough). Between points 10 and 60 of a step contacts are
// incomplete and queries are refused. In the force evaluation at the start of a run, callbacks at these
// points still see the contacts of the previous evaluation.
//
// A contact has two sides: the body of lower id and the body of higher id, or a body and a wall. The normal
// points to the first side, and forces are those on the first side.
#ifndef SCREE_CONTACT_H
#define SCREE_CONTACT_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** A copy of one contact. */
struct scree_contact {
    scree_body_id body[2]; /**< lower id first; at a wall the second is 0 */
    scree_wall_id wall;    /**< 0 between bodies */
    unsigned feature;      /**< of the wall: the face of a container box, else 0 */
    unsigned part[2];      /**< number of the grain within its body, 0 for the body's own */
    unsigned image;        /**< periodic image of the second side, 0 if only the nearest can touch */
    const char *law;       /**< name of the contact law; borrowed from the law */
    double point[3];       /**< contact point, m; in a periodic cell next to the first side */
    double normal[3];      /**< unit, from the second side to the first */
    double overlap;        /**< m; negative while a law acts between separated surfaces */
    double force[3];       /**< on the first side, N */
    double couple[3]; /**< on the first side, in addition to the moment of the force about its centre, N m */
    double stored;    /**< elastic energy, J */
};

/** Number of contacts; 0 where scree_contact_list would be refused. */
size_t scree_contact_count(const struct scree_world *world);

/** Copies the first `capacity` contacts to `out` (null if capacity is 0), sorted by the id of the first body,
 * then of the second body, then of the wall and its feature; `count`, not null, receives the number of
 * contacts. */
SCREE_NODISCARD scree_status scree_contact_list(const struct scree_world *world, struct scree_contact *out,
                                                size_t capacity, size_t *count);

/** Copies all contacts to the rows of the entity "contact", in that order, for views and records, and sets
 * "wall.force" and "wall.moment". Contact histories go to one entity per law ("contact_hertz_mindlin", or
 * "resisted_contact_hertz_mindlin" with resistance to rolling or twisting), with the same keys and the field
 * names of the law's table of values; missing entities are added. The rows remain until the next call. */
SCREE_NODISCARD scree_status scree_contact_publish(struct scree_world *world);

#ifdef __cplusplus
}
#endif
#endif
