// Insertion and deletion of bodies during a run (run/insert_delete.h): the requested number or mass, without
// overlap, independent of threads and of the division into runs, and entered in the energy ledger.
// References: rates times durations, and counts.

#include "measure/tally.h"
#include "run/insert_delete.h"
#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500, young: 50 MPa, poisson: 0.25}}\n"                                    \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"
#define FALLING HEAD "gravity: [0, 0, -9.81]\nengine: {soft: {step: 10 us}}\n"
// An insertion of 0.5 kg/s through a disk, downward.
#define RAIN(more)                                                                                           \
    "insert: [{shape: {sphere: {radius: {uniform: [2 mm, 3 mm]}}}, material: glass, "                        \
    "through: {disk: {centre: [0, 0, 0.3], normal: [0, 0.1, 1], radius: 4 cm}}, velocity: [0, 0, -2], "      \
    "rate: {mass: 0.5 kg/s}" more "}]\n"

struct warning_log {
    int warnings;
    char text[300];
};

static void store_warning(void *user, const char *text)
{
    struct warning_log *warning_log = (struct warning_log *)user;
    // these scenes need no records
    if (strstr(text, "has no 'record'"))
        return;
    ++warning_log->warnings;
    snprintf(warning_log->text, sizeof warning_log->text, "%s", text);
}

static scree_status do_nothing(void *user, const struct scree_progress *progress)
{
    (void)user;
    (void)progress;
    return SCREE_OK;
}

static double expected_bodies(const char *text, double time)
{
    struct scree_trial trial = scree_trial_read("scene.yaml", text);
    double bodies;
    scree_trial_assert_ok(&trial);
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    assert_int_equal(scree_scene_arrivals(trial.scene, trial.world, time, &bodies), SCREE_OK);
    scree_trial_free(&trial);
    return bodies;
}

// Checks how many bodies were inserted or deleted.
static void assert_tally(const struct scree_world *world, enum scree_tally_direction direction,
                         uint64_t bodies)
{
    uint64_t number;
    double mass;
    scree_tally_sum(world, direction, &number, &mass);
    assert_int_equal(number, bodies);
}

static double mass_of_all(const struct scree_world *world, double *max_mass)
{
    double mass = 0;
    *max_mass = 0;
    for (uint64_t id = 1, found = 0; found < scree_body_count(world); ++id) {
        struct scree_body_state body;
        if (!scree_body_exists(world, (scree_body_id){id}))
            continue;
        ++found;
        assert_int_equal(scree_body_get(world, (scree_body_id){id}, &body), SCREE_OK);
        mass += body.mass;
        *max_mass = body.mass > *max_mass ? body.mass : *max_mass;
    }
    return mass;
}

static void mass_is_inserted_at_its_rate(void **state)
{
    (void)state;
    static const struct {
        const char *more;
        double expected;
    } rows[] = {{"", 0.5 * 0.1},
                {", from: 0.04 s", 0.5 * 0.06},
                {", from: 0.02 s, until: 0.05 s", 0.5 * 0.03},
                {", mass: 20 g", 0.02}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[2000];
        snprintf(text, sizeof text, FALLING RAIN("%s") "run: {until: 0.1 s}\n", rows[r].more);
        struct scree_world *world = scree_trial_run_text(text, NULL);
        double max_mass, mass = mass_of_all(world, &max_mass), counted;
        uint64_t bodies;
        // bodies of the last 64 steps may be missing
        const double not_inserted = 0.5 * 64e-5;
        assert_true(mass >= rows[r].expected - not_inserted - 0.5 * max_mass &&
                    mass <= rows[r].expected + max_mass);
        scree_tally_sum(world, SCREE_TALLY_IN, &bodies, &counted);
        assert_int_equal(bodies, scree_body_count(world));
        // each addition rounds once
        assert_true(fabs(counted - mass) <= 1e-13 * mass);
        scree_world_destroy(world);
    }
    struct scree_world *world = scree_trial_run_text(
        FALLING "insert: [{shape: {sphere: {radius: 2 mm}}, material: glass, rate: {bodies: 1000 1/s}, "
                "inside: {box: [[0, 0, 0.4], [0.1, 0.1, 0.45]]}, count: 100, group: [rain, all]}]\n"
                "run: [{steps: 3200}, {steps: 3264}]\n",
        NULL);
    assert_int_equal(scree_body_count(world), 65);
    scree_group_id group;
    assert_int_equal(scree_group_find(world, "rain", &group), SCREE_OK);
    for (uint64_t id = 1; id <= 65; ++id)
        assert_true(scree_group_has_body(world, group, (scree_body_id){id}));
    scree_world_destroy(world);
}

