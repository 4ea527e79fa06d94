// The stochastic engine: collisions that are drawn conserve momentum, and energy but for what the ledger has
// as losses and work; and a run has the same bits however it is divided and ordered.

#include "support/drawn_gas.h"
#include "world/world.h"

static const struct scree_stochastic_def partners[] = {
    {.step = 0.1, .cell = 4, .partner = SCREE_STOCHASTIC_BODY, .weight = 3, .seed = 3},
    {.step = 0.1, .cell = 4, .partner = SCREE_STOCHASTIC_FICTITIOUS, .weight = 3, .seed = 3}};

static struct hard start(const struct drawn_gas *gas, const struct scree_stochastic_def *def)
{
    struct hard hard = drawn_gas_make(gas);
    assert_ok(scree_stochastic_create(hard.world, def, &hard.engine));
    return hard;
}

static uint64_t pairs_of(const struct hard *hard)
{
    struct scree_event_counts counts;
    assert_ok(scree_event_get_counts(hard->engine, &counts));
    return counts.pairs;
}

static struct scree_energy energy_of(const struct hard *hard)
{
    struct scree_energy energy;
    assert_ok(scree_energy_get(hard->world, &energy));
    return energy;
}

// --- conservation

// Sum of the sizes of the momenta of all bodies.
static double size_of_momenta(const struct hard *hard)
{
    double sum = 0;
    for (uint64_t id = 1; id <= scree_body_count(hard->world); ++id) {
        const struct scree_body_state state = hard_state_of(hard, (scree_body_id){id});
        sum += state.mass * hypot(hypot(state.velocity[0], state.velocity[1]), state.velocity[2]);
    }
    return sum;
}

// A velocity is rounded by 2^-53 of itself when it changes. That is 400 times, and once more for each of some
// 100 collisions; if all errors had the same sign, momentum and energy would change by 6e-14 and 1.2e-13.
static const double rounding = 2e-13;

static void check_conservation(const struct drawn_gas *gas, const struct scree_stochastic_def *def)
{
    struct hard hard = start(gas, def);
    struct scree_momentum before, after;
    assert_ok(scree_energy_momentum(hard.world, &before));
    const double size = size_of_momenta(&hard), first = energy_of(&hard).translation;
    assert_ok(scree_engine_run(hard.engine, 200));
    assert_ok(scree_energy_momentum(hard.world, &after));
    const struct scree_energy energy = energy_of(&hard);
    const uint64_t bodies = scree_body_count(hard.world);
    assert_in_range(pairs_of(&hard), 3 * bodies, 100 * bodies);
    for (int k = 0; k < 3 && !gas->walls; ++k)
        hard_within(after.linear[k], before.linear[k], rounding * size);
    hard_within(energy.balance, 0, rounding * (scree_energy_scale(&energy) + energy.energy_input));
    // something has been lost, and moved
    assert_true(gas->restitution < 1 ? energy.dashpot > 0.1 * first : energy.dashpot == 0);
    assert_true(gas->friction > 0 ? energy.friction > 0.1 * first : fabs(energy.friction) < rounding * first);
    assert_true(gas->deforms || gas->fixed_spins ? fabs(energy.work) > 0.1 * first : energy.work == 0);
    hard_end(&hard);
}

static void check_both(const struct drawn_gas *gas)
{
    for (int partner = 0; partner < 2; ++partner)
        check_conservation(gas, &partners[partner]);
}

static void smooth_bodies_conserve_momentum_and_energy(void **state)
{
    (void)state;
    check_both(&(struct drawn_gas){
        .dimension = 3, .side = 8, .spacing = 2, .radius = {0.4, 0.4}, .restitution = 1, .drift = 0.3});
    check_both(&(struct drawn_gas){
        .dimension = 2, .side = 20, .spacing = 2, .radius = {0.2, 0.2}, .restitution = 1, .drift = 0.3});
}

// Rough bodies of two sizes: spheres, and disks.
static const struct drawn_gas rough[] = {{.dimension = 3,
                                          .side = 8,
                                          .spacing = 2,
                                          .radius = {0.5, 0.25},
                                          .restitution = 0.9,
                                          .friction = 0.4,
                                          .spinning = true},
                                         {.dimension = 2,
                                          .side = 20,
                                          .spacing = 2,
                                          .radius = {0.3, 0.15},
                                          .restitution = 0.9,
                                          .friction = 0.4,
                                          .spinning = true}};

// The ledger has what rough bodies of two sizes lose; spins take part.
static void rough_bodies_of_two_sizes_conserve_momentum_and_the_ledger_closes(void **state)
{
    (void)state;
    for (int g = 0; g < 2; ++g) {
        struct drawn_gas gas = rough[g];
        gas.drift = 0.3;
        check_both(&gas);
    }
}

