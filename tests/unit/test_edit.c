// Edits: a group of edits gives the same ledger as single ones, bit for bit, and an edit that is not ended is
// an assertion.

#include "support/bed.h"
#include "support/folder.h"
#include "world/edit.h"

#include <scree/checkpoint.h>

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct scree_bed crowd = {.law = "hertz-mindlin",
                                       .values = {{"friction", 0.3, NULL},
                                                  {"restitution", 0.6, NULL},
                                                  {"rolling-friction", 0.1, NULL},
                                                  {"rolling-damping", 0.3, NULL}},
                                       .overlapping = true,
                                       .plate = true,
                                       .loads = true,
                                       .step = 1e-5};

enum { EDITS = 40 };

// Moves most bodies, mainly next to moved ones, and removes one in four.
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

static struct scree_world *rolling_bed(void)
{
    struct scree_world *world;
    struct scree_engine *engine;
    scree_bed_build(&crowd, &world);
    scree_bed_engine(&crowd, world, &engine);
    assert_ok(scree_engine_run(engine, 60));
    scree_engine_destroy(engine);
    return world;
}

// A world read from a file has no cached look-ups yet.
static struct scree_world *reread(struct scree_world *old, const struct scree_folder *folder)
{
    const char *file = scree_folder_path(folder, "bed");
    struct scree_world *world;
    assert_ok(scree_checkpoint_write(old, file));
    scree_world_destroy(old);
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(scree_checkpoint_read(world, file));
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
    struct scree_folder folder = scree_folder_make("edits");
    struct scree_world *grouped = rolling_bed(), *single = rolling_bed();
    const double before = ledger(grouped).energy_input;
    for (unsigned n = 0; n < EDITS; ++n) {
        make_edit(grouped, n);
        make_edit(single, n);
        single = reread(single, &folder);
        const struct scree_energy one = ledger(single), all = ledger(grouped);
        if (memcmp(&one, &all, sizeof one) != 0)
            fail_msg("after %u edits %.17g J were fed in one by one, %.17g J at once", n + 1,
                     one.energy_input, all.energy_input);
    }
    assert_true(ledger(grouped).energy_input != before);
    assert_true(scree_test_digests_equal(scree_test_digest(grouped), scree_test_digest(single)));
    scree_world_destroy(grouped);
    scree_world_destroy(single);
    scree_folder_end(&folder, "bed");
}

// Cached look-ups end with the group: changes of a rule and a material act at once.
static void a_group_of_edits_ends_when_rules_change(void **state)
{
    (void)state;
    struct scree_folder folder = scree_folder_make("others");
    struct scree_world *grouped = rolling_bed(), *single = rolling_bed();
    for (int round = 0; round < 2; ++round) {
        make_edit(grouped, 0);
        make_edit(single, 0);
        assert_ok(scree_material_set(grouped, (scree_material_id){1}, "young", 3e6 + round));
        assert_ok(scree_material_set(single, (scree_material_id){1}, "young", 3e6 + round));
        single = reread(single, &folder);
        struct scree_engine *engine[2];
        scree_bed_engine(&crowd, grouped, &engine[0]);
        scree_bed_engine(&crowd, single, &engine[1]);
        for (int e = 0; e < 2; ++e) {
            assert_ok(scree_engine_run(engine[e], 5));
            scree_engine_destroy(engine[e]);
        }
        make_edit(grouped, 1);
        make_edit(single, 1);
        const struct scree_energy one = ledger(single), all = ledger(grouped);
        assert_memory_equal(&one, &all, sizeof one);
    }
    scree_world_destroy(grouped);
    scree_world_destroy(single);
    scree_folder_end(&folder, "bed");
}

// --- edits that are not ended

typedef void unended_edit(struct scree_world *world);

static void begin_two(struct scree_world *world)
{
    scree_edit_body(world, SCREE_EDIT_MOTION, (scree_slot){0});
    scree_edit_body(world, SCREE_EDIT_MOTION, (scree_slot){1});
}

static void run_within(struct scree_world *world)
{
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5, .threads = 1}, &engine));
    scree_edit_all(world, SCREE_EDIT_GRAVITY);
    assert_ok(scree_engine_run(engine, 1));
}

static void destroy_within(struct scree_world *world)
{
    scree_edit_body(world, SCREE_EDIT_POSITION, (scree_slot){0});
    scree_world_destroy(world);
}

static void end_nothing(struct scree_world *world)
{
    scree_edit_end(world);
}

// In a separate process, which must abort without output and without a core file.
static bool is_asserted(unended_edit *mistake)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit nothing = {0, 0};
        (void)signal(SIGABRT, SIG_DFL);
        if (setrlimit(RLIMIT_CORE, &nothing) == 0 && !freopen("/dev/null", "w", stderr))
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

static void an_edit_that_is_not_ended_is_an_assertion(void **state)
{
    (void)state;
#ifdef NDEBUG
    skip();
#endif
    assert_true(is_asserted(begin_two));
    assert_true(is_asserted(run_within));
    assert_true(is_asserted(destroy_within));
    assert_true(is_asserted(end_nothing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_of_edits_gives_the_ledger_of_single_edits),
        cmocka_unit_test(a_group_of_edits_ends_when_rules_change),
        cmocka_unit_test(an_edit_that_is_not_ended_is_an_assertion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
