// Parametrised patches of walls, see patch.h.

#include "support/patch.h"

#include <math.h>

static const long double pi = 3.14159265358979323846264338327950288L;

static long double dot(const long double *a, const long double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void scale(long double *a, long double s)
{
    for (int k = 0; k < 3; ++k)
        a[k] *= s;
}

// Two unit vectors that complete `axis` to a basis, by Gram and Schmidt from the axes of the world.
static void complete_basis(const long double *axis, long double across[2][3])
{
    long double z[3] = {axis[0], axis[1], axis[2]};
    scale(z, 1 / sqrtl(dot(z, z)));
    int smallest = 0;
    for (int k = 1; k < 3; ++k)
        smallest = fabsl(z[k]) < fabsl(z[smallest]) ? k : smallest;
    for (int k = 0; k < 3; ++k)
        across[0][k] = (k == smallest) - z[smallest] * z[k];
    scale(across[0], 1 / sqrtl(dot(across[0], across[0])));
    for (int k = 0; k < 3; ++k)
        across[1][k] = z[(k + 1) % 3] * across[0][(k + 2) % 3] - z[(k + 2) % 3] * across[0][(k + 1) % 3];
}

static void copy_vector(long double *to, const double *from)
{
    for (int k = 0; k < 3; ++k)
        to[k] = (long double)from[k];
}

static unsigned make_plane(const struct scree_wall_plane *def, long double spread, struct scree_patch *patch)
{
    long double normal[3];
    copy_vector(normal, def->normal);
    complete_basis(normal, patch->edge);
    copy_vector(patch->corner, def->point);
    for (int e = 0; e < 2; ++e) {
        for (int k = 0; k < 3; ++k)
            patch->corner[k] -= spread * patch->edge[e][k];
        scale(patch->edge[e], 2 * spread);
    }
    return 1;
}

static unsigned make_rectangle(const struct scree_wall_rectangle *def, int dimension, long double spread,
                               struct scree_patch *patch)
{
    copy_vector(patch->corner, def->corner);
    for (int e = 0; e < 2; ++e) {
        copy_vector(patch->edge[e], def->edge[e]);
        if (dimension == 2 && patch->edge[e][0] == 0 && patch->edge[e][1] == 0) {
            patch->corner[2] = -spread;
            patch->edge[e][2] = 2 * spread;
        }
    }
    return 1;
}

static unsigned make_round(const double *from, const double *to, const long double *radius,
                           const long double *axis, struct scree_patch *patch)
{
    patch->kind = SCREE_PATCH_ROUND;
    copy_vector(patch->corner, from);
    for (int k = 0; k < 3; ++k)
        patch->edge[0][k] = (long double)to[k] - (long double)from[k];
    for (int e = 0; e < 2; ++e)
        patch->radius[e] = radius[e];
    complete_basis(axis, patch->across);
    return 1;
}

static unsigned make_cone(const double *from, const double *to, double first, double second, int dimension,
                          long double spread, struct scree_patch *patch)
{
    double low[3] = {from[0], from[1], from[2]}, high[3] = {to[0], to[1], to[2]};
    if (dimension == 2 && from[0] == to[0] && from[1] == to[1]) {
        low[2] = (double)-spread;
        high[2] = (double)spread;
    }
    long double axis[3], radius[2] = {(long double)first, (long double)second};
    for (int k = 0; k < 3; ++k)
        axis[k] = (long double)high[k] - (long double)low[k];
    return make_round(low, high, radius, axis, patch);
}

// Rotates v by the quaternion q, which need not have unit length: q v q* / |q|^2 in components.
static void rotate(const double *q, long double *v)
{
    const long double w = (long double)q[0], u[3] = {(long double)q[1], (long double)q[2], (long double)q[3]};
    const long double square = w * w + dot(u, u), along = dot(u, v), before[3] = {v[0], v[1], v[2]};
    for (int k = 0; square > 0 && k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        v[k] = ((w * w - dot(u, u)) * before[k] + 2 * along * u[k] +
                2 * w * (u[i] * before[j] - u[j] * before[i])) /
               square;
    }
}

static unsigned make_box(const struct scree_wall_box *def, int dimension, long double spread,
                         struct scree_patch *patch)
{
    long double centre[3], edge[3][3] = {{0}};
    for (int k = 0; k < 3; ++k) {
        const bool infinite = dimension == 2 && k == 2;
        const long double low = infinite ? -spread : (long double)def->lower[k];
        const long double high = infinite ? spread : (long double)def->upper[k];
        centre[k] = (low + high) / 2;
        edge[k][k] = high - low;
        rotate(def->orientation, edge[k]);
    }
    const unsigned count = dimension == 2 ? 4 : 6;
    for (unsigned f = 0; f < count; ++f) {
        const unsigned axis = f / 2, x = (axis + 1) % 3, y = (axis + 2) % 3;
        for (int k = 0; k < 3; ++k) {
            patch[f].corner[k] =
                centre[k] + (f % 2 ? edge[axis][k] : -edge[axis][k]) / 2 - edge[x][k] / 2 - edge[y][k] / 2;
            patch[f].edge[0][k] = edge[x][k];
            patch[f].edge[1][k] = edge[y][k];
        }
    }
    return count;
}

static unsigned make_ball(const struct scree_wall_sphere *def, struct scree_patch *patch)
{
    for (int f = 0; f < 6; ++f) {
        patch[f].kind = SCREE_PATCH_BALL;
        copy_vector(patch[f].corner, def->centre);
        patch[f].radius[0] = (long double)def->radius;
        patch[f].edge[0][(f + 1) % 3] = patch[f].edge[1][(f + 2) % 3] = 1;
        patch[f].across[0][f % 3] = f < 3 ? 1 : -1;
    }
    return 6;
}

unsigned scree_patch_make(const struct scree_wall_def *def, int dimension, long double spread,
                          struct scree_patch patch[SCREE_PATCHES_MAX])
{
    for (int f = 0; f < SCREE_PATCHES_MAX; ++f)
        patch[f] = (struct scree_patch){.kind = SCREE_PATCH_FLAT};
    long double normal[3];
    switch (def->shape) {
    case SCREE_WALL_PLANE:
        return make_plane(&def->plane, spread, patch);
    case SCREE_WALL_RECTANGLE:
        return make_rectangle(&def->rectangle, dimension, spread, patch);
    case SCREE_WALL_DISK:
        copy_vector(normal, def->disk.normal);
        return make_round(def->disk.centre, def->disk.centre,
                          (const long double[2]){(long double)def->disk.hole, (long double)def->disk.radius},
                          normal, patch);
    case SCREE_WALL_BOX:
        return make_box(&def->box, dimension, spread, patch);
    case SCREE_WALL_CYLINDER:
        return make_cone(def->cylinder.from, def->cylinder.to, def->cylinder.radius, def->cylinder.radius,
                         dimension, spread, patch);
    case SCREE_WALL_CONE:
        return make_cone(def->cone.from, def->cone.to, def->cone.radius[0], def->cone.radius[1], dimension,
                         spread, patch);
    default:
        return make_ball(&def->sphere, patch);
    }
}

void scree_patch_point(const struct scree_patch *patch, long double s, long double t, long double point[3])
{
    const bool round = patch->kind == SCREE_PATCH_ROUND;
    const long double c = round ? cosl(2 * pi * t) : 0, d = round ? sinl(2 * pi * t) : 0;
    const long double u = 2 * s - 1, v = 2 * t - 1;
    const long double radius = patch->radius[0] + s * (patch->radius[1] - patch->radius[0]);
    const long double projection = patch->radius[0] / sqrtl(1 + u * u + v * v);
    for (int k = 0; k < 3; ++k)
        switch (patch->kind) {
        case SCREE_PATCH_FLAT:
            point[k] = patch->corner[k] + s * patch->edge[0][k] + t * patch->edge[1][k];
            break;
        case SCREE_PATCH_ROUND:
            point[k] = patch->corner[k] + s * patch->edge[0][k] +
                       radius * (c * patch->across[0][k] + d * patch->across[1][k]);
            break;
        case SCREE_PATCH_BALL:
            point[k] = patch->corner[k] +
                       projection * (patch->across[0][k] + u * patch->edge[0][k] + v * patch->edge[1][k]);
            break;
        }
}

static long double distance_at(const struct scree_patch *patch, const long double *position, long double s,
                               long double t)
{
    long double point[3] = {0};
    scree_patch_point(patch, s, t, point);
    for (int k = 0; k < 3; ++k)
        point[k] -= position[k];
    return sqrtl(dot(point, point));
}

static long double clamp(long double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// Distance to one of the straight lines that make up a round patch.
static long double distance_to_line(const struct scree_patch *patch, const long double *position,
                                    long double t)
{
    long double from[3], to[3];
    scree_patch_point(patch, 0, t, from);
    scree_patch_point(patch, 1, t, to);
    for (int k = 0; k < 3; ++k) {
        to[k] -= from[k];
        from[k] = position[k] - from[k];
    }
    return distance_at(patch, position, clamp(dot(from, to) / dot(to, to)), t);
}

struct nearest {
    long double distance, at[2];
};

static void try_point(const struct scree_patch *patch, const long double *position, long double s,
                      long double t, struct nearest *best)
{
    const bool round = patch->kind == SCREE_PATCH_ROUND;
    const long double distance =
        round ? distance_to_line(patch, position, t) : distance_at(patch, position, clamp(s), clamp(t));
    if (distance < best->distance)
        *best = (struct nearest){distance, {round ? 0 : clamp(s), round ? t : clamp(t)}};
}

// Searches a grid, then finer and finer grids around the nearest point: 85 reductions by 0.6 reach 1e-19 of
// the patch. A round patch is searched line by line, because its angle is poorly determined near the axis.
long double scree_patch_distance(const struct scree_patch *patch, const long double position[3])
{
    enum { COARSE = 24, FINE = 2, ROUNDS = 85 };
    struct nearest best = {.distance = (long double)INFINITY};
    const bool round = patch->kind == SCREE_PATCH_ROUND;
    for (int i = 0; i <= (round ? 0 : COARSE); ++i)
        for (int j = 0; j <= COARSE; ++j)
            try_point(patch, position, (long double)i / COARSE, (long double)j / COARSE, &best);
    long double width = 1.0L / COARSE;
    for (int n = 0; n < ROUNDS; ++n, width *= 0.6L) {
        const long double best_at[2] = {best.at[0], best.at[1]};
        for (int i = round ? 0 : -FINE; i <= (round ? 0 : FINE); ++i)
            for (int j = -FINE; j <= FINE; ++j)
                try_point(patch, position, best_at[0] + width * i / 2, best_at[1] + width * j / 2, &best);
    }
    return best.distance;
}
