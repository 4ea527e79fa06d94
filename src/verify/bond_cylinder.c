// A cylinder cut from an fcc lattice of bonded spheres, compressed along [001] between two plates.
//
// Plates without friction leave the ends free to expand. Far from surfaces the modulus of the lattice is
// E = C11 - 2 C12^2 / (C11 + C12), with the constants of bond_elastic.c. Spheres at the surface lack bonds,
// so that the stress (force over the number of spheres of a layer times d^2) divided by the strain (of layers
// a quarter of the height from the ends) deviates from it by a multiple of d / D. Displacements begin near
// equilibrium, and are damped until they deviate from it by exp(-12), 6e-6; rounding the circle to whole
// spheres changes the part of the surface, and the order, by about a tenth.

#include "algebra.h"
#include "bond.h"
#include "bonded.h"
#include "verify.h"

#include <math.h>

static const double root2 = 1.41421356237309504880, density = 1000, diameter = 1;
static const double normal = 1e6, shear = 4e5, section = 0.4; // kn A, ks A, N/m

enum { SEED = 11 };

struct cylinder {
    uint64_t count, layers;
    double width, height; // of centres of spheres
    double site[SCREE_BONDED_MOST][3];
    scree_wall_id plate[2];
};

static void fill(struct cylinder *cylinder, double width, double height)
{
    const double edge = root2 * diameter;
    const int reach = (int)(width / edge) + 1;
    cylinder->layers = (uint64_t)(height / (0.5 * edge)) + 1;
    cylinder->count = 0;
    cylinder->width = width;
    cylinder->height = 0.5 * edge * (double)(cylinder->layers - 1);
    for (int z = 0; z < (int)cylinder->layers; ++z)
        for (int x = -reach; x <= reach; ++x)
            for (int y = -reach; y <= reach; ++y) {
                const double point[3] = {0.5 * x * edge, 0.5 * y * edge, 0.5 * z * edge};
                if ((x + y + z) % 2 == 0 && scree_algebra_norm(point, 2) <= 0.5 * width &&
                    cylinder->count < SCREE_BONDED_MOST)
                    memcpy(cylinder->site[cylinder->count++], point, sizeof point);
            }
}

static scree_status add_plate(struct scree_trial *trial, double height, double direction, double speed,
                              scree_wall_id *id)
{
    const struct scree_wall_def def = {.shape = SCREE_WALL_PLANE,
                                       .material = trial->material,
                                       .plane = {.point = {0, 0, height}, .normal = {0, 0, direction}},
                                       .velocity = {0, 0, speed}};
    return scree_wall_add(trial->world, &def, id);
}

// Strengths of a bond deviate by up to 20 %.
static scree_status add_bonds(struct scree_trial *trial, const struct cylinder *cylinder, double strength)
{
    const double area = SCREE_BONDED_PI * section * section;
    uint64_t bonds = 0;
    for (uint64_t i = 0; i < cylinder->count; ++i)
        for (uint64_t j = i + 1; j < cylinder->count; ++j) {
            if (scree_algebra_distance(cylinder->site[i], cylinder->site[j], 3) > 1.01 * diameter)
                continue;
            const double factor = 1 + 0.2 * scree_algebra_draw(SEED, bonds++, 0);
            const struct scree_bond_def bond = {.kind = SCREE_BOND_PARALLEL,
                                                .radius = section,
                                                .normal_stiffness = normal / area,
                                                .shear_stiffness = shear / area,
                                                .tensile_strength = factor * strength,
                                                .shear_strength = 2 * factor * strength,
                                                .friction_angle = strength > 0 ? 0.5 : 0,
                                                .moment_factor = strength > 0 ? 0.5 : 0,
                                                .touching = SCREE_BOND_TOUCHING_EXCLUDED};
            scree_bond_id id;
            SCREE_TRY(scree_bonded_join(trial, &bond, i, j, &id));
        }
    return SCREE_OK;
}

// Spheres at their sites between plates that touch the ends, with a speed of the upper one.
static scree_status begin(struct scree_trial *trial, struct cylinder *cylinder, double friction,
                          double strength, double speed)
{
    const struct scree_interaction_value values[] = {
        {"stiffness", normal, NULL}, {"restitution", 0.5, NULL}, {"friction", friction, NULL}};
    const struct scree_interaction_def law = {.law = "linear", .values = values, .count = 3};
    SCREE_TRY(scree_bonded_begin(trial, 3, density));
    SCREE_TRY(scree_interaction_add(trial->world, &law));
    for (uint64_t n = 0; n < cylinder->count; ++n)
        SCREE_TRY(scree_trial_add_round(trial, 0.5 * diameter, cylinder->site[n], 0));
    SCREE_TRY(add_bonds(trial, cylinder, strength));
    SCREE_TRY(add_plate(trial, -0.5 * diameter, 1, 0, &cylinder->plate[0]));
    return add_plate(trial, cylinder->height + 0.5 * diameter, -1, -speed, &cylinder->plate[1]);
}

// --- modulus

// Squeezes the spheres by a uniform strain, with plates that touch them.
static scree_status squeeze(struct scree_trial *trial, struct cylinder *cylinder, double strain,
                            double lateral)
{
    const double end[3] = {0, 0, (1 - strain) * cylinder->height + 0.5 * diameter};
    for (uint64_t n = 0; n < cylinder->count; ++n) {
        const double *site = cylinder->site[n];
        const double moved[3] = {(1 + lateral) * site[0], (1 + lateral) * site[1], (1 - strain) * site[2]};
        SCREE_TRY(scree_body_set_position(trial->world, (scree_body_id){n + 1}, moved));
    }
    SCREE_TRY(scree_wall_remove(trial->world, cylinder->plate[1]));
    return add_plate(trial, end[2], -1, 0, &cylinder->plate[1]);
}

