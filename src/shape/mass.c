// Mass properties of unions of spheres and disks, see scree/shape.h.
//
// Exact: by the divergence theorem, the integral of a homogeneous polynomial f of degree k over a body in d
// dimensions is that of f x.n over its surface, divided by d + k. On the exposed part of the sphere with
// centre c and radius R, x = c + R n, so all integrals follow from those of products of up to three
// components of n (exposed.h). Pebbles inside of other ones are left out first. Pebbles are sorted along the
// longest side of their box, so that each one is compared only with those that are near along it, the nearest
// first.

#include "shape/mass.h"

#include "base/memory.h"
#include "base/sort.h"
#include "math/eigen.h"
#include "math/quat.h"
#include "math/real.h"
#include "math/vec3.h"
#include "shape/exposed.h"

#include <math.h>
#include <string.h>

// Axes of the elements of a symmetric tensor: xx yy zz yz zx xy.
static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};

scree_status scree_shape_check(const struct scree_pebble *pebble, size_t pebbles, int dimension)
{
    if (dimension != 2 && dimension != 3)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the dimension must be 2 or 3, not %d", dimension);
    if (pebbles == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a shape needs at least one pebble");
    for (size_t p = 0; p < pebbles; ++p) {
        const double *at = pebble[p].offset;
        // the moments of inertia are of fifth power
        if (!(pebble[p].radius >= 1e-50 && pebble[p].radius <= 1e50))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the radius of pebble %zu must be from 1e-50 to 1e50 m, not %g", p + 1,
                                     pebble[p].radius);
        if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]))
            return scree_status_fail(SCREE_ERROR_ARGUMENT, "the centre of pebble %zu is not finite", p + 1);
        if (dimension == 2 && at[2] != 0)
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "in two dimensions a pebble is in the plane z = 0; pebble %zu has z = %g", p + 1, at[2]);
    }
    return SCREE_OK;
}

void scree_shape_bounds(const struct scree_pebble *pebble, size_t pebbles, double lower[3], double upper[3])
{
    for (int k = 0; k < 3; ++k) {
        lower[k] = (double)INFINITY;
        upper[k] = -(double)INFINITY;
        for (size_t p = 0; p < pebbles; ++p) {
            lower[k] = scree_real_min(lower[k], pebble[p].offset[k] - pebble[p].radius);
            upper[k] = scree_real_max(upper[k], pebble[p].offset[k] + pebble[p].radius);
        }
    }
}

void scree_shape_mass_frame(const double lower[3], const double upper[3],
                            struct scree_shape_integrals *integrals)
{
    integrals->size = 0;
    for (int k = 0; k < 3; ++k) {
        integrals->origin[k] = 0.5 * lower[k] + 0.5 * upper[k];
        integrals->size = scree_real_max(integrals->size, 0.5 * (upper[k] - lower[k]));
    }
}

// The values in units of the size.
static struct scree_shape_values normalised(const struct scree_shape_integrals *in)
{
    struct scree_shape_values values = {.volume = in->volume};
    double mean[6];
    for (int k = 0; k < 3; ++k)
        values.centre[k] = in->first[k] / in->volume;
    for (int k = 0; k < 6; ++k)
        mean[k] = in->second[k] / in->volume - values.centre[pair[k][0]] * values.centre[pair[k][1]];
    for (int k = 0; k < 3; ++k) {
        values.inertia[k] = mean[(k + 1) % 3] + mean[(k + 2) % 3];
        values.inertia[3 + k] = -mean[3 + k];
    }
    return values;
}

void scree_shape_mass_set(const struct scree_shape_integrals *in, int dimension,
                          struct scree_shape_mass *mass)
{
    struct scree_shape_values *value = &mass->value, *error = &mass->error;
    *value = normalised(in);
    double far = 0, second = 0;
    for (int k = 0; k < 3; ++k) {
        far = scree_real_max(far, fabs(value->centre[k]));
        second += fabs(in->second[k]) / in->volume;
    }
    const double size = in->size, unit = dimension == 2 ? size * size : size * size * size;
    // first-order propagation to the quotients, with a rounding of each
    const double relative = in->error[0] / in->volume, eps = 0x1p-53;
    const double centre = in->error[1] / in->volume + far * (relative + eps);
    const double moment = 2 * (in->error[2] / in->volume + second * (relative + 4 * eps) + 2 * far * centre);
    value->volume *= unit;
    error->volume = in->error[0] * unit;
    for (int k = 0; k < 6; ++k) {
        const bool flat = dimension == 2 && (k == 3 || k == 4);
        value->inertia[k] *= size * size;
        error->inertia[k] = flat ? 0 : moment * size * size;
    }
    for (int k = 0; k < 3; ++k) {
        error->centre[k] = dimension == 2 && k == 2 ? 0 : centre * size + eps * fabs(in->origin[k]);
        value->centre[k] = in->origin[k] + value->centre[k] * size;
    }
}

