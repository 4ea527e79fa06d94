// A thrown spinning plate: gravity, a drag proportional to velocity, and the energy ledger at the end.

#include <scree/scree.h>

#include <stdio.h>

// The load function gets its bodies in batches, with on-step velocities, and adds forces.
static scree_status drag(void *user, const struct scree_load_batch *batch)
{
    const double coefficient = *(const double *)user;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k)
            batch->force[i][k] -= coefficient * batch->velocity[i][k];
    return SCREE_OK;
}

// Every function that can fail returns a status; the message says what was wrong and what would be correct.
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        if ((call) != SCREE_OK) {                                                                            \
            fprintf(stderr, "%s\n", scree_status_message());                                                 \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

int main(void)
{
    struct scree_world *world;
    TRY(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, &world));

    scree_body_id plate;
    TRY(scree_body_add_rigid(world,
                             &(struct scree_rigid_def){.mass = 0.2,
                                                       .inertia = {1e-3, 2e-3, 3e-3},
                                                       .position = {0, 0, 1.5},
                                                       .velocity = {4, 0, 5},
                                                       .spin = {0.1, 12, 0.1}},
                             &plate));
    double coefficient = 0.05;
    scree_load_id load;
    TRY(scree_load_add(world, &(struct scree_load_def){.function = drag, .user = &coefficient}, &load));

    struct scree_engine *engine;
    TRY(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-4}, &engine));
    for (double time = 0.2; time < 1.1; time += 0.2) {
        TRY(scree_engine_run_until(engine, time));
        struct scree_body_state state;
        TRY(scree_body_get(world, plate, &state));
        printf("t %.1f s   x %7.4f m   z %7.4f m   spin (%6.2f, %6.2f, %6.2f) rad/s\n", time,
               state.position[0], state.position[2], state.spin[0], state.spin[1], state.spin[2]);
    }

    struct scree_energy energy;
    TRY(scree_energy_get(world, &energy));
    printf("kinetic %.4f J, potential %.4f J, work of the drag %.4f J, energy error %.0e J\n",
           energy.translation + energy.rotation, energy.gravity, energy.work, energy.balance);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return 0;
}
