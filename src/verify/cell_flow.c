// Dense flows in simple shear at a constant normal stress: friction and solid fraction against published
// curves.
//
// Units: mean diameter, mass of a grain of this diameter, and normal stress (yy, across the shear) are 1; in
// two dimensions I = rate (m / p)^(1/2), in three I = rate (m / (d p))^(1/2) is then the shear rate. The
// stiffness number is the spring over these units. The servo sets the rate along y; the cell keeps its edges
// along x and z. Friction is the mean of shear stress over that of normal stress, both with fluctuations.
//
// Disks: F. da Cruz, S. Emam, M. Prochnow, J.-N. Roux, F. Chevoir, Phys. Rev. E 72, 021309 (2005): uniform
// diameters within 20 %, friction 0.4, tangential over normal stiffness 0.5, stiffness number 10^4:
//     mu = 0.25 + 1.1 I,   phi = 0.81 - 0.3 I,
// straight lines through points that scatter, from about 0.01 to 0.3. Below, friction becomes constant.
//
// Spheres without friction: P.-E. Peyneau, J.-N. Roux, Phys. Rev. E 78, 011307 (2008): equal sizes,
//     mu = 0.100 + c I^a,   1 / phi = 1 / 0.64 + b I^a,   a = 0.39.

#include "algebra.h"
#include "cell.h"
#include "series.h"
#include "verify.h"

#include <math.h>

enum { SEED = 17, MOST = 6, EVERY = 10 };

static const double pi = 3.14159265358979323846, steps_per_contact = 24;

struct flow {
    int dimension;
    size_t side; // of the square or cube of grains
    double friction, restitution, stiffness;
    double spread, fraction; // largest deviation of a diameter; fraction of the lattice
    // inertial numbers and the strains in which they are measured, after two fifths of that; 0 ends
    struct {
        double inertial, strain;
    } point[MOST];
};

struct state {
    double friction, fraction, friction_error, fraction_error, normal_error;
    double normal[3], contacts; // normal stresses, contacts per grain
};

// --- the engine

static double volume_of(const struct flow *flow, double diameter)
{
    return flow->dimension == 2 ? pi / 4 * diameter * diameter : pi / 6 * diameter * diameter * diameter;
}

static scree_status make_world(struct scree_trial *trial, const struct flow *flow, double edge)
{
    static const double corner[3] = {0};
    const double vectors[9] = {edge, 0, 0, 0, edge, 0, 0, 0, flow->dimension == 2 ? 1 : edge};
    const struct scree_interaction_value values[] = {{"stiffness", flow->stiffness, NULL},
                                                     {"friction", flow->friction, NULL},
                                                     {"restitution", flow->restitution, NULL},
                                                     {"stiffness-tangential", 0.5 * flow->stiffness, NULL}};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.dimension = flow->dimension}));
    SCREE_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "grain", .density = 1 / volume_of(flow, 1)},
        &trial->material));
    SCREE_TRY(scree_interaction_add(
        trial->world, &(struct scree_interaction_def){
                          .law = "linear", .values = values, .count = flow->friction > 0 ? 4 : 3}));
    SCREE_TRY(scree_cell_set_vectors(trial->world, corner, vectors));
    return scree_cell_set_form(trial->world, SCREE_CELL_NEWTON);
}

// Grains near the sites of a lattice; `solid` receives their volume.
static scree_status begin(struct scree_trial *trial, const struct flow *flow, double *solid)
{
    const size_t side = flow->side, count = side * side * (flow->dimension == 2 ? 1 : side);
    const double spacing = pow(volume_of(flow, 1) / flow->fraction, 1.0 / flow->dimension);
    SCREE_TRY(make_world(trial, flow, spacing * (double)side));
    *solid = 0;
    for (size_t g = 0; g < count; ++g) {
        const size_t site[3] = {g % side, g / side % side, g / side / side};
        const double diameter = 1 + flow->spread * scree_algebra_draw(SEED, g, 3);
        double x[3];
        for (size_t k = 0; k < 3; ++k)
            x[k] = spacing * ((double)site[k] + 0.5 + 0.1 * scree_algebra_draw(SEED, g, k));
        *solid += volume_of(flow, diameter);
        SCREE_TRY(scree_trial_add_round(trial, 0.5 * diameter, x, 0));
    }
    return scree_trial_start(
        trial, &(struct scree_soft_def){.step = pi / sqrt(2 * flow->stiffness) / steps_per_contact,
                                        .alarms.policy[SCREE_ALARM_OVERLAP] = SCREE_ALARM_IGNORE});
}

