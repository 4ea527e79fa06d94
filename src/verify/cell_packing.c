// A packing in simple shear to a strain of 100: the contacts must be those of all pairs and images, while the
// cell takes shorter vectors of its lattice every unit of strain.
//
// The reference compares every pair of grains at all images up to two periods away along each cell vector. In
// a cell whose vectors are as short as here, the nearest image is among them.

#include "algebra.h"
#include "cell.h"
#include "verify.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 5, GRAINS = SIDE * SIDE * SIDE, CONTACTS = 20 * GRAINS, SEED = 5 };

// 0.01 per step
static const double step = 2e-3, rate = 5, radius = 0.105;

static scree_status begin(struct scree_trial *trial)
{
    static const double corner[3] = {0.1, -0.2, 0.3}, cube[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        shear[9] = {0, rate, 0, 0, 0, 0, 0, 0, 0};
    const struct scree_interaction_value values[] = {
        {"stiffness", 1e4, NULL}, {"friction", 0.5, NULL}, {"restitution", 0.5, NULL}};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){0}));
    SCREE_TRY(scree_material_add(trial->world, &(struct scree_material_def){.name = "grain", .density = 1000},
                                 &trial->material));
    SCREE_TRY(scree_interaction_add(
        trial->world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    SCREE_TRY(scree_cell_set_vectors(trial->world, corner, cube));
    for (uint64_t g = 0; g < GRAINS; ++g) {
        const uint64_t site[3] = {g % SIDE, g / SIDE % SIDE, g / SIDE / SIDE};
        struct scree_sphere_def grain = {.radius = radius * (1 - 0.2 * fabs(scree_algebra_draw(SEED, g, 3))),
                                         .material = trial->material};
        for (uint64_t k = 0; k < 3; ++k)
            grain.position[k] =
                corner[k] + ((double)site[k] + 0.5 + 0.1 * scree_algebra_draw(SEED, g, k)) / SIDE;
        SCREE_TRY(scree_body_add_sphere(trial->world, &grain, &trial->body));
    }
    SCREE_TRY(scree_cell_deform(trial->world, shear));
    return scree_trial_start(
        trial,
        &(struct scree_soft_def){.step = step, .alarms.policy[SCREE_ALARM_OVERLAP] = SCREE_ALARM_IGNORE});
}

// The distance of the nearest images of two bodies.
static double distance(const struct scree_cell_state *cell, const double *a, const double *b)
{
    double least = (double)INFINITY;
    for (int i = -2; i <= 2; ++i)
        for (int j = -2; j <= 2; ++j)
            for (int k = -2; k <= 2; ++k) {
                double d[3];
                for (int r = 0; r < 3; ++r)
                    d[r] = a[r] - b[r] + i * cell->vectors[r] + j * cell->vectors[3 + r] +
                           k * cell->vectors[6 + r];
                least = fmin(least, scree_algebra_dot(d, d, 3));
            }
    return sqrt(least);
}

// Counts pairs that are listed although they do not overlap, or overlap although they are not listed, and
// finds the largest error of an overlap.
static scree_status count_wrong(const struct scree_trial *trial, size_t *wrong, size_t *contacts,
                                double *error)
{
    static struct scree_body_state grain[GRAINS];
    static struct scree_contact list[CONTACTS];
    struct scree_cell_state cell;
    size_t count, next = 0;
    SCREE_TRY(scree_trial_states(trial, GRAINS, grain));
    SCREE_TRY(scree_cell_get_state(trial->world, &cell));
    SCREE_TRY(scree_contact_list(trial->world, list, CONTACTS, &count));
    for (uint64_t a = 0; a < GRAINS; ++a)
        for (uint64_t b = a + 1; b < GRAINS; ++b) {
            const double overlap =
                grain[a].radius + grain[b].radius - distance(&cell, grain[a].position, grain[b].position);
            const bool listed =
                next < count && list[next].body[0].value == a + 1 && list[next].body[1].value == b + 1;
            // overlaps at round-off may be listed or not
            if (fabs(overlap) > 1e-12)
                *wrong += listed != (overlap > 0);
            if (listed)
                *error = scree_report_larger(*error, fabs(list[next++].overlap - overlap));
        }
    *wrong += next != count;
    *contacts += count;
    return SCREE_OK;
}

scree_status scree_cell_long_shear(struct scree_trial *trial)
{
    // strains of 0.73 between checks, so that these see cells of many shapes
    enum { CHECKS = 137, STEPS = 73 };
    size_t wrong = 0, contacts = 0;
    double error = 0, longest = 0;
    SCREE_TRY(begin(trial));
    for (int c = 0; c < CHECKS; ++c) {
        struct scree_cell_state cell;
        SCREE_TRY(scree_engine_run(trial->engine, STEPS));
        SCREE_TRY(count_wrong(trial, &wrong, &contacts, &error));
        SCREE_TRY(scree_cell_get_state(trial->world, &cell));
        for (int v = 0; v < 3; ++v)
            longest = fmax(longest, scree_algebra_norm(&cell.vectors[3 * v], 3));
    }
    struct scree_cell_state cell;
    SCREE_TRY(scree_cell_get_state(trial->world, &cell));
    // 10,000 steps with round-off of up to 100
    scree_report_near(trial, rate * step * STEPS * CHECKS, cell.deformation[1], 1e-9, "shear");
    scree_report_near(trial, 1, cell.volume, 1e-10, "volume");
    // a vector of length sqrt(1 + s^2) is replaced at the latest where it is sqrt(1 / 0.9) of (s - 1, 1)
    scree_report_at_most(trial, sqrt(1 + 0.57 * 0.57), longest, "longest cell vector");
    scree_report_zero(trial, wrong, "contacts that are missing or superfluous");
    scree_report_at_most(trial, 1e-13, error, "largest error of an overlap");
    // a check that cannot fail needs contacts; a dense flow has more than one per grain
    scree_report_zero(trial, contacts < CHECKS * GRAINS, "too few contacts");
    return SCREE_OK;
}
