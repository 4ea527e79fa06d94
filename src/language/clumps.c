// Reads the shapes of clumps, see clumps.h.

#include "language/clumps.h"

#include "exchange/pebbles.h"
#include "file/path.h"
#include "language/clump_shape.h"
#include "language/reading.h"
#include "math/eigen.h"
#include "math/power.h"
#include "math/quat.h"
#include "math/real.h"
#include "text/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_PEBBLES = 10000 };

// largest number of samples times pebbles
static const uint64_t max_tests = 2000000000;

static void free_shape(struct scree_clumps_shape *shape)
{
    if (!shape)
        return;
    scree_memory_free(shape->packed);
    scree_memory_free(shape->principal);
    scree_memory_free(shape->material);
    scree_memory_free(shape->of_file);
    scree_memory_free(shape->part);
    scree_memory_free(shape);
}

void scree_clumps_free(struct scree_clumps *clumps)
{
    for (size_t k = 0; clumps && k < clumps->shape.count; ++k)
        free_shape(clumps->shape.data[k]);
    if (clumps)
        scree_array_free(&clumps->shape);
    scree_memory_free(clumps);
}

// --- reading

// Number of a material in the scene, from 1; 0 if it has none of this name, which the check reports.
static uint16_t material_of(const struct scree_reading *reading, const char *name)
{
    const struct scree_node *materials = scree_reading_node(reading->root, SCREE_KEY_scene_materials);
    for (size_t k = 0; materials && k < materials->count && k < UINT16_MAX; ++k)
        if (strcmp(materials->item[2 * k]->text, name) == 0)
            return (uint16_t)(k + 1);
    return 0;
}

static void read_material(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                          uint16_t *material)
{
    const char *name;
    if (scree_reading_has(map, key) && scree_reading_text(reading, map, key, &name))
        *material = material_of(reading, name);
}

static bool read_pebble(struct scree_reading *reading, const struct scree_node *map,
                        struct scree_clumps_shape *shape, size_t p)
{
    struct scree_pack_pebble *pebble = &shape->packed[p];
    bool good = scree_reading_number(reading, map, SCREE_KEY_pebble_radius, &pebble->radius);
    good = scree_reading_vector(reading, map, SCREE_KEY_pebble_at, pebble->offset) && good;
    if (good && reading->dimension == 2 && pebble->offset[2] != 0)
        good = scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_pebble_at),
                                    "in two dimensions a pebble is in the plane z = 0");
    read_material(reading, map, SCREE_KEY_pebble_material, &shape->material[p]);
    return good;
}

static bool allocate(struct scree_reading *reading, struct scree_clumps_shape *shape, size_t pebbles)
{
    shape->pebbles = pebbles;
    if (scree_memory_new(pebbles, sizeof *shape->packed, (void **)&shape->packed) == SCREE_OK &&
        scree_memory_new(pebbles, sizeof *shape->principal, (void **)&shape->principal) == SCREE_OK &&
        scree_memory_new(pebbles, sizeof *shape->material, (void **)&shape->material) == SCREE_OK)
        return true;
    reading->values.status = SCREE_ERROR_MEMORY;
    return false;
}

static bool read_unit(struct scree_reading *reading, const struct scree_node *map, double *unit)
{
    static const struct scree_dimension length = {{1, 0, 0, 0}};
    struct scree_quantity quantity;
    struct scree_parse_error error;
    const char *name;
    char text[40];
    if (!scree_reading_text(reading, map, SCREE_KEY_clump_unit, &name))
        return false;
    snprintf(text, sizeof text, "1 %.30s", name);
    if (!scree_quantity_read(text, strlen(text), &quantity, &error) ||
        !scree_dimension_equal(quantity.dimension, length) || !(quantity.value > 0))
        return scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_clump_unit),
                                    "'%.30s' is not a unit of length, such as mm", name);
    *unit = quantity.value;
    return true;
}

