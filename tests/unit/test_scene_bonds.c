// Bonds in scenes (build/bonds.c, bond_pairs.c, run/events.c, frames_bonds.c): which sides are bonded, random
// strengths, stages, events, columns, frames, messages. References: geometry, closed forms of distributions,
// and the motion of bodies with prescribed velocities.

#include "base/memory.h"
#include "file/atomic.h"
#include "file/hdf.h"
#include "file/vtk.h"
#include "support/folder.h"
#include "support/table.h"
#include "support/trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// four spheres in a row with gaps of 0, 0.1 mm and 0.9 mm, on a floor
#define ROW                                                                                                  \
    "scree: 1\n"                                                                                             \
    "materials: {rock: {density: 2500}, cement: {density: 2000}}\n"                                          \
    "contacts: [{between: [any, any], law: none}]\n"                                                         \
    "engine: {soft: {step: 1 us}}\n"                                                                         \
    "bodies:\n"                                                                                              \
    "  - {sphere: {radius: 1 mm, at: [0, 0, 1 mm], material: rock}, group: left}\n"                          \
    "  - {sphere: {radius: 1 mm, at: [2 mm, 0, 1 mm], material: rock}, group: left}\n"                       \
    "  - {sphere: {radius: 1 mm, at: [4.1 mm, 0, 1 mm], material: cement}, group: right}\n"                  \
    "  - {sphere: {radius: 1 mm, at: [7 mm, 0, 1.5 mm], material: cement}, group: right}\n"                  \
    "walls:\n"                                                                                               \
    "  - {plane: {point: [0, 0, 0], normal: [0, 0, 1], material: rock}, group: floor}\n"                     \
    "  - {plane: {point: [0, 0, 2.5 mm], normal: [0, 0, -1], material: cement}, group: lid}\n"

#define SPRING "contact: {normal-stiffness: 1e5, shear-stiffness: 5e4, tensile-strength: 10 N}"
#define LAYER                                                                                                \
    "parallel: {young: 1 GPa, stiffness-ratio: 2, radius-factor: 0.5, shear-strength: 1 MPa, "               \
    "moment-factor: 0}"

enum { MAX_BONDS = 4096 };

// Gets the states of all bonds, in order of their ids; returns their number.
static size_t list_bonds(const struct scree_world *world, struct scree_bond_state *state, size_t capacity)
{
    static scree_bond_id id[MAX_BONDS];
    size_t count;
    assert_int_equal(scree_bond_list(world, id, capacity, &count), SCREE_OK);
    assert_true(count <= capacity);
    for (size_t n = 0; n < count; ++n)
        assert_int_equal(scree_bond_get(world, id[n], &state[n]), SCREE_OK);
    return count;
}

// The sides of all bonds in words, as "1-2 2-3 1|1" with the wall after a bar.
static const char *sides_of(const struct scree_world *world)
{
    static char text[400];
    struct scree_bond_state state[20];
    const size_t count = list_bonds(world, state, 20);
    text[0] = 0;
    for (size_t n = 0; n < count; ++n)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d%c%d", n > 0 ? " " : "",
                 (int)state[n].side[0].body.value, state[n].wall.value ? '|' : '-',
                 (int)(state[n].wall.value ? state[n].wall.value : state[n].side[1].body.value));
    return text;
}

