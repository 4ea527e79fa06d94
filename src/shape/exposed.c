// Integrals over the uncovered part of a sphere, see exposed.h.

#include "shape/exposed.h"

#include "base/sort.h"
#include "math/elementary.h"
#include "math/real.h"
#include "math/vec3.h"

#include <math.h>

// Order of the first Gauss-Legendre rule; it is doubled up to three times, and then the interval is halved.
enum { FIRST_ORDER = 12, MAX_DEPTH = 40 };

// A point this close to a cap counts as not covered by it: it may then divide an interval without need.
static const double margin = 1e-9;

// Powers of nx, ny and nz, and the number of the integral of cos^p sin^q along an arc.
static const struct {
    unsigned char p, q, r, arc;
} monomial[SCREE_EXPOSED_MOMENTS] = {{0, 0, 0, 0}, {1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 0}, {2, 0, 0, 3},
                                     {0, 2, 0, 4}, {0, 0, 2, 0}, {0, 1, 1, 2}, {1, 0, 1, 1}, {1, 1, 0, 5},
                                     {3, 0, 0, 6}, {2, 1, 0, 7}, {1, 2, 0, 8}, {0, 3, 0, 9}, {2, 0, 1, 3},
                                     {0, 2, 1, 4}, {1, 1, 1, 5}, {1, 0, 2, 1}, {0, 1, 2, 2}, {0, 0, 3, 0}};

enum { ARC_INTEGRALS = 10 };

double scree_exposed_moment(const double moment[SCREE_EXPOSED_MOMENTS], int p, int q, int r)
{
    int k = 0;
    while (monomial[k].p != p || monomial[k].q != q || monomial[k].r != r)
        ++k;
    return moment[k];
}

// Nodes and weights of Gauss-Legendre integration over [-1, 1], by Newton's method on the Legendre
// polynomial, for the variable x in z = middle + half sin(pi x / 2); `node` holds that sine.
static void find_nodes(int order, double *node, double *weight)
{
    for (int k = 0; k < order; ++k) {
        double x = -scree_cos(SCREE_PI * (k + 0.75) / (order + 0.5)), slope = 1;
        for (int step = 0; step < 8; ++step) {
            double before = 1, value = x;
            for (int n = 2; n <= order; ++n) {
                const double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
                before = value;
                value = next;
            }
            slope = order * (x * value - before) / (x * x - 1);
            x -= value / slope;
        }
        const struct scree_sincos angle = scree_sincos(SCREE_HALF_PI * x);
        node[k] = angle.sin;
        weight[k] = 2 / ((1 - x * x) * slope * slope) * SCREE_HALF_PI * angle.cos;
    }
}

void scree_exposed_init(struct scree_exposed *exposed)
{
    *exposed = (struct scree_exposed){0};
    for (int k = 0; k < SCREE_EXPOSED_ORDERS; ++k)
        find_nodes(FIRST_ORDER << k, exposed->node[k], exposed->weight[k]);
}

void scree_exposed_free(struct scree_exposed *exposed)
{
    scree_array_free(&exposed->cap);
    scree_array_free(&exposed->level);
    scree_array_free(&exposed->from);
    scree_array_free(&exposed->to);
}

// --- caps

static double length_of(const double v[3])
{
    return scree_vec3_norm(scree_vec3_load(v));
}

// Height above the centre of the plane in which two spheres meet, over the radius. The difference of squares
// is written as a product, so that it is accurate for nearly equal balls.
static double height(double distance, double radius, double other)
{
    return (distance + (radius - other) * (radius + other) / distance) / (2 * radius);
}

// Radius of the circle in which two spheres meet (half the distance of two points): the same bits from both,
// so that the ends of the arcs of both circles agree. Zero if they do not meet, or so small that they count
// as touching: what is neglected has a volume below 1e-18 of that of the smaller one.
static double meeting_radius(double distance, double radius, double other)
{
    const double difference = radius - other, sum = radius + other;
    const double square =
        (distance + sum) * (sum - distance) * (distance - difference) * (distance + difference);
    const double meeting = sqrt(scree_real_max(square, 0)) / (2 * distance);
    return meeting > 1e-6 * scree_real_min(radius, other) ? meeting : 0;
}

bool scree_exposed_contains(const double offset[3], double radius, double other, bool comes_first)
{
    const bool apart = offset[0] != 0 || offset[1] != 0 || offset[2] != 0;
    // most pebbles of a shape have equal radii: no square root for them
    if (apart && !(other > radius))
        return false;
    const double distance = length_of(offset);
    if (!(distance > 0))
        return other > radius || (!(other < radius) && comes_first);
    return height(distance, radius, other) < 0 && !(meeting_radius(distance, radius, other) > 0);
}

