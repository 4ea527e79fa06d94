// Walls at periodic faces: scenes and the engine refuse walls that end at a face. Reference: the kinetic
// energy of an impact on a face, which is conserved with allowed walls and changes with refused ones.

#include "support/trial.h"
#include "support/worlds.h"

#include <scree/engine.h>
#include <scree/soft.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                 \
    "scree: 1\nmaterials: {m: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"                               \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0, restitution: 1}]\n"                   \
    "world: {box: [[0, 0, -1], [0.1, 0.1, 1]], periodic: [x, y], outside: ignore}\n"                         \
    "engine: {soft: {safety: 0.02}}\n"
// a ball that passes the face x = 0 while it touches a floor at z = 0
#define BALL                                                                                                 \
    "bodies: [{sphere: {radius: 5 mm, at: [0.6 mm, 51 mm, 5.2 mm], material: m, velocity: [-1, 0, -1]}}]\n"
#define IGNORE "alarms: {face: {policy: ignore}}\n"

static const struct {
    const char *walls, *mistake; // null: allowed
} rows[] = {
    {"plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}", NULL},
    {"{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}, spin: [0, 0, 3], velocity: [1, 2, 0]}",
     NULL},
    {"{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}, spin: [0, 1e-3, 0]}",
     "this plane is parallel to the periodic axis x now, but its spin (0, 0.001, 0) turns it"},
    {"plane: {point: [0, 0, 0], normal: [0.01, 0, 1], material: m}",
     "this plane is not parallel to the periodic axis x"},
    {"plane: {point: [-1 cm, 0, 0], normal: [1, 0, 0], material: m}", NULL}, // too far for contacts
    {"plane: {point: [-4 mm, 0, 0], normal: [1, 0, 0], material: m}", "give it a normal without a component"},
    // a rectangle that spans the cell, to the face or beyond
    {"rectangle: {corner: [0, 0, 0], edges: [[0.1, 0, 0], [0, 0.1, 0]], material: m}", NULL},
    {"rectangle: {corner: [-1, -1, 0], edges: [[2, 0, 0], [0, 3, 0]], material: m}", NULL},
    {"rectangle: {corner: [0, 0, 0], edges: [[0.099, 0, 0], [0, 0.1, 0]], material: m}",
     "this rectangle extends from 0 to 0.099 m along x"},
    {"rectangle: {corner: [1 cm, 1 cm, 0], edges: [[0.07, 0, 0], [0, 0.07, 0]], material: m}", NULL},
    {"{rectangle: {corner: [1 cm, 1 cm, 0], edges: [[5 cm, 0, 0], [0, 5 cm, 0]], material: m}, "
     "velocity: [0, 10, 0]}",
     "this rectangle moves; in stage 1, at about "},
    {"{rectangle: {corner: [0, 0, 0], edges: [[0.1, 0, 0], [0, 0.1, 0]], material: m}, spin: [0, 0, 1]}",
     "this rectangle moves; in stage 1, at about "},
    // a rectangle with edges along (1, 1, 0) and (-1, 1, 0) that spans the cell
    {"rectangle: {corner: [0.05, -0.1, 0], edges: [[0.15, 0.15, 0], [-0.15, 0.15, 0]], material: m}", NULL},
    {"disk: {centre: [5 cm, 5 cm, 0], normal: [0, 0, 1], radius: 71 mm, material: m}", NULL},
    {"disk: {centre: [5 cm, 5 cm, 0], normal: [0, 0, 1], radius: 70 mm, material: m}",
     ", or use a plane, or add copies of it"},
    {"disk: {centre: [5 cm, 5 cm, 0], normal: [0, 0, 1], radius: 44 mm, material: m}", NULL},
    {"disk: {centre: [0, 5 cm, 0], normal: [1, 0, 0], radius: 44 mm, material: m}", "extends from 0 to 0 m"},
    {"cylinder: {from: [0, 5 cm, -2 mm], to: [0.1, 5 cm, -2 mm], radius: 2 mm, material: m}", NULL},
    {"{cylinder: {from: [0, 5 cm, -2 mm], to: [0.1, 5 cm, -2 mm], radius: 2 mm, material: m}, spin: [5, 0, "
     "0]}",
     NULL},
    {"{cylinder: {from: [0, 5 cm, -2 mm], to: [0.1, 5 cm, -2 mm], radius: 2 mm, material: m}, spin: [5, 0, "
     "1]}",
     "let it rotate about its normal or about x only"},
    {"cylinder: {from: [2 mm, 5 cm, -2 mm], to: [98 mm, 5 cm, -2 mm], radius: 2 mm, material: m}",
     "extends from 0.002 to 0.098 m along x"},
    {"cylinder: {from: [5 cm, 5 cm, 0], to: [5 cm, 5 cm, 5 cm], radius: 46 mm, material: m}",
     "extends from 0.004 to 0.096 m along x"},
    {"cone: {from: [0, 5 cm, 0], to: [0.1, 5 cm, 0], radii: [1 cm, 2 cm], material: m}", "this cone extends"},
    {"cone: {from: [5 cm, 5 cm, 0], to: [5 cm, 5 cm, 5 cm], radii: [1 cm, 4 cm], material: m}", NULL},
    {"box: {lower: [0, -1, 0], upper: [0.1, 1, 1], material: m}",
     "this box has faces that are not parallel to the periodic axis x"},
    {"box: {lower: [-1 cm, -1 cm, 0], upper: [0.11, 0.11, 1], material: m}", NULL},
    {"box: {lower: [1 cm, 1 cm, 0], upper: [9 cm, 9 cm, 1], material: m}", NULL},
    {"box: {lower: [0, 4 cm, -1], upper: [0.1, 6 cm, 0], bodies: outside, material: m}", NULL},
    {"box: {lower: [0, 4 cm, -1], upper: [0.098, 6 cm, 0], bodies: outside, material: m}",
     "this box extends"},
    {"sphere: {centre: [5 cm, 5 cm, 0], radius: 4 cm, material: m}", NULL},
    {"sphere: {centre: [5 cm, 5 cm, 0], radius: 6 cm, material: m}", "this sphere extends"},
    {"sphere: {centre: [0, 5 cm, -1 cm], radius: 1 cm, bodies: outside, material: m}", "this sphere extends"},
    // far outside of the cell
    {"sphere: {centre: [0.3, 5 cm, -1 cm], radius: 1 cm, bodies: outside, material: m}", NULL},
    // with a copy one period away
    {"sphere: {centre: [0, 5 cm, -1 cm], radius: 1 cm, bodies: outside, material: m}, "
     "sphere: {centre: [0.1, 5 cm, -1 cm], radius: 1 cm, bodies: outside, material: m}",
     NULL},
    {"sphere: {centre: [0, 5 cm, -1 cm], radius: 1 cm, bodies: outside, material: m}, "
     "sphere: {centre: [0.1, 5 cm, -1 cm], radius: 1.1 cm, bodies: outside, material: m}",
     "this sphere extends"},
};

