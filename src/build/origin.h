// The lines of a scene, or of a file of bodies, that define bodies and walls, for messages.

#ifndef SCREE_BUILD_ORIGIN_H
#define SCREE_BUILD_ORIGIN_H

#include "language/reading.h"

struct scree_world;

// Returns the origin of a body; null if it is unknown, as after a restart and for inserted bodies.
const struct scree_reading_origin *scree_origin_of_body(const struct scree_reading *reading, uint64_t id);

// Returns the entry of a wall, by its id or its slot; the root if there is none. Walls get their ids in the
// order of their entries.
const struct scree_node *scree_origin_of_wall(const struct scree_reading *reading, uint64_t id);
const struct scree_node *scree_origin_of_wall_at(const struct scree_reading *reading,
                                                 const struct scree_world *world, size_t slot);

// Writes the place of a body, or of a wall if `body` is 0, as `hopper.yaml:12`: its entry, or its row in a
// file of bodies. A body without a known origin gets the entry of the insertion, if the scene has only one.
// Else the text is empty. `user` is the struct scree_reading; this is a scree_origin_function.
void scree_origin_write(void *user, scree_body_id body, scree_wall_id wall, char *text, size_t size);

#endif
