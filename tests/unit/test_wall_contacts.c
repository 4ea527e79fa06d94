// Contacts with walls (contact/wall_frames.h, contact/wall_lists.h): eight grains at a time give the same as
// one, lists contain every grain near any of many walls, and no data are read of a wall that a grain has
// left.
//
// References: frames of single grains after docs/theory/walls.md, all pairs of a grain and a wall, and runs
// with overwritten memory.

#include "contact/wall_frames.h"
#include "determinism/touching.h"
#include "shape/surface.h"
#include "support/wall_velocities.h"
#include "support/worlds.h"
#include "world/wall.h"

static struct scree_soft *soft_of(struct scree_engine *engine)
{
    return (struct scree_soft *)engine->self;
}

// The contact frame of one grain, written from docs/theory/walls.md.
static struct scree_kernel_wall evaluate_one(const struct scree_wall *wall, unsigned feature,
                                             const struct scree_grain *grain, double h)
{
    struct scree_kernel_wall frame = {.spin = {wall->spin[0], wall->spin[1], wall->spin[2]}};
    struct scree_surface_touch touch, half_touch;
    const struct scree_vec3 centre = scree_vec3_load(grain->position), spin = scree_vec3_load(wall->spin);
    scree_surface_touch(wall, feature, grain->position, &touch);
    frame.gap = touch.gap;
    memcpy(frame.normal, touch.normal, sizeof frame.normal);
    const struct scree_vec3 relative =
        scree_vec3_sub(scree_vec3_load(grain->velocity), scree_wall_velocity(wall, centre));
    double half_position[3];
    scree_vec3_store(scree_vec3_add_scaled(centre, -0.5 * h, relative), half_position);
    scree_surface_touch(wall, feature, half_position, &half_touch);
    frame.half_gap = half_touch.gap;
    const struct scree_vec3 normal = scree_vec3_load(half_touch.normal);
    wall_velocities(wall, h, scree_vec3_load(touch.point),
                    scree_vec3_add_scaled(scree_vec3_load(half_position), -half_touch.gap, normal), &frame);
    const struct scree_vec3 rotated = scree_vec3_add_scaled(normal, -0.5 * h, scree_vec3_cross(spin, normal));
    scree_vec3_store(scree_vec3_scale(rotated, 1 / sqrt(scree_vec3_dot(rotated, rotated))),
                     frame.half_normal);
    return frame;
}

enum { LISTED = 16 };

static void check_feature(const struct scree_world *world, const struct scree_wall *wall, unsigned feature,
                          size_t first)
{
    const struct scree_grain *grain = scree_world_grains(world);
    const double h = 1e-2, range = 0.01;
    struct scree_kernel_wall frame[LISTED] __attribute__((aligned(64)));
    uint32_t slot[LISTED], record[LISTED];
    uint8_t bits[LISTED / 8];
    for (uint32_t n = 0; n < LISTED; ++n) {
        slot[n] = (uint32_t)first + n * 7 % LISTED;
        record[n] = LISTED - 1 - n;
    }
    const struct scree_wall_frames_job job = {wall, feature, grain, slot, LISTED};
    scree_wall_frames_filter(&job, range, bits);
    scree_wall_frames_make(&job, h, frame, record);
    for (uint32_t n = 0; n < LISTED; ++n) {
        const struct scree_kernel_wall expected = evaluate_one(wall, feature, &grain[slot[n]], h);
        assert_memory_equal(&expected, &frame[record[n]], sizeof expected);
        assert_int_equal(bits[n / 8] >> (n % 8) & 1,
                         expected.gap < (grain[slot[n]].radius + range) * (1 + 1e-12));
    }
}

static void eight_grains_at_a_time_equal_single_grains(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        const struct touching scene = {.dimension = dimension, .bodies = 400, .walls = true};
        struct scree_world *world;
        assert_ok(touching_build(&scene, &world));
        // some grains are on an axis, at a centre or on a surface
        struct scree_grain *grain = scree_world_grains(world);
        memcpy(grain[0].position, (const double[3]){0}, sizeof grain[0].position);
        for (size_t w = 0; w < scree_wall_rows(world); ++w)
            memcpy(grain[w + 1].position, scree_wall_row(world, w)->reference, sizeof grain->position);
        for (int set = 0; set <= scree_processor_best(); ++set) {
            scree_processor_choose(set);
            for (size_t w = 0; w < scree_wall_rows(world); ++w)
                for (unsigned f = 0; f < scree_surface_features(scree_wall_row(world, w)); ++f)
                    for (size_t first = 0; first + LISTED <= scene.bodies; first += LISTED)
                        check_feature(world, scree_wall_row(world, w), f, first);
        }
        scree_processor_choose(-1);
        scree_world_destroy(world);
    }
}

// Plates that form a wavy floor: some are near many grains, and most grains are near none.
static void add_floor_of_plates(struct scree_world *world)
{
    for (int i = 0; i < 20; ++i)
        for (int k = 0; k < 20; ++k) {
            const double x = -1 + 0.1 * i, y = -1 + 0.1 * k, z = 0.8 * sin(3 * x) * cos(2 * y);
            const struct scree_wall_def def = {.shape = SCREE_WALL_RECTANGLE,
                                               .material = {1 + (uint64_t)(i + k) % TOUCHING_MATERIALS},
                                               .rectangle = {{x, y, z}, {{0.09, 0, 0.02}, {0, 0.08, 0}}},
                                               .velocity = {0, 0, 0.1 * k}};
            scree_wall_id id;
            assert_ok(scree_wall_add(world, &def, &id));
        }
}