static void scenes_with_walls_that_end_at_periodic_faces_are_refused(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[2000];
        // the ball is far from all walls
        snprintf(text, sizeof text,
                 HEAD "bodies: [{sphere: {radius: 5 mm, at: [5 cm, 5 cm, 0.5], material: m}}]\n"
                      "alarms: {overlap: {policy: ignore}}\n" // of containers of which the ball is outside
                      "run: {until: 5 ms}\nwalls: [%s]\n",
                 rows[r].walls);
        if (rows[r].mistake)
            scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, rows[r].mistake, "%s", text);
        else
            scree_world_destroy(scree_trial_build_text(text));
    }
}

// Relative change of the kinetic energy of a ball without losses.
static double energy_gain(const char *body, const char *walls)
{
    char text[2000];
    struct scree_body_state state;
    snprintf(text, sizeof text, HEAD IGNORE "%srun: {until: 20 ms}\nwalls: [%s]\n", body, walls);
    struct scree_world *world = scree_trial_run_text(text, NULL);
    assert_ok(scree_body_get(world, (scree_body_id){1}, &state));
    scree_world_destroy(world);
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += state.velocity[k] * state.velocity[k];
    return square / 2 - 1;
}

// With a step of 1/50 of the critical time step, the error of the energy is 1e-5.
static void an_impact_at_a_face_conserves_energy_on_allowed_walls(void **state)
{
    (void)state;
    static const char *const allowed[] = {
        "plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}",
        "rectangle: {corner: [0, 0, 0], edges: [[0.1, 0, 0], [0, 0.1, 0]], material: m}",
        "disk: {centre: [5 cm, 5 cm, 0], normal: [0, 0, 1], radius: 71 mm, material: m}",
        "cylinder: {from: [0, 5 cm, -2 mm], to: [0.1, 5 cm, -2 mm], radius: 2 mm, material: m}",
        "box: {lower: [0, 4 cm, -1], upper: [0.1, 6 cm, 0], bodies: outside, material: m}",
        "box: {lower: [-1 cm, -1, 0], upper: [0.11, 2, 1], material: m}",
        ("sphere: {centre: [0, 5 cm, -1 cm], radius: 1 cm, bodies: outside, material: m}, "
         "sphere: {centre: [0.1, 5 cm, -1 cm], radius: 1 cm, bodies: outside, material: m}")};
    for (size_t k = 0; k < sizeof allowed / sizeof allowed[0]; ++k)
        assert_true(fabs(energy_gain(BALL, allowed[k])) < 1e-4);
}

