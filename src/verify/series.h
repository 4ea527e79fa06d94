// Means of a series of samples in time, and their standard errors from means of blocks. Blocks must be longer
// than the correlation time; a standard error from 16 of them has itself an error of 18 %.

#ifndef SCREE_VERIFY_SERIES_H
#define SCREE_VERIFY_SERIES_H

#include <math.h>
#include <stddef.h>

enum { SCREE_SERIES_BLOCKS = 16 };

struct scree_series {
    double sum[SCREE_SERIES_BLOCKS];
    size_t count[SCREE_SERIES_BLOCKS];
};

// Adds sample number `index` of `total`.
static inline void scree_series_add(struct scree_series *series, size_t index, size_t total, double value)
{
    const size_t block = index * SCREE_SERIES_BLOCKS / total;
    series->sum[block] += value;
    ++series->count[block];
}

static inline double scree_series_mean(const struct scree_series *series)
{
    double sum = 0;
    size_t count = 0;
    for (int b = 0; b < SCREE_SERIES_BLOCKS; ++b) {
        sum += series->sum[b];
        count += series->count[b];
    }
    return sum / (double)count;
}

static inline double scree_series_error(const struct scree_series *series)
{
    const double mean = scree_series_mean(series);
    double square = 0;
    for (int b = 0; b < SCREE_SERIES_BLOCKS; ++b) {
        const double difference = series->sum[b] / (double)series->count[b] - mean;
        square += difference * difference;
    }
    return sqrt(square / SCREE_SERIES_BLOCKS / (SCREE_SERIES_BLOCKS - 1));
}

// The straight line of weighted least squares through means with errors at `at`, at 0; and its standard
// error.
static inline void scree_series_extrapolate(const double *at, const double *means, const double *errors,
                                            int count, double *value, double *error)
{
    double w = 0, wt = 0, wtt = 0, wy = 0, wty = 0;
    for (int k = 0; k < count; ++k) {
        const double weight = 1 / (errors[k] * errors[k]);
        w += weight;
        wt += weight * at[k];
        wtt += weight * at[k] * at[k];
        wy += weight * means[k];
        wty += weight * at[k] * means[k];
    }
    const double determinant = w * wtt - wt * wt;
    *value = (wtt * wy - wt * wty) / determinant;
    *error = sqrt(wtt / determinant);
}

#endif
