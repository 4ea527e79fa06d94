// Contacts with meshes, see mesh_contacts.h.

#include "contact/mesh_contacts.h"

#include "contact/wall_frames.h"
#include "mesh/surface.h"
#include "shape/nearest.h"
#include "world/wall.h"

#include <string.h>

static struct scree_vec3 local_centre(const struct scree_mesh_contacts_job *job)
{
    return scree_nearest_to_local(job->wall, scree_vec3_load(job->grain->position));
}

// Gap of a contact.
static struct scree_mesh_gap gap_of(const struct scree_mesh_contacts_job *job, uint32_t contact, int region,
                                    struct scree_vec3 centre)
{
    return scree_mesh_region_gap(job->wall->surface, job->facet[contact], region, centre);
}

// A grain touches a plane once, also where facets lie on each other, and two faces only where they meet at an
// angle above the smooth angle.
static bool is_same_contact(const struct scree_mesh_contacts_job *job, uint32_t a, uint32_t b,
                            struct scree_vec3 centre)
{
    const struct scree_mesh_surface *surface = job->wall->surface;
    if (surface->facet[job->facet[a]].patch == surface->facet[job->facet[b]].patch)
        return true;
    const double cosine = scree_vec3_dot(gap_of(job, a, SCREE_MESH_FACE, centre).normal,
                                         gap_of(job, b, SCREE_MESH_FACE, centre).normal);
    const double least = surface->smooth_cosine < 1 - 1e-12 ? surface->smooth_cosine : 1 - 1e-12;
    return cosine >= least && scree_mesh_facets_meet(surface, job->facet[a], job->facet[b]);
}

// Value of a region of a face that has been accepted.
enum { ACCEPTED = SCREE_MESH_NO_CONTACT + 1 };

// The nearest face that is not yet accepted, the first of equal ones; UINT32_MAX if there is none.
static uint32_t nearest_face(const struct scree_mesh_contacts_job *job, struct scree_vec3 centre,
                             const uint8_t *region)
{
    uint32_t nearest = UINT32_MAX;
    double least = (double)INFINITY;
    for (size_t n = 0; n < job->count; ++n) {
        const uint32_t contact = job->contact[n];
        if (region[contact] != SCREE_MESH_FACE)
            continue;
        const double gap = gap_of(job, contact, SCREE_MESH_FACE, centre).gap;
        if (gap < least) {
            least = gap;
            nearest = contact;
        }
    }
    return nearest;
}

// Accepts faces from the nearest on; those that are the same contact as an accepted one are dropped.
static void merge_faces(const struct scree_mesh_contacts_job *job, struct scree_vec3 centre, uint8_t *region)
{
    uint32_t accepted;
    while ((accepted = nearest_face(job, centre, region)) != UINT32_MAX) {
        region[accepted] = ACCEPTED;
        for (size_t n = 0; n < job->count; ++n) {
            const uint32_t other = job->contact[n];
            if (region[other] == SCREE_MESH_FACE && is_same_contact(job, accepted, other, centre))
                region[other] = SCREE_MESH_NO_CONTACT;
        }
    }
    for (size_t n = 0; n < job->count; ++n)
        if (region[job->contact[n]] == ACCEPTED)
            region[job->contact[n]] = SCREE_MESH_FACE;
}

// Two contacts at one point are one. Round-off at a vertex within a patch can give it to the vertex and to a
// facet at once, or to two edges; the face counts, or the first facet.
static void merge_points(const struct scree_mesh_contacts_job *job, struct scree_vec3 centre, double range,
                         uint8_t *region)
{
    const double nearest = 1e-9 * range;
    for (size_t n = 0; n < job->count; ++n) {
        const uint32_t contact = job->contact[n];
        if (region[contact] == SCREE_MESH_NO_CONTACT || region[contact] == SCREE_MESH_FACE)
            continue;
        const struct scree_mesh_gap gap = gap_of(job, contact, region[contact], centre);
        for (size_t m = 0; m < job->count; ++m) {
            const uint32_t other = job->contact[m];
            if (m == n || region[other] == SCREE_MESH_NO_CONTACT ||
                (region[other] != SCREE_MESH_FACE && m > n))
                continue;
            const struct scree_mesh_gap first = gap_of(job, other, region[other], centre);
            const struct scree_vec3 apart = scree_vec3_sub(scree_vec3_scale(gap.normal, gap.gap),
                                                           scree_vec3_scale(first.normal, first.gap));
            if (scree_vec3_norm_squared(apart) <= nearest * nearest) {
                region[contact] = SCREE_MESH_NO_CONTACT;
                break;
            }
        }
    }
}

// Round-off at a vertex can leave the nearest facet without a contact.
static void select_nearest(const struct scree_mesh_contacts_job *job, struct scree_vec3 centre, double range,
                           uint8_t *region)
{
    uint32_t nearest = UINT32_MAX;
    int nearest_region = 0;
    for (size_t n = 0; n < job->count; ++n) {
        const uint32_t contact = job->contact[n];
        if (!scree_mesh_may_reach(job->wall->surface, job->facet[contact], centre, range))
            continue;
        const int at = scree_mesh_nearest_region(job->wall->surface, job->facet[contact], centre);
        const double gap = gap_of(job, contact, at, centre).gap;
        if (gap < range) {
            range = gap;
            nearest = contact;
            nearest_region = at;
        }
    }
    if (nearest != UINT32_MAX)
        region[nearest] = (uint8_t)nearest_region;
}

