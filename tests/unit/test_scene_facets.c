// Meshes in scenes: wear as columns, with a restart; arrays of facets in frames; the inside of a mesh as a
// region of fillings, insertions, removals and columns; and a mesh as a surface of a flux.

#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A pyramid on the square from -1 to 1 with its tip at height 1; open: without one side. And a square at
// height 0.5.
static void write_files(void)
{
#define CORNERS "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 1\n"
    scree_folder_write(&scree_test_folder, "tent.obj",
                       CORNERS "f 1 3 2\nf 1 4 3\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n");
    scree_folder_write(&scree_test_folder, "open.obj",
                       CORNERS "f 1 3 2\nf 1 4 3\nf 1 2 5\nf 2 3 5\nf 3 4 5\n");
    scree_folder_write(&scree_test_folder, "gate.obj",
                       "v -1 -1 0.5\nv 1 -1 0.5\nv 1 1 0.5\nv -1 1 0.5\nf 1 2 3\nf 1 3 4\n");
}

static int make_folder(void **state)
{
    const int failed = scree_test_folder_make(state);
    if (failed == 0)
        write_files();
    return failed;
}

#define HEAD                                                                                                 \
    "scree: 1\nmaterials: {m: {density: 1000, young: 5 MPa, poisson: 0.25}, air: {density: 1}}\n"            \
    "contacts: [{between: [m, m], law: linear, stiffness: 1e5, friction: 0.3, restitution: 0.5}, "           \
    "{between: [any, air], law: none}]\nengine: {soft: {step: 100 us}}\n"
#define WALL(name, material) "{mesh: {file: " name ".obj, material: " material "}, group: " name "}"

// Takes a scene in the folder to a run; the caller frees the trial.
static struct scree_trial run(const char *text)
{
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 1, .force = true});
    return trial;
}

static struct scree_world *run_world(const char *text)
{
    struct scree_trial trial = run(text);
    return scree_trial_take_world(&trial);
}

static void assert_refused_scene(const char *text, const char *message)
{
    struct scree_trial trial = run(text);
    scree_trial_assert_refused(&trial, message);
    scree_trial_free(&trial);
}

// The numbers of the last row of the table.
static void read_last_row(double *number, int count)
{
    char *table = scree_folder_read(&scree_test_folder, "out.csv", NULL), *row = table;
    for (char *next = row; (next = strchr(next, '\n')) && next[1]; ++next)
        row = next + 1;
    for (int k = 0; k < count; ++k) {
        number[k] = strtod(row, &row);
        row += *row == ',';
    }
    free(table);
}

// --- wear

// A ball falls from 0.2 m on the square, from 0.05 m above it on the tip of the pyramid below: the first
// impact has the energy m g h, at most m g v dt more.
#define FALL                                                                                                 \
    HEAD                                                                                                     \
        "gravity: [0, 0, -10]\nbodies: [{sphere: {radius: 0.1, at: [0.3, 0.4, 0.8], velocity: [0.2, 0, 0], " \
        "material: m}}]\nwalls: [{mesh: {file: gate.obj, material: m}, group: gate}]\n"                      \
        "run: {for: 0.7}\nrecord: [{table: out.csv, every: 0.1, columns: [time, friction, "                  \
        "{measure: friction-work, of: gate}, {measure: impacts, of: gate}, {measure: impact-energy, of: "    \
        "gate}, {measure: force-z, of: gate}, {measure: moment-x, of: gate}, {measure: moment-x, of: gate, " \
        "about: [0, 0.4, 0], as: near}]}, {checkpoint: c.chk, every: 0.2}]\n"

static void wear_is_measured_and_continues_after_a_restart(void **state)
{
    (void)state;
    double row[8];
    scree_world_destroy(run_world(FALL));
    read_last_row(row, 8);
    // the ball rebounds with half of the speed: impacts at 0.2, 0.4, 0.5, 0.55 s and so on
    assert_true(row[3] >= 3);
    const double mass = 4000 * 3.141592653589793 / 3 * 0.001, fall = mass * 10 * 0.2;
    // the kinetic energies of the impacts are a geometric series of factor 1/4
    assert_true(row[4] > fall * (1 + 0.25) && row[4] < fall / 0.75 * (1 + 0.01));
    assert_true(row[2] > 0 && fabs(row[2] - row[1]) < 1e-9 * row[1]);
    // about the point below the contact only horizontal forces have a moment along x
    assert_true(fabs(row[6]) > 0.1 && fabs(row[6] - 0.4 * row[5]) < 1e-6 * fabs(row[6]));
    assert_true(fabs(row[7]) < 1e-6 * fabs(row[6]));
    char *uninterrupted = scree_folder_read(&scree_test_folder, "out.csv", NULL);
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "c.chk.previous"));
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 2});
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    char *restarted = scree_folder_read(&scree_test_folder, "out.csv", NULL);
    assert_string_equal(restarted, uninterrupted);
    free(restarted);
    free(uninterrupted);
}

