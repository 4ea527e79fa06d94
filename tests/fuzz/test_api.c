// Random sequences of calls with valid and invalid arguments, also from callbacks within steps. After every
// call the world is valid; a failed call has a message and has changed nothing; a repetition of the sequence
// gives the same bits; all memory is freed.
//
// Invariants: a sequence is a function of its seed. Accepted values are of order one, so that all results are
// finite.

#include "base/memory.h"
#include "base/status.h"
#include "fuzz/sequence.h"

#include <math.h>
#include <stdlib.h>

enum { CALLS = 150, MAX_BODIES = 60 };

static double number(struct sequence *s)
{
    static const double invalid[] = {NOT_A_NUMBER, INFINITE, -INFINITE, 1e200, -1e308, 1e151};
    if (!one_in(s, 60))
        return 3 * splitmix_signed(&s->seed);
    return invalid[pick(s, 6)];
}

static double positive(struct sequence *s)
{
    static const double invalid[] = {0, -1, NOT_A_NUMBER, INFINITE, 1e-320};
    if (!one_in(s, 40))
        return 0.55 + 0.45 * splitmix_signed(&s->seed);
    return invalid[pick(s, 5)];
}

static unsigned random_fixed_flags(struct sequence *s)
{
    return one_in(s, 3) ? (unsigned)pick(s, one_in(s, 20) ? 1000 : 64) : 0;
}

// --- calls

static scree_status add_material(struct sequence *s)
{
    static const char *const names[] = {
        "glass", "steel", "cork", "", NULL, "a name that has more than 31 characters", "ice"};
    scree_material_id id;
    return scree_material_add(s->world, &(struct scree_material_def){names[pick(s, 7)], 1000 * positive(s)},
                              &id);
}

static scree_status set_property(struct sequence *s)
{
    static const char *const names[] = {"young", "poisson", "density", "beauty", NULL, "id", "name"};
    double value;
    const scree_material_id id = {pick(s, 5)};
    const char *name = names[pick(s, 7)];
    if (one_in(s, 2))
        return scree_material_get(s->world, id, name, &value);
    return scree_material_set(s->world, id, name, positive(s) / 3);
}

static scree_status add_disk_or_sphere(struct sequence *s)
{
    scree_body_id id;
    struct scree_disk_def disk = {.radius = positive(s),
                                  .thickness = positive(s),
                                  .material = {pick(s, 4)},
                                  .fixed = random_fixed_flags(s)};
    fill_with_numbers(s, disk.position, 2);
    fill_with_numbers(s, disk.velocity, 2);
    disk.spin = number(s);
    struct scree_sphere_def sphere = {.radius = disk.radius, .material = disk.material, .fixed = disk.fixed};
    fill_with_numbers(s, sphere.position, 3);
    fill_with_numbers(s, sphere.velocity, 3);
    fill_spin(s, sphere.spin);
    if (scree_body_count(s->world) >= MAX_BODIES)
        return SCREE_OK;
    if ((scree_world_dimension(s->world) == 2) != one_in(s, 20))
        return scree_body_add_disk(s->world, &disk, &id);
    return scree_body_add_sphere(s->world, &sphere, &id);
}

static scree_status add_rigid(struct sequence *s)
{
    scree_body_id id;
    struct scree_rigid_def def = {
        .mass = positive(s), .material = {one_in(s, 4) ? pick(s, 4) : 0}, .fixed = random_fixed_flags(s)};
    fill_with_numbers(s, def.position, 3);
    fill_with_numbers(s, def.velocity, 3);
    fill_spin(s, def.spin);
    const bool flat = scree_world_dimension(s->world) == 2;
    if (flat || one_in(s, 20))
        def.polar = positive(s);
    if (!flat && one_in(s, 2))
        for (int k = 0; k < 3; ++k)
            def.inertia[k] = 1 + positive(s);
    else if (!flat || one_in(s, 20))
        for (int k = 0; k < 6; ++k)
            def.tensor[k] = k < 3 ? 1.5 + 0.4 * positive(s) : 0.1 * number(s);
    if (one_in(s, 4))
        fill_with_numbers(s, def.orientation, 4);
    return scree_body_count(s->world) >= MAX_BODIES ? SCREE_OK : scree_body_add_rigid(s->world, &def, &id);
}

static scree_status remove_body(struct sequence *s)
{
    return one_in(s, 2) ? scree_body_remove(s->world, any_body(s)) : SCREE_OK;
}

