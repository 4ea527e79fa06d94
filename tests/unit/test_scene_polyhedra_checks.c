// What is found before the run with the true shapes of polyhedra: overlaps with walls, and steps that are too
// long in a later stage.

#include "support/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LAW(more)                                                                                            \
    "contacts: [{between: [any, any], law: linear, stiffness: 1 kN/m, restitution: 1, friction: 0}]\n" more
#define HEAD "scree: 1\nmaterials: {stone: {density: 1000}}\n" LAW("run: {steps: 1}\n")
#define FLAT "scree: 1\ndimension: 2\nmaterials: {stone: {density: 1000}}\n" LAW("run: {steps: 1}\n")
#define FLOOR "walls:\n  - plane: {point: [0, 0, 0], normal: [0, 0, 1], material: stone}\n"
#define TABLE "walls:\n  - rectangle: {corner: [-1, -1, 0], edges: [[2, 0, 0], [0, 2, 0]], material: stone}\n"
#define CUBE(x, z)                                                                                           \
    "  - polyhedron: {box: [2 cm, 2 cm, 2 cm], rounding: 1 mm, at: [" x ", 0, " z "], material: stone}\n"

// Half edges of the cores are 9 mm, so the reach is 9 sqrt(3) + 1 = 16.588 mm, of the square 9 sqrt(2) + 1 =
// 13.728 mm. Overlaps with half-spaces are compared with the reach, others with the rounding.
static void a_polyhedron_in_a_wall_is_reported_with_its_own_faces(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {HEAD FLOOR "bodies:\n" CUBE("0", "5 mm"),
         "scene.yaml:8:5: body 1, a polyhedron of reach 0.01659 m, overlaps the plane at scene.yaml:6 by "
         "0.005 m, 0.301 of the reach of the body (limit 0.2): move it by 0.005 m along (0, 0, 1)"},
        // the lower face is 0.5 mm below the surface
        {HEAD TABLE "bodies:\n" CUBE("0", "9.5 mm"),
         "overlaps the rectangle at scene.yaml:6 by 0.0005 m, 0.5 of the rounding of the body (limit 0.2): "
         "move it by 0.0005 m along (0, 0, 1)"},
        {FLAT "walls:\n  - plane: {point: [0, 0], normal: [0, 1], material: stone}\nbodies:\n"
              "  - polyhedron: {rectangle: [2 cm, 2 cm], rounding: 1 mm, at: [0, 5 mm], thickness: 1 cm, "
              "material: stone}\n",
         "a polygon of reach 0.01373 m, overlaps the plane at scene.yaml:7 by 0.005 m, 0.364 of the reach"},
        // the bar stands upright below the sphere, with its lower end 8 mm deep
        {HEAD FLOOR "polyhedra: {bar: {box: [3 cm, 1 cm, 1 cm], rounding: 1 mm}}\n"
                    "clumps: {mace: {parts: [{sphere: 5 mm, at: [21 mm, 0, 0]}, {polyhedron: bar}]}}\n"
                    "bodies:\n  - clump: {shape: mace, at: [0, 0, 1 cm], material: stone, "
                    "orientation: {axis: [0, 1, 0], angle: -90 deg}}\n",
         "scene.yaml:10:5: body 1, a clump with a polyhedron of reach 0.0161 m, overlaps the plane"},
        // wherever it is moved, there is no space
        {HEAD "walls:\n  - box: {lower: [-1, -1, 0], upper: [1, 1, 1 cm], material: stone}\n"
              "bodies:\n" CUBE("0", "5 mm"),
         "move it away, or make it smaller if there is no space for it"},
        {HEAD "walls:\n  - box: {lower: [-1, -1, 0], upper: [1, 1, 1], material: stone}\nbodies:\n" CUBE(
             "0", "-5 cm"),
         "by 0.06 m along (0, 0, 1), or give the wall `bodies: outside`"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, rows[r][1], "%s", rows[r][0]);
}

// The spheres around the cubes reach 6 mm into the plane, their faces 0.1 mm.
static void a_polyhedron_on_a_wall_is_not_reported(void **state)
{
    (void)state;
    static const char *const rows[] = {
        HEAD FLOOR "bodies:\n" CUBE("0", "9.9 mm") CUBE("5 cm", "10.5 mm"),
        HEAD TABLE "bodies:\n" CUBE("0", "9.9 mm") CUBE("5 cm", "10.5 mm"),
        // a corner 7 mm deep, within the limit
        HEAD FLOOR "alarms: {overlap: {limit: 0.5}}\nbodies:\n" CUBE("0", "5 mm"),
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_world_destroy(scree_trial_build_text(rows[r]));
}

// A cube of 1 kg and edge a on a spring k at a corner. With the lever arm sqrt(3) a / 2 and the moment of
// inertia m a^2 / 6 its frequency is at most sqrt((1 + 9/2) k / m), so a step longer than 2 sqrt(m / 5.5 k) =
// 27 ms is too long. A sphere through its corners has 2.7 times the mass and no such arm.
static void a_step_of_a_later_stage_is_judged_by_the_shape(void **state)
{
    (void)state;
#define TOWER(dimension, body, wall, step)                                                                   \
    "scree: 1\n" dimension "materials: {stone: {density: 1000}}\n" LAW(                                      \
        "bodies: [polyhedron: {" body                                                                        \
        ", material: stone}]\n") "walls: [plane: {" wall ", material: stone}]\n"                             \
                                 "engine: {soft: {step: 1 ms}}\n"                                            \
                                 "run: [{steps: 1}, {steps: 1, engine: {soft: {step: " step "}}}]\n"
#define CASE(step)                                                                                           \
    TOWER("", "box: [0.1, 0.1, 0.1], rounding: 0, at: [0, 0, 1]", "point: [0, 0, 0], normal: [0, 0, 1]", step)
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "scene.yaml:7:52: the time step of 0.0275 s exceeds the critical time step", "%s",
        CASE("27.5 ms"));
    scree_world_destroy(scree_trial_build_text(CASE("20 ms")));
    // a square of 1 kg: the arm a / sqrt(2) and m a^2 / 6 give 1 + 3, and 31.6 ms
#define SQUARE(step)                                                                                         \
    TOWER("dimension: 2\n", "rectangle: [0.1, 0.1], rounding: 0, at: [0, 1], thickness: 0.1",                \
          "point: [0, 0], normal: [0, 1]", step)
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "the time step of 0.032 s exceeds", "%s",
                                    SQUARE("32 ms"));
    scree_world_destroy(scree_trial_build_text(SQUARE("20 ms")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_polyhedron_in_a_wall_is_reported_with_its_own_faces),
        cmocka_unit_test(a_polyhedron_on_a_wall_is_not_reported),
        cmocka_unit_test(a_step_of_a_later_stage_is_judged_by_the_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
