// Walls as meshes with arrays, see frames.h; the axes of shapes are defined in wall_shape.h. Contact forces
// on each wall are added by order-independent sums (base/sum.h).

#include "base/array.h"
#include "base/sort.h"
#include "base/sum.h"
#include "math/trigonometry.h"
#include "mesh/surface.h"
#include "run/frames_facets.h"
#include "world/grain.h"
#include "world/wall.h"

#include <math.h>

enum { SUMS = 6 };                      // force and moment
enum { CIRCLE = 64, MAX_CORNERS = 12 }; // corners of a circle; maximum number of those of a clipped plane

static const double full_turn = 0x1.921fb54442d18p+2; // 2 pi

// Meshes of walls at their current positions: triangles, or lines in a world of two dimensions.
struct mesh {
    int dimension;
    scree_status status; // first failure
    SCREE_ARRAY(struct scree_vec3) point;
    SCREE_ARRAY(int64_t) corner;                 // 3 per triangle, 2 per line
    SCREE_ARRAY(const struct scree_wall *) wall; // of each triangle or line
};

// --- points, lines and triangles

static int64_t add_point(struct mesh *mesh, struct scree_vec3 point)
{
    if (mesh->status == SCREE_OK)
        mesh->status = scree_array_push(&mesh->point, point);
    return (int64_t)mesh->point.count - 1;
}

static void add_corners(struct mesh *mesh, const struct scree_wall *wall, const int64_t *corner, int count)
{
    for (int k = 0; k < count; ++k)
        if (mesh->status == SCREE_OK)
            mesh->status = scree_array_push(&mesh->corner, corner[k]);
    if (mesh->status == SCREE_OK)
        mesh->status = scree_array_push(&mesh->wall, wall);
}

static void add_triangle(struct mesh *mesh, const struct scree_wall *wall, int64_t a, int64_t b, int64_t c)
{
    if (a != b && b != c && c != a)
        add_corners(mesh, wall, (const int64_t[]){a, b, c}, 3);
}

static void add_line(struct mesh *mesh, const struct scree_wall *wall, struct scree_vec3 from,
                     struct scree_vec3 to)
{
    const int64_t a = add_point(mesh, from), b = add_point(mesh, to);
    add_corners(mesh, wall, (const int64_t[]){a, b}, 2);
}

// Returns the world position of a point given in the axes of a wall.
static struct scree_vec3 to_world(const struct scree_wall *wall, double x, double y, double z)
{
    struct scree_vec3 place = scree_vec3_load(wall->reference);
    place = scree_vec3_add_scaled(place, x, scree_vec3_load(wall->axes[0]));
    place = scree_vec3_add_scaled(place, y, scree_vec3_load(wall->axes[1]));
    return scree_vec3_add_scaled(place, z, scree_vec3_load(wall->axes[2]));
}

// Returns corner k of a circle about the third axis.
static struct scree_vec3 on_circle(const struct scree_wall *wall, double radius, double height, int k)
{
    const struct scree_sincos turn = scree_sincos(full_turn * k / CIRCLE);
    return to_world(wall, radius * turn.cos, radius * turn.sin, height);
}

// --- shapes

static void add_quad(struct mesh *mesh, const struct scree_wall *wall, const struct scree_vec3 corner[4])
{
    int64_t number[4];
    for (int k = 0; k < 4; ++k)
        number[k] = add_point(mesh, corner[k]);
    add_triangle(mesh, wall, number[0], number[1], number[2]);
    add_triangle(mesh, wall, number[0], number[2], number[3]);
}

static void add_rectangle(struct mesh *mesh, const struct scree_wall *wall)
{
    const double x = wall->size[0], y = wall->size[1];
    if (mesh->dimension == 2) {
        const double half = isinf(x) ? y : x;
        add_line(mesh, wall, isinf(x) ? to_world(wall, 0, -half, 0) : to_world(wall, -half, 0, 0),
                 isinf(x) ? to_world(wall, 0, half, 0) : to_world(wall, half, 0, 0));
        return;
    }
    add_quad(mesh, wall,
             (const struct scree_vec3[]){to_world(wall, -x, -y, 0), to_world(wall, x, -y, 0),
                                         to_world(wall, x, y, 0), to_world(wall, -x, y, 0)});
}

