// Means of a number over several gases, and their standard errors.

#ifndef SCREE_VERIFY_GAS_SAMPLE_H
#define SCREE_VERIFY_GAS_SAMPLE_H

#include <math.h>

struct scree_gas_sample {
    double count, sum, square;
};

static inline void scree_gas_sample_add(struct scree_gas_sample *sample, double value)
{
    sample->count += 1;
    sample->sum += value;
    sample->square += value * value;
}

static inline double scree_gas_sample_mean(const struct scree_gas_sample *sample)
{
    return sample->sum / sample->count;
}

static inline double scree_gas_sample_error(const struct scree_gas_sample *sample)
{
    const double mean = scree_gas_sample_mean(sample),
                 variance = sample->square / sample->count - mean * mean;
    return sqrt((variance > 0 ? variance : 0) / (sample->count - 1));
}

#endif