struct sums {
    struct scree_series normal[3], shear, fraction, contacts;
};

static scree_status sample(struct scree_trial *trial, struct sums *sums, double solid, size_t index,
                           size_t total)
{
    struct scree_cell_servo_state servo;
    struct scree_cell_state cell;
    struct scree_measure_coordination_numbers numbers;
    SCREE_TRY(scree_cell_get_servo(trial->world, &servo));
    SCREE_TRY(scree_cell_get_state(trial->world, &cell));
    for (int k = 0; k < 3; ++k)
        scree_series_add(&sums->normal[k], index, total, servo.measured[4 * k]);
    scree_series_add(&sums->shear, index, total, -servo.measured[1]);
    scree_series_add(&sums->fraction, index, total, solid / cell.volume);
    if (index % 16)
        return SCREE_OK;
    SCREE_TRY(scree_measure_coordination(trial->world, NULL, &numbers));
    scree_series_add(&sums->contacts, index, total, numbers.mean);
    return SCREE_OK;
}

static scree_status shear(struct scree_trial *trial, double inertial, double strain, double solid,
                          struct state *state)
{
    const double gradient[9] = {0, inertial};
    const struct scree_cell_servo_def servo = {
        .controlled = {[4] = true}, .stress = {[4] = 1}, .rate = inertial, .every = EVERY};
    struct sums sums = {0};
    double step;
    SCREE_TRY(scree_cell_deform(trial->world, gradient));
    SCREE_TRY(scree_cell_set_servo(trial->world, &servo));
    SCREE_TRY(scree_engine_step(trial->engine, &step));
    const size_t total = (size_t)(strain / inertial / step) / EVERY;
    SCREE_TRY(scree_engine_run(trial->engine, total * 2 / 5 * EVERY));
    for (size_t s = 0; s < total; ++s) {
        SCREE_TRY(scree_engine_run(trial->engine, EVERY));
        SCREE_TRY(sample(trial, &sums, solid, s, total));
    }
    *state = (struct state){.fraction = scree_series_mean(&sums.fraction),
                            .fraction_error = scree_series_error(&sums.fraction),
                            .normal_error = scree_series_error(&sums.normal[1]),
                            .contacts = scree_series_mean(&sums.contacts)};
    for (int k = 0; k < 3; ++k)
        state->normal[k] = scree_series_mean(&sums.normal[k]);
    state->friction = scree_series_mean(&sums.shear) / state->normal[1];
    state->friction_error = scree_series_error(&sums.shear) / state->normal[1];
    return SCREE_OK;
}

static scree_status measure(struct scree_trial *trial, const struct flow *flow, struct state *state,
                            int *count)
{
    double solid;
    SCREE_TRY(begin(trial, flow, &solid));
    for (*count = 0; *count < MOST && flow->point[*count].inertial > 0; ++*count) {
        const double inertial = flow->point[*count].inertial;
        struct state *here = &state[*count];
        SCREE_TRY(shear(trial, inertial, flow->point[*count].strain, solid, here));
        scree_report_near(trial, 1, here->normal[1], 0.01 + 3 * here->normal_error,
                          "I = %g: normal stress (+- %.2g)", inertial, here->normal_error);
        scree_report_unchecked(trial, here->normal[1], here->normal[0], "I = %g: normal stress xx", inertial);
        scree_report_unchecked(trial, 0, here->contacts, "I = %g: contacts per grain", inertial);
    }
    return SCREE_OK;
}

// --- comparisons

