// The linear law with a modulus: stiffnesses of rods between centres, compared with the closed form; zeros
// for parameters that are not given; and messages for mistakes.

#include "contact/interaction.h"
#include "law/law.h"
#include "law/linear.h"
#include "support/worlds.h"

static const double modulus = 3e6, pi = 3.14159265358979323846;

struct values {
    struct scree_interaction_value list[10];
    size_t count;
};

static void set_value(struct values *values, const char *name, double number)
{
    values->list[values->count++] = (struct scree_interaction_value){.name = name, .number = number};
}

static struct scree_world *make_world(int dimension)
{
    struct scree_world *world;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = dimension}, &world));
    (void)scree_test_material(world);
    return world;
}

static scree_status add_law(struct scree_world *world, const struct values *values)
{
    return scree_interaction_add(world, &(struct scree_interaction_def){
                                            .law = "linear", .values = values->list, .count = values->count});
}

static void add_grain(struct scree_world *world, double radius, double x, double y)
{
    scree_body_id id;
    if (scree_world_dimension(world) == 2)
        assert_ok(
            scree_body_add_disk(world,
                                &(struct scree_disk_def){
                                    .radius = radius, .thickness = 0.02, .material = {1}, .position = {x, y}},
                                &id));
    else
        assert_ok(scree_body_add_sphere(
            world, &(struct scree_sphere_def){.radius = radius, .material = {1}, .position = {x, y, 0}},
            &id));
}

// The force on the first of two grains of these radii with this overlap; a radius of 0 makes the second a
// wall.
static double force_of(int dimension, const struct values *values, const double *radius, double overlap)
{
    struct scree_world *world = make_world(dimension);
    struct scree_engine *engine;
    struct scree_body_state state;
    scree_wall_id wall;
    assert_ok(add_law(world, values));
    add_grain(world, radius[0], 0, 0);
    if (radius[1] > 0)
        add_grain(world, radius[1], radius[0] + radius[1] - overlap, 0);
    else
        assert_ok(scree_wall_add(world,
                                 &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                          .material = {1},
                                                          .plane = {{radius[0] - overlap, 0, 0}, {-1, 0, 0}}},
                                 &wall));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-6, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 0));
    assert_ok(scree_body_get(world, (scree_body_id){1}, &state));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    assert_true(state.force[1] == 0 && state.force[2] == 0);
    return -state.force[0];
}

static void pairs_and_walls_are_as_stiff_as_rods(void **state)
{
    (void)state;
    static const double radii[][2] = {{0.01, 0.01}, {0.01, 0.03}, {0.5, 1e-4}, {0.02, 0}, {3, 0}};
    static const char *const arms[] = {"contact", "radius"};
    for (size_t r = 0; r < sizeof radii / sizeof radii[0]; ++r)
        for (int variant = 0; variant < 4; ++variant) {
            const bool flat = variant & 1;
            struct values values = {.count = 0};
            set_value(&values, "friction", 0.5);
            set_value(&values, "modulus", modulus);
            set_value(&values, "stiffness-ratio", 2);
            set_value(&values, "restitution", 0.5);
            if (flat)
                set_value(&values, "thickness", 0.02);
            values.list[values.count++] =
                (struct scree_interaction_value){.name = "arms", .word = arms[variant / 2]};
            const double a = radii[r][0], b = radii[r][1], min_radius = b > 0 && b < a ? b : a;
            const double length = a + b, overlap = 1e-3 * min_radius;
            const double area = flat ? 2 * min_radius * 0.02 : pi * min_radius * min_radius;
            const double expected = modulus * area / length * overlap;
            const double force = force_of(flat ? 2 : 3, &values, radii[r], overlap);
            // the overlap is a difference of coordinates, which are rounded
            const double rounding = 1e-15 * length / overlap;
            if (!(fabs(force / expected - 1) < 1e-12 + rounding))
                fail_msg("radii %g and %g: %g N, expected %g N", a, b, force, expected);
        }
}

static struct scree_law_reply evaluate(const struct values *values, int dimension, const double *radius,
                                       double overlap, const double *spring)
{
    struct scree_world *world = make_world(dimension);
    struct scree_law_class class;
    assert_ok(add_law(world, values));
    assert_ok(scree_interaction_pair(world, 1, 1, &class));
    const double a = radius[0], b = radius[1];
    const struct scree_law_contact contact = {.overlap = overlap,
                                              .normal = {1, 0, 0},
                                              .arm = {a - 0.5 * overlap, b > 0 ? b - 0.5 * overlap : 0},
                                              .radius = b > 0 ? a * b / (a + b) : a,
                                              .mass = 0.5,
                                              .mass_tangential = 1.0 / 7,
                                              .normal_velocity = -1};
    double after[SCREE_LAW_HISTORY];
    const struct scree_law_reply reply = class.law->force(class.constants, &contact, spring, after);
    assert_string_equal(class.law->name, "linear");
    scree_world_destroy(world);
    return reply;
}

