// Test worlds, see worlds.h.

#include "support/worlds.h"

#include "base/memory.h"
#include "base/status.h"
#include "engine/engine.h"
#include "engine/soft.h"
#include "world/world.h"

#include <stdio.h>

void scree_test_ok(scree_status status, const char *call, const char *file, int line)
{
    if (status == SCREE_OK)
        return;
    print_error("%s\n  ended with '%s': %s\n", call, scree_status_name(status), scree_status_message());
    _fail(file, line);
}

void scree_test_refused(scree_status status, scree_status expected, const char *word, const char *call,
                        const char *file, int line)
{
    if (status == expected && strstr(scree_status_message(), word))
        return;
    print_error("%s\n  ended with '%s': %s\n  expected '%s' and the word '%s'\n", call,
                scree_status_name(status), scree_status_message(), scree_status_name(expected), word);
    _fail(file, line);
}

// A spring to the origin, drag, and moments that depend on orientation, spin and time.
static scree_status load_function(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double next = batch->orientation[i][1 + (k + 1) % 3];
            batch->force[i][k] +=
                batch->mass[i] * (-20 * batch->position[i][k] - 0.3 * batch->velocity[i][k]);
            batch->moment[i][k] +=
                batch->mass[i] * (0.02 * next * (1 + batch->time) - 1e-3 * batch->spin[i][k]);
        }
    return SCREE_OK;
}

static scree_status add_functions(struct scree_world *world)
{
    scree_load_id id;
    SCREE_TRY(
        scree_load_add(world, &(struct scree_load_def){.function = load_function, .threaded = true}, &id));
    if (scree_body_exists(world, (scree_body_id){2}))
        SCREE_TRY(
            scree_load_add(world, &(struct scree_load_def){.body = {2}, .function = load_function}, &id));
    return SCREE_OK;
}

// In two dimensions the functions also give out-of-plane components, which the engine must ignore.
static scree_status add_loads(struct scree_world *world)
{
    scree_load_id id;
    SCREE_TRY(
        scree_load_add(world, &(struct scree_load_def){.force = {0.1, -0.2}, .moment = {0, 0, 0.01}}, &id));
    return add_functions(world);
}

struct motion {
    double position[3], velocity[3], spin[3];
    unsigned fixed;
};

static struct motion draw_motion(const struct scree_test_world *setup, unsigned i, uint64_t *seed)
{
    struct motion motion = {.fixed = 0};
    for (int k = 0; k < 3; ++k) {
        motion.position[k] = splitmix_signed(seed);
        motion.velocity[k] = splitmix_signed(seed);
        motion.spin[k] = 3 * splitmix_signed(seed);
    }
    if (setup->fixed)
        motion.fixed = (const unsigned[]){0,
                                          SCREE_FIX_X,
                                          SCREE_FIX_SPIN_Z,
                                          0,
                                          SCREE_FIX_ALL,
                                          SCREE_FIX_Y | SCREE_FIX_SPIN_X,
                                          0,
                                          SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y,
                                          SCREE_FIX_POSITION,
                                          0,
                                          SCREE_FIX_SPIN}[i % 11];
    if (setup->dimension == 2)
        motion.position[2] = motion.velocity[2] = motion.spin[0] = motion.spin[1] = 0;
    return motion;
}

static scree_status add_flat(struct scree_world *world, const struct scree_test_world *setup, unsigned i,
                             const struct motion *m, scree_material_id material, scree_body_id *id)
{
    if (setup->spheres_only || i % 2 == 0)
        return scree_body_add_disk(world,
                                   &(struct scree_disk_def){.radius = 0.1 + 0.01 * (i % 7),
                                                            .thickness = 0.5,
                                                            .material = material,
                                                            .position = {m->position[0], m->position[1]},
                                                            .velocity = {m->velocity[0], m->velocity[1]},
                                                            .spin = m->spin[2],
                                                            .fixed = m->fixed},
                                   id);
    struct scree_rigid_def def = {.mass = 2, .polar = 0.03 + 0.001 * (i % 5), .fixed = m->fixed};
    memcpy(def.position, m->position, sizeof def.position);
    memcpy(def.velocity, m->velocity, sizeof def.velocity);
    memcpy(def.spin, m->spin, sizeof def.spin);
    return scree_body_add_rigid(world, &def, id);
}

