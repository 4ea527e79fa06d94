// Contacts: what touches what, where, and how hard.
//
// Contacts are those of the last evaluation of forces, seen with their bodies as they are now: what was put
// elsewhere since is seen there, and what it touches anew appears with the next run (one of 0 steps will do).
// Between points 10 and 60 of a step they are half made, and asking for them is refused. In the evaluation
// that begins a run callbacks at these points still see those of the evaluation before.
//
// A contact has two sides: the body of lower id and the one of higher id, or a body and a wall. Normals point
// to the first side, and forces are those on it.
#ifndef SCREE_CONTACT_H
#define SCREE_CONTACT_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** One contact, copied out. */
struct scree_contact {
    scree_body_id body[2]; /**< lower id first; at a wall the second is 0 */
    scree_wall_id wall;    /**< 0 between bodies */
    unsigned feature;      /**< of the wall: the face of a box that is a room, else 0 */
    unsigned part[2];      /**< which grain of its body each side is, 0 for the body's own */
    unsigned image;        /**< periodic image of the second side, 0 while only the nearest can touch */
    const char *law;       /**< its contact law; borrowed from the law */
    double point[3];       /**< where they touch, near the first side where the cell is periodic, m */
    double normal[3];      /**< unit, from the second side to the first */
    double overlap;        /**< m; negative where a law holds on to what is apart */
    double force[3];       /**< on the first side, N */
    double couple[3];      /**< on the first side, besides that of the force about its centre, N m */
    double stored;         /**< elastic energy, J */
};

/** Number of contacts there are. 0 where they cannot be told, see scree_contact_list. */
size_t scree_contact_count(const struct scree_world *world);

/** Copies the first `room` contacts to `out` (null if room is 0), by ascending id of the first side, then of
 * the other body, then of the wall and its feature; `count`, not null, receives how many there are. */
SCREE_NODISCARD scree_status scree_contact_list(const struct scree_world *world, struct scree_contact *out,
                                                size_t room, size_t *count);

/** Lays all contacts out as the rows of the entity "contact" in that order, for views and records, and gives
 * the walls their "wall.force" and "wall.moment". What contacts remember are rows too, in an entity of each
 * law ("contact_hertz_mindlin", or "resisted_contact_hertz_mindlin" with resistance to rolling or twisting),
 * named by the same keys, whose fields have the names of the law's table of values; it is added where it is
 * not there yet. They stay so until this is called again. */
SCREE_NODISCARD scree_status scree_contact_publish(struct scree_world *world);

#ifdef __cplusplus
}
#endif
#endif
