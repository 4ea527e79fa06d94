// The outflow of hoppers of triangles, against those of a cone and a cylinder.

#include "algebra.h"
#include "balls.h"
#include "mesh.h"
#include "verify.h"

#include <math.h>

enum { STRIPS = 96, MOST_SEEDS = 8, MOST_BLOCKS = 16 };
static const double grain_radius = 2e-3, density = 2500;

// A cone below a cylinder, closed by a gate until the grains have settled.
struct hopper {
    int grains, seeds, blocks;            // the outflow is counted in blocks of time
    double outlet, tube, tube_start, top; // radii and heights, m
    double stiffness, step, settling;     // N/m, s
    double starting, block;               // from the opening to the first block, and one block, s
};

// Numbers of grains that have left the hopper: at the start of the first block, and at the end of each.
typedef double outflow[1 + MOST_BLOCKS];

static scree_status add_vessel(struct scree_trial *trial, const struct hopper *hopper, bool of_triangles)
{
    const struct scree_wall_def cone = {
        .shape = SCREE_WALL_CONE,
        .material = trial->rigid,
        .cone = {{0, 0, 0}, {0, 0, hopper->tube_start}, {hopper->outlet, hopper->tube}}};
    const struct scree_wall_def cylinder = {
        .shape = SCREE_WALL_CYLINDER,
        .material = trial->rigid,
        .cylinder = {{0, 0, hopper->tube_start}, {0, 0, hopper->top}, hopper->tube}};
    // the strips deviate equally to both sides of the surface
    const double scale = 2 / (1 + cos(3.14159265358979323846 / STRIPS));
    const struct scree_mesh_round round = {
        2,    STRIPS, 3, {0, hopper->tube_start, hopper->top}, {hopper->outlet, hopper->tube, hopper->tube},
        scale};
    if (of_triangles)
        return scree_mesh_round(trial, &round);
    SCREE_TRY(scree_wall_add(trial->world, &cone, &trial->wall));
    return scree_wall_add(trial->world, &cylinder, &trial->wall);
}

static scree_status add_grains(struct scree_trial *trial, const struct hopper *hopper, uint64_t seed)
{
    const double spacing = 2.2 * grain_radius;
    const int across = (int)(hopper->tube / spacing);
    int count = 0;
    for (int layer = 0; count < hopper->grains; ++layer)
        for (int i = -across; i <= across; ++i)
            for (int j = -across; j <= across; ++j) {
                struct scree_sphere_def grain = {
                    .radius = grain_radius,
                    .position = {spacing * i, spacing * j, hopper->tube_start + spacing * (layer + 1)}};
                if (hypot(grain.position[0], grain.position[1]) > hopper->tube - spacing ||
                    count == hopper->grains)
                    continue;
                for (int k = 0; k < 3; ++k) {
                    grain.position[k] +=
                        0.09 * grain_radius * scree_algebra_draw(seed, (uint64_t)count, (uint64_t)k);
                    grain.velocity[k] = 0.2 * scree_algebra_draw(seed, (uint64_t)count, 3 + (uint64_t)k);
                }
                SCREE_TRY(scree_balls_add(trial, &grain));
                ++count;
            }
    return SCREE_OK;
}

static scree_status count_below(struct scree_trial *trial, const struct hopper *hopper, double *count)
{
    *count = 0;
    for (int g = 0; g < hopper->grains; ++g) {
        struct scree_body_state state;
        SCREE_TRY(scree_body_get(trial->world, (scree_body_id){(uint64_t)g + 1}, &state));
        *count += state.position[2] < 0;
    }
    return SCREE_OK;
}

static scree_status discharge(struct scree_trial *trial, const struct hopper *hopper, bool of_triangles,
                              uint64_t seed, outflow out)
{
    const struct scree_balls_material material = {density, 0, 0};
    const struct scree_balls_law law = {
        "linear",
        {{"stiffness", hopper->stiffness, NULL}, {"restitution", 0.5, NULL}, {"friction", 0.4, NULL}}};
    SCREE_TRY(scree_balls_begin(trial, &material, &law, -9.81));
    SCREE_TRY(add_vessel(trial, hopper, of_triangles));
    const struct scree_wall_def gate = {.shape = SCREE_WALL_DISK,
                                        .material = trial->rigid,
                                        .disk = {.normal = {0, 0, 1}, .radius = 0.98 * hopper->outlet}};
    scree_wall_id id;
    SCREE_TRY(scree_wall_add(trial->world, &gate, &id));
    SCREE_TRY(add_grains(trial, hopper, seed));
    SCREE_TRY(scree_balls_start(trial, hopper->step, 1));
    SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(hopper->settling / hopper->step)));
    SCREE_TRY(scree_wall_remove(trial->world, id));
    SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(hopper->starting / hopper->step)));
    SCREE_TRY(count_below(trial, hopper, &out[0]));
    for (int b = 1; b <= hopper->blocks; ++b) {
        SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(hopper->block / hopper->step)));
        SCREE_TRY(count_below(trial, hopper, &out[b]));
    }
    return SCREE_OK;
}