static void add_box(struct mesh *mesh, const struct scree_wall *wall)
{
    const double x = wall->size[0], y = wall->size[1], z = wall->size[2];
    if (mesh->dimension == 2) {
        const struct scree_vec3 corner[] = {to_world(wall, -x, -y, 0), to_world(wall, x, -y, 0),
                                            to_world(wall, x, y, 0), to_world(wall, -x, y, 0)};
        for (int k = 0; k < 4; ++k)
            add_line(mesh, wall, corner[k], corner[(k + 1) % 4]);
        return;
    }
    // faces with the normals -z, z, -y, y, -x, x
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int f = 0; f < 6; ++f) {
        struct scree_vec3 corner[4];
        for (int k = 0; k < 4; ++k) {
            const int bits = faces[f][k];
            corner[k] = to_world(wall, bits & 1 ? x : -x, bits & 2 ? y : -y, bits & 4 ? z : -z);
        }
        add_quad(mesh, wall, corner);
    }
}

// Adds a ring of triangles between two circles; a circle of radius 0 is a point.
static void add_ring(struct mesh *mesh, const struct scree_wall *wall, const double radius[2],
                     const double height[2])
{
    int64_t first[2], last[2];
    for (int e = 0; e < 2; ++e)
        last[e] = first[e] = add_point(mesh, on_circle(wall, radius[e], height[e], 0));
    for (int k = 1; k <= CIRCLE; ++k) {
        int64_t next[2];
        for (int e = 0; e < 2; ++e)
            next[e] = radius[e] == 0 || k == CIRCLE
                          ? first[e]
                          : add_point(mesh, on_circle(wall, radius[e], height[e], k));
        add_triangle(mesh, wall, last[0], next[0], next[1]);
        add_triangle(mesh, wall, last[0], next[1], last[1]);
        last[0] = next[0];
        last[1] = next[1];
    }
}

static void add_circle(struct mesh *mesh, const struct scree_wall *wall)
{
    for (int k = 0; k < CIRCLE; ++k)
        add_line(mesh, wall, on_circle(wall, wall->size[0], 0, k),
                 on_circle(wall, wall->size[0], 0, (k + 1) % CIRCLE));
}

// Adds a disk, cylinder or cone; in two dimensions its intersection with the plane.
static void add_revolved(struct mesh *mesh, const struct scree_wall *wall)
{
    const double *size = wall->size;
    if (mesh->dimension == 2 && isinf(size[2]))
        add_circle(mesh, wall);
    else if (mesh->dimension == 2)
        for (int side = -1; side <= 1; side += 2)
            add_line(mesh, wall, to_world(wall, side * size[0], 0, -size[2]),
                     to_world(wall, side * size[1], 0, size[2]));
    else
        add_ring(mesh, wall, (const double[]){size[0], size[1]}, (const double[]){-size[2], size[2]});
}

static void add_sphere(struct mesh *mesh, const struct scree_wall *wall)
{
    const double radius = wall->size[0];
    if (mesh->dimension == 2) {
        add_circle(mesh, wall);
        return;
    }
    for (int k = 0; k < CIRCLE / 2; ++k) {
        double ring[2], height[2];
        for (int e = 0; e < 2; ++e) {
            const struct scree_sincos turn = scree_sincos(full_turn * (k + e) / CIRCLE);
            ring[e] = k + e == 0 || k + e == CIRCLE / 2 ? 0 : radius * turn.sin;
            height[e] = -radius * turn.cos;
        }
        add_ring(mesh, wall, ring, height);
    }
}

// --- planes

struct polygon {
    struct scree_vec3 corner[MAX_CORNERS];
    int count;
};

