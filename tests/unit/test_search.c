// The neighbour search (contact/search.h) misses no contact: in 200 random worlds the engine finds all
// contacts, after any motion, insertion, removal and displacement, and for any skin.
//
// The reference tests all pairs of bodies with its own distances, and all pairs of a body and a wall face.
// Further tests bound the number of searches and their memory.

#include "determinism/touching.h"
#include "shape/surface.h"
#include "support/worlds.h"
#include "world/wall.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORLDS = 200, RUNS = 5, MAX_BODIES = 400, MAX_CONTACTS = 20000 };

struct setup {
    struct touching scene;
    struct scree_world *world;
    struct scree_engine *engine;
    uint64_t seed, comparisons; // comparisons of the list with all pairs
    size_t found;               // listed contacts in all comparisons
    double period[3];
    size_t bodies;
    uint64_t id[MAX_BODIES];
    struct scree_body_state body[MAX_BODIES];
    struct scree_contact contact[MAX_CONTACTS];
    size_t contacts;
};

static struct setup setup;

static double uniform(double low, double high)
{
    return low + (high - low) * 0.5 * (1 + splitmix_signed(&setup.seed));
}

static bool one_of(uint64_t count)
{
    return splitmix_next(&setup.seed) % count == 0;
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void copy_bodies(void)
{
    struct scree_view view;
    assert_ok(scree_field_view(setup.world, "body.id", &view));
    setup.bodies = view.count;
    assert_true(view.count <= MAX_BODIES);
    for (size_t i = 0; i < view.count; ++i)
        setup.id[i] = ((const uint64_t *)view.base)[i];
    qsort(setup.id, setup.bodies, sizeof setup.id[0], compare_ids);
    for (size_t i = 0; i < setup.bodies; ++i)
        assert_ok(scree_body_get(setup.world, (scree_body_id){setup.id[i]}, &setup.body[i]));
    assert_ok(scree_contact_list(setup.world, setup.contact, MAX_CONTACTS, &setup.contacts));
    assert_true(setup.contacts <= MAX_CONTACTS);
}

// Without `law` in the scene, two bodies of material 2 have the rule "none".
static bool may_touch(uint64_t a, uint64_t b)
{
    return a != 0 && b != 0 && (setup.scene.law || a != 2 || b != 2);
}

static double overlap_of(const struct scree_body_state *a, const struct scree_body_state *b)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = fabs(a->position[k] - b->position[k]);
        d = setup.period[k] > 0 && setup.period[k] - d < d ? setup.period[k] - d : d;
        square += d * d;
    }
    return a->radius + b->radius - sqrt(square);
}

// Compares the next listed contact with the reference, which has the same order. An overlap below 1e-13 may
// be listed or not: positions are of order 1, and a few operations have errors of about 1e-16.
static void check_contact(size_t *next, uint64_t first, uint64_t second, uint64_t wall, unsigned feature,
                          double overlap)
{
    const double tolerance = 1e-13;
    const struct scree_contact *contact = &setup.contact[*next];
    const bool listed = *next < setup.contacts && contact->body[0].value == first &&
                        contact->body[1].value == second && contact->wall.value == wall &&
                        contact->feature == feature;
    if (listed)
        ++*next;
    if (listed && fabs(contact->overlap - overlap) > tolerance)
        fail_msg("body %llu overlaps body %llu or wall %llu by %g, not by %g", (unsigned long long)first,
                 (unsigned long long)second, (unsigned long long)wall, overlap, contact->overlap);
    if (!listed && overlap > tolerance)
        fail_msg("at step %llu of '%s' body %llu overlaps body %llu or face %u of wall %llu by %g, unlisted",
                 (unsigned long long)scree_world_steps(setup.world), setup.scene.name,
                 (unsigned long long)first, (unsigned long long)second, feature, (unsigned long long)wall,
                 overlap);
    setup.found += listed && overlap > tolerance;
}

