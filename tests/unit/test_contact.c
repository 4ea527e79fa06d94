// Contacts as listed by the API, and the loads of walls. Reference: the closed form of one contact, and the
// force and moment on each body, which are the sums over its contacts.

#include "base/memory.h"
#include "support/bed.h"
#include "support/trial.h"
#include "world/wall.h"
#include "world/world.h"

#include <stdio.h>

enum { MAX_CONTACTS = 512 };

static const struct scree_bed spheres = {
    .law = "hertz-mindlin",
    .values = {{"friction", 0.3, NULL}, {"restitution", 0.6, NULL}, {"rolling-friction", 0.1, NULL}},
    .overlapping = true,
    .plate = true,
    .step = 1e-5};

static const struct scree_bed disks = {.dimension = 2,
                                       .law = "linear",
                                       .values = {{"friction", 0.3, NULL},
                                                  {"restitution", 0.6, NULL},
                                                  {"stiffness", 1e6, NULL},
                                                  {"rolling-friction", 0.1, NULL}},
                                       .overlapping = true,
                                       .plate = true,
                                       .step = 1e-5};

static size_t list(struct scree_world *world, struct scree_contact *contact)
{
    size_t count;
    assert_ok(scree_contact_list(world, contact, MAX_CONTACTS, &count));
    assert_in_range(count, 0, MAX_CONTACTS);
    assert_int_equal(scree_contact_count(world), count);
    return count;
}

// Builds and runs a bed. A run of zero steps evaluates forces and advances no history.
static struct scree_world *run_bed(const struct scree_bed *bed, uint64_t steps, struct scree_engine **engine)
{
    struct scree_world *world;
    scree_bed_build(bed, &world);
    scree_bed_engine(bed, world, engine);
    assert_ok(scree_engine_run(*engine, steps));
    return world;
}

static bool near(double a, double b, double size)
{
    return fabs(a - b) <= 1e-14 * size;
}

// Two spheres of radii R and 2R of one material, overlapping by d: F = 4/3 E* sqrt(R*) d^{3/2} with R* = 2/3
// R and E* = E / (2 (1 - nu^2)), which stores 2/5 F d; the point lies in the middle of the overlap.
static void a_listed_contact_equals_its_closed_form(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    scree_body_id id;
    scree_material_id material;
    struct scree_contact contact[2];
    size_t count;
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, &material));
    assert_ok(scree_material_set(world, material, "young", 1e6));
    assert_ok(scree_material_set(world, material, "poisson", 0.25));
    const struct scree_interaction_value value = {"restitution", 1, NULL};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hertz", .values = &value, .count = 1}));
    const struct scree_sphere_def large = {.radius = 0.2, .material = material, .position = {0.296, 0, 0}};
    const struct scree_sphere_def small = {.radius = 0.1, .material = material};
    assert_ok(scree_body_add_sphere(world, &large, &id));
    assert_ok(scree_body_add_sphere(world, &small, &id));
    assert_int_equal(scree_contact_count(world), 0);
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5}, &engine));
    assert_ok(scree_engine_run(engine, 0));
    assert_ok(scree_contact_list(world, contact, 2, &count));
    assert_int_equal(count, 1);
    const struct scree_contact *c = contact;
    const double d = 0.2 + 0.1 - 0.296, e = 1e6 / (2 * (1 - 0.0625));
    const double force = 4.0 / 3 * e * sqrt(0.2 / 3 * d) * d;
    assert_true(c->body[0].value == 1 && c->body[1].value == 2 && c->wall.value == 0 && c->feature == 0);
    assert_string_equal(c->law, "hertz");
    // d is a difference of numbers 75 times as large
    assert_true(fabs(c->overlap - d) < 1e-15 && near(c->force[0], force, 1e3 * force));
    assert_true(near(c->stored, 0.4 * force * d, 1e3 * force * d));
    assert_true(c->normal[0] == 1 && c->normal[1] == 0 && c->normal[2] == 0);
    assert_true(fabs(c->point[0] - 0.098) < 1e-15 && c->point[1] == 0 && c->force[1] == 0);
    assert_true(c->couple[0] == 0 && c->couple[1] == 0 && c->couple[2] == 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Adds a force at a point, and a couple, to a total force and a total moment about the origin.
static void add_wrench(double *sum, double sign, const double *point, const double *force,
                       const double *couple)
{
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        sum[k] += sign * force[k];
        sum[3 + k] += sign * (point[i] * force[j] - point[j] * force[i] + couple[k]);
    }
}

