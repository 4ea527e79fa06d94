// Mean flows through flux surfaces: counts kept for their averaging windows, see
// include/scree/flux_surface.h.

#ifndef SCREE_MEASURE_MEAN_FLOW_H
#define SCREE_MEASURE_MEAN_FLOW_H

struct scree_world;

// Keeps the counts of an update of all flux surfaces.
void scree_mean_flow_update(struct scree_world *world);

#endif