static void check_walls(size_t *next, size_t i)
{
    const size_t walls = scree_wall_rows(setup.world);
    const uint64_t *id = scree_entity_ids(scree_world_entity(setup.world, SCREE_ENTITY_WALL));
    uint64_t order[64];
    assert_true(walls <= 64);
    for (size_t w = 0; w < walls; ++w)
        order[w] = id[w] << 8 | w;
    qsort(order, walls, sizeof order[0], compare_ids);
    for (size_t w = 0; w < walls; ++w) {
        const struct scree_wall *wall = scree_wall_row(setup.world, order[w] & 255);
        for (uint32_t f = 0; f < scree_surface_features(wall); ++f) {
            struct scree_surface_touch touch;
            scree_surface_touch(wall, f, setup.body[i].position, &touch);
            if (setup.body[i].radius > 0 && may_touch(setup.body[i].material.value, wall->material))
                check_contact(next, setup.id[i], 0, order[w] >> 8, f, setup.body[i].radius - touch.gap);
        }
    }
}

static void check_all_pairs(void)
{
    size_t next = 0;
    copy_bodies();
    for (size_t i = 0; i < setup.bodies; ++i) {
        const struct scree_body_state *a = &setup.body[i];
        for (size_t j = i + 1; j < setup.bodies; ++j) {
            const struct scree_body_state *b = &setup.body[j];
            if (a->radius > 0 && b->radius > 0 && may_touch(a->material.value, b->material.value))
                check_contact(&next, setup.id[i], setup.id[j], 0, 0, overlap_of(a, b));
        }
        check_walls(&next, i);
    }
    // there are no other contacts in the list
    assert_int_equal(next, setup.contacts);
    ++setup.comparisons;
}

static scree_status compare_contacts(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)world, (void)user;
    if (one_of(3))
        check_all_pairs();
    return SCREE_OK;
}

// Adds, moves and removes bodies, and moves and removes walls.
static void change_bodies_and_walls(void)
{
    const bool flat = touching_dimension(&setup.scene) == 2;
    for (int n = 0; n < 6 && one_of(2); ++n) {
        const scree_body_id id = {1 + splitmix_next(&setup.seed) % (setup.scene.bodies + 20)};
        const double position[3] = {uniform(-1.2, 1.2), uniform(-1.2, 1.2), flat ? 0 : uniform(-1.2, 1.2)};
        const double velocity[3] = {uniform(-9, 9), uniform(-9, 9), 0};
        if (one_of(3))
            assert_ok(touching_add(setup.world, &setup.scene, 5000 + splitmix_next(&setup.seed) % 4000));
        if (!scree_body_exists(setup.world, id))
            continue;
        if (one_of(4))
            assert_ok(scree_body_remove(setup.world, id));
        else if (one_of(3))
            assert_ok(scree_body_set_velocity(setup.world, id, velocity));
        else
            assert_ok(scree_body_set_position(setup.world, id, position));
    }
    const scree_wall_id wall = {1 + splitmix_next(&setup.seed) % 9};
    if (one_of(4) && scree_wall_exists(setup.world, wall))
        assert_ok(
            scree_wall_set_velocity(setup.world, wall, (const double[3]){uniform(-4, 4), uniform(-4, 4), 0}));
    if (one_of(6) && scree_wall_exists(setup.world, wall))
        assert_ok(scree_wall_remove(setup.world, wall));
}

static void set_cell(uint64_t number)
{
    const bool flat = touching_dimension(&setup.scene) == 2;
    struct scree_cell_def cell = {.lower = {-1, -1.1, -1.05}, .upper = {1, 1, 1.1}};
    for (int k = 0; k < 3; ++k) {
        cell.periodic[k] = (number / 5 >> k & 1) && !(flat && k == 2);
        setup.period[k] = cell.periodic[k] ? cell.upper[k] - cell.lower[k] : 0;
    }
    assert_ok(scree_cell_set(setup.world, &cell));
}

static void make_world(uint64_t number)
{
    static const char *const laws[] = {"linear", NULL, "hertz-mindlin", "jkr"};
    static const double ratios[] = {1, 1.5, 4, 20, 50};
    setup = (struct setup){.seed = 31 * number + 7};
    setup.scene = (struct touching){.name = "random",
                                    .dimension = number % 3 == 0 ? 2 : 3,
                                    .law = laws[number % 3 == 0 ? number / 3 % 2 : number % 4],
                                    // so many bodies that the largest radius is below a quarter of the
                                    // cell of 2 m
                                    .bodies = (number / 2 % 5 == 2 ? 180 : 70) + (unsigned)(number % 7) * 15,
                                    .ratio = ratios[number / 2 % 5],
                                    .walls = number % 2,
                                    .insert_delete = number / 4 % 2,
                                    .rigid = number % 5 == 0,
                                    .fixed = number % 7 == 0,
                                    .loads = number % 11 == 0};
    const struct touching_variant variant = {.threads = 1 + (int)(number % 3),
                                             .skin = (const double[]){0, 0.02, 0.2, 0, 0.5}[number % 5],
                                             .sorting = (int)(number / 3 % 3) - 1};
    assert_ok(touching_build(&setup.scene, &setup.world));
    set_cell(number);
    assert_ok(touching_engine(&setup.scene, &variant, setup.world, &setup.engine));
    // with a callback, positions are not advanced ahead of the forces; without one they are
    if (number / 8 % 2)
        assert_ok(scree_engine_set_callback(setup.engine, SCREE_POINT_RECORD, compare_contacts, NULL, NULL));
}

