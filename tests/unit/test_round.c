// Moving round bodies in one pass: the bits are those of velocity Verlet, of `spherical` and of clearing what
// flags say of the step, one after the other, with every set of instructions.

#include "base/processor.h"
#include "motion/round.h"
#include "support/sketch.h"

enum { MOST = 37 };

struct crowd {
    struct scree_grain grain[MOST] __attribute__((aligned(64)));
    struct scree_wrench wrench[MOST] __attribute__((aligned(64)));
};

static double draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

static void make(struct crowd *crowd, uint64_t seed)
{
    memset(crowd, 0, sizeof *crowd);
    for (size_t i = 0; i < MOST; ++i) {
        struct scree_grain *grain = &crowd->grain[i];
        for (int k = 0; k < 3; ++k) {
            grain->position[k] = 10 * draw(&seed);
            grain->velocity[k] = draw(&seed);
            grain->spin[k] = i % 5 == 0 ? -0.0 : draw(&seed);
            grain->half_kick[k] = (float)draw(&seed);
            grain->half_twist[k] = (float)draw(&seed);
            crowd->wrench[i].force[k] = i % 7 == 0 ? -0.0 : 100 * draw(&seed);
            crowd->wrench[i].moment[k] = draw(&seed);
        }
        crowd->wrench[i].work = crowd->wrench[i].loss = draw(&seed);
        grain->radius = 0.5 + 0.25 * draw(&seed);
        grain->mass = 1 + 0.5 * draw(&seed);
        grain->owner = (uint32_t)i;
        grain->kind = i % 3 == 0 ? SCREE_KIND_DISK : SCREE_KIND_SPHERE;
        grain->material = 3;
        grain->part = 5;
        grain->quantum = 0x41fc;
        // every freedom fixed now and then, in step or not, booked or not, and flags that are none of
        // motion's
        grain->flags = (uint32_t)(i * 2654435761u >> 7) & (SCREE_FLAG_FREEDOMS | SCREE_FLAGS_IN_STEP);
        grain->flags |= (i % 2 ? SCREE_FLAG_BOOKED : 0u) | (i % 4 ? SCREE_FLAG_OPENED : 0u);
    }
}

static void move_one_by_one(const struct scree_motion_batch *batch)
{
    scree_velocity_verlet.advance(batch);
    scree_spherical.advance(batch);
    for (size_t i = 0; i < batch->count; ++i)
        batch->grain[i].flags &= ~(uint32_t)(SCREE_FLAGS_IN_STEP | SCREE_FLAG_BOOKED);
}

static void one_pass_has_the_bits_of_three(void **state)
{
    (void)state;
    static struct crowd one, other;
    const struct scree_motion_step step = {.h = 1e-3, .last = 0.7e-3, .gravity = {0.1, -9.81, 0.3, 0}};
    for (size_t c = 0; c < 3 * MOST; ++c) {
        const size_t count = c / 3 + 1;
        scree_processor_choose((int)(c % 3));
        make(&one, count);
        make(&other, count);
        struct scree_motion_batch batch = {
            .count = count, .step = &step, .grain = one.grain, .wrench = one.wrench};
        for (int steps = 0; steps < 3; ++steps)
            scree_round_advance(&batch);
        batch.grain = other.grain;
        batch.wrench = other.wrench;
        for (int steps = 0; steps < 3; ++steps)
            move_one_by_one(&batch);
        assert_memory_equal(&one, &other, sizeof one);
    }
    scree_processor_choose(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_pass_has_the_bits_of_three)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
