// Groups: named sets of bodies and walls, for queries and changes of all members.
//
// A world has at most 64 groups. A body or a wall can be in any number of them; a new one is in none. Groups
// are never removed, even when empty.
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

/** Finds a group by name; the message of a failure suggests the closest name. */
SCREE_NODISCARD scree_status scree_group_find(const struct scree_world *world, const char *name,
                                              scree_group_id *id);

/** Number of groups; their ids are 1 to that number. */
size_t scree_group_count(const struct scree_world *world);

/** The name of a group, borrowed until a group is added; null if there is no such group. */
const char *scree_group_name(const struct scree_world *world, scree_group_id id);

/** Adds a body to a group, or removes it from the group if `in` is false. */
SCREE_NODISCARD scree_status scree_group_put_body(struct scree_world *world, scree_group_id id,
                                                  scree_body_id body, bool in);

/** Adds a wall to a group, or removes it from the group if `in` is false. */
SCREE_NODISCARD scree_status scree_group_put_wall(struct scree_world *world, scree_group_id id,
                                                  scree_wall_id wall, bool in);

/** Returns whether the body is in the group; false if there is no such body or group. */
bool scree_group_has_body(const struct scree_world *world, scree_group_id id, scree_body_id body);

/** Returns whether the wall is in the group; false if there is no such wall or group. */
bool scree_group_has_wall(const struct scree_world *world, scree_group_id id, scree_wall_id wall);

/** Counts the bodies of a group into `count`, not null; if `ids` is not null, copies at most `capacity`
 * ids to it, in ascending order. */
SCREE_NODISCARD scree_status scree_group_bodies(const struct scree_world *world, scree_group_id id,
                                                scree_body_id *ids, size_t capacity, size_t *count);

/** As scree_group_bodies, for the walls of a group. */
SCREE_NODISCARD scree_status scree_group_walls(const struct scree_world *world, scree_group_id id,
                                               scree_wall_id *ids, size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