// Takes over the pebbles of a file, and the mass properties if it gives them.
static bool take_pebbles(struct scree_reading *reading, const struct scree_pebbles *pebbles, double unit,
                         struct scree_clumps_shape *shape)
{
    struct scree_shape_values *values = &shape->mass.value;
    const double square = unit * unit;
    if (!allocate(reading, shape, pebbles->row.count))
        return false;
    for (size_t p = 0; p < shape->pebbles; ++p) {
        for (int k = 0; k < 3; ++k)
            shape->packed[p].offset[k] = unit * pebbles->row.data[p].offset[k];
        shape->packed[p].radius = unit * pebbles->row.data[p].radius;
    }
    values->volume = pebbles->volume * (reading->dimension == 2 ? square : square * unit);
    for (int k = 0; k < 3; ++k)
        values->centre[k] = unit * pebbles->centre[k];
    for (int k = 0; k < 6 && pebbles->volume > 0; ++k)
        values->inertia[k] = square * pebbles->tensor[k] / pebbles->volume;
    shape->uniform = *values;
    if (scree_memory_new(shape->pebbles, sizeof *shape->of_file, (void **)&shape->of_file) != SCREE_OK) {
        reading->values.status = SCREE_ERROR_MEMORY;
        return false;
    }
    memcpy(shape->of_file, shape->packed, shape->pebbles * sizeof *shape->of_file);
    return true;
}

static bool read_file(struct scree_reading *reading, const struct scree_node *map,
                      struct scree_clumps_shape *shape)
{
    const struct scree_node *node = scree_reading_node(map, SCREE_KEY_clump_file);
    struct scree_pebbles pebbles = {0};
    const char *name;
    double unit = 1;
    char *path = NULL;
    if (!scree_reading_text(reading, map, SCREE_KEY_clump_file, &name) || !read_unit(reading, map, &unit))
        return false;
    scree_status status = scree_path_join(reading->folder, name, &path);
    bool good = status == SCREE_OK && scree_pebbles_read(&pebbles, path, name, reading->dimension,
                                                         MAX_PEBBLES, &reading->diagnostics, &status);
    good = good && take_pebbles(reading, &pebbles, unit, shape);
    scree_pebbles_free(&pebbles);
    scree_memory_free(path);
    if (status == SCREE_ERROR_MEMORY)
        reading->values.status = status;
    else if (status != SCREE_OK)
        scree_reading_report(reading, node, "%s", scree_status_message());
    return good;
}

// Makes the pebbles of a shape of the library or of a mesh.
static bool make_pebbles(struct scree_reading *reading, const struct scree_node *map,
                         struct scree_clumps_shape *shape)
{
    struct scree_clump_shape made = {0};
    const bool good = scree_clump_shape_read(reading, map, &made) && allocate(reading, shape, made.pebbles);
    for (size_t p = 0; good && p < made.pebbles; ++p) {
        shape->packed[p].radius = made.pebble[p].radius;
        memcpy(shape->packed[p].offset, made.pebble[p].offset, sizeof made.pebble[p].offset);
    }
    shape->is_mesh = made.is_mesh;
    shape->mass = made.mesh;
    shape->fidelity = made.fidelity;
    scree_memory_free(made.pebble);
    return good;
}

static bool check_count(struct scree_reading *reading, const struct scree_node *list)
{
    return (list->count > 0 && list->count <= MAX_PEBBLES) ||
           scree_reading_report(reading, list, "a clump has from 1 to %d pebbles; this one has %zu",
                                MAX_PEBBLES, list->count);
}

static bool read_parts(struct scree_reading *reading, const struct scree_node *list,
                       struct scree_clumps_shape *shape)
{
    if (reading->dimension == 2)
        return scree_reading_report(reading, list,
                                    "in two dimensions a clump is made of 'disks': polyhedra need three");
    bool good = check_count(reading, list) && allocate(reading, shape, list->count);
    if (good && scree_memory_new(list->count, sizeof *shape->part, (void **)&shape->part) != SCREE_OK) {
        reading->values.status = SCREE_ERROR_MEMORY;
        return false;
    }
    for (size_t p = 0; good && p < shape->pebbles; ++p) {
        good = scree_clump_parts_read(reading, list->item[p], &shape->part[p]);
        shape->packed[p].radius = shape->part[p].radius;
        memcpy(shape->packed[p].offset, shape->part[p].centre, sizeof shape->packed[p].offset);
        read_material(reading, list->item[p], SCREE_KEY_clump_part_material, &shape->material[p]);
    }
    return good;
}