static void an_entry_bonds_the_sides_that_it_describes(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"{" SPRING ", gap: 0}", "1-2"},
        {"{" SPRING ", gap: 0.11 mm}", "1-2 2-3"},
        {"{" SPRING ", gap-factor: 0.11}", "1-2 2-3"},
        {"{" SPRING ", gap: 2 mm}", "1-2 2-3 3-4"},
        {"{" SPRING ", gap: 3 mm}", "1-2 1-3 2-3 3-4"},
        {"{" SPRING ", gap: 3 mm, between: [rock, cement]}", "1-3 2-3"},
        {"{" SPRING ", gap: 3 mm, between: [any, cement]}", "1-3 2-3 3-4"},
        {"{" SPRING ", gap: 3 mm, groups: [left]}", "1-2"},
        {"{" SPRING ", gap: 3 mm, groups: [right, left]}", "1-3 2-3"},
        {"{" SPRING ", gap: 3 mm, groups: [left], between: [rock, rock]}", "1-2"},
        {"{" SPRING ", pairs: [[4, 1], [2, 3], [2, 3]]}", "1-4 2-3 2-3"},
        {"{" SPRING ", gap: 0, wall: floor}", "1|1 2|1 3|1"},
        {"{" SPRING ", gap: 0, wall: lid, groups: [right]}", "4|2"},
        {"{" SPRING ", gap: 1 mm, wall: floor, between: [cement, rock]}", "3|1 4|1"},
        // sides that are bonded already get no second bond
        {"{" SPRING ", gap: 0}, {" LAYER ", gap: 0.11 mm}, {" SPRING ", gap: 2 mm}", "1-2 2-3 3-4"},
        {"{" SPRING ", gap: 0, wall: floor}, {" LAYER ", gap: 1 mm, wall: floor}", "1|1 2|1 3|1 4|1"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[2000];
        snprintf(text, sizeof text, "%sbonds: [%s]\n", ROW, rows[r][0]);
        struct scree_world *world = scree_trial_build_text(text);
        assert_string_equal(sides_of(world), rows[r][1]);
        scree_world_destroy(world);
    }
}

static void a_bond_has_the_parameters_of_its_entry(void **state)
{
    (void)state;
    struct scree_bond_state bond[2];
    struct scree_world *world = scree_trial_build_text(
        ROW
        "bonds:\n"
        "  - {euler-beam: {young: 1 GPa, shear-modulus: 0.4 GPa, radius: 0.5 mm, bending-strength: 3 MPa},\n"
        "     gap: 0}\n"
        "  - {parallel: {normal-stiffness: 1e12, shear-stiffness: 1e12, radius-factor: 0.5,\n"
        "                tensile-strength: 2 MPa, shear-strength: 4 MPa, moment-factor: 1,\n"
        "                torsion-strength: 5 MPa}, gap: 0.11 mm, touching: excluded}\n");
    assert_int_equal(list_bonds(world, bond, 2), 2);
    assert_int_equal(bond[0].kind, SCREE_BOND_EULER);
    assert_true(bond[0].strength[SCREE_BOND_BENDING] == 3e6 && isinf(bond[0].strength[SCREE_BOND_TENSION]));
    assert_int_equal(bond[1].kind, SCREE_BOND_PARALLEL);
    assert_true(!bond[1].touching);
    assert_true(bond[1].strength[SCREE_BOND_TENSION] == 2e6 && bond[1].strength[SCREE_BOND_SHEAR] == 4e6);
    assert_true(bond[1].strength[SCREE_BOND_TORSION] == 5e6);
    // the second pair is 2-3, with a distance of 2.1 mm
    assert_true(fabs(bond[1].length - 2.1e-3) < 1e-17);
    assert_true(bond[1].normal_force == 0 && bond[1].stored == 0);
    scree_world_destroy(world);
}

