// Contacts with virtual walls, see rough_contacts.h.

#include "contact/rough_contacts.h"

#include "law/rough_wall.h"
#include "shape/surface.h"
#include "world/wall.h"
#include "world/wall_rough.h"

#include <string.h>

// Depth of sliding, of the radius, at which a contact lasts.
#define SLID 0.05

enum { OFFSET = 3, PHASE = 4, SHIFT = 5 };
enum { APPROACHES = 1, RECEDES = 2, LASTS = 3 };

static struct scree_vec3 to_world(const struct scree_wall *wall, const double *v)
{
    const struct scree_vec3 x = scree_vec3_scale(scree_vec3_load(wall->axes[0]), v[0]);
    const struct scree_vec3 xy = scree_vec3_add_scaled(x, v[1], scree_vec3_load(wall->axes[1]));
    return scree_vec3_add_scaled(xy, v[2], scree_vec3_load(wall->axes[2]));
}

struct scree_wall scree_rough_contacts_plane(const struct scree_wall *wall, const double *rough)
{
    struct scree_wall plane = *wall;
    const struct scree_vec3 normal = scree_vec3_normalise(to_world(wall, rough));
    const struct scree_vec3 x = scree_vec3_perpendicular(normal);
    plane.shape = SCREE_WALL_PLANE;
    plane.side = 0;
    plane.features = 1;
    scree_vec3_store(x, plane.axes[0]);
    scree_vec3_store(scree_vec3_cross(normal, x), plane.axes[1]);
    scree_vec3_store(normal, plane.axes[2]);
    scree_vec3_store(scree_vec3_add_scaled(scree_vec3_load(wall->reference), rough[OFFSET], normal),
                     plane.reference);
    return plane;
}

const struct scree_wall *scree_rough_contacts_wall(const struct scree_wall_contacts *walls, size_t contact,
                                                   const struct scree_wall *wall, struct scree_wall *plane)
{
    const double *rough = scree_contacts_rough(walls, contact);
    if (!rough || rough[PHASE] == 0)
        return wall;
    *plane = scree_rough_contacts_plane(wall, rough);
    return plane;
}

// A grain at the wall: the gap and the normal of the wall itself, and its velocity relative to it.
struct place {
    const struct scree_wall *wall;
    struct scree_vec3 position, normal, velocity; // position relative to the reference point
    double gap, radius;
};

static struct place place_of(const struct scree_rough_contacts_job *job)
{
    const struct scree_wall *wall = scree_wall_row(job->world, job->wall);
    struct scree_surface_touch touch;
    scree_surface_touch(wall, job->feature, job->grain->position, &touch);
    const struct scree_vec3 motion = scree_wall_velocity(wall, scree_vec3_load(touch.point));
    return (struct place){
        .wall = wall,
        .position = scree_vec3_sub(scree_vec3_load(job->grain->position), scree_vec3_load(wall->reference)),
        .normal = scree_vec3_load(touch.normal),
        .velocity = scree_vec3_sub(scree_vec3_load(job->grain->velocity), motion),
        .gap = touch.gap - job->grain->radius,
        .radius = job->grain->radius};
}

// Puts the virtual wall at a gap from the grain.
static void put(const struct place *place, struct scree_vec3 normal, double gap, double *rough)
{
    for (int k = 0; k < 3; ++k)
        rough[k] = scree_vec3_dot(normal, scree_vec3_load(place->wall->axes[k]));
    // the gap with the normal as it is stored
    const struct scree_vec3 stored = scree_vec3_normalise(to_world(place->wall, rough));
    rough[OFFSET] = scree_vec3_dot(stored, place->position) - place->radius - gap;
}

static double gap_to(const struct place *place, const double *rough)
{
    const struct scree_vec3 normal = scree_vec3_normalise(to_world(place->wall, rough));
    return scree_vec3_dot(normal, place->position) - rough[OFFSET] - place->radius;
}

static void last(const struct place *place, double gap, double *rough)
{
    rough[PHASE] = LASTS;
    rough[SHIFT] = gap - place->gap;
    put(place, place->normal, gap, rough);
}

// Begins a contact. The grain has touched the virtual wall in the last step, when it touched the wall itself.
static bool begin(const struct scree_rough_contacts_job *job, const struct place *place, double *rough)
{
    const double closing = -scree_vec3_dot(place->velocity, place->normal);
    if (!(place->gap < 0) || !(closing > 0) || job->dropped)
        return false;
    const struct scree_rough_wall wall =
        scree_rough_wall_make(scree_wall_rough(job->world, job->wall), job->world->dimension);
    const struct scree_rough_wall_draw draw = {
        job->body, scree_real_bits(scree_world_clock(job->world)->time), job->feature};
    // no virtual wall leads deeper
    const struct scree_vec3 normal =
        place->gap < -SLID * place->radius
            ? place->normal
            : scree_rough_wall_normal(&wall, place->normal, place->velocity, draw);
    const double since = -place->gap / closing, longest = job->step > 0 ? job->step : since;
    rough[PHASE] = APPROACHES;
    put(place, normal, scree_vec3_dot(place->velocity, normal) * (since < longest ? since : longest), rough);
    return true;
}

static void follow(const struct place *place, double *rough)
{
    const double gap = gap_to(place, rough);
    const double rate = scree_vec3_dot(to_world(place->wall, rough), place->velocity);
    if (rough[PHASE] == LASTS) {
        put(place, place->normal, place->gap + rough[SHIFT], rough);
        return;
    }
    const double slid = gap - place->gap;
    if ((rough[PHASE] == RECEDES && rate < 0) || slid > SLID * place->radius || slid < -SLID * place->radius)
        last(place, gap, rough);
    else if (rate > 0)
        rough[PHASE] = RECEDES;
}

bool scree_rough_contacts_update(const struct scree_rough_contacts_job *job, double *rough, double *gap)
{
    const struct place place = place_of(job);
    if (rough[PHASE] > 0)
        follow(&place, rough);
    else if (job->live)
        // the wall became rough during the contact
        last(&place, place.gap, rough);
    else if (!begin(job, &place, rough))
        memset(rough, 0, SCREE_CONTACTS_ROUGH * sizeof *rough);
    *gap = rough[PHASE] > 0 ? gap_to(&place, rough) : 0;
    return rough[PHASE] > 0;
}

bool scree_rough_contacts_gap(const struct scree_rough_contacts_job *job, const double *rough, double *gap)
{
    const struct place place = place_of(job);
    *gap = rough[PHASE] > 0 ? gap_to(&place, rough) : 0;
    return rough[PHASE] > 0;
}