static scree_status set_body(struct sequence *s)
{
    double v[4];
    const scree_body_id id = any_body(s);
    switch (pick(s, 7)) {
    case 0:
        fill_with_numbers(s, v, 3);
        return scree_body_set_position(s->world, id, v);
    case 1:
        fill_with_numbers(s, v, 3);
        return scree_body_set_velocity(s->world, id, v);
    case 2:
        fill_spin(s, v);
        return scree_body_set_spin(s->world, id, v);
    case 3:
        fill_with_numbers(s, v, 4);
        if (scree_world_dimension(s->world) == 2)
            v[1] = v[2] = 0;
        return scree_body_set_orientation(s->world, id, v);
    case 4:
        return scree_body_fix(s->world, id, random_fixed_flags(s));
    case 5:
        return scree_body_set_damping(s->world, id, 0.4 * positive(s), positive(s));
    default:
        fill_with_numbers(s, v, 3);
        return scree_body_add_force(s->world, id, one_in(s, 3) ? NULL : v, one_in(s, 3) ? NULL : v);
    }
}

static scree_status load_function(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k) {
            batch->force[i][k] -= batch->mass[i] * (batch->position[i][k] + 0.1 * batch->velocity[i][k]);
            batch->moment[i][k] += 0.01 * batch->orientation[i][1 + k] * (1 + batch->time);
        }
    return SCREE_OK;
}

static scree_status change_loads(struct sequence *s)
{
    scree_load_id id = {pick(s, 30)};
    if (one_in(s, 2))
        return scree_load_remove(s->world, id);
    struct scree_load_def def = {.body = one_in(s, 2) ? any_body(s) : (scree_body_id){0}};
    if (one_in(s, 3)) {
        def.function = load_function;
        def.threaded = one_in(s, 2);
    } else {
        fill_with_numbers(s, def.force, 3);
        fill_spin(s, def.moment);
        const scree_body_id bodies[2] = {any_body(s), any_body(s)};
        if (one_in(s, 3))
            return scree_load_set(s->world, bodies, pick(s, 3), def.force, def.moment);
    }
    return scree_load_add(s->world, &def, &id);
}

static scree_status change_world(struct sequence *s)
{
    double v[3];
    switch (pick(s, 4)) {
    case 0:
        fill_with_numbers(s, v, 3);
        return scree_world_set_gravity(s->world, v);
    case 1:
        return one_in(s, 5) ? scree_world_integrate_sphere_orientation(s->world) : SCREE_OK;
    case 2:
        return scree_world_reserve(s->world, one_in(s, 4) ? SIZE_MAX >> pick(s, 33) : pick(s, 200));
    default: {
        uint64_t keys[MAX_BODIES + 1];
        for (int k = 0; k <= MAX_BODIES; ++k)
            keys[k] = pick(s, 20);
        return scree_world_sort(s->world, keys, scree_body_count(s->world) + one_in(s, 10));
    }
    }
}

static scree_status change_fields(struct sequence *s)
{
    static const char *const names[] = {"heat", "glow", "Bad", "position", "age", NULL};
    static const char *const entities[] = {"body", "spring", "material", "engine", NULL, "grain", "Bad"};
    uint64_t id = pick(s, 10);
    const char *entity = entities[pick(s, 7)];
    switch (pick(s, 4)) {
    case 0:
        return scree_field_add_entity(s->world, entity);
    case 1:
        return scree_field_add(s->world,
                               &(struct scree_field_def){.entity = entity,
                                                         .name = names[pick(s, 6)],
                                                         .type = (scree_type)pick(s, 8),
                                                         .width = (unsigned)pick(s, 5),
                                                         .level = (scree_level)pick(s, 7),
                                                         .transform = (scree_transform)pick(s, 7),
                                                         .flags = (unsigned)pick(s, 9),
                                                         .about = one_in(s, 9) ? NULL : "A field."});
    case 2:
        return scree_field_add_row(s->world, entity, &id);
    default:
        return scree_field_remove_row(s->world, entity, id);
    }
}

static scree_status view_or_edit(struct sequence *s)
{
    static const char *const names[] = {"body.velocity", "body.spin",   "body.momentum", "body.heat",
                                        "body.flags",    "body.id",     "spring.age",    "material.young",
                                        "nonsense",      "body.inertia"};
    struct scree_view view;
    void *data;
    const char *name = names[pick(s, 10)];
    SCREE_TRY(one_in(s, 2) ? scree_field_view(s->world, name, &view)
                           : scree_field_edit(s->world, name, &view, &data));
    assert_true(view.count == 0 || view.base != NULL);
    assert_true(view.level <= SCREE_TIMELESS);
    return SCREE_OK;
}

// Writes a random velocity of the first body into the field, without a commit.
static scree_status write_velocities(struct sequence *s)
{
    struct scree_view view;
    void *data;
    SCREE_TRY(scree_field_edit(s->world, "body.velocity", &view, &data));
    if (view.count > 0)
        ((double *)data)[0] = splitmix_signed(&s->seed);
    return SCREE_OK;
}

static scree_status query(struct sequence *s)
{
    struct scree_energy energy;
    struct scree_momentum momentum;
    struct scree_body_state body;
    struct scree_field_info info;
    switch (pick(s, 5)) {
    case 0:
        SCREE_TRY(scree_energy_get(s->world, &energy));
        return SCREE_OK;
    case 1:
        return scree_energy_momentum(s->world, &momentum);
    case 2:
        return scree_body_get(s->world, any_body(s), &body);
    case 3:
        return scree_body_get_on_step(s->world, any_body(s), &body);
    default:
        return scree_field_describe(s->world, pick(s, 200), &info);
    }
}

