// Meshes in memory, and their unit and place, see scree/mesh.h.

#include "shape/mesh.h"

#include "base/memory.h"
#include "math/quat.h"
#include "text/quantity.h"

#include <scree/mesh.h>

#include <stdio.h>

// largest and smallest size, m: products of three lengths and squares of areas stay within the range of a
// double
static const double largest = 1e40, smallest = 1e-30;

scree_status scree_mesh_copy(const struct scree_shape_mesh *from, double error, struct scree_mesh *mesh)
{
    *mesh = (struct scree_mesh){.error = error};
    scree_status status = scree_memory_new(from->vertices, sizeof *mesh->vertex, (void **)&mesh->vertex);
    if (status == SCREE_OK)
        status = scree_memory_new(from->triangles, sizeof *mesh->facet, (void **)&mesh->facet);
    if (status == SCREE_OK)
        status = scree_memory_new(from->triangles, sizeof *mesh->number, (void **)&mesh->number);
    if (status != SCREE_OK) {
        scree_mesh_free(mesh);
        return status;
    }
    mesh->vertices = from->vertices;
    mesh->facets = from->triangles;
    for (size_t v = 0; v < from->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            mesh->vertex[v][k] = from->vertex[v][k];
    for (size_t f = 0; f < from->triangles; ++f) {
        mesh->number[f] = (uint32_t)f + 1;
        for (int k = 0; k < 3; ++k)
            mesh->facet[f][k] = from->triangle[f][k];
    }
    return SCREE_OK;
}

void scree_mesh_free(struct scree_mesh *mesh)
{
    scree_memory_free(mesh->vertex);
    scree_memory_free(mesh->facet);
    scree_memory_free(mesh->number);
    *mesh = (struct scree_mesh){0};
}

struct scree_shape_mesh scree_mesh_view(const struct scree_mesh *mesh)
{
    return (struct scree_shape_mesh){(const double(*)[3])mesh->vertex, mesh->vertices,
                                     (const uint32_t(*)[3])mesh->facet, mesh->facets};
}

void scree_mesh_bounds(const struct scree_shape_mesh *mesh, double lower[3], double upper[3])
{
    for (int k = 0; k < 3; ++k) {
        lower[k] = (double)INFINITY;
        upper[k] = -(double)INFINITY;
        for (size_t v = 0; v < mesh->vertices; ++v) {
            lower[k] = scree_real_min(lower[k], mesh->vertex[v][k]);
            upper[k] = scree_real_max(upper[k], mesh->vertex[v][k]);
        }
    }
}

scree_status scree_mesh_check_oriented(const struct scree_mesh_report *report)
{
    if (report->unoriented.count == 0)
        return SCREE_OK;
    const struct scree_mesh_place *place = &report->unoriented.first[0];
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "the orientations of facets %u and %u contradict at (%g, %g, %g)%s: facets must "
                             "meet in pairs of opposite directions",
                             (unsigned)place->facet[0], (unsigned)place->facet[1], place->position[0],
                             place->position[1], place->position[2],
                             report->unoriented.count > 1 ? ", and at other edges" : "");
}

// --- definitions

// The unit in m; 0 if it is unknown or not a length.
static double unit_of(const char *name)
{
    char text[32];
    struct scree_quantity quantity;
    struct scree_parse_error error;
    if (!name)
        return 1;
    const int length = snprintf(text, sizeof text, "1 %s", name);
    if (length < 3 || (size_t)length >= sizeof text ||
        !scree_quantity_read(text, (size_t)length, &quantity, &error) ||
        !scree_dimension_equal(quantity.dimension, scree_quantity_dimension("m")))
        return 0;
    return quantity.value;
}

static bool has_rotation(const struct scree_mesh_def *def)
{
    const double *q = def->rotation;
    return q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0;
}

static scree_status check_not_negative(const char *name, double value)
{
    if (value >= 0 && value <= largest)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "the %s of a mesh must be from 0 to %g; got %g", name,
                             largest, value);
}

scree_status scree_mesh_check_def(const struct scree_mesh_def *def)
{
    if (!(unit_of(def->unit) > 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%.40s' is not a unit of length: use m, mm, um, in or ft", def->unit);
    SCREE_TRY(check_not_negative("scale", def->scale));
    SCREE_TRY(check_not_negative("tolerance", def->tolerance));
    SCREE_TRY(check_not_negative("error", def->error));
    const double *q = def->rotation;
    const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (has_rotation(def) && !(norm > 1 - 1e-6 && norm < 1 + 1e-6))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the rotation of a mesh must be a unit quaternion; its norm squared is %g",
                                 norm);
    for (int k = 0; k < 3; ++k)
        if (!(fabs(def->translation[k]) <= largest))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the translation of a mesh must be at most %g m; got %g", largest,
                                     def->translation[k]);
    return SCREE_OK;
}

// --- transformation

static double reach_of(const struct scree_mesh *mesh)
{
    double reach = 0;
    for (size_t v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            reach = scree_real_max(reach, fabs(mesh->vertex[v][k]));
    return reach;
}

static void move(struct scree_mesh *mesh, const struct scree_mesh_def *def)
{
    const double factor = unit_of(def->unit) * (def->scale > 0 ? def->scale : 1);
    const bool turned = has_rotation(def);
    const double *q = def->rotation;
    const struct scree_quat rotation =
        turned ? scree_quat_normalise(scree_quat_make(q[0], q[1], q[2], q[3])) : scree_quat_make(1, 0, 0, 0);
    const struct scree_vec3 shift = scree_vec3_load(def->translation);
    const double before = reach_of(mesh) * factor;
    for (size_t v = 0; v < mesh->vertices; ++v) {
        struct scree_vec3 x = scree_vec3_scale(scree_vec3_load(mesh->vertex[v]), factor);
        if (turned)
            x = scree_quat_rotate(rotation, x);
        scree_vec3_store(scree_vec3_add(x, shift), mesh->vertex[v]);
    }
    // a row of a rotation has a sum of magnitudes of at most sqrt(3); each operation rounds by 2^-53 of a
    // coordinate: one for the factor, at most 12 of a rotation, whose terms are at most 4 times as large, and
    // one for the sum
    mesh->error *= factor * (turned ? 1.7320508075688774 : 1);
    mesh->error += 0x1p-53 * ((factor != 1 ? before : 0) + (turned ? 48 * before : 0));
    if (shift.x != 0 || shift.y != 0 || shift.z != 0)
        mesh->error += 0x1p-53 * reach_of(mesh);
}

scree_status scree_mesh_transform(struct scree_mesh *mesh, const struct scree_mesh_def *def)
{
    SCREE_TRY(scree_mesh_check_def(def));
    move(mesh, def);
    if (def->error > 0)
        mesh->error = def->error;
    const struct scree_shape_mesh view = scree_mesh_view(mesh);
    double lower[3], upper[3], extent = 0;
    scree_mesh_bounds(&view, lower, upper);
    for (int k = 0; k < 3; ++k)
        extent = scree_real_max(extent, upper[k] - lower[k]);
    if (mesh->vertices > 0 && !(reach_of(mesh) <= largest && extent >= smallest))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a mesh must have a size of at least %g m and coordinates of at most %g m; "
                                 "its size is %g m and its largest coordinate %g m",
                                 smallest, largest, extent, reach_of(mesh));
    return SCREE_OK;
}