static bool read_list(struct scree_reading *reading, const struct scree_node *map,
                      struct scree_clumps_shape *shape)
{
    const bool flat = reading->dimension == 2;
    const struct scree_node *list =
        scree_reading_node(map, flat ? SCREE_KEY_clump_disks : SCREE_KEY_clump_spheres);
    if (!list)
        return scree_reading_report(reading, map, "in %s dimensions a clump is made of '%s'",
                                    flat ? "two" : "three", flat ? "disks" : "spheres");
    bool good = check_count(reading, list) && allocate(reading, shape, list->count);
    for (size_t p = 0; good && p < shape->pebbles; ++p)
        good = read_pebble(reading, list->item[p], shape, p);
    return good;
}

// Reads the pebbles, and the mass properties if a file gives them.
static bool read_pebbles(struct scree_reading *reading, const struct scree_node *map,
                         struct scree_clumps_shape *shape)
{
    if (scree_clump_shape_node(map))
        return make_pebbles(reading, map, shape);
    if (scree_reading_has(map, SCREE_KEY_clump_parts))
        return read_parts(reading, scree_reading_node(map, SCREE_KEY_clump_parts), shape);
    if (!scree_reading_has(map, SCREE_KEY_clump_file))
        return read_list(reading, map, shape);
    if (!read_file(reading, map, shape))
        return false;
    for (size_t p = 0; p < shape->pebbles; ++p)
        if (reading->dimension == 2 && shape->packed[p].offset[2] != 0)
            return scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_clump_file),
                                        "pebble %zu is at z = %g m, but in two dimensions pebbles are in the "
                                        "plane z = 0",
                                        p + 1, shape->packed[p].offset[2]);
    return true;
}

// --- mass, centre and moments of inertia

static bool read_given(struct scree_reading *reading, const struct scree_node *map,
                       struct scree_clumps_shape *shape, struct scree_shape_values *given)
{
    double inertia[3] = {0}, *tensor = given->inertia;
    const bool flat = reading->dimension == 2;
    bool good = scree_reading_number(reading, map, SCREE_KEY_clump_given_mass, &shape->given_mass);
    good = scree_reading_vector(reading, map, SCREE_KEY_clump_given_centre, given->centre) && good;
    if (flat != scree_reading_has(map, SCREE_KEY_clump_given_polar))
        return scree_reading_report(reading, map,
                                    flat ? "in two dimensions the moment of inertia is given by 'polar'"
                                         : "in three dimensions moments of inertia are given by 'inertia' or "
                                           "'tensor'");
    if (scree_reading_has(map, SCREE_KEY_clump_given_tensor))
        good = scree_reading_value(reading, map, SCREE_KEY_clump_given_tensor, tensor) && good;
    else if (flat)
        good = scree_reading_number(reading, map, SCREE_KEY_clump_given_polar, &inertia[2]) && good;
    else
        good = scree_reading_vector(reading, map, SCREE_KEY_clump_given_inertia, inertia) && good;
    for (int k = 0; k < 6 && good; ++k)
        tensor[k] = (tensor[k] + (k < 3 ? inertia[k] : 0)) / shape->given_mass;
    return good;
}

// Reads the values of a body of uniform density.
static bool read_uniform(struct scree_reading *reading, const struct scree_node *map,
                         struct scree_shape_values *values)
{
    const bool flat = reading->dimension == 2;
    if (flat != scree_reading_has(map, SCREE_KEY_clump_uniform_area))
        return scree_reading_report(reading, map,
                                    flat ? "in two dimensions a body of uniform density has an 'area'"
                                         : "in three dimensions a body of uniform density has a 'volume'");
    return scree_reading_number(reading, map,
                                flat ? SCREE_KEY_clump_uniform_area : SCREE_KEY_clump_uniform_volume,
                                &values->volume) &&
           scree_reading_vector(reading, map, SCREE_KEY_clump_uniform_centre, values->centre) &&
           scree_reading_value(reading, map, SCREE_KEY_clump_uniform_tensor, values->inertia);
}