// The force and moment of every body equal the sums over its listed contacts, with arms from the centre to
// the point. No history has advanced, so both belong to one state.
static void check_forces(const struct scree_bed *bed)
{
    struct scree_engine *engine;
    struct scree_world *world = run_bed(bed, 0, &engine);
    static struct scree_contact contact[MAX_CONTACTS];
    const size_t count = list(world, contact);
    assert_true(count > scree_world_bodies(world) / 2);
    for (uint64_t id = 1; id <= scree_world_bodies(world); ++id) {
        struct scree_body_state body;
        double sum[6] = {0}, size = 0;
        assert_ok(scree_body_get(world, (scree_body_id){id}, &body));
        for (size_t c = 0; c < count; ++c) {
            const bool high = contact[c].body[1].value == id;
            if (contact[c].body[0].value != id && !high)
                continue;
            double arm[3];
            for (int k = 0; k < 3; ++k) {
                arm[k] = contact[c].point[k] - body.position[k];
                // the point is near the first side, and the period is 0.5 m
                if (bed->periodic && k == 0)
                    arm[k] -= 0.5 * floor(arm[k] / 0.5 + 0.5);
                size = fmax(size, fabs(contact[c].force[k]));
            }
            add_wrench(sum, high ? -1 : 1, arm, contact[c].force, contact[c].couple);
        }
        // each of at most 20 terms is rounded to a quantum of at most 2^-44 of the largest force
        const double rounded = 20 * 0x1p-45 * size;
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(sum[k] - body.force[k]) <= rounded);
            assert_true(fabs(sum[3 + k] - body.moment[k]) <= rounded * body.radius);
        }
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void the_force_on_every_body_is_the_sum_over_its_contacts(void **state)
{
    (void)state;
    struct scree_bed bed = spheres;
    check_forces(&bed);
    bed.periodic = true;
    check_forces(&bed);
    bed.fixed = true;
    check_forces(&bed);
    struct scree_bed flat = disks;
    check_forces(&flat);
    flat.periodic = true;
    check_forces(&flat);
    const struct scree_bed sticky = {
        .law = "jkr",
        .values = {{"friction", 0.3, NULL}, {"restitution", 0.9, NULL}, {"work-of-adhesion", 100, NULL}},
        .overlapping = true,
        .step = 1e-5};
    check_forces(&sticky);
}