static void wear_is_kept_only_on_demand(void **state)
{
    (void)state;
    struct scree_view view;
    static const char plain[] =
        HEAD "walls: [" WALL("gate", "m") "]\nrun: {steps: 3}\n"
                                          "record: [{frames: f, every: 1, fields: [wall.pressure, wall.area, "
                                          "wall.facet_force, wall.facet]}]\n";
    static const char worn[] =
        HEAD "walls: [" WALL("gate", "m") "]\nrun: {steps: 3}\n"
                                          "record: [{frames: f, every: 1, fields: [wall.impacts]}]\n";
    struct scree_world *world = run_world(plain);
    assert_true(scree_field_view(world, "facet.impacts", &view) != SCREE_OK || !view.base);
    scree_world_destroy(world);
    world = run_world(worn);
    assert_ok(scree_field_view(world, "facet.impacts", &view));
    assert_non_null(view.base);
    scree_world_destroy(world);
}

static void wear_needs_a_mesh(void **state)
{
    (void)state;
    static const char box[] =
        HEAD "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}, group: floor}]\n"
             "run: {steps: 1}\nrecord: [";
    char text[2000];
    snprintf(text, sizeof text, "%s{table: out.csv, every: 1, columns: [{measure: impacts, of: floor}]}]\n",
             box);
    assert_refused_scene(text, "no wall of the group is a mesh");
    snprintf(text, sizeof text, "%s{frames: f, every: 1, fields: [wall.friction_work]}]\n", box);
    assert_refused_scene(text, "'wall.friction_work' is an array of the facets of meshes");
}

// --- regions

// Distance from the nearest face of the pyramid, which is convex; negative outside.
static double depth(const double *x)
{
    const double side = (1 - x[2] - fmax(fabs(x[0]), fabs(x[1]))) / sqrt(2);
    return fmin(side, x[2]);
}

static size_t check_inside(const struct scree_world *world, double distance)
{
    const size_t bodies = scree_body_count(world);
    for (uint64_t b = 1; b <= bodies; ++b) {
        struct scree_body_state body;
        assert_ok(scree_body_get(world, (scree_body_id){b}, &body));
        assert_true(depth(body.position) >= distance);
    }
    return bodies;
}

static void fillings_and_insertions_stay_inside_of_a_mesh(void **state)
{
    (void)state;
    static const char *const random = "count: 60, ", *const lattice = "arrange: hexagonal, ",
                             *const dense = "arrange: grow, porosity: 0.5, ";
    const char *const how[] = {random, lattice, dense};
    for (int k = 0; k < 3; ++k) {
        char text[2000];
        snprintf(text, sizeof text,
                 HEAD
                 "bodies: [{fill: {shape: {sphere: {radius: 0.08}}, %smaterial: m, inside: {mesh: tent}}}]\n"
                 "walls: [" WALL("tent", "m") "]\nrun: {steps: 0}\n",
                 how[k]);
        struct scree_world *world = run_world(text);
        // a filling that touches faces exactly has a tolerance of 1e-9 on lattices
        const size_t bodies = check_inside(world, 0.08 * (1 - 1e-8));
        // of the volume 4/3, half is filled by spheres of 4/3 pi r^3
        assert_true(k == 0   ? bodies == 60
                    : k == 1 ? bodies > 100
                             : fabs((double)bodies - 0.5 / (3.141592653589793 * 0.08 * 0.08 * 0.08)) < 1);
        scree_world_destroy(world);
    }
    struct scree_world *world = run_world(HEAD "walls: [" WALL(
        "tent", "m") "]\nrun: {steps: 200}\n"
                     "insert: [{shape: {sphere: {radius: 0.08}}, material: m, inside: {mesh: tent}, "
                     "rate: {bodies: 1000 /s}}]\n");
    assert_true(check_inside(world, 0.08 * (1 - 1e-12)) > 15);
    scree_world_destroy(world);
}

// Balls of a lattice around and in the pyramid: those inside are counted, then removed; a mesh that moves
// away contains none of them any more.
static void columns_and_removals_take_the_inside_of_a_mesh(void **state)
{
    (void)state;
#define LATTICE                                                                                              \
    HEAD "bodies: [{fill: {shape: {sphere: {radius: 0.05}}, arrange: cubic, material: m, "                   \
         "inside: {box: [[-1.2, -1.2, -0.27], [1.2, 1.2, 1.3]]}}}]\n"                                        \
         "walls: [{mesh: {file: tent.obj, material: air}, group: tent%s}]\nrun: {steps: 4}\n"                \
         "remove: [{inside: {mesh: tent}, at: 250 us}]\n"                                                    \
         "record: [{table: out.csv, every: 1 steps, columns: [removed, bodies, {measure: count, "            \
         "inside: {mesh: tent}}]}]\n"
    char text[2000];
    double last[3];
    snprintf(text, sizeof text, LATTICE, "");
    struct scree_world *world = run_world(text);
    read_last_row(last, 3);
    size_t inside = 0;
    for (uint64_t b = 1; b <= (uint64_t)(last[0] + last[1]); ++b) {
        struct scree_body_state body;
        if (scree_body_get(world, (scree_body_id){b}, &body) == SCREE_OK)
            assert_true(depth(body.position) < 0);
        else
            ++inside;
    }
    // a third of the volume of the pyramid or more has no room for balls that do not touch it
    assert_true(inside > 300 && (double)inside < 4.0 / 3 / 0.001);
    assert_true(last[0] == (double)inside && last[2] == 0);
    scree_world_destroy(world);
    char *table = scree_folder_read(&scree_test_folder, "out.csv", NULL);
    char *row = strchr(table, '\n') + 1;
    assert_true(strtod(row, &row) == 0 && strtod(row + 1, &row) > 0 &&
                strtod(row + 1, &row) == (double)inside);
    free(table);
    snprintf(text, sizeof text, LATTICE, ", velocity: [0, 0, 50000]");
    scree_world_destroy(run_world(text));
    read_last_row(last, 3);
    assert_true(last[0] == 0 && last[2] == 0);
}