#define DROPS(more) RAIN(more) "run: {for: 1 s}\n"

static void the_expected_number_of_bodies_is_known_before_the_run(void **state)
{
    (void)state;
    // the mean cube of radii with a uniform distribution from a to b is (a + b) (a^2 + b^2) / 4
    const double pi = 3.14159265358979323846;
    const double mean = 2500 * 4.0 / 3 * pi * (5e-3 * (4e-6 + 9e-6) / 4), per_second = 0.5 / mean;
    assert_true(fabs(expected_bodies(FALLING DROPS(""), 2) - 2 * per_second) < 1e-12 * per_second);
    assert_true(fabs(expected_bodies(FALLING DROPS(", from: 1.5 s"), 2) - 0.5 * per_second) <
                1e-12 * per_second);
    assert_true(fabs(expected_bodies(FALLING DROPS(", until: 0.5 s"), 2) - 0.5 * per_second) <
                1e-12 * per_second);
    assert_true(fabs(expected_bodies(FALLING DROPS(", mass: 0.2 kg"), 2) - 0.4 * per_second) <
                1e-12 * per_second);
    assert_true(expected_bodies(FALLING DROPS(", count: 7"), 2) == 7);
    assert_true(expected_bodies(FALLING DROPS(", from: 1.5 s"), 1) == 0);
    assert_true(expected_bodies(FALLING "run: {for: 1 s}\n", 1) == 0);
    // the inserted number agrees within a tenth: the masses of bodies differ from the mean by at most half
    struct scree_world *world = scree_trial_run_text(FALLING RAIN("") "run: {for: 0.1 s}\n", NULL);
    assert_true(fabs((double)scree_body_count(world) - 0.1 * per_second) < 0.1 * 0.1 * per_second);
    scree_world_destroy(world);
}

static void inserted_bodies_do_not_overlap(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_run_text(
        FALLING RAIN("") "walls: [plane: {point: [0, -1 cm, 0], normal: [0, 1, 0], material: glass}]\n"
                         "run: {steps: 6400}\n",
        NULL);
    const size_t count = scree_body_count(world);
    struct scree_body_state *body = calloc(count, sizeof *body);
    assert_true(count > 150 && body);
    for (size_t a = 0; a < count; ++a) {
        assert_int_equal(scree_body_get(world, (scree_body_id){a + 1}, &body[a]), SCREE_OK);
        // all came through the disk and have had no contacts: they are below it
        assert_true(hypot(body[a].position[0], body[a].position[1]) <= 0.04);
        assert_true(body[a].position[1] >= -0.01 + body[a].radius * (1 - 1e-9));
        for (size_t b = 0; b < a; ++b) {
            double square = 0;
            for (int k = 0; k < 3; ++k)
                square += pow(body[a].position[k] - body[b].position[k], 2);
            assert_true(sqrt(square) >= (body[a].radius + body[b].radius) * (1 - 1e-9));
        }
    }
    free(body);
    scree_world_destroy(world);
}

