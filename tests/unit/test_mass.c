// Mass properties of unions of spheres and disks: closed forms, integration over slices with 32 digits and
// along rays, rotation, scale, and random points within the errors that they state.

#include "mass.h"
#include "support/table.h"

static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};

// --- chains, in closed form

// Integrals over -inf < t < `at` of the section of a sphere (disk) at the distance t from its centre, of t
// and t^2 times it, and of its second moment about one axis: antiderivatives.
static void sections(int dimension, long double r, long double at, long double out[4])
{
    const long double t = at > r ? r : at < -r ? -r : at, s = r * r - t * t, p = (long double)pi;
    const long double angle = asinl(t / r), root = sqrtl(s), r4 = r * r * r * r;
    if (dimension == 3) {
        out[0] = p * (r * r * t - t * t * t / 3);
        out[1] = p * (r * r * t * t / 2 - t * t * t * t / 4);
        out[2] = p * (r * r * t * t * t / 3 - t * t * t * t * t / 5);
        out[3] = p / 4 * (r4 * t - 2 * r * r * t * t * t / 3 + t * t * t * t * t / 5);
        return;
    }
    out[0] = r * r * angle + t * root;
    out[1] = -2 * s * root / 3;
    out[2] = r4 * (angle / 4 - sinl(4 * angle) / 16);
    out[3] = 2 * r4 / 3 * (3 * angle / 8 + sinl(2 * angle) / 4 + sinl(4 * angle) / 32);
}

// Values of spheres on a line from `base` along the unit vector `e`, of which only neighbours overlap: each
// is cut by the planes in which it meets its neighbours.
static struct scree_shape_values chain(int dimension, size_t n, const double *z, const double *r,
                                       const double base[3], const double e[3])
{
    struct scree_shape_values values = {0};
    long double volume = 0, first = 0, second = 0, across = 0, lower = -(long double)INFINITY;
    for (size_t i = 0; i < n; ++i) {
        const long double at = (long double)z[i], radius = (long double)r[i];
        long double a[4], b[4], upper = (long double)INFINITY;
        if (i + 1 < n) {
            const long double d = (long double)z[i + 1] - at, next = (long double)r[i + 1];
            upper = at + (d * d + radius * radius - next * next) / (2 * d);
        }
        sections(dimension, radius, lower - at, a);
        sections(dimension, radius, upper - at, b);
        volume += b[0] - a[0];
        first += at * (b[0] - a[0]) + b[1] - a[1];
        second += at * at * (b[0] - a[0]) + 2 * at * (b[1] - a[1]) + b[2] - a[2];
        across += b[3] - a[3];
        lower = upper;
    }
    const long double centre = first / volume, along = second / volume - centre * centre,
                      side = across / volume;
    values.volume = (double)volume;
    for (int k = 0; k < 3; ++k)
        values.centre[k] = (double)((long double)base[k] + centre * (long double)e[k]);
    for (int k = 0; k < 6; ++k) {
        const int i = pair[k][0], j = pair[k][1];
        const long double trace = along + (dimension - 1) * side;
        const long double same = i == j && (dimension == 3 || i < 2) ? side : 0;
        values.inertia[k] =
            (double)((i == j ? trace : 0) - same - (along - side) * (long double)e[i] * (long double)e[j]);
    }
    return values;
}

