// Worlds of spheres or disks in contact with each other and with walls, with any law; some bodies may be
// clumps, and bodies may be bonded.
//
// Invariants: equal descriptions give equal worlds. Moduli are about 1e3 Pa; bodies lie in and around a cube
// of 2 m, with overlaps up to their own size; in 100 steps, a body at 1 m/s moves by three of the
// smallest radii.

#ifndef SCREE_TESTS_TOUCHING_WORLD_H
#define SCREE_TESTS_TOUCHING_WORLD_H

#include "base/status.h"
#include "law/law.h"

#include <scree/scree.h>

#include <math.h>
#include <string.h>

enum { TOUCHING_MATERIALS = 3 };

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
    bool clumps;        // every third body is a clump of three pebbles that overlap
    bool bonds;         // of every kind, some of which break in 30 steps
    enum {
        TOUCHING_STILL,
        TOUCHING_SHEAR, // of a box, without gravity; the cell vectors change in 30 steps
        TOUCHING_MIXED, // of a skewed cell, with a gradient that depends on time, in the form `newton`
        TOUCHING_SERVO, // of a box, by stresses and a rate
        TOUCHING_LAYER, // of a box that is not periodic along y, between a wall at rest and one of the cell
    } deforms;
};

// A description with most of these options.
#define TOUCHING_EVERYTHING(count)                                                                           \
    {                                                                                                        \
        .name = "everything", .bodies = (count), .resists = true, .walls = true, .periodic = true,           \
        .loads = true, .damped = true, .fixed = true, .insert_delete = true, .oriented = true, .rigid = true \
    }

// Clumps and bonds that break, with most options.
#define TOUCHING_CLUMPS_AND_BONDS(count)                                                                     \
    {                                                                                                        \
        .name = "clumps-and-bonds", .bodies = (count), .resists = true, .walls = true, .periodic = true,     \
        .loads = true, .damped = true, .fixed = true, .insert_delete = true, .rigid = true, .clumps = true,  \
        .bonds = true                                                                                        \
    }

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

// A clump within the sphere that would be in its place, of other materials than its own.
static inline scree_status touching_add_clump(struct scree_world *world, const struct touching *t,
                                              uint64_t body)
{
    const bool flat = touching_dimension(t) == 2;
    const double r = touching_radius(t, body), mass = 100 * r * r * r;
    const struct scree_pebble pebble[] = {
        {.offset = {-0.3 * r, 0.1 * r, 0}, .radius = 0.6 * r, .material = {1}},
        {.offset = {0.4 * r, 0.1 * r, flat ? 0 : 0.1 * r}, .radius = 0.5 * r, .material = {2}},
        {.offset = {0, -0.4 * r, 0}, .radius = 0.55 * r}};
    struct scree_clump_def def = {
        .body = {.mass = mass, .material = {1 + body % TOUCHING_MATERIALS}},
        .pebble = pebble,
        .pebbles = 3,
        .equal_radius = 0.8 * r,
    };
    scree_body_id id;
    touching_position(t, body, def.body.position);
    touching_vector(body, 4, 1, def.body.velocity);
    touching_vector(body, 7, 1 / r, def.body.spin);
    def.body.orientation[0] = 1;
    touching_vector(body, 11, 1, &def.body.orientation[1]);
    if (flat) {
        def.body.polar = 0.3 * mass * r * r;
        def.body.velocity[2] = def.body.spin[0] = def.body.spin[1] = 0;
        def.body.orientation[1] = def.body.orientation[2] = 0;
    } else
        for (int k = 0; k < 3; ++k)
            def.body.inertia[k] = (0.3 + 0.05 * k) * mass * r * r;
    if (t->fixed && body % 11 < 3)
        def.body.fixed = (const unsigned[]){SCREE_FIX_ALL, SCREE_FIX_X, SCREE_FIX_SPIN}[body % 11];
    return scree_body_add_clump(world, &def, &id);
}

