// Mass properties of bodies made of spheres and convex polyhedra, see mass_parts.h.
//
// Parts that touch or are apart have the sum of the integrals of all. The common volume of spheres counts
// once by the exact integration of their union (mass.c). There is none for unions with polyhedra.

#include "shape/mass_parts.h"

#include "base/memory.h"
#include "convex/pair.h"
#include "math/real.h"
#include "shape/mass.h"

#include <math.h>

static double reach_of(const struct scree_shape_part *part)
{
    return part->core ? part->core->radius + part->shape->rounding : part->radius;
}

// --- overlap

static struct scree_convex_body body_of(const struct scree_shape_part *part)
{
    return (struct scree_convex_body){part->core, part->centre, part->axes, part->shape->rounding};
}

// By how much two parts overlap; 0 or less if they do not.
static double overlap_of(const struct scree_shape_part *a, const struct scree_shape_part *b)
{
    struct scree_convex_contact contact;
    if (a->core && b->core) {
        const struct scree_convex_body one = body_of(a), other = body_of(b);
        return -scree_convex_distance(&one, &other).gap;
    }
    const struct scree_shape_part *shaped = a->core ? a : b, *round = a->core ? b : a;
    struct scree_convex_body body = body_of(shaped);
    body.position = scree_vec3_zero();
    return scree_convex_sphere_contact(&body, scree_vec3_sub(round->centre, shaped->centre), round->radius,
                                       &contact)
               ? contact.overlap
               : 0;
}

// Faces that touch overlap by the errors of their coordinates, and by round-off.
static double tolerance_of(const struct scree_shape_part *a, const struct scree_shape_part *b)
{
    const double error = (a->shape ? a->shape->vertex_error : 0) + (b->shape ? b->shape->vertex_error : 0);
    return 2 * error + 1e-12 * (reach_of(a) + reach_of(b));
}

static scree_status check_overlaps(const struct scree_shape_part *part, size_t parts)
{
    for (size_t b = 1; b < parts; ++b)
        for (size_t a = 0; a < b; ++a) {
            const double reach = reach_of(&part[a]) + reach_of(&part[b]);
            if ((!part[a].core && !part[b].core) ||
                scree_vec3_norm_squared(scree_vec3_sub(part[b].centre, part[a].centre)) >= reach * reach)
                continue;
            const double overlap = overlap_of(&part[a], &part[b]);
            if (overlap > tolerance_of(&part[a], &part[b]))
                return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                         "parts %zu and %zu overlap by %.4g m, and what both contain would "
                                         "count twice: a polyhedron may touch other parts, but not overlap "
                                         "them, unless the mass is given",
                                         a + 1, b + 1, overlap);
        }
    return SCREE_OK;
}

// --- sums

// Adds a body with volume, centre, and inertia tensor about it over its mass.
static void add(const struct scree_shape_values *values, struct scree_shape_integrals *in)
{
    static const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    const double size = in->size, volume = values->volume / (size * size * size);
    const double *t = values->inertia, half = 0.5 * (t[0] + t[1] + t[2]);
    double at[3];
    in->volume += volume;
    for (int k = 0; k < 3; ++k) {
        at[k] = (values->centre[k] - in->origin[k]) / size;
        in->first[k] += volume * at[k];
    }
    for (int k = 0; k < 6; ++k)
        in->second[k] +=
            volume * ((k < 3 ? half - t[k] : -t[k]) / (size * size) + at[axes[k][0]] * at[axes[k][1]]);
}

static void add_polyhedron(const struct scree_shape_part *part, struct scree_shape_integrals *in)
{
    const struct scree_shape *shape = part->shape;
    const struct scree_mat3 own = scree_mat3_diagonal(scree_vec3_load(shape->inertia)),
                            turned = scree_mat3_scale(scree_mat3_rotate(part->axes, own), 1 / shape->volume);
    struct scree_shape_values values = {
        .volume = shape->volume,
        .inertia = {turned.xx, turned.yy, turned.zz, turned.yz, turned.zx, turned.xy}};
    scree_vec3_store(part->centre, values.centre);
    add(&values, in);
}

// Adds the union of all spheres; `error` receives that of its volume.
static scree_status add_spheres(const struct scree_shape_part *part, size_t parts, size_t spheres,
                                struct scree_shape_integrals *in, double *error)
{
    struct scree_shape_mass mass;
    struct scree_pebble *pebble;
    size_t count = 0;
    *error = 0;
    if (spheres == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(spheres, sizeof *pebble, (void **)&pebble));
    for (size_t p = 0; p < parts; ++p)
        if (!part[p].core) {
            pebble[count].radius = part[p].radius;
            scree_vec3_store(part[p].centre, pebble[count++].offset);
        }
    const scree_status status = scree_shape_mass_exact(pebble, spheres, 3, &mass);
    scree_memory_free(pebble);
    if (status == SCREE_OK) {
        add(&mass.value, in);
        *error = mass.error.volume / (in->size * in->size * in->size);
    }
    return status;
}

static void set_frame(const struct scree_shape_part *part, size_t parts, struct scree_shape_integrals *in)
{
    double lower[3], upper[3], at[3];
    for (int k = 0; k < 3; ++k) {
        lower[k] = (double)INFINITY;
        upper[k] = -(double)INFINITY;
    }
    for (size_t p = 0; p < parts; ++p) {
        const double reach = reach_of(&part[p]);
        scree_vec3_store(part[p].centre, at);
        for (int k = 0; k < 3; ++k) {
            lower[k] = scree_real_min(lower[k], at[k] - reach);
            upper[k] = scree_real_max(upper[k], at[k] + reach);
        }
    }
    scree_shape_mass_frame(lower, upper, in);
}

scree_status scree_shape_mass_parts(const struct scree_shape_part *part, size_t parts, bool twice,
                                    struct scree_shape_mass *mass)
{
    struct scree_shape_integrals in = {0};
    size_t spheres = 0;
    double roundings = 64, error;
    if (parts == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a body needs at least one part");
    if (!twice)
        SCREE_TRY(check_overlaps(part, parts));
    set_frame(part, parts, &in);
    for (size_t p = 0; p < parts; ++p) {
        const struct scree_convex *core = part[p].core;
        spheres += !core;
        // each row has the roundings of its own integrals, see mass_convex.c
        roundings += core ? 64.0 + core->faces + core->edges + core->vertices : 1;
        if (core)
            add_polyhedron(&part[p], &in);
    }
    SCREE_TRY(add_spheres(part, parts, spheres, &in, &error));
    // parts are within the box of half edges 1, whose volume is 8 and whose middle is within sqrt(3)
    for (int k = 0; k < 3; ++k)
        in.error[k] = 16 * roundings * 0x1p-53 + 3 * error;
    scree_shape_mass_set(&in, 3, mass);
    return SCREE_OK;
}