static void check_chain(uint64_t *seed, int dimension, size_t n, bool deep)
{
    double z[6] = {0}, r[6], base[3] = {draw(seed, -1, 1), draw(seed, -1, 1), 0}, e[3];
    struct scree_pebble pebble[6] = {{.radius = 0}};
    struct scree_shape_mass mass;
    const struct scree_quat rotation = draw_rotation(seed, dimension);
    scree_vec3_store(scree_quat_rotate(rotation, scree_vec3_make(1, 0, 0)), e);
    for (size_t i = 0; i < n; ++i) {
        r[i] = deep ? draw(seed, 0.2, 2) : draw(seed, 1, 1.3);
        // spheres of a long chain overlap by at most 0.2 of their sum, so the next but one is out of reach
        const double sum = i > 0 ? r[i] + r[i - 1] : 0, least = i > 0 ? fabs(r[i] - r[i - 1]) : 0;
        if (i > 0)
            z[i] = z[i - 1] + (deep ? draw(seed, least, sum) : draw(seed, 0.8, 1.2) * sum);
        pebble[i].radius = r[i];
        for (int k = 0; k < 3; ++k)
            pebble[i].offset[k] = base[k] + z[i] * e[k];
    }
    const struct scree_shape_values reference = chain(dimension, n, z, r, base, e);
    assert_int_equal(scree_shape_mass_exact(pebble, n, dimension, &mass), SCREE_OK);
    // centres are rounded: half a bit of 16, on both sides of each lens, and e is a unit vector within 2 bits
    assert_equal_within(&mass, &reference, 2 + z[n - 1], 200, 1e-11);
}

static void chains_have_the_values_of_their_slices(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 400; ++trial)
        for (int dimension = 2; dimension <= 3; ++dimension) {
            check_chain(&seed, dimension, 1, true);
            check_chain(&seed, dimension, 2, true);
            check_chain(&seed, dimension, 3 + (size_t)trial % 4, false);
        }
}

// A rod of 10,000 pebbles, each of which meets 4000 others.
static void a_rod_of_many_pebbles_has_the_values_of_its_slices(void **state)
{
    (void)state;
    enum { PEBBLES = 10000 };
    static struct scree_pebble pebble[PEBBLES];
    static double z[PEBBLES], r[PEBBLES];
    struct scree_shape_mass mass;
    const double base[3] = {0}, e[3] = {0, 0.6, 0.8};
    for (size_t p = 0; p < PEBBLES; ++p) {
        // multiples of 2^-10, which are exact, also times 0.6 and 0.8 up to half a bit
        z[p] = (double)p * 0x1p-10 - 5;
        r[p] = 1;
        pebble[p] = (struct scree_pebble){.offset = {0, 0.6 * z[p], 0.8 * z[p]}, .radius = 1};
    }
    const struct scree_shape_values reference = chain(3, PEBBLES, z, r, base, e);
    assert_int_equal(scree_shape_mass_exact(pebble, PEBBLES, 3, &mass), SCREE_OK);
    assert_equal_within(&mass, &reference, 12, 200, 1e-11);
}

// --- slices

enum { MOST = 40 };

// The table has 20 digits. Bodies extend over at most 5 m, and all values must be right to 1e-13, relative to
// this length; a double has half a bit of 16 m^2, 1e-15, at most.
static void unions_have_the_values_of_their_slices(void **state)
{
    (void)state;
    static const char *const elements[6] = {"xx", "yy", "zz", "yz", "zx", "xy"};
    struct scree_table *table = scree_table_read("clumps/mass_unions.csv");
    size_t unions = 0;
    for (size_t row = 0, next = 0; row < table->rows; row = next, ++unions) {
        struct scree_pebble pebble[MOST] = {{.radius = 0}};
        const char *name = scree_table_word(table, row, "union");
        for (; next < table->rows && strcmp(scree_table_word(table, next, "union"), name) == 0; ++next)
            pebble[next - row] = (struct scree_pebble){.offset = {scree_table_number(table, next, "x"),
                                                                  scree_table_number(table, next, "y"),
                                                                  scree_table_number(table, next, "z")},
                                                       .radius = scree_table_number(table, next, "r")};
        struct scree_shape_values reference = {.volume = scree_table_number(table, row, "volume"),
                                               .centre = {scree_table_number(table, row, "cx"),
                                                          scree_table_number(table, row, "cy"),
                                                          scree_table_number(table, row, "cz")}};
        for (int k = 0; k < 6; ++k)
            reference.inertia[k] = scree_table_number(table, row, elements[k]);
        struct scree_shape_mass mass;
        const int dimension = (int)scree_table_number(table, row, "dimension");
        assert_int_equal(scree_shape_mass_exact(pebble, next - row, dimension, &mass), SCREE_OK);
        assert_equal_within(&mass, &reference, 5, 1, 1e-13);
    }
    assert_int_equal(unions, 11);
    scree_table_free(table);
}

