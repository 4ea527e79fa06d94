// The library of shapes, see scree/shape.h.

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "math/elementary.h"
#include "math/real.h"
#include "math/vec3.h"

#include <scree/shape.h>

#include <math.h>

enum { STREAM = 0x5065, MOST = 1000000 };

// Pebbles that are made this far apart touch, up to round-off.
static const double touching = 1 + 1e-12;

static void put(struct scree_pebble *pebble, double x, double y, double z, double radius)
{
    *pebble = (struct scree_pebble){.offset = {x, y, z}, .radius = radius};
}

// Distance between the surfaces of two pebbles; negative or 0 if they touch.
static double gap_of(const struct scree_pebble *one, const struct scree_pebble *other)
{
    const struct scree_vec3 d = scree_vec3_sub(scree_vec3_load(other->offset), scree_vec3_load(one->offset));
    return scree_vec3_norm(d) - (one->radius + other->radius) * touching;
}

// --- rows and lattices

// Number k from 2 with count(k) = pebbles; 0 if there is none.
static size_t find_edge(size_t pebbles, size_t (*count)(size_t k))
{
    size_t k = 2;
    while (k < MOST && count(k) < pebbles)
        ++k;
    return count(k) == pebbles ? k : 0;
}

static scree_status check_gap(const struct scree_shape_def *def, double distance)
{
    if (distance <= 2 * def->radius * touching)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT, "neighbouring pebbles of radius %g m would be %g m apart and not touch: %s",
        def->radius, distance,
        def->kind == SCREE_SHAPE_DIMER ? "larger pebbles or a smaller distance are needed"
                                       : "more or larger pebbles are needed");
}

// Half the distance between the outermost centres of a shape with the outer length `length[0]`.
static scree_status half_span(const struct scree_shape_def *def, double *half)
{
    *half = 0.5 * def->length[0] - def->radius;
    if (*half > 0)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "the length, %g m, must be above twice the radius: above %g m", def->length[0],
                             2 * def->radius);
}

static scree_status make_rod(const struct scree_shape_def *def, struct scree_pebble *pebble)
{
    double half;
    const size_t n = def->pebbles;
    if (n < 2)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a rod needs at least 2 pebbles");
    SCREE_TRY(half_span(def, &half));
    SCREE_TRY(check_gap(def, 2 * half / (double)(n - 1)));
    for (size_t k = 0; k < n; ++k)
        put(&pebble[k], half * (2.0 * (double)k / (double)(n - 1) - 1), 0, 0, def->radius);
    return SCREE_OK;
}

static scree_status make_dimer(const struct scree_shape_def *def, struct scree_pebble *pebble)
{
    if (def->pebbles != 2)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a dimer has 2 pebbles, not %zu", def->pebbles);
    SCREE_TRY(check_gap(def, def->length[0]));
    for (int k = 0; k < 2; ++k)
        put(&pebble[k], (k - 0.5) * def->length[0], 0, 0, def->radius);
    return SCREE_OK;
}

static scree_status make_cross(const struct scree_shape_def *def, struct scree_pebble *pebble)
{
    double half;
    const size_t arms = 2 * (size_t)def->dimension, n = (def->pebbles - 1) / arms;
    if (n < 1 || def->pebbles != 1 + arms * n)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a cross has 1 + %zu n pebbles: %zu, %zu, %zu and so on, not %zu", arms,
                                 1 + arms, 1 + 2 * arms, 1 + 3 * arms, def->pebbles);
    SCREE_TRY(half_span(def, &half));
    SCREE_TRY(check_gap(def, half / (double)n));
    put(pebble, 0, 0, 0, def->radius);
    for (size_t p = 0; p < def->pebbles - 1; ++p) {
        const size_t arm = p % arms;
        put(&pebble[1 + p], 0, 0, 0, def->radius);
        pebble[1 + p].offset[arm / 2] = (arm % 2 ? -half : half) * (double)(p / arms + 1) / (double)n;
    }
    return SCREE_OK;
}

