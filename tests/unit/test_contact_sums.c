// In every step, the force, the moment and the dissipation of every body are the sums over its contacts, for
// every contact law: the engine with lists, tiles and vector registers is compared with contacts evaluated
// one at a time over all pairs (support/pairwise.h).
//
// The reference is computed just before the engine evaluates contacts and compared just after, by callbacks
// at points around SCREE_POINT_CONTACTS between which nothing moves.

#include "base/sum.h"
#include "determinism/touching.h"
#include "law/law.h"
#include "support/pairwise.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

enum { BEFORE = SCREE_POINT_CONTACTS - 1, AFTER = SCREE_POINT_CONTACTS };

static const char *const value_names[SCREE_PAIRWISE_VALUES] = {
    "force x",  "force y",          "force z",          "moment x",      "moment y",
    "moment z", "loss to friction", "loss to dashpots", "internal loss", "work of walls"};

// Contact rules: one law, or several by pairs of materials.
struct rules {
    const struct scree_contact_law *law; // null: several
    int dimension;
    bool resists;  // rolling and twisting resistance
    bool balanced; // the lever arms of both sides end in one point, so that moments balance
};

// A run that is compared with the reference.
struct comparison {
    struct scree_pairwise pairwise;
    // by index of the body: dissipation and work before the evaluation
    double (*before)[SCREE_PAIRWISE_VALUES];
    size_t capacity;
    size_t evaluations;
    bool isolated; // no forces except contacts between bodies
    char what[96];
};

// --- comparing

static const struct scree_soft *soft_of(const struct scree_engine *engine)
{
    return (const struct scree_soft *)engine->self;
}

static size_t slot_of(const struct scree_world *world, uint64_t id)
{
    uint32_t slot;
    assert_true(scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, id, &slot));
    return slot;
}

// Reads the sums of the engine for one body.
static void read_values(const struct scree_world *world, size_t slot, double *value)
{
    const struct scree_wrench *wrench = &scree_world_wrenches(world)[slot];
    const struct scree_losses *loss = &scree_world_losses(world)[slot];
    memcpy(value + SCREE_PAIRWISE_FORCE, wrench->force, sizeof wrench->force);
    memcpy(value + SCREE_PAIRWISE_MOMENT, wrench->moment, sizeof wrench->moment);
    value[SCREE_PAIRWISE_FRICTION] = loss->friction;
    value[SCREE_PAIRWISE_DASHPOT] = loss->dashpot;
    value[SCREE_PAIRWISE_INTERNAL] = loss->internal;
    value[SCREE_PAIRWISE_WORK] = wrench->work;
}

static scree_status evaluate(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct comparison *comparison = (struct comparison *)user;
    struct scree_pairwise *pairwise = &comparison->pairwise;
    const struct scree_soft *soft = soft_of(engine);
    scree_pairwise_evaluate(pairwise, soft->state_only ? 0 : soft->step);
    if (pairwise->bodies > comparison->capacity) {
        comparison->capacity = 2 * pairwise->bodies;
        comparison->before = realloc(comparison->before, comparison->capacity * sizeof *comparison->before);
        assert_non_null(comparison->before);
    }
    for (size_t i = 0; i < pairwise->bodies; ++i) {
        read_values(world, pairwise->slot[i], comparison->before[i]);
        memset(comparison->before[i], 0, SCREE_PAIRWISE_FRICTION * sizeof(double));
    }
    return SCREE_OK;
}

static void check_value(struct comparison *comparison, size_t body, int value, double before,
                        double value_of_engine, const char *name)
{
    const struct scree_pairwise_total total = scree_pairwise_sum(&comparison->pairwise, body, value, before);
    const double allowed = scree_pairwise_tolerance(&total), error = fabs(value_of_engine - total.exact);
    if (!(error <= allowed))
        fail_msg("%s, evaluation %zu: %s of body %llu, of %zu contacts, is %.17g, not %.17g: error %g, at "
                 "most %g is allowed",
                 comparison->what, comparison->evaluations, name,
                 (unsigned long long)comparison->pairwise.id[body], total.live, value_of_engine, total.exact,
                 error, allowed);
}