static void pebbles_of_clumps_are_bonded_at_their_nearest_pair(void **state)
{
    (void)state;
    // dimers along x: pebbles at -1 mm and 1 mm of their centres, with a gap of 0.1 mm between the bodies
    static const char head[] =
        "scree: 1\n"
        "materials: {rock: {density: 2500}}\n"
        "contacts: [{between: [any, any], law: none}]\n"
        "engine: {soft: {step: 1 us}}\n"
        "clumps: {dimer: {spheres: [{radius: 1 mm, at: [-1 mm, 0, 0]}, {radius: 1 mm, at: [1 mm, 0, 0]}]}}\n"
        "bodies:\n"
        "  - clump: {shape: dimer, at: [0, 0, 0], material: rock}\n"
        "  - clump: {shape: dimer, at: [4.1 mm, 0, 0], material: rock}\n";
    static const char *const ways[] = {"gap: 0.2 mm", "pairs: [[2, 1]]"};
    for (int k = 0; k < 2; ++k) {
        char text[1000];
        struct scree_bond_state bond;
        snprintf(text, sizeof text, "%sbonds: [{%s, %s}]\n", head, SPRING, ways[k]);
        struct scree_world *world = scree_trial_build_text(text);
        assert_int_equal(list_bonds(world, &bond, 1), 1);
        assert_true(bond.side[0].body.value == 1 && bond.side[0].part == 2);
        assert_true(bond.side[1].body.value == 2 && bond.side[1].part == 1);
        scree_world_destroy(world);
    }
}

// --- random strengths

// A cubic lattice of 1000 spheres, with 2700 bonds.
#define LATTICE                                                                                              \
    "scree: 1\nmaterials: {rock: {density: 2500}}\ncontacts: [{between: [any, any], law: none}]\n"           \
    "engine: {soft: {step: 1 us}}\n"                                                                         \
    "bodies: [fill: {shape: {sphere: {radius: 1 mm}}, material: rock, arrange: cubic, count: 1000,\n"        \
    "                inside: {box: [[0, 0, 0], [20 mm, 20 mm, 20 mm]]}}]\n"

static struct scree_bond_state lattice[MAX_BONDS];

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Reads the tensile strengths of a lattice, ascending.
static size_t draw_strengths(const char *strength, int seed, double *value)
{
    char text[1000];
    snprintf(text, sizeof text,
             LATTICE "bonds: [{contact: {normal-stiffness: 1e5, shear-stiffness: 1e5, tensile-strength: %s}, "
                     "gap-factor: 1 %%, seed: %d}]\n",
             strength, seed);
    struct scree_world *world = scree_trial_build_text(text);
    const size_t count = list_bonds(world, lattice, MAX_BONDS);
    for (size_t n = 0; n < count; ++n)
        value[n] = lattice[n].strength[SCREE_BOND_TENSION];
    scree_world_destroy(world);
    qsort(value, count, sizeof *value, ascending);
    return count;
}

static double uniform_share(double x)
{
    return (x - 5) / 15;
}

static double weibull_share(double x)
{
    return 1 - exp(-pow(x / 10, 5));
}

// of a normal distribution without values below 0
static double normal_share(double x)
{
    const double below = 0.5 * erfc(10.0 / 6 / sqrt(2));
    return (0.5 * erfc((10 - x) / 6 / sqrt(2)) - below) / (1 - below);
}

static void random_strengths_have_the_given_distribution(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double (*share)(double x);
    } rows[] = {{"{uniform: [5 N, 20 N]}", uniform_share},
                {"{weibull: {scale: 10 N, shape: 5}}", weibull_share},
                {"{normal: {mean: 10 N, deviation: 6 N}}", normal_share}};
    static double value[MAX_BONDS], other[MAX_BONDS];
    for (size_t r = 0; r < 3; ++r) {
        double most = 0;
        const size_t count = draw_strengths(rows[r].text, 1, value);
        // each of the 10 x 10 rows along 3 axes has 9 bonds
        assert_int_equal(count, 2700);
        for (size_t n = 0; n < count; ++n) {
            const double share = rows[r].share(value[n]), step = 1.0 / (double)count;
            most = fmax(most, fmax(fabs(share - (double)n * step), fabs(share - (double)(n + 1) * step)));
        }
        // the largest distance of Kolmogorov and Smirnov is above 1.95 / sqrt(n) once in a thousand cases
        assert_true(most < 1.95 / sqrt((double)count));
        // the same seed gives the same numbers, another one does not
        assert_int_equal(draw_strengths(rows[r].text, 1, other), count);
        assert_memory_equal(value, other, count * sizeof *value);
        assert_int_equal(draw_strengths(rows[r].text, 2, other), count);
        assert_true(value[0] != other[0] && value[count - 1] != other[count - 1]);
    }
}