// The insertion above an inclined plate; bodies are deleted by a region, by a stage and outside the cell.
#define MILL                                                                                                 \
    HEAD "gravity: [0, 0, -9.81]\n"                                                                          \
         "world: {box: [[-0.06, -0.06, -0.01], [0.06, 0.06, 0.4]], outside: delete}\n" RAIN(                 \
             "") "walls: [rectangle: {corner: [-0.05, -0.05, 0.2], edges: [[0.1, 0, 0.01], [0, 0.1, 0]], "   \
                 "material: glass}]\n"                                                                       \
                 "remove: [{inside: {cylinder: {from: [0, 0, 0.05], to: [0, 0, 0.1], radius: 1 cm}}}]\n"     \
                 "run: [{until: 0.07 s}, {until: 0.09 s, remove: [{inside: {sphere: {centre: [0, 0, 0.2], "  \
                 "radius: 2 cm}}}]}]\n"

static void the_number_of_threads_and_the_interval_of_reports_change_no_bit(void **state)
{
    (void)state;
    static const struct {
        int threads;
        double interval;
    } rows[] = {{1, 1e-9}, {2, 1e-3}, {3, 10}, {1, 10}};
    struct scree_digest expected = {0};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        const struct scree_run_def def = {
            .threads = rows[r].threads, .interval = rows[r].interval, .function = do_nothing};
        struct scree_world *world = scree_trial_run_text(MILL, &def);
        const struct scree_digest digest = scree_test_digest(world);
        expected = r == 0 ? digest : expected;
        assert_true(scree_test_digests_equal(digest, expected));
        uint64_t in, out;
        double mass;
        scree_tally_sum(world, SCREE_TALLY_IN, &in, &mass);
        scree_tally_sum(world, SCREE_TALLY_OUT, &out, &mass);
        assert_true(in > 200 && out > 10 && in - out == scree_body_count(world));
        scree_world_destroy(world);
    }
}

// The second run continues from the previous checkpoint, with another number of threads.
static void restarts_continue_insertion_and_deletion(void **state)
{
    (void)state;
    struct scree_digest digest[2];
    uint64_t steps[2];
    const struct scree_folder folder = scree_folder_make("scene-insert-delete");
    const char *scene = scree_folder_path(&folder, "scene.yaml");
    const char *previous = scree_folder_path(&folder, "mill.chk.previous");
    scree_folder_write(&folder, "scene.yaml", MILL "record: [{checkpoint: mill.chk, every: 0.019 s}]\n");
    for (int k = 0; k < 2; ++k) {
        struct scree_trial trial = k == 0 ? scree_trial_load(scene) : scree_trial_restart(previous);
        (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 1 + k});
        scree_trial_assert_ok(&trial);
        digest[k] = scree_test_digest(trial.world);
        steps[k] = scree_world_steps(trial.world);
        scree_trial_free(&trial);
    }
    assert_true(steps[0] > 10000 && steps[1] == steps[0]);
    assert_true(scree_test_digests_equal(digest[0], digest[1]));
    scree_folder_end(&folder, "scene.yaml mill.chk mill.chk.previous");
}

// Two insertions draw independent numbers for any seeds: no radius occurs in both.
static void insertions_draw_independent_numbers(void **state)
{
    (void)state;
    static const int seeds[][2] = {{1, 1}, {1, 2}, {2, 1}, {0, 1}};
    for (size_t r = 0; r < sizeof seeds / sizeof seeds[0]; ++r) {
        char text[2000];
        int length = snprintf(text, sizeof text, FALLING "run: {steps: 640}\ninsert:\n");
        for (int k = 0; k < 2; ++k)
            length += snprintf(text + length, sizeof text - (size_t)length,
                               "  - {shape: {sphere: {radius: {uniform: [2 mm, 3 mm]}}}, material: glass, "
                               "inside: {box: [[%d, 0, 0.4], [%d.5, 0.5, 0.45]]}, seed: %d, group: g%d, "
                               "rate: {bodies: 100000 1/s}, count: 20}\n",
                               k, k, seeds[r][k], k);
        struct scree_world *world = scree_trial_run_text(text, NULL);
        double radius[2][20];
        scree_group_id group;
        assert_int_equal(scree_body_count(world), 40);
        assert_int_equal(scree_group_find(world, "g1", &group), SCREE_OK);
        int found[2] = {0};
        for (uint64_t id = 1; id <= 40; ++id) {
            struct scree_body_state body;
            const int group_number = scree_group_has_body(world, group, (scree_body_id){id});
            assert_int_equal(scree_body_get(world, (scree_body_id){id}, &body), SCREE_OK);
            assert_true(found[group_number] < 20);
            radius[group_number][found[group_number]++] = body.radius;
        }
        for (int a = 0; a < 20; ++a)
            for (int b = 0; b < 20; ++b)
                if (radius[0][a] == radius[1][b])
                    fail_msg("with seeds %d and %d both insertions draw the same radius", seeds[r][0],
                             seeds[r][1]);
        scree_world_destroy(world);
    }
}