// Integrates over the union of the pebbles, exactly or with random points.
static scree_status find_mass(struct scree_reading *reading, const struct scree_node *mass,
                              struct scree_clumps_shape *shape)
{
    struct scree_pebble *pebble;
    uint64_t samples, seed;
    const bool sampled = mass && scree_reading_has(mass, SCREE_KEY_clump_mass_samples);
    if (sampled && (!scree_reading_whole(reading, mass, SCREE_KEY_clump_mass_samples, &samples) ||
                    !scree_reading_whole(reading, mass, SCREE_KEY_clump_mass_seed, &seed)))
        return reading->values.status;
    // about ten seconds
    if (sampled && samples > max_tests / shape->pebbles)
        return scree_status_fail(SCREE_ERROR_LIMIT, "with %zu pebbles at most %llu samples are possible",
                                 shape->pebbles, (unsigned long long)(max_tests / shape->pebbles));
    shape->method = sampled ? SCREE_SHAPE_SAMPLED : SCREE_SHAPE_EXACT;
    SCREE_TRY(scree_memory_new(shape->pebbles, sizeof *pebble, (void **)&pebble));
    for (size_t p = 0; p < shape->pebbles; ++p) {
        pebble[p].radius = shape->packed[p].radius;
        memcpy(pebble[p].offset, shape->packed[p].offset, sizeof pebble[p].offset);
    }
    const scree_status status =
        sampled ? scree_shape_mass_sampled(pebble, shape->pebbles, reading->dimension, samples, seed,
                                           &shape->mass)
                : scree_shape_mass_exact(pebble, shape->pebbles, reading->dimension, &shape->mass);
    scree_memory_free(pebble);
    return status;
}

// Reports a failure at a node; returns true if there is none.
static bool report(struct scree_reading *reading, const struct scree_node *node, scree_status status)
{
    if (status != SCREE_OK && scree_reading_report_status(reading, node, status) == SCREE_ERROR_MEMORY)
        reading->values.status = SCREE_ERROR_MEMORY;
    return status == SCREE_OK;
}

static bool integrate_parts(struct scree_reading *reading, const struct scree_node *map,
                            const struct scree_node *mass, struct scree_clumps_shape *shape)
{
    if (mass && scree_reading_has(mass, SCREE_KEY_clump_mass_samples))
        return scree_reading_report(reading, scree_reading_node(mass, SCREE_KEY_clump_mass_samples),
                                    "the mass of a clump of 'parts' is exact or 'given', not sampled");
    shape->method = SCREE_SHAPE_EXACT;
    const bool given = mass && scree_reading_has(mass, SCREE_KEY_clump_mass_given);
    const scree_status status = scree_clump_parts_mass(shape->part, shape->pebbles, given, &shape->mass);
    return report(reading, scree_reading_node(map, SCREE_KEY_clump_parts), status);
}

// Finds the mass properties of the pebbles or of the mesh that they fill.
static bool integrate(struct scree_reading *reading, const struct scree_node *map,
                      const struct scree_node *mass, struct scree_clumps_shape *shape)
{
    const struct scree_node *uniform = mass ? scree_reading_node(mass, SCREE_KEY_clump_mass_uniform) : NULL;
    size_t of = 0;
    if (uniform) {
        shape->method = SCREE_SHAPE_GIVEN;
        shape->mass = (struct scree_shape_mass){0};
        return read_uniform(reading, uniform, &shape->mass.value);
    }
    // a file may give the values
    if (scree_reading_has(map, SCREE_KEY_clump_file) && shape->mass.value.volume > 0) {
        shape->method = SCREE_SHAPE_GIVEN;
        return true;
    }
    if (mass && scree_reading_has(mass, SCREE_KEY_clump_mass_of) &&
        !scree_reading_word(reading, mass, SCREE_KEY_clump_mass_of, &of))
        return false;
    // the word `mesh`: the values were found with the pebbles
    shape->method = SCREE_SHAPE_OF_MESH;
    if (of == 1)
        return shape->is_mesh ||
               scree_reading_report(reading, scree_reading_node(mass, SCREE_KEY_clump_mass_of),
                                    "the shape has no 'mesh', so its mass is that of the pebbles");
    if (shape->part)
        return integrate_parts(reading, map, mass, shape);
    return report(reading, map, find_mass(reading, mass, shape));
}