static void a_strength_depends_on_the_ids_of_the_sides_only(void **state)
{
    (void)state;
#define RANDOM(way)                                                                                          \
    "{contact: {normal-stiffness: 1, shear-stiffness: 1, tensile-strength: {uniform: [1 N, 9 N]}}, " way "}"
    struct scree_bond_state near[4], given[1];
    struct scree_world *world = scree_trial_build_text(ROW "bonds: [" RANDOM("gap: 3 mm") "]\n");
    assert_int_equal(list_bonds(world, near, 4), 4);
    scree_world_destroy(world);
    world = scree_trial_build_text(ROW "bonds: [" RANDOM("pairs: [[3, 2]]") "]\n");
    assert_int_equal(list_bonds(world, given, 1), 1);
    scree_world_destroy(world);
    assert_true(near[2].strength[SCREE_BOND_TENSION] == given[0].strength[SCREE_BOND_TENSION]);
    assert_true(near[1].strength[SCREE_BOND_TENSION] != given[0].strength[SCREE_BOND_TENSION]);
}

// --- runs

enum { PAIRS = 24 };

// Pairs of spheres that touch; the second of each moves away at 1 m/s. Bonds are made in the second stage.
static void write_pairs(char *text, size_t size, const char *rest)
{
    size_t at = (size_t)snprintf(text, size,
                                 "scree: 1\n"
                                 "materials: {rock: {density: 2500}}\n"
                                 "contacts: [{between: [any, any], law: none}]\n"
                                 "engine: {soft: {step: 1 us}}\n"
                                 "bodies:\n");
    for (int k = 0; k < PAIRS; ++k)
        at +=
            (size_t)snprintf(text + at, size - at,
                             "  - sphere: {radius: 1 mm, at: [0, %d cm, 0], material: rock,\n"
                             "             fixed: [x, y, z, spin-x, spin-y, spin-z]}\n"
                             "  - sphere: {radius: 1 mm, at: [2 mm, %d cm, 0], material: rock,\n"
                             "             velocity: [1, 0, 0], fixed: [x, y, z, spin-x, spin-y, spin-z]}\n",
                             k, k);
    snprintf(text + at, size - at, "%s", rest);
}

// kn = 1e5 N/m, so that the force grows by 0.1 N in each step of 1 us
#define BREAKING                                                                                             \
    "bonds: [{contact: {normal-stiffness: 1e5, shear-stiffness: 1e5,\n"                                      \
    "                   tensile-strength: {uniform: [10 N, 50 N]}}, gap: 0.2 mm}]"