static void in_a_box_of_walls_the_ledger_closes(void **state)
{
    (void)state;
    for (int g = 0; g < 2; ++g) {
        struct drawn_gas gas = rough[g];
        gas.walls = true;
        check_both(&gas);
    }
}

// What keeps spins as they are does work.
static void fixed_spins_do_the_work_that_the_ledger_has(void **state)
{
    (void)state;
    struct drawn_gas gas = rough[0];
    gas.fixed_spins = true;
    check_both(&gas);
}

// Collisions between bodies at different places exchange momentum of the mean motion: the cell does work. The
// first is a simple shear, in which the cell has one course, the second a general gradient.
static void in_a_cell_that_deforms_the_ledger_closes(void **state)
{
    (void)state;
    struct drawn_gas gas = rough[0];
    gas.deforms = true;
    gas.gradient[1] = 0.3;
    check_both(&gas);
    gas.friction = 0;
    check_both(&gas);
    gas.friction = 0.4;
    memcpy(gas.gradient, (double[9]){-0.03, 0.1, 0, 0, -0.02, 0, 0.06, 0, 0.03}, sizeof gas.gradient);
    check_both(&gas);
    gas = rough[1];
    gas.deforms = true;
    gas.gradient[1] = 0.3;
    check_both(&gas);
}

// --- bits

static struct drawn_gas bits_gas(int which)
{
    struct drawn_gas gas = {.dimension = which == 1 ? 2 : 3,
                            .side = which == 1 ? 16 : 6,
                            .spacing = 2,
                            .radius = {0.5, 0.25},
                            .restitution = 0.9,
                            .friction = 0.4,
                            .spinning = true,
                            .walls = which < 2,
                            .deforms = which >= 2,
                            .gravity = which < 2 ? 0.05 : 0,
                            .closing = which == 0 ? 0.02 : 0};
    static const double gradients[2][9] = {{0, 0.3}, {-0.03, 0.1, 0, 0, -0.02, 0, 0.06, 0, 0.03}};
    if (which >= 2)
        memcpy(gas.gradient, gradients[which - 2], sizeof gas.gradient);
    return gas;
}

static scree_status look(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct scree_energy energy;
    (void)engine;
    ++*(int *)user;
    return scree_energy_get(world, &energy);
}

// the automatic step is chosen again after 64 steps
enum { PIECES = 8, STEPS = 9 };

// The digest after eight pieces of nine steps: in one run; with a callback in each step; or with a new
// engine for each piece, which sorts the rows of bodies in space, so that their order becomes another one.
// `rows` receives the order of ids.
static struct scree_digest run_bits(int which, const struct scree_stochastic_def *def, int way,
                                    uint64_t rows[256])
{
    const struct drawn_gas gas = bits_gas(which);
    struct hard hard = start(&gas, def);
    struct scree_digest digest;
    int calls = 0;
    if (way == 1)
        assert_ok(scree_engine_set_callback(hard.engine, 70, look, &calls, NULL));
    for (int piece = 0; piece < PIECES; ++piece) {
        if (way == 2 && piece > 0) {
            scree_engine_destroy(hard.engine);
            assert_ok(scree_stochastic_create(hard.world, def, &hard.engine));
        }
        if (way > 0 || piece == 0)
            assert_ok(scree_engine_run(hard.engine, way == 0 ? PIECES * STEPS : STEPS));
    }
    assert_int_equal(calls, way == 1 ? PIECES * STEPS : 0);
    assert_true(2 * pairs_of(&hard) > 3 * scree_body_count(hard.world));
    memcpy(rows, scree_world_ids(hard.world), scree_body_count(hard.world) * sizeof *rows);
    assert_ok(scree_world_digest(hard.world, &digest));
    hard_end(&hard);
    return digest;
}

static void a_run_has_the_same_bits_however_it_is_divided_and_ordered(void **state)
{
    (void)state;
    for (int which = 0; which < 4; ++which)
        for (int partner = 0; partner < 2; ++partner)
            for (int automatic = 0; automatic < 2; ++automatic) {
                struct scree_stochastic_def def = partners[partner];
                static uint64_t rows[3][256];
                struct scree_digest digest[3], other;
                if (automatic)
                    def.step = def.cell = 0;
                // bodies that come to rest on the floor would bounce for ever
                def.contact_time = which < 2 ? 0.05 : 0;
                for (int way = 0; way < 3; ++way)
                    digest[way] = run_bits(which, &def, way, rows[way]);
                assert_memory_equal(&digest[0], &digest[1], sizeof digest[0]);
                assert_memory_equal(&digest[0], &digest[2], sizeof digest[0]);
                assert_memory_not_equal(rows[0], rows[2], sizeof rows[0]);
                // the draws are those of the seed
                def.seed = 4;
                other = run_bits(which, &def, 0, rows[1]);
                assert_memory_not_equal(&digest[0], &other, sizeof other);
            }
}

