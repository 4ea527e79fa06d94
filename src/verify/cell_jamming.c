// Jamming without friction: packings that lose their pressure as the cell expands isotropically.
//
// C. S. O'Hern, L. E. Silbert, A. J. Liu, S. R. Nagel, Phys. Rev. E 68, 011306 (2003): half of the grains
// are 1.4 times as large as the others, forces are linear springs. Random positions at a high solid fraction
// come to rest; then the cell expands in small steps, with rest after each, while the pressure goes to 0 at
// the fraction phi_J:
//     p ~ (phi - phi_J),   Z - Z_iso ~ p^(1/2) ~ (phi - phi_J)^(1/2).
// The law of Z and p is that of C. P. Goodrich, A. J. Liu, S. R. Nagel, Phys. Rev. Lett. 109, 095704 (2012).
// More contacts make a packing stiffer, so p / (phi - phi_J) grows with Z, by a fifth over the distances
// here, and the power in the distance is larger by half of log(1.2) / log(40), 0.025.
//
// Z is the mean number of contacts of grains that are not loose (with at most d contacts of such grains,
// removed again and again). N of them are rigid with N d - d + 1 contacts at least: d N equilibrium
// conditions, less d for the whole, and a pressure; so Z_iso = 2 d - (2 d - 2) / N.
//
// Units: the diameter of the small grains, the stiffness, and the mass per volume of a small grain.

#include "algebra.h"
#include "cell.h"
#include "verify.h"

#include <math.h>

enum { SEED = 31, MOST = 12, GRAINS = 4096 };

static const double pi = 3.14159265358979323846, ratio = 1.4, step = 0.15;

struct jamming {
    int dimension;
    size_t count;
    int packings, states;        // states per packing
    double dense, published;     // solid fraction of the first state, and of jamming
    double power_error;          // of the power in p
    double factor, factor_error; // of Z - Z_iso over the root of the distance, published
    double shrink;               // of the distance to jamming, per expansion
    double rest;                 // ratio of unbalanced forces that counts as rest
};

struct state {
    double fraction, pressure, excess; // Z - Z_iso
    double loose;
};

static double volume_of(const struct jamming *jamming, size_t grain)
{
    return pow(grain % 2 ? ratio : 1, jamming->dimension) * (jamming->dimension == 2 ? pi / 4 : pi / 6);
}

