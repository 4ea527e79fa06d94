// Variants of running the worlds of touching_world.h. No variant may change a bit of the digest.

#ifndef SCREE_TESTS_TOUCHING_H
#define SCREE_TESTS_TOUCHING_H

#include "base/processor.h"
#include "determinism/touching_world.h"
#include "engine/soft.h"

enum { TOUCHING_INTERVAL = 4 };

// How a world is run.
struct touching_variant {
    int threads;                 // 0 means 1
    double skin;                 // in mean diameters; 0: chosen by the engine
    int sorting;                 // number of searches between sorts; 0: default, -1: never
    int rows;                    // of contacts: 0: default, 1: in every tile with a contact, -1: in no tile
    int instruction_set;         // its number plus 1; 0: the best of the processor
    bool observed;               // callbacks that only read
    bool energies;               // the energy ledger is read in every step and after every run
    const uint64_t *run_lengths; // steps of each run, ended by 0; null: one run
    bool new_engines;            // a new engine for each run
    const char *file;            // restart from this checkpoint before each further run; null: never
    bool shuffled;               // bodies are put in random order in memory before each run
    bool reserve;                // memory for more bodies is reserved before each run
};

// --- changes during the run

// Sets the position of a random body, the velocity of another, and fixes or frees a third.
static inline scree_status touching_edit(struct scree_world *world, const struct touching *t, uint64_t step)
{
    double v[3];
    scree_body_id id = {1 + (uint64_t)(touching_draw(step, 50) * t->bodies)};
    if (scree_body_exists(world, id)) {
        touching_position(t, 3 * step, v);
        SCREE_TRY(scree_body_set_position(world, id, v));
    }
    id.value = 1 + (uint64_t)(touching_draw(step, 51) * t->bodies);
    if (step % 2 == 0 && scree_body_exists(world, id)) {
        touching_vector(step, 52, 2, v);
        v[2] = touching_dimension(t) == 2 ? 0 : v[2];
        SCREE_TRY(scree_body_set_velocity(world, id, v));
    }
    id.value = 1 + (uint64_t)(touching_draw(step, 56) * t->bodies);
    if (step % 3 == 0 && scree_body_exists(world, id))
        SCREE_TRY(scree_body_fix(world, id, step % 2 ? SCREE_FIX_POSITION : 0));
    return SCREE_OK;
}

static inline scree_status touching_insert_delete(struct scree_engine *engine, struct scree_world *world,
                                                  void *user)
{
    const struct touching *t = (const struct touching *)user;
    const uint64_t step = scree_world_steps(world);
    (void)engine;
    // four steps with changes, then four without
    if (step / TOUCHING_INTERVAL % 2)
        return SCREE_OK;
    const scree_body_id removed = {1 + (uint64_t)(touching_draw(step, 40) * t->bodies)};
    SCREE_TRY(touching_add(world, t, t->bodies + 2 * step));
    SCREE_TRY(touching_add(world, t, t->bodies + 2 * step + 1));
    if (scree_body_exists(world, removed))
        SCREE_TRY(scree_body_remove(world, removed));
    SCREE_TRY(touching_edit(world, t, step));
    scree_wall_id wall = {1 + step % 5};
    const double spin[3] = {0, 0, touching_draw(step, 60)};
    if (step % 3 == 1 && scree_wall_exists(world, wall))
        SCREE_TRY(scree_wall_set_spin(world, wall, spin));
    if (t->walls && step % 10 == 9) {
        wall.value = step / 10 + 3;
        if (scree_wall_exists(world, wall))
            SCREE_TRY(scree_wall_remove(world, wall));
        const struct scree_wall_def def = {.shape = SCREE_WALL_SPHERE,
                                           .material = {2},
                                           .sphere = {{spin[2], -spin[2], 0}, 0.1, SCREE_WALL_OUTSIDE}};
        SCREE_TRY(scree_wall_add(world, &def, &wall));
    }
    return SCREE_OK;
}

// A callback that does nothing: with it, no body advances before all forces are known.
static inline scree_status touching_observe(struct scree_engine *engine, struct scree_world *world,
                                            void *user)
{
    (void)engine, (void)world, (void)user;
    return SCREE_OK;
}

static inline scree_status touching_read_energies(struct scree_engine *engine, struct scree_world *world,
                                                  void *user)
{
    struct scree_energy energy;
    (void)engine, (void)user;
    return scree_energy_get(world, &energy);
}

// --- running

