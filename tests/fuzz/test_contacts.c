// Random sequences of calls on worlds with contacts, also from callbacks within steps: rules, laws, the cell,
// walls, contacts, alarms, energies and loads, with valid, extreme and invalid arguments. No call crashes or
// hangs; a failed call has a message and has changed nothing; a repetition gives the same bits; all memory is
// freed.
//
// Invariants: a sequence is a function of its seed. Bodies overlap, coincide or are far apart. Accepted
// values may make numbers overflow; then the run must report an error.

#include "base/memory.h"
#include "base/status.h"
#include "fuzz/sequence.h"
#include "support/spring_law.h"

#include <scree/kernel.h>

#include <stdio.h>
#include <stdlib.h>

#define SCREE_KERNEL_FORCE spring_force
#define SCREE_KERNEL_HISTORY 3
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

enum { CALLS = 120, MAX_BODIES = 40, ROUNDS = 12000 };

// --- random values

// Coordinates in a box that is so small that most bodies are in contact; some of them are equal.
static double number(struct sequence *s)
{
    static const double invalid[] = {NOT_A_NUMBER, INFINITE, -INFINITE, 1e200, -1e308, 1e151};
    static const double extreme[] = {1e150, -1e150, 1e9, -1e-9, 1e-300, 1e-320, 1e20};
    static const double plain[] = {0, 0.3, -0.3, 0.6};
    if (one_in(s, 150))
        return invalid[pick(s, 6)];
    if (one_in(s, 400))
        return extreme[pick(s, 7)];
    return one_in(s, 3) ? plain[pick(s, 4)] : splitmix_signed(&s->seed);
}

static double positive(struct sequence *s)
{
    static const double invalid[] = {0, -1, NOT_A_NUMBER, INFINITE, 1e-320, -0.0};
    static const double extreme[] = {1e-9, 1e6, 1e-150, 1e150, 1e30, 1e-30};
    if (one_in(s, 40))
        return invalid[pick(s, 6)];
    return one_in(s, 300) ? extreme[pick(s, 6)] : 0.3 + 0.2 * splitmix_signed(&s->seed);
}

static scree_material_id any_material(struct sequence *s)
{
    return (scree_material_id){one_in(s, 30) ? UINT64_MAX - pick(s, 2) : one_in(s, 30) ? 0 : 1 + pick(s, 3)};
}

// --- calls

static scree_status add_rule(struct sequence *s)
{
    static const char *const laws[] = {
        "linear",
        "hertz",
        "hertz-mindlin",
        "plastic",
        "jkr",
        "none",
        "linear-cohesion",
        "user0",
        "user1",
        "lineer",
        "",
        NULL,
        "hertz-mindlin-secant",
        "hertz",
        "linear",
        "linear",
        "hertz-mindlin",
        "a name that is far longer than any name of a law can ever come to be"};
    static const char *const names[] = {"stiffness",
                                        "restitution",
                                        "friction",
                                        "rolling-friction",
                                        "rolling-damping",
                                        "damping",
                                        "twisting-friction",
                                        "cohesion",
                                        "dashpots",
                                        "work-of-adhesion",
                                        "stiffness-tangential",
                                        "tension",
                                        "coulomb-limit",
                                        "stifness",
                                        "",
                                        NULL};
    static const char *const words[] = {"normal", "both", "", "absolute", "cut"};
    struct scree_interaction_value values[8];
    struct scree_interaction_def def = {.law = laws[pick(s, 18)], .values = values, .count = pick(s, 8)};
    for (int side = 0; side < 2; ++side)
        def.between[side] = one_in(s, 3) ? (scree_material_id){0} : any_material(s);
    for (size_t v = 0; v < 8; ++v) {
        // the first three are required by laws
        const size_t name = v < 3 && !one_in(s, 10) ? v : pick(s, 16);
        const double size = name == 0 || name == 7 ? 1000 : 1;
        values[v] = (struct scree_interaction_value){names[name], size * positive(s),
                                                     one_in(s, 40) || name == 8 ? words[pick(s, 5)] : NULL};
    }
    if (def.law && strncmp(def.law, "hertz", 5) == 0 && def.count > 0 && !one_in(s, 4)) {
        def.values = values + 1;
        --def.count;
    }
    if (def.count == 0 || one_in(s, 60))
        def.values = NULL;
    return scree_interaction_count(s->world) > 20 ? SCREE_OK : scree_interaction_add(s->world, &def);
}