static scree_status begin(struct scree_trial *trial, const struct jamming *jamming, uint64_t seed,
                          double *volume)
{
    static const double corner[3] = {0, 0, 0};
    const bool flat = jamming->dimension == 2;
    const struct scree_interaction_value values[] = {
        {"stiffness", 1, NULL}, {"friction", 0, NULL}, {"restitution", 0.7, NULL}};
    *volume = 0;
    for (size_t g = 0; g < jamming->count; ++g)
        *volume += volume_of(jamming, g);
    const double edge = pow(*volume / jamming->dense, 1.0 / jamming->dimension);
    const double vectors[9] = {edge, 0, 0, 0, edge, 0, 0, 0, flat ? 1 : edge};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.dimension = jamming->dimension}));
    SCREE_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "grain", .density = flat ? 4 / pi : 6 / pi},
        &trial->material));
    SCREE_TRY(scree_interaction_add(
        trial->world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    SCREE_TRY(scree_cell_set_vectors(trial->world, corner, vectors));
    for (size_t g = 0; g < jamming->count; ++g) {
        const double radius = g % 2 ? 0.5 * ratio : 0.5;
        double x[3];
        for (size_t k = 0; k < 3; ++k)
            x[k] = 0.5 * edge * (1 + scree_algebra_draw(seed, g, k));
        SCREE_TRY(scree_trial_add_round(trial, radius, x, 0));
    }
    return scree_trial_start(
        trial, &(struct scree_soft_def){.step = step,
                                        .damping.viscous = 0.05,
                                        .alarms.policy[SCREE_ALARM_OVERLAP] = SCREE_ALARM_IGNORE});
}

// Runs until forces are in balance.
static scree_status come_to_rest(struct scree_trial *trial, double limit)
{
    double unbalanced = 1;
    for (int look = 0; look < 1000 && unbalanced > limit; ++look) {
        SCREE_TRY(scree_engine_run(trial->engine, 100));
        SCREE_TRY(scree_measure_unbalanced(trial->world, &unbalanced));
    }
    return SCREE_OK;
}

// Contacts per grain that is not loose.
static scree_status coordination(struct scree_trial *trial, const struct jamming *jamming,
                                 struct state *state)
{
    static struct scree_contact list[10 * GRAINS];
    static bool is_loose[GRAINS];
    static int touches[GRAINS];
    size_t count, grains = 0, contacts = 0;
    memset(is_loose, 0, sizeof is_loose);
    SCREE_TRY(scree_contact_list(trial->world, list, 10 * GRAINS, &count));
    for (bool changed = true; changed;) {
        changed = false;
        contacts = 0;
        memset(touches, 0, sizeof touches);
        for (size_t c = 0; c < count; ++c) {
            const uint64_t a = list[c].body[0].value - 1, b = list[c].body[1].value - 1;
            if (list[c].overlap <= 0 || is_loose[a] || is_loose[b])
                continue;
            ++touches[a];
            ++touches[b];
            ++contacts;
        }
        for (size_t g = 0; g < jamming->count; ++g)
            if (!is_loose[g] && touches[g] <= jamming->dimension)
                is_loose[g] = changed = true;
    }
    for (size_t g = 0; g < jamming->count; ++g)
        grains += !is_loose[g];
    const double d = jamming->dimension;
    state->excess = 2 * (double)contacts / (double)grains - (2 * d - (2 * d - 2) / (double)grains);
    state->loose = 1 - (double)grains / (double)jamming->count;
    return SCREE_OK;
}

static scree_status look(struct scree_trial *trial, const struct jamming *jamming, double volume,
                         struct state *state)
{
    struct scree_cell_state cell;
    double stress[9], trace = 0;
    SCREE_TRY(come_to_rest(trial, jamming->rest));
    SCREE_TRY(scree_cell_get_state(trial->world, &cell));
    SCREE_TRY(scree_measure_stress(trial->world, NULL, stress));
    for (int k = 0; k < jamming->dimension; ++k)
        trace += stress[4 * k];
    state->fraction = volume / cell.volume;
    state->pressure = -trace / jamming->dimension;
    return coordination(trial, jamming, state);
}

// Changes the volume such that the solid fraction changes from the present one.
static scree_status expand(struct scree_trial *trial, double from, double to, int dimension)
{
    enum { STEPS = 200 };
    const double rate = log(from / to) / (dimension * STEPS * step);
    double gradient[9] = {0};
    for (int k = 0; k < dimension; ++k)
        gradient[4 * k] = rate;
    SCREE_TRY(scree_cell_deform(trial->world, gradient));
    SCREE_TRY(scree_engine_run(trial->engine, STEPS));
    memset(gradient, 0, sizeof gradient);
    return scree_cell_deform(trial->world, gradient);
}

// Expands a packing step by step; each takes it nearer to jamming, where the pressure is 0 by extrapolation.
static scree_status expand_to_jamming(struct scree_trial *trial, const struct jamming *jamming, uint64_t seed,
                                      struct state *state)
{
    double volume, jammed = jamming->published;
    SCREE_TRY(begin(trial, jamming, seed, &volume));
    for (int s = 0; s < jamming->states; ++s) {
        SCREE_TRY(look(trial, jamming, volume, &state[s]));
        if (s)
            jammed = state[s].fraction - state[s].pressure * (state[s - 1].fraction - state[s].fraction) /
                                             (state[s - 1].pressure - state[s].pressure);
        SCREE_TRY(expand(trial, state[s].fraction, jammed + jamming->shrink * (state[s].fraction - jammed),
                         jamming->dimension));
    }
    return SCREE_OK;
}

// --- fits

// The fraction without pressure: phi = phi_J + a p + b p^2, with equal relative errors of p.
static double fit_jamming(const struct state *state, int count)
{
    double m[3][4] = {{0}};
    for (int s = 0; s < count; ++s) {
        const double p = state[s].pressure, term[4] = {1 / p, 1, p, state[s].fraction / p};
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 4; ++k)
                m[i][k] += term[i] * term[k];
    }
    // elimination from below leaves the first unknown
    for (int i = 2; i > 0; --i)
        for (int r = 0; r < i; ++r) {
            const double factor = m[r][i] / m[i][i];
            for (int k = 0; k < 4; ++k)
                m[r][k] -= factor * m[i][k];
        }
    return m[0][3] / m[0][0];
}

