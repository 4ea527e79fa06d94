// Spheres inside of a closed mesh, see scree_shape_pack in scree/shape.h.
//
// Candidates are spheres of the medial axis: for points inside of the mesh, the ball that touches the mesh at
// the nearest point is enlarged until it touches the mesh a second time (the shrinking ball of Ma, Bae and
// Choi, The Visual Computer 28, 7, 2012, with exact distances from triangles). Then the candidate that
// contains most of the points not yet covered is taken, again and again. Everything is a function of the mesh
// only.

#include "base/array.h"
#include "base/sort.h"
#include "math/elementary.h"
#include "math/real.h"
#include "shape/mass.h"
#include "shape/mesh.h"

#include <math.h>

enum {
    POINTS = 4000,    // inside of the mesh, at least, and more with more pebbles
    POINTS_EACH = 40, //
    MOST_POINTS = 60000,
    CANDIDATES = 1000, // likewise
    CANDIDATES_EACH = 4,
    MOST_COLUMNS = 40000,
    SURFACE_POINTS = 8000,
    MOST_SHRINKS = 50,
    CLIMBERS = 50
};

struct triangle {
    struct scree_vec3 corner[3], middle;
    double reach; // of the corners from the middle
};

struct sphere {
    struct scree_vec3 centre;
    double radius;
    size_t gain; // number of points that it would cover, or an upper bound
};

// All lengths are in units of `size`, from `origin`.
struct packing {
    const struct scree_shape_mesh *mesh;
    double origin[3], size, lower[3], upper[3];
    struct triangle *triangle;
    SCREE_ARRAY(struct scree_vec3) inside, surface;
    SCREE_ARRAY(struct sphere) candidate;
    SCREE_ARRAY(uint64_t) crossing; // of a column: bits of z + 2, to be sorted
    SCREE_ARRAY(double) distance;   // of the surface points from the pebbles
    SCREE_ARRAY(bool) covered;      // the points inside
};

// --- distance from the mesh

static struct scree_vec3 nearest_on_edge(struct scree_vec3 p, struct scree_vec3 a, struct scree_vec3 b)
{
    const struct scree_vec3 edge = scree_vec3_sub(b, a);
    const double square = scree_vec3_norm_squared(edge);
    const double along = square > 0 ? scree_vec3_dot(scree_vec3_sub(p, a), edge) / square : 0;
    return scree_vec3_add_scaled(a, scree_real_max(0, scree_real_min(along, 1)), edge);
}

static struct scree_vec3 nearest_on_triangle(struct scree_vec3 p, const struct triangle *triangle)
{
    const struct scree_vec3 *c = triangle->corner;
    const struct scree_vec3 normal = scree_vec3_cross(scree_vec3_sub(c[1], c[0]), scree_vec3_sub(c[2], c[0]));
    struct scree_vec3 best = c[0];
    double least = (double)INFINITY;
    bool within = scree_vec3_norm_squared(normal) > 0;
    for (int k = 0; k < 3; ++k) {
        const struct scree_vec3 a = c[k], edge = scree_vec3_sub(c[(k + 1) % 3], a);
        if (scree_vec3_dot(scree_vec3_cross(edge, scree_vec3_sub(p, a)), normal) >= 0)
            continue;
        within = false;
        const struct scree_vec3 q = nearest_on_edge(p, a, c[(k + 1) % 3]);
        const double square = scree_vec3_norm_squared(scree_vec3_sub(p, q));
        if (square < least) {
            least = square;
            best = q;
        }
    }
    if (!within)
        return best;
    const double height = scree_vec3_dot(scree_vec3_sub(p, c[0]), normal) / scree_vec3_norm_squared(normal);
    return scree_vec3_add_scaled(p, -height, normal);
}

static double nearest_on_mesh(const struct packing *packing, struct scree_vec3 p, struct scree_vec3 *nearest)
{
    double least = (double)INFINITY;
    for (size_t t = 0; t < packing->mesh->triangles; ++t) {
        const struct triangle *triangle = &packing->triangle[t];
        const double far = least + triangle->reach;
        if (scree_vec3_norm_squared(scree_vec3_sub(p, triangle->middle)) >= far * far)
            continue;
        const struct scree_vec3 q = nearest_on_triangle(p, triangle);
        const double distance = scree_vec3_norm(scree_vec3_sub(p, q));
        if (distance < least) {
            least = distance;
            *nearest = q;
        }
    }
    return least;
}

// --- points

