// Warnings about walls and bodies of a scene (scene/wall_checks.c): seams of flat walls, the axis of a cone,
// partly fixed bodies, and bodies outside of all vessels. Reference: the geometry of each scene.

#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                 \
    "scree: 1\nmaterials: {m: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"                               \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.6}]\n"               \
    "engine: {soft: {safety: 0.2}}\nrun: {steps: 1}\n"
#define FALL "gravity: [0, 0, -9.81]\n"
#define BALL "bodies: [{sphere: {radius: 5 mm, at: [0, 0, 0.2], material: m}}]\n"
#define TUBE "cylinder: {from: [0, 0, 0], to: [0, 0, 0.1], radius: 5 cm, material: m}"
// one ball inside the tube and two outside, of which the second is lower
#define THREE                                                                                                \
    "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 0.05], material: m}\n"                                   \
    "  - sphere: {radius: 5 mm, at: [0.1, 0, 0.05], material: m}\n"                                          \
    "  - sphere: {radius: 5 mm, at: [0, 6 cm, 0.02], material: m}\n"
#define RECTANGLE(x, y, z)                                                                                   \
    "rectangle: {corner: [" x ", " y ", " z "], edges: [[1, 0, 0], [0, 1, 0]], material: m}"

static void store_warning(void *user, const char *text)
{
    // these scenes need no records
    if (!strstr(text, "this scene has no 'record'"))
        snprintf((char *)user, 1000, "%.900s", text);
}

struct row {
    const char *text, *warning; // null: no warning
};

static void check_warnings(const struct row *rows, size_t count)
{
    for (size_t r = 0; r < count; ++r) {
        char warning[1000] = "";
        struct scree_trial trial = scree_trial_read("scene.yaml", rows[r].text);
        const struct scree_run_def def = {.threads = 1, .warn = store_warning, .user = warning};
        (void)!scree_trial_run(&trial, &def);
        scree_trial_assert_ok(&trial);
        scree_trial_free(&trial);
        if (rows[r].warning ? !strstr(warning, rows[r].warning) : warning[0] != 0)
            fail_msg("%s\ngives the warning '%s'", rows[r].text, warning);
    }
}
#define CHECK_WARNINGS(rows) check_warnings(rows, sizeof(rows) / sizeof(rows)[0])

