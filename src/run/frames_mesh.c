// Triangulation of walls, see frames.h; the axes of shapes are defined in wall_shape.h.

#include "math/trigonometry.h"
#include "run/frames.h"

#include <math.h>

enum { ROUND = 64, MOST_CORNERS = 12 }; // corners of a circle; maximum of a clipped plane

static const double full_turn = 0x1.921fb54442d18p+2;

// --- points, lines and triangles

static int64_t add_point(struct scree_frames_mesh *mesh, struct scree_vec3 point)
{
    if (mesh->status == SCREE_OK)
        mesh->status = scree_array_push(&mesh->point, point);
    return (int64_t)mesh->point.count - 1;
}

static void add_corners(struct scree_frames_mesh *mesh, const struct scree_wall *wall, const int64_t *corner,
                        int count)
{
    for (int k = 0; k < count; ++k)
        if (mesh->status == SCREE_OK)
            mesh->status = scree_array_push(&mesh->corner, corner[k]);
    if (mesh->status == SCREE_OK)
        mesh->status = scree_array_push(&mesh->wall, wall);
}

static void add_triangle(struct scree_frames_mesh *mesh, const struct scree_wall *wall, int64_t a, int64_t b,
                         int64_t c)
{
    if (a != b && b != c && c != a)
        add_corners(mesh, wall, (const int64_t[]){a, b, c}, 3);
}

static void add_line(struct scree_frames_mesh *mesh, const struct scree_wall *wall, struct scree_vec3 from,
                     struct scree_vec3 to)
{
    const int64_t a = add_point(mesh, from), b = add_point(mesh, to);
    add_corners(mesh, wall, (const int64_t[]){a, b}, 2);
}

// Returns the position of a point given in the axes of a wall.
static struct scree_vec3 at(const struct scree_wall *wall, double x, double y, double z)
{
    struct scree_vec3 place = scree_vec3_load(wall->place);
    place = scree_vec3_add_scaled(place, x, scree_vec3_load(wall->axes[0]));
    place = scree_vec3_add_scaled(place, y, scree_vec3_load(wall->axes[1]));
    return scree_vec3_add_scaled(place, z, scree_vec3_load(wall->axes[2]));
}

// Returns corner k of a circle about the third axis.
static struct scree_vec3 on_circle(const struct scree_wall *wall, double radius, double height, int k)
{
    const struct scree_sincos turn = scree_sincos(full_turn * k / ROUND);
    return at(wall, radius * turn.cos, radius * turn.sin, height);
}

// --- shapes

static void add_quad(struct scree_frames_mesh *mesh, const struct scree_wall *wall,
                     const struct scree_vec3 corner[4])
{
    int64_t number[4];
    for (int k = 0; k < 4; ++k)
        number[k] = add_point(mesh, corner[k]);
    add_triangle(mesh, wall, number[0], number[1], number[2]);
    add_triangle(mesh, wall, number[0], number[2], number[3]);
}

static void add_rectangle(struct scree_frames_mesh *mesh, const struct scree_wall *wall)
{
    const double x = wall->size[0], y = wall->size[1];
    if (mesh->dimension == 2) {
        const double half = isinf(x) ? y : x;
        add_line(mesh, wall, isinf(x) ? at(wall, 0, -half, 0) : at(wall, -half, 0, 0),
                 isinf(x) ? at(wall, 0, half, 0) : at(wall, half, 0, 0));
        return;
    }
    add_quad(mesh, wall,
             (const struct scree_vec3[]){at(wall, -x, -y, 0), at(wall, x, -y, 0), at(wall, x, y, 0),
                                         at(wall, -x, y, 0)});
}

static void add_box(struct scree_frames_mesh *mesh, const struct scree_wall *wall)
{
    const double x = wall->size[0], y = wall->size[1], z = wall->size[2];
    if (mesh->dimension == 2) {
        const struct scree_vec3 corner[] = {at(wall, -x, -y, 0), at(wall, x, -y, 0), at(wall, x, y, 0),
                                            at(wall, -x, y, 0)};
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
            corner[k] = at(wall, bits & 1 ? x : -x, bits & 2 ? y : -y, bits & 4 ? z : -z);
        }
        add_quad(mesh, wall, corner);
    }
}

// Adds a ring of triangles between two circles; a circle of radius 0 is a point.
static void add_ring(struct scree_frames_mesh *mesh, const struct scree_wall *wall, const double radius[2],
                     const double height[2])
{
    int64_t first[2], last[2];
    for (int e = 0; e < 2; ++e)
        last[e] = first[e] = add_point(mesh, on_circle(wall, radius[e], height[e], 0));
    for (int k = 1; k <= ROUND; ++k) {
        int64_t next[2];
        for (int e = 0; e < 2; ++e)
            next[e] = radius[e] == 0 || k == ROUND
                          ? first[e]
                          : add_point(mesh, on_circle(wall, radius[e], height[e], k));
        add_triangle(mesh, wall, last[0], next[0], next[1]);
        add_triangle(mesh, wall, last[0], next[1], last[1]);
        last[0] = next[0];
        last[1] = next[1];
    }
}

static void add_circle(struct scree_frames_mesh *mesh, const struct scree_wall *wall)
{
    for (int k = 0; k < ROUND; ++k)
        add_line(mesh, wall, on_circle(wall, wall->size[0], 0, k),
                 on_circle(wall, wall->size[0], 0, (k + 1) % ROUND));
}