void scree_mesh_contacts_select(const struct scree_mesh_contacts_job *job, uint8_t *region)
{
    const struct scree_mesh_surface *surface = job->wall->surface;
    const struct scree_vec3 centre = local_centre(job);
    const double range = (job->grain->radius + job->range) * (1 + 1e-12);
    size_t faces = 0, others = 0, near = 0;
    for (size_t n = 0; n < job->count; ++n) {
        const uint32_t contact = job->contact[n];
        region[contact] = SCREE_MESH_NO_CONTACT;
        if (!scree_mesh_may_reach(surface, job->facet[contact], centre, range))
            continue;
        ++near;
        const int at = scree_mesh_contact_region(surface, job->facet[contact], centre);
        if (at == SCREE_MESH_NO_CONTACT || !(gap_of(job, contact, at, centre).gap < range))
            continue;
        region[contact] = (uint8_t)at;
        *(at == SCREE_MESH_FACE ? &faces : &others) += 1;
    }
    if (faces > 1)
        merge_faces(job, centre, region);
    if (others > 0 && faces + others > 1)
        merge_points(job, centre, range, region);
    if (near > 0 && faces + others == 0)
        select_nearest(job, centre, range, region);
}

// Whether a grain still reaches a facet that it no longer touches, because another one is nearer.
static bool is_in_reach(const struct scree_mesh_contacts_job *job, uint32_t contact)
{
    const struct scree_vec3 centre = local_centre(job);
    const int region = scree_mesh_nearest_region(job->wall->surface, job->facet[contact], centre);
    return gap_of(job, contact, region, centre).gap < (job->grain->radius + job->range) * (1 + 1e-12);
}

// The contact that a new one continues: it is live, and in reach but no longer touched. Returns UINT32_MAX if
// there is none.
static uint32_t find_left(const struct scree_mesh_contacts_job *job, const uint8_t *region,
                          uint32_t new_contact)
{
    const struct scree_mesh_surface *surface = job->wall->surface;
    const uint32_t facet = job->facet[new_contact];
    uint32_t found = UINT32_MAX;
    for (size_t n = 0; n < job->count; ++n) {
        const uint32_t contact = job->contact[n];
        if (!job->live[contact] || region[contact] != SCREE_MESH_NO_CONTACT ||
            !scree_mesh_facets_meet(surface, facet, job->facet[contact]) || !is_in_reach(job, contact))
            continue;
        if (surface->facet[facet].patch == surface->facet[job->facet[contact]].patch)
            return contact;
        found = found == UINT32_MAX ? contact : found;
    }
    return found;
}

void scree_mesh_contacts_hand_on(const struct scree_mesh_contacts_job *job, const uint8_t *region)
{
    for (size_t n = 0; n < job->count; ++n) {
        const uint32_t contact = job->contact[n];
        if (region[contact] == SCREE_MESH_NO_CONTACT || job->live[contact])
            continue;
        const uint32_t left = find_left(job, region, contact);
        if (left == UINT32_MAX)
            continue;
        job->live[contact] = 1;
        job->live[left] = 0;
        if (job->stride == 0)
            continue;
        double *from = job->history + left * job->stride;
        memcpy(job->history + contact * job->stride, from, job->stride * sizeof *from);
        memset(from, 0, job->stride * sizeof *from);
    }
}

int scree_mesh_contacts_region_left(const struct scree_mesh_contacts_job *job, uint32_t contact)
{
    return scree_mesh_nearest_region(job->wall->surface, job->facet[contact], local_centre(job));
}

static struct scree_vec3 to_world(const struct scree_wall *wall, struct scree_vec3 normal)
{
    return scree_nearest_normal(wall, &(struct scree_nearest){0, normal});
}

void scree_mesh_contacts_frame(const struct scree_mesh_contacts_job *job, uint32_t facet, int region,
                               struct scree_kernel_wall *out)
{
    const struct scree_wall *wall = job->wall;
    const double half_step = 0.5 * job->step;
    const struct scree_vec3 centre = scree_vec3_load(job->grain->position),
                            velocity = scree_vec3_load(job->grain->velocity);
    const struct scree_mesh_gap now =
        scree_mesh_region_gap(wall->surface, facet, region, scree_nearest_to_local(wall, centre));
    const struct scree_vec3 relative = scree_vec3_sub(velocity, scree_wall_velocity(wall, centre));
    const struct scree_vec3 half_centre = scree_vec3_add_scaled(centre, -half_step, relative);
    struct scree_mesh_gap half =
        scree_mesh_region_gap(wall->surface, facet, region, scree_nearest_to_local(wall, half_centre));
    // the centre has passed the plane in this half-step
    if (region == SCREE_MESH_FACE && scree_vec3_dot(half.normal, now.normal) < 0)
        half = (struct scree_mesh_gap){-half.gap, scree_vec3_negate(half.normal)};
    const struct scree_vec3 normal = to_world(wall, now.normal), half_normal = to_world(wall, half.normal);
    const struct scree_vec3 point = scree_vec3_add_scaled(centre, -now.gap, normal);
    const struct scree_vec3 half_point = scree_vec3_add_scaled(half_centre, -half.gap, half_normal);
    const struct scree_wall_pace pace = scree_wall_pace_at(wall, job->step, point, half_point);
    const struct scree_vec3 rotated = scree_vec3_add_scaled(
        half_normal, -half_step, scree_vec3_cross(scree_vec3_load(wall->spin), half_normal));
    scree_vec3_store(normal, out->normal);
    out->gap = now.gap;
    scree_vec3_store(pace.half, out->velocity);
    memcpy(out->spin, wall->spin, sizeof out->spin);
    scree_vec3_store(scree_vec3_scale(rotated, 1.0 / sqrt(scree_vec3_dot(rotated, rotated))),
                     out->half_normal);
    out->half_gap = half.gap;
    out->change[0] = (float)pace.change.x;
    out->change[1] = (float)pace.change.y;
    out->change[2] = (float)pace.change.z;
    out->mobility = 0;
}
