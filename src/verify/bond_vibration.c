// Vibrations of a free beam of 40 bonded spheres, and the speed of extensional waves along a bar.
//
// The continuum has the length 40 d, one diameter for each sphere, and per length the mass m / d and the
// rotary inertia j = (2/5) m r^2 / d of the spheres. Axial and torsion frequencies of a free beam are w = n
// pi / L sqrt(E A / mu) and n pi / L sqrt(G J / j); those of the chain are 2 / d sin(n pi / (2 N)) times the
// same speeds, with the same modes at the centres of the spheres.
//
// Bending of the free continuum, with deflection w(x) and rotation p(x) of the section:
//
//     shear force Q = kGA (w' - p),     Q' = -mu w^2 w        (frequency w)
//     moment M = E I p',                M' + Q = -j w^2 p
//
// give E I (w'''' + g w'') + j w^2 (w'' + g w) - mu w^2 w = 0 with g = mu w^2 / (kGA), thus deflections
// cosh(a x), cos(b x) (symmetric) or sinh(a x), sin(b x) (antisymmetric) with a^2 and -b^2 the roots of a
// quadratic equation. Q = M = 0 at x = L / 2 gives the frequencies as roots of a determinant.

#include "algebra.h"
#include "bond.h"
#include "bonded.h"
#include "verify.h"

#include <math.h>

static const double pi = SCREE_BONDED_PI, density = 1000, radius = 0.5, young = 1e7, shear_modulus = 4e6;

enum { SPHERES = 40, MODES = 3 };

struct continuum {
    double length, mass, inertia;          // mu and j per length
    double axial, bending, torsion, shear; // E A, E I, G J, kGA
};

static struct continuum make_continuum(const struct scree_bond_def *bond, uint64_t spheres)
{
    const double area = pi * bond->radius * bond->radius, moment = 0.25 * area * bond->radius * bond->radius;
    struct continuum c = {.length = 2 * radius * (double)spheres,
                          .mass = density * 4 / 3 * pi * radius * radius / 2,
                          .axial = young * area,
                          .bending = young * moment,
                          .torsion = 2 * shear_modulus * moment,
                          .shear = (double)INFINITY};
    c.inertia = 0.4 * c.mass * radius * radius;
    if (bond->kind == SCREE_BOND_TIMOSHENKO)
        c.shear = bond->shear_factor * shear_modulus * area;
    return c;
}

// The exponents a, b and g of bending at a frequency.
struct bending {
    double a, b, g;
};

static struct bending bending_at(const struct continuum *c, double rate)
{
    const double square = rate * rate, g = c->mass * square / c->shear;
    const double half = 0.5 * (g + c->inertia * square / c->bending);
    const double product = (c->mass * square - c->inertia * square * g) / c->bending;
    const double root = sqrt(half * half + product);
    return (struct bending){sqrt(root - half), sqrt(root + half), g};
}

// The determinant of Q = M = 0 at the end, over cosh(a L / 2).
static double determinant(const struct continuum *c, double rate, bool symmetric)
{
    const struct bending s = bending_at(c, rate);
    const double x = 0.5 * c->length, ratio = tanh(s.a * x);
    const double first = s.a * s.a + s.g, second = s.g - s.b * s.b;
    return symmetric ? ratio / s.a * second * cos(s.b * x) - first * sin(s.b * x) / s.b
                     : second * sin(s.b * x) / s.a + ratio * first * cos(s.b * x) / s.b;
}

