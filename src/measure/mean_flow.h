// Mean flows through flux surfaces: counts kept for their averaging windows, see
// include/scree/flux_surface.h.

#ifndef SCREE_MEASURE_MEAN_FLOW_H
#define SCREE_MEASURE_MEAN_FLOW_H

#include <stdbool.h>
#include <stdint.h>

struct scree_world;

// What flows of collisions have instead of the id of a surface: they count free paths and, in place of the
// mass, their lengths, or collisions of two bodies and their virial.
#define SCREE_MEAN_FLOW_PATHS UINT64_MAX
#define SCREE_MEAN_FLOW_VIRIAL (UINT64_MAX - 1)

// Whether the world keeps any counts.
bool scree_mean_flow_is_kept(const struct scree_world *world);

// Keeps the counts of an update of all flux surfaces.
void scree_mean_flow_update(struct scree_world *world);

#endif
