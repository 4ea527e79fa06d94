// Clumps in tables of pebbles, see clumps.h.
//
// A clump has a known shape if a rotation and a scale bring the pebbles of the shape to its own. The rotation
// follows from the two offsets that span the largest area; if all pebbles are on a line, it is the smallest
// one between the directions of the line.
//
// Tolerance: dumps have 6 digits, so a coordinate x has an error of up to 5e-6 |x|, an offset from the centre
// up to twice as much, in three directions, of both clumps, and the rotation about as much again: 1e-4 |x|
// in all.

#include "exchange/clumps.h"

#include "base/memory.h"
#include "base/sort.h"
#include "math/eigen.h"
#include "math/power.h"
#include "math/quat.h"
#include "math/real.h"

#include <string.h>

enum { MAX_PEBBLES = 10000 };
static const double relative_tolerance = 1e-4, most_tolerance = 0.05;

struct maker {
    struct scree_format_table *table, made;
    struct scree_format_clumps *clumps;
    uint32_t *order; // rows by body, then by id
    int dimension;
};

// The pebbles of one body.
struct group {
    const uint32_t *row;
    size_t count;
    struct scree_vec3 *offset; // from the mean
    struct scree_vec3 mean;
    double size, tolerance; // largest offset plus radius; of positions
};

void scree_exchange_clumps_free(struct scree_format_clumps *clumps)
{
    for (size_t s = 0; s < clumps->shape.count; ++s)
        scree_memory_free(clumps->shape.data[s].pebble);
    scree_array_free(&clumps->shape);
}

// Lists the rows by body, those of one body by id; rows without body come first.
static scree_status list_rows(const struct scree_format_table *table, uint32_t **order)
{
    const size_t count = table->count;
    uint32_t *by_id = NULL, *by_body = NULL;
    uint64_t *body = NULL;
    *order = NULL;
    scree_status status = scree_memory_new(count, sizeof *by_id, (void **)&by_id);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *by_body, (void **)&by_body);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *body, (void **)&body);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k)
        by_id[k] = (uint32_t)k;
    if (status == SCREE_OK && scree_format_has(table, SCREE_FORMAT_ID) && count > 0)
        status = scree_sort_order(table->id, count, by_id);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k)
        body[k] = table->body[by_id[k]];
    if (status == SCREE_OK && count > 0)
        status = scree_sort_order(body, count, by_body);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k)
        by_body[k] = by_id[by_body[k]];
    scree_memory_free(by_id);
    scree_memory_free(body);
    if (status == SCREE_OK)
        *order = by_body;
    else
        scree_memory_free(by_body);
    return status;
}

// Number of rows of the body whose rows begin at `at` in the order.
static size_t count_rows(const struct scree_format_table *table, const uint32_t *order, size_t at)
{
    size_t count = 1;
    const uint64_t body = table->body[order[at]];
    while (body != 0 && at + count < table->count && table->body[order[at + count]] == body)
        ++count;
    return count;
}

scree_status scree_exchange_clumps_count(const struct scree_format_table *table, size_t *clumps,
                                         size_t *pebbles)
{
    uint32_t *order;
    *clumps = *pebbles = 0;
    if (!scree_format_has(table, SCREE_FORMAT_BODY))
        return SCREE_OK;
    SCREE_TRY(list_rows(table, &order));
    for (size_t at = 0, count; at < table->count; at += count) {
        count = count_rows(table, order, at);
        *clumps += count > 1;
        *pebbles += count > 1 ? count : 0;
    }
    scree_memory_free(order);
    return SCREE_OK;
}

// --- the pebbles of one body

static struct scree_vec3 position_of(const struct scree_format_table *table, size_t row)
{
    return scree_vec3_make(table->number[SCREE_FORMAT_X][row], table->number[SCREE_FORMAT_Y][row],
                           table->number[SCREE_FORMAT_Z][row]);
}

