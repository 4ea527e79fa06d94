// No contact is missed: in many kinds of worlds the engine finds all contacts, whatever moves, is added,
// removed or placed elsewhere, and for any skin.
//
// The reference tests all pairs of bodies, with its own distances, and all pairs of a body and a wall face.
// Also, searches are not more frequent and do not use more memory than necessary.

#include "determinism/touching.h"
#include "shape/surface.h"
#include "support/worlds.h"
#include "world/wall.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORLDS = 200, RUNS = 5, MOST = 400, MOST_CONTACTS = 20000 };

struct crowd {
    struct touching scene;
    struct scree_world *world;
    struct scree_engine *engine;
    uint64_t seed, compared;
    size_t seen;
    double period[3];
    size_t bodies;
    uint64_t id[MOST];
    struct scree_body_state body[MOST];
    struct scree_contact contact[MOST_CONTACTS];
    size_t contacts;
};

static struct crowd crowd;

static double pick(double low, double high)
{
    return low + (high - low) * 0.5 * (1 + splitmix_signed(&crowd.seed));
}

static bool one_in(uint64_t count)
{
    return splitmix_next(&crowd.seed) % count == 0;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void copy_bodies(void)
{
    struct scree_view view;
    assert_ok(scree_field_view(crowd.world, "body.id", &view));
    crowd.bodies = view.count;
    assert_true(view.count <= MOST);
    for (size_t i = 0; i < view.count; ++i)
        crowd.id[i] = ((const uint64_t *)view.base)[i];
    qsort(crowd.id, crowd.bodies, sizeof crowd.id[0], compare);
    for (size_t i = 0; i < crowd.bodies; ++i)
        assert_ok(scree_body_get(crowd.world, (scree_body_id){crowd.id[i]}, &crowd.body[i]));
    assert_ok(scree_contact_list(crowd.world, crowd.contact, MOST_CONTACTS, &crowd.contacts));
    assert_true(crowd.contacts <= MOST_CONTACTS);
}

// Materials 2 and 2 have the rule "none".
static bool may_touch(uint64_t a, uint64_t b)
{
    return a != 0 && b != 0 && (crowd.scene.law || a != 2 || b != 2);
}

static double overlap_of(const struct scree_body_state *a, const struct scree_body_state *b)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = fabs(a->position[k] - b->position[k]);
        d = crowd.period[k] > 0 && crowd.period[k] - d < d ? crowd.period[k] - d : d;
        square += d * d;
    }
    return a->radius + b->radius - sqrt(square);
}

// Contacts are listed in the order of the reference. Overlaps below rounding may be listed or not: positions
// are of order 1, and a few operations have errors of about 1e-16.
static void expect(size_t *next, uint64_t first, uint64_t second, uint64_t wall, unsigned feature,
                   double overlap)
{
    const double tolerance = 1e-13;
    const struct scree_contact *c = &crowd.contact[*next];
    const bool listed = *next < crowd.contacts && c->body[0].value == first && c->body[1].value == second &&
                        c->wall.value == wall && c->feature == feature;
    if (listed)
        ++*next;
    if (listed && fabs(c->overlap - overlap) > tolerance)
        fail_msg("%llu overlaps %llu or wall %llu by %g, not by %g", (unsigned long long)first,
                 (unsigned long long)second, (unsigned long long)wall, overlap, c->overlap);
    if (!listed && overlap > tolerance)
        fail_msg("at step %llu of '%s' %llu touches %llu or face %u of wall %llu by %g, and is not listed",
                 (unsigned long long)scree_world_steps(crowd.world), crowd.scene.name,
                 (unsigned long long)first, (unsigned long long)second, feature, (unsigned long long)wall,
                 overlap);
    crowd.seen += listed && overlap > tolerance;
}

static void check_walls(size_t *next, size_t i)
{
    const size_t walls = scree_wall_rows(crowd.world);
    const uint64_t *id = scree_entity_ids(scree_world_entity(crowd.world, SCREE_ENTITY_WALL));
    uint64_t order[64];
    assert_true(walls <= 64);
    for (size_t w = 0; w < walls; ++w)
        order[w] = id[w] << 8 | w;
    qsort(order, walls, sizeof order[0], compare);
    for (size_t w = 0; w < walls; ++w) {
        const struct scree_wall *wall = scree_wall_row(crowd.world, order[w] & 255);
        for (uint32_t f = 0; f < scree_surface_features(wall); ++f) {
            struct scree_surface_touch touch;
            scree_surface_touch(wall, f, crowd.body[i].position, &touch);
            if (crowd.body[i].radius > 0 && may_touch(crowd.body[i].material.value, wall->material))
                expect(next, crowd.id[i], 0, order[w] >> 8, f, crowd.body[i].radius - touch.gap);
        }
    }
}