// --- random unions

static size_t draw_union(uint64_t *seed, int dimension, struct scree_pebble *pebble)
{
    const size_t n = 2 + splitmix_next(seed) % 20;
    memset(pebble, 0, n * sizeof *pebble);
    for (size_t p = 0; p < n; ++p) {
        for (int k = 0; k < dimension; ++k)
            pebble[p].offset[k] = draw(seed, -1, 1);
        pebble[p].radius = draw(seed, 0.1, 0.9);
    }
    return n;
}

// Integrates over rays along x through a lattice of points (y, z).
static struct scree_shape_values along_rays(const struct scree_pebble *pebble, size_t n, int dimension,
                                            int lines)
{
    double sum[10] = {0};
    const double step = 4.0 / lines;
    for (int i = 0; i < lines; ++i)
        for (int j = 0; j < (dimension == 2 ? 1 : lines); ++j) {
            const double y = -2 + (i + 0.5) * step, z = dimension == 2 ? 0 : -2 + (j + 0.5) * step;
            double end = -(double)INFINITY, from[MOST], to[MOST];
            size_t count = 0;
            for (size_t p = 0; p < n; ++p) {
                const double *c = pebble[p].offset, r = pebble[p].radius;
                const double square = r * r - (y - c[1]) * (y - c[1]) - (z - c[2]) * (z - c[2]);
                if (square <= 0)
                    continue;
                size_t place = count++;
                for (; place > 0 && from[place - 1] > c[0] - sqrt(square); --place) {
                    from[place] = from[place - 1];
                    to[place] = to[place - 1];
                }
                from[place] = c[0] - sqrt(square);
                to[place] = c[0] + sqrt(square);
            }
            for (size_t k = 0; k < count; ++k) {
                const double a = from[k] > end ? from[k] : end, b = to[k];
                if (b <= a)
                    continue;
                const double length = b - a, x = (b * b - a * a) / 2, xx = (b * b * b - a * a * a) / 3;
                const double add[10] = {
                    length,         x,     y * length, z * length, xx, y * y * length, z * z * length,
                    y * z * length, x * z, x * y};
                for (int m = 0; m < 10; ++m)
                    sum[m] += add[m] * step * (dimension == 2 ? 1 : step);
                end = b;
            }
        }
    struct scree_shape_values values = {.volume = sum[0]};
    double mean[6];
    for (int k = 0; k < 3; ++k)
        values.centre[k] = sum[1 + k] / sum[0];
    for (int k = 0; k < 6; ++k)
        mean[k] = sum[4 + k] / sum[0] - values.centre[pair[k][0]] * values.centre[pair[k][1]];
    for (int k = 0; k < 3; ++k) {
        values.inertia[k] = mean[(k + 1) % 3] + mean[(k + 2) % 3];
        values.inertia[3 + k] = -mean[3 + k];
    }
    return values;
}

// The length of a ray grows as a root at the outline of a sphere, so each ray next to it has an error of
// about step^0.5, and there are about 4 pi r n / step of them: with the area of a ray the sum of their sizes
// is 4 pi r n step^1.5. Signs are random, which leaves the root of the number: step^2 sqrt(4 pi r n).
static void random_unions_agree_with_rays(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 20; ++trial)
        for (int dimension = 2; dimension <= 3; ++dimension) {
            struct scree_pebble pebble[MOST];
            struct scree_shape_mass mass;
            const size_t n = draw_union(&seed, dimension, pebble);
            const int lines = dimension == 2 ? 100000 : 400;
            const double step = 4.0 / lines, tolerance = 3 * (dimension == 2 ? pow(step, 1.5) : step * step) *
                                                         sqrt(4 * pi * (double)n);
            assert_int_equal(scree_shape_mass_exact(pebble, n, dimension, &mass), SCREE_OK);
            const struct scree_shape_values rays = along_rays(pebble, n, dimension, lines);
            assert_true(fabs(rays.volume - mass.value.volume) < tolerance);
            for (int k = 0; k < 3; ++k)
                assert_true(fabs(rays.centre[k] - mass.value.centre[k]) < 2 * tolerance);
            for (int k = 0; k < 6; ++k)
                assert_true(fabs(rays.inertia[k] - mass.value.inertia[k]) < 4 * tolerance);
        }
}