// Finds the offsets, with the nearest images of pebbles beyond periodic faces.
static void find_offsets(const struct scree_format_table *table, struct group *group)
{
    double first[3], offset[3], largest = 0;
    const double *radius = table->number[SCREE_FORMAT_RADIUS];
    scree_vec3_store(position_of(table, group->row[0]), first);
    struct scree_vec3 sum = scree_vec3_zero();
    for (size_t p = 0; p < group->count; ++p) {
        scree_vec3_store(scree_vec3_sub(position_of(table, group->row[p]), scree_vec3_load(first)), offset);
        for (int k = 0; k < 3; ++k) {
            const double period = table->upper[k] - table->lower[k];
            if (table->has_box && table->periodic[k] && period > 0)
                offset[k] -= period * scree_real_round(offset[k] / period);
            largest = scree_real_max(largest, fabs(table->number[SCREE_FORMAT_X + k][group->row[p]]));
        }
        sum = scree_vec3_add(sum, group->offset[p] = scree_vec3_load(offset));
    }
    const struct scree_vec3 mean = scree_vec3_scale(sum, 1 / (double)group->count);
    group->mean = scree_vec3_add(scree_vec3_load(first), mean);
    group->size = 0;
    for (size_t p = 0; p < group->count; ++p) {
        group->offset[p] = scree_vec3_sub(group->offset[p], mean);
        group->size = scree_real_max(group->size, scree_vec3_norm(group->offset[p]) + radius[group->row[p]]);
    }
    group->tolerance = scree_real_min(relative_tolerance * scree_real_max(largest, group->size),
                                      most_tolerance * group->size);
}

static scree_status check_group(const struct maker *maker, const struct group *group)
{
    const struct scree_format_table *table = maker->table;
    const unsigned long long body = (unsigned long long)table->body[group->row[0]];
    if (group->count > MAX_PEBBLES)
        return scree_status_fail(SCREE_ERROR_LIMIT, "body %llu has %zu pebbles, but a clump at most %d", body,
                                 group->count, MAX_PEBBLES);
    for (size_t p = 0; p < group->count; ++p) {
        if (!(table->number[SCREE_FORMAT_RADIUS][group->row[p]] > 0))
            return scree_status_fail(SCREE_ERROR_ARGUMENT, "a pebble of body %llu has no radius above 0",
                                     body);
        if (table->type && table->type[group->row[p]] != table->type[group->row[0]])
            return scree_status_fail(
                SCREE_ERROR_UNSUPPORTED,
                "the pebbles of body %llu differ in type or material, which lists of pebbles do not store: "
                "convert a file with a row for each body, such as a frame of bodies ('-bodies' in its name)",
                body);
    }
    return SCREE_OK;
}

// --- shapes

static struct scree_vec3 offset_of(const struct scree_format_clump *shape, size_t p)
{
    return scree_vec3_load(shape->pebble[p].offset);
}

static scree_status add_shape(struct maker *maker, const struct group *group)
{
    struct scree_format_clump shape = {.pebbles = group->count};
    struct scree_shape_mass mass;
    SCREE_TRY(scree_memory_new(group->count, sizeof *shape.pebble, (void **)&shape.pebble));
    for (size_t p = 0; p < group->count; ++p) {
        scree_vec3_store(group->offset[p], shape.pebble[p].offset);
        shape.pebble[p].radius = maker->table->number[SCREE_FORMAT_RADIUS][group->row[p]];
    }
    scree_status status = scree_shape_mass_exact(shape.pebble, shape.pebbles, maker->dimension, &mass);
    if (status == SCREE_OK) {
        for (size_t p = 0; p < group->count; ++p)
            for (int k = 0; k < 3; ++k)
                shape.pebble[p].offset[k] -= mass.value.centre[k];
        shape.radius = maker->dimension == 2 ? sqrt(mass.value.volume / SCREE_PI)
                                             : scree_cbrt(mass.value.volume * 3 / (4 * SCREE_PI));
        status = scree_array_push(&maker->clumps->shape, shape);
    }
    if (status != SCREE_OK)
        scree_memory_free(shape.pebble);
    return status;
}

// A frame that two vectors span, as the columns of a rotation matrix; from one vector if `b` is parallel.
static struct scree_mat3 frame_of(struct scree_vec3 a, struct scree_vec3 b)
{
    const struct scree_vec3 x = scree_vec3_normalise(a), z = scree_vec3_normalise(scree_vec3_cross(a, b)),
                            y = scree_vec3_cross(z, x);
    return scree_mat3_transpose(scree_mat3_from_rows(x, y, z));
}

// The smallest rotation between two directions, in two dimensions about z.
static struct scree_quat smallest_rotation(struct scree_vec3 from, struct scree_vec3 to)
{
    const struct scree_vec3 a = scree_vec3_normalise(from), b = scree_vec3_normalise(to),
                            n = scree_vec3_cross(a, b);
    if (scree_vec3_dot(a, b) > -1 + 1e-12)
        return scree_quat_normalise(scree_quat_make(1 + scree_vec3_dot(a, b), n.x, n.y, n.z));
    const struct scree_vec3 half = a.z == 0 ? scree_vec3_make(0, 0, 1) : scree_vec3_perpendicular(a);
    return scree_quat_make(0, half.x, half.y, half.z);
}