// Angle of a direction; asin or acos of the smaller component, because both lose digits near 1.
static double direction(double x, double y, double length)
{
    if (!(length > 0))
        return 0;
    if (fabs(x) < fabs(y))
        return copysign(scree_acos(x / length), y);
    const double angle = scree_asin(y / length);
    return x > 0 ? angle : SCREE_PI - angle;
}

// True if the cap of a ball is inside of one of the first caps. With p the offset of the ball it is n.p > q;
// the test is that of is_inside times |p|, with a larger margin, so that it has no division.
static bool is_in_a_cap(const struct scree_exposed *exposed, const double offset[3], double radius,
                        double other)
{
    enum { FIRST_CAPS = 8 };
    const struct scree_vec3 p = scree_vec3_load(offset);
    const double square = scree_vec3_norm_squared(p),
                 q = 0.5 * (square + (radius - other) * (radius + other)) / radius, rest = square - q * q;
    const size_t caps = exposed->cap.count < FIRST_CAPS ? exposed->cap.count : FIRST_CAPS;
    if (!(rest > 0) || caps == 0)
        return false;
    const double across = sqrt(rest), length = sqrt(square);
    for (size_t k = 0; k < caps; ++k) {
        const struct scree_exposed_cap *cap = &exposed->cap.data[k];
        const double along = scree_vec3_dot(scree_vec3_load(cap->u), p);
        if (q > length * (cap->h + 1e-12) && q * cap->h + across * cap->radius < along - 1e-12 * length)
            return true;
    }
    return false;
}

scree_status scree_exposed_add(struct scree_exposed *exposed, const double offset[3], double radius,
                               double other)
{
    if (is_in_a_cap(exposed, offset, radius, other))
        return SCREE_OK;
    const double distance = length_of(offset);
    const double meeting = distance > 0 ? meeting_radius(distance, radius, other) : 0;
    if (!(meeting > 0))
        return SCREE_OK;
    struct scree_exposed_cap cap = {.h = height(distance, radius, other), .radius = meeting / radius};
    for (int k = 0; k < 3; ++k)
        cap.u[k] = offset[k] / distance;
    return scree_array_push(&exposed->cap, cap);
}

// Edges of the caps in the directions of `axes`, to which they are turned.
static void turn_caps(struct scree_exposed *exposed, const double axes[3][3])
{
    for (size_t k = 0; k < exposed->cap.count; ++k) {
        struct scree_exposed_cap *cap = &exposed->cap.data[k];
        const struct scree_vec3 u = scree_vec3_load(cap->u);
        for (int a = 0; a < 3; ++a)
            cap->u[a] = scree_vec3_dot(scree_vec3_load(axes[a]), u);
        cap->across = sqrt(cap->u[0] * cap->u[0] + cap->u[1] * cap->u[1]);
        cap->angle = direction(cap->u[0], cap->u[1], cap->across);
        cap->low = cap->h * cap->u[2] - cap->radius * cap->across;
        cap->high = cap->h * cap->u[2] + cap->radius * cap->across;
    }
}

static double height_over(const struct scree_exposed_cap *cap, struct scree_vec3 n)
{
    return scree_vec3_dot(scree_vec3_load(cap->u), n);
}

// True if a is inside of b. Cosines are compared with a margin, so that no cap is dropped that sticks out.
static bool is_inside(const struct scree_exposed_cap *a, const struct scree_exposed_cap *b)
{
    const double between = scree_vec3_dot(scree_vec3_load(a->u), scree_vec3_load(b->u));
    return a->h > b->h && a->h * b->h + a->radius * b->radius < between - 1e-14;
}

// Drops the caps that are inside of other ones.
static void drop_inner(struct scree_exposed *exposed)
{
    size_t kept = 0;
    struct scree_exposed_cap *cap = exposed->cap.data;
    for (size_t i = 0; i < exposed->cap.count; ++i) {
        bool inner = false;
        for (size_t j = 0; j < kept && !inner; ++j)
            inner = is_inside(&cap[i], &cap[j]);
        for (size_t j = i + 1; j < exposed->cap.count && !inner; ++j)
            inner = is_inside(&cap[i], &cap[j]);
        if (!inner)
            cap[kept++] = cap[i];
    }
    exposed->cap.count = kept;
}

// --- one circle of latitude