// Without dashpots, a contact force is a function of its history, also while it slips: the list after a step
// shows the forces of the step.
static void the_list_shows_the_forces_of_the_last_step(void **state)
{
    (void)state;
    struct scree_bed bed = spheres;
    bed.values[1].number = 1;
    struct scree_engine *engine;
    struct scree_world *world = run_bed(&bed, 300, &engine);
    static struct scree_contact contact[MAX_CONTACTS];
    const size_t count = list(world, contact);
    double sum[64][6] = {{0}}, size = 0;
    static const double none[3];
    for (size_t c = 0; c < count; ++c) {
        add_wrench(sum[contact[c].body[0].value - 1], 1, none, contact[c].force, none);
        if (contact[c].body[1].value)
            add_wrench(sum[contact[c].body[1].value - 1], -1, none, contact[c].force, none);
        for (int k = 0; k < 3; ++k)
            size = fmax(size, fabs(contact[c].force[k]));
    }
    assert_true(count > 20);
    for (uint64_t id = 1; id <= 64; ++id) {
        struct scree_body_state body;
        assert_ok(scree_body_get(world, (scree_body_id){id}, &body));
        for (int k = 0; k < 3; ++k)
            assert_true(near(sum[id - 1][k], body.force[k], 1000 * size));
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Within a step, on-step velocities are predicted with the force of the previous step; after the step they
// are known. The difference is c h / 2m times the change of the force. The predicted half-kick is stored with
// 24 bits, and the force is rounded to a quantum of at most 2^-50 of the force that an impact at four times
// the speed would need in a step.
static void the_list_shows_dashpot_forces_with_the_final_on_step_velocities(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, h = 2e-5, k = 1e5, restitution = 0.5;
    struct scree_trial trial =
        scree_trial_read(SCREE_TRIAL_SCENE,
                         "scree: 1\nmaterials: {g: {density: 2500}}\nengine: {soft: {step: 20 us}}\n"
                         "contacts: [{between: [any, any], law: linear, stiffness: 100 kN/m, friction: 0.3, "
                         "restitution: 0.5}]\n"
                         "bodies: [{sphere: {radius: 1 cm, at: [0, 0, 0.0101], velocity: [0, 0, -1], "
                         "material: g}}]\n"
                         "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: g}}]\n"
                         "run: {steps: 1}\n");
    assert_ok(scree_trial_build(&trial));
    struct scree_body_state body;
    double before = 0, largest = 0, load[3], moment[3];
    for (int s = 0; s < 60; ++s) {
        assert_ok(scree_engine_run(trial.engine, 1));
        assert_ok(scree_body_get(trial.world, (scree_body_id){1}, &body));
        assert_ok(scree_wall_load(trial.world, (scree_wall_id){1}, load, moment));
        // in the first step of the contact the force on the body has weights (scree/onset.h)
        const bool first = before == 0;
        if (first)
            before = body.force[2];
        if (first || body.force[2] == 0 || load[2] == 0)
            continue;
        const double logarithm = log(restitution),
                     damping_ratio = -logarithm / sqrt(pi * pi + logarithm * logarithm);
        const double dashpot = 2 * damping_ratio * sqrt(body.mass * k);
        const double slope = dashpot * 0.5 * h / body.mass, change = slope * (body.force[2] - before);
        const double rounded = 0x1p-50 * 2 * 4 * body.mass * 1 / h;
        assert_true(fabs(-load[2] - (body.force[2] - change)) <=
                    0x1p-24 * slope * fabs(before) + rounded + 1e-12);
        largest = fmax(largest, fabs(change));
        before = body.force[2];
    }
    assert_true(largest > 1e-3); // far above the tolerance
    scree_trial_free(&trial);
}

static void contacts_are_listed_by_first_side_then_bodies_then_walls(void **state)
{
    (void)state;
    struct scree_engine *engine;
    struct scree_world *world = run_bed(&spheres, 10, &engine);
    static struct scree_contact contact[MAX_CONTACTS], other[MAX_CONTACTS];
    size_t count = list(world, contact), walls = 0, all;
    for (size_t c = 0; c < count; ++c) {
        const struct scree_contact *now = &contact[c];
        walls += now->wall.value != 0;
        assert_true((now->wall.value == 0) == (now->body[1].value != 0));
        assert_true(now->body[1].value == 0 || now->body[0].value < now->body[1].value);
        if (c == 0)
            continue;
        const struct scree_contact *before = &contact[c - 1];
        if (before->body[0].value != now->body[0].value)
            assert_true(before->body[0].value < now->body[0].value);
        else if (now->wall.value == 0)
            assert_true(before->wall.value == 0 && before->body[1].value < now->body[1].value);
        else
            assert_true(before->wall.value < now->wall.value ||
                        (before->wall.value == now->wall.value && before->feature < now->feature));
    }
    // 16 grains touch the floor, others the side walls and the plate
    assert_true(walls > 40 && count - walls > 50);
    memset(other, 0x5a, sizeof other);
    assert_ok(scree_contact_list(world, other, 7, &all));
    assert_int_equal(all, count);
    assert_memory_equal(other, contact, 7 * sizeof *other);
    assert_int_equal(((const unsigned char *)&other[7])[0], 0x5a);
    assert_ok(scree_contact_list(world, NULL, 0, &all));
    assert_int_equal(all, count);
    // the list does not depend on the order of bodies in memory
    uint64_t keys[64], seed = 5;
    for (int k = 0; k < 64; ++k)
        keys[k] = splitmix_next(&seed);
    assert_ok(scree_world_sort(world, keys, 64));
    assert_int_equal(list(world, other), count);
    assert_memory_equal(other, contact, count * sizeof *other);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static const void *value(struct scree_world *world, const char *name, size_t row, size_t count)
{
    struct scree_view view;
    assert_ok(scree_field_view(world, name, &view));
    assert_int_equal(view.count, count);
    return (const char *)view.base + row * view.stride;
}

// The history of a listed contact, found by its key among the rows of its law.
static double history_of_row(struct scree_world *world, size_t row, size_t count, const char *name)
{
    static const char *const key_fields[] = {"low", "high", "feature", "kind"};
    struct scree_view view;
    assert_ok(scree_field_view(world, name, &view));
    assert_int_equal(view.count, count);
    for (size_t r = 0; r < view.count; ++r) {
        bool same = true;
        for (size_t p = 0; p < 4; ++p) {
            char field[2][64];
            snprintf(field[0], sizeof field[0], "contact.%s", key_fields[p]);
            snprintf(field[1], sizeof field[1], "%.*s.%s", (int)strcspn(name, "."), name, key_fields[p]);
            const size_t size = p < 2 ? 8 : p == 2 ? 4 : 2;
            same = same &&
                   memcmp(value(world, field[0], row, count), value(world, field[1], r, count), size) == 0;
        }
        if (same)
            return ((const double *)view.base)[r];
    }
    fail_msg("row %zu has no history", row);
    return 0;
}

static void assert_row_equals(struct scree_world *world, size_t row, size_t count,
                              const struct scree_contact *contact)
{
    const bool wall = contact->wall.value != 0;
    const uint64_t high = wall ? contact->wall.value : contact->body[1].value;
    static const char *const names[] = {"contact.point", "contact.normal", "contact.force", "contact.couple"};
    const double *const vectors[] = {contact->point, contact->normal, contact->force, contact->couple};
    assert_true(*(const uint64_t *)value(world, "contact.low", row, count) == contact->body[0].value);
    assert_true(*(const uint64_t *)value(world, "contact.high", row, count) == high);
    assert_true(*(const uint16_t *)value(world, "contact.kind", row, count) == wall);
    assert_true(*(const uint32_t *)value(world, "contact.feature", row, count) == contact->feature);
    assert_string_equal((const char *)value(world, "contact.law", row, count), "hertz-mindlin");
    assert_true(*(const double *)value(world, "contact.overlap", row, count) == contact->overlap);
    assert_true(*(const double *)value(world, "contact.stored", row, count) == contact->stored);
    for (size_t v = 0; v < 4; ++v)
        assert_memory_equal(value(world, names[v], row, count), vectors[v], sizeof contact->point);
}

static void published_contacts_are_rows_but_not_state(void **state)
{
    (void)state;
    struct scree_engine *engine;
    struct scree_world *world = run_bed(&spheres, 10, &engine);
    static struct scree_contact contact[MAX_CONTACTS];
    const struct scree_digest digest = scree_test_digest(world);
    size_t count = list(world, contact);
    struct scree_view view;
    assert_ok(scree_field_view(world, "contact.force", &view));
    assert_int_equal(view.count, 0);
    assert_ok(scree_contact_publish(world));
    for (size_t c = 0; c < count; ++c) {
        assert_row_equals(world, c, count, &contact[c]);
        // the fourth value of this law is the contact radius: a^2 = R* d
        const double radius =
            history_of_row(world, c, count, "resisted_contact_hertz_mindlin.contact_radius");
        struct scree_body_state body[2];
        assert_ok(scree_body_get(world, contact[c].body[0], &body[0]));
        double size = body[0].radius;
        if (contact[c].wall.value == 0) {
            assert_ok(scree_body_get(world, contact[c].body[1], &body[1]));
            size = size * body[1].radius / (size + body[1].radius);
        }
        assert_true(fabs(radius * radius / (size * contact[c].overlap) - 1) < 1e-9);
    }
    assert_true(scree_test_digests_equal(digest, scree_test_digest(world)));
    assert_ok(scree_world_validate(world));
    // rows after bodies are removed, then after the laws are removed
    for (uint64_t id = 1; id <= 60; ++id)
        assert_ok(scree_body_remove(world, (scree_body_id){id}));
    assert_int_equal(*(const uint64_t *)value(world, "contact.low", 0, count), 1);
    assert_ok(scree_contact_publish(world));
    count = list(world, contact);
    assert_true(count > 0 && contact[0].body[0].value > 60);
    assert_true(*(const uint64_t *)value(world, "contact.low", 0, count) == contact[0].body[0].value);
    assert_ok(scree_world_validate(world));
    assert_ok(scree_interaction_clear(world));
    assert_ok(scree_contact_publish(world));
    assert_ok(scree_field_view(world, "contact.low", &view));
    assert_int_equal(view.count, 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Contacts are the only forces, so the total force on bodies and walls is zero, and so is the total moment.
static void the_loads_of_walls_balance_the_forces_on_bodies(void **state)
{
    (void)state;
    struct scree_engine *engine;
    for (int dimension = 3; dimension > 1; --dimension) {
        struct scree_world *world = run_bed(dimension == 3 ? &spheres : &disks, 0, &engine);
        double sum[6] = {0}, size = 0, force[2][3], moment[2][3];
        for (uint64_t id = 1; id <= scree_world_bodies(world); ++id) {
            struct scree_body_state body;
            assert_ok(scree_body_get(world, (scree_body_id){id}, &body));
            add_wrench(sum, 1, body.position, body.force, body.moment);
            for (int k = 0; k < 3; ++k)
                size = fmax(size, fabs(body.force[k]));
        }
        for (uint64_t id = 1; id <= scree_wall_count(world); ++id) {
            struct scree_wall_state wall;
            assert_ok(scree_wall_get(world, (scree_wall_id){id}, &wall));
            assert_ok(scree_wall_load(world, (scree_wall_id){id}, force[id - 1], moment[id - 1]));
            assert_true(fabs(force[id - 1][1]) > 0);
            add_wrench(sum, 1, wall.pivot, force[id - 1], moment[id - 1]);
        }
        // a thousand terms, each at most the largest contact force; coordinates are below 1 m
        for (int k = 0; k < 6; ++k)
            assert_true(near(sum[k], 0, 1000 * size));
        assert_ok(scree_contact_publish(world));
        for (uint64_t id = 1; id <= 2; ++id) {
            const struct scree_wall *row = scree_wall_row(world, id - 1);
            assert_memory_equal(row->force, force[id - 1], sizeof row->force);
            assert_memory_equal(row->moment, moment[id - 1], sizeof row->moment);
        }
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

// The first live contact with a history.
static double *first_history(const struct scree_contacts *contacts, bool wall, size_t *candidate)
{
    const size_t count = wall ? contacts->walls.count : contacts->candidates;
    const size_t stride = wall ? contacts->walls.stride : contacts->stride;
    double *history = wall ? contacts->walls.history : contacts->history;
    for (size_t c = 0; c < count; ++c)
        if ((wall ? contacts->walls.live[c] != 0 : scree_contacts_is_live(contacts, c)) &&
            history[c * stride] != 0) {
            *candidate = c;
            return &history[c * stride];
        }
    fail_msg("no contact has a history");
    return NULL;
}

static void contact_histories_are_state(void **state)
{
    (void)state;
    struct scree_engine *engine;
    struct scree_world *world = run_bed(&spheres, 50, &engine);
    const struct scree_digest digest = scree_test_digest(world);
    struct scree_contacts *contacts = &world->contacts;
    for (int wall = 0; wall < 2; ++wall) {
        size_t candidate = 0;
        double *history_value = first_history(contacts, wall, &candidate), original = *history_value;
        *history_value = nextafter(original, 1);
        assert_false(scree_test_digests_equal(digest, scree_test_digest(world)));
        *history_value = original;
        assert_true(scree_test_digests_equal(digest, scree_test_digest(world)));
        // the ids of a contact are state too
        uint64_t *side =
            &contacts->id[wall ? contacts->walls.pair[candidate].low : contacts->pair[candidate].low];
        const uint64_t id = *side;
        *side = id == 64 ? 63 : 64;
        assert_false(scree_test_digests_equal(digest, scree_test_digest(world)));
        *side = id;
    }
    assert_true(scree_test_digests_equal(digest, scree_test_digest(world)));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// The second run sorts bodies at random every 10 steps, which also changes the candidate lists.
static void the_digest_does_not_depend_on_the_order_of_bodies_in_memory(void **state)
{
    (void)state;
    struct scree_engine *engine;
    struct scree_world *world = run_bed(&spheres, 100, &engine);
    const struct scree_digest digest = scree_test_digest(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    struct scree_world *other;
    uint64_t keys[64], seed = 9;
    scree_bed_build(&spheres, &other);
    scree_bed_engine(&spheres, other, &engine);
    for (int run = 0; run < 10; ++run) {
        for (int k = 0; k < 64; ++k)
            keys[k] = splitmix_next(&seed);
        assert_ok(scree_world_sort(other, keys, 64));
        assert_ok(scree_engine_run(engine, 10));
    }
    assert_true(scree_test_digests_equal(digest, scree_test_digest(other)));
    scree_engine_destroy(engine);
    scree_world_destroy(other);
}

struct statuses {
    scree_status count[2];
};

static scree_status list_contacts(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    struct statuses *statuses = (struct statuses *)user;
    size_t count = 77;
    double force[3];
    statuses->count[0] = scree_contact_list(world, NULL, 0, &count);
    statuses->count[1] = scree_wall_load(world, (scree_wall_id){1}, force, NULL);
    if (statuses->count[0] == SCREE_OK) {
        assert_true(count > 50 && scree_contact_count(world) == count);
        assert_ok(scree_contact_publish(world));
    } else {
        assert_true(count == 0 && scree_contact_count(world) == 0);
        assert_refused(SCREE_ERROR_STATE, "60", scree_contact_publish(world));
    }
    return SCREE_OK;
}

static void contacts_can_be_listed_when_forces_are_known(void **state)
{
    (void)state;
    static const struct {
        int point;
        bool known;
    } cases[] = {{0, true}, {10, false}, {30, false}, {59, false}, {60, true}, {99, true}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        struct scree_engine *engine;
        struct statuses statuses;
        struct scree_world *world = run_bed(&spheres, 5, &engine);
        assert_ok(scree_engine_set_callback(engine, cases[c].point, list_contacts, &statuses, NULL));
        assert_ok(scree_engine_run(engine, 2));
        for (int k = 0; k < 2; ++k)
            assert_int_equal(statuses.count[k], cases[c].known ? SCREE_OK : SCREE_ERROR_STATE);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

static void a_world_without_contacts_lists_none(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_contact contact;
    size_t count = 5;
    assert_int_equal(scree_contact_count(world), 0);
    assert_ok(scree_contact_list(world, &contact, 1, &count));
    assert_int_equal(count, 0);
    assert_ok(scree_contact_publish(world));
    (void)scree_test_sphere(world);
    assert_ok(scree_contact_publish(world));
    assert_int_equal(scree_contact_count(world), 0);
    assert_refused(SCREE_ERROR_MISSING, "wall", scree_wall_load(world, (scree_wall_id){1}, NULL, NULL));
    scree_world_destroy(world);
}

static void a_failed_allocation_keeps_the_published_list(void **state)
{
    (void)state;
    struct scree_engine *engine;
    struct scree_world *world = run_bed(&spheres, 10, &engine);
    struct scree_contact contact[4];
    struct scree_view view;
    size_t count;
    int failures = 0;
    for (uint64_t nth = 1;; ++nth) {
        scree_memory_fail_at(nth);
        const scree_status status = scree_contact_publish(world);
        scree_memory_fail_at(0);
        if (status == SCREE_OK)
            break;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_ok(scree_field_view(world, "contact.low", &view));
        assert_int_equal(view.count, 0);
        assert_ok(scree_world_validate(world));
        ++failures;
    }
    assert_true(failures > 8);
    assert_ok(scree_field_view(world, "contact.low", &view));
    assert_int_equal(view.count, scree_contact_count(world));
    const size_t live = scree_memory_live();
    for (uint64_t nth = 1;; ++nth) {
        scree_memory_fail_at(nth);
        const scree_status status = scree_contact_list(world, contact, 4, &count);
        scree_memory_fail_at(0);
        assert_int_equal(scree_memory_live(), live);
        if (status == SCREE_OK)
            break;
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_int_equal(count, 0);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listed_contact_equals_its_closed_form),
        cmocka_unit_test(the_force_on_every_body_is_the_sum_over_its_contacts),
        cmocka_unit_test(the_list_shows_the_forces_of_the_last_step),
        cmocka_unit_test(the_list_shows_dashpot_forces_with_the_final_on_step_velocities),
        cmocka_unit_test(contacts_are_listed_by_first_side_then_bodies_then_walls),
        cmocka_unit_test(published_contacts_are_rows_but_not_state),
        cmocka_unit_test(the_loads_of_walls_balance_the_forces_on_bodies),
        cmocka_unit_test(contact_histories_are_state),
        cmocka_unit_test(the_digest_does_not_depend_on_the_order_of_bodies_in_memory),
        cmocka_unit_test(contacts_can_be_listed_when_forces_are_known),
        cmocka_unit_test(a_world_without_contacts_lists_none),
        cmocka_unit_test(a_failed_allocation_keeps_the_published_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
