// The T-handle, see handle.h.

#include "handle.h"

#include "jacobi.h"

struct scree_handle scree_handle_make(void)
{
    static const double pi = 3.14159265358979323846, density = 7850, radius = 0.004;
    static const double long_bar = 0.1, long_stem = 0.05;
    struct scree_handle handle;
    const double square = radius * radius, line = density * pi * square;
    const double bar = line * long_bar, stem = line * long_stem;
    // distance between the centres of bar and stem; the stem starts at the surface of the bar
    const double apart = radius + 0.5 * long_stem;
    handle.mass = bar + stem;
    const double steiner = bar * stem / handle.mass * apart * apart;
    const double bar_transverse = bar * (long_bar * long_bar / 12 + square / 4);
    const double stem_transverse = stem * (long_stem * long_stem / 12 + square / 4);
    handle.inertia[0] = 0.5 * bar * square + stem_transverse + steiner;
    handle.inertia[1] = bar_transverse + 0.5 * stem * square;
    handle.inertia[2] = bar_transverse + stem_transverse + steiner;
    return handle;
}

// The spin about the intermediate axis is zero twice per period, at equal intervals.
double scree_handle_flip(const struct scree_handle *handle, const double *body_spin, double *share)
{
    double complement;
    const double period = scree_jacobi_period(handle->inertia, body_spin, &complement);
    *share = complement * complement;
    return 0.5 * period;
}
