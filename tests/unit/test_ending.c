// A contact beyond its interaction range ends, whether or not the pair is still listed, and even if the law
// returns `live`. Otherwise results would depend on the skin: digests of runs with different skins are
// compared.

#include "engine/soft.h"
#include "support/worlds.h"

#include <scree/kernel.h>

// A faulty law: its contacts are live, with attraction, at any distance.
static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    (void)pair;
    constants[0] = 1e5;
    return NULL;
}

static double range(const double *constants, double radius)
{
    return 0 * constants[0] * radius;
}

SCREE_FN struct scree_law_reply always_live(const SCREE_REAL *constants, const struct scree_law_contact *c,
                                            const SCREE_REAL *before, SCREE_REAL *after)
{
    struct scree_law_reply reply;
    after[0] = before[0] + 1;
    reply.live = 1;
    reply.normal = constants[0] * c->overlap;
    reply.force.x = reply.force.y = reply.force.z = 0;
    reply.couple.x = reply.couple.y = reply.couple.z = 0;
    reply.stored = (SCREE_REAL)0.5 * constants[0] * c->overlap * c->overlap;
    reply.friction = reply.sliding = reply.dashpot = reply.internal = 0;
    reply.stiffness[0] = constants[0];
    reply.stiffness[1] = 0;
    return reply;
}

#define SCREE_KERNEL_FORCE always_live
#define SCREE_KERNEL_HISTORY 1
#define SCREE_KERNEL_VECTORS 0
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

static const struct scree_law_parameter no_parameters[] = {{0}};
static const struct scree_law_value age[] = {{"age", "", 1, "Steps."}, {0}};
static const struct scree_contact_law law = {.version = SCREE_LAW_VERSION,
                                             .name = "always-live",
                                             .about = "Attracts at any distance.",
                                             .parameters = no_parameters,
                                             .values = age,
                                             .dimensions = 1 << 3,
                                             .prepare = prepare,
                                             .range = range,
                                             .force = always_live,
                                             .kernel = SCREE_KERNEL_TABLE};

struct run {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
};

static void create_run(struct run *run, double side)
{
    const struct scree_cell_def cell = {{0, 0, 0}, {side, side, side}, {true, true, true}};
    assert_ok(scree_world_create(NULL, &run->world));
    assert_ok(scree_material_add(run->world, &(struct scree_material_def){"glass", 2000}, &run->material));
    if (side > 0)
        assert_ok(scree_cell_set(run->world, &cell));
}

static void create_engine(struct run *run, const struct scree_interaction_def *def, double step)
{
    assert_ok(scree_interaction_add(run->world, def));
    assert_ok(scree_soft_create(
        run->world,
        &(struct scree_soft_def){
            .step = step, .threads = 1, .alarms = {.policy = {[SCREE_ALARM_OVERLAP] = SCREE_ALARM_IGNORE}}},
        &run->engine));
}

static void destroy_run(struct run *run)
{
    scree_engine_destroy(run->engine);
    scree_world_destroy(run->world);
}

static scree_body_id add_ball(struct run *run, double x, double y, double z, const double velocity[3])
{
    struct scree_sphere_def def = {.radius = 0.05, .material = run->material, .position = {x, y, z}};
    scree_body_id id;
    memcpy(def.velocity, velocity, sizeof def.velocity);
    assert_ok(scree_body_add_sphere(run->world, &def, &id));
    return id;
}

// Digest of a gas with a given skin.
static struct scree_digest run_gas(const struct scree_interaction_def *def, double skin)
{
    struct run run;
    struct scree_digest digest;
    uint64_t state = 7;
    create_run(&run, 0.5);
    assert_ok(scree_law_register(run.world, &law));
    for (int k = 0; k < 64; ++k) {
        double velocity[3];
        for (int i = 0; i < 3; ++i) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            velocity[i] = (double)(state >> 11) / 4503599627370496.0 - 1;
        }
        (void)add_ball(&run, 0.06 + 0.125 * (k % 4), 0.06 + 0.125 * (k / 4 % 4), 0.06 + 0.125 * (k / 16),
                       velocity);
    }
    create_engine(&run, def, 1e-4);
    ((struct scree_soft *)run.engine->self)->collider.search.prescribed_skin = skin;
    assert_ok(scree_engine_run(run.engine, 2000));
    assert_ok(scree_world_digest(run.world, &digest));
    destroy_run(&run);
    return digest;
}

