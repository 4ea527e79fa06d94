// Contacts of a grain with the facets of a mesh: selects the facets that it touches, hands the history of a
// contact on from facet to facet, and computes the geometry.
//
// Invariant: which facets are touched, and where histories go, depends on the positions and the histories
// alone, not on the list of candidates, as long as it has all facets in range.

#ifndef SCREE_CONTACT_MESH_CONTACTS_H
#define SCREE_CONTACT_MESH_CONTACTS_H

#include "world/records.h"

#include <stddef.h>

// The candidates of one grain, in ascending order of facets; numbers of contacts index the arrays.
struct scree_mesh_contacts_job {
    const struct scree_wall *wall;
    const struct scree_grain *grain;
    const uint32_t *contact; // numbers of contacts
    size_t count;
    const uint32_t *facet; // by contact
    double range, step;    // interaction range, m; time step, s
    uint8_t *live;         // by contact
    double *history;       // by contact, `stride` values each
    size_t stride;
};

// Selects the contacts in range. Writes the region of each candidate (enum scree_mesh_region) to
// region[contact]; those that are not touched get SCREE_MESH_NO_CONTACT.
void scree_mesh_contacts_select(const struct scree_mesh_contacts_job *job, uint8_t *region);

// The region of a facet that is nearest to the grain.
int scree_mesh_contacts_region_left(const struct scree_mesh_contacts_job *job, uint32_t contact);

// Moves the histories of contacts that are no longer selected to contacts that are new and at a neighbouring
// facet.
void scree_mesh_contacts_hand_on(const struct scree_mesh_contacts_job *job, const uint8_t *region);

// Writes the geometry of a contact, at t and at t - h/2, relative to the moving wall.
void scree_mesh_contacts_frame(const struct scree_mesh_contacts_job *job, uint32_t facet, int region,
                               struct scree_kernel_wall *out);

#endif
