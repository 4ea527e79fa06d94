// Cubes and boxes that fall, stand, slide, topple and collide, against closed forms and conservation laws.
//
// A cube of 0.1 m has rounded edges of 2 mm, and its contacts are linear springs at its corners,
// with stiffness k each. On a plane it rests on four corners, so its overlap is m g / 4 k.

#include "balls.h"
#include "verify.h"

#include <math.h>

enum { CUBES = 10 };

static const double edge = 0.1, rounding = 0.002, density = 1000, gravity = 10;

// of a cube: its core, slabs on its faces, quarters of cylinders at its edges, and a sphere at its corners
static double cube_mass(void)
{
    const double c = edge - 2 * rounding, r = rounding, pi = 3.14159265358979323846;
    return density * (c * c * c + 6 * c * c * r + 3 * pi * c * r * r + 4.0 / 3 * pi * r * r * r);
}

struct setting {
    double stiffness, friction, restitution;
};

// `tangent` is that of the slope of the plane, along x.
static scree_status begin(struct scree_trial *trial, const struct setting *setting, double tangent)
{
    const double cosine = 1 / sqrt(1 + tangent * tangent);
    const struct scree_balls_material material = {density, 0, 0};
    const struct scree_balls_law law = {.name = "linear",
                                        .values = {{"stiffness", setting->stiffness, NULL},
                                                   {"friction", setting->friction, NULL},
                                                   {"restitution", setting->restitution, NULL}}};
    SCREE_TRY(scree_balls_begin(trial, &material, &law, 0));
    return scree_world_set_gravity(trial->world,
                                   (const double[3]){gravity * tangent * cosine, 0, -gravity * cosine});
}

static scree_status add(struct scree_trial *trial, scree_shape_id shape,
                        const struct scree_polyhedron_def *at)
{
    struct scree_polyhedron_def def = *at;
    def.shape = shape;
    def.material = trial->material;
    return scree_polyhedron_add(trial->world, &def, &trial->body);
}

static scree_status add_cubes(struct scree_trial *trial, int count, double height)
{
    scree_shape_id shape;
    SCREE_TRY(scree_polyhedron_add_box(trial->world, (const double[3]){edge, edge, edge}, rounding, &shape));
    for (int n = 0; n < count; ++n)
        SCREE_TRY(
            add(trial, shape, &(struct scree_polyhedron_def){.position = {0, 0, height + (0.5 + n) * edge}}));
    return SCREE_OK;
}

static scree_status kinetic_energy(struct scree_trial *trial, double *energy)
{
    struct scree_energy now;
    SCREE_TRY(scree_energy_get(trial->world, &now));
    *energy = now.translation + now.rotation;
    return SCREE_OK;
}

// A cube falls flat by 8 mm. Its oscillations decay by a factor of e in less than a period for a restitution
// of 0.5, and the run lasts 80 periods of 2 pi sqrt(m / 4 k); what is left is round-off.
static scree_status drop(struct scree_trial *trial)
{
    const struct setting setting = {1e5, 0.5, 0.5};
    const double height = 0.008, place = 0.5 * edge;
    struct scree_body_state state;
    double kinetic;
    SCREE_TRY(begin(trial, &setting, 0));
    SCREE_TRY(scree_balls_floor(trial));
    SCREE_TRY(add_cubes(trial, 1, height));
    SCREE_TRY(scree_balls_start(trial, 1e-5, 1));
    SCREE_TRY(scree_trial_run(trial, 80000, &state));
    SCREE_TRY(kinetic_energy(trial, &kinetic));
    scree_report_at_most(trial, 1e-10, kinetic / (cube_mass() * gravity * height),
                         "kinetic energy at rest, relative to that of the fall");
    // round-off of the height in units of the edge, over the square root of the number of steps
    scree_report_near(trial, place - cube_mass() * gravity / (4 * setting.stiffness), state.position[2],
                      1e-12, "height at rest");
    return SCREE_OK;
}