// Bending frequency number `mode` from 1: odd modes are symmetric. Without shear and rotary inertia it is
// (mode + 1/2)^2 pi^2 sqrt(E I / mu) / L^2 within 1 %; both lower it. Roots of one symmetry are farther
// apart.
static double bending_frequency(const struct continuum *c, int mode)
{
    const double slender = pow((mode + 0.5) * pi / c->length, 2) * sqrt(c->bending / c->mass);
    const bool symmetric = mode % 2 == 1;
    double low = 0.6 * slender, high = 1.02 * slender;
    const bool sign = determinant(c, low, symmetric) > 0;
    for (int k = 0; k < 100; ++k) {
        const double middle = 0.5 * (low + high);
        *((determinant(c, middle, symmetric) > 0) == sign ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

static struct scree_bonded_motion bending_motion(const struct continuum *c, double rate, bool symmetric,
                                                 double x)
{
    const struct bending s = bending_at(c, rate);
    const double half = 0.5 * c->length, push = c->mass * rate * rate / c->shear;
    // M = 0: the amplitude of the second term for 1 / cosh(a L / 2) of the first
    const double first = s.a * s.a + s.g, second = s.g - s.b * s.b;
    double w, slope, sum;
    if (symmetric) {
        const double other = -first / (second * cos(s.b * half));
        w = cosh(s.a * x) / cosh(s.a * half) + other * cos(s.b * x);
        slope = s.a * sinh(s.a * x) / cosh(s.a * half) - other * s.b * sin(s.b * x);
        sum = sinh(s.a * x) / s.a / cosh(s.a * half) + other * sin(s.b * x) / s.b;
    } else {
        const double other = -first / (second * sin(s.b * half));
        w = sinh(s.a * x) / sinh(s.a * half) + other * sin(s.b * x);
        slope = s.a * cosh(s.a * x) / sinh(s.a * half) + other * s.b * cos(s.b * x);
        sum = cosh(s.a * x) / s.a / sinh(s.a * half) - other * cos(s.b * x) / s.b;
    }
    return (struct scree_bonded_motion){.velocity = {0, w, 0}, .spin = {0, 0, slope + push * sum}};
}

// A straight free chain of touching spheres, or a ring: a chain across a periodic cell.
static scree_status begin(struct scree_trial *trial, const struct scree_bond_def *bond, uint64_t spheres,
                          bool ring)
{
    SCREE_TRY(scree_bonded_begin(trial, 3, density));
    if (ring) {
        const struct scree_cell_def cell = {.upper = {2 * radius * (double)spheres, 8, 8},
                                            .periodic = {true, true, true}};
        SCREE_TRY(scree_cell_set(trial->world, &cell));
    }
    for (uint64_t n = 0; n < spheres; ++n)
        SCREE_TRY(
            scree_trial_add_round(trial, radius, (const double[3]){radius * (double)(2 * n + 1), 4, 4}, 0));
    for (uint64_t n = 1; n < spheres + ring; ++n) {
        scree_bond_id id;
        SCREE_TRY(scree_bonded_join(trial, bond, n - 1, n % spheres, &id));
    }
    return SCREE_OK;
}

static const struct scree_bond_def euler = {
    .kind = SCREE_BOND_EULER, .radius = 0.5, .young = 1e7, .shear_modulus = 4e6};
static const struct scree_bond_def timoshenko = {
    .kind = SCREE_BOND_TIMOSHENKO, .radius = 0.5, .young = 1e7, .shear_modulus = 4e6, .shear_factor = 0.9};

// the largest step: the fastest motion of a sphere between two bonds, its rotation, has w^2 = 4 (E I / d +
// 12 E I / d^3 (d / 2)^2) / J = 16 E I / (d J)
static double largest_step(const struct continuum *c)
{
    const double d = 2 * radius;
    return 0.3 / sqrt(16 * c->bending / (d * d * c->inertia));
}

static const double amplitude = 1e-6; // strain

scree_status scree_bond_vibration_frequencies(struct scree_trial *trial)
{
    const struct scree_bond_def *bond =
        *(const enum scree_bond_kind *)trial->data == SCREE_BOND_TIMOSHENKO ? &timoshenko : &euler;
    const struct continuum c = make_continuum(bond, SPHERES);
    struct scree_bonded_motion motion[SPHERES];
    for (int mode = 1; mode <= MODES; ++mode) {
        const double rate = bending_frequency(&c, mode);
        double computed;
        for (uint64_t n = 0; n < SPHERES; ++n) {
            motion[n] =
                bending_motion(&c, rate, mode % 2 == 1, radius * (double)(2 * n + 1) - 0.5 * c.length);
            for (int k = 0; k < 3; ++k) {
                motion[n].velocity[k] *= amplitude * rate;
                motion[n].spin[k] *= amplitude * rate;
            }
        }
        SCREE_TRY(begin(trial, bond, SPHERES, false));
        SCREE_TRY(scree_bonded_frequency(trial, motion, SPHERES, rate, largest_step(&c), &computed));
        scree_report_near(trial, 1, computed / rate, 0.01, "bending %d, %.6g rad/s: over continuum", mode,
                          rate);
    }
    for (int turns = 0; turns <= 1; ++turns)
        for (int mode = 1; mode <= MODES; ++mode) {
            const double speed = turns ? sqrt(c.torsion / c.inertia) : sqrt(c.axial / c.mass);
            const double number = mode * pi / c.length, d = 2 * radius;
            const double rate = number * speed, chain = 2 / d * sin(0.5 * number * d) * speed;
            double computed;
            for (uint64_t n = 0; n < SPHERES; ++n) {
                const double v = amplitude * rate * cos(number * radius * (double)(2 * n + 1));
                motion[n] =
                    (struct scree_bonded_motion){.velocity = {turns ? 0 : v}, .spin = {turns ? v : 0}};
            }
            SCREE_TRY(begin(trial, bond, SPHERES, false));
            SCREE_TRY(scree_bonded_frequency(trial, motion, SPHERES, chain, largest_step(&c), &computed));
            scree_report_near(trial, 1, computed / rate, 0.01, "%s %d, %.6g rad/s: over continuum",
                              turns ? "torsion" : "axial", mode, rate);
            scree_report_near(trial, 1, computed / chain, 1e-8, "%s %d: over chain",
                              turns ? "torsion" : "axial", mode);
        }
    return SCREE_OK;
}

// A standing wave in a ring of N spheres has the phase speed sqrt(E / rho) sin(k d / 2) / (k d / 2), with rho
// the mass of the spheres over the volume A d of their elements: of order 2 in d over the wave length.
scree_status scree_bond_vibration_bar_wave(struct scree_trial *trial)
{
    enum { RUNS = 4, COARSEST = 8, FINEST = COARSEST << (RUNS - 1) };
    double errors[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        const uint64_t spheres = (uint64_t)COARSEST << r;
        const struct continuum c = make_continuum(&euler, spheres);
        const double number = 2 * pi / c.length, speed = sqrt(young * pi * 0.25 / c.mass);
        const double half = number * radius;
        struct scree_bonded_motion motion[FINEST];
        double computed;
        for (uint64_t n = 0; n < spheres; ++n) {
            const double v = amplitude * speed * cos(number * radius * (double)(2 * n + 1));
            motion[n] = (struct scree_bonded_motion){.velocity = {v}};
        }
        SCREE_TRY(begin(trial, &euler, spheres, true));
        SCREE_TRY(scree_bonded_frequency(trial, motion, spheres, number * speed * sin(half) / half,
                                         largest_step(&c), &computed));
        errors[r] = fabs(computed / number / speed - 1);
        scree_report_near(trial, sin(half) / half, computed / number / speed, 1e-8,
                          "%d spheres per wave: speed over sqrt(E / rho)", (int)spheres);
    }
    // 1 - sin(x) / x = x^2 / 6 (1 - x^2 / 20): at 8 spheres x^2 / 20 is 0.008
    scree_report_near(trial, 2, scree_report_order(errors, RUNS), 0.01, "order in the size of the spheres");
    return SCREE_OK;
}