static scree_callback make_call_in_step;

static scree_status change_engine(struct sequence *s)
{
    scree_callback_id id = {pick(s, 10)};
    if (!s->engine || s->depth > 0) {
        // inside a step a second engine is refused, and the first one stays
        struct scree_engine *created;
        const struct scree_soft_def def = {
            .step = one_in(s, 10) ? -1 : 1e-3 + 1e-3 * (double)pick(s, 4),
            .translation = scree_motion_name(SCREE_TRANSLATION, pick(s, 8)),
            .rotation = scree_motion_name(SCREE_ROTATION, pick(s, 9)),
            .damping = {one_in(s, 2) ? 0.4 * positive(s) : 0, one_in(s, 2) ? positive(s) : 0},
            .threads = 1 + (int)pick(s, 3)};
        const scree_status status = scree_soft_create(s->world, &def, &created);
        s->engine = status == SCREE_OK ? created : s->engine;
        return status;
    }
    switch (pick(s, 5)) {
    case 0:
        scree_engine_destroy(s->engine);
        s->engine = NULL;
        return SCREE_OK;
    case 1:
        return scree_engine_set_step(s->engine, one_in(s, 10) ? -1 : 1e-3 + 1e-3 * (double)pick(s, 4));
    case 2:
        return scree_engine_set_damping(s->engine, &(struct scree_damping){0.4 * positive(s), positive(s)});
    case 3:
        return scree_engine_set_callback(s->engine, (int)pick(s, 104) - 2, make_call_in_step, s, &id);
    default:
        return scree_engine_remove_callback(s->engine, id);
    }
}

static scree_status run(struct sequence *s)
{
    if (!s->engine)
        return SCREE_OK;
    if (one_in(s, 4))
        return scree_engine_run_until(s->engine,
                                      scree_world_time(s->world) + 2e-3 * splitmix_signed(&s->seed));
    return scree_engine_run(s->engine, pick(s, 6));
}

static const struct kind calls[] = {
    {add_material, 2, false},       {set_property, 2, false},
    {add_disk_or_sphere, 6, false}, {add_rigid, 6, false},
    {remove_body, 4, false},        {set_body, 12, false},
    {change_loads, 3, false},       {change_world, 4, false},
    {change_fields, 3, false},      {view_or_edit, 3, false},
    {write_velocities, 1, false},   {query, 4, false},
    {change_engine, 6, false},      {run, 10, true},
};

static void make_call(struct sequence *s)
{
    const struct scree_digest before = scree_test_digest(s->world);
    size_t c;
    const scree_status status = make_random_call(s, calls, sizeof calls / sizeof calls[0], &c);
    if (status != SCREE_OK) {
        assert_true(scree_status_message()[0] != 0);
        assert_true(calls[c].advances || scree_test_digests_equal(before, scree_test_digest(s->world)));
        assert_int_not_equal(status, SCREE_ERROR_MEMORY);
    }
    assert_ok(scree_world_validate(s->world));
}

struct outcome {
    uint64_t trace;
    struct scree_digest digest;
};

static struct outcome run_sequence(uint64_t seed)
{
    const size_t live = scree_memory_live();
    struct sequence s = {.seed = seed};
    const struct scree_world_def def = {.dimension = one_in(&s, 3) ? 2 : 3,
                                        .sphere_orientation = one_in(&s, 3)};
    assert_ok(scree_world_create(&def, &s.world));
    for (int n = 0; n < 3; ++n) {
        scree_material_id id;
        const char *names[] = {"one", "two", "three"};
        assert_ok(scree_material_add(s.world, &(struct scree_material_def){names[n], 1000}, &id));
    }
    for (int n = 0; n < CALLS; ++n)
        make_call(&s);
    const struct outcome outcome = {s.trace, scree_test_digest(s.world)};
    scree_engine_destroy(s.engine);
    scree_world_destroy(s.world);
    assert_int_equal(scree_memory_live(), live);
    return outcome;
}

static void random_sequences_leave_a_valid_world_and_are_reproducible(void **state)
{
    (void)state;
    const char *rounds_requested = getenv("SCREE_FUZZ_ROUNDS");
    const uint64_t rounds = rounds_requested ? strtoull(rounds_requested, NULL, 10) : 20000;
    for (uint64_t seed = 1; seed * CALLS <= rounds + CALLS; ++seed) {
        const struct outcome first = run_sequence(seed), second = run_sequence(seed);
        if (first.trace != second.trace || !scree_test_digests_equal(first.digest, second.digest))
            fail_msg("sequence %llu has another result when it is repeated", (unsigned long long)seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences_leave_a_valid_world_and_are_reproducible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
