// Rotation schemes as printed by Woo, and by van Wachem with quaternions that are not normalised: the printed
// form has a lower order than the form with one correction, or does not converge. Errata 11 to 15, 28, 30.
//
// Each form is implemented here as an integration scheme and run in the engine like the built-in schemes.
// Orders are measured against the reference of support/tumble.h.

#include "physics/published.h"
#include "world/body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// --- Woo

// the errors of the printed form that are kept; with none, the scheme is the corrected one
struct woo {
    bool on_step_axes;          // the mid-step momentum is transformed with the on-step orientation
    bool zero_initial_momentum; // the momentum before the first step is zero
    bool reversed_rotation;     // vectors are transformed to body axes by q a q*
};

static inline void advance_woo(const struct scree_motion_batch *batch, struct woo form)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_rotor *rotor = &batch->rotor[i];
        const struct scree_vec3 inertia = scree_vec3_load(rotor->inertia);
        const struct scree_vec3 moment = scree_motion_moment(batch, i);
        const struct scree_quat q = scree_quat_load(rotor->orientation);
        struct scree_vec3 before = scree_vec3_load(rotor->momentum);
        if (scree_motion_spin_is_on_step(batch, i))
            before = form.zero_initial_momentum ? scree_vec3_zero()
                                                : scree_vec3_add_scaled(before, -0.5 * h, moment);
        const struct scree_vec3 on_step = scree_vec3_add_scaled(before, 0.5 * h, moment);
        const struct scree_vec3 after = scree_vec3_add_scaled(before, h, moment);
        struct scree_vec3 (*to_body_axes)(struct scree_quat, struct scree_vec3) =
            form.reversed_rotation ? scree_quat_rotate : scree_quat_rotate_inverse;
        const struct scree_vec3 w = scree_vec3_divide(to_body_axes(q, on_step), inertia);
        const struct scree_quat half_rate = scree_quat_product(q, scree_quat_make(0, w.x, w.y, w.z));
        const struct scree_quat mid_orientation =
            scree_quat_normalise(scree_quat_add_scaled(q, 0.25 * h, half_rate));
        const struct scree_vec3 v =
            scree_vec3_divide(to_body_axes(form.on_step_axes ? q : mid_orientation, after), inertia);
        const struct scree_quat rate = scree_quat_product(mid_orientation, scree_quat_make(0, v.x, v.y, v.z));
        scree_quat_store(scree_quat_normalise(scree_quat_add_scaled(q, 0.5 * h, rate)), rotor->orientation);
        scree_vec3_store(after, rotor->momentum);
        scree_vec3_store(scree_quat_rotate(mid_orientation, v), batch->grain[i].spin);
    }
}

static void complete_leapfrog(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const struct scree_rotor *rotor = &batch->rotor[i];
        const double kick = scree_motion_spin_is_on_step(batch, i) ? 0 : 0.5 * batch->step->last;
        const struct scree_vec3 momentum =
            scree_vec3_add_scaled(scree_vec3_load(rotor->momentum), kick, scree_motion_moment(batch, i));
        scree_vec3_store(momentum, out[i].momentum);
        scree_vec3_store(scree_body_spin(scree_quat_load(rotor->orientation), rotor->inertia, momentum),
                         out[i].spin);
    }
}

static void leapfrog_corrected(const struct scree_motion_batch *batch)
{
    advance_woo(batch, (struct woo){0});
}

static void leapfrog_as_printed(const struct scree_motion_batch *batch)
{
    advance_woo(batch, (struct woo){.on_step_axes = true});
}

static void leapfrog_from_zero(const struct scree_motion_batch *batch)
{
    advance_woo(batch, (struct woo){.zero_initial_momentum = true});
}

static void leapfrog_reversed(const struct scree_motion_batch *batch)
{
    advance_woo(batch, (struct woo){.reversed_rotation = true});
}

#define LEAPFROG_SCHEME(title, function)                                                                     \
    {                                                                                                        \
        .name = title, .kind = SCREE_ROTATION, .level = SCREE_MID_STEP, .leapfrog = true,                    \
        .advance = function, .complete = complete_leapfrog                                                   \
    }
static const struct scree_motion_scheme woo_corrected = LEAPFROG_SCHEME("woo-corrected", leapfrog_corrected);
static const struct scree_motion_scheme woo_as_printed =
    LEAPFROG_SCHEME("woo-as-printed", leapfrog_as_printed);
static const struct scree_motion_scheme woo_from_zero = LEAPFROG_SCHEME("woo-from-zero", leapfrog_from_zero);
static const struct scree_motion_scheme woo_reversed = LEAPFROG_SCHEME("woo-reversed", leapfrog_reversed);

// errata 12 and 13
static void a_mid_step_momentum_transformed_with_the_on_step_orientation_is_of_order_1(void **state)
{
    (void)state;
    check_order(&woo_as_printed, &free_top, 1);
    check_order(&woo_as_printed, &suspended_top, 1);
    check_order(&woo_corrected, &free_top, 2);
    check_order(&woo_corrected, &suspended_top, 2);
}

// errata 14: a top with an initial spin is treated as at rest
static void zero_initial_momentum_does_not_converge(void **state)
{
    (void)state;
    const struct scree_order measured = measure(&woo_from_zero, &suspended_top, FIRST_STEPS);
    for (int k = 0; k <= SCREE_ORDER_HALVINGS; ++k)
        assert_true(measured.error[k] > 0.1);
}

// errata 11
static void the_reversed_rotation_to_body_axes_does_not_converge(void **state)
{
    (void)state;
    const struct scree_order measured = measure(&woo_reversed, &free_top, FIRST_STEPS);
    for (int k = 0; k <= SCREE_ORDER_HALVINGS; ++k)
        assert_true(measured.error[k] > 0.1);
}

