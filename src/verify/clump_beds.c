// Beds of clumps in a box that is periodic along x and y: density of frictionless packings, and the angle at
// which a bed begins to flow.

#include "algebra.h"
#include "balls.h"
#include "clump.h"
#include "shapes.h"
#include "verify.h"

#include <math.h>
#include <string.h>

enum { ROW = 3, BEDS = 2 };

// the volume of every body is that of a sphere of diameter 1
static const double side = 6, gap = 2, step = 7e-4, pi = 3.14159265358979323846;

static const double sphere[1][4] = {{0, 0, 0, 0.5}};

struct bed {
    struct scree_shapes_clump shape;
    double friction, stiffness;
    double spread; // of the sizes, relative to the mean
    uint64_t seed; // of orientations, sizes and velocities
    int layers;    // of the lattice from which the bodies fall
    bool rough;    // the lowest layer is fixed
};

static struct scree_shapes_clump scaled(const struct scree_shapes_clump *clump, double factor)
{
    struct scree_shapes_clump out = *clump;
    out.def.body.mass *= pow(factor, 3);
    out.def.equal_radius *= factor;
    for (int k = 0; k < 3; ++k)
        out.def.body.inertia[k] *= pow(factor, 5);
    for (size_t p = 0; p < clump->def.pebbles; ++p) {
        out.pebble[p].radius *= factor;
        for (int k = 0; k < 3; ++k)
            out.pebble[p].offset[k] *= factor;
    }
    return out;
}

static scree_status begin(struct scree_trial *trial, const struct bed *bed)
{
    const struct scree_balls_material material = {.density = 6 / pi};
    const struct scree_balls_law law = {.name = "linear",
                                        .values = {{"stiffness", bed->stiffness, NULL},
                                                   {"friction", bed->friction, NULL},
                                                   {"restitution", 0.5, NULL}}};
    const struct scree_cell_def cell = {.upper = {side, side, 1}, .periodic = {true, true, false}};
    SCREE_TRY(scree_balls_begin(trial, &material, &law, -1));
    SCREE_TRY(scree_cell_set(trial->world, &cell));
    SCREE_TRY(scree_balls_floor(trial));
    for (uint64_t b = 0; b < (uint64_t)(ROW * ROW * bed->layers); ++b) {
        const uint64_t layer = b / (ROW * ROW);
        const bool fixed = bed->rough && layer == 0;
        struct scree_rigid_def at = {.position = {gap * ((double)(b % ROW) + 0.5),
                                                  gap * ((double)(b / ROW % ROW) + 0.5),
                                                  gap * ((double)layer + 0.5)},
                                     .fixed = fixed ? SCREE_FIX_ALL : 0};
        for (uint64_t k = 0; k < 3 && !fixed; ++k)
            at.velocity[k] = 0.3 * scree_algebra_draw(bed->seed, b, k);
        scree_shapes_orientation(bed->seed, b, at.orientation);
        const struct scree_shapes_clump shape =
            scaled(&bed->shape, 1 + bed->spread * scree_algebra_draw(bed->seed, b, 3));
        SCREE_TRY(scree_shapes_add(trial, &shape, &at));
    }
    return scree_balls_start(trial, step, 1);
}

// --- density

// Spheres inside a prolate spheroid of the half-axes a, b and b, which touch it: a sphere with its centre at
// x has the radius b sqrt(1 - x^2 / (a^2 - b^2)). The volume of their union is that of a body of revolution.
static void make_spheroid(double a, double b, struct scree_shapes_clump *clump)
{
    enum { PEBBLES = 5, SLICES = 20000 };
    double inside[PEBBLES][4] = {{0}}, volume = 0, sum = 0;
    for (int p = 0; p < PEBBLES; ++p) {
        const double x = (a * a - b * b) / a * (2.0 * p / (PEBBLES - 1) - 1);
        inside[p][0] = x;
        inside[p][3] = b * sqrt(1 - x * x / (a * a - b * b));
        sum += scree_balls_volume(inside[p][3]);
    }
    for (int s = 0; s < SLICES; ++s) {
        const double x = a * (2 * (s + 0.5) / SLICES - 1);
        double square = 0;
        for (int p = 0; p < PEBBLES; ++p)
            square = fmax(square, inside[p][3] * inside[p][3] - (x - inside[p][0]) * (x - inside[p][0]));
        volume += pi * square * 2 * a / SLICES;
    }
    scree_shapes_make((const double(*)[4])inside, PEBBLES, 6 / pi, sum - volume, clump);
}

// The solid fraction away from the floor and the surface, after the bodies have come to rest.
static scree_status measure_density(struct scree_trial *trial, const struct bed *bed, double *density)
{
    struct scree_measure_region region = {.shape = SCREE_MEASURE_BOX, .lower = {0, 0, 2}};
    SCREE_TRY(begin(trial, bed));
    SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(35 / step)));
    region.upper[0] = region.upper[1] = side;
    const double in_all = ROW * ROW * bed->layers * scree_balls_volume(bed->shape.def.equal_radius);
    region.upper[2] = in_all / 0.75 / (side * side) - 1;
    return scree_measure_solid_fraction(trial->world, &region, density);
}

