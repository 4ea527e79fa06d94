// Work of a cell that deforms through contact forces on bodies, see mean_power.h.

#include "engine/mean_power.h"

#include "base/memory.h"

#include <string.h>

scree_status scree_mean_power_begin(struct scree_mean_power *power, const struct scree_team *team)
{
    power->threads = scree_team_size(team);
    return scree_memory_new((size_t)power->threads, sizeof *power->of_thread, (void **)&power->of_thread);
}

void scree_mean_power_end(struct scree_mean_power *power)
{
    scree_memory_free(power->of_thread);
    *power = (struct scree_mean_power){0};
}

void scree_mean_power_clear(struct scree_mean_power *power)
{
    for (int t = 0; t < power->threads; ++t) {
        struct scree_mean_power_sums *sums = &power->of_thread[t];
        sums->open = sums->accounted = (struct scree_sum){0};
        sums->count = 0;
    }
}

static void add_waiting(struct scree_mean_power_sums *sums)
{
    scree_sum_add_all(&sums->open, sums->waiting, sums->count);
    sums->count = 0;
}

void scree_mean_power_add(struct scree_mean_power *power, int thread, const double *value, size_t count,
                          const uint64_t *accounted)
{
    struct scree_mean_power_sums *sums = &power->of_thread[thread];
    uint64_t any = 0;
    for (size_t k = 0; k < (count + 63) / 64; ++k)
        any |= accounted[k];
    if (!any) {
        if (sums->count + count > SCREE_MEAN_POWER_BLOCK)
            add_waiting(sums);
        memcpy(sums->waiting + sums->count, value, count * sizeof *value);
        sums->count += count;
        return;
    }
    for (size_t i = 0; i < count; ++i)
        scree_sum_add(accounted[i / 64] >> i % 64 & 1 ? &sums->accounted : &sums->open, value[i]);
}

void scree_mean_power_enter(struct scree_mean_power *power, struct scree_lattice *lattice, double last,
                            double next)
{
    struct scree_mean_power_sums *all = &power->of_thread[0];
    add_waiting(all);
    for (int t = 1; t < power->threads; ++t) {
        add_waiting(&power->of_thread[t]);
        scree_sum_merge(&all->open, &power->of_thread[t].open);
        scree_sum_merge(&all->accounted, &power->of_thread[t].accounted);
    }
    lattice->work -= 0.5 * last * scree_sum_value(&all->open);
    scree_sum_merge(&all->open, &all->accounted);
    lattice->work -= 0.5 * next * scree_sum_value(&all->open);
}
