// Worlds of polyhedra, polygons and concave bodies of polyhedra in contact with each other, with spheres, and
// with walls or a mesh that move.
//
// Invariants: equal descriptions give equal worlds. Bodies of about 0.2 m lie on a grid of 0.19 m in random
// orientations and move towards its centre at about 1 m/s, by a fifth of their size in 40 steps of 1 ms:
// contacts begin and end. A run fails if it ends with few contacts of a kind of its description.

#ifndef SCREE_TESTS_SHAPED_WORLD_H
#define SCREE_TESTS_SHAPED_WORLD_H

#include "determinism/touching.h"

enum { SHAPED_STEPS = 40, SHAPED_SHAPES = 3 };

// Description of a world.
struct shaped {
    const char *name;
    int dimension;
    const char *law;
    bool concave;   // every second body has two parts that are boxes
    bool spheres;   // two of five bodies are spheres, in two dimensions disks
    bool mesh;      // a mesh of facets that moves and turns, with ridges and valleys, in place of walls
    bool automatic; // automatic step
    unsigned side;  // of the grid, in bodies; 0 means 4
};

static const double shaped_rounding = 0.02, shaped_spacing = 0.19, shaped_density = 30;

// --- bodies

static inline unsigned shaped_side(const struct shaped *s)
{
    return s->side > 0 ? s->side : 4;
}

// The lower side of the grid, half a distance below the lowest bodies.
static inline double shaped_end(const struct shaped *s)
{
    return -0.5 * shaped_spacing * shaped_side(s);
}

static inline bool shaped_is_round(const struct shaped *s, uint64_t body)
{
    return s->spheres && body % 5 % 2 == 1;
}

// A box, a wedge and an irregular octahedron; in two dimensions a rectangle, a triangle and a pentagon.
static inline scree_status shaped_shapes(struct scree_world *world, bool flat, scree_shape_id *shape)
{
    static const double wedge[][3] = {{-0.1, -0.09, -0.08}, {0.1, -0.08, -0.08}, {0, 0.12, -0.08},
                                      {-0.1, -0.09, 0.08},  {0.1, -0.08, 0.08},  {0, 0.12, 0.08}},
                        octahedron[][3] = {{-0.12, 0.01, 0},   {0.11, 0, 0.02},     {0.02, -0.12, -0.01},
                                           {-0.01, 0.1, 0.01}, {0.01, 0.02, -0.11}, {0, -0.02, 0.12}},
                        triangle[][3] = {{-0.1, -0.09, 0}, {0.1, -0.08, 0}, {0, 0.12, 0}},
                        pentagon[][3] = {{-0.11, 0.02, 0},
                                         {-0.06, -0.1, 0},
                                         {0.07, -0.09, 0},
                                         {0.1, 0.03, 0},
                                         {0, 0.11, 0}};
    const struct scree_polyhedron_shape_def second = {.vertex = flat ? triangle : wedge,
                                                      .vertices = flat ? 3 : 6,
                                                      .rounding = shaped_rounding},
                                            third = {.vertex = flat ? pentagon : octahedron,
                                                     .vertices = flat ? 5 : 6,
                                                     .rounding = shaped_rounding};
    SCREE_TRY(scree_polyhedron_add_box(world, (const double[3]){0.2, 0.17, flat ? 0 : 0.15}, shaped_rounding,
                                       &shape[0]));
    SCREE_TRY(scree_polyhedron_add_shape(world, &second, &shape[1]));
    return scree_polyhedron_add_shape(world, &third, &shape[2]);
}

// Position, orientation, velocity and spin of a body on its place of the grid.
static inline struct scree_rigid_def shaped_place(const struct shaped *s, uint64_t body)
{
    const unsigned side = shaped_side(s);
    const uint64_t place[3] = {body % side, body / side % side, body / (side * side)};
    struct scree_rigid_def def = {.orientation = {1}};
    touching_vector(body, 1, 1, def.velocity);
    touching_vector(body, 4, 5, def.spin);
    touching_vector(body, 7, 1, &def.orientation[1]);
    for (int k = 0; k < 3; ++k) {
        def.position[k] = shaped_spacing * ((double)place[k] - 0.5 * (side - 1));
        def.velocity[k] += def.position[k] / shaped_end(s);
    }
    if (s->dimension == 2)
        def.position[2] = def.velocity[2] = def.spin[0] = def.spin[1] = def.orientation[1] =
            def.orientation[2] = 0;
    return def;
}

