// A hopper: grains fall into a tube on a funnel with a closed outlet, come to rest, and flow out when the
// outlet is opened. The forces on the walls are printed during the run.

#include <scree/scree.h>

#include <math.h>
#include <stdio.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        if ((call) != SCREE_OK) {                                                                            \
            fprintf(stderr, "%s\n", scree_status_message());                                                 \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

enum { GRAINS = 300, LAYER = 25 };

struct hopper {
    struct scree_world *world;
    scree_material_id glass, steel;
    scree_wall_id tube, funnel, lid, floor;
    scree_body_id grain[GRAINS];
};

// The stiffness is far below that of real glass: longer steps, the same flow.
static int add_materials(struct hopper *hopper)
{
    struct scree_world *world = hopper->world;
    TRY(scree_material_add(world, &(struct scree_material_def){"glass", 2500}, &hopper->glass));
    TRY(scree_material_set(world, hopper->glass, "young", 2e7));
    TRY(scree_material_set(world, hopper->glass, "poisson", 0.25));
    TRY(scree_material_add(world, &(struct scree_material_def){"steel", 7800}, &hopper->steel));
    TRY(scree_material_set(world, hopper->steel, "young", (double)INFINITY));
    TRY(scree_material_set(world, hopper->steel, "poisson", 0.3));
    const struct scree_interaction_value glass_steel[] = {{"friction", 0.3, NULL},
                                                          {"restitution", 0.6, NULL}};
    const struct scree_interaction_value glass_glass[] = {
        {"friction", 0.5, NULL}, {"restitution", 0.8, NULL}, {"rolling-friction", 0.02, NULL}};
    TRY(scree_interaction_add(world,
                              &(struct scree_interaction_def){.between = {hopper->glass, hopper->steel},
                                                              .law = "hertz-mindlin",
                                                              .values = glass_steel,
                                                              .count = 2}));
    TRY(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hertz-mindlin", .values = glass_glass, .count = 3}));
    return 0;
}

static int add_walls(struct hopper *hopper)
{
    const struct scree_wall_def tube = {
        .shape = SCREE_WALL_CYLINDER,
        .material = hopper->steel,
        .cylinder = {.from = {0, 0, 0.035}, .to = {0, 0, 0.3}, .radius = 0.04}};
    const struct scree_wall_def funnel = {
        .shape = SCREE_WALL_CONE,
        .material = hopper->steel,
        .cone = {.from = {0, 0, 0}, .to = {0, 0, 0.035}, .radius = {0.02, 0.04}}};
    const struct scree_wall_def lid = {
        .shape = SCREE_WALL_DISK, .material = hopper->steel, .disk = {.normal = {0, 0, 1}, .radius = 0.02}};
    const struct scree_wall_def floor = {.shape = SCREE_WALL_PLANE,
                                         .material = hopper->steel,
                                         .plane = {.point = {0, 0, -0.1}, .normal = {0, 0, 1}}};
    TRY(scree_wall_add(hopper->world, &tube, &hopper->tube));
    TRY(scree_wall_add(hopper->world, &funnel, &hopper->funnel));
    TRY(scree_wall_add(hopper->world, &lid, &hopper->lid));
    TRY(scree_wall_add(hopper->world, &floor, &hopper->floor));
    return 0;
}

// Layers of 5 by 5 grains above the funnel, each rotated relative to the one below.
static int add_grains(struct hopper *hopper)
{
    for (int n = 0; n < GRAINS; ++n) {
        const double x = 0.0115 * (n % 5 - 2), y = 0.0115 * (n / 5 % 5 - 2), angle = 0.4 * (n / LAYER);
        const struct scree_sphere_def grain = {.radius = 0.004 + 0.0005 * (n * 7 % 3),
                                               .material = hopper->glass,
                                               .position = {x * cos(angle) - y * sin(angle),
                                                            x * sin(angle) + y * cos(angle),
                                                            0.05 + 0.0105 * (n / LAYER)}};
        TRY(scree_body_add_sphere(hopper->world, &grain, &hopper->grain[n]));
    }
    return 0;
}

static int report(struct hopper *hopper, bool closed)
{
    const scree_wall_id wall[] = {hopper->tube, hopper->funnel, hopper->floor, hopper->lid};
    double down[4] = {0}, total = 0;
    for (int w = 0; w < (closed ? 4 : 3); ++w) {
        double force[3];
        TRY(scree_wall_load(hopper->world, wall[w], force, NULL));
        down[w] = 0 - force[2];
        total += down[w];
    }
    int inside = 0;
    for (int n = 0; n < GRAINS; ++n) {
        struct scree_body_state state;
        TRY(scree_body_get(hopper->world, hopper->grain[n], &state));
        inside += state.position[2] > 0;
    }
    printf("%5.2f   %6d   %8.4f %8.4f %8.4f %8.4f %8.4f\n", scree_world_time(hopper->world), inside, down[0],
           down[1], down[3], down[2], total);
    return 0;
}

int main(void)
{
    static struct hopper hopper;
    TRY(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, &hopper.world));
    if (add_materials(&hopper) || add_walls(&hopper) || add_grains(&hopper))
        return 1;
    struct scree_engine *engine;
    TRY(scree_soft_create(hopper.world, &(struct scree_soft_def){.threads = 1}, &engine));

    printf("                 force down on the walls, N\n"
           "    s   inside       tube   funnel      lid    floor    total\n");
    for (int k = 1; k <= 3; ++k) {
        TRY(scree_engine_run_until(engine, 0.2 * k));
        if (report(&hopper, true))
            return 1;
    }
    double weight = 0;
    for (int n = 0; n < GRAINS; ++n) {
        struct scree_body_state state;
        TRY(scree_body_get(hopper.world, hopper.grain[n], &state));
        weight += 9.81 * state.mass;
    }
    printf("the grains weigh %.4f N; the lid is removed\n", weight);
    TRY(scree_wall_remove(hopper.world, hopper.lid));
    for (int k = 1; k <= 5; ++k) {
        TRY(scree_engine_run_until(engine, 0.6 + 0.1 * k));
        if (report(&hopper, false))
            return 1;
    }

    struct scree_energy energy;
    TRY(scree_energy_get(hopper.world, &energy));
    printf("lost to friction %.4f J and to dashpots %.4f J; energy error %.0e J\n", energy.friction,
           energy.dashpot, energy.balance);
    scree_engine_destroy(engine);
    scree_world_destroy(hopper.world);
    return 0;
}