static void check_all_pairs(void)
{
    size_t next = 0;
    copy_bodies();
    for (size_t i = 0; i < crowd.bodies; ++i) {
        const struct scree_body_state *a = &crowd.body[i];
        for (size_t j = i + 1; j < crowd.bodies; ++j) {
            const struct scree_body_state *b = &crowd.body[j];
            if (a->radius > 0 && b->radius > 0 && may_touch(a->material.value, b->material.value))
                expect(&next, crowd.id[i], crowd.id[j], 0, 0, overlap_of(a, b));
        }
        check_walls(&next, i);
    }
    // nothing else is listed
    assert_int_equal(next, crowd.contacts);
    ++crowd.compared;
}

static scree_status compare_contacts(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)world, (void)user;
    if (one_in(3))
        check_all_pairs();
    return SCREE_OK;
}

// Adds, moves and removes bodies, and moves and removes walls.
static void change_anything(void)
{
    const bool flat = touching_dimension(&crowd.scene) == 2;
    for (int n = 0; n < 6 && one_in(2); ++n) {
        const scree_body_id id = {1 + splitmix_next(&crowd.seed) % (crowd.scene.bodies + 20)};
        const double place[3] = {pick(-1.2, 1.2), pick(-1.2, 1.2), flat ? 0 : pick(-1.2, 1.2)};
        const double velocity[3] = {pick(-9, 9), pick(-9, 9), 0};
        if (one_in(3))
            assert_ok(touching_add(crowd.world, &crowd.scene, 5000 + splitmix_next(&crowd.seed) % 4000));
        if (!scree_body_exists(crowd.world, id))
            continue;
        if (one_in(4))
            assert_ok(scree_body_remove(crowd.world, id));
        else if (one_in(3))
            assert_ok(scree_body_set_velocity(crowd.world, id, velocity));
        else
            assert_ok(scree_body_set_position(crowd.world, id, place));
    }
    const scree_wall_id wall = {1 + splitmix_next(&crowd.seed) % 9};
    if (one_in(4) && scree_wall_exists(crowd.world, wall))
        assert_ok(scree_wall_set_velocity(crowd.world, wall, (const double[3]){pick(-4, 4), pick(-4, 4), 0}));
    if (one_in(6) && scree_wall_exists(crowd.world, wall))
        assert_ok(scree_wall_remove(crowd.world, wall));
}

static void set_cell(uint64_t number)
{
    const bool flat = touching_dimension(&crowd.scene) == 2;
    struct scree_cell_def cell = {.lower = {-1, -1.1, -1.05}, .upper = {1, 1, 1.1}};
    for (int k = 0; k < 3; ++k) {
        cell.periodic[k] = (number / 5 >> k & 1) && !(flat && k == 2);
        crowd.period[k] = cell.periodic[k] ? cell.upper[k] - cell.lower[k] : 0;
    }
    assert_ok(scree_cell_set(crowd.world, &cell));
}