// The radius of the sphere (disk) whose volume (area) is `volume`.
static double equal_radius(int dimension, double volume)
{
    return dimension == 2 ? sqrt(volume / SCREE_PI) : scree_pow(volume * 3 / (4 * SCREE_PI), 1.0 / 3.0);
}

// Finds the principal axes. If the tensor is diagonal, these are the axes of the shape.
static bool find_axes(struct scree_reading *reading, const struct scree_node *map,
                      const struct scree_shape_values *values, struct scree_clumps_shape *shape)
{
    const double *t = values->inertia, size = fabs(t[0]) + fabs(t[1]) + fabs(t[2]);
    double moment[3] = {t[0], t[1], t[2]};
    struct scree_quat axes = scree_quat_make(1, 0, 0, 0);
    if (reading->dimension == 3 && fabs(t[3]) + fabs(t[4]) + fabs(t[5]) > 1e-14 * size) {
        const struct scree_eigen eigen = scree_eigen_symmetric(
            scree_mat3_from_rows(scree_vec3_make(t[0], t[5], t[4]), scree_vec3_make(t[5], t[1], t[3]),
                                 scree_vec3_make(t[4], t[3], t[2])));
        scree_vec3_store(eigen.values, moment);
        axes = scree_quat_from_matrix(eigen.vectors);
    }
    scree_quat_store(axes, shape->axes);
    bool good = moment[2] > 0;
    for (int k = 0; k < 3 && reading->dimension == 3; ++k)
        good =
            good && moment[k] > 0 && moment[k] <= (moment[(k + 1) % 3] + moment[(k + 2) % 3]) * (1 + 1e-12);
    for (int k = 0; k < 3; ++k)
        shape->square[k] = moment[k];
    return good ||
           scree_reading_report(reading, map,
                                "the moments of inertia %g, %g, %g (over the mass, m^2) are not possible: "
                                "each must be above 0 and at most the sum of the other two",
                                moment[0], moment[1], moment[2]);
}

// Moves the pebbles to the centre of mass, and scales the shape to an equal radius of 1.
static void normalise(const struct scree_shape_values *values, int dimension,
                      struct scree_clumps_shape *shape)
{
    const struct scree_quat axes = scree_quat_load(shape->axes);
    const double radius = equal_radius(dimension, values->volume);
    double sum = 0;
    shape->radius = radius;
    shape->smallest = (double)INFINITY;
    for (size_t p = 0; p < shape->pebbles; ++p) {
        struct scree_pack_pebble *pebble = &shape->packed[p];
        for (int k = 0; k < 3; ++k)
            pebble->offset[k] = (pebble->offset[k] - values->centre[k]) / radius;
        const double r = pebble->radius /= radius;
        const struct scree_vec3 offset = scree_vec3_load(pebble->offset);
        shape->principal[p].radius = r;
        if (scree_clumps_polyhedron(shape, p))
            scree_quat_store(
                scree_quat_product(scree_quat_conjugate(axes), scree_quat_load(shape->part[p].orientation)),
                shape->part[p].orientation);
        scree_vec3_store(scree_quat_rotate_inverse(axes, offset), shape->principal[p].offset);
        shape->reach = scree_real_max(shape->reach, scree_vec3_norm(offset) + r);
        shape->largest = scree_real_max(shape->largest, r);
        shape->smallest = r < shape->smallest ? r : shape->smallest;
        sum += dimension == 2 ? r * r : r * r * r;
    }
    shape->shared = sum > 1 ? 1 - 1 / sum : 0;
    for (int k = 0; k < 3; ++k)
        shape->square[k] /= radius * radius;
}

