// Builds the walls of a scene, see build.h, with one function per shape.

#include "build/build.h"
#include "build/free_wall.h"
#include "build/wall_mesh.h"

#include <scree/group.h>
#include <scree/servo.h>
#include <scree/wall.h>

#include <string.h>

static bool read_plane(struct scree_reading *reading, const struct scree_node *map,
                       struct scree_wall_def *def)
{
    const bool good = scree_reading_vector(reading, map, SCREE_KEY_plane_point, def->plane.point);
    return scree_reading_vector(reading, map, SCREE_KEY_plane_normal, def->plane.normal) && good;
}

static bool read_rectangle(struct scree_reading *reading, const struct scree_node *map,
                           struct scree_wall_def *def)
{
    const bool good = scree_reading_vector(reading, map, SCREE_KEY_rectangle_corner, def->rectangle.corner);
    return scree_reading_box(reading, map, SCREE_KEY_rectangle_edges, def->rectangle.edge) && good;
}

static bool read_disk(struct scree_reading *reading, const struct scree_node *map, struct scree_wall_def *def)
{
    bool good = scree_reading_vector(reading, map, SCREE_KEY_wall_disk_centre, def->disk.centre);
    good = scree_reading_vector(reading, map, SCREE_KEY_wall_disk_normal, def->disk.normal) && good;
    good = scree_reading_number(reading, map, SCREE_KEY_wall_disk_radius, &def->disk.radius) && good;
    return scree_reading_number(reading, map, SCREE_KEY_wall_disk_hole, &def->disk.hole) && good;
}

static bool read_side(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                      enum scree_wall_side *side)
{
    size_t word;
    const bool good = scree_reading_word(reading, map, key, &word);
    *side = good && word == 1 ? SCREE_WALL_OUTSIDE : SCREE_WALL_INSIDE;
    return good;
}

static bool read_box(struct scree_reading *reading, const struct scree_node *map, struct scree_wall_def *def)
{
    bool good = scree_reading_vector(reading, map, SCREE_KEY_box_lower, def->box.lower);
    good = scree_reading_vector(reading, map, SCREE_KEY_box_upper, def->box.upper) && good;
    return read_side(reading, map, SCREE_KEY_box_side, &def->box.side) && good;
}

static bool read_cylinder(struct scree_reading *reading, const struct scree_node *map,
                          struct scree_wall_def *def)
{
    bool good = scree_reading_vector(reading, map, SCREE_KEY_cylinder_from, def->cylinder.from);
    good = scree_reading_vector(reading, map, SCREE_KEY_cylinder_to, def->cylinder.to) && good;
    return scree_reading_number(reading, map, SCREE_KEY_cylinder_radius, &def->cylinder.radius) && good;
}

static bool read_cone(struct scree_reading *reading, const struct scree_node *map, struct scree_wall_def *def)
{
    bool good = scree_reading_vector(reading, map, SCREE_KEY_cone_from, def->cone.from);
    good = scree_reading_vector(reading, map, SCREE_KEY_cone_to, def->cone.to) && good;
    return scree_reading_value(reading, map, SCREE_KEY_cone_radii, def->cone.radius) && good;
}

static bool read_sphere(struct scree_reading *reading, const struct scree_node *map,
                        struct scree_wall_def *def)
{
    bool good = scree_reading_vector(reading, map, SCREE_KEY_wall_sphere_centre, def->sphere.centre);
    good = scree_reading_number(reading, map, SCREE_KEY_wall_sphere_radius, &def->sphere.radius) && good;
    return read_side(reading, map, SCREE_KEY_wall_sphere_side, &def->sphere.side) && good;
}

static const struct {
    enum scree_key_id key, material;
    enum scree_wall_shape shape;
    bool (*read)(struct scree_reading *, const struct scree_node *, struct scree_wall_def *);
} shapes[] = {
    {SCREE_KEY_wall_plane, SCREE_KEY_plane_material, SCREE_WALL_PLANE, read_plane},
    {SCREE_KEY_wall_rectangle, SCREE_KEY_rectangle_material, SCREE_WALL_RECTANGLE, read_rectangle},
    {SCREE_KEY_wall_disk, SCREE_KEY_wall_disk_material, SCREE_WALL_DISK, read_disk},
    {SCREE_KEY_wall_box, SCREE_KEY_box_material, SCREE_WALL_BOX, read_box},
    {SCREE_KEY_wall_cylinder, SCREE_KEY_cylinder_material, SCREE_WALL_CYLINDER, read_cylinder},
    {SCREE_KEY_wall_cone, SCREE_KEY_cone_material, SCREE_WALL_CONE, read_cone},
    {SCREE_KEY_wall_sphere, SCREE_KEY_wall_sphere_material, SCREE_WALL_SPHERE, read_sphere},
    {SCREE_KEY_wall_mesh, SCREE_KEY_wall_mesh_material, SCREE_WALL_MESH, NULL},
};