// Adds the integrals along an arc of 1, c, s, cc, ss, cs, ccc, ccs, css, sss, where c and s are cosine and
// sine.
static void add_arc(double from, double to, double sum[ARC_INTEGRALS])
{
    const struct scree_sincos a = scree_sincos(from), b = scree_sincos(to);
    const double angle = to - from, product = b.sin * b.cos - a.sin * a.cos;
    const double cos3 = (b.cos * b.cos * b.cos - a.cos * a.cos * a.cos) / 3;
    const double sin3 = (b.sin * b.sin * b.sin - a.sin * a.sin * a.sin) / 3;
    sum[0] += angle;
    sum[1] += b.sin - a.sin;
    sum[2] += a.cos - b.cos;
    sum[3] += 0.5 * (angle + product);
    sum[4] += 0.5 * (angle - product);
    sum[5] += 0.5 * (b.sin - a.sin) * (b.sin + a.sin);
    sum[6] += (b.sin - a.sin) - sin3;
    sum[7] -= cos3;
    sum[8] += sin3;
    sum[9] += cos3 - (b.cos - a.cos);
}

// Stores the covered arc from `from` to `to`, whose ends are at most one turn outside of [0, 2 pi].
static void cover(struct scree_exposed *exposed, double from, double to)
{
    const double turn = 2 * SCREE_PI;
    const double low = from < 0 ? from + turn : from, high = to > turn ? to - turn : to;
    const bool wraps = from < 0 || to > turn;
    // an arc through angle 0 has two parts
    const double ends[2][2] = {{wraps ? low : from, wraps ? turn : to}, {0, high}};
    for (int k = 0; k < (wraps ? 2 : 1); ++k) {
        exposed->from.data[exposed->from.count++] = scree_real_bits(scree_real_max(ends[k][0], 0));
        exposed->to.data[exposed->to.count++] = scree_real_bits(scree_real_max(ends[k][1], 0));
    }
}

// Adds the integrals along the exposed arcs of the latitude z; s is the radius of its circle.
static void add_latitude(struct scree_exposed *exposed, double z, double s, double sum[ARC_INTEGRALS])
{
    exposed->from.count = exposed->to.count = 0;
    for (size_t k = 0; k < exposed->cap.count; ++k) {
        const struct scree_exposed_cap *cap = &exposed->cap.data[k];
        // with x along u, the edge is at x = level and at a distance of sqrt(square) from the axis of x
        const double level = cap->h - z * cap->u[2], square = (z - cap->low) * (cap->high - z);
        if (!(square > 0) && level >= 0)
            continue;
        if (!(square > 0))
            return;
        const double half = direction(level, sqrt(square), s * cap->across);
        const double angle = cap->angle < 0 ? cap->angle + 2 * SCREE_PI : cap->angle;
        cover(exposed, angle - half, angle + half);
    }
    // the numbers are not negative, so their bits have the same order. After end number k there is a gap if
    // all of the arcs that begin before it have ended
    const size_t count = exposed->from.count;
    scree_sort_in_place(exposed->from.data, count);
    scree_sort_in_place(exposed->to.data, count);
    for (size_t k = 0; k <= count; ++k) {
        const double from = k > 0 ? scree_real_from_bits(exposed->to.data[k - 1]) : 0;
        const double to = k < count ? scree_real_from_bits(exposed->from.data[k]) : 2 * SCREE_PI;
        if (from < to)
            add_arc(from, to, sum);
    }
}

static void add_moments(struct scree_exposed *exposed, double z, double weight,
                        double moment[SCREE_EXPOSED_MOMENTS])
{
    const double s = sqrt(scree_real_max((1 - z) * (1 + z), 0));
    const double across[4] = {1, s, s * s, s * s * s}, along[4] = {1, z, z * z, z * z * z};
    double arc[ARC_INTEGRALS] = {0};
    add_latitude(exposed, z, s, arc);
    for (int k = 0; k < SCREE_EXPOSED_MOMENTS; ++k)
        moment[k] +=
            weight * arc[monomial[k].arc] * across[monomial[k].p + monomial[k].q] * along[monomial[k].r];
}

// --- where the interval of latitudes is divided

static bool is_covered(const struct scree_exposed *exposed, struct scree_vec3 n)
{
    for (size_t k = 0; k < exposed->cap.count; ++k)
        if (height_over(&exposed->cap.data[k], n) > exposed->cap.data[k].h + margin)
            return true;
    return false;
}

static scree_status divide_at(struct scree_exposed *exposed, struct scree_vec3 n)
{
    if (!(fabs(n.z) < 1) || is_covered(exposed, n))
        return SCREE_OK;
    // shifted to positive numbers, whose bits have the same order
    return scree_array_push(&exposed->level, n.z + 2);
}