// Ten cubes on each other. They are symmetric, so every displacement along x and y, and every rotation, is
// round-off, which friction does not let grow.
static scree_status stack(struct scree_trial *trial)
{
    const struct setting setting = {1e6, 0.5, 0.3};
    struct scree_body_state state[CUBES];
    double before, after, shift = 0, turn = 0, weight[3], moment[3];
    SCREE_TRY(begin(trial, &setting, 0));
    SCREE_TRY(scree_balls_floor(trial));
    SCREE_TRY(add_cubes(trial, CUBES, 0));
    SCREE_TRY(scree_balls_start(trial, 5e-6, 1));
    SCREE_TRY(scree_trial_run(trial, 500000, &state[0]));
    before = state[0].position[2];
    SCREE_TRY(scree_trial_run(trial, 500000, &state[0]));
    after = state[0].position[2];
    SCREE_TRY(scree_trial_states(trial, CUBES, state));
    for (int n = 0; n < CUBES; ++n) {
        shift = scree_report_larger(shift, hypot(state[n].position[0], state[n].position[1]));
        for (int k = 1; k < 4; ++k)
            turn = scree_report_larger(turn, fabs(state[n].orientation[k]));
    }
    double kinetic;
    SCREE_TRY(kinetic_energy(trial, &kinetic));
    scree_report_at_most(trial, 1e-10, kinetic / (CUBES * cube_mass() * gravity * edge), "kinetic energy");
    scree_report_at_most(trial, 1e-12, fabs(after - before) / edge, "settlement in the last 500,000 steps");
    scree_report_at_most(trial, 1e-10, shift / edge, "largest shift along the plane");
    scree_report_at_most(trial, 1e-10, turn, "largest rotation");
    SCREE_TRY(scree_wall_load(trial->world, trial->wall, weight, moment));
    scree_report_near(trial, -CUBES * cube_mass() * gravity, weight[2], 1e-8 * CUBES * cube_mass() * gravity,
                      "force on the floor");
    return SCREE_OK;
}

// Friction is exceeded, or not, by one per cent.
static scree_status slope(struct scree_trial *trial)
{
    const struct setting setting = {1e6, 0.4, 0.3};
    const double steep = 1.01 * setting.friction, flat = 0.99 * setting.friction;
    for (int run = 0; run < 2; ++run) {
        const double tangent = run == 0 ? flat : steep, cosine = 1 / sqrt(1 + tangent * tangent);
        struct scree_body_state before, after;
        SCREE_TRY(begin(trial, &setting, tangent));
        SCREE_TRY(scree_balls_floor(trial));
        SCREE_TRY(add_cubes(trial, 1, 0));
        SCREE_TRY(scree_balls_start(trial, 1e-5, 1));
        SCREE_TRY(scree_trial_run(trial, 20000, &before));
        SCREE_TRY(scree_trial_run(trial, 20000, &after));
        const double faster = after.velocity[0] - before.velocity[0],
                     expected = 0.2 * gravity * cosine * (tangent - setting.friction);
        if (run == 0)
            scree_report_at_most(trial, 4 * SCREE_VERIFY_EPSILON,
                                 fabs(after.position[0] - before.position[0]) / edge,
                                 "creep in 20,000 steps below the angle of friction");
        else // the loads of the corners sum to the weight, up to the round-off of 20,000 steps
            scree_report_near(trial, expected, faster, 1e-9, "speed gained in 0.2 s above it");
    }
    return SCREE_OK;
}

// --- sliding and toppling

// A block of base b and height h on a slope rests below both lines tan = mu and tan = b / h. Above the first
// it slides if mu < b / h: its friction is mu N, whose moment mu N h / 2 about its centre is below N b / 2,
// on any slope. If b / h < mu it topples above the second line.
enum fate { RESTS, SLIDES, TOPPLES };

static const double block_friction = 0.5, block_base = 0.02, block_rounding = 0.0002;

// What becomes of a block in 0.5 s. Its contacts are below the centres of its rounded corners, so the base is
// the distance of these, and `ratio` is this base over the height.
static scree_status find_fate(struct scree_trial *trial, double ratio, double tangent, enum fate *fate)
{
    const double step = 2.5e-6, time = 0.5, cosine = 1 / sqrt(1 + tangent * tangent),
                 height = (block_base - 2 * block_rounding) / ratio;
    // it starts without overlap: the energy m g d that it gains on two springs is below a tenth of what it
    // needs to topple 1 % below the line, m g L / 2 times the square of 0.01 b / h, L = h / 2
    const double overlap = 0.1 * 0.25 * height * (0.01 * ratio) * (0.01 * ratio),
                 mass = density * block_base * block_base * height;
    const struct setting setting = {0.5 * mass * gravity / overlap, block_friction, 0.3};
    scree_shape_id shape;
    struct scree_body_state state;
    SCREE_TRY(begin(trial, &setting, tangent));
    SCREE_TRY(scree_balls_floor(trial));
    SCREE_TRY(scree_polyhedron_add_box(trial->world, (const double[3]){block_base, block_base, height},
                                       block_rounding, &shape));
    SCREE_TRY(add(trial, shape, &(struct scree_polyhedron_def){.position = {0, 0, 0.5 * height}}));
    SCREE_TRY(scree_balls_start(trial, step, 1));
    *fate = RESTS;
    for (int part = 0; part < 10 && *fate != TOPPLES; ++part) {
        SCREE_TRY(scree_trial_run(trial, (uint64_t)(0.1 * time / step), &state));
        // a block that has turned by 0.2 rad beyond the point of no return
        const double turn = 2 * fabs(state.orientation[2]);
        *fate = turn > 0.2 ? TOPPLES : RESTS;
    }
    // half of the speed that it gains if it slides 1 % above the line
    if (*fate == RESTS && state.velocity[0] > 0.5 * time * gravity * cosine * 0.01 * block_friction)
        *fate = SLIDES;
    return SCREE_OK;
}