static void all_contacts_are_found_in_two_hundred_worlds(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint64_t number = 0; number < WORLDS; ++number) {
        make_world(number);
        for (int run = 0; run < RUNS; ++run) {
            assert_ok(scree_engine_run(setup.engine, splitmix_next(&setup.seed) % 14));
            check_all_pairs();
            change_bodies_and_walls();
        }
        // a run of zero steps finds the contacts after the last change too
        assert_ok(scree_engine_run(setup.engine, 0));
        check_all_pairs();
        assert_true(setup.comparisons > RUNS);
        found += setup.found;
        scree_engine_destroy(setup.engine);
        scree_world_destroy(setup.world);
    }
    // at least 100 contacts per world, otherwise the test would check nothing
    assert_true(found > 100 * WORLDS);
}

// --- frequency and cost of searches

// A world for spheres of diameter 1 and density 1; with gravity there is no friction.
static struct scree_world *plain_world(const double gravity[3], scree_material_id *material)
{
    const struct scree_interaction_value values[] = {{"friction", 0.3, NULL},
                                                     {"stiffness", 7e4, NULL},
                                                     {"stiffness-tangential", 9e4, NULL},
                                                     {"damping-normal", 1000, NULL},
                                                     {"damping-tangential", 500, NULL},
                                                     {"coulomb-limit", 0, "absolute"}};
    struct scree_world *world;
    struct scree_world_def def = {0};
    memcpy(def.gravity, gravity, sizeof def.gravity);
    assert_ok(scree_world_create(&def, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"glass", 1}, material));
    const struct scree_interaction_def frictionless = {
        .law = "hertz",
        .values = (struct scree_interaction_value[]){{"stiffness", 7e4, NULL}, {"damping", 100, NULL}},
        .count = 2};
    const struct scree_interaction_def with_friction = {.law = "hertz-mindlin", .values = values, .count = 6};
    assert_ok(scree_interaction_add(world, gravity[1] < 0 ? &frictionless : &with_friction));
    return world;
}

static uint64_t searches_in_a_drum(double spin)
{
    const double down[3] = {0, -1, 0};
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    struct scree_engine *engine;
    struct scree_world *world = plain_world(down, &material);
    const struct scree_wall_def drum = {.shape = SCREE_WALL_CYLINDER,
                                        .material = material,
                                        .cylinder = {{0, 0, -9}, {0, 0, 9}, 4},
                                        .spin = {0, 0, spin}};
    assert_ok(scree_wall_add(world, &drum, &wall));
    for (int n = 0; n < 15; ++n) {
        const struct scree_sphere_def grain = {
            .radius = 0.5,
            .material = material,
            .position = {0.8 * (n % 5 - 2), 1.1 * (n / 5) - 2, 1.1 * (n - 7)}};
        assert_ok(scree_body_add_sphere(world, &grain, &body));
    }
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 5e-4}, &engine));
    assert_ok(scree_engine_run(engine, 12000));
    const uint64_t searches = ((const struct scree_soft *)engine->self)->collider.search.searches;
    assert_true(scree_contact_count(world) > 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return searches;
}

// Without friction the rotation of the drum does not move the grains, although its wall has a speed of 80
// diameters per unit of time.
static void a_rotating_drum_needs_no_more_searches_than_one_at_rest(void **state)
{
    (void)state;
    const uint64_t at_rest = searches_in_a_drum(0);
    assert_true(at_rest > 1);
    assert_int_equal(searches_in_a_drum(20), at_rest);
}