static void bonds_of_a_stage_break_at_their_strength(void **state)
{
    (void)state;
    static char text[8000];
    double strength[PAIRS];
    struct scree_bond_state bond[PAIRS];
    write_pairs(text, sizeof text, "run: [{steps: 100}, {steps: 0, " BREAKING "}]\n");
    struct scree_world *world = scree_trial_run_text(text, NULL);
    // the bonds are made at a gap of 0.1 mm, without load
    assert_int_equal(list_bonds(world, bond, PAIRS), PAIRS);
    for (int k = 0; k < PAIRS; ++k) {
        strength[k] = bond[k].strength[SCREE_BOND_TENSION];
        assert_true(fabs(bond[k].length - 2.1e-3) < 1e-12 && bond[k].normal_force == 0);
    }
    scree_world_destroy(world);
    write_pairs(
        text, sizeof text,
        "run: [{steps: 100}, {steps: 600, " BREAKING "}]\n"
        "record:\n"
        "  - {events: out/breaks.csv}\n"
        "  - {table: out/table.csv, every: 10 steps, columns: [steps, bonds, broken, broken-tension,\n"
        "     fragments, largest-fragment, bond-elastic, bond-released]}\n");
    world =
        scree_trial_run_text(text, &(struct scree_run_def){.folder = scree_test_folder.path, .force = true});
    assert_int_equal(scree_bond_broken(world, NULL), PAIRS);
    struct scree_bond_event event = {0};
    double energy = 0;
    for (int n = 0; n < PAIRS; ++n) {
        assert_true(scree_bond_next_event(world, event.number, &event));
        const double limit = strength[(event.side[0].body.value - 1) / 2];
        const double force = 0.1 * (double)(event.step - 100);
        // the force exceeds the strength for the first time in this step; positions have rounding errors of
        // 1e-15 m, forces of 1e-10 N
        assert_true(force > limit - 1e-8 && force - 0.1 < limit + 1e-8);
        assert_int_equal(event.mode, SCREE_BOND_TENSION);
        // the force acts until the middle of the next step
        assert_true(fabs(event.energy - (0.5 * force * force / 1e5 + 0.5e-6 * force)) < 1e-9);
        energy += event.energy;
    }
    scree_world_destroy(world);
    double number[80 * 8];
    char header[400];
    const size_t rows = scree_table_read_numbers(scree_folder_path(&scree_test_folder, "out/table.csv"),
                                                 header, sizeof header, number, 8, 80);
    for (size_t r = 0; r < rows; ++r) {
        const double *row = &number[8 * r];
        // an event in a step is counted from that step on
        assert_true(row[0] <= 100 ? row[1] == 0 : row[1] + row[2] == PAIRS);
        assert_true(row[2] == row[3] && row[4] == 2 * PAIRS - row[1]);
        assert_true(fabs(row[5] - (row[1] > 0 ? 2.0 : 1.0) / (2 * PAIRS)) < 1e-15);
    }
    const double *last = &number[8 * (rows - 1)];
    assert_true(last[2] == PAIRS && last[6] == 0 && fabs(last[7] - energy) < 1e-14);
}

static void a_stage_can_end_when_bonds_break(void **state)
{
    (void)state;
    static char text[8000];
    write_pairs(text, sizeof text, "run: [{steps: 6000, stop: broken > 5, " BREAKING "}]\n");
    struct scree_world *world = scree_trial_run_text(text, NULL);
    assert_true(scree_bond_broken(world, NULL) > 5 && scree_world_steps(world) < 640);
    assert_int_equal(scree_world_steps(world) % 64, 0);
    scree_world_destroy(world);
}

static void a_stage_can_remove_bonds(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_run_text(
        ROW "bonds: [{" SPRING ", gap: 3 mm}, {" SPRING ", gap: 0, wall: floor}]\n"
            "run: [{steps: 3}, {steps: 3, remove-bonds: [{groups: [left, right]}]}, {steps: 1,\n"
            "  remove-bonds: [{wall: floor, between: [cement, any]}]}]\n",
        NULL);
    assert_string_equal(sides_of(world), "1-2 3-4 1|1 2|1");
    assert_int_equal(scree_bond_broken(world, NULL), 0);
    scree_world_destroy(world);
}

// Ends a run at the first report at or after a step.
static scree_status end_at(void *user, const struct scree_progress *progress)
{
    return progress->steps >= *(const uint64_t *)user ? scree_status_fail(SCREE_ERROR_STATE, "enough")
                                                      : SCREE_OK;
}

