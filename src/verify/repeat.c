// Runs in several parts, on any number of threads, and in any order of slots and ids give bit-identical
// results. The reference is one run on one thread.

#include "algebra.h"
#include "verify.h"

#include <string.h>

// threads process blocks of 128 bodies: four blocks for four threads
enum { BODIES = 400, STEPS = 100 };

// --- bodies of every kind

// Returns a number in [0, 1) that depends only on the body, not on the order of creation.
static double draw(uint64_t body, uint64_t number)
{
    return 0.5 * scree_algebra_draw(1, body, number) + 0.5;
}

static void draw_vector(uint64_t body, uint64_t number, double *out)
{
    for (uint64_t k = 0; k < 3; ++k)
        out[k] = scree_algebra_draw(1, body, number + k);
}

static scree_status add_sphere(struct scree_world *world, scree_material_id material, uint64_t body,
                               scree_body_id *id)
{
    struct scree_sphere_def def = {.radius = 0.1 + 0.1 * draw(body, 0), .material = material};
    draw_vector(body, 1, def.position);
    draw_vector(body, 4, def.velocity);
    draw_vector(body, 7, def.spin);
    if (body % 11 == 0)
        def.fixed = SCREE_FIX_X | SCREE_FIX_SPIN_Y;
    return scree_body_add_sphere(world, &def, id);
}

static scree_status add_rigid(struct scree_world *world, uint64_t body, scree_body_id *id)
{
    struct scree_rigid_def def = {.mass = 0.5 + draw(body, 0),
                                  .inertia = {0.1, 0.1 + 0.05 * draw(body, 10), 0.18}};
    draw_vector(body, 1, def.position);
    draw_vector(body, 4, def.velocity);
    draw_vector(body, 7, def.spin);
    def.orientation[0] = 1;
    draw_vector(body, 11, def.orientation + 1);
    if (body % 13 == 0)
        def.fixed = SCREE_FIX_Z | SCREE_FIX_SPIN_X;
    return scree_body_add_rigid(world, &def, id);
}

struct group {
    struct scree_trial *trial;
    struct scree_soft_def def;
    bool reversed;              // create bodies in the opposite order
    struct scree_energy energy; // written by the callback
    bool contacts;              // with contacts between balls and with a wall that moves and rotates
    scree_body_id id[BODIES];
};

static scree_status apply_load(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i) {
        const double *x = batch->position[i], *v = batch->velocity[i], *w = batch->spin[i];
        const double *q = batch->orientation[i];
        for (int k = 0; k < 3; ++k) {
            batch->force[i][k] += batch->mass[i] * (batch->time - 5 * x[k] - 0.3 * v[k]);
            batch->moment[i][k] += 0.02 * q[k + 1] - 0.01 * w[k] + 0.01 * x[(k + 1) % 3];
        }
    }
    return SCREE_OK;
}

// Contacts are soft enough for the step. A third of the balls overlap initially, so that sliding, rolling and
// dissipation all occur.
static scree_status add_contacts(struct scree_world *world, scree_material_id material)
{
    static const struct scree_interaction_value values[] = {
        {"friction", 0.4, NULL}, {"restitution", 0.6, NULL}, {"rolling-friction", 0.1, NULL}};
    const struct scree_wall_def wall = {.shape = SCREE_WALL_PLANE,
                                        .material = material,
                                        .plane = {{0, 0, -0.6}, {0.1, 0, 1}},
                                        .velocity = {0.2, 0, 0.3},
                                        .spin = {0.1, 0.2, 0.3}};
    scree_wall_id id;
    SCREE_TRY(scree_material_set(world, material, "young", 1e3));
    SCREE_TRY(scree_material_set(world, material, "poisson", 0.3));
    SCREE_TRY(scree_interaction_add(
        world, &(struct scree_interaction_def){
                   .law = "hertz-mindlin", .values = values, .count = sizeof values / sizeof values[0]}));
    return scree_wall_add(world, &wall, &id);
}