static void disks_are_inserted_through_a_segment(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_run_text(
        "scree: 1\ndimension: 2\nmaterials: {glass: {density: 2500}}\nengine: {soft: {step: 10 us}}\n"
        "contacts: [{between: [any, any], law: linear, stiffness: 1e5, friction: 0.5, restitution: 0.5}]\n"
        "insert: [{shape: {disk: {radius: 2 mm, thickness: 1 mm}}, material: glass, "
        "through: {disk: {centre: [0, 0], normal: [1, 1], radius: 5 cm}}, velocity: [1, 1], "
        "rate: {bodies: 510 1/s}}]\n"
        "run: {steps: 6410}\n",
        NULL);
    // 32 bodies in 64.1 ms, and the first one at once
    assert_int_equal(scree_body_count(world), 33);
    double max_offset = 0;
    for (uint64_t id = 1; id <= 33; ++id) {
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){id}, &body), SCREE_OK);
        const double along = (body.position[0] - body.position[1]) / sqrt(2.0);
        assert_true(fabs(along) <= 0.048 * (1 + 1e-12) && body.position[2] == 0);
        max_offset = fmax(max_offset, fabs(along));
    }
    // the probability that all are in the inner half is 2^-33
    assert_true(max_offset > 0.024);
    scree_world_destroy(world);
}

static void bodies_without_free_space_are_inserted_later_with_one_warning(void **state)
{
    (void)state;
    struct warning_log warning_log = {0};
    const struct scree_run_def def = {.threads = 1, .warn = store_warning, .user = &warning_log};
    // bodies do not move; a stage deletes them
    struct scree_world *world = scree_trial_run_text(
        HEAD "engine: {soft: {step: 10 us}}\n"
             "insert: [{shape: {sphere: {radius: 5 mm}}, material: glass, rate: {bodies: 10000 1/s}, "
             "until: 10 ms, inside: {box: [[0, 0, 0], [4 cm, 4 cm, 4 cm]]}}]\n"
             "run: [{until: 20 ms}, {steps: 1280, remove: [{inside: {box: [[0, 0, 0], [4 cm, 4 cm, 4 "
             "cm]]}}]}]\n",
        &def);
    assert_int_equal(warning_log.warnings, 1);
    assert_non_null(strstr(warning_log.text, "not enough free space for insertion 1: at 0.00"));
    uint64_t in, out;
    double mass;
    scree_tally_sum(world, SCREE_TALLY_IN, &in, &mass);
    scree_tally_sum(world, SCREE_TALLY_OUT, &out, &mass);
    // random positions fill at most a third of the volume, twice; far fewer than 100
    assert_true(out > 15 && out < 50 && in > out + 10 && in < 101);
    assert_int_equal(scree_body_count(world), in - out);
    scree_world_destroy(world);
}

// All bodies that are due at one time are inserted without overlap if there is free space.
#define FLOOD(count)                                                                                         \
    HEAD "engine: {soft: {step: 10 us}}\n"                                                                   \
         "insert: [{shape: {sphere: {radius: {uniform: [1 mm, 2 mm]}}}, material: glass, count: " count      \
         ", rate: {bodies: 1e8 1/s}, inside: {box: [[0, 0, 0], [1, 1, 1]]}}]\nrun: {steps: 64}\n"