struct line {
    double slope, mean; // mean of y - x / 2
};

static struct line fit_line(const double *x, const double *y, int count)
{
    double mx = 0, my = 0, xx = 0, xy = 0;
    for (int s = 0; s < count; ++s) {
        mx += x[s] / count;
        my += y[s] / count;
    }
    for (int s = 0; s < count; ++s) {
        xx += (x[s] - mx) * (x[s] - mx);
        xy += (x[s] - mx) * (y[s] - my);
    }
    return (struct line){xy / xx, my - 0.5 * mx};
}

static scree_status run(struct scree_trial *trial, const struct jamming *jamming)
{
    double jammed = 0, loose = 0, factor = 0, power[2] = {0}, square[2] = {0};
    const double share = 1.0 / jamming->packings;
    for (int packing = 0; packing < jamming->packings; ++packing) {
        struct state state[MOST];
        double x[2][MOST], y[MOST];
        SCREE_TRY(expand_to_jamming(trial, jamming, SEED + (uint64_t)packing, state));
        const double fraction = fit_jamming(state, jamming->states);
        for (int s = 0; s < jamming->states; ++s) {
            x[0][s] = log(state[s].fraction - fraction);
            x[1][s] = log(state[s].pressure);
            y[s] = log(state[s].excess);
        }
        for (int k = 0; k < 2; ++k) {
            const struct line line = fit_line(x[k], y, jamming->states);
            power[k] += share * line.slope;
            square[k] += share * line.slope * line.slope;
            factor += k == 0 ? share * exp(line.mean) : 0;
        }
        jammed += share * fraction;
        loose += share * state[jamming->states - 1].loose;
    }
    const double width = 0.16 * pow((double)jamming->count, -0.55);
    scree_report_near(trial, jamming->published, jammed, 2 * width + 0.001, "%dD: solid fraction at jamming",
                      jamming->dimension);
    for (int k = 0; k < 2; ++k)
        scree_report_near(trial, 0.5, power[k], jamming->power_error + (k == 0 ? 0.025 : 0),
                          "%dD: power of Z - Z_iso in the %s (+- %.2g)", jamming->dimension,
                          k == 0 ? "distance" : "pressure", sqrt(fmax(0, square[k] - power[k] * power[k])));
    scree_report_near(trial, jamming->factor, factor, jamming->factor_error, "%dD: its factor",
                      jamming->dimension);
    scree_report_unchecked(trial, 0, loose, "%dD: loose grains, share", jamming->dimension);
    return SCREE_OK;
}

// A packing of 400 has a power that differs by 0.03 from that of another one. With forces in balance to 1e-4
// some of the contacts near jamming are missing, which makes it 0.07 larger.
static const struct jamming flat = {2, 400, 1, 7, 0.87, 0.842, 0.1, 3.6, 0.7, 0.6, 1e-4},
                            solid = {3, 400, 1, 6, 0.67, 0.648, 0.1, 7.9, 0.9, 0.6, 1e-4};

static const struct jamming large_flat = {2, 1024, 3, 12, 0.87, 0.842, 0.05, 3.6, 0.5, 0.7, 1e-6},
                            large_solid = {3, 1024, 3, 12, 0.67, 0.648, 0.05, 7.9, 0.5, 0.7, 1e-6};

scree_status scree_cell_jamming(struct scree_trial *trial)
{
    SCREE_TRY(run(trial, &flat));
    return run(trial, &solid);
}

scree_status scree_cell_long_jamming(struct scree_trial *trial)
{
    SCREE_TRY(run(trial, &large_flat));
    return run(trial, &large_solid);
}