static scree_status add_bodies(struct group *group)
{
    struct scree_world *world = group->trial->world;
    const bool only_spheres = group->def.rotation && strcmp(group->def.rotation, "spherical") == 0;
    scree_material_id material;
    SCREE_TRY(
        scree_material_add(world, &(struct scree_material_def){.name = "stone", .density = 30}, &material));
    if (group->contacts)
        SCREE_TRY(add_contacts(world, material));
    for (uint64_t i = 0; i < BODIES; ++i) {
        const uint64_t body = group->reversed ? BODIES - 1 - i : i;
        scree_body_id *id = &group->id[body];
        if (only_spheres || body % 3 == 0)
            SCREE_TRY(add_sphere(world, material, body, id));
        else
            SCREE_TRY(add_rigid(world, body, id));
        // damp only some bodies, to cover integration schemes with and without damping
        if (body % 7 == 0)
            SCREE_TRY(scree_body_set_damping(world, *id, 0.1, 0.5));
    }
    return SCREE_OK;
}

static scree_status begin(struct group *group)
{
    SCREE_TRY(scree_trial_world(
        group->trial, &(struct scree_world_def){.gravity = {0, 0, -9.81}, .sphere_orientation = true}));
    SCREE_TRY(add_bodies(group));
    SCREE_TRY(scree_trial_load(group->trial, apply_load, NULL));
    SCREE_TRY(scree_trial_constant_load(
        group->trial,
        &(struct scree_load_def){.body = group->id[5], .force = {1, 2, 3}, .moment = {0.01, 0, 0.02}}));
    return scree_soft_create(group->trial->world, &group->def, &group->trial->engine);
}

// --- variants of running a hundred steps

static scree_status replace_engine(struct group *group)
{
    scree_engine_destroy(group->trial->engine);
    group->trial->engine = NULL;
    return scree_soft_create(group->trial->world, &group->def, &group->trial->engine);
}

static scree_status shuffle(struct group *group)
{
    uint64_t keys[BODIES];
    for (uint64_t i = 0; i < BODIES; ++i)
        keys[i] = (uint64_t)(1e6 * draw(i, 99));
    return scree_world_sort(group->trial->world, keys, BODIES);
}

static scree_status measure_energy(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct scree_energy *energy = (struct scree_energy *)user;
    (void)engine;
    return scree_energy_get(world, energy);
}

// with a callback, no body advances before all forces are known
static scree_status add_callback(struct group *group)
{
    return scree_engine_set_callback(group->trial->engine, SCREE_POINT_RECORD, measure_energy, &group->energy,
                                     NULL);
}

// A way to run the steps: `first` steps, an action on the world or the engine, and the rest in parts of
// `part` steps.
struct variant {
    const char *label;
    int threads, first, part;
    scree_status (*action)(struct group *group);
};

static const struct variant plain = {"at once", 1, 0, STEPS, NULL};
static const struct variant variants[] = {
    {"in parts of 60 and 40 steps", 1, 60, 40, NULL},
    {"in parts of one step", 1, 0, 1, NULL},
    {"by two engines in turn", 1, 60, 40, replace_engine},
    {"with slots shuffled during the run", 1, 60, 40, shuffle},
    {"with slots shuffled before the run", 1, 0, STEPS, shuffle},
    {"with a callback in every step", 1, 0, STEPS, add_callback},
    {"on 2 threads", 2, 0, STEPS, NULL},
    {"on 3 threads", 3, 0, STEPS, NULL},
    {"on 4 threads", 4, 0, STEPS, NULL},
};

enum { VARIANTS = sizeof variants / sizeof variants[0] };

static scree_status run_digest(struct scree_trial *trial, const struct scree_soft_def *def, bool contacts,
                               const struct variant *variant, struct scree_digest *digest)
{
    struct group group = {.trial = trial, .def = *def, .contacts = contacts};
    group.def.threads = variant->threads;
    SCREE_TRY(begin(&group));
    if (variant->first > 0)
        SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)variant->first));
    if (variant->action)
        SCREE_TRY(variant->action(&group));
    for (int step = variant->first; step < STEPS; step += variant->part)
        SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)variant->part));
    return scree_world_digest(trial->world, digest);
}

static scree_status compare_digests(struct scree_trial *trial, const struct scree_soft_def *def,
                                    bool contacts, size_t *differing)
{
    struct scree_digest expected, digest;
    SCREE_TRY(run_digest(trial, def, contacts, &plain, &expected));
    for (int v = 0; v < VARIANTS; ++v) {
        SCREE_TRY(run_digest(trial, def, contacts, &variants[v], &digest));
        differing[v] += digest.low != expected.low || digest.high != expected.high;
    }
    return SCREE_OK;
}

static size_t count_schemes(scree_motion_kind kind)
{
    size_t count = 0;
    while (scree_motion_name(kind, count))
        ++count;
    return count;
}