// Equal spheres would crystallise; with sizes spread by 15 %, a relative standard deviation of 0.087, the
// density of random close packing is 0.634 + 0.0658 x 0.087 = 0.640 (Desmond and Weeks, Phys. Rev. E 90,
// 022204, 2014). Spheroids reach 0.68 to 0.71 (Donev and others, Science 303, 990, 2004), dimers of the best
// aspect ratio, about 1.4, 0.707 (Baule and others, Nature Communications 4, 2194, 2013). A sample of 200
// bodies has a scatter of 0.005, and overlaps add 0.002: the tolerance is 0.015, or the published range.
scree_status scree_clump_packing(struct scree_trial *trial)
{
    struct bed bed = {.stiffness = 1e4, .spread = 0.15, .seed = 7, .layers = 32};
    double spheres, spheroids, dimers;
    scree_shapes_make(sphere, 1, 6 / pi, 0, &bed.shape);
    SCREE_TRY(measure_density(trial, &bed, &spheres));
    bed.spread = 0;
    make_spheroid(0.655, 0.437, &bed.shape);
    SCREE_TRY(measure_density(trial, &bed, &spheroids));
    scree_shapes_dimer(0.4, 6 / pi, &bed.shape);
    SCREE_TRY(measure_density(trial, &bed, &dimers));
    scree_report_near(trial, 0.64, spheres, 0.015, "solid fraction of spheres");
    scree_report_near(trial, 0.695, spheroids, 0.015, "of prolate spheroids, aspect ratio 1.5");
    scree_report_near(trial, 0.707, dimers, 0.015, "of dimers, aspect ratio 1.4");
    return SCREE_OK;
}

// --- angle of repose

// Gravity turns slowly until the bed flows: until the mean velocity downhill exceeds a tenth of sqrt(g d). No
// bed flows at the first angle.
static scree_status measure_angle(struct scree_trial *trial, const struct bed *bed, double *angle)
{
    struct scree_measure_mean_motion motion = {0};
    SCREE_TRY(begin(trial, bed));
    SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(15 / step)));
    for (*angle = 25; motion.velocity[0] < 0.1 && *angle < 60; *angle += 1) {
        const double turned = *angle * pi / 180, gravity[3] = {sin(turned), 0, -cos(turned)};
        SCREE_TRY(scree_world_set_gravity(trial->world, gravity));
        SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(0.5 / step)));
        SCREE_TRY(scree_measure_motion(trial->world, &(struct scree_measure_region){0}, &motion));
    }
    return SCREE_OK;
}

// The mean over beds that differ in their seeds; the squares of the deviations are added to `squares`.
static scree_status measure_angles(struct scree_trial *trial, const double (*spheres)[4], size_t count,
                                   double *mean, double *squares)
{
    struct bed bed = {.friction = 0.5, .stiffness = 2e3, .layers = 24, .rough = true};
    double angle[BEDS];
    *mean = 0;
    scree_shapes_make(spheres, count, 6 / pi, 0, &bed.shape);
    for (int b = 0; b < BEDS; ++b) {
        bed.seed = 7 + (uint64_t)b;
        SCREE_TRY(measure_angle(trial, &bed, &angle[b]));
        *mean += angle[b] / BEDS;
    }
    for (int b = 0; b < BEDS; ++b)
        *squares += (angle[b] - *mean) * (angle[b] - *mean);
    return SCREE_OK;
}

// Spheres roll, clumps interlock. All beds together give the variance of one angle with 3 (BEDS - 1) = 3
// degrees of freedom. The difference of two means over BEDS beds must be significant at 1 %, one-sided: at
// least 4.54 of its standard errors (Student's t). Dimers and tees are not compared with each other.
scree_status scree_clump_repose(struct scree_trial *trial)
{
    static const double dimer[2][4] = {{-0.397, 0, 0, 0.397}, {0.397, 0, 0, 0.397}},
                        tee[4][4] = {
                            {-0.63, 0, 0, 0.315}, {0, 0, 0, 0.315}, {0.63, 0, 0, 0.315}, {0, 0, 0.63, 0.315}};
    double spheres, dimers, tees, squares = 0;
    SCREE_TRY(measure_angles(trial, sphere, 1, &spheres, &squares));
    SCREE_TRY(measure_angles(trial, dimer, 2, &dimers, &squares));
    SCREE_TRY(measure_angles(trial, tee, 4, &tees, &squares));
    const double error = sqrt(squares / (3 * (BEDS - 1)) * 2 / BEDS), least = 4.54 * error;
    scree_report_unchecked(trial, 0, spheres, "mean angle at which spheres flow, degrees");
    scree_report_unchecked(trial, 0, error, "standard error of a difference of two means");
    scree_report_at_most(trial, 0, fmax(0, spheres + least - dimers), "dimers: %.1f degrees, significance",
                         dimers);
    scree_report_at_most(trial, 0, fmax(0, spheres + least - tees), "tees: %.1f degrees, significance", tees);
    return SCREE_OK;
}