static inline scree_status touching_add(struct scree_world *world, const struct touching *t, uint64_t body)
{
    scree_body_id id;
    if (t->rigid && body % 7 == 3)
        return touching_add_rigid(world, t, body);
    if (t->clumps && body % 3 == 1)
        return touching_add_clump(world, t, body);
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

// The bond between two bodies; strains of 0.1 make stresses of 100 Pa.
static inline struct scree_bond_def touching_bond(const struct touching *t, uint64_t a, uint64_t b)
{
    const bool flat = touching_dimension(t) == 2;
    const double r = touching_smallest_radius(t), strength = 150 * touching_draw(a * 1000 + b, 90);
    struct scree_bond_def def = {.kind = SCREE_BOND_CONTACT + (enum scree_bond_kind)((a + b) % 4),
                                 .side = {{.body = {a}}, {.body = {b}}},
                                 .damping_ratio = a % 3 == 0 ? 0.1 : 0,
                                 .softening = b % 3 == 0 ? 1.5 : 0,
                                 .tensile_strength = strength};
    for (int s = 0; s < 2; ++s)
        def.side[s].part = t->clumps && def.side[s].body.value % 3 == 1 ? 1 + (unsigned)((a + b) % 3) : 0;
    if (def.kind == SCREE_BOND_CONTACT) {
        def.normal_stiffness = 300 * r;
        def.shear_stiffness = 100 * r;
        def.tensile_strength *= r * r;
        return def;
    }
    def.radius = 0.5 * r;
    def.thickness = flat ? r : 0;
    def.young = 1000;
    def.ignores_moments = true;
    def.bending_strength = 2 * strength;
    if (def.kind == SCREE_BOND_PARALLEL) {
        def.stiffness_ratio = 2;
        def.shear_strength = strength;
        def.friction_angle = 0.5;
    } else if (def.kind == SCREE_BOND_TIMOSHENKO || !flat)
        def.shear_modulus = 400;
    def.shear_factor = def.kind == SCREE_BOND_TIMOSHENKO ? 0.9 : 0;
    return def;
}

// Bonds bodies with close ids that are near each other.
static inline scree_status touching_bonds(struct scree_world *world, const struct touching *t)
{
    const double reach = 6 * touching_smallest_radius(t);
    for (uint64_t a = 1; a <= t->bodies; ++a)
        for (uint64_t b = a + 1; b <= t->bodies && b < a + 30; ++b) {
            const struct scree_bond_def def = touching_bond(t, a, b);
            double at[2][3], square = 0;
            scree_bond_id id;
            touching_position(t, a, at[0]);
            touching_position(t, b, at[1]);
            for (int k = 0; k < 3; ++k)
                square += (at[1][k] - at[0][k]) * (at[1][k] - at[0][k]);
            if (square < reach * reach && !(t->rigid && (a % 7 == 3 || b % 7 == 3)))
                SCREE_TRY(scree_bond_add(world, &def, &id));
        }
    return SCREE_OK;
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

static inline void touching_gradient(void *user, double time, double gradient[9])
{
    static const double mixed[9] = {1, 6, 0, -2, -1.5, 0.5, 0, 3, 0.2};
    const bool flat = *(const int *)user == 2;
    for (int k = 0; k < 9; ++k)
        gradient[k] = flat && (k % 3 == 2 || k > 5) ? 0 : mixed[k] * (1 + 2 * time);
}

static inline scree_status touching_drive(const struct touching *t, struct scree_world *world)
{
    static int dimension[4] = {0, 1, 2, 3};
    return t->deforms == TOUCHING_MIXED
               ? scree_cell_set_drive(
                     world, &(struct scree_cell_drive_def){.function = touching_gradient,
                                                           .user = &dimension[touching_dimension(t)]})
               : SCREE_OK;
}

static inline scree_status touching_layer(struct scree_world *world, bool flat)
{
    const double gradient[9] = {0, 8, 0, 0, -2, 0, 0, flat ? 0 : 3, 0};
    for (int upper = 0; upper < 2; ++upper) {
        const struct scree_wall_def def = {
            .shape = SCREE_WALL_PLANE,
            .material = {1},
            .plane = {.point = {0, upper ? 1.5 : -1, 0}, .normal = {0, upper ? -1 : 1, 0}}};
        scree_wall_id id;
        SCREE_TRY(scree_wall_add(world, &def, &id));
        SCREE_TRY(scree_wall_set_in_cell(world, id, upper));
    }
    return scree_cell_deform(world, gradient);
}

static inline scree_status touching_deform(const struct touching *t, struct scree_world *world)
{
    if (t->deforms == TOUCHING_SHEAR)
        return scree_cell_deform(world, (const double[9]){0, 8});
    if (t->deforms == TOUCHING_SERVO) {
        const bool flat = touching_dimension(t) == 2;
        SCREE_TRY(scree_cell_set_servo(world,
                                       &(struct scree_cell_servo_def){.controlled = {true, true, [4] = !flat},
                                                                      .stress = {2000, -300, [4] = 1000},
                                                                      .common = !flat,
                                                                      .rate = 3,
                                                                      .every = 4}));
        return scree_cell_deform(world, flat ? (const double[9]){[4] = -2} : (const double[9]){[8] = -2});
    }
    if (t->deforms == TOUCHING_LAYER)
        return touching_layer(world, touching_dimension(t) == 2);
    SCREE_TRY(scree_cell_set_form(world, SCREE_CELL_NEWTON));
    return touching_drive(t, world);
}

static inline scree_status touching_fill(const struct touching *t, struct scree_world *world)
{
    const bool flat = touching_dimension(t) == 2;
    scree_load_id load;
    SCREE_TRY(touching_rules(world, t));
    if (t->periodic)
        SCREE_TRY(scree_cell_set(world, &(struct scree_cell_def){.lower = {-1, -1, -1},
                                                                 .upper = {1, 1.5, 1},
                                                                 .periodic = {true, flat, !flat}}));
    if (t->deforms == TOUCHING_SHEAR || t->deforms == TOUCHING_SERVO)
        SCREE_TRY(scree_cell_set(world, &(struct scree_cell_def){.lower = {-1, -1, -1},
                                                                 .upper = {1, 1.5, 1},
                                                                 .periodic = {true, true, !flat}}));
    if (t->deforms == TOUCHING_LAYER)
        SCREE_TRY(scree_cell_set(world, &(struct scree_cell_def){.lower = {-1, -1, -1},
                                                                 .upper = {1, 1.5, 1},
                                                                 .periodic = {true, false, !flat}}));
    if (t->deforms == TOUCHING_MIXED)
        SCREE_TRY(scree_cell_set_vectors(world, (const double[3]){-1, -1, -1},
                                         (const double[9]){2, 0.1, 0, 0.8, 2.2, 0.2, -0.3, 0.4, 2}));
    for (uint64_t body = 1; body <= t->bodies; ++body)
        SCREE_TRY(touching_add(world, t, body));
    if (t->deforms)
        SCREE_TRY(touching_deform(t, world));
    if (t->bonds)
        SCREE_TRY(touching_bonds(world, t));
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
    const bool falls = !t->deforms || t->deforms == TOUCHING_LAYER;
    SCREE_TRY(scree_world_create(&(struct scree_world_def){.dimension = touching_dimension(t),
                                                           .gravity = {falls ? 0.5 : 0, falls ? -9.81 : 0},
                                                           .sphere_orientation = t->oriented},
                                 world));
    const scree_status status = touching_fill(t, *world);
    if (status != SCREE_OK) {
        scree_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

#endif