static scree_status add_solid(struct scree_world *world, const struct scree_test_world *setup, unsigned i,
                              const struct motion *m, scree_material_id material, scree_body_id *id)
{
    if (setup->spheres_only || i % 3 == 0) {
        struct scree_sphere_def def = {
            .radius = 0.1 + 0.01 * (i % 7), .material = material, .fixed = m->fixed};
        memcpy(def.position, m->position, sizeof def.position);
        memcpy(def.velocity, m->velocity, sizeof def.velocity);
        memcpy(def.spin, m->spin, sizeof def.spin);
        return scree_body_add_sphere(world, &def, id);
    }
    struct scree_rigid_def def = {.mass = 2, .fixed = m->fixed};
    memcpy(def.position, m->position, sizeof def.position);
    memcpy(def.velocity, m->velocity, sizeof def.velocity);
    memcpy(def.spin, m->spin, sizeof def.spin);
    if (i % 3 == 1) {
        memcpy(def.inertia, (const double[3]){0.03, 0.02, 0.015 + 0.001 * (i % 5)}, sizeof def.inertia);
        memcpy(def.orientation, (const double[4]){1, 0.1 * (i % 4), -0.3, 0.2}, sizeof def.orientation);
    } else {
        memcpy(def.tensor, (const double[6]){0.03, 0.025, 0.02, 0.001 * (i % 4), -0.002, 0.003},
               sizeof def.tensor);
    }
    return scree_body_add_rigid(world, &def, id);
}

static scree_status fill(const struct scree_test_world *setup, struct scree_world *world)
{
    uint64_t seed = 7;
    scree_material_id material[2];
    SCREE_TRY(scree_material_add(world, &(struct scree_material_def){"glass", 2500}, &material[0]));
    SCREE_TRY(scree_material_add(world, &(struct scree_material_def){"cork", 200}, &material[1]));
    for (unsigned i = 0; i < setup->bodies; ++i) {
        scree_body_id id;
        const struct motion motion = draw_motion(setup, i, &seed);
        SCREE_TRY(
            (setup->dimension == 2 ? add_flat : add_solid)(world, setup, i, &motion, material[i % 2], &id));
        if (setup->own_damping && i % 3 == 1)
            SCREE_TRY(scree_body_set_damping(world, id, 0.2, 0.5));
    }
    return setup->loads ? add_loads(world) : SCREE_OK;
}