static inline scree_status shaped_add_round(struct scree_world *world, bool flat, scree_material_id material,
                                            const struct scree_rigid_def *at)
{
    scree_body_id id;
    struct scree_sphere_def ball = {.radius = 0.1, .material = material};
    struct scree_disk_def disk = {.radius = 0.1, .thickness = 0.1, .material = material, .spin = at->spin[2]};
    memcpy(ball.position, at->position, sizeof ball.position);
    memcpy(ball.velocity, at->velocity, sizeof ball.velocity);
    memcpy(ball.spin, at->spin, sizeof ball.spin);
    memcpy(disk.position, at->position, sizeof disk.position);
    memcpy(disk.velocity, at->velocity, sizeof disk.velocity);
    return flat ? scree_body_add_disk(world, &disk, &id) : scree_body_add_sphere(world, &ball, &id);
}

// An L of two boxes, from the sum of their mass properties.
static inline scree_status shaped_add_concave(struct scree_world *world, scree_material_id material,
                                              const struct scree_rigid_def *at)
{
    struct scree_pebble part[2] = {{.offset = {0, -0.05, 0}}, {.offset = {-0.05, 0.04, 0}}};
    struct scree_shape_mass mass;
    struct scree_clump_def def = {.body = *at};
    scree_body_id id;
    def.body.material = material;
    SCREE_TRY(
        scree_polyhedron_add_box(world, (const double[3]){0.2, 0.08, 0.1}, shaped_rounding, &part[0].shape));
    SCREE_TRY(
        scree_polyhedron_add_box(world, (const double[3]){0.09, 0.1, 0.1}, shaped_rounding, &part[1].shape));
    SCREE_TRY(scree_shape_mass_clump(world, part, 2, &mass));
    SCREE_TRY(scree_shape_place_clump(&mass, shaped_density, part, 2, &def));
    return scree_body_add_clump(world, &def, &id);
}

static inline scree_status shaped_bodies(const struct shaped *s, struct scree_world *world,
                                         scree_material_id material)
{
    const bool flat = s->dimension == 2;
    scree_shape_id shape[SHAPED_SHAPES];
    SCREE_TRY(shaped_shapes(world, flat, shape));
    const unsigned side = shaped_side(s);
    for (uint64_t body = 0; body < side * side * (flat ? 1 : side); ++body) {
        const struct scree_rigid_def at = shaped_place(s, body);
        struct scree_polyhedron_def def = {
            .shape = shape[body / 2 % SHAPED_SHAPES], .material = material, .thickness = flat ? 0.1 : 0};
        scree_body_id id;
        memcpy(def.position, at.position, sizeof def.position);
        memcpy(def.orientation, at.orientation, sizeof def.orientation);
        memcpy(def.velocity, at.velocity, sizeof def.velocity);
        memcpy(def.spin, at.spin, sizeof def.spin);
        if (shaped_is_round(s, body))
            SCREE_TRY(shaped_add_round(world, flat, material, &at));
        else if (s->concave && body % 2 == 0)
            SCREE_TRY(shaped_add_concave(world, material, &at));
        else
            SCREE_TRY(scree_polyhedron_add(world, &def, &id));
    }
    return SCREE_OK;
}

// --- walls

// A container that cuts the outermost bodies, and a sphere in the middle of a side.
static inline scree_status shaped_walls(const struct shaped *s, struct scree_world *world,
                                        scree_material_id material)
{
    const double end = shaped_end(s), z = s->dimension == 2 ? 0 : end;
    const struct scree_wall_def wall[] = {
        {.shape = SCREE_WALL_BOX,
         .box = {.lower = {end, end + 0.02, z}, .upper = {-end, -end, -z}, .side = SCREE_WALL_INSIDE},
         .velocity = {0.1, 0.2, 0}},
        {.shape = SCREE_WALL_SPHERE,
         .sphere = {{-end - 0.04, 0.05, 0}, 0.08, SCREE_WALL_OUTSIDE},
         .velocity = {-1, 0, 0},
         .spin = {0, 0, 3}}};
    for (size_t w = 0; w < sizeof wall / sizeof wall[0]; ++w) {
        struct scree_wall_def def = wall[w];
        scree_wall_id id;
        def.material = material;
        SCREE_TRY(scree_wall_add(world, &def, &id));
    }
    return SCREE_OK;
}