static void a_restart_writes_each_event_once(void **state)
{
    (void)state;
    static char text[8000];
    size_t length[2];
    write_pairs(text, sizeof text,
                "run: [{steps: 100}, {steps: 600, " BREAKING "}]\n"
                "record:\n  - {events: out/breaks.csv}\n  - {events: out/sparse.csv, every: 150 steps}\n"
                "  - {checkpoint: out/state.chk, every: 90 steps}\n");
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    const char *scene = scree_folder_path(&scree_test_folder, "scene.yaml");
    struct scree_trial trial = scree_trial_load(scene);
    (void)scree_trial_run(&trial, &(struct scree_run_def){.force = true});
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    char *whole = scree_folder_read(&scree_test_folder, "out/breaks.csv", &length[0]);
    char *sparse = scree_folder_read(&scree_test_folder, "out/sparse.csv", &length[1]);
    assert_string_equal(whole, sparse);
    free(sparse);
    // interrupted before, between and after the events, where the file may have events after the checkpoint
    for (uint64_t step = 50; step < 700; step += 110) {
        trial = scree_trial_load(scene);
        const scree_status status = scree_trial_run(
            &trial, &(struct scree_run_def){
                        .force = true, .function = end_at, .user = &step, .interval = 1e-9, .threads = 2});
        assert_int_equal(status, SCREE_ERROR_STATE);
        scree_trial_free(&trial);
        trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "out/state.chk"));
        (void)scree_trial_run(&trial, NULL);
        scree_trial_assert_ok(&trial);
        scree_trial_free(&trial);
        for (int k = 0; k < 2; ++k) {
            char *again =
                scree_folder_read(&scree_test_folder, k ? "out/sparse.csv" : "out/breaks.csv", &length[1]);
            assert_string_equal(again, whole);
            free(again);
        }
    }
    free(whole);
}

// --- frames

