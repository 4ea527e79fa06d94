// Flux surfaces, see include/scree/flux_surface.h: rows of surfaces and their counts, and for every body its
// position at the last update. Both are in checkpoints, so a restart continues to count.
//
// Invariant: the mass counted in one update is summed exactly before it is added, so results do not depend on
// the order of slots. A world that never had a flux surface has no column of positions. In a periodic cell a
// flux surface and its images are one surface, and a crossing counts once even if images overlap there.

#include "base/sum.h"
#include "contact/walk.h"
#include "measure/flux_mesh.h"
#include "measure/mean_flow.h"
#include "world/cell.h"
#include "world/entity.h"

#include <scree/flux_surface.h>

#include <math.h>

static struct scree_entity *flux_surfaces_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_FLUX_SURFACE);
}

static struct scree_flux_surface *flux_surface_rows(const struct scree_world *world)
{
    return (struct scree_flux_surface *)scree_world_column(world, SCREE_ENTITY_FLUX_SURFACE,
                                                           SCREE_FLUX_SURFACE_FLUX_SURFACE);
}

// --- geometry

static bool is_finite(const struct scree_flux_surface *flux_surface)
{
    double zero = 0 * flux_surface->radius;
    for (int k = 0; k < 3; ++k)
        zero += 0 * flux_surface->centre[k] + 0 * flux_surface->half[0][k] + 0 * flux_surface->half[1][k];
    return zero == 0;
}

static scree_status make_disk(const struct scree_flux_surface_def *def,
                              struct scree_flux_surface *flux_surface)
{
    const struct scree_vec3 normal = scree_vec3_load(def->normal);
    const double length = scree_vec3_norm(normal);
    if (!(length > 0 && length <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the normal of a flux surface must not be zero");
    memcpy(flux_surface->centre, def->centre, sizeof flux_surface->centre);
    scree_vec3_store(scree_vec3_normalise(normal), flux_surface->normal);
    flux_surface->radius = def->radius;
    return SCREE_OK;
}

static scree_status make_rectangle(const struct scree_flux_surface_def *def,
                                   struct scree_flux_surface *flux_surface)
{
    const struct scree_vec3 first = scree_vec3_scale(scree_vec3_load(def->edge[0]), 0.5);
    const struct scree_vec3 second = scree_vec3_scale(scree_vec3_load(def->edge[1]), 0.5);
    const double size = scree_vec3_norm(first) * scree_vec3_norm(second);
    if (!(size > 0 && fabs(scree_vec3_dot(first, second)) <= 1e-9 * size))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "a flux surface must be a disk with a radius above 0 m, or a rectangle with perpendicular edges");
    scree_vec3_store(scree_vec3_add(scree_vec3_load(def->corner), scree_vec3_add(first, second)),
                     flux_surface->centre);
    scree_vec3_store(scree_vec3_normalise(scree_vec3_cross(first, second)), flux_surface->normal);
    scree_vec3_store(first, flux_surface->half[0]);
    scree_vec3_store(second, flux_surface->half[1]);
    return SCREE_OK;
}

// --- images in a periodic cell

static const double farthest = 1e6; // periods from the cell

// The images of a flux surface in a periodic cell. Those along periodic axes in its plane are in the same
// plane; which of them a path crosses follows from the point where it crosses the plane.
struct images {
    const struct scree_cell *cell;
    int normal_axis; // the periodic axis along the normal, with images in other planes; -1 for none
};

static bool is_along(const double *v, int k)
{
    const double size = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
    return size - fabs(v[k]) <= 1e-12 * size;
}

static bool is_normal_to(const double *v, int k)
{
    return fabs(v[k]) <= 1e-12 * (fabs(v[0]) + fabs(v[1]) + fabs(v[2]));
}

// Returns whether edge e is parallel to an axis and the other edge perpendicular to it.
static bool lies_along(const struct scree_flux_surface *flux_surface, int e, int k)
{
    return is_along(flux_surface->half[e], k) && is_normal_to(flux_surface->half[1 - e], k);
}

static scree_status find_images(const struct scree_world *world,
                                const struct scree_flux_surface *flux_surface, struct images *images)
{
    *images = (struct images){.cell = scree_world_cell(world), .normal_axis = -1};
    if (flux_surface->wall > 0)
        return scree_flux_mesh_check(world, (scree_wall_id){flux_surface->wall});
    for (int k = 0; k < 3; ++k) {
        const double period = images->cell->period[k];
        if (!(period > 0))
            continue;
        if (!(fabs(flux_surface->centre[k] - images->cell->lower[k]) <= farthest * period))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a flux surface must be within %g periods of the periodic cell; along %c, where the "
                "period is %g m, its centre is at %g m",
                farthest, 'x' + k, period, flux_surface->centre[k]);
        if (is_along(flux_surface->normal, k))
            images->normal_axis = k;
        else if (!(flux_surface->radius > 0
                       ? is_normal_to(flux_surface->normal, k)
                       : lies_along(flux_surface, 0, k) || lies_along(flux_surface, 1, k)))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the cell is periodic along %c: the normal of a flux surface, and the "
                "edges of a rectangle, must be parallel or perpendicular to %c; the normal is %g %g %g",
                'x' + k, 'x' + k, flux_surface->normal[0], flux_surface->normal[1], flux_surface->normal[2]);
    }
    return SCREE_OK;
}

