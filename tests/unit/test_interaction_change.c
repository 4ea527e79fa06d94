// Rules that change while bodies are in contact: a new law starts without history, and an unchanged law
// keeps its histories. Reference: a world that never had the first law.

#include "support/worlds.h"

#include <scree/contact.h>
#include <scree/interaction.h>
#include <scree/wall.h>

enum { BODIES = 3, MAX_CONTACTS = 8, STEPS = 300 };

struct rule {
    const char *law;
    struct scree_interaction_value values[6];
};

static const struct rule rules[] = {
    {"linear", {{"friction", 0.4, NULL}, {"restitution", 0.6, NULL}, {"stiffness", 1e5, NULL}}},
    {"linear",
     {{"friction", 0.4, NULL},
      {"restitution", 0.6, NULL},
      {"stiffness", 1e5, NULL},
      {"rolling-friction", 0.1, NULL},
      {"twisting-friction", 0.1, NULL}}},
    {"plastic", {{"friction", 0.4, NULL}, {"restitution", 0.6, NULL}, {"stiffness", 1e5, NULL}}},
    {"hertz-mindlin", {{"friction", 0.4, NULL}, {"restitution", 0.6, NULL}}},
    {"jkr", {{"friction", 0.4, NULL}, {"restitution", 0.6, NULL}, {"work-of-adhesion", 0.1, NULL}}},
    {"hertz", {{"restitution", 0.6, NULL}}}};

enum { RULES = sizeof rules / sizeof rules[0], WITHOUT_RESISTANCE = 0, WITH_RESISTANCE = 1 };

static void add_rule(struct scree_world *world, const struct rule *rule, scree_material_id material)
{
    size_t count = 0;
    while (rule->values[count].name)
        ++count;
    assert_ok(scree_interaction_add(world, &(struct scree_interaction_def){.between = {material, material},
                                                                           .law = rule->law,
                                                                           .values = rule->values,
                                                                           .count = count}));
}

static void set_rule(struct scree_world *world, const struct rule *rule)
{
    assert_ok(scree_interaction_clear(world));
    add_rule(world, rule, (scree_material_id){0});
}

static struct scree_engine *create_engine(struct scree_world *world)
{
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5, .threads = 1}, &engine));
    return engine;
}

// Three balls with fixed velocities that slide and roll on each other and on a floor, in the states `from`
// if these are given.
static struct scree_world *build(const struct rule *rule, const struct scree_body_state *from)
{
    struct scree_world *world;
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id id;
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 2000}, &material));
    assert_ok(scree_material_set(world, material, "young", 1e7));
    assert_ok(scree_material_set(world, material, "poisson", 0.3));
    set_rule(world, rule);
    assert_ok(scree_wall_add(world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = material,
                                                      .plane = {.normal = {0, 0, 1}}},
                             &wall));
    for (int b = 0; b < BODIES; ++b) {
        struct scree_sphere_def ball = {.radius = 0.05,
                                        .material = material,
                                        .position = {0.0999 * b, 0, 0.0499},
                                        .velocity = {0, 1e-3 * b, 1e-3},
                                        .spin = {0.01 * b, 0.02, 0.03},
                                        .fixed = SCREE_FIX_ALL};
        if (from) {
            memcpy(ball.position, from[b].position, sizeof ball.position);
            memcpy(ball.velocity, from[b].velocity, sizeof ball.velocity);
            memcpy(ball.spin, from[b].spin, sizeof ball.spin);
        }
        assert_ok(scree_body_add_sphere(world, &ball, &id));
    }
    return world;
}

static void read_bodies(const struct scree_world *world, struct scree_body_state *body)
{
    for (uint64_t b = 0; b < BODIES; ++b)
        assert_ok(scree_body_get(world, (scree_body_id){b + 1}, &body[b]));
}

static void list_contacts(const struct scree_world *world, struct scree_contact *contact)
{
    size_t count;
    memset(contact, 0, MAX_CONTACTS * sizeof *contact);
    assert_ok(scree_contact_list(world, contact, MAX_CONTACTS, &count));
    assert_int_equal(count, 5);
}

static void assert_same(const struct scree_contact *a, const struct scree_contact *b, const char *from)
{
    for (int c = 0; c < 5; ++c) {
        assert_string_equal(a[c].law, b[c].law);
        const bool same = memcmp(a[c].force, b[c].force, sizeof a->force) == 0 &&
                          memcmp(a[c].couple, b[c].couple, sizeof a->couple) == 0 &&
                          memcmp(&a[c].stored, &b[c].stored, sizeof a->stored) == 0;
        if (!same)
            fail_msg("contact %d, changed from '%s' to '%s', has the tangential force %g N, not %g", c, from,
                     a[c].law, a[c].force[1], b[c].force[1]);
    }
}

