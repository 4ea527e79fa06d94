// Worlds of spheres or disks in contact with each other and with walls, with any law, and variants of running
// them. No variant may change a bit of the digest.
//
// Invariants: equal descriptions give equal worlds. Moduli are about 1e3 Pa; bodies lie in and around a cube
// of 2 m, with overlaps up to their own size; in 100 steps, a body at 1 m/s moves by three of the
// smallest radii.

#ifndef SCREE_TESTS_TOUCHING_H
#define SCREE_TESTS_TOUCHING_H

#include "base/processor.h"
#include "base/status.h"
#include "engine/soft.h"
#include "law/law.h"

#include <scree/scree.h>

#include <math.h>
#include <string.h>

enum { TOUCHING_MATERIALS = 3, TOUCHING_INTERVAL = 4 };

// Description of a world.
struct touching {
    const char *name;
    int dimension;   // 0 means 3
    const char *law; // of all pairs; null: several laws by pair of materials, one of them "none"
    unsigned bodies;
    double ratio; // of the largest radius to the smallest; 0 means 1.5
    bool resists; // rolling and twisting resistance
    bool walls;   // of every shape, all moving
    bool periodic;
    bool loads;          // one on a single body, and a function
    bool constant_loads; // one constant load on all bodies, one on a single body
    bool damped;         // damping of all bodies, and other damping of some
    bool own_damping;    // damping of some bodies only
    bool fixed;
    bool insert_delete; // bodies are added, removed, moved, given velocities and fixed; walls are added,
                        // removed and moved
    bool oriented;      // orientations are integrated
    bool automatic;     // automatic step
    bool rigid;         // some rigid bodies without a surface
    bool giant;         // the first body has 50 times the smallest radius, and the others lie on it
};

// A description with most of these options.
#define TOUCHING_EVERYTHING(count)                                                                           \
    {                                                                                                        \
        .name = "everything", .bodies = (count), .resists = true, .walls = true, .periodic = true,           \
        .loads = true, .damped = true, .fixed = true, .insert_delete = true, .oriented = true, .rigid = true \
    }

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

// A pseudo-random number in [0, 1), a function of body and draw.
static inline double touching_draw(uint64_t body, uint64_t draw)
{
    uint64_t x = body * UINT64_C(0x9E3779B97F4A7C15) + draw * UINT64_C(0xD1B54A32D192ED03) + 1;
    for (int round = 0; round < 3; ++round) {
        x ^= x >> 31;
        x *= UINT64_C(0x7FB5D329728EA185);
    }
    return (double)(x >> 11) * 0x1p-53;
}

// Components between -size and size, from three draws beginning with `draw`.
static inline void touching_vector(uint64_t body, uint64_t draw, double size, double *out)
{
    for (uint64_t k = 0; k < 3; ++k)
        out[k] = size * (2 * touching_draw(body, draw + k) - 1);
}

static inline int touching_dimension(const struct touching *t)
{
    return t->dimension == 2 ? 2 : 3;
}

// Up to a size ratio of 4, bodies fill a quarter of the volume or a third of the area.
static inline double touching_smallest_radius(const struct touching *t)
{
    const double count = t->bodies > 0 ? t->bodies : 1;
    double side = 1;
    if (t->ratio > 4)
        return 0.25 / t->ratio;
    if (touching_dimension(t) == 2)
        return 0.25 * sqrt(4 / count);
    // a cube root without libm, whose bits depend on the machine
    for (int n = 0; n < 40; ++n)
        side -= (side * side * side - 8 / count) / (3 * side * side);
    return 0.31 * side;
}

static inline double touching_step(const struct touching *t)
{
    return 0.03 * touching_smallest_radius(t);
}

