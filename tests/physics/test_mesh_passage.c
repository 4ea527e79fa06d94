// Nothing passes a mesh silently: small fast grains on thin plates, and meshes that sweep through grains, are
// stopped by contacts, or an alarm ends the run before a centre is beyond the plate, and names the body, the
// wall and the facet where it has touched.

#include "support/trial.h"
#include "support/worlds.h"

#include <scree/scree.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 6, GRAINS = SIDE * SIDE };
static const double radius = 1e-3, step = 1e-6;

// A closed plate in the plane z = 0 from -thickness to 0.
static struct scree_wall_def plate_of(double thickness, double (*vertex)[3])
{
    static const uint32_t facet[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 7, 5}, {4, 6, 7}, {0, 5, 1}, {0, 4, 5},
                                          {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    for (int v = 0; v < 8; ++v) {
        vertex[v][0] = v & 1 ? 0.05 : -0.05;
        vertex[v][1] = v & 2 ? 0.05 : -0.05;
        vertex[v][2] = v & 4 ? -thickness : 0;
    }
    return (struct scree_wall_def){
        .shape = SCREE_WALL_MESH,
        .mesh = {.vertex = (const double(*)[3])vertex, .vertices = 8, .facet = facet, .facets = 12}};
}

struct outcome {
    size_t beyond; // centres beyond the front of the plate at the end
    bool alarm;
    char text[1200];
};

static void store_alarm(void *user, const struct scree_alarm *alarm)
{
    struct outcome *outcome = (struct outcome *)user;
    outcome->alarm = true;
    snprintf(outcome->text, sizeof outcome->text, "%s", alarm->text);
}

// Grains and a plate move towards each other; `stiffness` in N/m.
static struct outcome collide(double thickness, double grain_speed, double plate_speed, double stiffness)
{
    const struct scree_interaction_value values[] = {
        {"stiffness", stiffness, NULL}, {"restitution", 0.5, NULL}, {"friction", 0.3, NULL}};
    static struct outcome outcome;
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body[GRAINS];
    double vertex[8][3];
    struct scree_wall_def plate = plate_of(thickness, vertex);
    outcome = (struct outcome){.beyond = 0};
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 2500}, &material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    plate.material = material;
    plate.velocity[2] = plate_speed;
    assert_ok(scree_wall_add(world, &plate, &wall));
    for (int g = 0; g < GRAINS; ++g)
        assert_ok(scree_body_add_sphere(
            world,
            &(struct scree_sphere_def){.radius = radius,
                                       .position = {0.011 * (g % SIDE) - 0.0271, 0.011 * (g / SIDE) - 0.0269,
                                                    (3.3 + 0.17 * g) * radius},
                                       .velocity = {0, 0, -grain_speed},
                                       .material = material},
            &body[g]));
    const struct scree_soft_def def = {
        .step = step, .threads = 1, .alarms = {.function = store_alarm, .user = &outcome}};
    assert_ok(scree_soft_create(world, &def, &engine));
    const double way = 12 * radius, speed = grain_speed + plate_speed;
    const scree_status status = scree_engine_run(engine, (uint64_t)(way / speed / step) + 1);
    assert_true(status == SCREE_OK || (status == SCREE_ERROR_NUMBER && outcome.alarm));
    const double front = plate_speed * scree_world_time(world);
    for (int g = 0; g < GRAINS; ++g) {
        struct scree_body_state state;
        assert_ok(scree_body_get(world, body[g], &state));
        outcome.beyond += state.position[2] < front;
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return outcome;
}

// Displacements per step of 0.001 to 10 radii, of the grains or of the plate, which is 0.05 to 2 radii thick.
// The largest overlap of an impact is v sqrt(m / k); contacts that are stiff enough stop the grains within
// 0.2 radii up to 0.03 radii per step, softer ones do not.
static void nothing_passes_a_plate_without_an_alarm(void **state)
{
    (void)state;
    static const double displacements[] = {1e-3, 1e-2, 0.03, 0.1, 0.3, 0.45, 0.6, 1.5, 4, 10},
                        thicknesses[] = {0.05, 0.5, 2};
    size_t stopped = 0, alarms = 0;
    for (size_t d = 0; d < sizeof displacements / sizeof displacements[0]; ++d)
        for (size_t t = 0; t < sizeof thicknesses / sizeof thicknesses[0]; ++t)
            for (int of_plate = 0; of_plate < 2; ++of_plate)
                for (int soft = 0; soft < 2; ++soft) {
                    const double speed = displacements[d] * radius / step;
                    const struct outcome outcome = collide(thicknesses[t] * radius, of_plate ? 0 : speed,
                                                           of_plate ? speed : 0, soft ? 1e5 : 1e6);
                    if (outcome.beyond > 0 && !outcome.alarm)
                        fail_msg("%zu grains are beyond the plate without an alarm: displacement %g, "
                                 "thickness %g radii",
                                 outcome.beyond, displacements[d], thicknesses[t]);
                    // an overlap is reported in the step in which it arises, a displacement before
                    if (displacements[d] < 0.5)
                        assert_int_equal(outcome.beyond, 0);
                    stopped += !outcome.alarm;
                    alarms += outcome.alarm;
                }
    // otherwise one of the two has not been tested
    assert_true(stopped >= 12 && alarms >= 24);
}

static void alarms_name_body_wall_and_facet(void **state)
{
    (void)state;
    // a grain overlaps by more than 0.2 radii; a plate approaches one by 0.6 radii in a step
    struct outcome outcome = collide(0.1 * radius, 0.1 * radius / step, 0, 1e3);
    assert_true(outcome.alarm);
    assert_non_null(strstr(outcome.text, "body "));
    assert_non_null(strstr(outcome.text, "wall 1"));
    assert_non_null(strstr(outcome.text, ", facet "));
    outcome = collide(0.1 * radius, 0, 0.6 * radius / step, 1e6);
    assert_true(outcome.alarm);
    assert_non_null(strstr(outcome.text, "body "));
    assert_non_null(strstr(outcome.text, "wall 1, facet "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_a_plate_without_an_alarm),
        cmocka_unit_test(alarms_name_body_wall_and_facet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