// Settings may change between runs, and rows are then sorted again: the same as a new engine with them.
static void changed_settings_are_those_of_a_new_engine(void **state)
{
    (void)state;
    const struct drawn_gas gas = bits_gas(0);
    struct scree_digest digest[2];
    for (int anew = 0; anew < 2; ++anew) {
        struct scree_stochastic_def def = partners[0];
        struct hard hard = start(&gas, &def);
        assert_ok(scree_engine_run(hard.engine, 40));
        def = (struct scree_stochastic_def){.step = 0.05,
                                            .cell = 3,
                                            .partner = SCREE_STOCHASTIC_FICTITIOUS,
                                            .weight = 2,
                                            .dilute = true,
                                            .seed = 5,
                                            .elastic_below = 0.1};
        if (anew) {
            scree_engine_destroy(hard.engine);
            assert_ok(scree_stochastic_create(hard.world, &def, &hard.engine));
        } else {
            assert_ok(scree_stochastic_set(hard.engine, &def));
        }
        assert_ok(scree_engine_run(hard.engine, 40));
        assert_ok(scree_world_digest(hard.world, &digest[anew]));
        hard_end(&hard);
    }
    assert_memory_equal(&digest[0], &digest[1], sizeof digest[0]);
}

// --- special cases

// Bodies pass through each other, and overlap at the start without an alarm: with a weight that lets none
// collide, their velocities stay as they are.
static void bodies_that_do_not_collide_pass_through_each_other(void **state)
{
    (void)state;
    const struct drawn_gas gas = {
        .dimension = 3, .side = 4, .spacing = 2, .radius = {1.5, 1.5}, .restitution = 1};
    struct scree_stochastic_def def = partners[0];
    def.weight = 1e-12;
    struct hard hard = start(&gas, &def);
    const struct scree_body_state before = hard_state_of(&hard, (scree_body_id){1});
    assert_ok(scree_engine_run(hard.engine, 100));
    const struct scree_body_state after = hard_state_of(&hard, (scree_body_id){1});
    assert_memory_equal(before.velocity, after.velocity, sizeof before.velocity);
    assert_int_equal(pairs_of(&hard), 0);
    hard_end(&hard);
}

// Collisions below a speed lose nothing: with a limit above all speeds a gas with losses keeps its energy.
static void collisions_that_are_slow_enough_are_elastic(void **state)
{
    (void)state;
    const struct drawn_gas gas = {
        .dimension = 3, .side = 6, .spacing = 2, .radius = {0.5, 0.25}, .restitution = 0.5, .friction = 0.4};
    for (int partner = 0; partner < 2; ++partner) {
        struct scree_stochastic_def def = partners[partner];
        def.elastic_below = 100;
        struct hard hard = start(&gas, &def);
        assert_ok(scree_engine_run(hard.engine, 100));
        struct scree_event_counts counts;
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        assert_true(counts.pairs > 300 && counts.elastic == counts.pairs);
        const struct scree_energy energy = energy_of(&hard);
        assert_true(energy.dashpot == 0 && energy.friction == 0);
        hard_within(energy.balance, 0, rounding * energy.translation);
        hard_end(&hard);
    }
}

struct rebounds {
    double mass;
    uint64_t walls, elastic; // of these
};

static void count_rebounds(void *user, const struct scree_event_collision *collision)
{
    struct rebounds *rebounds = (struct rebounds *)user;
    double after = 0, change = 0;
    if (collision->wall.value == 0)
        return;
    for (int k = 0; k < 3; ++k) {
        after += collision->velocity[0][k] * collision->normal[k];
        change += collision->impulse[k] * collision->normal[k] / rebounds->mass;
    }
    ++rebounds->walls;
    rebounds->elastic += after / (change - after) > 0.95;
}

// Of the collisions of bodies with walls only those are elastic that follow another one within the contact
// time, and not those that follow the draws of a step, after which nearly all bodies have new flights where
// partners are fictitious. In 0.04 s bodies fly 0.04 m at most: at edges of a box with 15 m for centres a
// part of up to 2 * 0.04 / 15 meets a second wall; and 6 % would follow draws. Draws that follow a wall
// within the contact time are elastic: then a body at rest on a floor does not lose the bounces that it has
// left.
static void contact_times_begin_at_walls(void **state)
{
    (void)state;
    const struct drawn_gas gas = {
        .dimension = 3, .side = 8, .spacing = 2, .radius = {0.5, 0.5}, .restitution = 0.9, .walls = true};
    for (int partner = 0; partner < 2; ++partner) {
        struct scree_stochastic_def def = partners[partner];
        def.contact_time = 0.04;
        struct hard hard = start(&gas, &def);
        struct rebounds rebounds = {.mass = hard_state_of(&hard, (scree_body_id){1}).mass};
        assert_ok(scree_event_observe(hard.engine, count_rebounds, &rebounds));
        assert_ok(scree_engine_run(hard.engine, 600));
        struct scree_event_counts counts;
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        assert_true(counts.walls > 600 && counts.walls == rebounds.walls);
        assert_true(rebounds.elastic > 0 && (double)rebounds.elastic < 0.02 * (double)counts.walls);
        assert_true(counts.elastic > rebounds.elastic);
        hard_end(&hard);
    }
}