// Clips a polygon to coordinates above or below a bound (Sutherland and Hodgman, Comm. ACM 17, 32, 1974).
static void clip(struct polygon *polygon, int axis, double bound, bool above)
{
    struct polygon clipped = {0};
    for (int k = 0; k < polygon->count; ++k) {
        const struct scree_vec3 corner = polygon->corner[k], next = polygon->corner[(k + 1) % polygon->count];
        double a[3], b[3];
        scree_vec3_store(corner, a);
        scree_vec3_store(next, b);
        const double from = above ? a[axis] - bound : bound - a[axis],
                     to = above ? b[axis] - bound : bound - b[axis];
        if (from >= 0 && clipped.count < MAX_CORNERS)
            clipped.corner[clipped.count++] = corner;
        if ((from >= 0) != (to >= 0) && clipped.count < MAX_CORNERS)
            clipped.corner[clipped.count++] =
                scree_vec3_add_scaled(corner, from / (from - to), scree_vec3_sub(next, corner));
    }
    *polygon = clipped;
}

// Makes a square with edges 2 `half` in a plane, centred at the point nearest to the centre of the box; in
// two dimensions a line.
static struct polygon make_square(const struct mesh *mesh, const struct scree_wall *wall,
                                  const struct scree_vec3 bound[2], double half)
{
    const struct scree_vec3 normal = scree_vec3_load(wall->axes[2]);
    const struct scree_vec3 middle = scree_vec3_scale(scree_vec3_add(bound[0], bound[1]), 0.5);
    const double distance = scree_vec3_dot(scree_vec3_sub(middle, scree_vec3_load(wall->reference)), normal);
    const struct scree_vec3 foot = scree_vec3_add_scaled(middle, -distance, normal);
    static const int sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    struct polygon polygon = {.count = mesh->dimension == 2 ? 2 : 4};
    for (int k = 0; k < polygon.count; ++k) {
        polygon.corner[k] = scree_vec3_add_scaled(foot, sign[k][0] * half, scree_vec3_load(wall->axes[0]));
        if (mesh->dimension == 3)
            polygon.corner[k] =
                scree_vec3_add_scaled(polygon.corner[k], sign[k][1] * half, scree_vec3_load(wall->axes[1]));
    }
    return polygon;
}

static void add_plane(struct mesh *mesh, const struct scree_wall *wall, const struct scree_vec3 bound[2])
{
    const double diagonal = scree_vec3_norm(scree_vec3_sub(bound[1], bound[0]));
    struct polygon polygon = make_square(mesh, wall, bound, 2 * diagonal);
    double lower[3], upper[3];
    scree_vec3_store(bound[0], lower);
    scree_vec3_store(bound[1], upper);
    for (int axis = 0; axis < mesh->dimension; ++axis) {
        clip(&polygon, axis, lower[axis], true);
        clip(&polygon, axis, upper[axis], false);
    }
    if (polygon.count < mesh->dimension)
        polygon = make_square(mesh, wall, bound, 0.5 * diagonal);
    if (mesh->dimension == 2) {
        add_line(mesh, wall, polygon.corner[0], polygon.corner[1]);
        return;
    }
    int64_t number[MAX_CORNERS];
    for (int k = 0; k < polygon.count; ++k)
        number[k] = add_point(mesh, polygon.corner[k]);
    for (int k = 2; k < polygon.count; ++k)
        add_triangle(mesh, wall, number[0], number[k - 1], number[k]);
}

static void add_facets(struct mesh *mesh, const struct scree_wall *wall)
{
    const struct scree_mesh_surface *surface = wall->surface;
    const int64_t first = (int64_t)mesh->point.count;
    for (size_t v = 0; v < surface->vertices; ++v)
        add_point(mesh, to_world(wall, surface->vertex[v][0], surface->vertex[v][1], surface->vertex[v][2]));
    for (size_t f = 0; f < surface->facets; ++f) {
        const uint32_t *v = surface->facet[f].vertex;
        add_triangle(mesh, wall, first + v[0], first + v[1], first + v[2]);
    }
}

// Adds a wall. A plane is clipped to the box between `bound`; if it does not intersect the box, it is drawn
// as a square of the size of the box, beside it. The corners of curved shapes are on the surface.
static void add_wall(struct mesh *mesh, const struct scree_wall *wall, const struct scree_vec3 bound[2])
{
    switch ((enum scree_wall_shape)wall->shape) {
    case SCREE_WALL_PLANE:
        add_plane(mesh, wall, bound);
        break;
    case SCREE_WALL_RECTANGLE:
        add_rectangle(mesh, wall);
        break;
    case SCREE_WALL_BOX:
        add_box(mesh, wall);
        break;
    case SCREE_WALL_SPHERE:
        add_sphere(mesh, wall);
        break;
    case SCREE_WALL_DISK:
    case SCREE_WALL_CYLINDER:
    case SCREE_WALL_CONE:
        add_revolved(mesh, wall);
        break;
    case SCREE_WALL_MESH:
        add_facets(mesh, wall);
        break;
    }
}