static bool has_tangential_force(const struct scree_contact *contact)
{
    return fabs(contact[0].force[1]) > 1e-6;
}

// The forces equal, bit for bit, those of a world that never had the first law.
static void another_law_starts_with_new_contacts(void **state)
{
    (void)state;
    struct scree_body_state body[BODIES];
    struct scree_contact got[MAX_CONTACTS], expected[MAX_CONTACTS], before[MAX_CONTACTS];
    for (int from = 0; from < RULES; ++from)
        for (int to = 0; to < RULES; ++to) {
            if (strcmp(rules[from].law, rules[to].law) == 0)
                continue;
            struct scree_world *world = build(&rules[from], NULL);
            struct scree_engine *engine = create_engine(world);
            assert_ok(scree_engine_run(engine, STEPS));
            read_bodies(world, body);
            list_contacts(world, before);
            assert_true(strcmp(rules[from].law, "hertz") == 0 || has_tangential_force(before));
            set_rule(world, &rules[to]);
            struct scree_world *reference = build(&rules[to], body);
            struct scree_engine *reference_engine = create_engine(reference);
            assert_ok(scree_engine_run(reference_engine, 0));
            // contacts are listed at once, then after an evaluation, then after a step
            list_contacts(reference, expected);
            for (int phase = 0; phase < 3; ++phase) {
                if (phase > 0)
                    assert_ok(scree_engine_run(engine, phase == 2));
                if (phase == 2)
                    assert_ok(scree_engine_run(reference_engine, 1));
                list_contacts(world, got);
                list_contacts(reference, expected);
                assert_same(got, expected, rules[from].law);
            }
            scree_engine_destroy(engine);
            scree_engine_destroy(reference_engine);
            scree_world_destroy(world);
            scree_world_destroy(reference);
        }
}

static void the_same_law_keeps_its_histories(void **state)
{
    (void)state;
    struct scree_contact got[MAX_CONTACTS], before[MAX_CONTACTS];
    for (int r = 0; r < RULES; ++r) {
        struct scree_world *world = build(&rules[r], NULL);
        struct scree_engine *engine = create_engine(world);
        assert_ok(scree_engine_run(engine, STEPS));
        list_contacts(world, before);
        set_rule(world, &rules[r]);
        assert_ok(scree_engine_run(engine, 0));
        list_contacts(world, got);
        assert_same(got, before, rules[r].law);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

// Springs of rolling and twisting are stored beside those of the law. They begin unloaded, also after they
// were removed; their memory stays allocated here, because grains of another material have such springs.
static void rolling_and_twisting_resistance_can_be_added_and_removed(void **state)
{
    (void)state;
    struct scree_contact got[MAX_CONTACTS], before[MAX_CONTACTS];
    struct scree_world *world = build(&rules[WITH_RESISTANCE], NULL);
    struct scree_sphere_def distant_ball = {.radius = 0.05, .position = {9, 9, 9}};
    scree_body_id id;
    assert_ok(scree_material_add(world, &(struct scree_material_def){.name = "n", .density = 2000},
                                 &distant_ball.material));
    assert_ok(scree_body_add_sphere(world, &distant_ball, &id));
    struct scree_engine *engine = create_engine(world);
    assert_ok(scree_engine_run(engine, STEPS));
    list_contacts(world, before);
    assert_true(has_tangential_force(before) && fabs(before[0].couple[0]) > 1e-9);
    for (int change = 0; change < 2; ++change) {
        assert_ok(scree_interaction_clear(world));
        add_rule(world, &rules[WITH_RESISTANCE], distant_ball.material);
        add_rule(world, &rules[change == 0 ? WITHOUT_RESISTANCE : WITH_RESISTANCE], (scree_material_id){0});
        assert_ok(scree_engine_run(engine, 0));
        list_contacts(world, got);
        for (int c = 0; c < 5; ++c) {
            assert_memory_equal(got[c].force, before[c].force, sizeof got->force);
            for (int k = 0; k < 3; ++k)
                assert_true(got[c].couple[k] == 0);
        }
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_law_starts_with_new_contacts),
        cmocka_unit_test(the_same_law_keeps_its_histories),
        cmocka_unit_test(rolling_and_twisting_resistance_can_be_added_and_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