static void a_seam_of_flat_walls_is_reported_with_both_lines(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {HEAD BALL "walls:\n  - " RECTANGLE("-1", "0", "0") "\n  - " RECTANGLE(
             "0", "0", "0") "\n"
                            "    velocity: [1, 0, 0]\n",
         "the rectangle at scene.yaml:8 and the rectangle at scene.yaml:9 lie in one plane and meet or "
         "overlap"},
        // these act as one surface, also if 1 nm is between them, and not if it is 1 um
        {HEAD BALL "walls:\n  - " RECTANGLE("-1", "0", "0") "\n  - " RECTANGLE("0", "0", "0") "\n", NULL},
        {HEAD BALL "walls:\n  - " RECTANGLE("-1", "0.3", "0") "\n  - " RECTANGLE("1 nm", "0", "0") "\n",
         NULL},
        {HEAD BALL "walls:\n  - " RECTANGLE("-1", "0", "0") "\n  - " RECTANGLE("1 um", "0", "0") "\n",
         "are only 1e-06 m apart"},
        {HEAD BALL "walls:\n  - " RECTANGLE("-1.009", "0", "0") "\n  - " RECTANGLE("0", "0", "0") "\n",
         "are only 0.009 m apart"},
        {HEAD BALL "walls:\n  - " RECTANGLE("-1.011", "0", "0") "\n  - " RECTANGLE("0", "0", "0") "\n", NULL},
        // diagonal neighbours: 7.07 mm and 14.1 mm
        {HEAD BALL "walls:\n  - " RECTANGLE("-1.005", "-1.005", "0") "\n  - " RECTANGLE("0", "0", "0") "\n",
         "are only 0.00707107 m apart"},
        {HEAD BALL "walls:\n  - " RECTANGLE("-1.01", "-1.01", "0") "\n  - " RECTANGLE("0", "0", "0") "\n",
         NULL},
        // rectangles at different heights, or with perpendicular normals
        {HEAD BALL "walls:\n  - " RECTANGLE("-1", "0", "0") "\n  - " RECTANGLE("0", "0", "1 mm") "\n", NULL},
        {HEAD BALL "walls: [" RECTANGLE("0", "0", "0") ", rectangle: {corner: [1, 0, 0], edges: [[0, 0, 1], "
                                                       "[0, 1, 0]], material: m}]\n",
         NULL},
        // three in a row: two seams
        {HEAD BALL "walls: [" RECTANGLE("-1.005", "0", "0") ", " RECTANGLE("0", "0", "0") ", " RECTANGLE(
             "1.005", "0", "0") "]\n",
         "(and 1 more pair)"},
        {HEAD BALL
         "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}, " RECTANGLE("0", "0", "0") "]\n",
         "the plane at scene.yaml:7 and the rectangle at scene.yaml:7"},
        // the two that act as one surface for spheres do not for polyhedra
        {HEAD BALL "walls:\n  - " RECTANGLE("-1", "0", "0") "\n  - " RECTANGLE(
             "0", "0", "0") "\npolyhedra: {die: {cube: {edge: 1 cm}, rounding: 1 mm}}\n",
         "a polyhedron touches both near the seam"},
        // a seam that spheres feel is named before one that only polyhedra do
        {HEAD BALL
         "walls:\n  - " RECTANGLE("-1", "0", "0") "\n  - " RECTANGLE("0", "0", "0") "\n  - " RECTANGLE(
             "1.005", "0", "0") "\npolyhedra: {die: {cube: {edge: 1 cm}, rounding: 1 mm}}\n",
         "the rectangle at scene.yaml:9 and the rectangle at scene.yaml:10 lie in one plane and are only "
         "0.005 m apart (and 1 more pair): a body touches both near the seam, so one that rolls over it is "
         "kicked"},
        {HEAD BALL
         "walls: [disk: {centre: [0, 0, 0], normal: [0, 0, 1], radius: 0.2, hole: 0.1, material: m}, "
         "disk: {centre: [0, 0, 0], normal: [0, 0, 1], radius: 0.1, material: m}]\n"
         "polyhedra: {die: {cube: {edge: 1 cm}, rounding: 1 mm}}\n",
         "gaps of up to 1.2 % of the radius, into which corners of polyhedra fall"},
        // a disk beside a rectangle, and a disk in the hole of a ring
        {HEAD BALL
         "walls: [disk: {centre: [-0.1, 0.5, 0], normal: [0, 0, 1], radius: 9.5 cm, material: m}, " RECTANGLE(
             "0", "0", "0") "]\n",
         "are only 0.005 m apart"},
        {HEAD BALL
         "walls: [disk: {centre: [0, 0, 0], normal: [0, 0, 1], radius: 0.2, hole: 0.1, material: m}, "
         "disk: {centre: [0, 0, 0], normal: [0, 0, -1], radius: 9.8 cm, material: m}]\n",
         "are only 0.002 m apart"},
        {HEAD BALL
         "walls: [disk: {centre: [0, 0, 0], normal: [0, 0, 1], radius: 0.2, hole: 0.1, material: m}, "
         "disk: {centre: [0, 0, 0], normal: [0, 0, -1], radius: 5 cm, material: m}]\n",
         NULL},
        {HEAD BALL
         "walls: [disk: {centre: [0, 0, 0], normal: [0, 0, 1], radius: 0.2, hole: 0.1, material: m}, "
         "rectangle: {corner: [-5 cm, -5 cm, 0], edges: [[0.1, 0, 0], [0, 0.1, 0]], material: m}]\n",
         NULL},
    };
    CHECK_WARNINGS(rows);
}

static void a_body_on_the_axis_of_a_cone_is_reported(void **state)
{
    (void)state;
#define CONE "walls: [cone: {from: [0, 0, 0], to: [0, 0, 0.1], radii: [1 mm, 5 cm], material: m}]\n"
    static const struct row rows[] = {
        {"scree: 1\nmaterials: {m: {density: 2500}}\n"
         "contacts: [{between: [any, any], law: hard, restitution: 0.6, friction: 0}]\n"
         "engine: {event: {step: 1 ms}}\nrun: {steps: 1}\n" BALL CONE,
         NULL},
        {HEAD BALL CONE, "body 1 is on the axis of the cone at scene.yaml:7"},
        {HEAD "bodies: [{sphere: {radius: 5 mm, at: [1 mm, 0, 0.2], material: m}}]\n" CONE, NULL},
        // the ball falls through without touching
        {HEAD "bodies: [{sphere: {radius: 0.5 mm, at: [0, 0, 0.2], material: m}}]\n" CONE, NULL},
    };
    CHECK_WARNINGS(rows);
}

static void a_partly_fixed_body_is_reported_if_a_normal_can_be_oblique(void **state)
{
    (void)state;
#define FIXED(axes) "bodies: [{sphere: {radius: 5 mm, at: [0, 0, 0.2], material: m, fixed: [" axes "]}}]\n"
#define PLANE(x) "walls: [plane: {point: [0, 0, 0], normal: [" x ", 0, 1], material: m}]\n"
    static const struct row rows[] = {
        {HEAD FIXED("x, y") PLANE("1"), "body 1 is fixed along some axes only"},
        {HEAD FIXED("x, y") PLANE("0"), NULL},
        {HEAD FIXED("y") PLANE("1"), NULL},
        {HEAD FIXED("x, y, z") PLANE("1"), NULL},
        {HEAD FIXED("spin-x") PLANE("1"), NULL},
        {HEAD FIXED("x, y") "walls: [box: {lower: [-1, -1, -1], upper: [1, 1, 1], material: m}]\n", NULL},
        {HEAD FIXED("x, y") "walls: [sphere: {centre: [0, 0, 0], radius: 1, material: m}]\n",
         "body 1 is fixed along some axes only"},
        // two balls: side by side in the plane y = 0, and oblique
        {HEAD "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 0], material: m, fixed: [y]}\n"
              "  - sphere: {radius: 5 mm, at: [0.1, 0, 0.1], material: m, fixed: [y]}\n",
         NULL},
        {HEAD "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 0], material: m}\n"
              "  - sphere: {radius: 5 mm, at: [0.1, 1 mm, 0.1], material: m, fixed: [y]}\n",
         "body 2 is fixed along some axes only"},
    };
    CHECK_WARNINGS(rows);
}

