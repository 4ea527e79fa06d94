// A dense bed of grains, see bed.h.

#include "support/bed.h"

#include "world/grain.h"

enum { GRAINS_PER_SIDE = 4 };

static const double spacing = 0.125, side_length = GRAINS_PER_SIDE * 0.125;

static void add_walls(const struct scree_bed *bed, struct scree_world *world, scree_material_id material)
{
    scree_wall_id id;
    const bool flat = bed->dimension == 2;
    struct scree_wall_def box = {
        .shape = SCREE_WALL_BOX,
        .material = material,
        .box = {.upper = {side_length, side_length, flat ? 0 : side_length}, .side = SCREE_WALL_INSIDE}};
    if (bed->periodic)
        for (int k = 1; k < (flat ? 2 : 3); ++k)
            for (int end = 0; end < 2; ++end) {
                struct scree_wall_def plane = {.shape = SCREE_WALL_PLANE, .material = material};
                plane.plane.point[k] = end * side_length;
                plane.plane.normal[k] = end ? -1 : 1;
                assert_ok(scree_wall_add(world, &plane, &id));
            }
    else
        assert_ok(scree_wall_add(world, &box, &id));
    struct scree_wall_def plate = {
        .shape = SCREE_WALL_PLANE,
        .material = material,
        .plane = {.point = {0, bed->overlapping ? 0.002 : -0.01, 0}, .normal = {0, 1, 0}},
        .velocity = {0.3, 0.7, flat ? 0 : -0.2},
        .spin = {0, 0, 0.2}};
    if (bed->plate)
        assert_ok(scree_wall_add(world, &plate, &id));
}

static unsigned fixed_components(const struct scree_bed *bed, int number)
{
    const bool flat = bed->dimension == 2;
    if (!bed->fixed || (number != 5 && number != 10))
        return 0;
    return number == 5 ? SCREE_FIX_ALL : (unsigned)SCREE_FIX_X | (flat ? 0u : (unsigned)SCREE_FIX_SPIN_Y);
}

// Adds a rigid body with the mass and moments of inertia of the given ball, which carries either one ball of
// the same radius or two smaller balls with the same total extent.
static void add_carrier(const struct scree_bed *bed, struct scree_world *world,
                        const struct scree_sphere_def *ball)
{
    scree_body_id id;
    uint64_t grain;
    const bool flat = bed->dimension == 2;
    const double area = 3.14159265358979323846 * ball->radius * ball->radius;
    const double mass = 2000 * area * (flat ? 0.08 : 4.0 / 3 * ball->radius);
    const double moment = (flat ? 0.5 : 0.4) * mass * ball->radius * ball->radius;
    struct scree_rigid_def def = {.mass = mass, .material = ball->material, .fixed = ball->fixed};
    if (flat)
        def.polar = moment;
    for (int k = 0; k < 3; ++k) {
        def.position[k] = flat && k == 2 ? 0 : ball->position[k];
        def.velocity[k] = flat && k == 2 ? 0 : ball->velocity[k];
        def.spin[k] = flat && k < 2 ? 0 : ball->spin[k];
        def.inertia[k] = flat ? 0 : bed->carried == 2 && k == 0 ? 0.7 * moment : moment;
    }
    assert_ok(scree_body_add_rigid(world, &def, &id));
    const double offset = bed->carried == 2 ? 0.3 * ball->radius : 0;
    for (int sign = 1; sign >= (bed->carried == 2 ? -1 : 1); sign -= 2)
        assert_ok(scree_grain_add(world, id, ball->radius - offset, (const double[3]){sign * offset, 0, 0},
                                  &grain));
}

static void add_grain(const struct scree_bed *bed, struct scree_world *world, scree_material_id material,
                      const int cell[3], int number, uint64_t *seed)
{
    scree_body_id id;
    struct scree_sphere_def grain = {.radius = (bed->overlapping ? 0.0625 : 0.055) *
                                               (1 + 0.02 * splitmix_signed(seed)),
                                     .material = material,
                                     .fixed = fixed_components(bed, number)};
    for (int k = 0; k < 3; ++k) {
        grain.position[k] = spacing * (cell[k] + 0.5) + 0.001 * splitmix_signed(seed);
        grain.velocity[k] = splitmix_signed(seed);
        grain.spin[k] = 5 * splitmix_signed(seed);
    }
    if (bed->carried > 0) {
        add_carrier(bed, world, &grain);
        return;
    }
    const struct scree_disk_def disk = {.radius = grain.radius,
                                        .thickness = 0.08,
                                        .material = material,
                                        .position = {grain.position[0], grain.position[1]},
                                        .velocity = {grain.velocity[0], grain.velocity[1]},
                                        .spin = grain.spin[2],
                                        .fixed = grain.fixed};
    assert_ok(bed->dimension == 2 ? scree_body_add_disk(world, &disk, &id)
                                  : scree_body_add_sphere(world, &grain, &id));
}

void scree_bed_build(const struct scree_bed *bed, struct scree_world **world)
{
    const bool flat = bed->dimension == 2;
    struct scree_world_def def = {.dimension = bed->dimension};
    def.gravity[flat ? 1 : 2] = bed->gravity;
    assert_ok(scree_world_create(&def, world));
    scree_material_id material;
    assert_ok(scree_material_add(*world, &(struct scree_material_def){.name = "grain", .density = 2000},
                                 &material));
    assert_ok(scree_material_set(*world, material, "young", 1e8));
    assert_ok(scree_material_set(*world, material, "poisson", 0.3));
    size_t count = 0;
    while (bed->values[count].name)
        ++count;
    assert_ok(scree_interaction_add(
        *world, &(struct scree_interaction_def){.law = bed->law, .values = bed->values, .count = count}));
    if (bed->periodic)
        assert_ok(
            scree_cell_set(*world, &(struct scree_cell_def){.upper = {side_length, side_length, side_length},
                                                            .periodic = {true, false, false}}));
    add_walls(bed, *world, material);
    uint64_t seed = 3;
    int number = 0;
    for (int x = 0; x < GRAINS_PER_SIDE; ++x)
        for (int y = 0; y < GRAINS_PER_SIDE; ++y)
            for (int z = 0; z < (flat ? 1 : GRAINS_PER_SIDE); ++z)
                add_grain(bed, *world, material, (const int[3]){x, y, z}, ++number, &seed);
    scree_load_id load;
    if (bed->loads)
        assert_ok(scree_load_add(
            *world, &(struct scree_load_def){.force = {1, -2, 0}, .moment = {0, 0, 0.02}}, &load));
}

void scree_bed_engine(const struct scree_bed *bed, struct scree_world *world, struct scree_engine **engine)
{
    // no alarm where a wall ends at a periodic face: energies must balance there too
    assert_ok(scree_soft_create(
        world,
        &(struct scree_soft_def){.step = bed->step,
                                 .threads = bed->threads ? bed->threads : 1,
                                 .alarms = {.policy = {[SCREE_ALARM_FACE] = SCREE_ALARM_IGNORE}}},
        engine));
}