// The rotation from a shape to a group with the same number of pebbles; `mean` is the mean of the offsets of
// the shape.
static struct scree_quat find_rotation(const struct scree_format_clump *shape, struct scree_vec3 mean,
                                       const struct group *group)
{
    size_t far = 0, wide = 0;
    double largest = 0, area = 0;
    for (size_t p = 0; p < shape->pebbles; ++p) {
        const double square = scree_vec3_norm_squared(scree_vec3_sub(offset_of(shape, p), mean));
        if (square > largest)
            far = p, largest = square;
    }
    const struct scree_vec3 a = scree_vec3_sub(offset_of(shape, far), mean);
    for (size_t p = 0; p < shape->pebbles; ++p) {
        const double square =
            scree_vec3_norm_squared(scree_vec3_cross(a, scree_vec3_sub(offset_of(shape, p), mean)));
        if (square > area)
            wide = p, area = square;
    }
    const struct scree_vec3 b = scree_vec3_sub(offset_of(shape, wide), mean);
    const double length = scree_vec3_norm(a), other = scree_vec3_norm(group->offset[far]);
    if (!(length > group->tolerance && other > group->tolerance))
        return scree_quat_make(1, 0, 0, 0);
    const struct scree_vec3 normal = scree_vec3_cross(group->offset[far], group->offset[wide]);
    if (!(sqrt(area) > length * group->tolerance && scree_vec3_norm_squared(normal) > 0))
        return smallest_rotation(a, group->offset[far]);
    return scree_quat_from_matrix(scree_mat3_product(frame_of(group->offset[far], group->offset[wide]),
                                                     scree_mat3_transpose(frame_of(a, b))));
}

// Where a clump is, relative to its shape.
struct place {
    struct scree_quat rotation;
    struct scree_vec3 centre;
    double scale;
};

// Compares a group with a shape; returns true if they agree.
static bool match(const struct maker *maker, const struct scree_format_clump *shape,
                  const struct group *group, struct place *place)
{
    const double *radius = maker->table->number[SCREE_FORMAT_RADIUS];
    if (shape->pebbles != group->count)
        return false;
    struct scree_vec3 mean = scree_vec3_zero();
    double sum = 0, own = 0;
    for (size_t p = 0; p < shape->pebbles; ++p) {
        mean = scree_vec3_add_scaled(mean, 1 / (double)shape->pebbles, offset_of(shape, p));
        sum += radius[group->row[p]];
        own += shape->pebble[p].radius;
    }
    place->scale = sum / own;
    place->rotation = find_rotation(shape, mean, group);
    const struct scree_vec3 shift = scree_quat_rotate(place->rotation, scree_vec3_scale(mean, place->scale));
    place->centre = scree_vec3_sub(group->mean, shift);
    for (size_t p = 0; p < shape->pebbles; ++p) {
        const struct scree_vec3 at = scree_vec3_sub(
            scree_quat_rotate(place->rotation, scree_vec3_scale(offset_of(shape, p), place->scale)), shift);
        if (!(scree_vec3_norm(scree_vec3_sub(at, group->offset[p])) <= group->tolerance) ||
            !(fabs(shape->pebble[p].radius * place->scale - radius[group->row[p]]) <=
              relative_tolerance * group->size))
            return false;
    }
    return true;
}

static scree_status find_shape(struct maker *maker, const struct group *group, size_t *found,
                               struct place *place)
{
    const struct scree_format_clumps *clumps = maker->clumps;
    for (*found = 0; *found < clumps->shape.count; ++*found)
        if (match(maker, &clumps->shape.data[*found], group, place))
            return SCREE_OK;
    if (*found + 1 >= SCREE_FORMAT_TYPES)
        return scree_status_fail(SCREE_ERROR_LIMIT,
                                 "the pebbles have more than %d shapes: rows of one body must be a rigid "
                                 "clump, with enough digits "
                                 "(in a dump `dump_modify NAME format float %%.12g`)",
                                 SCREE_FORMAT_TYPES - 1);
    SCREE_TRY(add_shape(maker, group));
    // a shape agrees with the clump that it was made of
    (void)match(maker, &clumps->shape.data[*found], group, place);
    return SCREE_OK;
}

// --- the new table