static inline scree_status touching_engine(const struct touching *t, const struct touching_variant *variant,
                                           struct scree_world *world, struct scree_engine **engine)
{
    // no alarms: large overlaps and displacements, long bonds, and walls at periodic faces are intended here
    const struct scree_soft_def def = {.step = t->automatic ? 0 : touching_step(t),
                                       .damping = {t->damped ? 0.2 : 0, 0},
                                       .threads = variant->threads > 0 ? variant->threads : 1,
                                       .alarms = {.policy = {[SCREE_ALARM_STEP] = SCREE_ALARM_IGNORE,
                                                             [SCREE_ALARM_FACE] = SCREE_ALARM_IGNORE,
                                                             [SCREE_ALARM_BOND] = SCREE_ALARM_IGNORE},
                                                  .overlap = 1e9,
                                                  .displacement = 1e9}};
    SCREE_TRY(scree_soft_create(world, &def, engine));
    struct scree_search *search = &((struct scree_soft *)(*engine)->self)->collider.search;
    search->prescribed_skin = variant->skin;
    if (variant->sorting != 0)
        search->sort_every = variant->sorting > 0 ? (unsigned)variant->sorting : 0;
    if (variant->rows != 0)
        search->min_touching_per_grain = variant->rows > 0 ? 0 : 1e9;
    if (t->insert_delete)
        SCREE_TRY(scree_engine_set_callback(*engine, SCREE_POINT_INSERT_DELETE, touching_insert_delete,
                                            (void *)(uintptr_t)t, NULL));
    for (int point = 0; variant->observed && point < 100; point += 5)
        SCREE_TRY(scree_engine_set_callback(*engine, point, touching_observe, NULL, NULL));
    return variant->energies
               ? scree_engine_set_callback(*engine, SCREE_POINT_RECORD, touching_read_energies, NULL, NULL)
               : SCREE_OK;
}

// Replaces the world by one read from a checkpoint, which does not contain load functions.
static inline scree_status touching_restart(const struct touching *t, const char *file,
                                            struct scree_world **world)
{
    scree_load_id load;
    SCREE_TRY(scree_checkpoint_write(*world, file));
    scree_world_destroy(*world);
    SCREE_TRY(scree_world_create(NULL, world));
    SCREE_TRY(scree_checkpoint_read(*world, file));
    SCREE_TRY(touching_drive(t, *world));
    return t->loads ? scree_load_add(*world, &touching_load, &load) : SCREE_OK;
}

// Puts the bodies into random slots.
static inline scree_status touching_shuffle(struct scree_world *world, uint64_t seed)
{
    enum { MAX_COUNT = 16384 };
    static uint64_t key[MAX_COUNT];
    const size_t count = scree_body_count(world);
    for (size_t i = 0; i < count && i < MAX_COUNT; ++i)
        key[i] = (uint64_t)(touching_draw(i, 100 + seed) * 0x1p53);
    return count <= MAX_COUNT ? scree_world_sort(world, key, count) : SCREE_ERROR_LIMIT;
}

static inline scree_status touching_run_part(const struct touching_variant *variant,
                                             struct scree_world *world, struct scree_engine *engine,
                                             uint64_t steps)
{
    struct scree_energy energy;
    if (variant->reserve)
        SCREE_TRY(scree_world_reserve(world, 3 * scree_body_count(world) + 100 * scree_world_steps(world)));
    if (variant->shuffled)
        SCREE_TRY(touching_shuffle(world, steps));
    SCREE_TRY(scree_engine_run(engine, steps));
    return variant->energies ? scree_energy_get(world, &energy) : SCREE_OK;
}

// Runs all steps of the variant. The engine of the last run is not destroyed, also after an error.
static inline scree_status touching_steps(const struct touching *t, const struct touching_variant *variant,
                                          struct scree_world **world, uint64_t steps,
                                          struct scree_engine **engine)
{
    const uint64_t one_run[] = {steps, 0};
    const uint64_t *length = variant->run_lengths ? variant->run_lengths : one_run;
    SCREE_TRY(touching_engine(t, variant, *world, engine));
    SCREE_TRY(touching_run_part(variant, *world, *engine, *length));
    while (*++length > 0) {
        if (variant->new_engines || variant->file) {
            scree_engine_destroy(*engine);
            *engine = NULL;
            if (variant->file)
                SCREE_TRY(touching_restart(t, variant->file, world));
            SCREE_TRY(touching_engine(t, variant, *world, engine));
        }
        SCREE_TRY(touching_run_part(variant, *world, *engine, *length));
    }
    return SCREE_OK;
}

// Runs a new world and returns the digest.
static inline scree_status touching_run(const struct touching *t, const struct touching_variant *variant,
                                        uint64_t steps, struct scree_digest *digest)
{
    struct scree_world *world;
    struct scree_engine *engine = NULL;
    SCREE_TRY(touching_build(t, &world));
    scree_processor_choose(variant->instruction_set - 1);
    scree_status status = touching_steps(t, variant, &world, steps, &engine);
    scree_processor_choose(-1);
    if (status == SCREE_OK && t->bonds && (!scree_bond_broken(world, NULL) || !scree_bond_count(world)))
        status = scree_status_fail(SCREE_ERROR_ARGUMENT, "no bond or every bond of '%s' has broken", t->name);
    if (status == SCREE_OK)
        status = scree_world_digest(world, digest);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return status;
}

#endif