static scree_status change_rules(struct sequence *s)
{
    static const char *const names[] = {"young", "poisson", "density", "wetness"};
    const size_t name = pick(s, 4);
    if (one_in(s, 5))
        return scree_interaction_clear(s->world);
    return scree_material_set(s->world, any_material(s), names[name],
                              name == 0   ? 1000 * positive(s)
                              : name == 2 ? 30 * positive(s)
                                          : positive(s));
}

static scree_status add_law(struct sequence *s)
{
    static scree_kernel *const loops[SCREE_KERNEL_SETS][SCREE_KERNEL_EXTRAS][SCREE_KERNEL_LOOPS] =
        SCREE_KERNEL_TABLE;
    static const char *const names[] = {"user0", "user1", "linear", "none", "", "User", NULL, "user0"};
    static const char *const paths[] = {NULL, "", "law.so", "./no.so", "/", "/dev/null", "/etc/passwd"};
    static const char *const properties[][4] = {{"wetness", NULL},
                                                {"young", "poisson", NULL},
                                                {"wetness", "name", NULL},
                                                {"Bad", NULL},
                                                {"glow", "id"}};
    static const struct scree_law_parameter repeated_parameter[] = {
        {"a", "", 0, 1, false, 0, "A.", NULL}, {"a", "", 0, 1, false, 0, "A.", NULL}, {0}};
    static const struct scree_law_parameter parameter_without_bound[] = {
        {"a", "", (double)NAN, 1, false, 0, "A.", NULL}, {0}};
    static const struct scree_law_value vector_after_scalar[] = {
        {"n", "", 1, "A number."}, {"v", "", 3, "A vector."}, {0}};
    if (one_in(s, 3))
        return scree_law_load(s->world, paths[pick(s, 7)]);
    if (s->laws == LAWS)
        return SCREE_OK;
    struct scree_contact_law *law = &s->law[s->laws++];
    *law = spring_law;
    memcpy(law->kernel, loops, sizeof loops);
    law->name = names[pick(s, 8)];
    law->dimensions = 12;
    law->properties = one_in(s, 2) ? properties[pick(s, 5)] : NULL;
    if (one_in(s, 2))
        return scree_law_register(s->world, law);
    switch (pick(s, 8)) {
    case 0:
        law->version += 1;
        break;
    case 1:
        law->kernel[0][1][2] = NULL;
        break;
    case 2:
        law->parameters = one_in(s, 2) ? repeated_parameter : parameter_without_bound;
        break;
    case 3:
        law->values = one_in(s, 2) ? vector_after_scalar : NULL;
        break;
    case 4:
        law->dimensions = (unsigned)pick(s, 20);
        break;
    case 5:
        law->about = one_in(s, 2) ? "" : NULL;
        break;
    case 6:
        law->parameters = NULL;
        break;
    default:
        law->prepare = NULL;
    }
    return scree_law_register(s->world, law);
}

static scree_status set_cell(struct sequence *s)
{
    struct scree_cell_def def;
    double position[3];
    if (one_in(s, 2))
        return scree_cell_unwrapped_position(s->world, any_body(s), position);
    for (int k = 0; k < 3; ++k) {
        def.lower[k] = one_in(s, 20) ? number(s) : -1.2;
        def.upper[k] = one_in(s, 20) ? number(s) : 1.2 + positive(s);
        def.periodic[k] = one_in(s, 3) && (k < 2 || !is_flat(s) || one_in(s, 20));
    }
    return scree_cell_set(s->world, &def);
}

static scree_status add_wall(struct sequence *s)
{
    const double z = is_flat(s) && !one_in(s, 20) ? 0 : 1;
    const int shape = (int)pick(s, one_in(s, 10) ? 10 : 8);
    double pivot[3];
    scree_wall_id id;
    struct scree_wall_def def = {
        .shape = (enum scree_wall_shape)shape,
        .material = any_material(s),
        .plane = {{number(s), -0.5, 0}, {number(s), 1, 0}},
        .rectangle = {{number(s), number(s), -z / 2},
                      {{positive(s), 0, 0}, {0, z > 0 ? positive(s) : 0, 1 - z}}},
        .disk = {{number(s), 0, 0},
                 {number(s), 1, number(s) * z},
                 positive(s),
                 one_in(s, 2) ? positive(s) / 2 : 0},
        .box = {{-positive(s), -positive(s), -z},
                {positive(s), 1, z},
                {0},
                (enum scree_wall_side)(1 + pick(s, 2))},
        .cylinder = {{number(s), number(s), 0}, {number(s), number(s), number(s) * z}, positive(s)},
        .cone = {{number(s), number(s), 0},
                 {number(s), number(s), number(s) * z},
                 {positive(s), positive(s)}},
        .sphere = {{number(s), number(s), 0}, positive(s), (enum scree_wall_side)(1 + pick(s, 2))}};
    fill_with_numbers(s, def.velocity, 3);
    fill_spin(s, def.spin);
    fill_with_numbers(s, pivot, 3);
    def.pivot = one_in(s, 2) ? pivot : NULL;
    return scree_wall_count(s->world) > 8 ? SCREE_OK : scree_wall_add(s->world, &def, &id);
}

