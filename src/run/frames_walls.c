// Walls with arrays, see frames.h. Contact forces on each wall are added by order-independent sums
// (base/sum.h).

#include "base/sort.h"
#include "base/sum.h"
#include "run/frames.h"

#include <math.h>

enum { SUMS = 6 }; // force and moment

// --- the box to which planes are clipped

static void widen(double bound[2][3], struct scree_vec3 place, double by)
{
    double at[3];
    scree_vec3_store(place, at);
    for (int k = 0; k < 3; ++k) {
        bound[0][k] = at[k] - by < bound[0][k] ? at[k] - by : bound[0][k];
        bound[1][k] = at[k] + by > bound[1][k] ? at[k] + by : bound[1][k];
    }
}

// Rounds the box outwards to multiples of a quarter of the longest edge, rounded up to a power of two, so
// that planes do not change their size with every small motion of bodies.
static void round_out(double bound[2][3])
{
    double longest = 0, unit = 1;
    for (int k = 0; k < 3; ++k)
        longest = bound[1][k] - bound[0][k] > longest ? bound[1][k] - bound[0][k] : longest;
    for (int n = 0; n < 1000 && unit < longest; ++n)
        unit *= 2;
    for (int n = 0; n < 1000 && unit > 2 * longest && longest > 0; ++n)
        unit *= 0.5;
    for (int k = 0; k < 3; ++k) {
        bound[0][k] = 0.25 * unit * floor(bound[0][k] / (0.25 * unit));
        bound[1][k] = -0.25 * unit * floor(-bound[1][k] / (0.25 * unit));
    }
}

// Extends the box to all planes, so that a floor far below the bodies is visible.
static void widen_to_planes(const struct scree_world *world, double bound[2][3])
{
    const struct scree_vec3 middle =
        scree_vec3_scale(scree_vec3_add(scree_vec3_load(bound[0]), scree_vec3_load(bound[1])), 0.5);
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        const struct scree_vec3 normal = scree_vec3_load(wall->axes[2]);
        const struct scree_vec3 arm = scree_vec3_sub(middle, scree_vec3_load(wall->place));
        if (wall->shape == SCREE_WALL_PLANE)
            widen(bound, scree_vec3_add_scaled(middle, -scree_vec3_dot(arm, normal), normal), 0);
    }
}

// Finds the world's box, or if it has none, the bounding box of bodies and other walls.
static void find_bounds(const struct scree_world *world, const struct scree_frames_mesh *mesh,
                        struct scree_vec3 bounds[2])
{
    const struct scree_cell *cell = scree_world_cell(world);
    const struct scree_grain *grain = scree_world_grains(world);
    double bound[2][3];
    bool boxed = true;
    for (int k = 0; k < 3; ++k) {
        bound[0][k] = cell->lower[k];
        bound[1][k] = cell->upper[k];
        boxed = boxed && (cell->lower[k] < cell->upper[k] || (k == 2 && world->dimension == 2));
    }
    if (!boxed) {
        for (int k = 0; k < 3; ++k) {
            bound[0][k] = (double)INFINITY;
            bound[1][k] = -(double)INFINITY;
        }
        for (size_t b = 0; b < scree_world_bodies(world); ++b)
            widen(bound, scree_vec3_load(grain[b].position), grain[b].radius);
        for (size_t p = 0; p < mesh->point.count; ++p)
            widen(bound, mesh->point.data[p], 0);
        if (!(bound[0][0] <= bound[1][0]))
            widen(bound, scree_vec3_zero(), 1);
        widen_to_planes(world, bound);
        round_out(bound);
    }
    bounds[0] = scree_vec3_load(bound[0]);
    bounds[1] = scree_vec3_load(bound[1]);
}

// --- the mesh, by ascending id of the walls, planes last

static scree_status draw(const struct scree_world *world, struct scree_frames_mesh *mesh)
{
    const size_t walls = scree_wall_rows(world);
    const uint64_t *ids = scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL));
    struct scree_vec3 bounds[2] = {scree_vec3_zero(), scree_vec3_zero()};
    uint32_t *order;
    SCREE_TRY(scree_memory_new(walls, sizeof *order, (void **)&order));
    mesh->status = scree_sort_order(ids, walls, order);
    for (int planes = 0; planes < 2 && mesh->status == SCREE_OK; ++planes) {
        if (planes)
            find_bounds(world, mesh, bounds);
        for (size_t w = 0; w < walls; ++w) {
            const struct scree_wall *wall = scree_wall_row(world, order[w]);
            if ((wall->shape == SCREE_WALL_PLANE) == (planes == 1))
                scree_frames_mesh_add(mesh, wall, bounds);
        }
    }
    scree_memory_free(order);
    return mesh->status;
}

static scree_status fill_grid(const struct scree_frames_source *source, const struct scree_frames_mesh *mesh,
                              struct scree_vtk_grid *grid)
{
    grid->points = mesh->point.count;
    grid->cells = mesh->wall.count;
    grid->cell = mesh->dimension == 2 ? SCREE_VTK_LINE : SCREE_VTK_TRIANGLE;
    grid->place = source->real;
    SCREE_TRY(scree_memory_new(grid->points, 3 * scree_field_size(source->real), &grid->point));
    SCREE_TRY(scree_memory_new(mesh->corner.count, sizeof *grid->corner, (void **)&grid->corner));
    for (size_t p = 0; p < grid->points; ++p) {
        double place[3];
        scree_vec3_store(mesh->point.data[p], place);
        for (size_t k = 0; k < 3; ++k)
            scree_vtk_store(grid->point, source->real, 3 * p + k, place[k]);
    }
    if (mesh->corner.count > 0)
        memcpy(grid->corner, mesh->corner.data, mesh->corner.count * sizeof *grid->corner);
    return SCREE_OK;
}

