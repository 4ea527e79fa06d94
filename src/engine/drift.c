// After a drift, see drift.h. Bodies are checked four at a time. The few that have just left the cell are
// wrapped one by one.

#include "engine/drift.h"

#include "motion/motion.h"

#include <float.h>
#include <math.h>

enum { GROUP = 4 };

#define DRIFT_INLINE static inline __attribute__((always_inline))

struct scree_drift scree_drift_begin(const struct scree_world *world, double limit)
{
    const struct scree_cell *cell = scree_world_cell(world);
    struct scree_drift drift = {.square_limit = limit * limit * (1 - 1e-12),
                                .periodic = scree_cell_is_periodic(world)};
    for (int k = 0; k < 4; ++k) {
        const bool periodic = k < 3 && cell->period[k] > 0;
        drift.lower[k] = periodic ? cell->lower[k] : -DBL_MAX;
        drift.upper[k] = periodic ? cell->upper[k] : (double)INFINITY;
        drift.period[k] = periodic ? cell->period[k] : (double)INFINITY;
    }
    return drift;
}

// Wraps the bodies of a group that are outside. Returns false if one of them cannot be wrapped.
static bool wrap(const struct scree_drift *drift, struct scree_grain *grain, struct scree_image *image,
                 size_t count)
{
    bool valid = true;
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            double *x = &grain[i].position[k];
            // along a non-periodic axis only values that are not finite are outside
            if (!(*x >= drift->lower[k] && *x < drift->upper[k]))
                valid = image &&
                        scree_cell_wrap_coordinate(drift->lower[k], drift->upper[k], drift->period[k], x,
                                                   &image[i].count[k]) &&
                        valid;
        }
    return valid;
}

DRIFT_INLINE scree_lanes_mask inside(const struct scree_drift *drift, const struct scree_grain *grain)
{
    const scree_lanes x = scree_lanes_load(grain->position);
    return (x >= scree_lanes_load(drift->lower)) & (x < scree_lanes_load(drift->upper));
}

// Squares of the components of the velocity, and in lane 3 of the radius.
DRIFT_INLINE scree_lanes squares(const struct scree_grain *grain)
{
    const scree_lanes components = __builtin_shufflevector(scree_lanes_load(grain->velocity),
                                                           scree_lanes_load(grain->position), 0, 1, 2, 7);
    return components * components;
}

struct result {
    scree_lanes fastest;
    scree_lanes_mask finite, far;
    bool valid;
};

// Squared speeds of a group, one body per lane after two shuffles.
DRIFT_INLINE void check_speeds(const struct scree_drift *drift, const struct scree_grain *grain,
                               struct result *result)
{
    const scree_lanes a = squares(grain), b = squares(grain + 1), c = squares(grain + 2),
                      d = squares(grain + 3);
    const scree_lanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                      cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const scree_lanes ab_next = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                      cd_next = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    const scree_lanes speed = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) +
                              __builtin_shufflevector(ab_next, cd_next, 0, 1, 4, 5) +
                              __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    const scree_lanes size = __builtin_shufflevector(ab_next, cd_next, 2, 3, 6, 7);
    result->fastest = scree_lanes_select(speed > result->fastest, speed, result->fastest);
    result->finite &= speed < scree_lanes_all((double)INFINITY);
    result->far |= (speed > scree_lanes_all(drift->square_limit) * size) & (size > scree_lanes_all(0));
}

DRIFT_INLINE void check_group(const struct scree_drift *drift, struct scree_grain *grain,
                              struct scree_image *image, size_t count, struct result *result)
{
    const scree_lanes_mask all =
        inside(drift, grain) & inside(drift, grain + 1) & inside(drift, grain + 2) & inside(drift, grain + 3);
    if (!(all[0] & all[1] & all[2]))
        result->valid = wrap(drift, grain, image, count) && result->valid;
    check_speeds(drift, grain, result);
}

SCREE_MOTION_WIDE static double check_all(const struct scree_drift *drift, struct scree_grain *grain,
                                          struct scree_image *image, size_t count, bool *far)
{
    struct result result = {{0, 0, 0, 0}, {-1, -1, -1, -1}, {0, 0, 0, 0}, true};
    size_t i = 0;
    for (; i + GROUP <= count; i += GROUP)
        check_group(drift, grain + i, image ? image + i : NULL, GROUP, &result);
    if (i < count) {
        // the last bodies, in a group padded with copies of one of them
        struct scree_grain rest[GROUP];
        for (size_t g = 0; g < GROUP; ++g)
            rest[g] = grain[i + g < count ? i + g : i];
        check_group(drift, rest, image ? image + i : NULL, count - i, &result);
        memcpy(grain + i, rest, (count - i) * sizeof *rest);
    }
    double largest = 0;
    for (size_t g = 0; g < GROUP; ++g) {
        largest = result.fastest[g] > largest ? result.fastest[g] : largest;
        result.valid = result.valid && result.finite[g];
        *far = *far || result.far[g];
    }
    return result.valid ? largest : (double)NAN;
}

bool scree_drift_wrap(const struct scree_drift *drift, struct scree_grain *grain, struct scree_image *image)
{
    return wrap(drift, grain, drift->periodic ? image : NULL, 1);
}

double scree_drift_end(const struct scree_drift *drift, struct scree_grain *grain, struct scree_image *image,
                       size_t count, bool *far)
{
    return check_all(drift, grain, drift->periodic ? image : NULL, count, far);
}