static inline double touching_radius(const struct touching *t, uint64_t body)
{
    const double ratio = t->ratio > 0 ? t->ratio : 1.5, u = touching_draw(body, 0);
    if (t->giant && body == 1)
        return 50 * touching_smallest_radius(t);
    if (ratio <= 4)
        return touching_smallest_radius(t) * (1 + (ratio - 1) * u);
    // every 32nd body is one of the largest; the others have all sizes up to 0.4 ratio
    return touching_smallest_radius(t) *
           (body % 32 == 1 ? ratio * (0.8 + 0.2 * u) : 1 + (0.4 * ratio - 1) * u * u * u * u);
}

static inline bool touching_has_parameter(const struct scree_contact_law *law, const char *name)
{
    for (const struct scree_law_parameter *p = law->parameters; p->name; ++p)
        if (strcmp(p->name, name) == 0)
            return true;
    return false;
}

static inline scree_status touching_rule(struct scree_world *world, const struct touching *t,
                                         const char *name, uint64_t a, uint64_t b)
{
    const double r = touching_smallest_radius(t);
    const struct scree_interaction_value all[] = {{"friction", 0.4, NULL},
                                                  {"stiffness", 1e3 * r, NULL},
                                                  {"restitution", 0.7, NULL},
                                                  {"cohesion", 100, NULL},
                                                  {"work-of-adhesion", 10 * r, NULL}};
    struct scree_interaction_value values[9] = {{0}};
    size_t count = 0;
    const struct scree_contact_law *law = NULL;
    for (size_t l = 0; scree_law_at(l); ++l)
        if (strcmp(scree_law_at(l)->name, name) == 0)
            law = scree_law_at(l);
    for (size_t v = 0; law && v < sizeof all / sizeof all[0]; ++v)
        // a law with properties computes its stiffness from them
        if (touching_has_parameter(law, all[v].name) &&
            !(law->properties && strcmp(all[v].name, "stiffness") == 0))
            values[count++] = all[v];
    if (law && t->resists && touching_has_parameter(law, "friction")) {
        values[count++] = (struct scree_interaction_value){"rolling-friction", 0.1, NULL};
        values[count++] = (struct scree_interaction_value){"rolling-damping", 0.2, NULL};
        values[count++] = (struct scree_interaction_value){"twisting-friction", 0.1, NULL};
        values[count++] = (struct scree_interaction_value){"twisting-damping", 0.2, NULL};
    }
    return scree_interaction_add(
        world, &(struct scree_interaction_def){
                   .between = {{a}, {b}}, .law = name, .values = count > 0 ? values : NULL, .count = count});
}

static inline scree_status touching_rules(struct scree_world *world, const struct touching *t)
{
    static const char *const names[TOUCHING_MATERIALS] = {"first", "second", "third"};
    for (int m = 0; m < TOUCHING_MATERIALS; ++m) {
        scree_material_id id;
        SCREE_TRY(scree_material_add(world, &(struct scree_material_def){names[m], 30 + 5 * m}, &id));
        SCREE_TRY(scree_material_set(world, id, "young", 1000 + 300 * m));
        SCREE_TRY(scree_material_set(world, id, "poisson", 0.3 - 0.05 * m));
    }
    if (t->law)
        return touching_rule(world, t, t->law, 0, 0);
    const bool flat = touching_dimension(t) == 2;
    SCREE_TRY(touching_rule(world, t, flat ? "plastic" : "hertz-mindlin", 1, 1));
    SCREE_TRY(touching_rule(world, t, flat ? "plastic" : "jkr", 1, 2));
    SCREE_TRY(touching_rule(world, t, "none", 2, 2));
    return touching_rule(world, t, "linear", 0, 0);
}

