// Scenes of spheres in contact, see balls.h.

#include "balls.h"

#include "verify.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static scree_status add_materials(struct scree_balls *balls, const struct scree_balls_material *material)
{
    SCREE_VERIFY_TRY(scree_material_add(
        balls->world, &(struct scree_material_def){.name = "ball", .density = material->density},
        &balls->material));
    SCREE_VERIFY_TRY(scree_material_add(
        balls->world, &(struct scree_material_def){.name = "rigid", .density = 1}, &balls->rigid));
    if (material->young == 0)
        return SCREE_OK;
    SCREE_VERIFY_TRY(scree_material_set(balls->world, balls->material, "young", material->young));
    SCREE_VERIFY_TRY(scree_material_set(balls->world, balls->material, "poisson", material->poisson));
    SCREE_VERIFY_TRY(scree_material_set(balls->world, balls->rigid, "young", (double)INFINITY));
    return scree_material_set(balls->world, balls->rigid, "poisson", 0);
}

scree_status scree_balls_begin(struct scree_balls *balls, const struct scree_balls_material *material,
                               const struct scree_balls_law *law, const double *gravity)
{
    struct scree_world_def def = {.sphere_orientation = false};
    for (int k = 0; k < 3 && gravity; ++k)
        def.gravity[k] = gravity[k];
    SCREE_VERIFY_TRY(scree_world_create(&def, &balls->world));
    SCREE_VERIFY_TRY(add_materials(balls, material));
    size_t count = 0;
    while (count < sizeof law->values / sizeof law->values[0] && law->values[count].name)
        ++count;
    return scree_interaction_add(balls->world, &(struct scree_interaction_def){
                                                   .law = law->name, .values = law->values, .count = count});
}

void scree_balls_end(struct scree_balls *balls)
{
    scree_engine_destroy(balls->engine);
    scree_world_destroy(balls->world);
    *balls = (struct scree_balls){0};
}

scree_status scree_balls_add(struct scree_balls *balls, const struct scree_sphere_def *def, scree_body_id *id)
{
    struct scree_sphere_def ball = *def;
    scree_body_id unused;
    ball.material = balls->material;
    return scree_body_add_sphere(balls->world, &ball, id ? id : &unused);
}

scree_status scree_balls_plane(struct scree_balls *balls, const double point[3], const double normal[3],
                               scree_wall_id *id)
{
    struct scree_wall_def def = {.shape = SCREE_WALL_PLANE, .material = balls->rigid};
    scree_wall_id unused;
    for (int k = 0; k < 3; ++k) {
        def.plane.point[k] = point[k];
        def.plane.normal[k] = normal[k];
    }
    return scree_wall_add(balls->world, &def, id ? id : &unused);
}

scree_status scree_balls_start_threads(struct scree_balls *balls, double step, int threads)
{
    // springs are soft, to allow long steps; so overlaps up to a radius are not an alarm
    const struct scree_soft_def def = {.step = step, .threads = threads, .alarms = {.overlap = 1}};
    return scree_soft_create(balls->world, &def, &balls->engine);
}

scree_status scree_balls_start(struct scree_balls *balls, double step)
{
    return scree_balls_start_threads(balls, step, 1);
}

double scree_balls_volume(double radius)
{
    return 4.0 / 3 * pi * radius * radius * radius;
}

double scree_balls_modulus(const struct scree_balls_material *material, bool rigid)
{
    return material->young / (1 - material->poisson * material->poisson) / (rigid ? 1 : 2);
}

struct scree_balls_hertz scree_balls_hertz(double stiffness, double mass, double speed)
{
    const double overlap = pow(1.25 * mass * speed * speed / stiffness, 0.4);
    // the factor is 4/5 B(2/5, 1/2)
    return (struct scree_balls_hertz){overlap, stiffness * overlap * sqrt(overlap),
                                      2.94327518432470 * overlap / speed};
}