// Height at which the line along z through (x, y) crosses a triangle; false if it does not.
static bool crosses(const struct triangle *triangle, double x, double y, double *z)
{
    double weight[3], sum = 0, height = 0;
    const struct scree_vec3 *c = triangle->corner;
    for (int k = 0; k < 3; ++k) {
        const struct scree_vec3 a = c[(k + 1) % 3], b = c[(k + 2) % 3];
        weight[k] = (a.x - x) * (b.y - y) - (b.x - x) * (a.y - y);
        sum += weight[k];
        height += weight[k] * c[k].z;
    }
    const bool positive = weight[0] > 0 && weight[1] > 0 && weight[2] > 0;
    const bool negative = weight[0] < 0 && weight[1] < 0 && weight[2] < 0;
    *z = height / sum;
    return positive || negative;
}

// Adds the points of a column that are inside of the mesh.
static scree_status add_column(struct packing *packing, double x, double y, double step)
{
    packing->crossing.count = 0;
    for (size_t t = 0; t < packing->mesh->triangles; ++t) {
        const struct triangle *triangle = &packing->triangle[t];
        double z;
        if (fabs(x - triangle->middle.x) <= triangle->reach &&
            fabs(y - triangle->middle.y) <= triangle->reach && crosses(triangle, x, y, &z))
            SCREE_TRY(scree_array_push(&packing->crossing, scree_real_bits(z + 2)));
    }
    scree_sort_in_place(packing->crossing.data, packing->crossing.count);
    // a column through an edge may miss a crossing; it is left out
    for (size_t k = 0; k + 1 < packing->crossing.count && packing->crossing.count % 2 == 0; k += 2) {
        const double from = scree_real_from_bits(packing->crossing.data[k]) - 2,
                     to = scree_real_from_bits(packing->crossing.data[k + 1]) - 2;
        const double first = packing->lower[2] + 0.5127 * step;
        for (double n = ceil((from - first) / step); first + n * step < to; ++n)
            SCREE_TRY(scree_array_push(&packing->inside, scree_vec3_make(x, y, first + n * step)));
    }
    return SCREE_OK;
}

// Points inside of the mesh on a cubic lattice. It is shifted by an odd part of a step, since columns through
// the edges of a mesh with simple numbers are likely otherwise.
static scree_status add_points(struct packing *packing, double volume, size_t wanted)
{
    double step = scree_cbrt(volume / (double)wanted);
    const double width = packing->upper[0] - packing->lower[0], depth = packing->upper[1] - packing->lower[1];
    step = scree_real_max(step, sqrt(width * depth / MOST_COLUMNS));
    for (double i = 0.4863; i * step < width; ++i)
        for (double j = 0.5291; j * step < depth; ++j)
            SCREE_TRY(add_column(packing, packing->lower[0] + i * step, packing->lower[1] + j * step, step));
    return packing->inside.count > 0
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_ARGUMENT, "the mesh is too thin to be filled with spheres");
}

// Points on all triangles, their corners among them.
static scree_status add_surface(struct packing *packing)
{
    double area = 0;
    for (size_t t = 0; t < packing->mesh->triangles; ++t) {
        const struct scree_vec3 *c = packing->triangle[t].corner;
        area += scree_vec3_norm(scree_vec3_cross(scree_vec3_sub(c[1], c[0]), scree_vec3_sub(c[2], c[0])));
    }
    for (size_t t = 0; t < packing->mesh->triangles; ++t) {
        const struct scree_vec3 *c = packing->triangle[t].corner, a = scree_vec3_sub(c[1], c[0]),
                                b = scree_vec3_sub(c[2], c[0]);
        const double share = scree_vec3_norm(scree_vec3_cross(a, b)) / area;
        const double rows = ceil(sqrt(2 * SURFACE_POINTS * share));
        for (double i = 0; i <= rows; ++i)
            for (double j = 0; i + j <= rows && rows > 0; ++j)
                SCREE_TRY(scree_array_push(
                    &packing->surface,
                    scree_vec3_add_scaled(scree_vec3_add_scaled(c[0], i / rows, a), j / rows, b)));
    }
    SCREE_TRY(scree_array_reserve(&packing->distance, packing->surface.count));
    for (size_t k = 0; k < packing->surface.count; ++k)
        packing->distance.data[k] = (double)INFINITY;
    return SCREE_OK;
}

// --- candidates