// A grain bounces between two walls 0.1 diameters farther apart than it is wide, while all others are at
// rest. The skin is at most 0.5 diameters, so by its speed alone a search would be needed after a path of
// 0.25. But the grain is never more than 0.1 and its overlap from where it was.
static void a_grain_that_rattles_in_place_needs_no_searches(void **state)
{
    (void)state;
    enum { GRAINS = 30, STEPS = 20000 };
    const double step = 5e-4, speed = 1;
    const struct scree_interaction_def elastic = {
        .law = "hertz",
        .values = (struct scree_interaction_value[]){{"stiffness", 7e4, NULL}, {"damping", 0, NULL}},
        .count = 2};
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    struct scree_engine *engine;
    struct scree_world *world;
    struct scree_body_state rattler;
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0}}, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"glass", 1}, &material));
    assert_ok(scree_interaction_add(world, &elastic));
    for (int side = 0; side < 2; ++side)
        assert_ok(scree_wall_add(world,
                                 &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                          .material = material,
                                                          .plane = {.point = {1.1 * side, 0, 0},
                                                                    .normal = {side == 0 ? 1 : -1, 0, 0}}},
                                 &wall));
    for (int n = 0; n < GRAINS; ++n) {
        const struct scree_sphere_def grain = {.radius = 0.5,
                                               .material = material,
                                               .position = {0.55, 2 * n, 0},
                                               .velocity = {n == 0 ? speed : 0, 0, 0}};
        assert_ok(scree_body_add_sphere(world, &grain, &body));
    }
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = step}, &engine));
    assert_ok(scree_engine_run(engine, STEPS));
    assert_ok(scree_body_get(world, (scree_body_id){1}, &rattler));
    // it touches a wall for a small part of the time, in which it is slower
    assert_true(fabs(rattler.velocity[0]) > 0.9 * speed || rattler.position[0] < 0.5 ||
                rattler.position[0] > 0.6);
    const uint64_t searches = ((const struct scree_soft *)engine->self)->collider.search.searches;
    assert_true(STEPS * step * speed / 0.25 >= 40 && searches <= 5);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Largest resident memory of the process in bytes since the last reset; 0 if the system does not report it.
static size_t largest_resident(bool reset)
{
    char line[256];
    unsigned long kilobytes = 0;
    FILE *file = reset ? fopen("/proc/self/clear_refs", "w") : NULL;
    if (reset && (!file || fputs("5", file) < 0 || fclose(file) != 0))
        return 0;
    file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %lu", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return (size_t)kilobytes << 10;
}

// A cube of grains with six contacts each, so large that its lists take whole pages of memory.
static void a_search_needs_at_most_600_bytes_per_grain(void **state)
{
    (void)state;
    enum { SIDE = 64, GRAINS = SIDE * SIDE * SIDE };
    const double no_gravity[3] = {0}, spacing = 0.999;
    scree_material_id material;
    scree_body_id body;
    struct scree_engine *engine;
    const size_t before = largest_resident(true);
#ifdef UNDER_SANITIZER
    skip();
#endif
    if (before == 0)
        skip();
    struct scree_world *world = plain_world(no_gravity, &material);
    const struct scree_cell_def cell = {
        {0, 0, 0}, {SIDE * spacing, SIDE * spacing, 2 * SIDE}, {true, true, false}};
    assert_ok(scree_cell_set(world, &cell));
    assert_ok(scree_world_reserve(world, GRAINS));
    for (int n = 0; n < GRAINS; ++n) {
        const struct scree_sphere_def grain = {
            .radius = 0.5,
            .material = material,
            .position = {spacing * (n % SIDE), spacing * (n / SIDE % SIDE), spacing * (n / SIDE / SIDE)}};
        assert_ok(scree_body_add_sphere(world, &grain, &body));
    }
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 5e-4}, &engine));
    // the second search carries the histories of the first
    for (int search = 0; search < 2; ++search) {
        world->contacts_stale = true;
        assert_ok(scree_engine_run(engine, 1));
    }
    const size_t memory = largest_resident(false) - before;
    assert_true(scree_contact_count(world) > 2 * GRAINS);
    if (memory > (size_t)600 * GRAINS)
        fail_msg("a grain needs %g bytes, not at most 600", (double)memory / GRAINS);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void a_removed_distant_body_does_not_affect_later_searches(void **state)
{
    (void)state;
    static const double no_gravity[3] = {0, 0, 0};
    scree_material_id material;
    scree_body_id body, distant;
    struct scree_engine *engine;
    struct scree_world *world = plain_world(no_gravity, &material);
    struct scree_sphere_def grain = {.radius = 0.5, .material = material, .position = {1, 1, 1}};
    assert_ok(scree_cell_set(world, &(struct scree_cell_def){{0, 0, 0}, {9, 9, 9}, {true, true, true}}));
    assert_ok(scree_body_add_sphere(world, &grain, &body));
    grain.position[0] = 5;
    grain.velocity[0] = 1e140;
    assert_ok(scree_body_add_sphere(world, &grain, &distant));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-6}, &engine));
    assert_refused(SCREE_ERROR_NUMBER, "number", scree_engine_run(engine, 5));
    assert_ok(scree_body_remove(world, distant));
    assert_ok(scree_engine_run(engine, 5));
    assert_ok(scree_world_validate(world));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static bool touches(const struct scree_contact *contact, size_t count, uint64_t id)
{
    bool found = false;
    for (size_t c = 0; c < count; ++c)
        found = found || contact[c].body[0].value == id || contact[c].body[1].value == id;
    return found;
}