// Copies a row; id, type and all numbers.
static scree_status copy_row(struct maker *maker, size_t row, size_t shape, size_t *at)
{
    struct scree_format_table *made = &maker->made;
    const struct scree_format_table *table = maker->table;
    char name[SCREE_FORMAT_TYPE_LENGTH];
    SCREE_TRY(scree_format_add(made));
    *at = made->count - 1;
    for (int c = 0; c < SCREE_FORMAT_COLUMNS; ++c)
        if (made->number[c] && table->number[c])
            made->number[c][*at] = table->number[c][row];
    made->id[*at] = table->id ? table->id[row] : table->body[row] != 0 ? table->body[row] : row + 1;
    if (made->type)
        made->type[*at] = table->type[row];
    made->number[SCREE_FORMAT_QUAT_W][*at] = 1;
    for (int k = 1; k < 4; ++k)
        made->number[SCREE_FORMAT_QUAT_W + k][*at] = 0;
    made->line[*at] = table->line[row];
    const int length = snprintf(name, sizeof name, "%zu", shape);
    return scree_format_type(&made->shapes, name, (size_t)length, &made->shape[*at]);
}

static struct scree_vec3 vector_of(const struct maker *maker, int column, size_t row)
{
    double *const *number = maker->table->number;
    return scree_vec3_make(number[column][row], number[column + 1][row], number[column + 2][row]);
}

// The spin that fits the velocities best, sum d x (v - mean v) over the inertia tensor of unit masses. About
// a line of pebbles it is 0.
static struct scree_vec3 fit_spin(const struct maker *maker, const struct group *group)
{
    struct scree_vec3 mean = scree_vec3_zero(), moment = mean, spin = mean;
    struct scree_mat3 inertia = scree_mat3_diagonal(scree_vec3_zero());
    for (size_t p = 0; p < group->count; ++p)
        mean = scree_vec3_add_scaled(mean, 1 / (double)group->count,
                                     vector_of(maker, SCREE_FORMAT_VELOCITY_X, group->row[p]));
    for (size_t p = 0; p < group->count; ++p) {
        const struct scree_vec3 d = group->offset[p],
                                v = vector_of(maker, SCREE_FORMAT_VELOCITY_X, group->row[p]);
        moment = scree_vec3_add(moment, scree_vec3_cross(d, scree_vec3_sub(v, mean)));
        inertia.xx += d.y * d.y + d.z * d.z, inertia.yy += d.z * d.z + d.x * d.x;
        inertia.zz += d.x * d.x + d.y * d.y, inertia.xy -= d.x * d.y, inertia.yz -= d.y * d.z;
        inertia.xz -= d.x * d.z;
    }
    inertia.yx = inertia.xy, inertia.zy = inertia.yz, inertia.zx = inertia.xz;
    const struct scree_eigen eigen = scree_eigen_symmetric(inertia);
    const struct scree_mat3 axes = scree_mat3_transpose(eigen.vectors);
    const struct scree_vec3 axis[3] = {scree_mat3_row_x(axes), scree_mat3_row_y(axes),
                                       scree_mat3_row_z(axes)};
    const double least = group->tolerance * group->size;
    double value[3];
    scree_vec3_store(eigen.values, value);
    for (int k = 0; k < 3; ++k)
        if (value[k] > least)
            spin = scree_vec3_add_scaled(spin, scree_vec3_dot(moment, axis[k]) / value[k], axis[k]);
    return spin;
}

// The velocity of the centre of mass, the mean over the pebbles of v - w x d.
static void set_velocity(struct maker *maker, const struct group *group, struct scree_vec3 centre, size_t at)
{
    const bool has_spin = maker->table->number[SCREE_FORMAT_SPIN_X];
    const struct scree_vec3 fitted = has_spin ? scree_vec3_zero() : fit_spin(maker, group);
    struct scree_vec3 sum = scree_vec3_zero();
    double velocity[3];
    for (size_t p = 0; p < group->count; ++p) {
        const size_t row = group->row[p];
        const struct scree_vec3 spin = has_spin ? vector_of(maker, SCREE_FORMAT_SPIN_X, row) : fitted;
        const struct scree_vec3 arm = scree_vec3_sub(scree_vec3_add(group->mean, group->offset[p]), centre);
        sum = scree_vec3_add(
            sum, scree_vec3_sub(vector_of(maker, SCREE_FORMAT_VELOCITY_X, row), scree_vec3_cross(spin, arm)));
    }
    scree_vec3_store(scree_vec3_scale(sum, 1 / (double)group->count), velocity);
    for (int k = 0; k < 3; ++k)
        maker->made.number[SCREE_FORMAT_VELOCITY_X + k][at] = velocity[k];
}