static void rotate_pebbles(const struct scree_pebble *from, size_t n, struct scree_quat rotation,
                           double scale, const double move[3], struct scree_pebble *to)
{
    for (size_t p = 0; p < n; ++p) {
        double at[3];
        scree_vec3_store(scree_quat_rotate(rotation, scree_vec3_load(from[p].offset)), at);
        to[p] = from[p];
        to[p].radius = scale * from[p].radius;
        for (int k = 0; k < 3; ++k)
            to[p].offset[k] = scale * (at[k] + move[k]);
    }
}

// Latitudes have a direction, so a rotation changes every number on the way.
static void check_rotation(const struct scree_pebble *pebble, size_t n, int dimension, double limit,
                           uint64_t *seed)
{
    static const double no_move[3];
    struct scree_pebble turned[MOST];
    struct scree_shape_mass mass, other;
    const struct scree_quat rotation = draw_rotation(seed, dimension);
    rotate_pebbles(pebble, n, rotation, 1, no_move, turned);
    assert_int_equal(scree_shape_mass_exact(pebble, n, dimension, &mass), SCREE_OK);
    assert_int_equal(scree_shape_mass_exact(turned, n, dimension, &other), SCREE_OK);
    struct scree_shape_values reference = rotated(&mass.value, rotation);
    // both have errors; rotated elements are sums of 9
    other.error.volume += mass.error.volume;
    for (int k = 0; k < 3; ++k)
        other.error.centre[k] += 2 * mass.error.centre[0];
    for (int k = 0; k < 6; ++k)
        other.error.inertia[k] += 4 * mass.error.inertia[0];
    assert_equal_within(&other, &reference, 4, 100 * (double)n, limit);
}

static void rotation_of_random_unions_rotates_the_values(void **state)
{
    (void)state;
    uint64_t seed = 3;
    struct scree_pebble pebble[MOST];
    for (int trial = 0; trial < 100; ++trial)
        for (int dimension = 2; dimension <= 3; ++dimension)
            check_rotation(pebble, draw_union(&seed, dimension, pebble), dimension, 1e-11, &seed);
}

// Spheres on a lattice with radii at which they touch, meet in one point or one circle, contain or equal each
// other. After a rotation round-off decides all of these. Disks that overlap by 1e-9 meet at an angle of
// 4e-5, which divides their round-off.
static void rotation_of_degenerate_unions_rotates_the_values(void **state)
{
    (void)state;
    uint64_t seed = 4;
    const double radii[] = {0.5, sqrt(0.5), sqrt(0.75), 1, 1.5, sqrt(1.25), 0.5 + 1e-9, 0.25};
    struct scree_pebble pebble[MOST] = {{.radius = 0}};
    for (int trial = 0; trial < 300; ++trial) {
        const int dimension = 2 + trial % 2;
        const double same = trial % 3 == 0 ? radii[trial % 8] : 0;
        const size_t n = 2 + splitmix_next(&seed) % 12;
        for (size_t p = 0; p < n; ++p) {
            for (int k = 0; k < 3; ++k)
                pebble[p].offset[k] = k < dimension ? (double)(splitmix_next(&seed) % 3) - 1 : 0;
            pebble[p].radius = same > 0 ? same : radii[splitmix_next(&seed) % 8];
        }
        check_rotation(pebble, n, dimension, 1e-9, &seed);
    }
}