// --- loads

static void add_load(const struct scree_contact *contact, const struct scree_wall *wall,
                     struct scree_sum *sums)
{
    const struct scree_vec3 force = scree_vec3_negate(scree_vec3_load(contact->force));
    const struct scree_vec3 couple = scree_vec3_negate(scree_vec3_load(contact->couple));
    const struct scree_vec3 arm =
        scree_vec3_sub(scree_vec3_load(contact->point), scree_vec3_load(wall->pivot));
    double part[SUMS];
    scree_vec3_store(force, part);
    scree_vec3_store(scree_vec3_add(scree_vec3_cross(arm, force), couple), part + 3);
    for (int k = 0; k < SUMS; ++k)
        scree_sum_add(&sums[k], part[k]);
}

// Sums force and moment of each wall, by slot.
static scree_status sum_loads(const struct scree_frames_source *source, double (*load)[SUMS])
{
    const struct scree_entity *entity = scree_world_entity(source->world, SCREE_ENTITY_WALL);
    struct scree_sum(*sums)[SUMS];
    SCREE_TRY(scree_memory_new(entity->count, sizeof *sums, (void **)&sums));
    for (size_t c = 0; c < source->contacts; ++c) {
        uint32_t slot;
        if (scree_pool_find(&entity->pool, source->contact[c].wall.value, &slot))
            add_load(&source->contact[c], scree_wall_row(source->world, slot), sums[slot]);
    }
    for (size_t w = 0; w < entity->count; ++w)
        for (int k = 0; k < SUMS; ++k)
            load[w][k] = scree_sum_value(&sums[w][k]);
    scree_memory_free(sums);
    return SCREE_OK;
}

// --- arrays

static struct scree_vec3 middle_of(const struct scree_frames_mesh *mesh, size_t cell)
{
    const size_t corners = mesh->dimension == 2 ? 2 : 3;
    struct scree_vec3 sum = scree_vec3_zero();
    for (size_t k = 0; k < corners; ++k)
        sum = scree_vec3_add(sum, mesh->point.data[mesh->corner.data[corners * cell + k]]);
    return scree_vec3_scale(sum, 1.0 / (double)corners);
}

static void numbers_of(const struct scree_frames_source *source, const struct scree_frames_mesh *mesh,
                       enum scree_frames_quantity what, size_t cell, double (*load)[SUMS], double value[3])
{
    const struct scree_wall *wall = mesh->wall.data[cell];
    const size_t slot = (size_t)(wall - scree_wall_row(source->world, 0));
    const double *from = what == SCREE_FRAMES_WALL_FORCE    ? load[slot]
                         : what == SCREE_FRAMES_WALL_MOMENT ? load[slot] + 3
                                                            : wall->spin;
    if (what == SCREE_FRAMES_WALL_VELOCITY)
        scree_vec3_store(scree_wall_velocity(wall, middle_of(mesh, cell)), value);
    else
        scree_vec3_store(scree_vec3_load(from), value);
}

static scree_status add_array(const struct scree_frames_source *source, const struct scree_frames_mesh *mesh,
                              const struct scree_frames_field *field, double (*load)[SUMS],
                              struct scree_vtk_grid *grid)
{
    struct scree_vtk_array *array;
    const bool whole = field->what == SCREE_FRAMES_WALL_ID || field->what == SCREE_FRAMES_WALL_MATERIAL ||
                       field->what == SCREE_FRAMES_WALL_SHAPE;
    const uint64_t *ids = scree_entity_ids(scree_world_entity(source->world, SCREE_ENTITY_WALL));
    SCREE_TRY(scree_vtk_add(grid, field->name, whole ? SCREE_I64 : source->real, field->width, true, &array));
    for (size_t c = 0; c < grid->cells; ++c) {
        const struct scree_wall *wall = mesh->wall.data[c];
        double value[3];
        if (whole) {
            const int64_t number = field->what == SCREE_FRAMES_WALL_MATERIAL ? wall->material
                                   : field->what == SCREE_FRAMES_WALL_SHAPE
                                       ? wall->shape
                                       : (int64_t)ids[wall - scree_wall_row(source->world, 0)];
            memcpy((char *)array->data + c * sizeof number, &number, sizeof number);
            continue;
        }
        numbers_of(source, mesh, field->what, c, load, value);
        for (unsigned k = 0; k < 3; ++k)
            scree_vtk_store(array->data, source->real, 3 * c + k, value[k]);
    }
    return SCREE_OK;
}

scree_status scree_frames_walls(const struct scree_frames_source *source, const size_t *field, size_t fields,
                                struct scree_vtk_grid *grid)
{
    struct scree_frames_mesh mesh = {.dimension = source->world->dimension};
    double(*load)[SUMS] = NULL;
    scree_status status = draw(source->world, &mesh);
    if (status == SCREE_OK)
        status = fill_grid(source, &mesh, grid);
    if (status == SCREE_OK)
        status = scree_memory_new(scree_wall_rows(source->world), sizeof *load, (void **)&load);
    if (status == SCREE_OK)
        status = sum_loads(source, load);
    for (size_t f = 0; f < fields && status == SCREE_OK; ++f)
        if (scree_frames_field_rows[field[f]].series == SCREE_FRAMES_WALLS)
            status = add_array(source, &mesh, &scree_frames_field_rows[field[f]], load, grid);
    scree_memory_free(load);
    scree_frames_mesh_free(&mesh);
    return status;
}