// --- a few grains, by seeds

static void summarise(int count, const double values[], double *mean, double *variance)
{
    *mean = *variance = 0;
    for (int n = 0; n < count; ++n)
        *mean += values[n] / count;
    for (int n = 0; n < count; ++n)
        *variance += (values[n] - *mean) * (values[n] - *mean) / (count - 1);
}

// By Student's t with 14 degrees of freedom, the means of two sets of eight runs with equal flows differ by
// more than 4.14 times the error of their difference in one of a thousand cases.
scree_status scree_mesh_hopper(struct scree_trial *trial)
{
    static const struct hopper small = {.grains = 800,
                                        .seeds = 8,
                                        .blocks = 1,
                                        .outlet = 0.016,
                                        .tube = 0.04,
                                        .tube_start = 0.03,
                                        .top = 0.2,
                                        .stiffness = 1e3,
                                        .step = 4e-5,
                                        .settling = 0.2,
                                        .block = 0.1};
    double count[2][MOST_SEEDS], mean[2], variance[2];
    for (int s = 0; s < small.seeds; ++s)
        for (int of_triangles = 0; of_triangles < 2; ++of_triangles) {
            outflow out;
            SCREE_TRY(discharge(trial, &small, of_triangles, 11 + (uint64_t)s, out));
            count[of_triangles][s] = out[1];
        }
    for (int of_triangles = 0; of_triangles < 2; ++of_triangles)
        summarise(small.seeds, count[of_triangles], &mean[of_triangles], &variance[of_triangles]);
    const double error = sqrt((variance[0] + variance[1]) / small.seeds);
    // otherwise nothing has been tested
    scree_report_near(trial, 0.5, mean[0] / small.grains, 0.3, "share of the grains that have flowed out");
    scree_report_near(trial, mean[0], mean[1], 4.14 * error, "grains that have flowed out, mean of %d runs",
                      small.seeds);
    scree_report_at_most(trial, 0.06, 4.14 * error / mean[0], "this tolerance, relative");
    return SCREE_OK;
}

// --- many grains, by blocks of time

enum { BLOCKS = 16 };
static const struct hopper large = {.grains = 20000,
                                    .seeds = 1,
                                    .blocks = BLOCKS,
                                    .outlet = 0.024,
                                    .tube = 0.06,
                                    .tube_start = 0.04,
                                    .top = 0.4,
                                    .stiffness = 140,
                                    .step = 1e-4,
                                    .settling = 0.12,
                                    .starting = 0.025,
                                    .block = 0.023};

// A bound of the difference between two hoppers of equal flow in one block of time, by the differences of all
// blocks; both flows fall slowly as the hoppers empty, which differences do not contain. The error of a sum
// grows with the square root of its blocks if they are independent. If a flow remembers its past for longer
// than a block, longer blocks have a larger variance per block (Flyvbjerg and Petersen, J. Chem. Phys. 91,
// 461 (1989)). A grain falls by the radius of the outlet in 70 ms, so pairs of blocks are tried too,
// and the larger bound counts. The factors are those of Student's t with 15 and 7 degrees of freedom: equal
// flows exceed them in one of a thousand cases.
static double noise_of_block(const outflow out[2])
{
    static const double student[] = {4.07, 5.41};
    double largest = 0;
    for (int width = 1; width <= 2; ++width) {
        const int count = BLOCKS / width;
        double difference[BLOCKS], mean, variance;
        for (int b = 0; b < count; ++b) {
            const int first = b * width, last = first + width;
            difference[b] = (out[1][last] - out[1][first]) - (out[0][last] - out[0][first]);
        }
        summarise(count, difference, &mean, &variance);
        largest = fmax(largest, student[width - 1] * sqrt(variance / width));
    }
    return largest;
}

// The hopper with so many grains that the blocks of one run show the noise. The time before the first block
// counts as one more of them.
scree_status scree_mesh_discharge(struct scree_trial *trial)
{
    static outflow out[2];
    for (int of_triangles = 0; of_triangles < 2; ++of_triangles)
        SCREE_TRY(discharge(trial, &large, of_triangles, 11, out[of_triangles]));
    const double noise = noise_of_block((const outflow *)out), end = sqrt(BLOCKS) * noise,
                 flow[2] = {out[0][BLOCKS] - out[0][0], out[1][BLOCKS] - out[1][0]},
                 scale = density * scree_balls_volume(grain_radius) / (BLOCKS * large.block);
    for (int b = 0; b <= BLOCKS; b += 4)
        scree_report_near(trial, large.grains - out[0][b], large.grains - out[1][b], noise * sqrt(b + 1),
                          "grains left after %.3f s", large.starting + b * large.block);
    scree_report_near(trial, scale * flow[0], scale * flow[1], scale * end, "mean mass flow, kg/s");
    scree_report_at_most(trial, 0.05, end / flow[0], "this tolerance, relative");
    return SCREE_OK;
}