// --- the list of flux surfaces

static bool find(const struct scree_world *world, const struct scree_flux_surface *flux_surface,
                 scree_flux_surface_id *id)
{
    const size_t geometry_size = offsetof(struct scree_flux_surface, mass);
    for (size_t g = 0; g < flux_surfaces_of(world)->count; ++g)
        if (memcmp(&flux_surface_rows(world)[g], flux_surface, geometry_size) == 0) {
            id->value = scree_entity_ids(flux_surfaces_of(world))[g];
            return true;
        }
    return false;
}

scree_status scree_flux_surface_add(struct scree_world *world, const struct scree_flux_surface_def *def,
                                    scree_flux_surface_id *id)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_flux_surface flux_surface = {0};
    struct images images;
    scree_slot slot;
    SCREE_TRY(scree_world_check_not_in_load(world));
    flux_surface.wall = def->wall.value;
    if (def->wall.value == 0)
        SCREE_TRY(def->radius != 0 ? make_disk(def, &flux_surface) : make_rectangle(def, &flux_surface));
    if (!is_finite(&flux_surface) || !(flux_surface.radius >= 0))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "a flux surface needs finite coordinates, and a radius above 0 m for a disk; got a radius of %g",
            flux_surface.radius);
    SCREE_TRY(find_images(world, &flux_surface, &images));
    if (find(world, &flux_surface, id))
        return SCREE_OK;
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_FLUX_POSITION));
    SCREE_TRY(scree_flux_surface_update(world));
    SCREE_TRY(scree_entity_insert(flux_surfaces_of(world), &slot, &id->value));
    flux_surface_rows(world)[slot.index] = flux_surface;
    return SCREE_OK;
}

size_t scree_flux_surface_count(const struct scree_world *world)
{
    return flux_surfaces_of(world)->count;
}

scree_status scree_flux_surface_get(const struct scree_world *world, scree_flux_surface_id id,
                                    struct scree_flux_surface_crossings *crossings)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(flux_surfaces_of(world), id.value, &slot));
    const struct scree_flux_surface *flux_surface = &flux_surface_rows(world)[slot.index];
    memcpy(crossings->mass, flux_surface->mass, sizeof crossings->mass);
    memcpy(crossings->bodies, flux_surface->bodies, sizeof crossings->bodies);
    return SCREE_OK;
}

// --- crossings

// The path of a body since the last update. A body that left the cell has been wrapped: its unwrapped start
// is `shift` periods from `start`, along each axis.
struct path {
    const double *start, *end;
    double shift[3];
};

// The displacement since the last update is less than half a period.
static void find_shift(const struct scree_cell *cell, struct path *path)
{
    for (int k = 0; k < 3; ++k) {
        const double displacement = path->end[k] - path->start[k], period = cell->period[k];
        if (period > 0 && fabs(displacement) > 0.5 * period)
            path->shift[k] = displacement > 0 ? 1 : -1;
    }
}

// Returns whether images along an axis are in the same plane.
static bool is_in_plane(const struct images *images, int k)
{
    return images->cell->period[k] > 0 && k != images->normal_axis;
}