static void all_due_bodies_are_inserted_at_once(void **state)
{
    (void)state;
    struct warning_log warning_log = {0};
    const struct scree_run_def def = {.threads = 1, .warn = store_warning, .user = &warning_log};
    struct scree_world *world = scree_trial_run_text(FLOOD("3000"), &def);
    enum { COUNT = 3000 };
    static struct scree_body_state body[COUNT];
    bool no_overlap = true;
    assert_int_equal(warning_log.warnings, 0);
    assert_int_equal(scree_body_count(world), COUNT);
    assert_tally(world, SCREE_TALLY_IN, COUNT);
    for (size_t a = 0; a < COUNT; ++a) {
        assert_int_equal(scree_body_get(world, (scree_body_id){a + 1}, &body[a]), SCREE_OK);
        for (size_t b = 0; b < a; ++b) {
            double square = 0;
            for (int k = 0; k < 3; ++k) {
                const double distance = body[a].position[k] - body[b].position[k];
                square += distance * distance;
            }
            no_overlap = no_overlap && sqrt(square) >= (body[a].radius + body[b].radius) * (1 - 1e-9);
        }
    }
    assert_true(no_overlap);
    scree_world_destroy(world);
}

// Four balls in a row, with ids 1 to 4.
#define ROW                                                                                                  \
    "bodies:\n"                                                                                              \
    "  - {sphere: {radius: 1 mm, at: [0, 0, 0], material: glass}, group: odd}\n"                             \
    "  - {sphere: {radius: 1 mm, at: [1 cm, 0, 0], material: glass}, group: even}\n"                         \
    "  - {sphere: {radius: 1 mm, at: [2 cm, 0, 0], material: glass}, group: odd}\n"                          \
    "  - {sphere: {radius: 1 mm, at: [3 cm, 0, 0], material: glass, velocity: [0, 10, 0]}, group: even}\n"
#define ALL "inside: {box: [[-1, -1, -1], [1, 1, 1]]}"

static void deletions_apply_to_the_bodies_present_at_their_time(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned remaining; // bits: ids of the bodies that remain
    } rows[] = {
        {"remove: [{inside: {sphere: {centre: [0, 0, 0], radius: 1.05 cm}}}]\n", 0xC},
        {"remove: [{" ALL ", group: odd}]\n", 0xA},
        {"remove: [{group: odd}]\n", 0xA},
        {"remove: [{group: even, at: 9.9 ms}]\n", 0x5},
        {"remove: [{inside: {sphere: {centre: [0, 0, 0], radius: 1.05 cm}}, group: odd}]\n", 0xE},
        {"remove: [{" ALL ", at: 9.9 ms, group: even}]\n", 0x5},
        {"remove: [{" ALL ", at: 0}]\n", 0},
        {"remove: [{" ALL ", at: 10.1 ms}]\n", 0xF},
        {"remove: [{" ALL ", from: 9.9 ms}]\n", 0xF},
        {"remove: [{" ALL ", from: 5 ms}]\n", 0},
        // the fourth body is at 0.1 m at the end
        {"remove: [{inside: {box: [[0, 0.05, -1], [1, 1, 1]]}, until: 4 ms}]\n", 0xF},
        {"remove: [{inside: {box: [[0, 0.05, -1], [1, 1, 1]]}, until: 6 ms}]\n", 0x7},
        {"world: {box: [[0.5 cm, -1, -1], [1, 0.05, 1]], outside: delete}\n", 0x6},
        {"world: {box: [[0.5 cm, -1, -1], [1, 0.05, 1]], periodic: [x], outside: delete}\n", 0x7},
        {"world: {box: [[0.5 cm, -1, -1], [1, 0.05, 1]], outside: ignore}\n", 0xF},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[2000];
        snprintf(text, sizeof text, HEAD ROW "engine: {soft: {step: 10 us}}\nrun: {steps: 1000}\n%s",
                 rows[r].text);
        struct scree_world *world = scree_trial_run_text(text, NULL);
        unsigned remaining = 0;
        for (uint64_t id = 1; id <= 4; ++id)
            remaining |= (unsigned)scree_body_exists(world, (scree_body_id){id}) << (id - 1);
        if (remaining != rows[r].remaining)
            fail_msg("%s leaves the bodies %x, not %x", rows[r].text, remaining, rows[r].remaining);
        assert_tally(world, SCREE_TALLY_OUT, 4 - scree_body_count(world));
        scree_world_destroy(world);
    }
}