// A layer that falls on a floor, loses its energy and comes to rest: a collision within the contact time of
// the last one is elastic, so a body keeps bounces of about half of that time at least, also if its flight
// begins with draws, and its collisions with the floor have a bounded rate.
static void a_layer_on_a_floor_keeps_bounces(void **state)
{
    (void)state;
    struct drawn_gas gas = {.dimension = 3,
                            .side = 6,
                            .spacing = 2,
                            .radius = {0.5, 0.5},
                            .restitution = 0.5,
                            .walls = true,
                            .gravity = 1};
    for (int partner = 0; partner < 2; ++partner) {
        struct scree_stochastic_def def = partners[partner];
        def.contact_time = 0.05;
        struct hard hard = start(&gas, &def);
        struct scree_event_counts settled, counts;
        // the box is 12 m high: falls take 5 s, and times of bounces are halved by each
        assert_ok(scree_engine_run(hard.engine, 400));
        assert_ok(scree_event_get_counts(hard.engine, &settled));
        assert_ok(scree_engine_run(hard.engine, 100));
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        const double bounces =
            100 * def.step / (0.5 * def.contact_time) * (double)scree_body_count(hard.world);
        const double walls = (double)(counts.walls - settled.walls);
        // draws spread the speeds of bounces, and slow ones are short
        assert_true(walls > 0.02 * bounces && walls < 4 * bounces);
        hard_end(&hard);
    }
}

// A world that all its bodies have left goes on with the step that it has.
static void a_world_without_bodies_goes_on(void **state)
{
    (void)state;
    const struct drawn_gas gas = {
        .dimension = 3, .side = 2, .spacing = 3, .radius = {0.5, 0.5}, .restitution = 1, .walls = true};
    struct hard hard = start(&gas, &(struct scree_stochastic_def){.cell = 3});
    assert_ok(scree_engine_run(hard.engine, 64));
    const double time = scree_world_time(hard.world), step = time / 64;
    for (uint64_t id = 1; id <= 8; ++id)
        assert_ok(scree_body_remove(hard.world, (scree_body_id){id}));
    assert_ok(scree_engine_run(hard.engine, 128));
    hard_within(scree_world_time(hard.world), time + 128 * step, 1e-12 * time);
    hard_end(&hard);
}

// A step in which each body would collide for ever, and a contact time that reaches into the draws before.
static void steps_that_are_far_too_long_are_refused(void **state)
{
    (void)state;
    const struct drawn_gas gas = {
        .dimension = 3, .side = 4, .spacing = 3, .radius = {0.5, 0.5}, .restitution = 1, .walls = true};
    for (int partner = 0; partner < 2; ++partner) {
        struct scree_stochastic_def def = partners[partner];
        def.weight = 1e9;
        struct hard hard = start(&gas, &def);
        assert_refused(SCREE_ERROR_ARGUMENT, "give a step below the mean free time",
                       scree_engine_run(hard.engine, 1));
        hard_end(&hard);
        def = partners[partner];
        def.contact_time = 0.6 * def.step;
        hard = start(&gas, &def);
        assert_refused(SCREE_ERROR_ARGUMENT, "must be at most half of the step",
                       scree_engine_run(hard.engine, 1));
        hard_end(&hard);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_bodies_conserve_momentum_and_energy),
        cmocka_unit_test(rough_bodies_of_two_sizes_conserve_momentum_and_the_ledger_closes),
        cmocka_unit_test(in_a_box_of_walls_the_ledger_closes),
        cmocka_unit_test(fixed_spins_do_the_work_that_the_ledger_has),
        cmocka_unit_test(in_a_cell_that_deforms_the_ledger_closes),
        cmocka_unit_test(a_run_has_the_same_bits_however_it_is_divided_and_ordered),
        cmocka_unit_test(changed_settings_are_those_of_a_new_engine),
        cmocka_unit_test(bodies_that_do_not_collide_pass_through_each_other),
        cmocka_unit_test(collisions_that_are_slow_enough_are_elastic),
        cmocka_unit_test(contact_times_begin_at_walls),
        cmocka_unit_test(a_layer_on_a_floor_keeps_bounces),
        cmocka_unit_test(a_world_without_bodies_goes_on),
        cmocka_unit_test(steps_that_are_far_too_long_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