static bool is_listed(const struct scree_wall_contacts *walls, size_t slot, size_t wall, uint32_t feature)
{
    const size_t tile = slot / SCREE_CONTACTS_TILE;
    for (size_t k = walls->first[tile]; k < walls->first[tile + 1]; ++k)
        if (walls->pair[k].low == slot && walls->pair[k].high == wall && walls->feature[k] == feature)
            return true;
    return false;
}

static uint64_t wall_key(const struct scree_wall_contacts *walls, size_t contact)
{
    return (uint64_t)walls->pair[contact].high << 32 | walls->feature[contact];
}

// Contacts are in ascending order of grain, then wall; each tile also has an order by wall, then grain, of
// all its contacts.
static void check_lists(const struct scree_contacts *contacts)
{
    const struct scree_wall_contacts *walls = &contacts->walls;
    for (size_t k = 1; k < walls->count; ++k)
        assert_true(
            walls->pair[k - 1].low < walls->pair[k].low ||
            (walls->pair[k - 1].low == walls->pair[k].low && wall_key(walls, k - 1) < wall_key(walls, k)));
    for (size_t t = 0; t < contacts->tiles; ++t) {
        const size_t first = walls->first[t], count = walls->first[t + 1] - first;
        for (size_t n = 0; n < count; ++n) {
            const uint32_t contact = walls->order[first + n];
            assert_true(contact < count && walls->pair[first + contact].low / SCREE_CONTACTS_TILE == t);
            if (n == 0)
                continue;
            const uint32_t previous = walls->order[first + n - 1];
            const uint64_t key = wall_key(walls, first + contact),
                           previous_key = wall_key(walls, first + previous);
            assert_true(previous_key < key || (previous_key == key && previous < contact));
        }
    }
}

static size_t check_all(const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    size_t close_pairs = 0;
    check_lists(contacts);
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        for (size_t w = 0; w < scree_wall_rows(world); ++w) {
            const struct scree_wall *wall = scree_wall_row(world, w);
            const struct scree_grain *grain = &scree_world_grains(world)[i];
            // materials 2 and 2 do not touch
            if (grain->material == 2 && wall->material == 2)
                continue;
            for (uint32_t f = 0; f < scree_surface_features(wall); ++f) {
                if (!scree_surface_within(wall, f, grain->position, grain->radius))
                    continue;
                ++close_pairs;
                assert_true(is_listed(&contacts->walls, i, w, f));
            }
        }
    return close_pairs;
}

static void every_grain_near_one_of_many_walls_is_listed(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; ++periodic) {
        const struct touching scene = {.bodies = 2500, .walls = true, .periodic = periodic};
        const struct touching_variant variant = {.threads = 3};
        struct scree_world *world;
        struct scree_engine *engine;
        size_t close_pairs = 0;
        assert_ok(touching_build(&scene, &world));
        add_floor_of_plates(world);
        assert_ok(touching_engine(&scene, &variant, world, &engine));
        for (int n = 0; n < 4; ++n) {
            assert_ok(scree_engine_run(engine, 5));
            close_pairs += check_all(world);
        }
        // otherwise the test would check nothing
        assert_true(close_pairs > 1000);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

// Memory for contact records is overwritten in each step or not read, so NaN stored in it before a step must
// not change the result. With a large skin, grains approach walls and leave them.
static struct scree_digest run_with_overwritten_memory(const struct touching *scene, bool overwrite)
{
    const struct touching_variant variant = {.threads = 1, .skin = 0.5};
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_digest digest;
    assert_ok(touching_build(scene, &world));
    assert_ok(touching_engine(scene, &variant, world, &engine));
    for (int n = 0; n < 150; ++n) {
        struct scree_collider_scratch *scratch = &soft_of(engine)->collider.scratch[0];
        // bytes of all ones are NaN
        if (overwrite && scratch->wall)
            memset(scratch->wall, 255, scratch->wall_capacity * sizeof *scratch->wall);
        if (overwrite && scratch->wall_terms)
            memset(scratch->wall_terms, 255, scratch->wall_terms_capacity * sizeof(double));
        assert_ok(scree_engine_run(engine, 1));
    }
    assert_ok(scree_world_digest(world, &digest));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return digest;
}

static void no_data_are_read_of_a_wall_that_a_grain_has_left(void **state)
{
    (void)state;
    const struct touching scenes[] = {
        {.bodies = 200, .walls = true, .resists = true, .insert_delete = true},
        {.bodies = 200, .walls = true, .law = "hertz-mindlin"},
        {.dimension = 2, .bodies = 200, .walls = true, .law = "linear"},
    };
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; ++s) {
        const struct scree_digest expected = run_with_overwritten_memory(&scenes[s], false),
                                  overwritten = run_with_overwritten_memory(&scenes[s], true);
        assert_memory_equal(&expected, &overwritten, sizeof expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_grains_at_a_time_equal_single_grains),
        cmocka_unit_test(every_grain_near_one_of_many_walls_is_listed),
        cmocka_unit_test(no_data_are_read_of_a_wall_that_a_grain_has_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