static void an_impact_at_a_face_changes_the_energy_on_refused_walls(void **state)
{
    (void)state;
    // when the ball passes the face, its force vanishes, or begins with a large overlap
    assert_true(
        energy_gain(
            BALL, "rectangle: {corner: [0, 0, 0], edges: [[0.098, 0, 0], [0, 0.1, 0]], material: m}") < -0.1);
    assert_true(
        energy_gain("bodies: [{sphere: {radius: 5 mm, at: [1.5 mm, 51 mm, 4.5 mm], material: m, "
                    "velocity: [-1.41421356, 0, 0]}}]\n",
                    "rectangle: {corner: [5 cm, 0, 0], edges: [[5 cm, 0, 0], [0, 0.1, 0]], material: m}") >
        0.1);
}

// The engine makes the same check before the first step and while walls move, for users of the library.
static void the_engine_stops_when_a_wall_ends_at_a_face(void **state)
{
    (void)state;
    static const struct {
        double centre, velocity;
        uint64_t steps; // taken before the alarm
    } cases[] = {{0.1, 0, 0}, {0.5, 0, UINT64_MAX}, {0.3, -1, 95}, {0.3, 0.0001, UINT64_MAX}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        struct scree_world *world;
        struct scree_engine *engine;
        scree_material_id material;
        scree_body_id body;
        scree_wall_id wall;
        assert_ok(scree_world_create(NULL, &world));
        assert_ok(
            scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1}, &material));
        const struct scree_interaction_value values[] = {{"stiffness", 1, NULL},
                                                         {"stiffness-tangential", 0, NULL},
                                                         {"friction", 0, NULL},
                                                         {"restitution", 1, NULL}};
        assert_ok(scree_interaction_add(
            world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 4}));
        assert_ok(scree_cell_set(world, &(struct scree_cell_def){.upper = {1, 1, 1}, .periodic = {true}}));
        assert_ok(scree_body_add_sphere(
            world,
            &(struct scree_sphere_def){.radius = 0.1, .material = material, .position = {0.5, 0.5, 0.5}},
            &body));
        const struct scree_wall_def def = {.shape = SCREE_WALL_SPHERE,
                                           .material = material,
                                           .sphere = {{cases[c].centre, 0, 0}, 0.01, SCREE_WALL_OUTSIDE},
                                           .velocity = {cases[c].velocity, 0, 0}};
        assert_ok(scree_wall_add(world, &def, &wall));
        assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 0.002, .threads = 1}, &engine));
        const scree_status status = scree_engine_run(engine, 200);
        if (cases[c].steps == UINT64_MAX) {
            assert_ok(status);
        } else {
            assert_int_equal(status, SCREE_ERROR_NUMBER);
            assert_non_null(strstr(scree_status_message(), "alarm 'face' in step "));
            assert_non_null(strstr(scree_status_message(), "wall 1, a sphere, extends from "));
            // the sphere of 1 cm is refused nearer than 11 cm to the face
            assert_true(scree_world_steps(world) >= cases[c].steps &&
                        scree_world_steps(world) <= cases[c].steps + 2);
        }
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

// A stage can start motion that the check of the initial state cannot find.
static void the_walls_of_later_stages_are_checked(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "wall 1, a plane, is parallel to the periodic axis x now, but its spin",
        HEAD BALL "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}, group: g}]\n"
                  "run: [{until: 5 ms}, {until: 10 ms, walls: [{group: g, spin: [0, 1, 0]}]}]\n");
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "wall 1, a cone, moves; in stage 2, at about 1.",
        HEAD BALL "walls: [{cone: {from: [5 cm, 5 cm, 0], to: [5 cm, 5 cm, 5 cm], radii: [1 cm, 2 cm], "
                  "material: m}, group: g}]\n"
                  "run: [{until: 1 s}, {until: 2 s, walls: [{group: g, velocity: [5 cm/s, 0, 0]}]}]\n");
    // 4 mm in a stage of 0.1 s
    scree_world_destroy(scree_trial_build_text(
        HEAD BALL "walls: [{cone: {from: [5 cm, 5 cm, 0], to: [5 cm, 5 cm, 5 cm], radii: [1 cm, 2 cm], "
                  "material: m}, group: g}]\n"
                  "run: [{until: 1 s}, {for: 0.1 s, walls: [{group: g, velocity: [4 cm/s, 0, 0]}]}]\n"));
    // a vibration of 1 mm, at up to 0.6 m/s
    scree_world_destroy(scree_trial_build_text(
        HEAD BALL "walls: [{cone: {from: [5 cm, 5 cm, 0], to: [5 cm, 5 cm, 5 cm], radii: [1 cm, 2 cm], "
                  "material: m}, vibration: {amplitude: 1 mm, frequency: 100 Hz, direction: [1, 0, 0]}}]\n"
                  "run: [{until: 1 s}]\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_with_walls_that_end_at_periodic_faces_are_refused),
        cmocka_unit_test(an_impact_at_a_face_conserves_energy_on_allowed_walls),
        cmocka_unit_test(an_impact_at_a_face_changes_the_energy_on_refused_walls),
        cmocka_unit_test(the_engine_stops_when_a_wall_ends_at_a_face),
        cmocka_unit_test(the_walls_of_later_stages_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