// Tolerance for the sums over all bodies. Both sides of a contact get exactly opposite forces, so the total
// force differs from zero only by the tolerances of the bodies' sums.
//
// The moment about the origin of a contact of two sides is (d x F) - (a_1 + a_2) (n x F_t), with d = (a_1 +
// a_2) n between the centres. There are about 30 roundings in d, n, the arms, F and the products, each of at
// most 2^-53 (R_1 + R_2) |F|; 2^-47 is more than twice that, summed as R times the forces of a body. The
// product of a position and a force adds two roundings, adding a couple one more.
static double balance_tolerance(const struct comparison *comparison, int value)
{
    const struct scree_pairwise *pairwise = &comparison->pairwise;
    double allowed = 0;
    for (size_t i = 0; i < pairwise->bodies; ++i) {
        const struct scree_grain *grain = &pairwise->grain[i];
        struct scree_pairwise_total total = scree_pairwise_sum(pairwise, i, value, 0);
        allowed += scree_pairwise_tolerance(&total);
        if (value < SCREE_PAIRWISE_MOMENT)
            continue;
        allowed += 0x1p-52 * total.size;
        for (int k = 0; k < 3; ++k) {
            const double coordinates =
                fabs(grain->position[(k + 1) % 3]) + fabs(grain->position[(k + 2) % 3]);
            total = scree_pairwise_sum(pairwise, i, SCREE_PAIRWISE_FORCE + k, 0);
            allowed += coordinates * (scree_pairwise_tolerance(&total) + 0x1p-51 * total.size);
            allowed += 0x1p-47 * grain->radius * total.size;
        }
    }
    // a sum of positive numbers, rounded once for each
    return allowed * (1 + 0x1p-20);
}

// Adds a body's force, and its moment about the origin.
static void add_body(struct scree_sum *sum, const double *position, const double *value)
{
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        scree_sum_add(&sum[k], value[k]);
        scree_sum_add(&sum[3 + k], value[3 + k]);
        scree_sum_add(&sum[3 + k], position[i] * value[j]);
        scree_sum_add(&sum[3 + k], -position[j] * value[i]);
    }
}

static void check_balance(const struct comparison *comparison, const struct scree_world *world)
{
    struct scree_sum sum[6];
    memset(sum, 0, sizeof sum);
    for (size_t i = 0; i < comparison->pairwise.bodies; ++i) {
        double value[SCREE_PAIRWISE_VALUES];
        read_values(world, slot_of(world, comparison->pairwise.id[i]), value);
        add_body(sum, comparison->pairwise.grain[i].position, value);
    }
    for (int v = 0; v < 6; ++v) {
        const double total = scree_sum_value(&sum[v]), allowed = balance_tolerance(comparison, v);
        if (!(fabs(total) <= allowed))
            fail_msg("%s, evaluation %zu: %s of all bodies together is %g, at most %g is allowed",
                     comparison->what, comparison->evaluations, value_names[v], total, allowed);
    }
}

static scree_status compare(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct comparison *comparison = (struct comparison *)user;
    for (size_t i = 0; i < comparison->pairwise.bodies; ++i) {
        const size_t slot = slot_of(world, comparison->pairwise.id[i]);
        double value[SCREE_PAIRWISE_VALUES];
        read_values(world, slot, value);
        for (int v = 0; v < SCREE_PAIRWISE_VALUES; ++v)
            check_value(comparison, i, v, comparison->before[i][v], value[v], value_names[v]);
        if (!soft_of(engine)->state_only)
            check_value(comparison, i, SCREE_PAIRWISE_DASHPOT, 0, scree_world_losses(world)[slot].ahead,
                        "dashpot loss entered ahead");
    }
    scree_pairwise_assert_histories(&comparison->pairwise, comparison->what);
    if (comparison->isolated)
        check_balance(comparison, world);
    ++comparison->evaluations;
    return SCREE_OK;
}

static void comparison_begin(struct comparison *comparison, const char *name, const struct rules *rules,
                             const struct scree_world *world, struct scree_engine *engine)
{
    *comparison = (struct comparison){0};
    snprintf(comparison->what, sizeof comparison->what, "'%s' in %d dimensions by '%s'%s", name,
             rules->dimension, rules->law ? rules->law->name : "several laws",
             rules->resists ? " with resistance" : "");
    scree_pairwise_begin(&comparison->pairwise, world);
    assert_ok(scree_engine_set_callback(engine, BEFORE, evaluate, comparison, NULL));
    assert_ok(scree_engine_set_callback(engine, AFTER, compare, comparison, NULL));
}

static void comparison_end(struct comparison *comparison)
{
    scree_pairwise_end(&comparison->pairwise);
    free(comparison->before);
}

// --- worlds

// Each law, then several at once, if they support the dimension; without and with rolling and twisting
// resistance if the law has friction and a stiffness. False after the last.
static bool next_rules(struct rules *rules, size_t *index)
{
    size_t laws = 0;
    while (scree_law_with_force_at(laws))
        ++laws;
    while (*index < 4 * (laws + 1)) {
        const size_t number = (*index)++;
        *rules = (struct rules){.law = scree_law_with_force_at(number / 4),
                                .dimension = 2 + (int)(number / 2 % 2),
                                .resists = number % 2 == 1};
        if (!rules->law || ((rules->law->dimensions >> rules->dimension & 1) &&
                            (!rules->resists || touching_has_parameter(rules->law, "friction"))))
            return true;
    }
    return false;
}