static void open_meshes_and_other_walls_are_no_regions(void **state)
{
    (void)state;
#define FILL(group)                                                                                          \
    "bodies: [{fill: {shape: {sphere: {radius: 0.08}}, count: 1, material: m, inside: {mesh: " group "}}}]"  \
    "\n"
#define TABLE(column) "run: {steps: 1}\nrecord: [{table: out.csv, every: 1, columns: [" column "]}]\n"
    assert_refused_scene(HEAD FILL("open") "walls: [" WALL("open", "m") "]\nrun: {steps: 1}\n",
                         "the mesh 'open' is open");
    assert_refused_scene(
        HEAD FILL(
            "floor") "walls: [{plane: {point: [0, 0, -1], normal: [0, 0, 1], material: m}, group: floor}]\n"
                     "run: {steps: 1}\n",
        "'floor' must be a group of one wall that is a mesh");
    assert_refused_scene(HEAD FILL("tend") "walls: [" WALL("tent", "m") "]\nrun: {steps: 1}\n", "'tent'");
    assert_refused_scene(HEAD
                         "walls: [" WALL("open", "m") "]\n" TABLE("{measure: count, inside: {mesh: open}}"),
                         "the mesh 'open' is open");
    assert_refused_scene(
        HEAD "walls: [" WALL("tent", "m") "]\n" TABLE("{measure: porosity, inside: {mesh: tent}}"),
        "a solid fraction takes a box, a cylinder or a sphere");
    assert_refused_scene(HEAD
                         "walls: [" WALL("gate", "m") "]\nrun: {steps: 1}\n"
                                                      "insert: [{shape: {sphere: {radius: 0.08}}, material: "
                                                      "m, through: {mesh: gate}, rate: {bodies: 1 /s}}]\n",
                         "not a mesh");
}

// --- flux

// Balls fall through a square at height 0.5: one through the diagonal between its facets, one through a
// corner of the diagonal with a side from outside, one beside it, one upwards, and one that turns around
// above it.
static void a_flux_counts_bodies_that_cross_a_mesh(void **state)
{
    (void)state;
    double row[2];
#define BALL(place, velocity)                                                                                \
    "{sphere: {radius: 0.05, at: [" place "], velocity: [" velocity "], material: m}}"
    scree_world_destroy(run_world(
        HEAD
        "bodies: [" BALL("0.25, 0.25, 0.8", "0, 0, -1") ", " BALL("-0.5, 0.3, 0.8", "0.1, 0, -1") ", " BALL(
            "1.2, 0.3, 0.8",
            "0, 0, -1") ", " BALL("0.5, -0.5, 0.2",
                                  "0, 0, 1") ", " BALL("-0.5, -0.1, 0.8",
                                                       "0, 0, -0.2") "]\n"
                                                                     "walls: [" WALL(
                                                                         "gate",
                                                                         "air") "]\nrun: {for: 0.7}\n"
                                                                                "record: [{table: out.csv, "
                                                                                "every: 0.7, columns: "
                                                                                "[{measure: flux-bodies, "
                                                                                "through: {mesh: gate}}, "
                                                                                "{measure: flux, through: "
                                                                                "{mesh: gate}}]}]\n"));
    read_last_row(row, 2);
    const double mass = 4000 * 3.141592653589793 / 3 * 0.000125;
    assert_true(row[0] == -1 && fabs(row[1] + mass) < 1e-12);
    assert_refused_scene(
        HEAD "walls: [{mesh: {file: gate.obj, material: air}, group: gate, velocity: [0, 0, 1]}]\n" TABLE(
            "{measure: flux, through: {mesh: gate}}"),
        "moves: a mesh through which a flux is measured must be at rest");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, scree_test_folder_remove)
        TEST(wear_is_measured_and_continues_after_a_restart),
        TEST(wear_is_kept_only_on_demand),
        TEST(wear_needs_a_mesh),
        TEST(fillings_and_insertions_stay_inside_of_a_mesh),
        TEST(columns_and_removals_take_the_inside_of_a_mesh),
        TEST(open_meshes_and_other_walls_are_no_regions),
        TEST(a_flux_counts_bodies_that_cross_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