// Mean height of the spheres of a layer.
static scree_status layer_height(struct scree_trial *trial, const struct cylinder *cylinder, uint64_t layer,
                                 double *height)
{
    double sum = 0, count = 0;
    for (uint64_t n = 0; n < cylinder->count; ++n) {
        struct scree_body_state state;
        if (fabs(cylinder->site[n][2] - 0.5 * root2 * diameter * (double)layer) > 0.1 * diameter)
            continue;
        SCREE_TRY(scree_body_get(trial->world, (scree_body_id){n + 1}, &state));
        sum += state.position[2];
        ++count;
    }
    *height = sum / count;
    return SCREE_OK;
}

static scree_status measure_modulus(struct scree_trial *trial, struct cylinder *cylinder, double lattice,
                                    double ratio, double *modulus)
{
    const double strain = 1e-4, mass = density * SCREE_BONDED_PI / 6 * root2;
    const double rate = SCREE_BONDED_PI / cylinder->height * sqrt(lattice / mass), step = 2.5e-3;
    const uint64_t low = cylinder->layers / 4, high = cylinder->layers - 1 - low;
    double force[3], bottom, top;
    SCREE_TRY(begin(trial, cylinder, 0, 0, 0));
    SCREE_TRY(squeeze(trial, cylinder, strain, ratio * strain));
    SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = step, .damping.viscous = rate}));
    SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(24 / (rate * step))));
    SCREE_TRY(scree_wall_load(trial->world, cylinder->plate[1], force, NULL));
    SCREE_TRY(layer_height(trial, cylinder, low, &bottom));
    SCREE_TRY(layer_height(trial, cylinder, high, &top));
    const double length = 0.5 * root2 * diameter * (double)(high - low);
    const double area = diameter * diameter * (double)cylinder->count / (double)cylinder->layers;
    *modulus = force[2] / area / (1 - (top - bottom) / length);
    return SCREE_OK;
}

scree_status scree_bond_cylinder_modulus(struct scree_trial *trial)
{
    enum { RUNS = 3 };
    static struct cylinder cylinder;
    const double c11 = root2 * (normal + shear) / diameter, c12 = (normal - shear) / (root2 * diameter);
    const double lattice = c11 - 2 * c12 * c12 / (c11 + c12), ratio = c12 / (c11 + c12);
    double errors[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        const double width = 3.5 * (1 << r);
        double modulus;
        fill(&cylinder, width, r < RUNS - 1 ? 8 : 12);
        SCREE_TRY(measure_modulus(trial, &cylinder, lattice, ratio, &modulus));
        errors[r] = fabs(modulus / lattice - 1);
        scree_report_unchecked(trial, 1, modulus / lattice, "D = %g d, %zu spheres: modulus over lattice",
                               width, (size_t)cylinder.count);
    }
    scree_report_near(trial, 1, scree_report_order(errors, RUNS), 0.25, "order of the modulus in d / D");
    return SCREE_OK;
}

// --- failure

// Compresses a cylinder until it has failed; `peak` and `last` receive the largest and the final force.
static scree_status crush(struct scree_trial *trial, double step, double *peak, double *last, double *balance)
{
    enum { SAMPLES = 100 };
    static struct cylinder cylinder;
    const double speed = 0.2, duration = 1.2;
    fill(&cylinder, 5, 8);
    SCREE_TRY(begin(trial, &cylinder, 0.3, 4e3, speed));
    SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = step}));
    *peak = *last = *balance = 0;
    for (int s = 0; s < SAMPLES; ++s) {
        struct scree_energy energy;
        double force[3];
        SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(duration / SAMPLES / step + 0.5)));
        SCREE_TRY(scree_wall_load(trial->world, cylinder.plate[1], force, NULL));
        SCREE_TRY(scree_energy_get(trial->world, &energy));
        *peak = scree_report_larger(*peak, force[2]);
        *balance = scree_report_larger(*balance, fabs(energy.balance));
        *last = force[2];
    }
    return SCREE_OK;
}

// The balance has errors of order 2: that of velocity Verlet, and those of bonds that break and contacts that
// begin at random moments of a step. Runs at different steps break differently, so the order scatters: 1.92
// to 2.08 for five other draws of the strengths. The last force was at most a quarter of the largest.
scree_status scree_bond_cylinder_crush(struct scree_trial *trial)
{
    enum { RUNS = 4 };
    double errors[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        double peak, last;
        struct scree_energy energy;
        SCREE_TRY(crush(trial, ldexp(3e-3, -r), &peak, &last, &errors[r]));
        SCREE_TRY(scree_energy_get(trial->world, &energy));
        errors[r] /= energy.work;
        scree_report_unchecked(trial, 0, (double)scree_bond_broken(trial->world, NULL), "h/%d: broken bonds",
                               1 << r);
        scree_report_unchecked(trial, 0, peak, "h/%d: largest force (N)", 1 << r);
        scree_report_unchecked(trial, 0, energy.released / energy.work, "h/%d: released over work", 1 << r);
        scree_report_at_most(trial, 0.5, fabs(last) / peak, "h/%d: last force over largest", 1 << r);
        scree_report_unchecked(trial, 0, errors[r], "h/%d: balance over work", 1 << r);
    }
    scree_report_near(trial, 2, scree_report_order(errors, RUNS), 0.2, "order of the balance");
    return SCREE_OK;
}