static size_t squares(size_t k)
{
    return k * k;
}
static size_t cubes(size_t k)
{
    return k * k * k;
}
static size_t triangles(size_t k)
{
    return k * (k + 1) / 2;
}
static size_t tetrahedra(size_t k)
{
    return k * (k + 1) * (k + 2) / 6;
}

// A cube, in two dimensions a square.
static scree_status make_cube(const struct scree_shape_def *def, struct scree_pebble *pebble)
{
    const bool flat = def->kind == SCREE_SHAPE_SQUARE;
    const size_t n = find_edge(def->pebbles, flat ? squares : cubes);
    if (n == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a %s has %s pebbles and so on, not %zu",
                                 flat ? "square" : "cube", flat ? "4, 9, 16" : "8, 27, 64", def->pebbles);
    const double step = def->length[0] / (double)(n - 1), half = 0.5 * def->length[0];
    SCREE_TRY(check_gap(def, step));
    for (size_t p = 0; p < def->pebbles; ++p)
        put(&pebble[p], (double)(p % n) * step - half, (double)(p / n % n) * step - half,
            flat ? 0 : (double)(p / n / n) * step - half, def->radius);
    return SCREE_OK;
}

// A tetrahedron, in two dimensions a triangle: the points of a lattice whose barycentric coordinates are
// whole numbers with the sum n - 1.
static scree_status make_simplex(const struct scree_shape_def *def, struct scree_pebble *pebble)
{
    static const double corner[2][4][3] = {{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                                           {{0, 1, 0}, {-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0, 0, 0}}};
    const bool flat = def->kind == SCREE_SHAPE_TRIANGLE;
    const size_t n = find_edge(def->pebbles, flat ? triangles : tetrahedra);
    if (n == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a %s has %s pebbles and so on, not %zu",
                                 flat ? "triangle" : "tetrahedron", flat ? "3, 6, 10" : "4, 10, 20",
                                 def->pebbles);
    SCREE_TRY(check_gap(def, def->length[0] / (double)(n - 1)));
    const double edge = def->length[0] / (double)(n - 1);
    const double scale[2][3] = {{edge / sqrt(8), edge / sqrt(8), edge / sqrt(8)}, {edge, edge / sqrt(3), 0}};
    size_t p = 0, weight[4];
    for (weight[3] = 0; weight[3] < (flat ? 1 : n); ++weight[3])
        for (weight[2] = 0; weight[2] + weight[3] < n; ++weight[2])
            for (weight[1] = 0; weight[1] + weight[2] + weight[3] < n; ++weight[1]) {
                double at[3] = {0};
                weight[0] = n - 1 - weight[1] - weight[2] - weight[3];
                for (int v = 0; v < 4; ++v)
                    for (int k = 0; k < 3; ++k)
                        at[k] += (double)weight[v] * corner[flat][v][k];
                put(&pebble[p++], at[0] * scale[flat][0], at[1] * scale[flat][1], at[2] * scale[flat][2],
                    def->radius);
            }
    return SCREE_OK;
}

// --- ellipsoids

// Position (px, py) in the unit disk, of pebble number p of n: on a row along x, or on rings around one or
// two inner pebbles. All are symmetric about x and y.
static void place_in_disk(size_t p, size_t n, bool row, double at[2])
{
    at[0] = at[1] = 0;
    if (n == 1)
        return;
    if (row) {
        at[0] = scree_sin(SCREE_HALF_PI * (2.0 * (double)p / (double)(n - 1) - 1));
        return;
    }
    const size_t inner = 2 - n % 2;
    size_t rings = 1;
    while (12 * rings * rings < n)
        ++rings;
    if (p < inner) {
        at[0] = inner == 2 ? ((double)p - 0.5) / (double)(2 * rings) : 0;
        return;
    }
    // ring r gets an even number of pebbles, about proportional to its radius
    size_t left = n - inner, first = inner;
    for (size_t r = rings; r > 0; --r) {
        const size_t sum = r * (r + 1) / 2, even = left * r / sum / 2 * 2;
        const size_t here = r == 1 || even > left ? left : even;
        if (p < first + here) {
            const struct scree_sincos angle =
                scree_sincos(2 * SCREE_PI * ((double)(p - first) + (here % 4 == 0 ? 0.5 : 0)) / (double)here);
            const double radius = scree_sin(SCREE_HALF_PI * (double)r / (double)rings);
            at[0] = radius * angle.cos;
            at[1] = radius * angle.sin;
            return;
        }
        first += here;
        left -= here;
    }
}

// Lists in `reached` the pebbles that are connected to the first one, by gaps of at most `most`; returns
// their number.
static size_t reach(const struct scree_pebble *pebble, size_t pebbles, double most, bool *is_reached,
                    size_t *reached)
{
    size_t count = 1;
    reached[0] = 0;
    is_reached[0] = true;
    for (size_t k = 0; k < count; ++k)
        for (size_t p = 0; p < pebbles; ++p)
            if (!is_reached[p] && gap_of(&pebble[reached[k]], &pebble[p]) <= most) {
                is_reached[p] = true;
                reached[count++] = p;
            }
    return count;
}

// Refuses pebbles that are not one body: those of a flat ellipsoid are small at its edge. A few pebbles need
// not touch, but gaps are at most as wide as the largest pebble.
static scree_status check_connected(const struct scree_shape_def *def, const struct scree_pebble *pebble)
{
    const char *name = def->kind == SCREE_SHAPE_ELLIPSE ? "ellipse" : "ellipsoid";
    bool *is_reached;
    size_t *reached;
    double largest = 0;
    for (size_t p = 0; p < def->pebbles; ++p)
        if (pebble[p].radius > 0)
            largest = pebble[p].radius > largest ? pebble[p].radius : largest;
        else
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "this %s is too flat: pebbles at its edge would have no radius above 0",
                                     name);
    SCREE_TRY(scree_memory_new(def->pebbles, sizeof *is_reached, (void **)&is_reached));
    const scree_status status = scree_memory_new(def->pebbles, sizeof *reached, (void **)&reached);
    if (status != SCREE_OK) {
        scree_memory_free(is_reached);
        return status;
    }
    const size_t count = reach(pebble, def->pebbles, 2 * largest, is_reached, reached);
    double smallest = (double)INFINITY;
    for (size_t p = 0; p < def->pebbles && count < def->pebbles; ++p)
        for (size_t q = 0; q < def->pebbles && is_reached[p]; ++q)
            if (!is_reached[q] && gap_of(&pebble[p], &pebble[q]) < smallest)
                smallest = gap_of(&pebble[p], &pebble[q]);
    scree_memory_free(is_reached);
    scree_memory_free(reached);
    return count == def->pebbles
               ? SCREE_OK
               : scree_status_fail(
                     SCREE_ERROR_ARGUMENT,
                     "this %s is too flat for %zu pebbles: some would be %.3g m apart from the "
                     "others, more than the size of a pebble: give more pebbles, or half axes that "
                     "differ less",
                     name, def->pebbles, smallest);
}

