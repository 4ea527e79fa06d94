// A body that is fixed along some axes, in a contact with an oblique normal. The reference is a closed form.
//
// Along the normal n a body with the free axes f moves like the mass m / sum n_f^2, but contact laws take its
// whole mass m. So a linear dashpot c = 2 z sqrt(k m) that gives the restitution e = exp(-pi z / sqrt(1 -
// z^2)) to a free body has the damping ratio z sqrt(sum n_f^2). `scree check` warns of this.

#include "support/trial.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>

// Returns the rebound speed of a ball that falls with 1 m/s along z on a plane, without friction.
static double rebound(double x, double z, const char *fixed)
{
    char text[1000];
    struct scree_body_state body;
    const double length = sqrt(x * x + z * z);
    snprintf(
        text, sizeof text,
        "scree: 1\nmaterials: {m: {density: 2500}}\n"
        "contacts: [{between: [any, any], law: linear, stiffness: 10000 N/m, stiffness-tangential: 0 N/m, "
        "friction: 0, restitution: 0.6}]\n"
        "bodies: [{sphere: {radius: 5 mm, at: [0, 0, %.17g], material: m, velocity: [0, 0, -1], "
        "fixed: [%s]}}]\n"
        "walls: [{plane: {point: [0, 0, 0], normal: [%g, 0, %g], material: m}}]\n"
        "engine: {soft: {step: 0.1 us}}\nrun: {until: 10 ms}\n",
        0.0051 * length / z, fixed, x, z);
    struct scree_world *world = scree_trial_run_text(text, NULL);
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    scree_world_destroy(world);
    return body.velocity[2];
}

static void a_body_free_along_z_only_rebounds_by_the_closed_form_for_oblique_normals(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, logarithm = log(0.6);
    const double ratio = -logarithm / sqrt(pi * pi + logarithm * logarithm);
    const double normals[][2] = {{0, 1}, {1, 1}, {1.4, 1}, {2, 1}};
    for (size_t n = 0; n < sizeof normals / sizeof normals[0]; ++n) {
        const double x = normals[n][0], z = normals[n][1], reduced_ratio = ratio * z / sqrt(x * x + z * z);
        const double expected = exp(-pi * reduced_ratio / sqrt(1 - reduced_ratio * reduced_ratio));
        // the closed form is for a contact of half a period; the real one ends earlier, when the force is
        // zero, which changes the speed by less than 1 %
        assert_true(fabs(rebound(x, z, "x, y") - expected) < 0.01 * expected);
    }
}

static void a_ball_that_is_free_along_the_normal_keeps_its_restitution(void **state)
{
    (void)state;
    assert_true(fabs(rebound(0, 1, "x, y") - rebound(0, 1, "")) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_free_along_z_only_rebounds_by_the_closed_form_for_oblique_normals),
        cmocka_unit_test(a_ball_that_is_free_along_the_normal_keeps_its_restitution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