static inline void touching_position(const struct touching *t, uint64_t body, double *position)
{
    touching_vector(body, 1, 1, position);
    // three of four small bodies touch the large body before them
    if (t->ratio > 4 && body % 32 != 1 && body % 4 != 0) {
        const uint64_t large = body - (body - 1) % 32;
        double direction[3], length = 0;
        touching_vector(body, 1, 1, direction);
        direction[2] = touching_dimension(t) == 2 ? 0 : direction[2];
        for (int k = 0; k < 3; ++k)
            length += direction[k] * direction[k];
        touching_vector(large, 1, 1, position);
        const double distance =
            touching_radius(t, large) + touching_radius(t, body) * (touching_draw(body, 30) + 0.2);
        for (int k = 0; k < 3; ++k)
            position[k] += distance / sqrt(length) * direction[k];
    }
    if (touching_dimension(t) == 2)
        position[2] = 0;
    if (t->giant && body == 1) {
        position[0] = position[2] = 0;
        position[1] = -1 - 0.9 * touching_radius(t, body);
    }
}

static inline scree_status touching_add_rigid(struct scree_world *world, const struct touching *t,
                                              uint64_t body)
{
    scree_body_id id;
    struct scree_rigid_def def = {.mass = 1};
    touching_position(t, body, def.position);
    if (touching_dimension(t) == 2)
        def.polar = 0.1;
    else
        memcpy(def.inertia, (const double[3]){0.1, 0.12, 0.14}, sizeof def.inertia);
    def.spin[2] = 1;
    return scree_body_add_rigid(world, &def, &id);
}

static inline scree_status touching_add(struct scree_world *world, const struct touching *t, uint64_t body)
{
    scree_body_id id;
    if (t->rigid && body % 7 == 3)
        return touching_add_rigid(world, t, body);
    struct scree_sphere_def ball = {.radius = touching_radius(t, body),
                                    .material = {1 + body % TOUCHING_MATERIALS}};
    touching_position(t, body, ball.position);
    touching_vector(body, 4, 1, ball.velocity);
    touching_vector(body, 7, 1 / ball.radius, ball.spin);
    if (t->fixed && body % 11 < 3)
        ball.fixed =
            (const unsigned[]){SCREE_FIX_ALL, SCREE_FIX_X | SCREE_FIX_SPIN_Z, SCREE_FIX_SPIN}[body % 11];
    if (touching_dimension(t) == 3)
        SCREE_TRY(scree_body_add_sphere(world, &ball, &id));
    else
        SCREE_TRY(
            scree_body_add_disk(world,
                                &(struct scree_disk_def){.radius = ball.radius,
                                                         .thickness = ball.radius,
                                                         .material = ball.material,
                                                         .position = {ball.position[0], ball.position[1]},
                                                         .velocity = {ball.velocity[0], ball.velocity[1]},
                                                         .spin = ball.spin[2],
                                                         .fixed = ball.fixed},
                                &id));
    return (t->damped || t->own_damping) && body % 5 == 0 ? scree_body_set_damping(world, id, 0.3, 0.5)
                                                          : SCREE_OK;
}

