// The alarm of displacements at walls that a body could pass, see alarm.h.
//
// A grain whose centre is beyond a surface is pushed on, so in a step it must move by less than a part of
// what is there: its radius, which alarm.c checks, or the thickness of the matter behind a facet if this is
// less. A polyhedron touches meshes, cylinders and cones by corners and edges within its rounding, so any
// point of it must move by less than a part of the rounding. The sides of an open sheet are apart by no
// matter: there the radius is the only length of a sphere.
//
// Displacements are those along the normal, relative to the wall.

#include "convex/convex.h"
#include "engine/alarm.h"
#include "engine/alarm_text.h"
#include "engine/soft.h"
#include "shape/nearest.h"
#include "shape/surface.h"
#include "world/grain.h"
#include "world/polyhedron.h"
#include "world/wall.h"
#include "world/wall_shape.h"

#include <math.h>
#include <stdio.h>

// The largest displacement over the length that it must be below.
struct approach {
    double ratio, length;
    const struct scree_grain *grain;
    uint64_t body;
    size_t wall;
    unsigned feature;
    bool of_rounding; // the length is a rounding, else a thickness
};

static void take(const struct scree_soft *soft, const struct approach *found, struct approach *largest)
{
    const uint64_t body = scree_alarm_body_id(soft, (size_t)(found->grain - scree_world_grains(soft->world)));
    if (found->ratio < largest->ratio || (found->ratio == largest->ratio && largest->body <= body))
        return;
    *largest = *found;
    largest->body = body;
}

static bool can_touch(const struct scree_soft *soft, const struct scree_grain *grain,
                      const struct scree_wall *wall)
{
    return grain->radius > 0 && scree_law_class_of(&soft->collider.classes, grain->material,
                                                   wall->material) != SCREE_CONTACTS_NO_CLASS;
}

// How far a point that is at `after` now has moved in the step, relative to the wall.
static struct scree_vec3 path_of(const struct scree_soft *soft, const struct scree_wall *wall,
                                 struct scree_vec3 before, struct scree_vec3 after)
{
    return scree_vec3_sub(after, scree_wall_move_point(wall, soft->mover.step.h, before));
}

// --- spheres at thin meshes

// How far a grain has come through a facet, from the side on which it was, in the axes of the wall.
static double through(const struct scree_mesh_facet *facet, struct scree_vec3 after, struct scree_vec3 path)
{
    const double height = scree_vec3_dot(facet->normal, after) - facet->offset,
                 moved = scree_vec3_dot(facet->normal, path);
    return height - moved > 0 ? -moved : moved;
}

static void check_sphere(const struct scree_soft *soft, const struct scree_grain *grain, size_t w,
                         struct approach *largest)
{
    const struct scree_wall *wall = scree_wall_row(soft->world, w);
    double before[3];
    scree_alarm_position_before(grain, soft->mover.step.h, before);
    const struct scree_vec3 centre = scree_vec3_load(grain->position),
                            path = path_of(soft, wall, scree_vec3_load(before), centre),
                            local = scree_nearest_to_local(wall, centre),
                            local_path = scree_vec3_sub(
                                local, scree_nearest_to_local(wall, scree_vec3_sub(centre, path)));
    struct scree_mesh_query query;
    uint32_t f;
    // it has touched what it is near now, or what it passed
    scree_mesh_query_begin(&query, wall->surface, local,
                           scree_real_max(grain->radius, scree_vec3_norm(path) * (1 + 1e-9)));
    while (scree_mesh_query_next(&query, &f)) {
        const double thickness = wall->surface->thickness[f];
        if (thickness < grain->radius)
            take(soft,
                 &(struct approach){.ratio = through(&wall->surface->facet[f], local, local_path) / thickness,
                                    .length = thickness,
                                    .grain = grain,
                                    .wall = w,
                                    .feature = f},
                 largest);
    }
}

