// Gases of hard spheres, see hard_gas.h.

#include "hard_gas.h"

#include "algebra.h"
#include "verify.h"

static const double pi = 3.14159265358979323846;

size_t scree_hard_gas_count(const struct scree_hard_gas *gas)
{
    const size_t cells = gas->dimension == 2 ? gas->side * gas->side : gas->side * gas->side * gas->side;
    return gas->fcc ? 4 * cells : cells;
}

static scree_status make_world(struct scree_trial *trial, const struct scree_hard_gas *gas, double edge)
{
    const bool flat = gas->dimension == 2;
    const struct scree_interaction_value values[] = {
        {"restitution", gas->restitution, NULL},
        {"friction", gas->rough ? 1e9 : 0, NULL},
        {"tangential-restitution", gas->rough ? gas->tangential : 0, NULL}};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.dimension = gas->dimension}));
    SCREE_TRY(scree_cell_set(trial->world, &(struct scree_cell_def){.upper = {edge, edge, flat ? 0 : edge},
                                                                    .periodic = {true, true, !flat}}));
    SCREE_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "grain", .density = flat ? 4 / pi : 6 / pi},
        &trial->material));
    return scree_interaction_add(
        trial->world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 3});
}

// Site number `b` of the lattice, in cells.
static void place(const struct scree_hard_gas *gas, size_t b, double site[3])
{
    static const double base[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    const size_t cell = gas->fcc ? b / 4 : b, side = gas->side,
                 at[3] = {cell % side, cell / side % side, cell / side / side};
    for (int k = 0; k < 3; ++k)
        site[k] = (double)at[k] + 0.25 + (gas->fcc ? base[b % 4][k] : 0.25);
}

static scree_status add(struct scree_trial *trial, const struct scree_hard_gas *gas, const double x[3],
                        const double v[3], const double spin[3])
{
    if (gas->dimension == 2) {
        const struct scree_disk_def disk = {.radius = 0.5,
                                            .thickness = 1,
                                            .material = trial->material,
                                            .position = {x[0], x[1]},
                                            .velocity = {v[0], v[1]},
                                            .spin = spin[2]};
        return scree_body_add_disk(trial->world, &disk, &trial->body);
    }
    struct scree_sphere_def sphere = {.radius = 0.5, .material = trial->material};
    memcpy(sphere.position, x, sizeof sphere.position);
    memcpy(sphere.velocity, v, sizeof sphere.velocity);
    memcpy(sphere.spin, spin, sizeof sphere.spin);
    return scree_body_add_sphere(trial->world, &sphere, &trial->body);
}

// Uniform numbers with the sum 0 and the variance 1 along each axis; collisions make them normal.
static double draw(const struct scree_hard_gas *gas, size_t b, size_t axis, const double mean[3])
{
    return sqrt(3) * (scree_algebra_draw(gas->seed, b, axis) - mean[axis]);
}

scree_status scree_hard_gas_begin(struct scree_trial *trial, const struct scree_hard_gas *gas)
{
    const size_t count = scree_hard_gas_count(gas), axes = (size_t)gas->dimension;
    const double body = gas->dimension == 2 ? pi / 4 : pi / 6,
                 edge = pow((double)count * body / gas->fraction, 1.0 / gas->dimension),
                 spacing = edge / (double)gas->side;
    double mean[3] = {0}, square = 0;
    SCREE_TRY(make_world(trial, gas, edge));
    SCREE_TRY(scree_world_reserve(trial->world, count));
    for (size_t b = 0; b < count; ++b)
        for (size_t k = 0; k < axes; ++k)
            mean[k] += scree_algebra_draw(gas->seed, b, k) / (double)count;
    for (size_t b = 0; b < count; ++b)
        for (size_t k = 0; k < axes; ++k)
            square += pow(draw(gas, b, k, mean), 2) / (double)(axes * (count - 1));
    for (size_t b = 0; b < count; ++b) {
        double x[3] = {0}, v[3] = {0}, spin[3] = {0};
        place(gas, b, x);
        for (size_t k = 0; k < 3; ++k) {
            x[k] *= spacing;
            v[k] = k < axes ? draw(gas, b, k, mean) / sqrt(square) : 0;
            // the moment of inertia of a sphere is 1/10
            spin[k] = sqrt(30 * gas->spin) * scree_algebra_draw(gas->seed, b, 3 + k);
        }
        SCREE_TRY(add(trial, gas, x, v, spin));
    }
    if (!gas->stochastic)
        return scree_event_create(trial->world, &(struct scree_event_def){.step = gas->step}, &trial->engine);
    struct scree_stochastic_def def = *gas->stochastic;
    def.step = gas->step;
    def.seed = gas->seed;
    return scree_stochastic_create(trial->world, &def, &trial->engine);
}

// Collisions of pairs; a collision with a fictitious partner counts for one body.
static scree_status count_pairs(struct scree_trial *trial, const struct scree_hard_gas *gas, uint64_t *pairs,
                                double *virial)
{
    struct scree_event_counts counts;
    SCREE_TRY(scree_event_get_counts(trial->engine, &counts));
    const bool alone = gas->stochastic && gas->stochastic->partner == SCREE_STOCHASTIC_FICTITIOUS;
    *pairs = alone ? counts.pairs / 2 : counts.pairs;
    *virial = counts.virial;
    return SCREE_OK;
}

scree_status scree_hard_gas_get(struct scree_trial *trial, const struct scree_hard_gas *gas,
                                struct scree_hard_gas_state *state)
{
    struct scree_energy energy;
    uint64_t pairs;
    double virial;
    const double freedoms = gas->dimension, count = (double)scree_hard_gas_count(gas);
    SCREE_TRY(scree_energy_get(trial->world, &energy));
    SCREE_TRY(count_pairs(trial, gas, &pairs, &virial));
    *state = (struct scree_hard_gas_state){.translation = 2 * energy.translation / (freedoms * (count - 1)),
                                           .rotation = 2 * energy.rotation / (3 * count),
                                           .time = scree_world_time(trial->world),
                                           .collisions = pairs,
                                           .virial = virial};
    return SCREE_OK;
}

scree_status scree_hard_gas_collide(struct scree_trial *trial, const struct scree_hard_gas *gas,
                                    double collisions)
{
    uint64_t pairs;
    double virial;
    SCREE_TRY(count_pairs(trial, gas, &pairs, &virial));
    const uint64_t last = pairs + (uint64_t)(0.5 * collisions * (double)scree_hard_gas_count(gas));
    while (pairs < last) {
        SCREE_TRY(scree_engine_run(trial->engine, 1));
        SCREE_TRY(count_pairs(trial, gas, &pairs, &virial));
    }
    return SCREE_OK;
}

double scree_hard_gas_pressure(int dimension, double fraction)
{
    // B_k / B_2^(k-1); the reduced density B_2 n is 4 or 2 times the fraction
    static const double spheres[10] = {1,         1,         0.625,     0.28694950, 0.11025160,
                                       0.0388819, 0.0130235, 0.0041832, 0.0013094,  0.0004035},
                        disks[10] = {1,         1,         0.782004436, 0.53223180, 0.33355604,
                                     0.1988425, 0.1148728, 0.0649930,   0.0362193,  0.0199537};
    double term[10], sum = 0;
    for (int k = 0; k < 10; ++k)
        term[k] = dimension == 3 ? ldexp(spheres[k], 2 * k) : ldexp(disks[k], k);
    // times (1 - f)^D, up to the power of the last term
    for (int factor = 0; factor < dimension; ++factor)
        for (int k = 9; k >= 1; --k)
            term[k] -= term[k - 1];
    for (int k = 9; k >= 0; --k)
        sum = sum * fraction + term[k];
    return sum / pow(1 - fraction, dimension);
}

double scree_hard_gas_rate(int dimension, double pressure, double temperature)
{
    return 2 * dimension * sqrt(temperature / pi) * (pressure - 1);
}