// The spheres inside of an ellipsoid with half axes a >= b >= c that touch it on both sides have their
// centres in the plane of a and b, in the ellipse with half axes A = (a^2 - c^2) / a and B = (b^2 - c^2) / b.
// At (A p, B q) the radius is c sqrt(1 - (1 - c^2/a^2) p^2 - (1 - c^2/b^2) q^2).
static scree_status make_ellipsoid(const struct scree_shape_def *def, struct scree_pebble *pebble)
{
    int axis[3] = {0, 1, 2};
    const bool flat = def->kind == SCREE_SHAPE_ELLIPSE;
    const double *length = def->length;
    for (int pass = 0; pass < 2 && !flat; ++pass)
        for (int k = 0; k < 2; ++k)
            if (length[axis[k]] < length[axis[k + 1]]) {
                const int swap = axis[k];
                axis[k] = axis[k + 1];
                axis[k + 1] = swap;
            }
    if (flat && length[0] < length[1]) {
        axis[0] = 1;
        axis[1] = 0;
    }
    const double a = length[axis[0]], c = length[flat ? axis[1] : axis[2]], b = flat ? c : length[axis[1]];
    const double far[2] = {(a - c) * (a + c) / a, (b - c) * (b + c) / b};
    // a few pebbles, or a disk that is nearly a line, are a row
    const bool row = flat || def->pebbles < 6 || far[1] < 0.2 * far[0];
    for (size_t p = 0; p < def->pebbles; ++p) {
        double at[2];
        place_in_disk(p, def->pebbles, row, at);
        const double p2 = (a - c) * (a + c) / (a * a) * at[0] * at[0];
        const double q2 = (b - c) * (b + c) / (b * b) * at[1] * at[1];
        put(&pebble[p], 0, 0, 0, c * sqrt(1 - p2 - q2));
        pebble[p].offset[axis[0]] = far[0] * at[0];
        pebble[p].offset[axis[1]] = far[1] * at[1];
    }
    return check_connected(def, pebble);
}