static scree_status make_clump(struct maker *maker, struct group *group)
{
    struct scree_format_table *made = &maker->made;
    struct place place;
    size_t shape, at;
    double centre[3];
    SCREE_TRY(check_group(maker, group));
    find_offsets(maker->table, group);
    SCREE_TRY(find_shape(maker, group, &shape, &place));
    SCREE_TRY(copy_row(maker, group->row[0], shape + 1, &at));
    scree_vec3_store(place.centre, centre);
    for (int k = 0; k < 3; ++k)
        made->number[SCREE_FORMAT_X + k][at] = centre[k];
    made->number[SCREE_FORMAT_RADIUS][at] = place.scale * maker->clumps->shape.data[shape].radius;
    const double quat[4] = {place.rotation.w, place.rotation.x, place.rotation.y, place.rotation.z};
    for (int k = 0; k < 4; ++k)
        made->number[SCREE_FORMAT_QUAT_W + k][at] = quat[k];
    if (made->number[SCREE_FORMAT_VELOCITY_X])
        set_velocity(maker, group, place.centre, at);
    // the rows of a molecule have the masses of their spheres, those of a multisphere that of the body
    for (size_t p = 1; p < group->count && made->number[SCREE_FORMAT_MASS] && maker->table->molecules; ++p)
        made->number[SCREE_FORMAT_MASS][at] += maker->table->number[SCREE_FORMAT_MASS][group->row[p]];
    return SCREE_OK;
}

static void declare(struct maker *maker)
{
    const struct scree_format_table *table = maker->table;
    struct scree_format_table *made = &maker->made;
    const unsigned bits = 1u << SCREE_FORMAT_BODY | 7u << SCREE_FORMAT_FORCE_X | 7u << SCREE_FORMAT_IMAGE_X |
                          1u << SCREE_FORMAT_SHAPE;
    made->has = table->has & ~bits;
    if (table->molecules)
        made->has &= ~(1u << SCREE_FORMAT_DENSITY);
    scree_format_declare(made, SCREE_FORMAT_ID, 1);
    scree_format_declare(made, SCREE_FORMAT_SHAPE, 1);
    scree_format_declare(made, SCREE_FORMAT_QUAT_W, 4);
    made->has_box = table->has_box, made->has_time = table->has_time, made->has_step = table->has_step;
    memcpy(made->lower, table->lower, sizeof made->lower);
    memcpy(made->upper, table->upper, sizeof made->upper);
    memcpy(made->periodic, table->periodic, sizeof made->periodic);
    made->time = table->time, made->step = table->step, made->dimension = table->dimension;
}

static scree_status make_all(struct maker *maker)
{
    const struct scree_format_table *table = maker->table;
    scree_status status = SCREE_OK;
    for (size_t at = 0, count; at < table->count && status == SCREE_OK; at += count) {
        size_t unused;
        struct group group = {.row = maker->order + at};
        count = group.count = count_rows(table, maker->order, at);
        if (count == 1) {
            status = copy_row(maker, maker->order[at], 0, &unused);
            continue;
        }
        status = scree_memory_new(count, sizeof *group.offset, (void **)&group.offset);
        if (status == SCREE_OK)
            status = make_clump(maker, &group);
        scree_memory_free(group.offset);
    }
    return status;
}

// Pebbles that are all in the plane z = 0 are disks, unless the file has another dimension.
static int dimension_of(const struct scree_format_table *table)
{
    bool flat = true;
    for (size_t row = 0; row < table->count && flat; ++row)
        flat = table->number[SCREE_FORMAT_Z][row] == 0;
    return table->dimension != 0 ? table->dimension : flat ? 2 : 3;
}

scree_status scree_exchange_clumps_make(struct scree_format_table *table, struct scree_format_clumps *clumps)
{
    struct maker maker = {.table = table, .clumps = clumps, .dimension = dimension_of(table)};
    declare(&maker);
    SCREE_TRY(list_rows(table, &maker.order));
    scree_status status = make_all(&maker);
    scree_memory_free(maker.order);
    if (status == SCREE_OK) {
        // the names of types move to the new table
        maker.made.types = table->types;
        table->types.data = NULL;
        scree_array_free(&table->types);
        struct scree_format_table old = *table;
        *table = maker.made;
        maker.made = old;
    }
    scree_format_free(&maker.made);
    return status;
}
