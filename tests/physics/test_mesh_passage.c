// Nothing passes a mesh silently: small fast grains on thin plates, and meshes that sweep through grains, are
// stopped by contacts, or an alarm ends the run before a centre is beyond the plate, and names the body, the
// wall and the facet where it has touched. The automatic step keeps displacements below the limits of the
// alarm.

#include "support/polyhedra_on_facets.h"
#include "support/trial.h"

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

// --- limits of one body

// A grain or a cube over a plate, both of which move; `limit` of displacements, 0 for the default.
struct approach {
    double thickness; // of the plate, m; 0 for an open sheet
    double height, speed, spin, plate_speed, limit;
    bool cube;
};

// Runs `steps` of `step` s, which is chosen automatically if it is 0, and then returned; contacts are so soft
// that nothing else limits it.
static double run_one(const struct approach *approach, double h, uint64_t steps, struct outcome *outcome)
{
    static struct surface sheet;
    const struct scree_material_def m = {.name = "m", .density = 2500};
    const struct scree_interaction_value values[] = {
        {"stiffness", 1e-3, NULL}, {"restitution", 0.5, NULL}, {"friction", 0.3, NULL}};
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    uint64_t seed = 1;
    double vertex[8][3], chosen;
    struct scree_wall_def def = plate_of(approach->thickness, vertex);
    if (approach->thickness == 0) {
        sheet = (struct surface){0};
        add_face(&sheet, (const double[3]){-0.05, -0.05, 0}, (const double[3]){0.1, 0, 0},
                 (const double[3]){0, 0.1, 0}, 4, &seed);
        def = mesh_of(&sheet);
    }
    *outcome = (struct outcome){.beyond = 0};
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(scree_material_add(world, &m, &material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    def.material = material;
    def.velocity[2] = approach->plate_speed;
    assert_ok(scree_wall_add(world, &def, &wall));
    if (approach->cube) {
        struct scree_polyhedron_def cube = {.position = {0, 0, approach->height},
                                            .velocity = {0, 0, -approach->speed},
                                            .spin = {approach->spin, 0, 0},
                                            .material = material};
        assert_ok(scree_polyhedron_add_box(world, (const double[3]){2 * radius, 2 * radius, 2 * radius},
                                           0.05 * radius, &cube.shape));
        assert_ok(scree_polyhedron_add(world, &cube, &body));
    } else
        assert_ok(
            scree_body_add_sphere(world,
                                  &(struct scree_sphere_def){.radius = radius,
                                                             .position = {0.003, 0.001, approach->height},
                                                             .velocity = {0, 0, -approach->speed},
                                                             .material = material},
                                  &body));
    const struct scree_soft_def soft = {
        .step = h,
        .threads = 1,
        .alarms = {.function = store_alarm, .user = outcome, .displacement = approach->limit}};
    assert_ok(scree_soft_create(world, &soft, &engine));
    const scree_status status = scree_engine_run(engine, steps);
    assert_true(status == SCREE_OK || (status == SCREE_ERROR_NUMBER && outcome->alarm));
    assert_ok(scree_engine_step(engine, &chosen));
    struct scree_body_state state;
    assert_ok(scree_body_get(world, body, &state));
    outcome->beyond = state.position[2] < approach->plate_speed * scree_world_time(world);
    scree_test_end(world, engine);
    return chosen;
}

// The limit is half of the smaller one of radius and thickness, whoever moves. Overlaps stay below a fifth of
// the radius until the alarm of displacements has been checked, because the grain starts 0.01 radii apart.
static void the_thickness_of_a_plate_limits_displacements(void **state)
{
    (void)state;
    static const double thicknesses[] = {0.05, 0.1, 0.3, 0.9, 2};
    for (size_t t = 0; t < sizeof thicknesses / sizeof thicknesses[0]; ++t)
        for (int of_plate = 0; of_plate < 2; ++of_plate)
            for (int above = 0; above < 2; ++above) {
                const double least = fmin(thicknesses[t], 1),
                             speed = (above ? 0.51 : 0.3) * least * radius / step;
                struct outcome outcome;
                const struct approach approach = {.thickness = thicknesses[t] * radius,
                                                  .height = 1.01 * radius,
                                                  .speed = of_plate ? 0 : speed,
                                                  .plate_speed = of_plate ? speed : 0};
                run_one(&approach, step, 1, &outcome);
                if ((strstr(outcome.text, "alarm 'displacement'") != NULL) != (above > 0))
                    fail_msg("thickness %g radii: '%s'", thicknesses[t], outcome.text);
                if (above && thicknesses[t] < 1)
                    assert_non_null(strstr(outcome.text, "body 1 and wall 1, facet "));
            }
}

// With a limit of 2 a grain may move by 1.92 radii, from 1.01 radii in front of a plate to 0.86 behind one of
// 0.05, where the overlap is below the limit of 0.2. Only the thickness tells that it has passed.
static void a_wide_limit_is_one_of_the_thickness_too(void **state)
{
    (void)state;
    struct outcome outcome;
    const struct approach approach = {
        .thickness = 0.05 * radius, .height = 1.01 * radius, .speed = 1.92 * radius / step, .limit = 2};
    run_one(&approach, step, 1, &outcome);
    assert_non_null(strstr(outcome.text, "of the thickness of the mesh there"));
}

// A cube that falls flat is beyond the reach of its corners, the rounding on both sides, within a step. The
// radius around it is 35 roundings.
static void a_cube_passes_no_mesh_without_an_alarm(void **state)
{
    (void)state;
    const double reach = 0.05 * radius;
    for (int open = 0; open < 2; ++open)
        for (int of_plate = 0; of_plate < 2; ++of_plate)
            for (int n = 0; n < 6; ++n) {
                static const double displacements[] = {0.4, 0.6, 1, 2.1, 4, 8};
                const double speed = displacements[n] * reach / step;
                struct outcome outcome;
                const struct approach approach = {.thickness = open ? 0 : 0.5 * radius,
                                                  .height = radius + 0.7 * reach + speed * step,
                                                  .speed = of_plate ? 0 : speed,
                                                  .plate_speed = of_plate ? speed : 0,
                                                  .cube = true};
                run_one(&approach, step, 2, &outcome);
                // one step before the contact it is near
                if ((strstr(outcome.text, "alarm 'displacement'") != NULL) != (displacements[n] > 0.5))
                    fail_msg("displacement of %g roundings: '%s'", displacements[n], outcome.text);
                if (displacements[n] > 0.5)
                    assert_non_null(strstr(outcome.text, "of the rounding of the body"));
            }
    // a spin moves corners: sqrt(2) radii from the axis
    struct outcome outcome;
    const struct approach turning = {
        .height = 1.2 * radius, .spin = 0.6 * reach / radius / step, .cube = true};
    run_one(&turning, step, 1, &outcome);
    assert_non_null(strstr(outcome.text, "of the rounding of the body"));
}

// Each side moves by at most a quarter of the limiting length, and the step is rounded down to one of sixteen
// values per power of two.
static void the_automatic_step_knows_thickness_and_rounding(void **state)
{
    (void)state;
    static const struct {
        double thickness, length; // in radii
        bool cube;
    } cases[] = {{0.05, 0.05, false}, {0.5, 0.5, false}, {2, 1, false},     {0, 1, false},
                 {2, 0.05, true},     {0, 0.05, true},   {0.02, 0.02, true}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; ++n)
        for (int of_plate = 0; of_plate < 2; ++of_plate) {
            const double speed = 10;
            struct outcome outcome;
            const struct approach approach = {.thickness = cases[n].thickness * radius,
                                              .height = 3 * radius,
                                              .speed = of_plate ? 0 : speed,
                                              .plate_speed = of_plate ? speed : 0,
                                              .cube = cases[n].cube};
            const double chosen = run_one(&approach, 0, 1, &outcome),
                         longest = 0.25 * cases[n].length * radius / speed;
            if (!(chosen <= longest && chosen > longest * 15 / 17))
                fail_msg("case %zu: step %g, not %g", n, chosen, longest);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_a_plate_without_an_alarm),
        cmocka_unit_test(alarms_name_body_wall_and_facet),
        cmocka_unit_test(the_thickness_of_a_plate_limits_displacements),
        cmocka_unit_test(a_wide_limit_is_one_of_the_thickness_too),
        cmocka_unit_test(a_cube_passes_no_mesh_without_an_alarm),
        cmocka_unit_test(the_automatic_step_knows_thickness_and_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