// Tangential springs, dashpots from restitution and energies are those of the same law.
static void a_modulus_gives_the_forces_of_the_stiffness_that_follows_from_it(void **state)
{
    (void)state;
    static const double radius[] = {0.02, 0.05}, spring[SCREE_LAW_HISTORY] = {0, 1e-5, 2e-5};
    const double stiffness = modulus * pi * 0.02 * 0.02 / 0.07;
    struct values by_modulus = {.count = 0}, by_stiffness = {.count = 0};
    set_value(&by_modulus, "modulus", modulus);
    set_value(&by_modulus, "stiffness-ratio", 4);
    set_value(&by_stiffness, "stiffness", stiffness);
    set_value(&by_stiffness, "stiffness-tangential", stiffness / 4);
    for (int k = 0; k < 2; ++k) {
        struct values *values = k == 0 ? &by_modulus : &by_stiffness;
        set_value(values, "friction", 0.5);
        set_value(values, "restitution", 0.3);
    }
    const struct scree_law_reply reply = evaluate(&by_modulus, 3, radius, 1e-3, spring);
    const struct scree_law_reply expected_reply = evaluate(&by_stiffness, 3, radius, 1e-3, spring);
    const double pairs[][2] = {{reply.normal, expected_reply.normal},
                               {reply.force.y, expected_reply.force.y},
                               {reply.stored, expected_reply.stored},
                               {reply.dashpot, expected_reply.dashpot},
                               {reply.stiffness[0], expected_reply.stiffness[0]},
                               {reply.stiffness[1], expected_reply.stiffness[1]}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; ++k)
        assert_true(fabs(pairs[k][0] - pairs[k][1]) <= 1e-13 * fabs(pairs[k][1]));
    assert_true(expected_reply.normal != 0 && expected_reply.force.y != 0);
    // the tangential stiffness is 2/7 by default
    struct values default_values = {.count = 0};
    set_value(&default_values, "modulus", modulus);
    set_value(&default_values, "friction", 0);
    set_value(&default_values, "damping", 0);
    const struct scree_law_reply plain = evaluate(&default_values, 3, radius, 1e-3, spring);
    assert_true(fabs(plain.stiffness[1] / plain.stiffness[0] - 2.0 / 7) < 1e-15);
}

static void contradicting_and_missing_parameters_are_reported(void **state)
{
    (void)state;
    static const struct {
        int dimension;
        const char *names[3], *word;
    } rows[] = {
        {3, {NULL}, "give either 'stiffness' or 'modulus'"},
        {3, {"stiffness", "modulus"}, "not both"},
        {3, {"stiffness-tangential", "modulus"}, "not both"},
        {3, {"stiffness", "stiffness-ratio"}, "require 'modulus'"},
        {3, {"modulus", "thickness"}, "two dimensions"},
        {2, {"modulus"}, "requires the 'thickness'"},
        {2, {"stiffness", "thickness"}, "require 'modulus'"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_world *world = make_world(rows[r].dimension);
        struct values values = {.count = 0};
        set_value(&values, "friction", 0);
        set_value(&values, "damping", 0);
        for (int n = 0; n < 3 && rows[r].names[n]; ++n)
            set_value(&values, rows[r].names[n], 1);
        assert_refused(SCREE_ERROR_ARGUMENT, rows[r].word, add_law(world, &values));
        scree_world_destroy(world);
    }
    struct scree_world *world = make_world(3);
    struct values values = {.count = 0};
    set_value(&values, "modulus", -1);
    assert_refused(SCREE_ERROR_ARGUMENT, "'modulus'", add_law(world, &values));
    scree_world_destroy(world);
}

static void parameters_of_a_modulus_that_are_not_given_are_stored_as_zero(void **state)
{
    (void)state;
    struct scree_world *world = make_world(3);
    struct values values = {.count = 0};
    struct scree_view view;
    set_value(&values, "friction", 0.5);
    set_value(&values, "stiffness", 1e4);
    set_value(&values, "restitution", 0.5);
    assert_ok(add_law(world, &values));
    assert_ok(scree_field_view(world, "interaction.parameter", &view));
    const double *field_values = (const double *)view.base;
    for (int p = SCREE_LINEAR_PARAMETER_MODULUS; p <= SCREE_LINEAR_PARAMETER_THICKNESS; ++p)
        assert_true(field_values[p] == 0 && !signbit(field_values[p]));
    scree_world_destroy(world);
}

// The modulus of a simple cubic packing along an axis is k 2R / (4 R^2) = pi/4 E for any radius, with
// k = E pi R / 2.
static void the_stiffness_of_a_packing_follows_from_its_modulus(void **state)
{
    (void)state;
    static const double radii[] = {1e-3, 0.2};
    for (int r = 0; r < 2; ++r) {
        struct values values = {.count = 0};
        set_value(&values, "friction", 0);
        set_value(&values, "damping", 0);
        set_value(&values, "modulus", modulus);
        const double pair[2] = {radii[r], radii[r]}, strain = 1e-4;
        const double force = force_of(3, &values, pair, 2 * radii[r] * strain);
        const double stress = force / (4 * radii[r] * radii[r]);
        assert_true(fabs(stress / strain / modulus - pi / 4) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_and_walls_are_as_stiff_as_rods),
        cmocka_unit_test(a_modulus_gives_the_forces_of_the_stiffness_that_follows_from_it),
        cmocka_unit_test(contradicting_and_missing_parameters_are_reported),
        cmocka_unit_test(parameters_of_a_modulus_that_are_not_given_are_stored_as_zero),
        cmocka_unit_test(the_stiffness_of_a_packing_follows_from_its_modulus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