// Sets a parameter if the law has it.
static void add_value(const struct scree_contact_law *law, struct scree_interaction_def *def,
                      struct scree_interaction_value *values, const char *name, double number,
                      const char *word)
{
    if (!touching_has_parameter(law, name))
        return;
    values[def->count++] = (struct scree_interaction_value){name, number, word};
    def->values = values;
}

// Every pair of materials has its own constants. Some pairs have a stiffness from a modulus, friction that
// counts attraction, no dashpot tension, or lever arms equal to the radii.
static void add_rule(struct scree_world *world, const struct rules *rules, double radius, uint64_t a,
                     uint64_t b)
{
    const struct scree_contact_law *law = rules->law;
    struct scree_interaction_value values[16];
    struct scree_interaction_def def = {.between = {{a}, {b}}, .law = law->name};
    const double factor = 1 + 0.1 * (double)(a + b), number = (double)(3 * a + b);
    const bool has_modulus = touching_has_parameter(law, "modulus") && a != b;
    add_value(law, &def, values, "friction", 0.4 / factor, NULL);
    if (has_modulus)
        add_value(law, &def, values, "modulus", 1e3 * factor, NULL);
    if (has_modulus && rules->dimension == 2)
        add_value(law, &def, values, "thickness", radius, NULL);
    // these laws compute stiffness from material properties
    if (!has_modulus && !law->properties)
        add_value(law, &def, values, "stiffness", 1e3 * radius * factor, NULL);
    add_value(law, &def, values, "restitution", 0.9 - 0.02 * number, NULL);
    add_value(law, &def, values, "cohesion", 50 * factor, NULL);
    add_value(law, &def, values, "work-of-adhesion", 10 * radius * factor, NULL);
    if (a == 1)
        add_value(law, &def, values, "coulomb-limit", 0, "absolute");
    if (b == 3)
        add_value(law, &def, values, "tension", 0, "cut");
    if (rules->resists) {
        values[def.count++] = (struct scree_interaction_value){"rolling-friction", 0.1 * factor, NULL};
        values[def.count++] = (struct scree_interaction_value){"rolling-damping", 0.2 * factor, NULL};
        values[def.count++] = (struct scree_interaction_value){"twisting-friction", 0.1 / factor, NULL};
        values[def.count++] = (struct scree_interaction_value){"twisting-damping", 0.2 / factor, NULL};
    }
    if (a == 2 && !rules->balanced)
        values[def.count++] = (struct scree_interaction_value){"arms", 0, "radius"};
    def.values = values;
    assert_ok(scree_interaction_add(world, &def));
}

static void set_rules(struct scree_world *world, const struct rules *rules, double radius)
{
    assert_ok(scree_interaction_clear(world));
    for (uint64_t a = 1; a <= TOUCHING_MATERIALS; ++a)
        for (uint64_t b = a; b <= TOUCHING_MATERIALS; ++b)
            add_rule(world, rules, radius, a, b);
}

// A world of touching.h with these rules; every third wall is at rest.
static void build(struct touching *t, const struct rules *rules, struct scree_world **world)
{
    static const double none[3];
    t->dimension = rules->dimension;
    t->law = rules->law ? rules->law->name : NULL;
    t->resists = rules->resists;
    assert_ok(touching_build(t, world));
    if (rules->law)
        set_rules(*world, rules, touching_smallest_radius(t));
    for (scree_wall_id wall = {3}; scree_wall_exists(*world, wall); wall.value += 3) {
        assert_ok(scree_wall_set_velocity(*world, wall, none));
        assert_ok(scree_wall_set_spin(*world, wall, none));
    }
}