// Balls inside of others, equal ones, and a touching one, whose values are known.
static void nested_and_equal_balls_count_once(void **state)
{
    (void)state;
    struct scree_shape_mass mass;
    struct scree_pebble pebble[MOST] = {{.radius = 0}};
    for (int dimension = 2; dimension <= 3; ++dimension) {
        for (size_t p = 0; p < 12; ++p)
            pebble[p] = (struct scree_pebble){.offset = {0.3, 0.4, 0}, .radius = 2};
        // touches from inside
        pebble[3] = (struct scree_pebble){.offset = {0.3, 1.4, 0}, .radius = 1};
        pebble[4] = (struct scree_pebble){.offset = {0.5, 0.1, 0}, .radius = 0.5};
        const double z[2] = {0}, r[2] = {2, 2}, base[3] = {0.3, 0.4, 0}, e[3] = {1, 0, 0};
        struct scree_shape_values reference = chain(dimension, 1, z, r, base, e);
        assert_int_equal(scree_shape_mass_exact(pebble, 12, dimension, &mass), SCREE_OK);
        assert_equal_within(&mass, &reference, 2, 8, 1e-12);
        // touches from outside
        pebble[5] = (struct scree_pebble){.offset = {3.3, 0.4, 0}, .radius = 1};
        const double far[2] = {0, 3}, both[2] = {2, 1};
        reference = chain(dimension, 2, far, both, base, e);
        assert_int_equal(scree_shape_mass_exact(pebble, 12, dimension, &mass), SCREE_OK);
        assert_equal_within(&mass, &reference, 4, 8, 1e-12);
    }
}

// --- scale and place

static void values_scale_with_the_size(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 30; ++trial)
        for (int dimension = 2; dimension <= 3; ++dimension) {
            struct scree_pebble pebble[MOST], other[MOST];
            struct scree_shape_mass mass, scaled;
            const double scale = trial % 2 ? 1e-6 : 3e5, move[3] = {7, -3, dimension == 2 ? 0 : 20};
            const size_t n = draw_union(&seed, dimension, pebble);
            rotate_pebbles(pebble, n, scree_quat_make(1, 0, 0, 0), scale, move, other);
            assert_int_equal(scree_shape_mass_exact(pebble, n, dimension, &mass), SCREE_OK);
            assert_int_equal(scree_shape_mass_exact(other, n, dimension, &scaled), SCREE_OK);
            const double unit = dimension == 2 ? scale * scale : scale * scale * scale;
            assert_true(fabs(scaled.value.volume / unit - mass.value.volume) < 1e-12 * mass.value.volume);
            for (int k = 0; k < 3; ++k)
                assert_true(fabs(scaled.value.centre[k] / scale - move[k] - mass.value.centre[k]) < 1e-12);
            for (int k = 0; k < 6; ++k)
                assert_true(fabs(scaled.value.inertia[k] / (scale * scale) - mass.value.inertia[k]) < 1e-12);
        }
}

// --- random points

// The mean square of the differences over the standard errors is 1; over 300 samples of 10 values that are
// not independent, its own deviation is below sqrt(2 / 300) for each value, of which 5 are allowed.
static void standard_errors_are_those_of_the_differences(void **state)
{
    (void)state;
    uint64_t seed = 6;
    struct scree_pebble pebble[MOST];
    struct scree_shape_mass exact, sampled;
    enum { SAMPLES = 300 };
    for (int dimension = 2; dimension <= 3; ++dimension) {
        double square[10] = {0};
        const size_t n = draw_union(&seed, dimension, pebble);
        assert_int_equal(scree_shape_mass_exact(pebble, n, dimension, &exact), SCREE_OK);
        for (uint64_t k = 0; k < SAMPLES; ++k) {
            assert_int_equal(scree_shape_mass_sampled(pebble, n, dimension, 2000, k, &sampled), SCREE_OK);
            const double *v = &sampled.value.volume, *e = &sampled.error.volume, *x = &exact.value.volume;
            for (int m = 0; m < 10; ++m)
                square[m] += e[m] > 0 ? (v[m] - x[m]) * (v[m] - x[m]) / (e[m] * e[m]) : v[m] == x[m];
        }
        for (int m = 0; m < 10; ++m)
            assert_true(fabs(square[m] / SAMPLES - 1) < 5 * sqrt(2.0 / SAMPLES) ||
                        (dimension == 2 && (m == 3 || m == 7 || m == 8)));
    }
}

