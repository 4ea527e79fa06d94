// Mass properties of unions of spheres and disks by a sum over random points, see scree/shape.h.
//
// The document (van Wachem) sums over the masses of small parts at r_i; here these are n random points of
// equal mass in the bounding box, of which those outside of the body have no mass. Its zz element lacks m_i.
// The standard error of a mean over N points inside is the deviation of one of them over sqrt(N), also for
// the elements of the tensor: its change with the centre of mass is of second order.

#include "base/random.h"
#include "base/status.h"
#include "math/real.h"
#include "shape/mass.h"

#include <math.h>

enum { STREAM = 0x4D61 };

struct sample {
    const struct scree_pebble *pebble;
    size_t pebbles;
    int dimension;
    double lower[3], edge[3], origin[3], size;
    struct scree_random_key key;
};

// Draws point number `i`, relative to the origin in units of the size; false if it is not in the body.
static bool draw(const struct sample *sample, uint64_t i, double x[3])
{
    double u[3], at[3];
    scree_random_fill(sample->key, i, 0, u, 3);
    for (int k = 0; k < 3; ++k) {
        at[k] = sample->lower[k] + sample->edge[k] * u[k];
        x[k] = (at[k] - sample->origin[k]) / sample->size;
    }
    for (size_t p = 0; p < sample->pebbles; ++p) {
        const struct scree_pebble *pebble = &sample->pebble[p];
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            const double d = (at[k] - pebble->offset[k]) / pebble->radius;
            square += d * d;
        }
        if (square <= 1)
            return true;
    }
    return false;
}

// Contributions of a point to the elements of the tensor.
static void tensor_of(const double d[3], double element[6])
{
    for (int k = 0; k < 3; ++k) {
        const double a = d[(k + 1) % 3], b = d[(k + 2) % 3];
        element[k] = a * a + b * b;
        element[3 + k] = -a * b;
    }
}

// Means and standard errors of the centre or the tensor over the points inside; `centre` null for the first.
static uint64_t average(const struct sample *sample, uint64_t samples, const double centre[3], int values,
                        double *mean, double *error)
{
    double sum[6] = {0}, square[6] = {0}, x[3], value[6];
    uint64_t inside = 0;
    for (uint64_t i = 0; i < samples; ++i) {
        if (!draw(sample, i, x))
            continue;
        ++inside;
        for (int k = 0; k < 3; ++k)
            value[k] = centre ? x[k] - centre[k] : x[k];
        if (centre)
            tensor_of((const double[3]){value[0], value[1], value[2]}, value);
        for (int k = 0; k < values; ++k) {
            sum[k] += value[k];
            square[k] += value[k] * value[k];
        }
    }
    const double n = (double)inside;
    for (int k = 0; k < values && inside > 1; ++k) {
        mean[k] = sum[k] / n;
        error[k] = sqrt(scree_real_max(square[k] / n - mean[k] * mean[k], 0) / (n - 1));
    }
    return inside;
}

scree_status scree_shape_mass_sampled(const struct scree_pebble *pebble, size_t pebbles, int dimension,
                                      uint64_t samples, uint64_t seed, struct scree_shape_mass *mass)
{
    struct sample sample = {pebble, pebbles, dimension, {0}, {0}, {0}, 0, {seed, STREAM}};
    struct scree_shape_integrals frame;
    double upper[3], box = 1, centre[6] = {0};
    *mass = (struct scree_shape_mass){0};
    SCREE_TRY(scree_shape_check(pebble, pebbles, dimension));
    scree_shape_bounds(pebble, pebbles, sample.lower, upper);
    if (dimension == 2)
        sample.lower[2] = upper[2] = 0;
    scree_shape_mass_frame(sample.lower, upper, &frame);
    for (int k = 0; k < 3; ++k) {
        sample.edge[k] = upper[k] - sample.lower[k];
        sample.origin[k] = frame.origin[k];
        box *= k < dimension ? sample.edge[k] : 1;
    }
    sample.size = frame.size;
    const uint64_t inside = average(&sample, samples, NULL, 3, centre, mass->error.centre);
    if (inside < 2)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "%llu of %llu random points are inside of the shape; at least 2 are needed: "
                                 "more points are required",
                                 (unsigned long long)inside, (unsigned long long)samples);
    average(&sample, samples, centre, 6, mass->value.inertia, mass->error.inertia);
    const double n = (double)samples, fraction = (double)inside / n;
    mass->value.volume = box * fraction;
    mass->error.volume = box * sqrt(fraction * (1 - fraction) / (n - 1));
    for (int k = 0; k < 3; ++k) {
        mass->value.centre[k] = sample.origin[k] + centre[k] * sample.size;
        mass->error.centre[k] *= sample.size;
    }
    for (int k = 0; k < 6; ++k) {
        mass->value.inertia[k] *= sample.size * sample.size;
        mass->error.inertia[k] *= sample.size * sample.size;
    }
    return SCREE_OK;
}