static scree_status build_roughness(struct scree_reading *reading, struct scree_world *world,
                                    const struct scree_node *wall, scree_wall_id id)
{
    const struct scree_node *map = scree_reading_node(wall, SCREE_KEY_wall_rough);
    struct scree_wall_roughness roughness = {0};
    if (!map || !scree_reading_number(reading, map, SCREE_KEY_rough_angle, &roughness.angle) ||
        !scree_reading_whole(reading, map, SCREE_KEY_rough_seed, &roughness.seed))
        return SCREE_OK;
    return scree_reading_report_status(reading, map, scree_wall_set_roughness(world, id, &roughness));
}

static scree_status build_wall(struct scree_reading *reading, struct scree_world *world,
                               const struct scree_node *map)
{
    struct scree_wall_def def = {0};
    struct scree_mesh mesh = {0};
    double pivot[3];
    scree_wall_id id = {0};
    bool good = true;
    if (scree_reading_has(map, SCREE_KEY_wall_pivot)) {
        good = scree_reading_vector(reading, map, SCREE_KEY_wall_pivot, pivot) && good;
        def.pivot = pivot;
    }
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
        const struct scree_node *shape = scree_reading_node(map, shapes[s].key);
        if (!shape)
            continue;
        def.shape = shapes[s].shape;
        SCREE_TRY(scree_build_material(reading, world, shape, shapes[s].material, &def.material));
        good = (shapes[s].read ? shapes[s].read(reading, shape, &def)
                               : scree_build_wall_mesh(reading, shape, &mesh, &def)) &&
               good && def.material.value > 0;
        scree_status status = good ? scree_wall_add(world, &def, &id) : SCREE_OK;
        status = scree_reading_report_status(reading, shape, status);
        if (status == SCREE_OK && id.value > 0 && scree_reading_has(map, SCREE_KEY_wall_free))
            status = scree_build_free_wall(reading, world, map, &def, id);
        scree_mesh_free(&mesh);
        if (status == SCREE_OK && id.value > 0)
            status = build_roughness(reading, world, map, id);
        if (status == SCREE_OK && id.value > 0)
            status = scree_build_wall_motion(reading, world, id);
        return status == SCREE_OK && good
                   ? scree_build_group_wall(reading, world, map, SCREE_KEY_wall_group, id)
                   : status;
    }
    return SCREE_OK;
}

// Sets the servo of the first group of an entry.
static scree_status build_servo(struct scree_reading *reading, struct scree_world *world,
                                const struct scree_node *entry)
{
    const struct scree_node *map = scree_reading_node(entry, SCREE_KEY_wall_servo);
    struct scree_servo_state state;
    scree_group_id group;
    const char *name;
    size_t word;
    if (scree_reading_count(entry, SCREE_KEY_wall_group) == 0 ||
        !scree_reading_name(reading, entry, SCREE_KEY_wall_group, 0, &name, &word) ||
        scree_group_find(world, name, &group) != SCREE_OK)
        return reading->values.status;
    if (scree_servo_get(world, group, &state) == SCREE_OK) {
        scree_reading_report(reading, map,
                             "the group '%.40s' has a servo already; one servo moves all walls of a group",
                             name);
        return SCREE_OK;
    }
    return scree_build_servo(reading, world, map, group);
}

scree_status scree_build_walls(struct scree_reading *reading, struct scree_world *world)
{
    const struct scree_node *walls = scree_reading_node(reading->root, SCREE_KEY_scene_walls);
    for (size_t k = 0; walls && k < walls->count; ++k)
        SCREE_TRY(build_wall(reading, world, walls->item[k]));
    // servos after all walls, since they act on whole groups
    for (size_t k = 0; walls && k < walls->count; ++k)
        if (scree_reading_has(walls->item[k], SCREE_KEY_wall_servo))
            SCREE_TRY(build_servo(reading, world, walls->item[k]));
    return SCREE_OK;
}