static scree_status change_wall(struct sequence *s)
{
    struct scree_wall_state state;
    double v[3], moment[3];
    const scree_wall_id id = {one_in(s, 20) ? UINT64_MAX : pick(s, 12)};
    switch (pick(s, 6)) {
    case 0:
        return scree_wall_remove(s->world, id);
    case 1:
        fill_with_numbers(s, v, 3);
        return scree_wall_set_velocity(s->world, id, v);
    case 2:
        fill_spin(s, v);
        return scree_wall_set_spin(s->world, id, v);
    case 3:
        return scree_wall_get(s->world, id, &state);
    default:
        return scree_wall_load(s->world, id, one_in(s, 3) ? NULL : v, one_in(s, 3) ? NULL : moment);
    }
}

static scree_status add_body(struct sequence *s)
{
    scree_body_id id;
    const unsigned fixed = one_in(s, 5) ? (unsigned)pick(s, one_in(s, 20) ? 1000 : 64) : 0;
    struct scree_sphere_def ball = {.radius = positive(s), .material = any_material(s), .fixed = fixed};
    fill_with_numbers(s, ball.position, 3);
    fill_with_numbers(s, ball.velocity, 3);
    fill_spin(s, ball.spin);
    struct scree_disk_def disk = {.radius = ball.radius,
                                  .thickness = positive(s),
                                  .material = ball.material,
                                  .position = {ball.position[0], ball.position[1]},
                                  .velocity = {ball.velocity[0], ball.velocity[1]},
                                  .spin = ball.spin[2],
                                  .fixed = fixed};
    const struct scree_rigid_def rigid = {.mass = one_in(s, 5) ? 0 : positive(s),
                                          .polar = is_flat(s) ? positive(s) : 0,
                                          .inertia = {!is_flat(s), !is_flat(s), positive(s) * !is_flat(s)}};
    if (scree_body_count(s->world) >= MAX_BODIES)
        return SCREE_OK;
    if (one_in(s, 15))
        return scree_body_add_rigid(s->world, &rigid, &id);
    if (is_flat(s) != one_in(s, 30))
        return scree_body_add_disk(s->world, &disk, &id);
    return scree_body_add_sphere(s->world, &ball, &id);
}

static scree_status change_body(struct sequence *s)
{
    struct scree_body_state other;
    double v[3];
    const scree_body_id id = any_body(s);
    switch (pick(s, 7)) {
    case 0:
        return scree_body_remove(s->world, id);
    case 1:
        fill_with_numbers(s, v, 3);
        return scree_body_set_position(s->world, id, v);
    case 2:
        // coincident centres
        SCREE_TRY(scree_body_get(s->world, any_body(s), &other));
        return scree_body_set_position(s->world, id, other.position);
    case 3:
        fill_with_numbers(s, v, 3);
        return scree_body_set_velocity(s->world, id, v);
    case 4:
        fill_spin(s, v);
        return scree_body_set_spin(s->world, id, v);
    case 5:
        return scree_body_fix(s->world, id, (unsigned)pick(s, 66));
    default:
        fill_with_numbers(s, v, 3);
        return scree_body_add_force(s->world, id, v, NULL);
    }
}

static scree_status query_contacts(struct sequence *s)
{
    static struct scree_contact list[64];
    struct scree_view view;
    size_t count = 0;
    switch (pick(s, 4)) {
    case 0:
        return scree_contact_publish(s->world);
    case 1:
        SCREE_TRY(scree_field_view(s->world, one_in(s, 2) ? "contact.force" : "contact.low", &view));
        assert_true(view.count == 0 || view.base);
        return SCREE_OK;
    default:
        SCREE_TRY(scree_contact_list(s->world, list, pick(s, 65), &count));
        assert_int_equal(count, scree_contact_count(s->world));
        return SCREE_OK;
    }
}

static scree_status query_energies(struct sequence *s)
{
    struct scree_energy energy;
    struct scree_momentum momentum;
    return one_in(s, 3) ? scree_energy_momentum(s->world, &momentum) : scree_energy_get(s->world, &energy);
}

static scree_status load_function(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 2; ++k)
            batch->force[i][k] -= batch->mass[i] * (batch->position[i][k] + 0.1 * batch->velocity[i][k]);
    return SCREE_OK;
}