// Bodies without contacts are removed just before the time step is chosen from the existing lists.
static struct scree_digest digest_without_isolated_bodies(bool new_engine)
{
    static struct scree_contact contact[MAX_CONTACTS];
    const struct touching scene = {.bodies = 300, .law = "linear", .automatic = true};
    const struct touching_variant variant = {.sorting = -1};
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_digest digest;
    size_t count, removed = 0;
    assert_ok(touching_build(&scene, &world));
    assert_ok(touching_engine(&scene, &variant, world, &engine));
    assert_ok(scree_engine_run(engine, 64));
    assert_ok(scree_contact_list(world, contact, MAX_CONTACTS, &count));
    for (uint64_t id = 1; id <= scene.bodies; ++id)
        if (!touches(contact, count, id)) {
            assert_ok(scree_body_remove(world, (scree_body_id){id}));
            ++removed;
        }
    assert_true(count > 50 && removed > 50);
    if (new_engine) {
        scree_engine_destroy(engine);
        assert_ok(touching_engine(&scene, &variant, world, &engine));
    }
    assert_ok(scree_engine_run(engine, 5));
    assert_ok(scree_world_digest(world, &digest));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return digest;
}

static void an_engine_does_not_use_the_lists_of_another(void **state)
{
    (void)state;
    assert_true(scree_test_digests_equal(digest_without_isolated_bodies(false),
                                         digest_without_isolated_bodies(true)));
}

// The class numbers in the lists belong to the engine that made them, or come from a file: a new engine
// must not use them.
static void an_engine_does_not_use_the_classes_of_another(void **state)
{
    (void)state;
    const struct touching scene = {.bodies = 300, .automatic = true};
    const struct touching_variant variant = {.sorting = -1};
    double step[2];
    for (int damaged = 0; damaged < 2; ++damaged) {
        struct scree_world *world;
        struct scree_engine *engine;
        assert_ok(touching_build(&scene, &world));
        assert_ok(touching_engine(&scene, &variant, world, &engine));
        assert_ok(scree_engine_run(engine, 64));
        scree_engine_destroy(engine);
        assert_non_null(world->contacts.class_of);
        if (damaged)
            memset(world->contacts.class_of, 0, world->contacts.candidates);
        assert_ok(touching_engine(&scene, &variant, world, &engine));
        assert_ok(scree_engine_set_step(engine, 0));
        assert_ok(scree_engine_run(engine, 1));
        assert_ok(scree_engine_step(engine, &step[damaged]));
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
    assert_true(step[0] == step[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_contacts_are_found_in_two_hundred_worlds),
        cmocka_unit_test(a_rotating_drum_needs_no_more_searches_than_one_at_rest),
        cmocka_unit_test(a_grain_that_rattles_in_place_needs_no_searches),
        cmocka_unit_test(a_removed_distant_body_does_not_affect_later_searches),
        cmocka_unit_test(an_engine_does_not_use_the_lists_of_another),
        cmocka_unit_test(an_engine_does_not_use_the_classes_of_another),
        cmocka_unit_test(a_search_needs_at_most_600_bytes_per_grain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