static void samples_depend_on_the_seed_only(void **state)
{
    (void)state;
    const struct scree_pebble pebble[2] = {{.offset = {0, 0, 0}, .radius = 1},
                                           {.offset = {1, 0, 0}, .radius = 0.5}};
    struct scree_shape_mass a, b, c;
    assert_int_equal(scree_shape_mass_sampled(pebble, 2, 3, 1000, 5, &a), SCREE_OK);
    assert_int_equal(scree_shape_mass_sampled(pebble, 2, 3, 1000, 5, &b), SCREE_OK);
    assert_int_equal(scree_shape_mass_sampled(pebble, 2, 3, 1000, 6, &c), SCREE_OK);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(a.value.volume != c.value.volume);
}

// --- refusals

static void impossible_pebbles_are_refused(void **state)
{
    (void)state;
    struct scree_shape_mass mass;
    struct scree_pebble pebble[2] = {{.offset = {0, 0, 0}, .radius = 1}, {.offset = {1, 0, 0}, .radius = 0}};
    assert_refused(scree_shape_mass_exact(pebble, 2, 3, &mass),
                   "the radius of pebble 2 must be from 1e-50 to 1e50 m, not 0");
    // its volume would be 0
    pebble[1].radius = 1e-300;
    assert_refused(scree_shape_mass_exact(pebble, 2, 3, &mass), "to 1e50 m, not 1e-300");
    pebble[1].radius = (double)INFINITY;
    assert_refused(scree_shape_mass_exact(pebble, 2, 3, &mass), "the radius of pebble 2");
    pebble[1].radius = 1;
    pebble[1].offset[1] = (double)NAN;
    assert_refused(scree_shape_mass_sampled(pebble, 2, 3, 100, 1, &mass),
                   "the centre of pebble 2 is not finite");
    pebble[1].offset[1] = 0;
    pebble[1].offset[2] = 1;
    assert_refused(scree_shape_mass_exact(pebble, 2, 2, &mass), "pebble 2 has z = 1");
    assert_refused(scree_shape_mass_exact(pebble, 0, 3, &mass), "at least one pebble");
    assert_refused(scree_shape_mass_exact(pebble, 2, 4, &mass), "must be 2 or 3, not 4");
    pebble[1].offset[0] = 1e9;
    assert_refused(scree_shape_mass_sampled(pebble, 2, 3, 100, 1, &mass), "more points are required");
}

// --- allocations

static scree_status integrate(void *user)
{
    struct scree_shape_mass mass;
    uint64_t seed = 8;
    struct scree_pebble pebble[MOST];
    (void)user;
    return scree_shape_mass_exact(pebble, draw_union(&seed, 3, pebble), 3, &mass);
}

static void failing_allocations_are_reported(void **state)
{
    (void)state;
    assert_true(scree_starve(integrate, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_have_the_values_of_their_slices),
        cmocka_unit_test(unions_have_the_values_of_their_slices),
        cmocka_unit_test(a_rod_of_many_pebbles_has_the_values_of_its_slices),
        cmocka_unit_test(random_unions_agree_with_rays),
        cmocka_unit_test(rotation_of_random_unions_rotates_the_values),
        cmocka_unit_test(rotation_of_degenerate_unions_rotates_the_values),
        cmocka_unit_test(nested_and_equal_balls_count_once),
        cmocka_unit_test(values_scale_with_the_size),
        cmocka_unit_test(standard_errors_are_those_of_the_differences),
        cmocka_unit_test(samples_depend_on_the_seed_only),
        cmocka_unit_test(impossible_pebbles_are_refused),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