static void *read_array(const char *series, const char *name, scree_type type, size_t rows)
{
    struct scree_hdf hdf;
    struct scree_hdf_shape shape;
    void *image, *data;
    size_t size;
    char path[100], full[100];
    snprintf(path, sizeof path, "out/row-%s/000000.hdf", series);
    snprintf(full, sizeof full, "/VTKHDF/%s", name);
    if (scree_atomic_read(scree_folder_path(&scree_test_folder, path), 1 << 26, &image, &size) != SCREE_OK ||
        scree_vtk_open(&hdf, path, image, size) != SCREE_OK || scree_hdf_find(&hdf, full, &shape) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    assert_int_equal(shape.type, type);
    assert_int_equal(shape.rows, rows);
    assert_int_equal(scree_memory_new(rows, (shape.width ? shape.width : 1) * scree_field_size(type), &data),
                     SCREE_OK);
    assert_int_equal(scree_hdf_read(&hdf, full, &shape, data), SCREE_OK);
    scree_hdf_close(&hdf);
    scree_memory_free(image);
    return data;
}

static void frames_show_bonds_and_fragments(void **state)
{
    (void)state;
    struct scree_world *world =
        scree_trial_run_text(ROW "bonds: [{" SPRING ", gap: 0.11 mm}, {" SPRING ", gap: 0, wall: lid}]\n"
                                 "run: {steps: 0}\n"
                                 "record: [{frames: out/row, every: 1 s, precision: double}]\n",
                             &(struct scree_run_def){.folder = scree_test_folder.path, .force = true});
    scree_world_destroy(world);
    int64_t *second = read_array("bonds", "CellData/second", SCREE_I64, 3);
    assert_true(second[0] == 2 && second[1] == 3 && second[2] == 0);
    scree_memory_free(second);
    double *point = read_array("bonds", "Points", SCREE_F64, 6);
    const double expected[18] = {0,      0, 1e-3, 2e-3, 0, 1e-3,   2e-3, 0, 1e-3,
                                 4.1e-3, 0, 1e-3, 7e-3, 0, 1.5e-3, 7e-3, 0, 2.5e-3};
    for (int k = 0; k < 18; ++k)
        assert_true(fabs(point[k] - expected[k]) < 1e-17);
    scree_memory_free(point);
    int64_t *fragment = read_array("bodies", "PointData/fragment", SCREE_I64, 4);
    int64_t *size = read_array("bodies", "PointData/fragment_size", SCREE_I64, 4);
    assert_true(fragment[0] == 1 && fragment[1] == 1 && fragment[2] == 1 && fragment[3] == 4);
    assert_true(size[0] == 3 && size[2] == 3 && size[3] == 1);
    scree_memory_free(fragment);
    scree_memory_free(size);
    double *damage = read_array("bonds", "CellData/damage", SCREE_F64, 3);
    assert_true(damage[0] == 0);
    scree_memory_free(damage);
}

// --- mistakes

static void mistakes_in_bonds_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"bonds: [{gap: 0}]", "exactly one of contact, parallel, euler-beam, timoshenko-beam"},
        {"bonds: [{" SPRING "}]", "at least one of gap, gap-factor, pairs"},
        {"bonds: [{" SPRING ", gap: 0, pairs: [[1, 2]]}]", "'gap' and 'pairs' exclude each other"},
        {"bonds: [{" SPRING ", gap: 0, between: [rock, sand]}]", "no material 'sand'"},
        {"bonds: [{" SPRING ", gap: 0, groups: [middle]}]", "no group 'middle'"},
        {"bonds: [{" SPRING ", gap: 0, groups: [floor]}]", "floor"},
        {"bonds: [{" SPRING ", gap: 0, wall: left}]", "left"},
        {"bonds: [{" SPRING ", gap: 0, groups: [left, right]}]",
         "no pair of bodies is within this gap: the smallest gap is 0.000100001 m"},
        {"bonds: [{" SPRING ", gap: 0, groups: [right], wall: floor, between: [cement, cement]}]",
         "there is no pair of a body and a wall that this entry could bond"},
        {"bonds: [{" SPRING ", gap: 0, groups: [left, right], wall: floor}]", "give one group of bodies"},
        {"bonds: [{" SPRING ", pairs: [[1, 7]]}]", "there is no body 7"},
        {"bonds: [{" SPRING ", pairs: [[1, 2, 3]]}]", "'pairs' must be a list of pairs of whole numbers"},
        {"bonds: [{contact: {normal-stiffness: 1}, gap: 0}]", "a contact bond needs 'shear-stiffness'"},
        {"bonds: [{contact: {normal-stiffness: 1 Pa, shear-stiffness: 1}, gap: 0}]",
         "'normal-stiffness' must be in N/m"},
        {"bonds: [{contact: {normal-stiffness: 1, shear-stiffness: 0}, gap: 0}]",
         "'shear-stiffness' must be above 0 N/m, not 0"},
        {"bonds: [{parallel: {young: 1, stiffness-ratio: 1, radius: 1, moment-factor: 1}, gap: 0}]",
         "'moment-factor' requires at least one of tensile-strength, shear-strength"},
        {"bonds: [{parallel: {young: 1, radius: 1}, gap: 0}]", "'young' requires 'stiffness-ratio'"},
        {"bonds: [{parallel: {young: 1, stiffness-ratio: 1}, gap: 0}]",
         "at least one of radius, radius-factor"},
        {"bonds: [{parallel: {young: 1, stiffness-ratio: 1, radius: 1, tensile-strength: 1}, gap: 0}]",
         "need 'moment-factor'"},
        {"bonds: [{parallel: {young: 1, stiffness-ratio: 1, radius: 1, thickness: 1}, gap: 0}]",
         "'thickness' is for two dimensions"},
        {"bonds: [{euler-beam: {young: 1, radius: 1}, gap: 0}]", "needs 'shear-modulus'"},
        {"bonds: [{contact: {normal-stiffness: 1, shear-stiffness: 1, tensile-strength: {uniform: [2, 1]}}, "
         "gap: 0}]",
         "the larger strength must come last"},
        {"bonds: [{contact: {normal-stiffness: 1, shear-stiffness: 1, tensile-strength: {weibull: {scale: "
         "2}}}, "
         "gap: 0}]",
         "a Weibull distribution needs 'shape'"},
        {"run: {steps: 1, bonds: [{parallel: {young: 1, stiffness-ratio: 1, radius: 1, tensile-strength: 1}, "
         "gap: 0}]}",
         "need 'moment-factor'"},
        {"run: {steps: 1, remove-bonds: [{}]}", "at least one of groups, between, wall"},
        {"run: {steps: 1}\nrecord: [{events: a.csv, stages: [1]}]",
         "'stages' and 'events' exclude each other"},
        {"run: {steps: 1}\nrecord: [{table: a.csv}]", "a record needs 'every'"},
        {"run: {steps: 1}\nrecord: [{table: a.csv, every: 1 s}, {events: a.csv}]",
         "'a.csv' is written by another record too"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(strstr(rows[r][0], "run:") ? SCREE_TRIAL_RUN : SCREE_TRIAL_BUILD,
                                        rows[r][1], "%s%s\n", ROW, rows[r][0]);
}