static void make_world(uint64_t number)
{
    static const char *const laws[] = {"linear", NULL, "hertz-mindlin", "jkr"};
    static const double ratios[] = {1, 1.5, 4, 20, 50};
    crowd = (struct crowd){.seed = 31 * number + 7};
    crowd.scene = (struct touching){.name = "random",
                                    .dimension = number % 3 == 0 ? 2 : 3,
                                    .law = laws[number % 3 == 0 ? number / 3 % 2 : number % 4],
                                    // a cell of 2 m holds four of the largest radii and little more
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
    assert_ok(touching_build(&crowd.scene, &crowd.world));
    set_cell(number);
    assert_ok(touching_engine(&crowd.scene, &variant, crowd.world, &crowd.engine));
    // with a callback bodies do not advance early, without one they do
    if (number / 8 % 2)
        assert_ok(scree_engine_set_callback(crowd.engine, SCREE_POINT_RECORD, compare_contacts, NULL, NULL));
}

static void all_contacts_are_found_in_two_hundred_worlds(void **state)
{
    (void)state;
    size_t seen = 0;
    for (uint64_t number = 0; number < WORLDS; ++number) {
        make_world(number);
        for (int run = 0; run < RUNS; ++run) {
            assert_ok(scree_engine_run(crowd.engine, splitmix_next(&crowd.seed) % 14));
            check_all_pairs();
            change_anything();
        }
        // a run of zero steps is enough
        assert_ok(scree_engine_run(crowd.engine, 0));
        check_all_pairs();
        assert_true(crowd.compared > RUNS);
        seen += crowd.seen;
        scree_engine_destroy(crowd.engine);
        scree_world_destroy(crowd.world);
    }
    // without contacts the test would pass as well
    assert_true(seen > 1000 * WORLDS / 10);
}

// --- frequency and cost of searches

// A world for spheres of diameter 1 and density 1; under gravity without friction.
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
    const struct scree_interaction_def slippery = {
        .law = "hertz",
        .values = (struct scree_interaction_value[]){{"stiffness", 7e4, NULL}, {"damping", 100, NULL}},
        .count = 2};
    const struct scree_interaction_def def_with_friction = {
        .law = "hertz-mindlin", .values = values, .count = 6};
    assert_ok(scree_interaction_add(world, gravity[1] < 0 ? &slippery : &def_with_friction));
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

// Without friction the rotation of the drum does not move the grains. Its wall has a speed of 80 diameters
// per unit of time.
static void a_rotating_drum_needs_no_more_searches_than_one_at_rest(void **state)
{
    (void)state;
    const uint64_t at_rest = searches_in_a_drum(0);
    assert_true(at_rest > 1);
    assert_int_equal(searches_in_a_drum(20), at_rest);
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

// A cube of grains with six contacts each, large enough that lists use their own pages.
static void a_search_needs_at_most_600_bytes_a_grain(void **state)
{
    (void)state;
    enum { SIDE = 64, GRAINS = SIDE * SIDE * SIDE };
    const double nothing[3] = {0}, apart = 0.999;
    scree_material_id material;
    scree_body_id body;
    struct scree_engine *engine;
    const size_t before = largest_resident(true);
#ifdef UNDER_SANITIZER
    skip();
#endif
    if (before == 0)
        skip();
    struct scree_world *world = plain_world(nothing, &material);
    const struct scree_cell_def cell = {
        {0, 0, 0}, {SIDE * apart, SIDE * apart, 2 * SIDE}, {true, true, false}};
    assert_ok(scree_cell_set(world, &cell));
    assert_ok(scree_world_reserve(world, GRAINS));
    for (int n = 0; n < GRAINS; ++n) {
        const struct scree_sphere_def grain = {
            .radius = 0.5,
            .material = material,
            .position = {apart * (n % SIDE), apart * (n / SIDE % SIDE), apart * (n / SIDE / SIDE)}};
        assert_ok(scree_body_add_sphere(world, &grain, &body));
    }
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 5e-4}, &engine));
    // the second search carries the histories of the first
    for (int search = 0; search < 2; ++search) {
        world->contacts_stale = true;
        assert_ok(scree_engine_run(engine, 1));
    }
    const size_t most = largest_resident(false) - before;
    assert_true(scree_contact_count(world) > 2 * GRAINS);
    if (most > (size_t)600 * GRAINS)
        fail_msg("%g bytes a grain", (double)most / GRAINS);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// A distant body must not affect later searches after it was removed.
static void a_runaway_body_has_no_effect_after_its_removal(void **state)
{
    (void)state;
    static const double nothing[3] = {0, 0, 0};
    scree_material_id material;
    scree_body_id body, distant;
    struct scree_engine *engine;
    struct scree_world *world = plain_world(nothing, &material);
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

// Removes bodies without contacts just before the step is chosen from the existing lists.
static struct scree_digest digest_without_isolated_bodies(bool new_engine)
{
    static struct scree_contact contact[MOST_CONTACTS];
    const struct touching scene = {.bodies = 300, .law = "linear", .automatic = true};
    const struct touching_variant variant = {.sorting = -1};
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_digest digest;
    size_t count, removed = 0;
    assert_ok(touching_build(&scene, &world));
    assert_ok(touching_engine(&scene, &variant, world, &engine));
    assert_ok(scree_engine_run(engine, 64));
    assert_ok(scree_contact_list(world, contact, MOST_CONTACTS, &count));
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

// Class numbers belong to the engine that made the lists, or come from a file.
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
        assert_ok(scree_soft_set_step(engine, 0));
        assert_ok(scree_engine_run(engine, 1));
        assert_ok(scree_soft_step(engine, &step[damaged]));
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
        cmocka_unit_test(a_runaway_body_has_no_effect_after_its_removal),
        cmocka_unit_test(an_engine_does_not_use_the_lists_of_another),
        cmocka_unit_test(an_engine_does_not_use_the_classes_of_another),
        cmocka_unit_test(a_search_needs_at_most_600_bytes_a_grain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