// errata 15: about a fixed axis an exponential map is exact up to round-off, 1e-16 in each of 16,000 steps
static void about_a_fixed_axis_exponential_maps_are_exact_and_normalised_sums_of_order_2(void **state)
{
    (void)state;
    static const struct scree_tumble sphere = {
        .inertia = {2, 2, 2}, .orientation = {0.9, 0.1, -0.3, 0.2}, .spin = {0.3, 1.4, 0.02}};
    check_order(&woo_corrected, &sphere, 2);
    const struct scree_order exponential_maps = measure(&scree_fincham, &sphere, FIRST_STEPS);
    for (int k = 0; k <= SCREE_ORDER_HALVINGS; ++k)
        assert_true(exponential_maps.error[k] < 2e-12);
}

// --- quaternions that are not normalised

// q' = q + h/2 w q, kept in a field of the scheme; the orientation of the body is the normalised quaternion
static inline void advance_unnormalised(const struct scree_motion_batch *batch, bool inverse_as_printed)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_rotor *rotor = &batch->rotor[i];
        double *row = batch->row[0] + 4 * i;
        const bool first_step = scree_motion_spin_is_on_step(batch, i) && row[0] == 0;
        const struct scree_quat q = scree_quat_load(first_step ? rotor->orientation : row);
        const struct scree_vec3 momentum = scree_vec3_load(rotor->momentum);
        // the inverse of q is q* / |q|^2; the printed form is q* / |q|
        const double square = scree_quat_norm_squared(q);
        const double inverse = 1 / (inverse_as_printed ? sqrt(square) : square);
        const struct scree_quat inverse_quaternion = scree_quat_scale(scree_quat_conjugate(q), inverse);
        const struct scree_vec3 to_body_axes = scree_vec3_divide(
            rotate_without_division(inverse_quaternion, momentum, q), scree_vec3_load(rotor->inertia));
        const struct scree_vec3 w = rotate_without_division(q, to_body_axes, inverse_quaternion);
        const struct scree_quat rate =
            scree_quat_product(scree_quat_make(0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z), q);
        const struct scree_quat next = scree_quat_add_scaled(q, h, rate);
        scree_quat_store(next, row);
        scree_quat_store(scree_quat_normalise(next), rotor->orientation);
        scree_vec3_store(w, batch->grain[i].spin);
    }
}

static void advance_with_the_inverse(const struct scree_motion_batch *batch)
{
    advance_unnormalised(batch, false);
}

static void advance_with_the_inverse_as_printed(const struct scree_motion_batch *batch)
{
    advance_unnormalised(batch, true);
}

#define UNNORMALISED_SCHEME(title, function)                                                                 \
    {                                                                                                        \
        .name = title, .kind = SCREE_ROTATION, .level = SCREE_ON_STEP, .advance = function,                  \
        .row = {{"raw_orientation", 4, "", SCREE_SCALAR, "Orientation that is not normalised."}},            \
        .complete = complete_on_step                                                                         \
    }
static const struct scree_motion_scheme unnormalised =
    UNNORMALISED_SCHEME("unnormalised", advance_with_the_inverse);
static const struct scree_motion_scheme unnormalised_as_printed =
    UNNORMALISED_SCHEME("unnormalised-as-printed", advance_with_the_inverse_as_printed);

static const struct scree_tumble top_about_its_axis = {
    .inertia = {1, 2, 3}, .orientation = {1, 0, 0, 0}, .spin = {0, 0, 2}};

// errata 15 and 30: every step makes q longer by the factor sqrt(1 + (h w)^2 / 4); 1e-12 is 1000 roundings
static void quaternions_that_are_not_normalised_grow_by_the_closed_form(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    double raw_orientation[4];
    struct scree_tumble_state end;
    const struct scree_tumble_run run = {.scheme = &unnormalised,
                                         .time = duration,
                                         .steps = STEPS,
                                         .field_name = "body.raw_orientation",
                                         .field_values = raw_orientation,
                                         .field_width = 4};
    scree_tumble_move(&top_about_its_axis, 1, &run, &end);
    const double angle = 2 * duration / STEPS;
    const double expected = pow(1 + angle * angle / 4, 0.5 * STEPS);
    const double length =
        sqrt(raw_orientation[0] * raw_orientation[0] + raw_orientation[1] * raw_orientation[1] +
             raw_orientation[2] * raw_orientation[2] + raw_orientation[3] * raw_orientation[3]);
    assert_true(expected > 1.007);
    assert_true(fabs(length / expected - 1) < 1e-12);
}

// errata 28: with the correct inverse, the length of q has no effect, and the rotation by 2 atan(h w / 2)
// about a fixed axis has order 2; with the printed one the spin is too large by |q|^2, an error of O(h) at
// the end
static void the_inverse_divided_by_the_length_instead_of_its_square_is_of_order_1(void **state)
{
    (void)state;
    check_order(&unnormalised, &top_about_its_axis, 2);
    check_order(&unnormalised_as_printed, &top_about_its_axis, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mid_step_momentum_transformed_with_the_on_step_orientation_is_of_order_1),
        cmocka_unit_test(zero_initial_momentum_does_not_converge),
        cmocka_unit_test(the_reversed_rotation_to_body_axes_does_not_converge),
        cmocka_unit_test(about_a_fixed_axis_exponential_maps_are_exact_and_normalised_sums_of_order_2),
        cmocka_unit_test(quaternions_that_are_not_normalised_grow_by_the_closed_form),
        cmocka_unit_test(the_inverse_divided_by_the_length_instead_of_its_square_is_of_order_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
