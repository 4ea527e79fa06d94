// Trials with spheres in contact, see balls.h.

#include "balls.h"

#include "algebra.h"
#include "verify.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static scree_status add_materials(struct scree_trial *trial, const struct scree_balls_material *material)
{
    SCREE_TRY(scree_material_add(trial->world,
                                 &(struct scree_material_def){.name = "ball", .density = material->density},
                                 &trial->material));
    SCREE_TRY(scree_material_add(trial->world, &(struct scree_material_def){.name = "rigid", .density = 1},
                                 &trial->rigid));
    if (material->young == 0)
        return SCREE_OK;
    SCREE_TRY(scree_material_set(trial->world, trial->material, "young", material->young));
    SCREE_TRY(scree_material_set(trial->world, trial->material, "poisson", material->poisson));
    SCREE_TRY(scree_material_set(trial->world, trial->rigid, "young", (double)INFINITY));
    return scree_material_set(trial->world, trial->rigid, "poisson", 0);
}

scree_status scree_balls_begin(struct scree_trial *trial, const struct scree_balls_material *material,
                               const struct scree_balls_law *law, double gravity)
{
    size_t count = 0;
    while (count < sizeof law->values / sizeof law->values[0] && law->values[count].name)
        ++count;
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.gravity = {0, 0, gravity}}));
    trial->density = material->density;
    SCREE_TRY(add_materials(trial, material));
    return scree_interaction_add(trial->world, &(struct scree_interaction_def){
                                                   .law = law->name, .values = law->values, .count = count});
}

// A ball as a clump of one pebble.
static scree_status add_clump(struct scree_trial *trial, const struct scree_sphere_def *ball)
{
    const struct scree_pebble pebble = {.radius = ball->radius};
    const double mass = trial->density * scree_balls_volume(ball->radius),
                 inertia = 0.4 * mass * ball->radius * ball->radius;
    struct scree_clump_def def = {.body = {.mass = mass,
                                           .inertia = {inertia, inertia, inertia},
                                           .material = ball->material,
                                           .fixed = ball->fixed},
                                  .pebble = &pebble,
                                  .pebbles = 1,
                                  .equal_radius = ball->radius};
    memcpy(def.body.position, ball->position, sizeof def.body.position);
    memcpy(def.body.velocity, ball->velocity, sizeof def.body.velocity);
    memcpy(def.body.spin, ball->spin, sizeof def.body.spin);
    return scree_body_add_clump(trial->world, &def, &trial->body);
}

scree_status scree_balls_add(struct scree_trial *trial, const struct scree_sphere_def *def)
{
    struct scree_sphere_def ball = *def;
    ball.material = trial->material;
    if (trial->clumps)
        return add_clump(trial, &ball);
    return scree_body_add_sphere(trial->world, &ball, &trial->body);
}

// Rings of triangles around the point, each half as large as the next, so that balls of all sizes near the
// point touch facets that are smaller than they are, and larger ones.
static scree_status add_disk(struct scree_trial *trial, const double point[3], const double normal[3])
{
    enum { CORNERS = 7, RINGS = 24 };
    double vertex[1 + CORNERS * RINGS][3], axis[2][3];
    uint32_t facet[CORNERS * (2 * RINGS - 1)][3];
    const double other[3] = {fabs(normal[0]) < 0.6, fabs(normal[0]) >= 0.6, 0};
    size_t facets = 0;
    scree_algebra_cross(normal, other, axis[0]);
    scree_algebra_cross(normal, axis[0], axis[1]);
    const double norms[2] = {scree_algebra_norm(axis[0], 3), scree_algebra_norm(axis[1], 3)};
    memcpy(vertex[0], point, sizeof vertex[0]);
    for (uint32_t v = 0; v < CORNERS * RINGS; ++v) {
        const double radius = ldexp(trial->mesh, (int)(v / CORNERS) + 1 - RINGS),
                     angle = 2 * pi * (v % CORNERS + 0.3 * (v / CORNERS)) / CORNERS;
        for (int k = 0; k < 3; ++k)
            vertex[1 + v][k] =
                point[k] + radius * (cos(angle) * axis[0][k] / norms[0] + sin(angle) * axis[1][k] / norms[1]);
    }
    for (uint32_t v = 0; v < CORNERS * RINGS; ++v) {
        const uint32_t next = v % CORNERS == CORNERS - 1 ? v + 1 - CORNERS : v + 1;
        const uint32_t inner[3] = {v < CORNERS ? 0 : 1 + v - CORNERS, 1 + v, 1 + next},
                       outer[3] = {1 + v - CORNERS, 1 + next, 1 + next - CORNERS};
        memcpy(facet[facets++], inner, sizeof inner);
        if (v >= CORNERS)
            memcpy(facet[facets++], outer, sizeof outer);
    }
    const struct scree_wall_def def = {.shape = SCREE_WALL_MESH,
                                       .material = trial->rigid,
                                       .mesh = {.vertex = (const double(*)[3])vertex,
                                                .vertices = 1 + CORNERS * RINGS,
                                                .facet = (const uint32_t(*)[3])facet,
                                                .facets = facets}};
    return scree_wall_add(trial->world, &def, &trial->wall);
}

scree_status scree_balls_plane(struct scree_trial *trial, const double point[3], const double normal[3])
{
    if (trial->mesh > 0)
        return add_disk(trial, point, normal);
    struct scree_wall_def def = {.shape = SCREE_WALL_PLANE, .material = trial->rigid};
    memcpy(def.plane.point, point, sizeof def.plane.point);
    memcpy(def.plane.normal, normal, sizeof def.plane.normal);
    return scree_wall_add(trial->world, &def, &trial->wall);
}

scree_status scree_balls_floor(struct scree_trial *trial)
{
    return scree_balls_plane(trial, (const double[3]){0, 0, 0}, (const double[3]){0, 0, 1});
}

scree_status scree_balls_start(struct scree_trial *trial, double step, int threads)
{
    // springs are soft, to allow long steps: no alarm for overlaps below a radius
    const struct scree_soft_def def = {.step = step, .threads = threads, .alarms = {.overlap = 1}};
    return scree_soft_create(trial->world, &def, &trial->engine);
}

double scree_balls_volume(double radius)
{
    return 4.0 / 3 * pi * radius * radius * radius;
}

struct scree_balls_hertz scree_balls_hertz(const struct scree_balls_material *material, bool rigid,
                                           double radius, double mass, double speed)
{
    const double modulus = material->young / (1 - material->poisson * material->poisson) / (rigid ? 1 : 2);
    const double stiffness = 4.0 / 3 * modulus * sqrt(radius);
    const double overlap = pow(1.25 * mass * speed * speed / stiffness, 0.4);
    // the factor is 4/5 B(2/5, 1/2)
    return (struct scree_balls_hertz){overlap, stiffness * overlap * sqrt(overlap),
                                      2.94327518432470 * overlap / speed};
}