// Adds a disk, cylinder or cone; in two dimensions its intersection with the plane.
static void add_revolved(struct scree_frames_mesh *mesh, const struct scree_wall *wall)
{
    const double *size = wall->size;
    if (mesh->dimension == 2 && isinf(size[2]))
        add_circle(mesh, wall);
    else if (mesh->dimension == 2)
        for (int side = -1; side <= 1; side += 2)
            add_line(mesh, wall, at(wall, side * size[0], 0, -size[2]), at(wall, side * size[1], 0, size[2]));
    else
        add_ring(mesh, wall, (const double[]){size[0], size[1]}, (const double[]){-size[2], size[2]});
}

static void add_sphere(struct scree_frames_mesh *mesh, const struct scree_wall *wall)
{
    const double radius = wall->size[0];
    if (mesh->dimension == 2) {
        add_circle(mesh, wall);
        return;
    }
    for (int k = 0; k < ROUND / 2; ++k) {
        double ring[2], height[2];
        for (int e = 0; e < 2; ++e) {
            const struct scree_sincos turn = scree_sincos(full_turn * (k + e) / ROUND);
            ring[e] = k + e == 0 || k + e == ROUND / 2 ? 0 : radius * turn.sin;
            height[e] = -radius * turn.cos;
        }
        add_ring(mesh, wall, ring, height);
    }
}

// --- planes

struct polygon {
    struct scree_vec3 corner[MOST_CORNERS];
    int count;
};

// Clips a polygon to coordinates above or below a bound (Sutherland and Hodgman, Comm. ACM 17, 32, 1974).
static void clip(struct polygon *polygon, int axis, double bound, bool above)
{
    struct polygon clipped = {0};
    for (int k = 0; k < polygon->count; ++k) {
        const struct scree_vec3 here = polygon->corner[k], next = polygon->corner[(k + 1) % polygon->count];
        double a[3], b[3];
        scree_vec3_store(here, a);
        scree_vec3_store(next, b);
        const double from = above ? a[axis] - bound : bound - a[axis],
                     to = above ? b[axis] - bound : bound - b[axis];
        if (from >= 0 && clipped.count < MOST_CORNERS)
            clipped.corner[clipped.count++] = here;
        if ((from >= 0) != (to >= 0) && clipped.count < MOST_CORNERS)
            clipped.corner[clipped.count++] =
                scree_vec3_add_scaled(here, from / (from - to), scree_vec3_sub(next, here));
    }
    *polygon = clipped;
}

// Makes a square in a plane, centred at the point nearest to the centre of the box; in two dimensions a line.
static struct polygon patch(const struct scree_frames_mesh *mesh, const struct scree_wall *wall,
                            const struct scree_vec3 bound[2], double size)
{
    const struct scree_vec3 normal = scree_vec3_load(wall->axes[2]);
    const struct scree_vec3 middle = scree_vec3_scale(scree_vec3_add(bound[0], bound[1]), 0.5);
    const double away = scree_vec3_dot(scree_vec3_sub(middle, scree_vec3_load(wall->place)), normal);
    const struct scree_vec3 foot = scree_vec3_add_scaled(middle, -away, normal);
    static const int sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    struct polygon polygon = {.count = mesh->dimension == 2 ? 2 : 4};
    for (int k = 0; k < polygon.count; ++k) {
        polygon.corner[k] = scree_vec3_add_scaled(foot, sign[k][0] * size, scree_vec3_load(wall->axes[0]));
        if (mesh->dimension == 3)
            polygon.corner[k] =
                scree_vec3_add_scaled(polygon.corner[k], sign[k][1] * size, scree_vec3_load(wall->axes[1]));
    }
    return polygon;
}

static void add_plane(struct scree_frames_mesh *mesh, const struct scree_wall *wall,
                      const struct scree_vec3 bound[2])
{
    const double diagonal = scree_vec3_norm(scree_vec3_sub(bound[1], bound[0]));
    struct polygon polygon = patch(mesh, wall, bound, 2 * diagonal);
    double lower[3], upper[3];
    scree_vec3_store(bound[0], lower);
    scree_vec3_store(bound[1], upper);
    for (int axis = 0; axis < mesh->dimension; ++axis) {
        clip(&polygon, axis, lower[axis], true);
        clip(&polygon, axis, upper[axis], false);
    }
    if (polygon.count < mesh->dimension)
        polygon = patch(mesh, wall, bound, 0.5 * diagonal);
    if (mesh->dimension == 2) {
        add_line(mesh, wall, polygon.corner[0], polygon.corner[1]);
        return;
    }
    int64_t number[MOST_CORNERS];
    for (int k = 0; k < polygon.count; ++k)
        number[k] = add_point(mesh, polygon.corner[k]);
    for (int k = 2; k < polygon.count; ++k)
        add_triangle(mesh, wall, number[0], number[k - 1], number[k]);
}

void scree_frames_mesh_add(struct scree_frames_mesh *mesh, const struct scree_wall *wall,
                           const struct scree_vec3 bound[2])
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
    }
}

void scree_frames_mesh_free(struct scree_frames_mesh *mesh)
{
    scree_array_free(&mesh->point);
    scree_array_free(&mesh->corner);
    scree_array_free(&mesh->wall);
}
