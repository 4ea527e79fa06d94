// Predictions of collisions, see predict.h.

#include "event/predict.h"

#include <math.h>
#include <string.h>

// vectors are never passed in a call: these functions are inlined, so the calling convention does not matter
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double lanes8 __attribute__((vector_size(64)));
typedef double lanes8_of_record __attribute__((vector_size(64), may_alias));
typedef int64_t mask8 __attribute__((vector_size(64)));
typedef uint32_t index8_of_row __attribute__((vector_size(32), aligned(4), may_alias));
typedef double lanes4 __attribute__((vector_size(32)));
typedef double lanes4_of_record __attribute__((vector_size(32), may_alias));
typedef int64_t mask4 __attribute__((vector_size(32)));
typedef uint32_t index4_of_row __attribute__((vector_size(16), aligned(4), may_alias));

#define select_lanes(mask, yes, no) ((lanes_t)(((mask_t)(yes) & (mask)) | ((mask_t)(no) & ~(mask))))
#define pick_lanes(mask, yes, no) (((yes) & (mask)) | ((no) & ~(mask)))

#define SCREE_KERNEL_BODY "event/predict.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

const struct scree_event_search_set scree_event_search_sets[SCREE_KERNEL_SETS] = {
    {{scree_kernel_straight_v2, scree_kernel_falling_v2, scree_kernel_skewed_v2},
     {scree_kernel_near_v2, scree_kernel_near_falling_v2, scree_kernel_near_skewed_v2}},
#if SCREE_WIDE_SETS
    {{scree_kernel_straight_v3, scree_kernel_falling_v3, scree_kernel_skewed_v3},
     {scree_kernel_near_v3, scree_kernel_near_falling_v3, scree_kernel_near_skewed_v3}},
    {{scree_kernel_straight_v4, scree_kernel_falling_v4, scree_kernel_skewed_v4},
     {scree_kernel_near_v4, scree_kernel_near_falling_v4, scree_kernel_near_skewed_v4}},
#endif
};

double scree_event_pair_time(const struct scree_event_space *space, uint32_t body, uint32_t other, double now)
{
    const struct scree_flight *one = &space->flight[body], *two = &space->flight[other];
    const double later = two->time > one->time ? two->time : one->time;
    const double own = later - one->time, others = later - two->time, since = now - later;
    double d[3], u[3];
    for (int k = 0; k < 3; ++k) {
        const double g = space->falls ? space->gravity[k] : 0;
        const double here = space->falls ? one->velocity[k] + 0.5 * own * g : one->velocity[k],
                     there = space->falls ? two->velocity[k] + 0.5 * others * g : two->velocity[k];
        u[k] = space->falls ? (two->velocity[k] + others * g) - (one->velocity[k] + own * g) : there - here;
        const double apart = (two->position[k] + others * there) - (one->position[k] + own * here);
        d[k] = apart - space->period[k] * (((apart + since * u[k]) * space->inverse[k] + 6755399441055744.0) -
                                           6755399441055744.0);
    }
    if (space->skew.present)
        scree_event_skew_nearest(&space->skew, later, since, d, u);
    const double size = one->radius + two->radius;
    const double b = d[0] * u[0] + d[1] * u[1] + d[2] * u[2],
                 c = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - size * size;
    const double discriminant = b * b - (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * c;
    if (!(b < 0 && discriminant > 0))
        return (double)INFINITY;
    return later + (c > 0 ? c / (sqrt(discriminant) - b) : 0);
}