static void check_spheres(const struct scree_soft *soft, struct approach *largest)
{
    const struct scree_search *search = &soft->collider.search;
    const double h = soft->mover.step.h;
    for (size_t w = 0; w < scree_wall_rows(soft->world); ++w) {
        const struct scree_wall *wall = scree_wall_row(soft->world, w);
        if (wall->shape != SCREE_WALL_MESH || !wall->surface->thickness)
            continue;
        const double approach = scree_wall_approach(wall, search->lower, search->upper),
                     least = soft->watch.def.displacement * wall->surface->thinnest;
        for (size_t i = 0; i < scree_grain_count(soft->world); ++i) {
            const struct scree_grain *grain = &scree_world_grains(soft->world)[i];
            const double speed = scree_vec3_norm(scree_vec3_load(grain->velocity));
            if (h * (speed + approach) > least && wall->surface->thinnest < grain->radius &&
                !(grain->flags & SCREE_FLAG_SHAPED) && can_touch(soft, grain, wall))
                check_sphere(soft, grain, w, largest);
        }
    }
}

// --- polyhedra

// The largest displacement of any corner against a direction, relative to the wall.
static double approach_of_corners(const struct scree_soft *soft, const struct scree_grain *grain,
                                  size_t number, const struct scree_wall *wall, struct scree_vec3 away)
{
    const double h = soft->mover.step.h;
    const struct scree_convex *hull = scree_polyhedron_of_grain(soft->world, number)->hull;
    const struct scree_mat3 axes = scree_polyhedron_axes(soft->world, number);
    double most = -(double)INFINITY;
    for (uint32_t v = 0; v < hull->vertices; ++v) {
        const struct scree_vec3 arm = scree_mat3_apply(axes, hull->vertex[v]),
                                after = scree_vec3_add(scree_vec3_load(grain->position), arm);
        const struct scree_vec3 velocity = scree_vec3_add(
            scree_vec3_load(grain->velocity), scree_vec3_cross(scree_vec3_load(grain->spin), arm));
        const struct scree_vec3 path = path_of(soft, wall, scree_vec3_add_scaled(after, -h, velocity), after);
        most = scree_real_max(most, -scree_vec3_dot(path, away));
    }
    return most;
}

// Facets are those of a wall with a surface; a curved wall is near at one place.
static void check_polyhedron(const struct scree_soft *soft, size_t number, size_t w, struct approach *largest)
{
    const struct scree_grain *grain = &scree_world_grains(soft->world)[number];
    const struct scree_wall *wall = scree_wall_row(soft->world, w);
    struct scree_surface_query query;
    unsigned f;
    scree_surface_query_begin(&query, wall, grain->position, grain->radius);
    while (scree_surface_query_next(&query, &f)) {
        struct scree_surface_touch touch;
        scree_surface_touch(wall, f, grain->position, &touch);
        if (!(touch.gap < grain->radius))
            continue;
        const double rounding = scree_polyhedron_of_grain(soft->world, number)->rounding,
                     moved = approach_of_corners(soft, grain, number, wall, scree_vec3_load(touch.normal));
        const bool mesh = wall->shape == SCREE_WALL_MESH && wall->surface->thickness;
        const double thickness = mesh ? wall->surface->thickness[f] : (double)INFINITY;
        const double length = scree_real_min(rounding, thickness);
        take(soft,
             &(struct approach){.ratio = moved / length,
                                .length = length,
                                .grain = grain,
                                .wall = w,
                                .feature = f,
                                .of_rounding = rounding <= thickness},
             largest);
    }
}