static void bodies_that_will_fall_are_counted(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {HEAD FALL THREE "walls: [" TUBE "]\n",
         "2 of 3 bodies are outside of every cylinder, cone, sphere and box, with nothing below them, and "
         "will fall: 2 at (0.1, 0, 0.05), 3 at (0, 0.06, 0.02) m"},
        // no warning without gravity, without a vessel, or above a floor
        {HEAD THREE "walls: [" TUBE "]\n", NULL},
        {HEAD FALL THREE, NULL},
        {HEAD FALL THREE "walls: [" TUBE ", plane: {point: [0, 0, -1], normal: [0, 0, 1], material: m}]\n",
         NULL},
        {HEAD FALL THREE "walls: [" TUBE ", " RECTANGLE("-0.5", "-0.5", "-1") "]\n", NULL},
        {HEAD FALL THREE "walls: [" TUBE ", disk: {centre: [0, 0, -1], normal: [0, 0, 1], radius: 8 cm, "
                         "material: m}]\n",
         "1 of 3 bodies"},
        {HEAD FALL THREE "walls: [" TUBE
                         ", box: {lower: [9 cm, -1, -1], upper: [0.2, 1, -0.5], bodies: outside, "
                         "material: m}]\n",
         "1 of 3 bodies are outside of every cylinder, cone, sphere and box, with nothing below them, and "
         "will fall: 3 at"},
        {HEAD FALL THREE "walls: [" TUBE ", sphere: {centre: [0.1, 0, -1], radius: 0.05, bodies: outside, "
                         "material: m}]\n",
         "1 of 3 bodies"},
        // bodies above the outside of a cone, and above an open end
        {HEAD FALL THREE "walls: [" TUBE ", cone: {from: [1 mm, 0, -1], to: [1 mm, 0, -0.5], radii: "
                         "[0.2, 1 mm], material: m}]\n",
         NULL},
        {HEAD FALL THREE "walls: [" TUBE ", cone: {from: [0, 0, -1], to: [0, 0, -0.5], radii: [0.15, 0.2], "
                         "material: m}]\n",
         NULL},
        // a fixed body, and a body above it
        {HEAD FALL "bodies:\n  - sphere: {radius: 5 mm, at: [0.1, 0, 0], material: m, fixed: [x, y, z]}\n"
                   "  - sphere: {radius: 5 mm, at: [0.1, 1 mm, 0.1], material: m}\nwalls: [" TUBE "]\n",
         NULL},
        // gravity along a periodic axis
        {HEAD FALL THREE "world: {box: [[-1, -1, -1], [1, 1, 1]], periodic: [z]}\nwalls: [cylinder: {from: "
                         "[0, 0, -1], to: [0, 0, 1], radius: 5 cm, material: m}]\n",
         NULL},
    };
    CHECK_WARNINGS(rows);
}

static void a_filling_on_both_sides_of_a_wall_is_reported(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {HEAD FALL "bodies: [{fill: {shape: {sphere: {radius: 3 mm}}, count: 300, material: m, inside: {box: "
                   "[[-5 cm, -5 cm, 0], [5 cm, 5 cm, 10 cm]]}}}]\n"
                   "walls: [" TUBE
                   ", disk: {centre: [0, 0, 0], normal: [0, 0, 1], radius: 5 cm, material: m}]\n",
         " of 300 bodies are outside of every cylinder"},
        {HEAD FALL "bodies: [{fill: {shape: {sphere: {radius: 3 mm}}, count: 300, material: m, inside: "
                   "{cylinder: {from: [0, 0, 0], to: [0, 0, 10 cm], radius: 5 cm}}}}]\n"
                   "walls: [" TUBE
                   ", disk: {centre: [0, 0, 0], normal: [0, 0, 1], radius: 5 cm, material: m}]\n",
         NULL},
    };
    CHECK_WARNINGS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seam_of_flat_walls_is_reported_with_both_lines),
        cmocka_unit_test(a_body_on_the_axis_of_a_cone_is_reported),
        cmocka_unit_test(a_partly_fixed_body_is_reported_if_a_normal_can_be_oblique),
        cmocka_unit_test(bodies_that_will_fall_are_counted),
        cmocka_unit_test(a_filling_on_both_sides_of_a_wall_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