static inline scree_status touching_walls(struct scree_world *world, bool flat)
{
    const double z = flat ? 0 : 1;
    const struct scree_wall_def walls[] = {
        {.shape = SCREE_WALL_BOX,
         .box = {.lower = {-1.1, -1.1, -1.1 * z}, .upper = {1.1, 1.1, 1.1 * z}, .side = SCREE_WALL_INSIDE}},
        {.shape = SCREE_WALL_PLANE, .plane = {{0, -1, 0}, {0.1, 1, 0.2 * z}}},
        {.shape = SCREE_WALL_RECTANGLE, .rectangle = {{-0.9, 0.3, -0.5}, {{0.6, 0.2, 0}, {0, 0, 1}}}},
        {.shape = SCREE_WALL_DISK, .disk = {{0.6, 0.5, 0}, {1, 0.5, 0.3 * z}, 0.4, 0.1}},
        {.shape = SCREE_WALL_BOX,
         .box = {.lower = {-0.6, -0.6, -0.1 * z},
                 .upper = {-0.4, -0.3, 0.1 * z},
                 .orientation = {1, 0, 0, 0.3},
                 .side = SCREE_WALL_OUTSIDE}},
        {.shape = SCREE_WALL_CYLINDER, .cylinder = {{0.1, -0.7, 0}, {0.5, -0.6, 0.3 * z}, 0.2}},
        {.shape = SCREE_WALL_CONE, .cone = {{0.2, 0.1, 0}, {0.2, 0.6, 0.2 * z}, {0.3, 0.1}}},
        {.shape = SCREE_WALL_SPHERE, .sphere = {{0.7, -0.2, 0}, 0.15, SCREE_WALL_OUTSIDE}},
        {.shape = SCREE_WALL_SPHERE, .sphere = {{0, 0, 0}, 1.5, SCREE_WALL_INSIDE}},
    };
    for (uint64_t w = 0; w < sizeof walls / sizeof walls[0]; ++w) {
        struct scree_wall_def def = walls[w];
        scree_wall_id id;
        def.material.value = 1 + w % TOUCHING_MATERIALS;
        touching_vector(1000 + w, 1, 0.4, def.velocity);
        touching_vector(1000 + w, 4, 0.8, def.spin);
        if (flat)
            def.velocity[2] = def.spin[0] = def.spin[1] = 0;
        SCREE_TRY(scree_wall_add(world, &def, &id));
    }
    return SCREE_OK;
}

static inline scree_status touching_load_function(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k) {
            batch->force[i][k] -= batch->mass[i] * (5 * batch->position[i][k] + batch->velocity[i][k]);
            batch->moment[i][k] -= 1e-3 * batch->mass[i] * batch->spin[i][k] * (1 + batch->time);
        }
    return SCREE_OK;
}

static const struct scree_load_def touching_load = {.function = touching_load_function, .threaded = true};

static inline scree_status touching_fill(const struct touching *t, struct scree_world *world)
{
    const bool flat = touching_dimension(t) == 2;
    scree_load_id load;
    SCREE_TRY(touching_rules(world, t));
    if (t->periodic)
        SCREE_TRY(scree_cell_set(world, &(struct scree_cell_def){.lower = {-1, -1, -1},
                                                                 .upper = {1, 1.5, 1},
                                                                 .periodic = {true, flat, !flat}}));
    for (uint64_t body = 1; body <= t->bodies; ++body)
        SCREE_TRY(touching_add(world, t, body));
    if (t->walls)
        SCREE_TRY(touching_walls(world, flat));
    if (!t->loads && !t->constant_loads)
        return SCREE_OK;
    const struct scree_load_def one = {.body = {1}, .force = {0.1, 0.2}, .moment = {0, 0, 0.01}};
    const struct scree_load_def all = {.force = {-0.2, 0.1}, .moment = {0, 0, 0.01}};
    SCREE_TRY(scree_load_add(world, &one, &load));
    return scree_load_add(world, t->loads ? &touching_load : &all, &load);
}

static inline scree_status touching_build(const struct touching *t, struct scree_world **world)
{
    SCREE_TRY(scree_world_create(&(struct scree_world_def){.dimension = touching_dimension(t),
                                                           .gravity = {0.5, -9.81},
                                                           .sphere_orientation = t->oriented},
                                 world));
    const scree_status status = touching_fill(t, *world);
    if (status != SCREE_OK) {
        scree_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

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
    // no alarms: large overlaps and displacements, and walls at periodic faces, are intended here
    const struct scree_soft_def def = {
        .step = t->automatic ? 0 : touching_step(t),
        .damping = {t->damped ? 0.2 : 0, 0},
        .threads = variant->threads > 0 ? variant->threads : 1,
        .alarms = {
            .policy = {[SCREE_ALARM_STEP] = SCREE_ALARM_IGNORE, [SCREE_ALARM_FACE] = SCREE_ALARM_IGNORE},
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
    if (status == SCREE_OK)
        status = scree_world_digest(world, digest);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return status;
}

#endif