// --- the box to which planes are clipped

// Extends the box to a point with a margin.
static void extend_box(double bound[2][3], struct scree_vec3 place, double margin)
{
    double at[3];
    scree_vec3_store(place, at);
    for (int k = 0; k < 3; ++k) {
        bound[0][k] = at[k] - margin < bound[0][k] ? at[k] - margin : bound[0][k];
        bound[1][k] = at[k] + margin > bound[1][k] ? at[k] + margin : bound[1][k];
    }
}

// Rounds the box outwards to multiples of a quarter of the longest edge, rounded up to a power of two, so
// that planes do not change their size with every small motion of bodies.
static void round_box_outwards(double bound[2][3])
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
static void extend_box_to_planes(const struct scree_world *world, double bound[2][3])
{
    const struct scree_vec3 middle =
        scree_vec3_scale(scree_vec3_add(scree_vec3_load(bound[0]), scree_vec3_load(bound[1])), 0.5);
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        const struct scree_vec3 normal = scree_vec3_load(wall->axes[2]);
        const struct scree_vec3 arm = scree_vec3_sub(middle, scree_vec3_load(wall->reference));
        if (wall->shape == SCREE_WALL_PLANE)
            extend_box(bound, scree_vec3_add_scaled(middle, -scree_vec3_dot(arm, normal), normal), 0);
    }
}

// Finds the world's box, or if it has none, the bounding box of bodies and other walls.
static void find_bounds(const struct scree_world *world, const struct mesh *mesh, struct scree_vec3 bounds[2])
{
    const struct scree_cell *cell = scree_world_cell(world);
    const struct scree_grain *grain = scree_world_grains(world);
    double bound[2][3];
    bool has_box = true;
    for (int k = 0; k < 3; ++k) {
        bound[0][k] = cell->lower[k];
        bound[1][k] = cell->upper[k];
        has_box = has_box && (cell->lower[k] < cell->upper[k] || (k == 2 && world->dimension == 2));
    }
    if (!has_box) {
        for (int k = 0; k < 3; ++k) {
            bound[0][k] = (double)INFINITY;
            bound[1][k] = -(double)INFINITY;
        }
        for (size_t b = 0; b < scree_world_bodies(world); ++b)
            extend_box(bound, scree_vec3_load(grain[b].position), scree_grain_reach(world, b));
        for (size_t p = 0; p < mesh->point.count; ++p)
            extend_box(bound, mesh->point.data[p], 0);
        if (!(bound[0][0] <= bound[1][0]))
            extend_box(bound, scree_vec3_zero(), 1);
        extend_box_to_planes(world, bound);
        round_box_outwards(bound);
    }
    bounds[0] = scree_vec3_load(bound[0]);
    bounds[1] = scree_vec3_load(bound[1]);
}

// --- the mesh, by ascending id of the walls, planes last

static scree_status make_mesh(const struct scree_world *world, struct mesh *mesh)
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
                add_wall(mesh, wall, bounds);
        }
    }
    scree_memory_free(order);
    return mesh->status;
}