// The largest ball that touches the mesh at the point nearest to p, from the side of p.
static struct sphere largest_ball(const struct packing *packing, struct scree_vec3 p)
{
    struct scree_vec3 foot, other;
    struct sphere ball = {.centre = p, .radius = nearest_on_mesh(packing, p, &foot), .gain = SIZE_MAX};
    if (!(ball.radius > 0))
        return ball;
    const struct scree_vec3 normal = scree_vec3_scale(scree_vec3_sub(p, foot), 1 / ball.radius);
    double radius = 2;
    for (int k = 0; k < MOST_SHRINKS; ++k) {
        const struct scree_vec3 centre = scree_vec3_add_scaled(foot, radius, normal);
        const double distance = nearest_on_mesh(packing, centre, &other);
        if (distance >= radius * (1 - 1e-9)) {
            ball.centre = centre;
            ball.radius = distance;
            break;
        }
        const struct scree_vec3 chord = scree_vec3_sub(other, foot);
        const double along = scree_vec3_dot(chord, normal);
        if (!(along > 0))
            break;
        radius = scree_real_min(radius, scree_vec3_norm_squared(chord) / (2 * along));
    }
    return ball;
}

// Moves a ball in steps that become smaller to where it is largest. On a ridge, where it touches two or three
// faces, it can grow along diagonals only.
static struct sphere climb(const struct packing *packing, struct sphere ball)
{
    struct scree_vec3 nearest;
    for (double step = 0.5 * ball.radius; step > 1e-4 * ball.radius; step *= 0.5)
        for (int k = 0; k < 27; ++k) {
            const double move[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            // a move below the radius stays inside of the mesh
            const struct scree_vec3 centre = scree_vec3_add_scaled(ball.centre, step, scree_vec3_load(move));
            const double radius = nearest_on_mesh(packing, centre, &nearest);
            if (radius > ball.radius) {
                ball.centre = centre;
                ball.radius = radius;
            }
        }
    return ball;
}

static scree_status add_candidates(struct packing *packing, size_t wanted)
{
    // multiples of the golden ratio, modulo 1, spread over the points without regard to the columns
    for (size_t k = 0; k < wanted && k < packing->inside.count; ++k) {
        const double turns = (double)k * 0.6180339887498949;
        const double part = turns - (double)(uint64_t)turns;
        const size_t point = (size_t)(part * (double)packing->inside.count);
        SCREE_TRY(scree_array_push(&packing->candidate, largest_ball(packing, packing->inside.data[point])));
    }
    const size_t balls = packing->candidate.count, each = balls > CLIMBERS ? balls / CLIMBERS : 1;
    for (size_t k = 0; k < balls; k += each)
        SCREE_TRY(scree_array_push(&packing->candidate, climb(packing, packing->candidate.data[k])));
    return scree_array_reserve(&packing->covered, packing->inside.count);
}

// --- choice

static bool contains(const struct sphere *sphere, struct scree_vec3 p)
{
    return scree_vec3_norm_squared(scree_vec3_sub(p, sphere->centre)) < sphere->radius * sphere->radius;
}

static size_t gain_of(const struct packing *packing, const struct sphere *sphere)
{
    size_t gain = 0;
    for (size_t k = 0; k < packing->inside.count; ++k)
        gain += !packing->covered.data[k] && contains(sphere, packing->inside.data[k]);
    return gain;
}

// The first candidate with the largest gain. Gains only become smaller, so a candidate whose gain is up to
// date and not below the others' is the best.
static struct sphere *choose(struct packing *packing)
{
    for (;;) {
        struct sphere *best = &packing->candidate.data[0];
        for (size_t k = 1; k < packing->candidate.count; ++k)
            if (packing->candidate.data[k].gain > best->gain)
                best = &packing->candidate.data[k];
        const size_t gain = gain_of(packing, best);
        if (gain == best->gain)
            return gain > 0 ? best : NULL;
        best->gain = gain;
    }
}

// Marks what a pebble covers; returns the number of points inside that are still not covered, and the largest
// distance of a point of the surface.
static size_t take(struct packing *packing, const struct sphere *sphere, double *surface)
{
    size_t left = 0;
    *surface = 0;
    for (size_t k = 0; k < packing->inside.count; ++k) {
        packing->covered.data[k] = packing->covered.data[k] || contains(sphere, packing->inside.data[k]);
        left += !packing->covered.data[k];
    }
    for (size_t k = 0; k < packing->surface.count; ++k) {
        const double gap =
            scree_vec3_norm(scree_vec3_sub(packing->surface.data[k], sphere->centre)) - sphere->radius;
        double *distance = &packing->distance.data[k];
        *distance = scree_real_min(*distance, scree_real_max(gap, 0));
        *surface = scree_real_max(*surface, *distance);
    }
    return left;
}

// Chooses pebbles until the wanted errors are reached; `radius` is that of the sphere with the mesh's volume.
static void fill(struct packing *packing, const struct scree_shape_packing *wanted, double radius,
                 struct scree_pebble *pebble, size_t *pebbles, double *surface)
{
    const bool by_volume = wanted->volume_error > 0, by_surface = wanted->surface_error > 0;
    bool done = false;
    *pebbles = 0;
    while (*pebbles < wanted->pebbles && !done) {
        const struct sphere *sphere = choose(packing);
        if (!sphere)
            break;
        const size_t left = take(packing, sphere, surface);
        const double at[3] = {sphere->centre.x, sphere->centre.y, sphere->centre.z};
        struct scree_pebble *next = &pebble[(*pebbles)++];
        *next = (struct scree_pebble){.radius = sphere->radius * packing->size};
        for (int k = 0; k < 3; ++k)
            next->offset[k] = packing->origin[k] + packing->size * at[k];
        *surface /= radius;
        done = (by_volume || by_surface) &&
               (!by_volume || (double)left <= wanted->volume_error * (double)packing->inside.count) &&
               (!by_surface || *surface <= wanted->surface_error);
    }
}

// --- all

static scree_status prepare(struct packing *packing, double volume, size_t pebbles)
{
    const size_t points = POINTS + POINTS_EACH * pebbles;
    SCREE_TRY(
        scree_memory_new(packing->mesh->triangles, sizeof *packing->triangle, (void **)&packing->triangle));
    for (size_t t = 0; t < packing->mesh->triangles; ++t) {
        struct triangle *triangle = &packing->triangle[t];
        for (int k = 0; k < 3; ++k) {
            triangle->corner[k] = scree_mesh_corner(packing->mesh, t, k, packing->origin, packing->size);
            triangle->middle = scree_vec3_add_scaled(triangle->middle, 1.0 / 3, triangle->corner[k]);
        }
        for (int k = 0; k < 3; ++k)
            triangle->reach = scree_real_max(
                triangle->reach, scree_vec3_norm(scree_vec3_sub(triangle->corner[k], triangle->middle)));
        // a margin for the round-off of the comparisons
        triangle->reach *= 1 + 1e-9;
    }
    SCREE_TRY(add_points(packing, volume, points < MOST_POINTS ? points : MOST_POINTS));
    SCREE_TRY(add_surface(packing));
    return add_candidates(packing, CANDIDATES + CANDIDATES_EACH * pebbles);
}

static void free_packing(struct packing *packing)
{
    scree_memory_free(packing->triangle);
    scree_array_free(&packing->inside);
    scree_array_free(&packing->surface);
    scree_array_free(&packing->candidate);
    scree_array_free(&packing->crossing);
    scree_array_free(&packing->distance);
    scree_array_free(&packing->covered);
}

static void compare(const struct scree_shape_values *mesh, const struct scree_shape_values *spheres,
                    struct scree_shape_fidelity *fidelity)
{
    double largest = 0, difference = 0;
    for (int k = 0; k < 6; ++k) {
        largest = scree_real_max(largest, fabs(mesh->inertia[k]));
        difference = scree_real_max(difference, fabs(spheres->inertia[k] - mesh->inertia[k]));
    }
    fidelity->volume = fabs(spheres->volume - mesh->volume) / mesh->volume;
    fidelity->inertia = difference / largest;
}

scree_status scree_shape_pack(const struct scree_shape_mesh *mesh, const struct scree_shape_packing *wanted,
                              struct scree_pebble *pebble, size_t *pebbles,
                              struct scree_shape_fidelity *fidelity)
{
    struct scree_shape_mass of_mesh, of_spheres;
    struct scree_shape_integrals frame;
    struct packing packing = {.mesh = mesh};
    if (wanted->pebbles == 0 || !(wanted->volume_error >= 0) || !(wanted->surface_error >= 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a packing needs at least one pebble, and errors that are not negative");
    SCREE_TRY(scree_shape_mass_mesh(mesh, &of_mesh));
    scree_mesh_bounds(mesh, packing.lower, packing.upper);
    scree_shape_mass_frame(packing.lower, packing.upper, &frame);
    packing.size = frame.size;
    for (int k = 0; k < 3; ++k) {
        packing.origin[k] = frame.origin[k];
        packing.lower[k] = (packing.lower[k] - frame.origin[k]) / frame.size;
        packing.upper[k] = (packing.upper[k] - frame.origin[k]) / frame.size;
    }
    const double volume = of_mesh.value.volume / (frame.size * frame.size * frame.size);
    scree_status status = prepare(&packing, volume, wanted->pebbles);
    if (status == SCREE_OK) {
        fill(&packing, wanted, scree_cbrt(volume * 3 / (4 * SCREE_PI)), pebble, pebbles, &fidelity->surface);
        status = scree_shape_mass_exact(pebble, *pebbles, 3, &of_spheres);
    }
    free_packing(&packing);
    if (status == SCREE_OK)
        compare(&of_mesh.value, &of_spheres.value, fidelity);
    return status;
}