void scree_shape_principal(const double tensor[6], double moment[3], double axes[4])
{
    const double negligible = 1e-13 * (tensor[0] + tensor[1] + tensor[2]);
    memcpy(moment, tensor, 3 * sizeof *moment);
    memcpy(axes, (const double[4]){1, 0, 0, 0}, 4 * sizeof *axes);
    if (fabs(tensor[3]) < negligible && fabs(tensor[4]) < negligible && fabs(tensor[5]) < negligible)
        return;
    const struct scree_eigen eigen = scree_eigen_symmetric(scree_mat3_from_rows(
        scree_vec3_make(tensor[0], tensor[5], tensor[4]), scree_vec3_make(tensor[5], tensor[1], tensor[3]),
        scree_vec3_make(tensor[4], tensor[3], tensor[2])));
    scree_vec3_store(eigen.values, moment);
    scree_quat_store(scree_quat_normalise(scree_quat_from_matrix(eigen.vectors)), axes);
}

// --- exact

struct ball {
    double centre[3], radius;
};

static void offset_of(const struct ball *from, const struct ball *to, double offset[3])
{
    for (int k = 0; k < 3; ++k)
        offset[k] = to->centre[k] - from->centre[k];
}

static bool is_near(const struct ball *a, const struct ball *b)
{
    const double x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1],
                 z = a->centre[2] - b->centre[2], reach = a->radius + b->radius;
    return x * x + y * y + z * z <= reach * reach;
}

// Balls in ascending order along an axis.
struct row {
    struct ball *ball;
    size_t count;
    int axis;
    double largest; // radius
};

// Numbers below and above that of a ball, from the nearest one on, within a distance along the axis.
struct visit {
    size_t i, below, above; // `below` counts down to 0, `above` up to the number of balls
    double reach;
};

// Order and distance have round-off.
static struct visit visit_within(size_t i, double reach, const struct ball *ball)
{
    return (struct visit){i, i, i + 1, reach + 1e-9 * ball[i].radius};
}

// The next ball that may meet ball `visit->i`; false after the last.
static bool next_near(const struct row *row, struct visit *visit, size_t *other)
{
    const struct ball *ball = row->ball;
    const double at = ball[visit->i].centre[row->axis];
    for (;;) {
        const double down =
                         visit->below > 0 ? at - ball[visit->below - 1].centre[row->axis] : (double)INFINITY,
                     up = visit->above < row->count ? ball[visit->above].centre[row->axis] - at
                                                    : (double)INFINITY;
        if (down > visit->reach && up > visit->reach)
            return false;
        *other = down <= up ? --visit->below : visit->above++;
        if (is_near(&ball[visit->i], &ball[*other]))
            return true;
    }
}

// Drops the balls that are inside of another one.
static void drop_inner(struct row *row, bool *inner)
{
    double offset[3];
    size_t kept = 0, j;
    struct ball *ball = row->ball;
    for (size_t i = 0; i < row->count; ++i)
        for (struct visit visit = visit_within(i, row->largest - ball[i].radius, ball);
             !inner[i] && next_near(row, &visit, &j);) {
            offset_of(&ball[i], &ball[j], offset);
            inner[i] = scree_exposed_contains(offset, ball[i].radius, ball[j].radius, j < i);
        }
    for (size_t i = 0; i < row->count; ++i)
        if (!inner[i])
            ball[kept++] = ball[i];
    row->count = kept;
}

// The integral of the product of components a, b, c of n; -1 for none.
static double product(const double *moment, int a, int b, int c)
{
    int power[3] = {0};
    for (int k = 0; k < 3; ++k)
        power[k] = (a == k) + (b == k) + (c == k);
    return scree_exposed_moment(moment, power[0], power[1], power[2]);
}