static scree_status fill_grid(const struct scree_frames_source *source, const struct mesh *mesh,
                              struct scree_vtk_grid *grid)
{
    grid->points = mesh->point.count;
    grid->cells = mesh->wall.count;
    grid->cell = mesh->dimension == 2 ? SCREE_VTK_LINE : SCREE_VTK_TRIANGLE;
    grid->position_type = source->real;
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
    double values[SUMS];
    scree_vec3_store(force, values);
    scree_vec3_store(scree_vec3_add(scree_vec3_cross(arm, force), couple), values + 3);
    for (int k = 0; k < SUMS; ++k)
        scree_sum_add(&sums[k], values[k]);
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

static struct scree_vec3 centre_of(const struct mesh *mesh, size_t cell)
{
    const size_t corners = mesh->dimension == 2 ? 2 : 3;
    struct scree_vec3 sum = scree_vec3_zero();
    for (size_t k = 0; k < corners; ++k)
        sum = scree_vec3_add(sum, mesh->point.data[mesh->corner.data[corners * cell + k]]);
    return scree_vec3_scale(sum, 1.0 / (double)corners);
}

static void reals_of(const struct scree_frames_source *source, const struct mesh *mesh,
                     enum scree_frames_quantity quantity, size_t cell, double (*load)[SUMS], double value[3])
{
    const struct scree_wall *wall = mesh->wall.data[cell];
    const size_t slot = (size_t)(wall - scree_wall_row(source->world, 0));
    const struct scree_wall_motion motion = scree_wall_motion_now(wall);
    struct scree_wall now = *wall;
    memcpy(now.velocity, motion.velocity, sizeof now.velocity);
    memcpy(now.spin, motion.spin, sizeof now.spin);
    const double *from = quantity == SCREE_FRAMES_WALL_FORCE    ? load[slot]
                         : quantity == SCREE_FRAMES_WALL_MOMENT ? load[slot] + 3
                                                                : motion.spin;
    if (quantity == SCREE_FRAMES_WALL_VELOCITY)
        scree_vec3_store(scree_wall_velocity(&now, centre_of(mesh, cell)), value);
    else
        scree_vec3_store(scree_vec3_load(from), value);
}

static scree_status add_array(const struct scree_frames_source *source, const struct mesh *mesh,
                              const struct scree_frames_field *field, double (*load)[SUMS],
                              struct scree_vtk_grid *grid)
{
    struct scree_vtk_array *array;
    const bool integer = field->quantity == SCREE_FRAMES_WALL_ID ||
                         field->quantity == SCREE_FRAMES_WALL_MATERIAL ||
                         field->quantity == SCREE_FRAMES_WALL_SHAPE;
    const uint64_t *ids = scree_entity_ids(scree_world_entity(source->world, SCREE_ENTITY_WALL));
    SCREE_TRY(
        scree_vtk_add(grid, field->name, integer ? SCREE_I64 : source->real, field->width, true, &array));
    for (size_t c = 0; c < grid->cells; ++c) {
        const struct scree_wall *wall = mesh->wall.data[c];
        double value[3];
        if (integer) {
            const int64_t number = field->quantity == SCREE_FRAMES_WALL_MATERIAL ? wall->material
                                   : field->quantity == SCREE_FRAMES_WALL_SHAPE
                                       ? wall->shape
                                       : (int64_t)ids[wall - scree_wall_row(source->world, 0)];
            memcpy((char *)array->data + c * sizeof number, &number, sizeof number);
            continue;
        }
        reals_of(source, mesh, field->quantity, c, load, value);
        for (unsigned k = 0; k < 3; ++k)
            scree_vtk_store(array->data, source->real, 3 * c + k, value[k]);
    }
    return SCREE_OK;
}

scree_status scree_frames_walls(const struct scree_frames_source *source, const size_t *field, size_t fields,
                                struct scree_vtk_grid *grid)
{
    struct mesh mesh = {.dimension = source->world->dimension};
    double(*load)[SUMS] = NULL;
    scree_status status = make_mesh(source->world, &mesh);
    if (status == SCREE_OK)
        status = fill_grid(source, &mesh, grid);
    if (status == SCREE_OK)
        status = scree_memory_new(scree_wall_rows(source->world), sizeof *load, (void **)&load);
    if (status == SCREE_OK)
        status = sum_loads(source, load);
    struct scree_frames_facets facets = {source, mesh.wall.data, mesh.wall.count, NULL};
    for (size_t f = 0; f < fields && status == SCREE_OK; ++f) {
        const struct scree_frames_field *row = &scree_frames_field_rows[field[f]];
        if (row->series == SCREE_FRAMES_WALLS)
            status = scree_frames_field_is_of_facets(row->quantity)
                         ? scree_frames_facets_add(&facets, row, grid)
                         : add_array(source, &mesh, row, load, grid);
    }
    scree_memory_free(facets.facet);
    scree_memory_free(load);
    scree_array_free(&mesh.point);
    scree_array_free(&mesh.corner);
    scree_array_free(&mesh.wall);
    return status;
}