// The lowest and the highest point of the edge of a cap.
static scree_status divide_at_extremes(struct scree_exposed *exposed, const struct scree_exposed_cap *cap)
{
    const struct scree_vec3 u = scree_vec3_load(cap->u);
    const struct scree_vec3 up =
        cap->across > 0 ? scree_vec3_make(-u.x * u.z / cap->across, -u.y * u.z / cap->across, cap->across)
                        : scree_vec3_make(1, 0, 0);
    SCREE_TRY(divide_at(exposed, scree_vec3_add_scaled(scree_vec3_scale(u, cap->h), cap->radius, up)));
    return divide_at(exposed, scree_vec3_add_scaled(scree_vec3_scale(u, cap->h), -cap->radius, up));
}

// The points where the edges of two caps meet.
static scree_status divide_at_crossings(struct scree_exposed *exposed, const struct scree_exposed_cap *a,
                                        const struct scree_exposed_cap *b)
{
    const struct scree_vec3 u = scree_vec3_load(a->u), v = scree_vec3_load(b->u), w = scree_vec3_cross(u, v);
    const double square = scree_vec3_norm_squared(w), product = scree_vec3_dot(u, v);
    if (!(square > 1e-30))
        return SCREE_OK;
    const double alpha = (a->h - b->h * product) / square, beta = (b->h - a->h * product) / square;
    const double left = (1 - alpha * a->h - beta * b->h) / square;
    if (left < -margin)
        return SCREE_OK;
    const struct scree_vec3 foot = scree_vec3_add_scaled(scree_vec3_scale(u, alpha), beta, v);
    const double gamma = sqrt(scree_real_max(left, 0));
    SCREE_TRY(divide_at(exposed, scree_vec3_add_scaled(foot, gamma, w)));
    return divide_at(exposed, scree_vec3_add_scaled(foot, -gamma, w));
}

static scree_status divide(struct scree_exposed *exposed)
{
    const struct scree_exposed_cap *cap = exposed->cap.data;
    exposed->level.count = 0;
    SCREE_TRY(scree_array_push(&exposed->level, 1));
    for (size_t i = 0; i < exposed->cap.count; ++i) {
        SCREE_TRY(divide_at_extremes(exposed, &cap[i]));
        for (size_t j = i + 1; j < exposed->cap.count; ++j)
            SCREE_TRY(divide_at_crossings(exposed, &cap[i], &cap[j]));
    }
    SCREE_TRY(scree_array_push(&exposed->level, 3));
    // `from` has space for the levels as bits
    SCREE_TRY(scree_array_reserve(&exposed->from, exposed->level.count));
    for (size_t k = 0; k < exposed->level.count; ++k)
        exposed->from.data[k] = scree_real_bits(exposed->level.data[k]);
    scree_sort_in_place(exposed->from.data, exposed->level.count);
    for (size_t k = 0; k < exposed->level.count; ++k)
        exposed->level.data[k] = scree_real_from_bits(exposed->from.data[k]) - 2;
    return SCREE_OK;
}

// --- integration

static void add_interval(struct scree_exposed *exposed, double from, double to, int depth,
                         double moment[SCREE_EXPOSED_MOMENTS], double *error)
{
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double now[SCREE_EXPOSED_MOMENTS], before[SCREE_EXPOSED_MOMENTS], difference = 0;
    for (int k = 0; k < SCREE_EXPOSED_ORDERS; ++k) {
        memset(now, 0, sizeof now);
        for (int n = 0; n < FIRST_ORDER << k; ++n)
            add_moments(exposed, middle + half * exposed->node[k][n], half * exposed->weight[k][n], now);
        difference = 0;
        for (int m = 0; m < SCREE_EXPOSED_MOMENTS && k > 0; ++m)
            difference = scree_real_max(difference, fabs(now[m] - before[m]));
        if (k > 0 && difference <= 2e-15 + 1e-14 * half)
            break;
        if (k + 1 == SCREE_EXPOSED_ORDERS && depth < MAX_DEPTH) {
            add_interval(exposed, from, middle, depth + 1, moment, error);
            add_interval(exposed, middle, to, depth + 1, moment, error);
            return;
        }
        memcpy(before, now, sizeof before);
    }
    *error += difference;
    for (int m = 0; m < SCREE_EXPOSED_MOMENTS; ++m)
        moment[m] += now[m];
}