static void no_law_keeps_a_contact_beyond_its_range(void **state)
{
    (void)state;
    static const struct scree_interaction_value values[] = {
        {"friction", 0.5, NULL},           {"restitution", 0.9, NULL},       {"stiffness", 1e5, NULL},
        {"stiffness-tangential", 0, NULL}, {"coulomb-limit", 0, "absolute"}, {"dashpots", 0, "normal"}};
    // the first law would keep a spring at the Coulomb limit, which is zero without overlap
    const struct scree_interaction_def defs[] = {{.law = "linear", .values = values, .count = 6},
                                                 {.law = "always-live"}};
    for (size_t d = 0; d < sizeof defs / sizeof defs[0]; ++d) {
        const struct scree_digest expected = run_gas(&defs[d], 0.05);
        static const double skins[] = {1e-9, 0.3};
        for (size_t s = 0; s < sizeof skins / sizeof skins[0]; ++s) {
            const struct scree_digest digest = run_gas(&defs[d], skins[s]);
            if (!scree_test_digests_equal(digest, expected))
                fail_msg("'%s' differs with a skin of %g", defs[d].law, skins[s]);
        }
    }
}

static void a_narrow_cell_supports_bodies_of_any_speed(void **state)
{
    (void)state;
    static const struct scree_interaction_value values[] = {
        {"friction", 0.4, NULL}, {"restitution", 0.6, NULL}, {"stiffness", 1e8, NULL}};
    // up to 0.4 of a radius in a step
    for (double speed = 0; speed <= 400; speed += 100) {
        struct run run;
        create_run(&run, 0.21);
        (void)add_ball(&run, 0.01, 0.01, 0.01, (double[3]){speed, 0, 0});
        (void)add_ball(&run, 0.1, 0.12, 0.1, (double[3]){0, 0, 0});
        create_engine(&run, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3},
                      5e-5);
        assert_ok(scree_engine_run(run.engine, 200));
        destroy_run(&run);
    }
}

static void contacts_that_separate_while_there_are_no_rules_lose_their_history(void **state)
{
    (void)state;
    static const struct scree_interaction_value values[] = {
        {"friction", 0.4, NULL}, {"restitution", 0.6, NULL}, {"stiffness", 1e5, NULL}};
    const struct scree_interaction_def def = {.law = "linear", .values = values, .count = 3};
    const double none[3] = {0, 0, 0}, slow[3] = {0, 0.01, 0}, away[3] = {1, 0, 0}, towards[3] = {-1, 0, 0};
    struct run run;
    struct scree_contact contact;
    size_t count;
    create_run(&run, 0);
    const scree_body_id first = add_ball(&run, 0, 0, 0, none);
    const scree_body_id second = add_ball(&run, 0.0999, 0, 0, slow);
    assert_ok(scree_body_fix(run.world, first, SCREE_FIX_ALL));
    assert_ok(scree_body_fix(run.world, second, SCREE_FIX_ALL));
    create_engine(&run, &def, 1e-5);
    assert_ok(scree_engine_run(run.engine, 100));
    assert_ok(scree_contact_list(run.world, &contact, 1, &count));
    assert_true(count == 1 && fabs(contact.force[1]) > 0.01);
    assert_ok(scree_interaction_clear(run.world));
    assert_ok(scree_body_set_velocity(run.world, second, away));
    assert_ok(scree_engine_run(run.engine, 1000));
    assert_ok(scree_body_set_velocity(run.world, second, towards));
    assert_ok(scree_engine_run(run.engine, 1000));
    assert_ok(scree_body_set_velocity(run.world, second, none));
    assert_ok(scree_interaction_add(run.world, &def));
    assert_ok(scree_engine_run(run.engine, 0));
    assert_ok(scree_contact_list(run.world, &contact, 1, &count));
    // the force is normal up to round-off: the tangential spring is gone
    const double tangential = contact.force[0] * contact.normal[1] - contact.force[1] * contact.normal[0];
    assert_true(count == 1 && fabs(tangential) < 1e-12 * fabs(contact.force[0]));
    destroy_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_law_keeps_a_contact_beyond_its_range),
        cmocka_unit_test(a_narrow_cell_supports_bodies_of_any_speed),
        cmocka_unit_test(contacts_that_separate_while_there_are_no_rules_lose_their_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