// The digest of the same run without callbacks, in which bodies advance as soon as their force is known.
static struct scree_digest run_without_callbacks(struct touching *t, const struct rules *rules,
                                                 uint64_t steps)
{
    struct scree_world *world;
    struct scree_engine *engine;
    build(t, rules, &world);
    assert_ok(touching_engine(t, &(struct touching_variant){0}, world, &engine));
    assert_ok(scree_engine_run(engine, steps));
    const struct scree_digest digest = scree_test_digest(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return digest;
}

static void add_counts(struct scree_pairwise_counts *sum, const struct scree_pairwise_counts *counts)
{
    size_t *to = (size_t *)(void *)sum;
    const size_t *from = (const size_t *)(const void *)counts;
    const size_t most_contacts =
        sum->most_contacts > counts->most_contacts ? sum->most_contacts : counts->most_contacts;
    for (size_t k = 0; k < sizeof *sum / sizeof *to; ++k)
        to[k] += from[k];
    sum->most_contacts = most_contacts;
}

// Compares a world for a number of steps, and adds the counters.
static void compare_one(struct touching t, const struct rules *rules, uint64_t steps,
                        struct scree_pairwise_counts *counts)
{
    struct scree_world *world;
    struct scree_engine *engine;
    struct comparison comparison;
    build(&t, rules, &world);
    assert_ok(touching_engine(&t, &(struct touching_variant){0}, world, &engine));
    comparison_begin(&comparison, t.name, rules, world, engine);
    comparison.isolated = rules->balanced;
    assert_ok(scree_engine_run(engine, steps));
    // the initial state is evaluated too
    assert_int_equal(comparison.evaluations, steps + 1);
    const struct scree_pairwise_counts *counts_here = &comparison.pairwise.counts;
    assert_true(counts_here->begun > 0 && counts_here->kept > 0 && counts_here->ended > 0 &&
                counts_here->single > 0);
    add_counts(counts, counts_here);
    if (!t.insert_delete &&
        !scree_test_digests_equal(scree_test_digest(world), run_without_callbacks(&t, rules, steps)))
        fail_msg("%s differs without callbacks", comparison.what);
    comparison_end(&comparison);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Compares a world for all rules; returns the counters.
static struct scree_pairwise_counts compare_all_rules(struct touching t, uint64_t steps, bool isolated)
{
    struct scree_pairwise_counts counts = {0};
    struct rules rules;
    for (size_t index = 0; next_rules(&rules, &index);) {
        rules.balanced = isolated;
        compare_one(t, &rules, steps, &counts);
    }
    return counts;
}

static void assert_all_walls_touched(const struct scree_pairwise_counts *counts)
{
    for (int shape = SCREE_WALL_PLANE; shape <= SCREE_WALL_SPHERE; ++shape)
        assert_true(counts->wall[shape] > 0);
    assert_true(counts->moving > 0 && counts->at_rest > 0);
}

// More than one tile of 1024, and some bodies without a surface.
static void every_body_gets_the_sum_of_its_contacts(void **state)
{
    (void)state;
    const struct touching many_bodies = {
        .name = "many bodies", .bodies = 1400, .walls = true, .periodic = true, .fixed = true, .rigid = true};
    const struct scree_pairwise_counts counts = compare_all_rules(many_bodies, 20, false);
    assert_all_walls_touched(&counts);
    assert_true(counts.same_tile > 0 && counts.two_tiles > 0 && counts.periodic > 0);
    assert_true(counts.one_fixed > 0 && counts.both_fixed > 0 && counts.out_of_range > 0);
}

static void a_large_body_gets_the_sum_of_its_many_contacts(void **state)
{
    (void)state;
    const struct touching with_large_body = {
        .name = "uneven", .bodies = 1200, .ratio = 50, .walls = true, .fixed = true};
    const struct scree_pairwise_counts counts = compare_all_rules(with_large_body, 12, false);
    assert_all_walls_touched(&counts);
    // rows longer than the vector width
    assert_true(counts.large_ratio > 0 && counts.two_tiles > 0 && counts.one_fixed > 0 &&
                counts.most_contacts > 40);
}

static void every_body_gets_the_sum_while_bodies_are_added_and_removed(void **state)
{
    (void)state;
    const struct touching insert_delete = TOUCHING_EVERYTHING(300);
    struct scree_pairwise_counts counts = {0};
    struct rules rules;
    for (size_t index = 0; next_rules(&rules, &index);)
        if (!rules.law || rules.resists)
            compare_one(insert_delete, &rules, 40, &counts);
    assert_true(counts.one_fixed > 0 && counts.periodic > 0);
}

static void contacts_conserve_the_momenta_of_an_isolated_system(void **state)
{
    (void)state;
    const double ratio[] = {1, 100};
    for (int r = 0; r < 2; ++r) {
        const struct touching isolated = {.name = "isolated", .bodies = 1100, .ratio = ratio[r]};
        const struct scree_pairwise_counts counts = compare_all_rules(isolated, 8, true);
        assert_true(counts.two_tiles > 0 && (r == 0 || counts.large_ratio > 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_gets_the_sum_of_its_contacts),
        cmocka_unit_test(a_large_body_gets_the_sum_of_its_many_contacts),
        cmocka_unit_test(every_body_gets_the_sum_while_bodies_are_added_and_removed),
        cmocka_unit_test(contacts_conserve_the_momenta_of_an_isolated_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
