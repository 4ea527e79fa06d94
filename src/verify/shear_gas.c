// A granular gas in uniform shear, see shear_gas.h.

#include "shear_gas.h"

#include "algebra.h"
#include "verify.h"

// Collisions of hard spheres between two samples are all counted; forces of contacts are those of a moment,
// so that soft spheres are sampled every few steps.
enum { SEED = 3, PHASES = 64, SOFT_EVERY = 16 };

static const double pi = 3.14159265358979323846, hard_step = 0.1;

double scree_shear_gas_contact_time(double stiffness)
{
    return pi / sqrt(2 * stiffness);
}

static scree_status make_world(struct scree_trial *trial, const struct scree_shear_gas *gas)
{
    const bool soft = gas->stiffness > 0;
    const struct scree_interaction_value values[] = {
        {"restitution", gas->restitution, NULL}, {"friction", 0, NULL}, {"stiffness", gas->stiffness, NULL}};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){0}));
    SCREE_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "grain", .density = 6 / pi}, &trial->material));
    return scree_interaction_add(
        trial->world, &(struct scree_interaction_def){
                          .law = soft ? "linear" : "hard", .values = values, .count = soft ? 3 : 2});
}

static scree_status add_grain(struct scree_trial *trial, const double position[3], const double velocity[3])
{
    struct scree_sphere_def grain = {.radius = 0.5, .material = trial->material};
    memcpy(grain.position, position, sizeof grain.position);
    memcpy(grain.velocity, velocity, sizeof grain.velocity);
    return scree_body_add_sphere(trial->world, &grain, &trial->body);
}

scree_status scree_shear_gas_restitution(struct scree_trial *trial, const struct scree_shear_gas *gas,
                                         double *restitution)
{
    const double step = scree_shear_gas_contact_time(gas->stiffness) / gas->steps, speed = 1e-3 / step;
    struct scree_body_state state[2 * PHASES];
    SCREE_TRY(make_world(trial, gas));
    for (int p = 0; p < PHASES; ++p) {
        const double gap = speed * step * (p + 0.5) / PHASES, still[3] = {0, 3.0 * p, 0},
                     other[3] = {1 + gap, 3.0 * p, 0}, rest[3] = {0}, moving[3] = {-speed, 0, 0};
        SCREE_TRY(add_grain(trial, still, rest));
        SCREE_TRY(add_grain(trial, other, moving));
    }
    SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = step}));
    SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(2 * gas->steps)));
    SCREE_TRY(scree_trial_states(trial, 2 * PHASES, state));
    double square = 0;
    for (int p = 0; p < PHASES; ++p) {
        const double away = (state[2 * p + 1].velocity[0] - state[2 * p].velocity[0]) / speed;
        square += away * away / PHASES;
    }
    *restitution = sqrt(square);
    return SCREE_OK;
}

// Grains on a lattice, with random velocities of the given temperature and the sum 0.
static scree_status add_grains(struct scree_trial *trial, size_t side, double spacing, double temperature)
{
    const size_t count = side * side * side;
    double mean[3] = {0}, square = 0;
    for (size_t g = 0; g < count; ++g)
        for (size_t k = 0; k < 3; ++k) {
            const double v = scree_algebra_draw(SEED, g, k);
            mean[k] += v / (double)count;
            square += v * v / (3 * (double)count);
        }
    const double scale = sqrt(temperature / (square - scree_algebra_dot(mean, mean, 3) / 3));
    for (size_t g = 0; g < count; ++g) {
        const size_t site[3] = {g % side, g / side % side, g / side / side};
        double position[3], velocity[3];
        for (size_t k = 0; k < 3; ++k) {
            position[k] = spacing * ((double)site[k] + 0.5);
            velocity[k] = scale * (scree_algebra_draw(SEED, g, k) - mean[k]);
        }
        SCREE_TRY(add_grain(trial, position, velocity));
    }
    return SCREE_OK;
}