// Bodies are deleted by a region, by a group, and by both in one stage.
static void deletions_by_stages_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *stage;
        uint64_t deleted;
    } rows[] = {
        {"bodies: [{group: odd, remove: true}]", 2},
        {"remove: [{group: odd}]", 2},
        {"bodies: [{group: odd, remove: true}], remove: [{inside: {sphere: {centre: [0, 0, 0], radius: 1.05 "
         "cm}}}]",
         3},
        {"bodies: [{group: odd, remove: true}, {group: even, remove: true}]", 4},
        {"bodies: [{group: odd, velocity: [0, 0, 1]}]", 0},
    };
    const double ball_mass = 2500 * 4.0 / 3 * 3.14159265358979323846 * 1e-9;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[2000];
        snprintf(text, sizeof text,
                 HEAD ROW "engine: {soft: {step: 10 us}}\nrun: [{steps: 10}, {steps: 10, %s}]\n",
                 rows[r].stage);
        struct scree_world *world = scree_trial_run_text(text, NULL);
        uint64_t bodies;
        double mass;
        scree_tally_sum(world, SCREE_TALLY_OUT, &bodies, &mass);
        assert_int_equal(scree_body_count(world), 4 - rows[r].deleted);
        assert_int_equal(bodies, rows[r].deleted);
        assert_true(fabs(mass - (double)bodies * ball_mass) <= 1e-13 * ball_mass);
        scree_world_destroy(world);
    }
}

static double balance_of(struct scree_world *world, double *size)
{
    struct scree_energy energy;
    assert_int_equal(scree_energy_get(world, &energy), SCREE_OK);
    *size = energy.translation + energy.rotation + fabs(energy.gravity) + energy.elastic +
            fabs(energy.dashpot) + fabs(energy.friction) + fabs(energy.energy_input);
    return energy.balance;
}

// Overlapping bodies are deleted, and the elastic energy of their contacts with them.
static void deleted_bodies_do_not_change_the_energy_balance(void **state)
{
    (void)state;
    const char *pile =
        FALLING "bodies: [fill: {shape: {sphere: {radius: 3 mm}}, material: glass, count: 150, "
                "velocity: [0.3, 0, -1], inside: {box: [[0, 0, 0], [5 cm, 5 cm, 6 cm]]}}]\n"
                "walls: [box: {lower: [0, 0, 0], upper: [5 cm, 5 cm, 50 cm], material: glass}]\n";
    char text[2][2000];
    double balance[2], size[2];
    for (int deleted = 0; deleted <= 1; ++deleted) {
        snprintf(text[deleted], sizeof text[deleted], "%srun: [{until: 0.1 s}%s]\n", pile,
                 deleted ? ", {steps: 0, remove: [{inside: {box: [[0, 0, 0], [3 cm, 5 cm, 50 cm]]}}]}" : "");
        struct scree_world *world = scree_trial_run_text(text[deleted], NULL);
        balance[deleted] = balance_of(world, &size[deleted]);
        assert_true(deleted ? scree_body_count(world) < 130 : scree_contact_count(world) > 100);
        scree_world_destroy(world);
    }
    // about a hundred additions to each account, each with an error of half a unit in the last place
    assert_true(fabs(balance[1] - balance[0]) <= 1e-13 * (size[0] + size[1]));
}

