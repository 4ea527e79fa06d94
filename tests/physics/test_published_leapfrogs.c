// Integration of rotation as printed by Woo, and with quaternions that are not normalised by van Wachem:
// taken literally, the order is lower than that of the same lines with one correction. Errata 11 to 15, 28,
// 30.
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

// which lines are taken literally
struct woo {
    bool axes_of_now;    // the mid-step momentum is transformed with the orientation of the step
    bool zero_start;     // the momentum before the first step is zero
    bool reversed_sense; // vectors are transformed to body axes by q a q*
};

static inline void leapfrog(const struct scree_motion_batch *batch, struct woo form)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_rotor *rotor = &batch->rotor[i];
        const struct scree_vec3 inertia = scree_vec3_load(rotor->inertia);
        const struct scree_vec3 moment = scree_motion_moment(batch, i);
        const struct scree_quat q = scree_quat_load(rotor->orientation);
        struct scree_vec3 before = scree_vec3_load(rotor->momentum);
        if (scree_motion_spin_is_on_step(batch, i))
            before = form.zero_start ? scree_vec3_zero() : scree_vec3_add_scaled(before, -0.5 * h, moment);
        const struct scree_vec3 now = scree_vec3_add_scaled(before, 0.5 * h, moment);
        const struct scree_vec3 after = scree_vec3_add_scaled(before, h, moment);
        struct scree_vec3 (*to_body)(struct scree_quat, struct scree_vec3) =
            form.reversed_sense ? scree_quat_rotate : scree_quat_rotate_inverse;
        const struct scree_vec3 w = scree_vec3_divide(to_body(q, now), inertia);
        const struct scree_quat half_rate = scree_quat_product(q, scree_quat_make(0, w.x, w.y, w.z));
        const struct scree_quat middle = scree_quat_normalise(scree_quat_add_scaled(q, 0.25 * h, half_rate));
        const struct scree_vec3 v = scree_vec3_divide(to_body(form.axes_of_now ? q : middle, after), inertia);
        const struct scree_quat rate = scree_quat_product(middle, scree_quat_make(0, v.x, v.y, v.z));
        scree_quat_store(scree_quat_normalise(scree_quat_add_scaled(q, 0.5 * h, rate)), rotor->orientation);
        scree_vec3_store(after, rotor->momentum);
        scree_vec3_store(scree_quat_rotate(middle, v), batch->grain[i].spin);
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
    leapfrog(batch, (struct woo){0});
}

static void leapfrog_published(const struct scree_motion_batch *batch)
{
    leapfrog(batch, (struct woo){.axes_of_now = true});
}

static void leapfrog_from_zero(const struct scree_motion_batch *batch)
{
    leapfrog(batch, (struct woo){.zero_start = true});
}

static void leapfrog_reversed(const struct scree_motion_batch *batch)
{
    leapfrog(batch, (struct woo){.reversed_sense = true});
}

#define LEAP(title, function)                                                                                \
    {                                                                                                        \
        .name = title, .kind = SCREE_ROTATION, .level = SCREE_MID_STEP, .leapfrog = true,                    \
        .advance = function, .complete = complete_leapfrog                                                   \
    }
static const struct scree_motion_scheme woo_corrected = LEAP("woo-corrected", leapfrog_corrected);
static const struct scree_motion_scheme woo_published = LEAP("woo-published", leapfrog_published);
static const struct scree_motion_scheme woo_from_zero = LEAP("woo-from-zero", leapfrog_from_zero);
static const struct scree_motion_scheme woo_reversed = LEAP("woo-reversed", leapfrog_reversed);

// errata 12 and 13
static void mid_step_momentum_in_the_axes_of_the_step_is_of_order_1(void **state)
{
    (void)state;
    check_order(&woo_published, &free_top, 1);
    check_order(&woo_published, &loaded_top, 1);
    check_order(&woo_corrected, &free_top, 2);
    check_order(&woo_corrected, &loaded_top, 2);
}

// errata 14 and 11: a top that spins at the start is treated as at rest, or rotated in the wrong direction
static void zero_momentum_at_the_start_does_not_converge(void **state)
{
    (void)state;
    const struct scree_order measured = measure(&woo_from_zero, &loaded_top, FIRST_STEPS);
    for (int k = 0; k <= SCREE_ORDER_HALVINGS; ++k)
        assert_true(measured.error[k] > 0.1);
}

static void reversed_sense_does_not_converge(void **state)
{
    (void)state;
    const struct scree_order measured = measure(&woo_reversed, &free_top, FIRST_STEPS);
    for (int k = 0; k <= SCREE_ORDER_HALVINGS; ++k)
        assert_true(measured.error[k] > 0.1);
}