static scree_status begin(struct scree_trial *trial, const struct scree_shear_gas *gas, double edge)
{
    static const double corner[3] = {0}, shear[9] = {0, 1};
    const double vectors[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    const double temperature =
        scree_enskog_navier_stokes(gas->fraction, gas->restitution).value[SCREE_ENSKOG_TEMPERATURE];
    SCREE_TRY(make_world(trial, gas));
    SCREE_TRY(scree_cell_set_vectors(trial->world, corner, vectors));
    SCREE_TRY(scree_cell_set_form(trial->world, SCREE_CELL_NEWTON));
    SCREE_TRY(add_grains(trial, gas->side, edge / (double)gas->side, temperature));
    SCREE_TRY(scree_cell_deform(trial->world, shear));
    if (gas->stiffness > 0)
        return scree_trial_start(
            trial, &(struct scree_soft_def){.step = scree_shear_gas_contact_time(gas->stiffness) / gas->steps,
                                            // fast ones overlap by many times the softness
                                            .alarms.overlap = 0.5});
    if (!gas->stochastic)
        return scree_event_create(trial->world, &(struct scree_event_def){.step = hard_step}, &trial->engine);
    struct scree_stochastic_def def = *gas->stochastic;
    def.step = hard_step;
    return scree_stochastic_create(trial->world, &def, &trial->engine);
}

// The stress of contacts now, or that of the collisions since `last`, compression positive.
static scree_status contact_stress(struct scree_trial *trial, const struct scree_shear_gas *gas,
                                   double volume, double last[9], double stress[9])
{
    if (gas->stiffness > 0) {
        SCREE_TRY(scree_measure_stress(trial->world, NULL, stress));
        for (int k = 0; k < 9; ++k)
            stress[k] = -stress[k];
        return SCREE_OK;
    }
    struct scree_event_counts counts;
    SCREE_TRY(scree_event_get_counts(trial->engine, &counts));
    for (int k = 0; k < 9; ++k) {
        stress[k] = (counts.impulses[k] - last[k]) / (volume * hard_step);
        last[k] = counts.impulses[k];
    }
    return SCREE_OK;
}

// Adds a sample of the longest waves along z.
static scree_status add_waves(struct scree_trial *trial, double count, double edge,
                              struct scree_shear_waves *waves)
{
    double real[2] = {0}, imaginary[2] = {0};
    for (uint64_t b = 1; b <= (uint64_t)count; ++b) {
        struct scree_body_state state;
        double velocity[3];
        SCREE_TRY(scree_body_get(trial->world, (scree_body_id){b}, &state));
        SCREE_TRY(scree_cell_fluctuation(trial->world, (scree_body_id){b}, velocity));
        const double angle = 2 * pi / edge * state.position[2];
        for (int k = 0; k < 2; ++k) {
            real[k] += velocity[k] * cos(angle);
            imaginary[k] += velocity[k] * sin(angle);
        }
    }
    waves->along += (real[0] * real[0] + imaginary[0] * imaginary[0]) / count;
    waves->product += (real[0] * real[1] + imaginary[0] * imaginary[1]) / count;
    return SCREE_OK;
}

scree_status scree_shear_gas_measure(struct scree_trial *trial, const struct scree_shear_gas *gas,
                                     struct scree_enskog_state *state, struct scree_shear_waves *waves)
{
    const bool soft = gas->stiffness > 0;
    const double count = pow((double)gas->side, 3), volume = count * pi / 6 / gas->fraction,
                 step = soft ? scree_shear_gas_contact_time(gas->stiffness) / gas->steps : hard_step;
    const size_t every = soft ? SOFT_EVERY : 1, total = (size_t)(gas->strain / step) / every;
    struct scree_enskog_sums sums = {0};
    double last[9] = {0}, contacts[9], kinetic[9];
    if (waves)
        *waves = (struct scree_shear_waves){0};
    SCREE_TRY(begin(trial, gas, cbrt(volume)));
    SCREE_TRY(scree_engine_run(trial->engine, total / 5 * every));
    SCREE_TRY(contact_stress(trial, gas, volume, last, contacts));
    for (size_t s = 0; s < total; ++s) {
        double trace = 0;
        SCREE_TRY(scree_engine_run(trial->engine, every));
        SCREE_TRY(contact_stress(trial, gas, volume, last, contacts));
        SCREE_TRY(scree_measure_kinetic_stress(trial->world, NULL, kinetic));
        for (int k = 0; k < 3; ++k) {
            trace -= kinetic[4 * k];
            scree_series_add(&sums.normal[k], s, total, contacts[4 * k] - kinetic[4 * k]);
        }
        scree_series_add(&sums.shear, s, total, kinetic[1] - contacts[1]);
        scree_series_add(&sums.temperature, s, total, trace * volume / (3 * (count - 1)));
        if (waves)
            SCREE_TRY(add_waves(trial, count, cbrt(volume), waves));
    }
    *state = scree_enskog_from(&sums);
    if (waves) {
        const double unit = (double)total * state->value[SCREE_ENSKOG_TEMPERATURE];
        *waves = (struct scree_shear_waves){waves->along / unit, waves->product / unit};
    }
    return SCREE_OK;
}