// Returns whether a point of the plane, relative to the centre, is on the flux surface or an image in its
// plane. Images of an edge as long as the period cover the axis exactly once.
static bool contains(const struct images *images, const struct scree_flux_surface *flux_surface,
                     double point[3])
{
    const double *period = images->cell->period;
    if (flux_surface->radius > 0) {
        for (int k = 0; k < 3; ++k)
            point[k] -= is_in_plane(images, k) ? period[k] * floor(point[k] / period[k] + 0.5) : 0;
        return scree_vec3_norm_squared(scree_vec3_load(point)) < flux_surface->radius * flux_surface->radius;
    }
    for (int e = 0; e < 2; ++e) {
        const double *half = flux_surface->half[e];
        bool covers_axis = false;
        for (int k = 0; k < 3; ++k) {
            if (!is_in_plane(images, k) || !lies_along(flux_surface, e, k))
                continue;
            const double length = fabs(half[k]), sign = half[k] > 0 ? 1 : -1;
            covers_axis = 2 * length >= (1 - 1e-12) * period[k];
            point[k] -= sign * period[k] * floor((sign * point[k] + length) / period[k]);
        }
        const double along = scree_vec3_dot(scree_vec3_load(point), scree_vec3_load(half));
        const double end = scree_vec3_norm_squared(scree_vec3_load(half));
        if (!covers_axis && !(along >= -end && along < end))
            return false;
    }
    return true;
}

// A position, shifted by periods, relative to the centre of an image. It depends only on the position in the
// cell and the image, so the next path starts on the side of the plane on which this one ends.
static inline struct scree_vec3 relative_position(const struct images *images,
                                                  const struct scree_flux_surface *flux_surface,
                                                  const double *position, const double image[3],
                                                  const double shift[3])
{
    const double *centre = flux_surface->centre, *period = images->cell->period;
    return scree_vec3_make(position[0] - (centre[0] + (image[0] - shift[0]) * period[0]),
                           position[1] - (centre[1] + (image[1] - shift[1]) * period[1]),
                           position[2] - (centre[2] + (image[2] - shift[2]) * period[2]));
}

// Returns whether a straight path crosses a flux surface or an image: 1 along the normal, -1 against it, 0 if
// not. A point on the plane is on the side of the normal.
static int crossing(const struct images *images, const struct scree_flux_surface *flux_surface,
                    struct path *path)
{
    static const double none[3];
    const int k = images->normal_axis;
    double image[3] = {0}, point[3];
    find_shift(images->cell, path);
    // the path is shorter than a period: it can cross only the plane nearest to its middle
    if (k >= 0) {
        const double period = images->cell->period[k];
        const double middle = 0.5 * (path->start[k] + path->shift[k] * period + path->end[k]);
        image[k] = floor((middle - flux_surface->centre[k]) / period + 0.5);
    }
    const struct scree_vec3 normal = scree_vec3_load(flux_surface->normal);
    const struct scree_vec3 first = relative_position(images, flux_surface, path->start, image, path->shift);
    const struct scree_vec3 last = relative_position(images, flux_surface, path->end, image, none);
    const double before = scree_vec3_dot(first, normal), after = scree_vec3_dot(last, normal);
    if ((before >= 0) == (after >= 0))
        return 0;
    scree_vec3_store(scree_vec3_add_scaled(first, before / (before - after), scree_vec3_sub(last, first)),
                     point);
    return !contains(images, flux_surface, point) ? 0 : after >= 0 ? 1 : -1;
}

static void count(const struct scree_world *world, const struct images *images,
                  struct scree_flux_surface *flux_surface, const struct scree_flux_position *last_position)
{
    struct scree_sum mass[2] = {0};
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        struct path path = {.start = last_position[i].position, .end = grain->position};
        const int passed = last_position[i].recorded ? crossing(images, flux_surface, &path) : 0;
        if (passed == 0)
            continue;
        scree_sum_add(&mass[passed < 0], grain->mass);
        ++flux_surface->bodies[passed < 0];
    }
    for (int k = 0; k < 2; ++k)
        flux_surface->mass[k] += scree_sum_value(&mass[k]);
}

scree_status scree_flux_surface_update(struct scree_world *world)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    SCREE_TRY(scree_world_check_not_in_load(world));
    struct scree_flux_position *last_position =
        (struct scree_flux_position *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_FLUX_POSITION);
    struct images images;
    // check all before any is updated
    for (size_t g = 0; g < flux_surfaces_of(world)->count; ++g)
        SCREE_TRY(find_images(world, &flux_surface_rows(world)[g], &images));
    for (size_t g = 0; g < flux_surfaces_of(world)->count; ++g) {
        SCREE_TRY(find_images(world, &flux_surface_rows(world)[g], &images));
        if (flux_surface_rows(world)[g].wall > 0)
            scree_flux_mesh_count(world, &flux_surface_rows(world)[g], last_position);
        else
            count(world, &images, &flux_surface_rows(world)[g], last_position);
    }
    for (size_t i = 0; i < scree_world_bodies(world) && last_position; ++i) {
        memcpy(last_position[i].position, scree_world_grains(world)[i].position,
               sizeof last_position[i].position);
        last_position[i].recorded = 1;
    }
    scree_mean_flow_update(world);
    return SCREE_OK;
}