static scree_status failing_load_function(void *user, const struct scree_load_batch *batch)
{
    (void)user, (void)batch;
    return SCREE_ERROR_IO;
}

static scree_status change_world(struct sequence *s)
{
    double v[3];
    scree_load_id load = {pick(s, 6)};
    struct scree_load_def def = {.body = one_in(s, 2) ? any_body(s) : (scree_body_id){0},
                                 .function = one_in(s, 10)  ? failing_load_function
                                             : one_in(s, 2) ? load_function
                                                            : NULL};
    switch (pick(s, 5)) {
    case 0:
        fill_with_numbers(s, v, 3);
        return scree_world_set_gravity(s->world, v);
    case 1:
        // more bodies than slot numbers allow, or more than any memory
        return scree_world_reserve(s->world, one_in(s, 2) ? SIZE_MAX >> pick(s, 33) : pick(s, 100));
    case 2:
        return scree_load_remove(s->world, load);
    case 3: {
        uint64_t keys[MAX_BODIES];
        for (int k = 0; k < MAX_BODIES; ++k)
            keys[k] = pick(s, 20);
        return scree_world_sort(s->world, keys, scree_body_count(s->world));
    }
    default:
        if (!def.function)
            fill_with_numbers(s, def.force, 3);
        return scree_load_add(s->world, &def, &load);
    }
}

static void on_alarm(void *user, const struct scree_alarm *alarm)
{
    const struct sequence *s = (const struct sequence *)user;
    size_t count;
    assert_true(strlen(alarm->text) > 20 && scree_alarm_name(alarm->kind));
    // a call from the callback must succeed or be refused
    (void)!scree_contact_list(s->world, NULL, 0, &count);
}

static scree_callback make_call_in_step;

static scree_status create_engine(struct sequence *s)
{
    struct scree_engine *created;
    struct scree_soft_def def = {.step = one_in(s, 3)    ? 0
                                         : one_in(s, 20) ? number(s)
                                                         : 2e-3,
                                 .safety = one_in(s, 10) ? positive(s) : 0,
                                 .translation = scree_motion_name(SCREE_TRANSLATION, pick(s, 8)),
                                 .rotation = one_in(s, 4) ? "buss" : NULL,
                                 .damping = {one_in(s, 3) ? positive(s) : 0, one_in(s, 3) ? positive(s) : 0},
                                 .threads = one_in(s, 20) ? (int)(uint32_t)splitmix_next(&s->seed)
                                                          : 1 + (int)pick(s, 3),
                                 .alarms = {.function = one_in(s, 2) ? on_alarm : NULL, .user = s}};
    for (int a = 0; a < SCREE_ALARM_KINDS; ++a)
        def.alarms.policy[a] = (enum scree_alarm_policy)pick(s, one_in(s, 40) ? 7 : 4);
    double *const limits[] = {&def.alarms.overlap, &def.alarms.displacement, &def.alarms.energy};
    for (int l = 0; l < 3; ++l)
        *limits[l] = one_in(s, 2) ? 0 : 3 * positive(s);
    const scree_status status = scree_soft_create(s->world, &def, &created);
    s->engine = status == SCREE_OK ? created : s->engine;
    return status;
}

static scree_status change_engine(struct sequence *s)
{
    scree_callback_id id = {pick(s, 10)};
    if (!s->engine || s->depth > 0)
        return create_engine(s);
    switch (pick(s, 5)) {
    case 0:
        scree_engine_destroy(s->engine);
        s->engine = NULL;
        return SCREE_OK;
    case 1:
        return scree_engine_set_step(s->engine, one_in(s, 2) ? 0 : one_in(s, 10) ? number(s) : 2e-3);
    case 2:
        return scree_engine_remove_callback(s->engine, id);
    default:
        return scree_engine_set_callback(s->engine, (int)pick(s, 104) - 2, make_call_in_step, s, &id);
    }
}

// Brings the contact lists up to date before it can refuse a step, so it changes the world even then.
static scree_status predict_step(struct sequence *s)
{
    double step;
    return s->engine ? scree_engine_step(s->engine, &step) : SCREE_OK;
}

static scree_status run(struct sequence *s)
{
    return s->engine ? scree_engine_run(s->engine, pick(s, 6)) : SCREE_OK;
}

static const struct kind calls[] = {
    {add_rule, 7, false},       {change_rules, 2, false}, {add_law, 2, false},
    {set_cell, 2, false},       {add_wall, 4, false},     {change_wall, 4, false},
    {add_body, 12, false},      {change_body, 8, false},  {query_contacts, 6, false},
    {query_energies, 3, false}, {change_world, 3, false}, {change_engine, 5, false},
    {predict_step, 1, true},    {run, 14, true},
};

