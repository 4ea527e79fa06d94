// Edits: a group of edits gives the same energy ledger as single edits, bit for bit, and an edit that is
// not ended is an assertion.

#include "support/bed.h"
#include "world/edit.h"

#include <scree/checkpoint.h>

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct scree_bed dense_bed = {.law = "hertz-mindlin",
                                           .values = {{"friction", 0.3, NULL},
                                                      {"restitution", 0.6, NULL},
                                                      {"rolling-friction", 0.1, NULL},
                                                      {"rolling-damping", 0.3, NULL}},
                                           .overlapping = true,
                                           .plate = true,
                                           .loads = true,
                                           .step = 1e-5};

enum { EDITS = 40 };

// Edit number n: one in four removes a body, the others move one.
static void make_edit(struct scree_world *world, unsigned n)
{
    const scree_body_id id = {1 + (n * 7) % 64};
    struct scree_body_state body;
    if (n % 4 == 3) {
        assert_ok(scree_body_remove(world, id));
        return;
    }
    assert_ok(scree_body_get(world, id, &body));
    body.position[n % 3] += 0.001 + 1e-5 * n;
    assert_ok(scree_body_set_position(world, id, body.position));
}

static struct scree_world *run_bed(void)
{
    struct scree_world *world;
    struct scree_engine *engine;
    scree_bed_build(&dense_bed, &world);
    scree_bed_engine(&dense_bed, world, &engine);
    assert_ok(scree_engine_run(engine, 60));
    scree_engine_destroy(engine);
    return world;
}

static struct scree_energy ledger(struct scree_world *world)
{
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    return energy;
}

static void a_group_of_edits_gives_the_ledger_of_single_edits(void **state)
{
    (void)state;
    struct scree_world *grouped = run_bed(), *single = run_bed();
    const double before = ledger(grouped).energy_input;
    for (unsigned n = 0; n < EDITS; ++n) {
        make_edit(grouped, n);
        make_edit(single, n);
        // a world that is read from a file has no cached constants of contacts
        scree_test_restart(&single, "edit.chk");
        const struct scree_energy energy_single = ledger(single), energy_grouped = ledger(grouped);
        if (memcmp(&energy_single, &energy_grouped, sizeof energy_single) != 0)
            fail_msg("after %u edits the energy input is %.17g J one by one, %.17g J in a group", n + 1,
                     energy_single.energy_input, energy_grouped.energy_input);
    }
    assert_true(ledger(grouped).energy_input != before);
    assert_true(scree_test_digests_equal(scree_test_digest(grouped), scree_test_digest(single)));
    scree_world_destroy(grouped);
    scree_world_destroy(single);
}

// Cached constants end with the group: a change of a material acts at once.
static void a_group_of_edits_ends_when_a_material_changes(void **state)
{
    (void)state;
    struct scree_world *grouped = run_bed(), *single = run_bed();
    for (int round = 0; round < 2; ++round) {
        make_edit(grouped, 0);
        make_edit(single, 0);
        assert_ok(scree_material_set(grouped, (scree_material_id){1}, "young", 3e6 + round));
        assert_ok(scree_material_set(single, (scree_material_id){1}, "young", 3e6 + round));
        scree_test_restart(&single, "edit.chk");
        struct scree_engine *engine[2];
        scree_bed_engine(&dense_bed, grouped, &engine[0]);
        scree_bed_engine(&dense_bed, single, &engine[1]);
        for (int e = 0; e < 2; ++e) {
            assert_ok(scree_engine_run(engine[e], 5));
            scree_engine_destroy(engine[e]);
        }
        make_edit(grouped, 1);
        make_edit(single, 1);
        const struct scree_energy energy_single = ledger(single), energy_grouped = ledger(grouped);
        assert_memory_equal(&energy_single, &energy_grouped, sizeof energy_single);
    }
    scree_world_destroy(grouped);
    scree_world_destroy(single);
}

// --- invalid edits

typedef void invalid_edit(struct scree_world *world);

static void begin_two_edits(struct scree_world *world)
{
    scree_edit_body(world, SCREE_EDIT_MOTION, (scree_slot){0});
    scree_edit_body(world, SCREE_EDIT_MOTION, (scree_slot){1});
}

static void run_within_an_edit(struct scree_world *world)
{
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5, .threads = 1}, &engine));
    scree_edit_all(world, SCREE_EDIT_GRAVITY);
    assert_ok(scree_engine_run(engine, 1));
}

static void destroy_within_an_edit(struct scree_world *world)
{
    scree_edit_body(world, SCREE_EDIT_POSITION, (scree_slot){0});
    scree_world_destroy(world);
}

static void end_without_an_edit(struct scree_world *world)
{
    scree_edit_end(world);
}

// Makes a mistake in a child process, without output and core file; returns whether the process aborts.
static bool aborts(invalid_edit *mistake)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit no_core_file = {0, 0};
        (void)signal(SIGABRT, SIG_DFL);
        if (setrlimit(RLIMIT_CORE, &no_core_file) == 0 && !freopen("/dev/null", "w", stderr))
            _exit(2);
        struct scree_world *world = scree_test_empty_world();
        (void)scree_test_sphere(world);
        (void)scree_test_sphere(world);
        mistake(world);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void an_edit_that_is_not_ended_or_not_begun_is_an_assertion(void **state)
{
    (void)state;
#ifdef NDEBUG
    skip();
#endif
    assert_true(aborts(begin_two_edits));
    assert_true(aborts(run_within_an_edit));
    assert_true(aborts(destroy_within_an_edit));
    assert_true(aborts(end_without_an_edit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_of_edits_gives_the_ledger_of_single_edits),
        cmocka_unit_test(a_group_of_edits_ends_when_a_material_changes),
        cmocka_unit_test(an_edit_that_is_not_ended_or_not_begun_is_an_assertion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