// Points of friction and fraction on published curves; published points, and curves of several authors, are
// within 0.03 and 0.01 of each other.
static void compare(struct scree_trial *trial, double inertial, double friction, double fraction,
                    const struct state *state)
{
    scree_report_near(trial, friction, state->friction, 0.03 + 3 * state->friction_error,
                      "I = %g: friction (+- %.2g)", inertial, state->friction_error);
    scree_report_near(trial, fraction, state->fraction, 0.01 + 3 * state->fraction_error,
                      "I = %g: solid fraction (+- %.2g)", inertial, state->fraction_error);
}

static scree_status run_disks(struct scree_trial *trial, const struct flow *flow)
{
    struct state state[MOST];
    int count;
    SCREE_TRY(measure(trial, flow, state, &count));
    for (int p = 0; p < count; ++p) {
        const double inertial = flow->point[p].inertial;
        compare(trial, inertial, 0.25 + 1.1 * inertial, 0.81 - 0.3 * inertial, &state[p]);
    }
    return SCREE_OK;
}

// The value at x = 0 of the line of least squares, and its error by those of the points.
static void extrapolate(const double *x, const double *y, const double *error, int count, double result[2])
{
    double mean = 0, square = 0, variance = 0, value = 0;
    for (int p = 0; p < count; ++p)
        mean += x[p] / count;
    for (int p = 0; p < count; ++p)
        square += (x[p] - mean) * (x[p] - mean);
    for (int p = 0; p < count; ++p) {
        const double weight = 1.0 / count - mean * (x[p] - mean) / square;
        value += weight * y[p];
        variance += weight * weight * error[p] * error[p];
    }
    result[0] = value;
    result[1] = sqrt(variance);
}

static scree_status run_smooth_spheres(struct scree_trial *trial, const struct flow *flow)
{
    struct state state[MOST];
    int count, used = 0;
    double x[MOST], friction[MOST], volume[MOST], error[2][MOST], limit[2];
    SCREE_TRY(measure(trial, flow, state, &count));
    for (int p = 0; p < count; ++p) {
        scree_report_unchecked(trial, 0, state[p].friction, "I = %g: friction (+- %.2g)",
                               flow->point[p].inertial, state[p].friction_error);
        scree_report_unchecked(trial, 0, state[p].fraction, "I = %g: solid fraction (+- %.2g)",
                               flow->point[p].inertial, state[p].fraction_error);
        if (flow->point[p].inertial > 0.05)
            continue;
        x[used] = pow(flow->point[p].inertial, 0.39);
        friction[used] = state[p].friction;
        volume[used] = 1 / state[p].fraction;
        error[0][used] = state[p].friction_error;
        error[1][used++] = state[p].fraction_error / (state[p].fraction * state[p].fraction);
    }
    extrapolate(x, friction, error[0], used, limit);
    // published: an angle of 5.76 +- 0.22 degrees
    scree_report_near(trial, tan(5.76 * pi / 180), limit[0], tan(0.22 * pi / 180) + 3 * limit[1],
                      "friction at I = 0 (+- %.2g)", limit[1]);
    extrapolate(x, volume, error[1], used, limit);
    scree_report_near(trial, 0.64, 1 / limit[0], 0.005 + 3 * limit[1] * 0.64 * 0.64,
                      "solid fraction at I = 0 (+- %.2g)", limit[1] / (limit[0] * limit[0]));
    return SCREE_OK;
}

scree_status scree_cell_flow(struct scree_trial *trial)
{
    static const struct flow disks = {2, 20, 0.4, 0.5, 1e4, 0.2, 0.7, {{0.2, 4}}};
    return run_disks(trial, &disks);
}

scree_status scree_cell_long_disks(struct scree_trial *trial)
{
    static const struct flow disks = {
        2,   45,  0.4, 0.5,
        1e4, 0.2, 0.6, {{0.3, 10}, {0.1, 8}, {0.03, 5}, {0.01, 3}, {0.003, 1.5}, {0.001, 1}}};
    return run_disks(trial, &disks);
}

scree_status scree_cell_long_spheres(struct scree_trial *trial)
{
    static const struct flow spheres = {
        3, 13, 0, 0.5, 1e4, 0, 0.45, {{0.3, 6}, {0.1, 5}, {0.03, 3}, {0.01, 2}, {0.003, 1.2}, {0.001, 0.8}}};
    return run_smooth_spheres(trial, &spheres);
}
