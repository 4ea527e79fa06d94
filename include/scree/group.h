// Groups: named sets of bodies and walls, to ask for and to change together.
//
// A body or a wall can be in any number of the groups of its world, of which there are at most 64, and new
// ones are in none. A group stays for as long as its world, also while nothing is in it.
#ifndef SCREE_GROUP_H
#define SCREE_GROUP_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Adds a group named `name` (not null, not empty, under 32 bytes, unique in the world; copied); `id` (not
 * null) receives its id. */
SCREE_NODISCARD scree_status scree_group_add(struct scree_world *world, const char *name, scree_group_id *id);

/** Finds a group by its name; a failure tells the name that was most likely meant. */
SCREE_NODISCARD scree_status scree_group_find(const struct scree_world *world, const char *name,
                                              scree_group_id *id);

/** Number of groups; their ids go from 1 to that. */
size_t scree_group_count(const struct scree_world *world);

/** The name of a group, borrowed until a group is added; null where there is no such group. */
const char *scree_group_name(const struct scree_world *world, scree_group_id id);

/** Puts a body into a group, or takes it out if `in` is false. */
SCREE_NODISCARD scree_status scree_group_put_body(struct scree_world *world, scree_group_id id,
                                                  scree_body_id body, bool in);

/** Puts a wall into a group, or takes it out if `in` is false. */
SCREE_NODISCARD scree_status scree_group_put_wall(struct scree_world *world, scree_group_id id,
                                                  scree_wall_id wall, bool in);

/** Whether the body is in the group; false where there is no such body or group. */
bool scree_group_has_body(const struct scree_world *world, scree_group_id id, scree_body_id body);

/** Whether the wall is in the group; likewise. */
bool scree_group_has_wall(const struct scree_world *world, scree_group_id id, scree_wall_id wall);

/** Counts the bodies of a group and, where `ids` is not null, writes the ids of the first `room` of them, in
 * ascending order; `count` is not null. */
SCREE_NODISCARD scree_status scree_group_bodies(const struct scree_world *world, scree_group_id id,
                                                scree_body_id *ids, size_t room, size_t *count);

/** The same of its walls. */
SCREE_NODISCARD scree_status scree_group_walls(const struct scree_world *world, scree_group_id id,
                                               scree_wall_id *ids, size_t room, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