// A grid of ridges and valleys below the bodies, which rises and turns.
static inline scree_status shaped_mesh(const struct shaped *s, struct scree_world *world,
                                       scree_material_id material)
{
    enum { CELLS = 4, LINE = CELLS + 1 };
    double vertex[LINE * LINE][3];
    uint32_t facet[2 * CELLS * CELLS][3];
    const double end = shaped_end(s), pivot[3] = {0.1, end, 0};
    scree_wall_id id;
    for (uint32_t v = 0; v < LINE * LINE; ++v) {
        vertex[v][0] = 0.6 * end * (0.5 * CELLS - (double)(v % LINE));
        vertex[v][1] = end + 0.1 * touching_draw(v, 20) - 0.01;
        vertex[v][2] = 0.6 * end * (0.5 * CELLS - (double)(v / LINE));
    }
    for (uint32_t f = 0; f < 2 * CELLS * CELLS; ++f) {
        const uint32_t v = f / 2 % CELLS + f / 2 / CELLS * LINE;
        const uint32_t corners[2][3] = {{v, v + LINE, v + 1}, {v + 1, v + LINE, v + LINE + 1}};
        memcpy(facet[f], corners[f % 2], sizeof facet[f]);
    }
    return scree_wall_add(world,
                          &(struct scree_wall_def){.shape = SCREE_WALL_MESH,
                                                   .material = material,
                                                   .mesh = {.vertex = (const double(*)[3])vertex,
                                                            .vertices = LINE * LINE,
                                                            .facet = (const uint32_t(*)[3])facet,
                                                            .facets = 2 * CELLS * CELLS,
                                                            .smooth_angle = 0.2},
                                                   .velocity = {0.3, 2, 0},
                                                   .spin = {0.3, 1, -0.2},
                                                   .pivot = pivot},
                          &id);
}

// --- worlds

// Most overlaps stay below the sum of the roundings, some cores overlap.
static inline scree_status shaped_rules(struct scree_world *world, const char *law,
                                        scree_material_id *material)
{
    const struct touching rule = {.law = law};
    SCREE_TRY(scree_material_add(world, &(struct scree_material_def){"stone", shaped_density}, material));
    SCREE_TRY(scree_material_set(world, *material, "young", 1e5));
    SCREE_TRY(scree_material_set(world, *material, "poisson", 0.3));
    return touching_rule(world, &rule, law, 0, 0);
}

static inline scree_status shaped_fill(const struct shaped *s, struct scree_world *world)
{
    scree_material_id material;
    SCREE_TRY(shaped_rules(world, s->law, &material));
    SCREE_TRY(shaped_bodies(s, world, material));
    return s->mesh ? shaped_mesh(s, world, material) : shaped_walls(s, world, material);
}

// A world in which the bodies of its description do not touch would compare nothing.
static inline scree_status shaped_check(const struct shaped *s, const struct scree_world *world)
{
    enum { MOST = 4000 };
    static struct scree_contact contact[MOST];
    size_t count, at_wall = 0, mixed = 0, parts = 0, round_at_wall = 0;
    SCREE_TRY(scree_contact_list(world, contact, MOST, &count));
    for (size_t c = 0; c < count && c < MOST; ++c) {
        const uint64_t *id[2] = {&contact[c].body[0].value, &contact[c].body[1].value};
        const bool wall = contact[c].wall.value > 0, round = shaped_is_round(s, *id[0] - 1);
        at_wall += wall;
        round_at_wall += wall && round;
        mixed += !wall && round != shaped_is_round(s, *id[1] - 1);
        parts += contact[c].part[0] > 0 && contact[c].part[1] > 0;
    }
    if (at_wall > 2 && count > at_wall + 10 && (mixed > 2 || !s->spheres) && (parts > 2 || !s->concave) &&
        (round_at_wall > 0 || !s->spheres || !s->mesh))
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "'%s' has few contacts: %zu, %zu at walls, of these %zu of round bodies; %zu of a "
        "round body and a polyhedron, %zu of two parts",
        s->name, count, at_wall, round_at_wall, mixed, parts);
}

static inline scree_status shaped_steps(const struct shaped *s, struct scree_world *world, int threads,
                                        struct scree_engine **engine)
{
    // no alarms: some overlaps are deep
    const struct scree_soft_def def = {
        .step = s->automatic ? 0 : 1e-3,
        .threads = threads,
        .alarms = {.policy = {[SCREE_ALARM_STEP] = SCREE_ALARM_IGNORE}, .overlap = 1e9, .displacement = 1e9}};
    SCREE_TRY(scree_soft_create(world, &def, engine));
    SCREE_TRY(scree_engine_run(*engine, SHAPED_STEPS));
    return shaped_check(s, world);
}

// Runs a new world and returns the digest.
static inline scree_status shaped_run(const struct shaped *s, int threads, struct scree_digest *digest)
{
    struct scree_world *world = NULL;
    struct scree_engine *engine = NULL;
    scree_status status = scree_world_create(
        &(struct scree_world_def){.dimension = s->dimension, .gravity = {0.5, -9.81}}, &world);
    if (status == SCREE_OK)
        status = shaped_fill(s, world);
    if (status == SCREE_OK)
        status = shaped_steps(s, world, threads, &engine);
    if (status == SCREE_OK)
        status = scree_world_digest(world, digest);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return status;
}

#endif
