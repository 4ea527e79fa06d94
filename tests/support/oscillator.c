// A body on a spring, see oscillator.h.

#include "support/oscillator.h"

#include "engine/soft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static scree_status apply_spring(void *user, const struct scree_load_batch *batch)
{
    const struct scree_oscillator *oscillator = user;
    for (size_t i = 0; i < batch->count; ++i) {
        const double x = batch->position[i][0], v = batch->velocity[i][0];
        batch->force[i][0] +=
            -oscillator->stiffness * x - oscillator->cubic * x * x * x - oscillator->dashpot * v;
    }
    return SCREE_OK;
}

static struct scree_oscillator_state state_of(const struct scree_world *world)
{
    struct scree_body_state state;
    assert_int_equal(scree_body_get(world, (scree_body_id){1}, &state), SCREE_OK);
    return (struct scree_oscillator_state){state.position[0], state.velocity[0]};
}

static scree_status take_steps(struct scree_engine *engine, const struct scree_oscillator_run *run)
{
    static const double factor[3] = {1.0, 1.4, 0.6};
    if (!run->uneven && !run->trace)
        return scree_engine_run(engine, run->steps);
    scree_status status = SCREE_OK;
    for (size_t s = 0; s < run->steps && status == SCREE_OK; ++s) {
        if (run->uneven)
            assert_int_equal(scree_engine_set_step(engine, run->step * factor[s % 3]), SCREE_OK);
        status = scree_engine_run(engine, 1);
        if (run->trace)
            run->trace[s] = state_of(scree_engine_world(engine));
    }
    return status;
}

scree_status scree_oscillator_move(const struct scree_oscillator *oscillator,
                                   const struct scree_oscillator_run *run, struct scree_oscillator_state *out)
{
    struct scree_world *world;
    const struct scree_world_def world_def = {.dimension = 2, .gravity = {oscillator->gravity}};
    assert_int_equal(scree_world_create(&world_def, &world), SCREE_OK);
    const struct scree_rigid_def body = {
        .mass = 1, .polar = 1, .position = {oscillator->position}, .velocity = {oscillator->velocity}};
    scree_body_id id;
    assert_int_equal(scree_body_add_rigid(world, &body, &id), SCREE_OK);
    scree_load_id load;
    const struct scree_load_def load_def = {.function = apply_spring, .user = (void *)(uintptr_t)oscillator};
    assert_int_equal(scree_load_add(world, &load_def, &load), SCREE_OK);
    struct scree_engine *engine;
    const struct scree_soft_def def = {
        .step = run->step, .translation = run->name, .damping = oscillator->damping, .threads = 1};
    assert_int_equal(scree_soft_create_with(world, &def, run->scheme, NULL, &engine), SCREE_OK);
    const scree_status status = take_steps(engine, run);
    *out = state_of(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return status;
}

struct scree_oscillator_state scree_oscillator_exact(const struct scree_oscillator *oscillator, double time)
{
    const double decay = 0.5 * (oscillator->dashpot + oscillator->damping.viscous);
    const double frequency = sqrt(oscillator->stiffness - decay * decay);
    const double sine_amplitude = (oscillator->velocity + decay * oscillator->position) / frequency;
    const double c = cos(frequency * time), s = sin(frequency * time), decay_factor = exp(-decay * time);
    const double position = decay_factor * (oscillator->position * c + sine_amplitude * s);
    const double slope = decay_factor * frequency * (sine_amplitude * c - oscillator->position * s);
    return (struct scree_oscillator_state){position, slope - decay * position};
}

void scree_oscillator_predict_lagged(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i)
        memcpy(out[i].velocity, batch->grain[i].velocity, sizeof out[i].velocity);
}