// Axes of which the last one is that of the largest cap: the edge of that cap, and of caps opposite to it as
// in a rod, is then a circle of latitude, so that few intervals are needed. In two dimensions, and without
// caps, the given axes.
static void choose_axes(const struct scree_exposed *exposed, int dimension, double axes[3][3])
{
    const struct scree_exposed_cap *largest = NULL;
    for (size_t k = 0; k < exposed->cap.count && dimension == 3; ++k)
        largest = !largest || exposed->cap.data[k].h < largest->h ? &exposed->cap.data[k] : largest;
    memset(axes, 0, 9 * sizeof axes[0][0]);
    for (int a = 0; a < 3; ++a)
        axes[a][a] = 1;
    if (!largest)
        return;
    const struct scree_vec3 z = scree_vec3_load(largest->u);
    const bool along_x = fabs(z.x) > fabs(z.y) && fabs(z.x) > fabs(z.z);
    const struct scree_vec3 other = along_x ? scree_vec3_make(0, 1, 0) : scree_vec3_make(1, 0, 0);
    const struct scree_vec3 across = scree_vec3_cross(z, other),
                            x = scree_vec3_scale(across, 1 / scree_vec3_norm(across));
    scree_vec3_store(x, axes[0]);
    scree_vec3_store(scree_vec3_cross(z, x), axes[1]);
    scree_vec3_store(z, axes[2]);
}

// The number of the monomial with these components, of which -1 is none.
static int monomial_of(int a, int b, int c)
{
    int power[3] = {0}, k = 0;
    for (int axis = 0; axis < 3; ++axis)
        power[axis] = (a == axis) + (b == axis) + (c == axis);
    while (monomial[k].p != power[0] || monomial[k].q != power[1] || monomial[k].r != power[2])
        ++k;
    return k;
}

// Turns the integrals from `axes` back to the given ones: tensors of rank 1, 2 and 3.
static void turn_moments(const double axes[3][3], double moment[SCREE_EXPOSED_MOMENTS])
{
    double turned[SCREE_EXPOSED_MOMENTS] = {moment[0]};
    for (int m = 1; m < SCREE_EXPOSED_MOMENTS; ++m) {
        const int rank = monomial[m].p + monomial[m].q + monomial[m].r;
        int to[3] = {-1, -1, -1}, filled = 0;
        for (int n = 0; n < monomial[m].p; ++n)
            to[filled++] = 0;
        for (int n = 0; n < monomial[m].q; ++n)
            to[filled++] = 1;
        for (int n = 0; n < monomial[m].r; ++n)
            to[filled++] = 2;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < (rank > 1 ? 3 : 1); ++b)
                for (int c = 0; c < (rank > 2 ? 3 : 1); ++c)
                    turned[m] += axes[a][to[0]] * (rank > 1 ? axes[b][to[1]] : 1) *
                                 (rank > 2 ? axes[c][to[2]] : 1) *
                                 moment[monomial_of(a, rank > 1 ? b : -1, rank > 2 ? c : -1)];
    }
    memcpy(moment, turned, sizeof turned);
}

scree_status scree_exposed_integrate(struct scree_exposed *exposed, int dimension,
                                     double moment[SCREE_EXPOSED_MOMENTS], double *error)
{
    double axes[3][3];
    memset(moment, 0, SCREE_EXPOSED_MOMENTS * sizeof *moment);
    drop_inner(exposed);
    choose_axes(exposed, dimension, axes);
    turn_caps(exposed, (const double(*)[3])axes);
    // a cap covers at most two arcs of a latitude
    SCREE_TRY(scree_array_reserve(&exposed->from, 2 * exposed->cap.count));
    SCREE_TRY(scree_array_reserve(&exposed->to, 2 * exposed->cap.count));
    // round-off: the level of a cap over a latitude has an error of a few eps. The ends of its arc then have
    // an error of a few eps / sqrt((z - low) (high - z)), whose integral over z is a few pi eps; on a circle
    // it is a few eps / radius. Products and sums of the other numbers add tens of eps
    const double eps = 0x1p-53;
    *error = 64 * eps * (double)(1 + exposed->cap.count);
    if (dimension == 2) {
        for (size_t k = 0; k < exposed->cap.count; ++k)
            *error += 8 * eps / exposed->cap.data[k].radius;
        add_moments(exposed, 0, 1, moment);
    } else {
        SCREE_TRY(divide(exposed));
        for (size_t k = 0; k + 1 < exposed->level.count; ++k)
            if (exposed->level.data[k] < exposed->level.data[k + 1])
                add_interval(exposed, exposed->level.data[k], exposed->level.data[k + 1], 0, moment, error);
        // the elements of three axes have errors of two eps each, and up to 27 products are added
        if (exposed->cap.count > 0)
            *error += 80 * eps * moment[0];
        turn_moments((const double(*)[3])axes, moment);
    }
    exposed->cap.count = 0;
    return SCREE_OK;
}