// errata 15: about a fixed axis an exponential map is the exact rotation, up to round-off: 16,000 steps of
// 1e-16 each
static void exponential_maps_are_exact_about_a_fixed_axis_where_normalised_sums_are_of_order_2(void **state)
{
    (void)state;
    static const struct scree_tumble round = {
        .inertia = {2, 2, 2}, .orientation = {0.9, 0.1, -0.3, 0.2}, .spin = {0.3, 1.4, 0.02}};
    check_order(&woo_corrected, &round, 2);
    const struct scree_order maps = measure(&scree_fincham, &round, FIRST_STEPS);
    for (int k = 0; k <= SCREE_ORDER_HALVINGS; ++k)
        assert_true(maps.error[k] < 2e-12);
}

// --- quaternions that are not normalised

// q' = q + h/2 w q, not normalised, kept in a field of the scheme; the world gets the normalised quaternion
static inline void advance_unnormalised(const struct scree_motion_batch *batch, bool inverse_as_printed)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_rotor *rotor = &batch->rotor[i];
        double *row = batch->row[0] + 4 * i;
        const bool starts = scree_motion_spin_is_on_step(batch, i) && row[0] == 0;
        const struct scree_quat q = scree_quat_load(starts ? rotor->orientation : row);
        const struct scree_vec3 momentum = scree_vec3_load(rotor->momentum);
        // transforming back and forth takes one inverse each, q* over the length or over its square
        const double square = scree_quat_norm_squared(q);
        const double inverse = 1 / (inverse_as_printed ? sqrt(square) : square);
        const struct scree_quat back = scree_quat_scale(scree_quat_conjugate(q), inverse);
        const struct scree_vec3 to_body =
            scree_vec3_divide(rotate_without_division(back, momentum, q), scree_vec3_load(rotor->inertia));
        const struct scree_vec3 w = rotate_without_division(q, to_body, back);
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

#define SUMMING(title, function)                                                                             \
    {                                                                                                        \
        .name = title, .kind = SCREE_ROTATION, .level = SCREE_ON_STEP, .advance = function,                  \
        .row = {{"raw_orientation", 4, "", SCREE_SCALAR, "Orientation as it is summed up."}},                \
        .complete = complete_on_step                                                                         \
    }
static const struct scree_motion_scheme summing = SUMMING("summing", advance_with_the_inverse);
static const struct scree_motion_scheme summing_as_printed =
    SUMMING("summing-as-printed", advance_with_the_inverse_as_printed);

static const struct scree_tumble top_about_its_axis = {
    .inertia = {1, 2, 3}, .orientation = {1, 0, 0, 0}, .spin = {0, 0, 2}};

// errata 15 and 30: every step makes q longer by the factor sqrt(1 + (h w)^2 / 4); 1e-12 is 1000 roundings
static void quaternions_that_are_not_normalised_grow(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    double raw[4];
    struct scree_tumble_state end;
    const struct scree_tumble_run run = {.scheme = &summing,
                                         .time = duration,
                                         .steps = STEPS,
                                         .field_name = "body.raw_orientation",
                                         .field_values = raw,
                                         .field_width = 4};
    scree_tumble_move(&top_about_its_axis, 1, &run, &end);
    const double angle = 2 * duration / STEPS;
    const double expected = pow(1 + angle * angle / 4, 0.5 * STEPS);
    const double length = sqrt(raw[0] * raw[0] + raw[1] * raw[1] + raw[2] * raw[2] + raw[3] * raw[3]);
    assert_true(expected > 1.007);
    assert_true(fabs(length / expected - 1) < 1e-12);
}

// errata 28: with the square, the length does not matter, and the rotation by atan(h w / 2) about a fixed
// axis has order 2; without it the spin is too large by the square of the length, an error of O(h) at the end
static void inverse_without_the_square_costs_an_order(void **state)
{
    (void)state;
    check_order(&summing, &top_about_its_axis, 2);
    check_order(&summing_as_printed, &top_about_its_axis, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mid_step_momentum_in_the_axes_of_the_step_is_of_order_1),
        cmocka_unit_test(zero_momentum_at_the_start_does_not_converge),
        cmocka_unit_test(reversed_sense_does_not_converge),
        cmocka_unit_test(exponential_maps_are_exact_about_a_fixed_axis_where_normalised_sums_are_of_order_2),
        cmocka_unit_test(quaternions_that_are_not_normalised_grow),
        cmocka_unit_test(inverse_without_the_square_costs_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