// State that a refused call must not change: the digest, and values that are not in it.
struct state_summary {
    size_t rules, walls, bodies, contacts, fields;
    struct scree_cell_def cell;
    struct scree_digest digest;
};

static struct state_summary summarise(const struct sequence *s)
{
    struct state_summary summary;
    memset(&summary, 0, sizeof summary);
    summary.rules = scree_interaction_count(s->world);
    summary.walls = scree_wall_count(s->world);
    summary.bodies = scree_body_count(s->world);
    summary.contacts = scree_contact_count(s->world);
    summary.fields = scree_field_count(s->world);
    scree_cell_get(s->world, &summary.cell);
    summary.digest = scree_test_digest(s->world);
    return summary;
}

static void make_call(struct sequence *s)
{
    const struct state_summary before = summarise(s);
    size_t c;
    const scree_status status = make_random_call(s, calls, sizeof calls / sizeof calls[0], &c);
    if (status != SCREE_OK) {
        if (strlen(scree_status_message()) <= 10)
            fail_msg("a call of kind %zu failed with status '%s' and message '%s'", c,
                     scree_status_name(status), scree_status_message());
        char message[200];
        snprintf(message, sizeof message, "%s", scree_status_message());
        const struct state_summary after = summarise(s);
        if (!calls[c].advances && memcmp(&before, &after, sizeof before) != 0)
            fail_msg("a call of kind %zu was refused (%s) and changed the world", c, message);
    }
    // after an overflow the world need not be valid
    if (scree_world_validate(s->world) != SCREE_OK) {
        if (!s->overflowed && !calls[c].advances && s->depth == 0)
            fail_msg("after a call of kind %zu: %s", c, scree_status_message());
        s->overflowed = true;
    }
}

struct outcome {
    uint64_t trace, contacts;
    bool overflowed;
    struct scree_digest digest;
};

static void add_materials(struct scree_world *world)
{
    static const char *const names[] = {"one", "two", "three"};
    for (int n = 0; n < 3; ++n) {
        scree_material_id id;
        assert_ok(scree_material_add(world, &(struct scree_material_def){names[n], 20}, &id));
        assert_ok(scree_material_set(world, id, "young", 1000));
        assert_ok(scree_material_set(world, id, "poisson", 0.3));
    }
}

static struct outcome run_sequence(uint64_t seed)
{
    const size_t live = scree_memory_live();
    struct sequence s = {.seed = seed};
    const struct scree_world_def def = {.dimension = one_in(&s, 3) ? 2 : 3, .gravity = {0, -1}};
    assert_ok(scree_world_create(&def, &s.world));
    add_materials(s.world);
    // without this rule most pairs would have none, and no world could run
    const struct scree_interaction_value values[] = {
        {"stiffness", 100, NULL}, {"restitution", 0.5, NULL}, {"friction", 0.5, NULL}};
    if (!one_in(&s, 5))
        assert_ok(scree_interaction_add(
            s.world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    for (int n = 0; n < CALLS; ++n)
        make_call(&s);
    const struct outcome outcome = {s.trace, scree_contact_count(s.world), s.overflowed,
                                    scree_test_digest(s.world)};
    scree_engine_destroy(s.engine);
    scree_world_destroy(s.world);
    assert_int_equal(scree_memory_live(), live);
    return outcome;
}

static void random_sequences_with_contacts_keep_worlds_valid_and_are_reproducible(void **state)
{
    (void)state;
    const char *rounds_requested = getenv("SCREE_FUZZ_ROUNDS"), *from = getenv("SCREE_FUZZ_FROM");
    const uint64_t rounds = rounds_requested ? strtoull(rounds_requested, NULL, 10) : ROUNDS;
    uint64_t sequences = 0, overflowed = 0, contacts = 0;
    for (uint64_t seed = from ? strtoull(from, NULL, 10) : 1; sequences * CALLS <= rounds;
         ++seed, ++sequences) {
        const struct outcome first = run_sequence(seed), second = run_sequence(seed);
        if (first.trace != second.trace || !scree_test_digests_equal(first.digest, second.digest))
            fail_msg("sequence %llu has another result when it is repeated", (unsigned long long)seed);
        overflowed += first.overflowed;
        contacts += first.contacts;
    }
    // most sequences end with bodies in contact
    assert_true(2 * overflowed < sequences && contacts > 5 * sequences);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences_with_contacts_keep_worlds_valid_and_are_reproducible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