// Runs each scheme of translation with the default scheme of rotation, then each scheme of rotation with the
// default scheme of translation.
static scree_status for_each_scheme(struct scree_trial *trial,
                                    scree_status (*compare)(struct scree_trial *trial,
                                                            const struct scree_soft_def *def, bool contacts,
                                                            size_t *differing),
                                    bool contacts, size_t *differing, size_t *schemes)
{
    const size_t translations = count_schemes(SCREE_TRANSLATION);
    // only spheres have contacts, and spheres have their own scheme of rotation
    const size_t scheme_count = translations + (contacts ? 0 : count_schemes(SCREE_ROTATION));
    *schemes = 0;
    for (size_t l = 0; l < scheme_count; ++l) {
        // no alarms: balls overlap initially
        struct scree_soft_def def = {.step = 0.004, .alarms = {.overlap = 1e9, .displacement = 1e9}};
        if (l < translations)
            def.translation = scree_motion_name(SCREE_TRANSLATION, l);
        else
            def.rotation = scree_motion_name(SCREE_ROTATION, l - translations);
        const scree_status status = compare(trial, &def, contacts, differing);
        // not every scheme supports contacts
        if (status == SCREE_ERROR_UNSUPPORTED && contacts)
            continue;
        SCREE_TRY(status);
        ++*schemes;
    }
    return SCREE_OK;
}

static scree_status digests(struct scree_trial *trial)
{
    const bool contacts = *(const bool *)trial->data;
    size_t differing[VARIANTS] = {0}, schemes;
    SCREE_TRY(for_each_scheme(trial, compare_digests, contacts, differing, &schemes));
    for (int v = 0; v < VARIANTS; ++v)
        scree_report_zero(trial, differing[v], "differing digests of %zu schemes %s", schemes,
                          variants[v].label);
    return SCREE_OK;
}

// --- ids

static bool same_motion(const struct scree_body_state *a, const struct scree_body_state *b)
{
    return memcmp(a->position, b->position, sizeof a->position) == 0 &&
           memcmp(a->orientation, b->orientation, sizeof a->orientation) == 0 &&
           memcmp(a->velocity, b->velocity, sizeof a->velocity) == 0 &&
           memcmp(a->spin, b->spin, sizeof a->spin) == 0 &&
           memcmp(a->momentum, b->momentum, sizeof a->momentum) == 0 &&
           memcmp(a->force, b->force, sizeof a->force) == 0 &&
           memcmp(a->moment, b->moment, sizeof a->moment) == 0;
}

static scree_status run_states(struct scree_trial *trial, const struct scree_soft_def *def, bool reversed,
                               struct scree_body_state *states)
{
    struct group group = {.trial = trial, .def = *def, .reversed = reversed};
    group.def.threads = 1;
    SCREE_TRY(begin(&group));
    SCREE_TRY(scree_engine_run(trial->engine, STEPS));
    for (int b = 0; b < BODIES; ++b)
        SCREE_TRY(scree_body_get(trial->world, group.id[b], &states[b]));
    return SCREE_OK;
}

static scree_status compare_ids(struct scree_trial *trial, const struct scree_soft_def *def, bool contacts,
                                size_t *differing)
{
    (void)contacts;
    static struct scree_body_state forwards[BODIES], reversed[BODIES];
    SCREE_TRY(run_states(trial, def, false, forwards));
    SCREE_TRY(run_states(trial, def, true, reversed));
    for (int b = 0; b < BODIES; ++b)
        *differing += !same_motion(&forwards[b], &reversed[b]);
    return SCREE_OK;
}

static scree_status ids(struct scree_trial *trial)
{
    size_t differing = 0, schemes;
    SCREE_TRY(for_each_scheme(trial, compare_ids, false, &differing, &schemes));
    scree_report_zero(trial, differing, "differing states of %zu bodies, for %zu schemes",
                      (size_t)BODIES * schemes, schemes);
    return SCREE_OK;
}

static const bool no_contacts = false, with_contacts = true;

const struct scree_verify_case scree_verify_repeat[] = {
    {"digests", "equal digests for all variants of running the steps, for every integration scheme", digests,
     &no_contacts},
    {"contacts", "the same with contacts between balls and with a moving wall", digests, &with_contacts},
    {"ids", "bit-identical motion of bodies created in another order, for every integration scheme", ids,
     NULL},
    {0},
};