// Adds the surface integrals of one sphere. `bound` is the error of each integral over normals.
static void add_sphere(const struct ball *ball, int dimension, const double *moment, double bound,
                       struct scree_shape_integrals *in)
{
    const double *c = ball->centre, r = ball->radius, area = dimension == 2 ? r : r * r;
    const double zeroth = product(moment, -1, -1, -1);
    double along[3],
        flux = r * zeroth; // flux is the integral of x.n, along those of x.n times components of n
    for (int a = 0; a < 3; ++a) {
        flux += c[a] * product(moment, a, -1, -1);
        along[a] = r * product(moment, a, -1, -1);
        for (int b = 0; b < 3; ++b)
            along[a] += c[b] * product(moment, a, b, -1);
    }
    in->volume += area / dimension * flux;
    for (int a = 0; a < 3; ++a)
        in->first[a] += area / (dimension + 1) * (c[a] * flux + r * along[a]);
    for (int k = 0; k < 6; ++k) {
        const int a = pair[k][0], b = pair[k][1];
        double both = r * product(moment, a, b, -1);
        for (int d = 0; d < 3; ++d)
            both += c[d] * product(moment, a, b, d);
        in->second[k] += area / (dimension + 2) *
                         (c[a] * c[b] * flux + r * (c[a] * along[b] + c[b] * along[a]) + r * r * both);
    }
    const double reach = fabs(c[0]) + fabs(c[1]) + fabs(c[2]) + r;
    in->error[0] += area / dimension * reach * bound;
    in->error[1] += area / (dimension + 1) * reach * reach * bound;
    in->error[2] += area / (dimension + 2) * reach * reach * reach * bound;
}

static scree_status integrate(const struct row *row, int dimension, struct scree_exposed *exposed,
                              struct scree_shape_integrals *in)
{
    double offset[3], moment[SCREE_EXPOSED_MOMENTS], bound;
    const struct ball *ball = row->ball;
    size_t j;
    for (size_t i = 0; i < row->count; ++i) {
        for (struct visit visit = visit_within(i, ball[i].radius + row->largest, ball);
             next_near(row, &visit, &j);) {
            offset_of(&ball[i], &ball[j], offset);
            SCREE_TRY(scree_exposed_add(exposed, offset, ball[i].radius, ball[j].radius));
        }
        SCREE_TRY(scree_exposed_integrate(exposed, dimension, moment, &bound));
        add_sphere(&ball[i], dimension, moment, bound, in);
    }
    return SCREE_OK;
}

// Fills `row->ball` with the pebbles in units of the size, sorted.
static scree_status fill_row(const struct scree_pebble *pebble, const struct scree_shape_integrals *in,
                             struct row *row)
{
    uint64_t *key;
    uint32_t *order = NULL;
    SCREE_TRY(scree_memory_new(row->count, sizeof *key, (void **)&key));
    scree_status status = scree_memory_new(row->count, sizeof *order, (void **)&order);
    // shifted to positive numbers, whose bits have the same order
    for (size_t p = 0; p < row->count && status == SCREE_OK; ++p)
        key[p] = scree_real_bits((pebble[p].offset[row->axis] - in->origin[row->axis]) / in->size + 2);
    if (status == SCREE_OK)
        status = scree_sort_order(key, row->count, order);
    for (size_t n = 0; n < row->count && status == SCREE_OK; ++n) {
        const struct scree_pebble *from = &pebble[order[n]];
        row->ball[n].radius = from->radius / in->size;
        row->largest = scree_real_max(row->largest, row->ball[n].radius);
        for (int k = 0; k < 3; ++k)
            row->ball[n].centre[k] = (from->offset[k] - in->origin[k]) / in->size;
    }
    scree_memory_free(order);
    scree_memory_free(key);
    return status;
}

scree_status scree_shape_mass_exact(const struct scree_pebble *pebble, size_t pebbles, int dimension,
                                    struct scree_shape_mass *mass)
{
    struct scree_shape_integrals in = {0};
    struct scree_exposed exposed;
    struct row row = {.count = pebbles};
    bool *inner = NULL;
    double lower[3], upper[3];
    SCREE_TRY(scree_shape_check(pebble, pebbles, dimension));
    scree_shape_bounds(pebble, pebbles, lower, upper);
    if (dimension == 2)
        lower[2] = upper[2] = 0;
    scree_shape_mass_frame(lower, upper, &in);
    for (int k = 1; k < 3; ++k)
        row.axis = upper[k] - lower[k] > upper[row.axis] - lower[row.axis] ? k : row.axis;
    SCREE_TRY(scree_memory_new(pebbles, sizeof *row.ball, (void **)&row.ball));
    scree_status status = scree_memory_new(pebbles, sizeof *inner, (void **)&inner);
    scree_exposed_init(&exposed);
    if (status == SCREE_OK)
        status = fill_row(pebble, &in, &row);
    if (status == SCREE_OK) {
        drop_inner(&row, inner);
        status = integrate(&row, dimension, &exposed, &in);
    }
    if (status == SCREE_OK)
        scree_shape_mass_set(&in, dimension, mass);
    scree_exposed_free(&exposed);
    scree_memory_free(inner);
    scree_memory_free(row.ball);
    return status;
}
