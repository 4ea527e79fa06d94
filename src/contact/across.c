// Forces between bodies and images, see across.h.

#include "contact/across.h"

#include "world/cell.h"

void scree_across_clear(struct scree_across *across)
{
    memset(across->sum, 0, sizeof across->sum);
    memset(across->count, 0, sizeof across->count);
}

static void add_terms(struct scree_across *across, int k)
{
    scree_sum_add_all(&across->sum[k], across->term[k], across->count[k]);
    across->count[k] = 0;
}

void scree_across_merge(struct scree_across *across, struct scree_across *other)
{
    for (int k = 0; k < 9; ++k) {
        add_terms(other, k);
        scree_sum_merge(&across->sum[k], &other->sum[k]);
    }
}

void scree_across_add(struct scree_across *across, const double force[3], const double periods[3])
{
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3 && periods[j] != 0; ++i) {
            const int k = 3 * i + j;
            across->term[k][across->count[k]++] = force[i] * periods[j];
            if (across->count[k] == SCREE_ACROSS_BLOCK)
                add_terms(across, k);
        }
}

void scree_across_visit(const struct scree_kernel_job *job, scree_kernel_lanes *term,
                        scree_kernel_lanes *periods, unsigned count)
{
    for (unsigned l = 0; l < count; ++l)
        scree_across_add((struct scree_across *)job->across_context,
                         (const double[3]){term[0][l], term[1][l], term[2][l]},
                         (const double[3]){periods[0][l], periods[1][l], periods[2][l]});
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
    for (int k = 0; k < 9; ++k) {
        add_terms(across, k);
        lattice->across[k] = scree_sum_value(&across->sum[k]);
    }
    const double power = power_of(lattice);
    lattice->work += 0.5 * step * (lattice->power + power);
    lattice->power = power;
}