// --- the irregular body

// A core, and pebbles in random directions that reach to the outer radius and overlap the core.
static scree_status make_irregular(const struct scree_shape_def *def, struct scree_pebble *pebble)
{
    const struct scree_random_key key = {def->seed, STREAM};
    put(pebble, 0, 0, 0, def->pebbles > 1 ? 0.6 * def->radius : def->radius);
    for (size_t p = 1; p < def->pebbles; ++p) {
        double u[3];
        scree_random_fill(key, p, 0, u, 3);
        const struct scree_sincos angle = scree_sincos(2 * SCREE_PI * u[0]);
        const double z = def->dimension == 2 ? 0 : 2 * u[1] - 1, across = sqrt(1 - z * z);
        const double distance = def->radius * (0.3 + 0.3 * u[2]);
        put(&pebble[p], distance * across * angle.cos, distance * across * angle.sin, distance * z,
            def->radius - distance);
    }
    return SCREE_OK;
}

// --- the table

static const struct {
    const char *name;
    int dimensions; // sum of those in which it exists as 2 and 3: 2, 3 or 5
    int lengths;
    bool has_radius;
    scree_status (*make)(const struct scree_shape_def *def, struct scree_pebble *pebble);
} kinds[SCREE_SHAPE_KINDS] = {
    [SCREE_SHAPE_ROD] = {"rod", 5, 1, true, make_rod},
    [SCREE_SHAPE_DIMER] = {"dimer", 5, 1, true, make_dimer},
    [SCREE_SHAPE_CROSS] = {"cross", 5, 1, true, make_cross},
    [SCREE_SHAPE_TETRAHEDRON] = {"tetrahedron", 3, 1, true, make_simplex},
    [SCREE_SHAPE_CUBE] = {"cube", 3, 1, true, make_cube},
    [SCREE_SHAPE_ELLIPSOID] = {"ellipsoid", 3, 3, false, make_ellipsoid},
    [SCREE_SHAPE_TRIANGLE] = {"triangle", 2, 1, true, make_simplex},
    [SCREE_SHAPE_SQUARE] = {"square", 2, 1, true, make_cube},
    [SCREE_SHAPE_ELLIPSE] = {"ellipse", 2, 2, false, make_ellipsoid},
    [SCREE_SHAPE_PEBBLE] = {"pebble", 5, 0, true, make_irregular},
};

static bool is_length(double x)
{
    return x > 0 && isfinite(x);
}

scree_status scree_shape_make(const struct scree_shape_def *def, struct scree_pebble *pebble)
{
    if ((unsigned)def->kind >= SCREE_SHAPE_KINDS)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no shape number %d", (int)def->kind);
    const char *name = kinds[def->kind].name;
    if ((def->dimension != 2 && def->dimension != 3) ||
        (kinds[def->kind].dimensions != 5 && kinds[def->kind].dimensions != def->dimension))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no %s in %d dimensions", name,
                                 def->dimension);
    if (def->pebbles == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a shape needs at least one pebble");
    if (kinds[def->kind].has_radius && !is_length(def->radius))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the radius of the %s must be a positive number, not %g", name, def->radius);
    for (int k = 0; k < kinds[def->kind].lengths; ++k)
        if (!is_length(def->length[k]))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "length %d of the %s must be a positive number, not %g", k + 1, name,
                                     def->length[k]);
    return kinds[def->kind].make(def, pebble);
}