static bool make(struct scree_reading *reading, const struct scree_node *map,
                 struct scree_clumps_shape *shape)
{
    struct scree_shape_values given = {0};
    const struct scree_node *mass = scree_reading_node(map, SCREE_KEY_clump_mass);
    const struct scree_node *values = mass ? scree_reading_node(mass, SCREE_KEY_clump_mass_given) : NULL;
    if (!read_pebbles(reading, map, shape) || (values && !read_given(reading, values, shape, &given)) ||
        !integrate(reading, map, mass, shape))
        return false;
    // given values have no volume and no error; that of the pebbles gives the size
    if (values) {
        given.volume = shape->mass.value.volume;
        shape->method = SCREE_SHAPE_GIVEN;
        shape->mass = (struct scree_shape_mass){.value = given, .error.volume = shape->mass.error.volume};
    }
    if (!find_axes(reading, values ? values : map, &shape->mass.value, shape))
        return false;
    normalise(&shape->mass.value, reading->dimension, shape);
    return true;
}

// --- finding

static scree_status add_shape(struct scree_reading *reading, const char *name, uint64_t number,
                              struct scree_clumps_shape **shape)
{
    if (!reading->clumps)
        SCREE_TRY(scree_memory_new(1, sizeof *reading->clumps, (void **)&reading->clumps));
    SCREE_TRY(scree_memory_new(1, sizeof **shape, (void **)shape));
    (*shape)->name = name;
    (*shape)->number = number;
    const scree_status status = scree_array_push(&reading->clumps->shape, *shape);
    if (status != SCREE_OK)
        scree_memory_free(*shape);
    return status;
}

// Makes shape number `number`, whose values are in `map`. A mistake is reported once: the shape then has no
// pebbles.
static const struct scree_clumps_shape *add(struct scree_reading *reading, const struct scree_node *map,
                                            const char *name, uint64_t number)
{
    struct scree_clumps_shape *shape;
    if (!scree_polyhedra_check_name(reading, map, "a clump", name))
        return NULL;
    if (add_shape(reading, name, number, &shape) != SCREE_OK) {
        reading->values.status = SCREE_ERROR_MEMORY;
        return NULL;
    }
    if (make(reading, map, shape))
        return shape;
    shape->pebbles = 0;
    return NULL;
}

const struct scree_clumps_shape *scree_clumps_find(struct scree_reading *reading, const char *name)
{
    const struct scree_clumps *clumps = reading->clumps;
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_clumps);
    for (size_t k = 0; clumps && k < clumps->shape.count; ++k)
        if (strcmp(clumps->shape.data[k]->name, name) == 0)
            return clumps->shape.data[k]->pebbles > 0 ? clumps->shape.data[k] : NULL;
    for (size_t k = 0; map && k < map->count; ++k)
        if (strcmp(map->item[2 * k]->text, name) == 0)
            return add(reading, map->item[2 * k + 1], map->item[2 * k]->text, k + 1);
    return NULL;
}

const struct scree_clumps_shape *scree_clumps_read(struct scree_reading *reading,
                                                   const struct scree_node *map, enum scree_key_id key)
{
    const char *name;
    return scree_reading_text(reading, map, key, &name) ? scree_clumps_find(reading, name) : NULL;
}

const struct scree_clumps_shape *scree_clumps_at(struct scree_reading *reading, size_t index)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_clumps);
    return map && index < map->count ? scree_clumps_find(reading, map->item[2 * index]->text) : NULL;
}

scree_status scree_clumps_make(struct scree_reading *reading)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_clumps);
    for (size_t k = 0; map && k < map->count; ++k)
        (void)scree_clumps_at(reading, k);
    return reading->values.status;
}