static void in_two_dimensions_the_section_has_a_thickness(void **state)
{
    (void)state;
#define DISKS                                                                                                \
    "scree: 1\ndimension: 2\nmaterials: {rock: {density: 2500}}\n"                                           \
    "contacts: [{between: [any, any], law: none}]\nengine: {soft: {step: 1 us}}\n"                           \
    "bodies:\n"                                                                                              \
    "  - disk: {radius: 1 mm, thickness: 1 cm, at: [0, 0], material: rock}\n"                                \
    "  - disk: {radius: 1 mm, thickness: 1 cm, at: [2 mm, 0], material: rock}\n"
    struct scree_world *world =
        scree_trial_build_text(DISKS "bonds: [{parallel: {young: 1 GPa, stiffness-ratio: 2, radius-factor: "
                                     "1, thickness: 1 cm}, gap: 0}]\n");
    assert_int_equal(scree_bond_count(world), 1);
    scree_world_destroy(world);
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "needs 'thickness'",
        DISKS "bonds: [{parallel: {young: 1, stiffness-ratio: 2, radius: 1}, gap: 0}]\n");
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "'torsion-strength' is for three dimensions",
        DISKS
        "bonds: [{parallel: {young: 1, stiffness-ratio: 2, radius: 1, thickness: 1, torsion-strength: 1}, "
        "gap: 0}]\n");
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    scree_trial_starve(
        SCREE_TRIAL_RUN,
        ROW "bonds: [{" SPRING ", gap: 0}, {" LAYER ", gap: 0.2 mm}, {" SPRING ", pairs: [[1, 4]]},\n"
            "        {" SPRING ", gap: 0, wall: floor}]\n"
            "run: {steps: 2, remove-bonds: [{groups: [left]}], bonds: [{" SPRING ", gap: 0}]}\n"
            "record: [{events: breaks.csv}, {frames: row, every: 1 s},\n"
            "  {table: table.csv, every: 1 s, columns: [broken, fragments, bond-elastic]}]\n",
        &(struct scree_run_def){.folder = scree_test_folder.path, .force = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_bonds_the_sides_that_it_describes),
        cmocka_unit_test(a_bond_has_the_parameters_of_its_entry),
        cmocka_unit_test(pebbles_of_clumps_are_bonded_at_their_nearest_pair),
        cmocka_unit_test(random_strengths_have_the_given_distribution),
        cmocka_unit_test(a_strength_depends_on_the_ids_of_the_sides_only),
        cmocka_unit_test(bonds_of_a_stage_break_at_their_strength),
        cmocka_unit_test(a_stage_can_end_when_bonds_break),
        cmocka_unit_test(a_stage_can_remove_bonds),
        cmocka_unit_test(a_restart_writes_each_event_once),
        cmocka_unit_test(frames_show_bonds_and_fragments),
        cmocka_unit_test(mistakes_in_bonds_are_reported),
        cmocka_unit_test(in_two_dimensions_the_section_has_a_thickness),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