static enum fate fate_of(double ratio, double tangent)
{
    if (tangent <= block_friction && tangent <= ratio)
        return RESTS;
    return ratio > block_friction ? SLIDES : TOPPLES;
}

// Blocks 1 % off each line: below and above the slopes of toppling and sliding, and on both sides of the line
// b / h = mu on a slope that is steeper than both.
static scree_status topple(struct scree_trial *trial)
{
    static const double ratio[] = {0.3, 0.4, 0.495, 0.505, 0.7, 1};
    unsigned wrong = 0, seen[3] = {0};
    for (size_t n = 0; n < sizeof ratio / sizeof ratio[0]; ++n) {
        const double line = ratio[n] < block_friction ? ratio[n] : block_friction;
        const double tangent[3] = {0.99 * line, 1.01 * line, 1.3 * block_friction};
        const bool at_corner = n == 2 || n == 3;
        for (int k = 0; k < (at_corner ? 3 : 2); ++k) {
            enum fate fate;
            SCREE_TRY(find_fate(trial, ratio[n], tangent[k], &fate));
            wrong += fate != fate_of(ratio[n], tangent[k]);
            ++seen[fate];
        }
    }
    scree_report_zero(trial, wrong, "blocks that rest, slide or topple against the rule");
    scree_report_zero(trial, seen[RESTS] > 0 && seen[SLIDES] > 0 && seen[TOPPLES] > 0 ? 0u : 1u,
                      "fates that no block had");
    return SCREE_OK;
}

// Two boxes collide off-centre with spin; moments are relative to those of one body, which nearly cancel.
static scree_status collision(struct scree_trial *trial)
{
    const struct setting setting = {1e6, 0.3, 0.7};
    scree_shape_id shape;
    struct scree_momentum before, after;
    double loss[2], drift[2] = {0, 0};
    SCREE_TRY(begin(trial, &setting, 0));
    SCREE_TRY(scree_world_set_gravity(trial->world, (const double[3]){0, 0, 0}));
    SCREE_TRY(scree_polyhedron_add_box(trial->world, (const double[3]){0.1, 0.12, 0.08}, rounding, &shape));
    SCREE_TRY(add(trial, shape,
                  &(struct scree_polyhedron_def){.position = {-0.1, 0.01, 0.02},
                                                 .orientation = {0.9, 0.1, 0.3, 0.2},
                                                 .velocity = {1, 0.1, 0},
                                                 .spin = {3, -5, 2}}));
    SCREE_TRY(add(trial, shape,
                  &(struct scree_polyhedron_def){.position = {0.1, 0, 0},
                                                 .orientation = {0.5, 0.3, -0.3, 0.2},
                                                 .velocity = {-1, 0, 0.2},
                                                 .spin = {-1, 4, 6}}));
    SCREE_TRY(scree_balls_start(trial, 2e-6, 1));
    SCREE_TRY(scree_energy_momentum(trial->world, &before));
    SCREE_TRY(kinetic_energy(trial, &loss[0]));
    SCREE_TRY(scree_engine_run(trial->engine, 50000));
    SCREE_TRY(scree_energy_momentum(trial->world, &after));
    SCREE_TRY(kinetic_energy(trial, &loss[1]));
    const double momentum = density * 0.1 * 0.12 * 0.08 * 1;
    for (int k = 0; k < 3; ++k) {
        drift[0] = scree_report_larger(drift[0], fabs(after.linear[k] - before.linear[k]));
        drift[1] = scree_report_larger(drift[1], fabs(after.angular[k] - before.angular[k]));
    }
    scree_report_zero(trial, loss[1] < 0.7 * loss[0] ? 0u : 1u, "kinetic energy not lost in the collision");
    scree_report_at_most(trial, 1e-12, drift[0] / momentum, "change of the momentum");
    scree_report_at_most(trial, 1e-12, drift[1] / (momentum * edge), "change of the angular momentum");
    return SCREE_OK;
}

const struct scree_verify_case scree_verify_polyhedron[] = {
    {"drop", "a cube that falls flat on a plane", drop, NULL},
    {"stack", "ten cubes on each other for a million steps", stack, NULL},
    {"slope", "a cube on a slope just below and just above the angle of friction", slope, NULL},
    {"topple", "blocks 1 % below and above the slopes at which they slide or topple", topple, NULL},
    {"collision", "momentum and angular momentum of two colliding boxes", collision, NULL},
    {0},
};
