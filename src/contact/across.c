// Forces between bodies and images, see across.h.

#include "contact/across.h"

#include "world/cell.h"

void scree_across_clear(struct scree_across *across)
{
    memset(across->sum, 0, sizeof across->sum);
    memset(across->count, 0, sizeof across->count);
}

// Adds the terms of column `j`.
static __attribute__((noinline)) void add_terms(struct scree_across *across, int j)
{
    for (int i = 0; i < 3; ++i)
        scree_sum_add_all(&across->sum[3 * i + j], across->term[j][i], across->count[j]);
    across->count[j] = 0;
}

void scree_across_merge(struct scree_across *across, struct scree_across *other)
{
    for (int j = 0; j < 3; ++j)
        add_terms(other, j);
    for (int k = 0; k < 9; ++k)
        scree_sum_merge(&across->sum[k], &other->sum[k]);
}

// Appends terms, without a branch, because the processor could not predict it.
static inline size_t append(struct scree_across *across, int j, size_t at, double x, double y, double z,
                            double periods)
{
    across->term[j][0][at] = x * periods;
    across->term[j][1][at] = y * periods;
    across->term[j][2][at] = z * periods;
    return at + (periods != 0);
}

// Makes room for `count` terms of column `j`.
static inline size_t reserve(struct scree_across *across, int j, size_t count)
{
    if (across->count[j] + count > SCREE_ACROSS_BLOCK)
        add_terms(across, j);
    return across->count[j];
}

void scree_across_add(struct scree_across *across, const double force[3], const double periods[3])
{
    for (int j = 0; j < 3; ++j)
        across->count[j] = append(across, j, reserve(across, j, 1), force[0], force[1], force[2], periods[j]);
}

void scree_across_visit(const struct scree_kernel_job *job, scree_kernel_lanes *term,
                        scree_kernel_lanes *periods, unsigned count)
{
    struct scree_across *across = job->across_context;
    for (int j = 0; j < 3; ++j) {
        size_t at = reserve(across, j, count);
        for (unsigned l = 0; l < count; ++l)
            at = append(across, j, at, term[0][l], term[1][l], term[2][l], periods[j][l]);
        across->count[j] = at;
    }
}

// Power of the cell through contacts with images.
static double power_of(const struct scree_lattice *lattice)
{
    const struct scree_mat3 rate =
        scree_mat3_product(scree_lattice_load(lattice->gradient), scree_lattice_load(lattice->vectors));
    double rates[9], power = 0;
    scree_lattice_store(rate, rates);
    for (int k = 0; k < 9; ++k)
        power += lattice->across[k] * rates[k];
    return power;
}

void scree_across_enter(struct scree_across *across, struct scree_world *world, double step)
{
    struct scree_lattice *lattice = scree_world_lattice(world);
    for (int j = 0; j < 3; ++j)
        add_terms(across, j);
    for (int k = 0; k < 9; ++k)
        lattice->across[k] = scree_sum_value(&across->sum[k]);
    const double power = power_of(lattice);
    lattice->work += 0.5 * step * (lattice->power + power);
    lattice->power = power;
}