static void invalid_insertions_and_deletions_are_reported(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {FALLING RAIN(", until: 0"), "'until' must be above 0 s"},
        {FALLING RAIN(", from: 2, until: 1"),
         "the end of an insertion, 1 s, must be later than its start, 2 s"},
        {FALLING "insert: [{shape: {sphere: {radius: 1}}, material: glass, rate: {mass: 1}, "
                 "inside: {box: [[0, 0, 0], [1, 3, 3]]}}]\n",
         "a body with a radius of 1 m does not fit into an insertion region of width 1 m"},
        {FALLING "insert: [{shape: {disk: {radius: 1, thickness: 1}}, material: glass, rate: {mass: 1}, "
                 "inside: {box: [[0, 0, 0], [3, 3, 3]]}}]\n",
         "disks need a world of two dimensions"},
        {FALLING "insert: [{shape: {sphere: {radius: 1}}, material: glass, rate: {mass: 1, bodies: 2}, "
                 "inside: {box: [[0, 0, 0], [3, 3, 3]]}}]\n",
         "a rate needs exactly one of mass, bodies"},
        {FALLING "insert: [{shape: {sphere: {radius: 1}}, material: glass, rate: {mass: 1}}]\n",
         "an insertion needs exactly one of inside, through"},
        {FALLING "insert: [{shape: {sphere: {radius: 1}}, material: glass, rate: {mass: 1}, "
                 "through: {rectangle: {corner: [0, 0, 0], edges: [[1, 0, 0], [1, 1, 0]]}}}]\n",
         "the edges of a rectangle must not be zero and must be perpendicular"},
        {FALLING "insert: [{shape: {sphere: {radius: 1}}, material: glass, rate: {mass: 1}, "
                 "through: {disk: {centre: [0, 0, 0], normal: [0, 0, 0], radius: 1}}}]\n",
         "must not be the zero vector"},
        {FALLING "remove: [{" ALL ", group: ghosts}]\n", "ghosts"},
        {FALLING "remove: [{" ALL ", at: 1, from: 0}]\n", "'from'"},
        {FALLING "remove: [{at: 1}]\n", "a removal needs at least one of inside, group"},
        {FALLING "run: {steps: 1, remove: [{}]}\n", "a removal needs at least one of inside, group"},
        {FALLING "run: {steps: 1, remove: [{group: ghosts}]}\n", "ghosts"},
        {FALLING "remove: [{inside: {box: [[0, 0, 0], [1, 0, 1]]}}]\n",
         "the upper corner of a region must be above the lower one"},
        {FALLING "run: {steps: 1, remove: [{inside: {box: [[0, 0, 0], [1, 0, 1]]}}]}\n",
         "the upper corner of a region must be above the lower one"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, rows[r][1], "%s%s", rows[r][0],
                                        strstr(rows[r][0], "run:") ? "" : "run: {steps: 1}\n");
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    scree_trial_starve(SCREE_TRIAL_RUN,
                       FALLING RAIN("") "remove: [{inside: {box: [[-1, -1, -1], [1, 1, 0.2995]]}}]\n"
                                        "run: {steps: 192}\n",
                       &(struct scree_run_def){.threads = 1});
    scree_trial_starve(SCREE_TRIAL_RUN, FLOOD("200"), &(struct scree_run_def){.threads = 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_is_inserted_at_its_rate),
        cmocka_unit_test(the_expected_number_of_bodies_is_known_before_the_run),
        cmocka_unit_test(inserted_bodies_do_not_overlap),
        cmocka_unit_test(the_number_of_threads_and_the_interval_of_reports_change_no_bit),
        cmocka_unit_test(restarts_continue_insertion_and_deletion),
        cmocka_unit_test(insertions_draw_independent_numbers),
        cmocka_unit_test(disks_are_inserted_through_a_segment),
        cmocka_unit_test(bodies_without_free_space_are_inserted_later_with_one_warning),
        cmocka_unit_test(all_due_bodies_are_inserted_at_once),
        cmocka_unit_test(deletions_apply_to_the_bodies_present_at_their_time),
        cmocka_unit_test(deletions_by_stages_are_counted),
        cmocka_unit_test(deleted_bodies_do_not_change_the_energy_balance),
        cmocka_unit_test(invalid_insertions_and_deletions_are_reported),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