scree_status scree_test_world_build(const struct scree_test_world *setup, struct scree_world **world)
{
    SCREE_TRY(
        scree_world_create(&(struct scree_world_def){.dimension = setup->dimension,
                                                     .gravity = {0.3, -9.81, setup->dimension == 2 ? 0 : 0.2},
                                                     .sphere_orientation = setup->oriented},
                           world));
    const scree_status status = fill(setup, *world);
    if (status != SCREE_OK) {
        scree_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

scree_status scree_test_world_add_loads(const struct scree_test_world *setup, struct scree_world *world)
{
    return setup->loads ? add_functions(world) : SCREE_OK;
}

scree_status scree_test_world_engine(const struct scree_test_world *setup, struct scree_world *world,
                                     struct scree_engine **engine)
{
    return scree_soft_create(world,
                             &(struct scree_soft_def){.step = setup->step > 0 ? setup->step : 1e-3,
                                                      .translation = setup->translation,
                                                      .rotation = setup->rotation,
                                                      .damping = setup->damping,
                                                      .threads = setup->threads ? setup->threads : 1},
                             engine);
}

struct scree_digest scree_test_digest(const struct scree_world *world)
{
    struct scree_digest digest;
    assert_ok(scree_world_digest(world, &digest));
    return digest;
}

bool scree_test_digests_equal(struct scree_digest a, struct scree_digest b)
{
    return a.low == b.low && a.high == b.high;
}

void scree_test_same_motion(const struct scree_body_state *a, const struct scree_body_state *b)
{
    assert_memory_equal(a->position, b->position, sizeof a->position);
    assert_memory_equal(a->orientation, b->orientation, sizeof a->orientation);
    assert_memory_equal(a->velocity, b->velocity, sizeof a->velocity);
    assert_memory_equal(a->spin, b->spin, sizeof a->spin);
    assert_memory_equal(a->momentum, b->momentum, sizeof a->momentum);
}

struct scree_digest scree_test_world_run(const struct scree_test_world *setup, uint64_t steps)
{
    struct scree_world *world;
    struct scree_engine *engine;
    assert_ok(scree_test_world_build(setup, &world));
    assert_ok(scree_test_world_engine(setup, world, &engine));
    assert_ok(scree_engine_run(engine, steps));
    const struct scree_digest digest = scree_test_digest(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return digest;
}

struct scree_world *scree_test_empty_world(void)
{
    struct scree_world *world;
    assert_ok(scree_world_create(NULL, &world));
    return world;
}

scree_material_id scree_test_material(struct scree_world *world)
{
    scree_material_id id;
    if (scree_material_find(world, "plain", &id) != SCREE_OK)
        assert_ok(scree_material_add(world, &(struct scree_material_def){"plain", 1000}, &id));
    return id;
}

scree_body_id scree_test_sphere(struct scree_world *world)
{
    scree_body_id id;
    assert_ok(scree_body_add_sphere(
        world, &(struct scree_sphere_def){.radius = 0.1, .material = scree_test_material(world)}, &id));
    return id;
}

scree_body_id scree_test_ball(struct scree_world *world, scree_material_id material, double radius, double x,
                              double speed)
{
    scree_body_id id;
    assert_ok(scree_body_add_sphere(
        world,
        &(struct scree_sphere_def){
            .radius = radius, .material = material, .position = {x}, .velocity = {speed}},
        &id));
    return id;
}

struct scree_world *scree_test_floor(double gravity, const struct scree_material_def *material,
                                     const struct scree_interaction_def *law, scree_material_id *id)
{
    struct scree_world *world;
    scree_wall_id wall;
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -gravity}}, &world));
    assert_ok(scree_material_add(world, material, id));
    assert_ok(scree_interaction_add(world, law));
    assert_ok(scree_wall_add(
        world,
        &(struct scree_wall_def){.shape = SCREE_WALL_PLANE, .material = *id, .plane = {.normal = {0, 0, 1}}},
        &wall));
    return world;
}

void scree_test_restart(struct scree_world **world, const char *file)
{
    assert_ok(scree_checkpoint_write(*world, file));
    scree_world_destroy(*world);
    assert_ok(scree_world_create(NULL, world));
    assert_ok(scree_checkpoint_read(*world, file));
    assert_int_equal(remove(file), 0);
}

void scree_test_shuffle(struct scree_world *world, uint64_t seed)
{
    const size_t bodies = scree_body_count(world);
    uint64_t *key;
    assert_ok(scree_memory_new(bodies, sizeof *key, (void **)&key));
    for (size_t b = 0; b < bodies; ++b)
        key[b] = splitmix_next(&seed);
    assert_ok(scree_world_sort(world, key, bodies));
    scree_memory_free(key);
}

struct scree_body_state scree_test_state(const struct scree_world *world, uint64_t id)
{
    struct scree_body_state state;
    assert_ok(scree_body_get(world, (scree_body_id){id}, &state));
    return state;
}

struct scree_energy scree_test_energy(struct scree_world *world)
{
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    return energy;
}

void scree_test_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", got, expected, tolerance);
}

struct scree_engine *scree_test_threaded_engine(struct scree_world *world, double step, int threads)
{
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = step, .threads = threads}, &engine));
    return engine;
}

struct scree_engine *scree_test_plain_engine(struct scree_world *world, double step)
{
    return scree_test_threaded_engine(world, step, 1);
}

void scree_test_end(struct scree_world *world, struct scree_engine *engine)
{
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

struct scree_engine *scree_test_engine(struct scree_world *world, double step, int threads, double skin,
                                       unsigned sort_every)
{
    const struct scree_soft_def def = {.step = step, .threads = threads};
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &def, &engine));
    struct scree_search *search = &((struct scree_soft *)engine->self)->collider.search;
    search->prescribed_skin = skin;
    search->sort_every = sort_every;
    return engine;
}