static void check_polyhedra(const struct scree_soft *soft, struct approach *largest)
{
    const struct scree_search *search = &soft->collider.search;
    for (size_t w = 0; w < scree_wall_rows(soft->world); ++w) {
        const struct scree_wall *wall = scree_wall_row(soft->world, w);
        if (!scree_wall_shape_is_two_sided(wall))
            continue;
        const double approach = scree_wall_speed(wall, search->lower, search->upper),
                     thin = wall->shape == SCREE_WALL_MESH ? wall->surface->thinnest : (double)INFINITY;
        for (size_t i = 0; i < scree_grain_count(soft->world); ++i) {
            const struct scree_grain *grain = &scree_world_grains(soft->world)[i];
            if (!(grain->flags & SCREE_FLAG_SHAPED) || !can_touch(soft, grain, wall))
                continue;
            const double speed = scree_vec3_norm(scree_vec3_load(grain->velocity)) +
                                 grain->radius * scree_vec3_norm(scree_vec3_load(grain->spin));
            const double length = scree_real_min(thin, scree_polyhedron_of_grain(soft->world, i)->rounding);
            if (soft->mover.step.h * (speed + approach) > soft->watch.def.displacement * length)
                check_polyhedron(soft, i, w, largest);
        }
    }
}

// --- the check

// Finds what there is to check, after each search: bodies and walls may have been added.
static void look_for_thin_walls(struct scree_soft *soft)
{
    struct scree_alarm_watch *watch = &soft->watch;
    if (watch->thin_searches == soft->collider.search.searches + 1)
        return;
    watch->thin_searches = soft->collider.search.searches + 1;
    watch->thinnest = (double)INFINITY;
    watch->two_sided = false;
    for (size_t w = 0; w < scree_wall_rows(soft->world); ++w) {
        const struct scree_wall *wall = scree_wall_row(soft->world, w);
        if (wall->shape == SCREE_WALL_MESH)
            watch->thinnest = scree_real_min(watch->thinnest, wall->surface->thinnest);
        watch->two_sided |= scree_polyhedron_any(soft->world) && scree_wall_shape_is_two_sided(wall);
    }
}

static void raise(struct scree_soft *soft, const struct approach *largest)
{
    struct scree_alarm alarm = scree_alarm_now(soft, SCREE_ALARM_DISPLACEMENT);
    const struct scree_wall *wall = scree_wall_row(soft->world, largest->wall);
    char facet[SCREE_ALARM_FACET], pebble[40] = "";
    alarm.body[0].value = largest->body;
    alarm.wall.value = scree_entity_ids(scree_world_entity(soft->world, SCREE_ENTITY_WALL))[largest->wall];
    alarm.value = largest->ratio;
    alarm.limit = soft->watch.def.displacement;
    scree_alarm_text_facet(soft, largest->wall, largest->feature, facet);
    if (largest->grain->part > 0)
        snprintf(pebble, sizeof pebble, "pebble %u of ", (unsigned)largest->grain->part);
    scree_alarm_raise(
        &soft->watch, &alarm,
        "%sbody %llu and wall %llu%s approached each other in a step by %g of %s, %g m; the limit is %g, "
        "because "
        "the body could pass through: use a step of at most %g s, or find the cause of the speed",
        pebble, (unsigned long long)largest->body, (unsigned long long)alarm.wall.value, facet, alarm.value,
        largest->of_rounding             ? "the rounding of the body"
        : wall->shape == SCREE_WALL_MESH ? "the thickness of the mesh there"
                                         : "the thickness of the wall",
        largest->length, alarm.limit, soft->mover.step.h * alarm.limit / alarm.value);
}

void scree_alarm_thin_check(struct scree_soft *soft)
{
    const struct scree_search *search = &soft->collider.search;
    const struct scree_alarm_watch *watch = &soft->watch;
    struct approach largest = {.ratio = watch->def.displacement};
    if (!scree_collider_has_contacts(&soft->collider) || soft->state_only ||
        !scree_alarm_is_active(watch, SCREE_ALARM_DISPLACEMENT))
        return;
    look_for_thin_walls(soft);
    const double rate = soft->world->carried_rate * search->largest_radius, body = sqrt(soft->mover.fastest),
                 speed = scree_grain_carried(soft->world) > 0 ? scree_real_max(rate, body) : body;
    if (search->wall_displacement + soft->mover.step.h * speed > watch->def.displacement * watch->thinnest)
        check_spheres(soft, &largest);
    if (watch->two_sided)
        check_polyhedra(soft, &largest);
    if (largest.grain)
        raise(soft, &largest);
}
