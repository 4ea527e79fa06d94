// Summing pushes, see gather.h.

#include "engine/gather.h"

#include "motion/motion.h"

typedef float loss_float __attribute__((may_alias));

// how many entries ahead a record is called from memory
enum { AHEAD = 48 };

struct sum {
    scree_lanes force, moment;
    double loss[3];
};

// The first three of four lanes are the vector; the fourth carries what lies beside it, and is dropped at the
// end.
SCREE_MOTION_INLINE void add(struct sum *sum, const double *push, double sign, double radius, bool wide)
{
    const loss_float *pair = (const loss_float *)(const void *)(push + 3);
    sum->force += scree_lanes_all(sign) * scree_lanes_keep(scree_lanes_free[0], scree_lanes_load(push));
    sum->moment -=
        scree_lanes_all(radius - push[7]) * scree_lanes_keep(scree_lanes_free[0], scree_lanes_load(push + 4));
    sum->loss[0] += (double)pair[0];
    sum->loss[1] += (double)pair[1];
    if (wide) {
        sum->moment +=
            scree_lanes_all(sign) * scree_lanes_keep(scree_lanes_free[0], scree_lanes_load(push + 8));
        sum->loss[2] += push[11];
    }
}

SCREE_MOTION_INLINE void store(const struct scree_gather *gather, size_t i, const struct sum *sum)
{
    struct scree_losses *loss = &gather->loss[i];
    scree_lanes_store_three(sum->force, gather->wrench[i].force);
    scree_lanes_store_three(sum->moment, gather->wrench[i].moment);
    loss->friction += sum->loss[0];
    loss->dashpot += sum->loss[1];
    loss->inner += sum->loss[2];
}

SCREE_MOTION_INLINE void sum_rows(const struct scree_gather *gather, size_t first, size_t last, bool wide)
{
    static const double sign[2] = {1.0, -1.0};
    const uint32_t *row = gather->contacts->row;
    const double *const base[2] = {gather->push[0], gather->push[1]};
    const size_t width = wide ? 2 * SCREE_KERNEL_PUSH : SCREE_KERNEL_PUSH;
    for (size_t i = first; i < last; ++i) {
        struct sum sum = {0};
        const double radius = gather->grain[i].radius;
        const uint32_t end = gather->contacts->row_first[i + 1];
        for (uint32_t k = gather->contacts->row_first[i]; k < end; ++k) {
            const uint32_t entry = row[k], later = row[k + AHEAD];
            __builtin_prefetch(base[later >> 1 & 1] + width * (later >> 2));
            add(&sum, base[entry >> 1 & 1] + width * (entry >> 2), sign[entry & 1], radius, wide);
        }
        store(gather, i, &sum);
    }
}

SCREE_MOTION_WIDE static void sum_narrow(const struct scree_gather *gather, size_t first, size_t last)
{
    sum_rows(gather, first, last, false);
}

SCREE_MOTION_WIDE static void sum_wide(const struct scree_gather *gather, size_t first, size_t last)
{
    sum_rows(gather, first, last, true);
}

void scree_gather_contacts(const struct scree_gather *gather, size_t first, size_t last)
{
    if (gather->width == SCREE_KERNEL_PUSH)
        sum_narrow(gather, first, last);
    else
        sum_wide(gather, first, last);
}

void scree_gather_add(const struct scree_gather *gather, size_t i, const double *push)
{
    struct sum sum = {.force = scree_lanes_load(gather->wrench[i].force),
                      .moment = scree_lanes_load(gather->wrench[i].moment)};
    add(&sum, push, 1.0, gather->grain[i].radius, gather->width > SCREE_KERNEL_PUSH);
    store(gather, i, &sum);
}
