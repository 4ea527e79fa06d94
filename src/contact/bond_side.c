// The sides of a bond, see bond_side.h.

#include "contact/bond_side.h"

struct scree_bond_end scree_bond_side_of_wall(const struct scree_wall *wall,
                                              const struct scree_bond_anchor *anchor)
{
    const struct scree_wall_motion motion = scree_wall_motion_now(wall);
    struct scree_bond_end end;
    end.orientation = scree_quat_load(wall->orientation);
    end.centre = scree_bond_wall_point(wall, anchor);
    end.motion.spin = scree_vec3_load(motion.spin);
    end.motion.velocity = scree_vec3_add(
        scree_vec3_load(motion.velocity),
        scree_vec3_cross(end.motion.spin, scree_vec3_sub(end.centre, scree_vec3_load(wall->pivot))));
    return end;
}

static bool find_second(const struct scree_world *world, uint32_t row, struct scree_bond_one *one)
{
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    uint32_t slot;
    one->side[1] = NULL;
    one->wall = NULL;
    if (sides->wall == 0) {
        one->side[1] = scree_bond_grain(world, sides, 1);
        if (one->side[1])
            one->end[1] = scree_bond_side_of_grain(one->side[1], scree_world_rotors(world));
        return one->side[1] != NULL;
    }
    if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, sides->wall, &slot))
        return false;
    one->wall = scree_wall_row(world, slot);
    one->end[1] = scree_bond_side_of_wall(one->wall, &scree_bond_anchors(world)[row]);
    return true;
}

bool scree_bond_side_evaluate(const struct scree_world *world, uint32_t row, struct scree_bond_one *one)
{
    const struct scree_bond_spring *spring = &scree_bond_springs(world)[row];
    struct scree_images_room room;
    const struct scree_images images = scree_images_now(world, &room);
    one->id = scree_bond_ids(world)[row];
    one->side[0] = scree_bond_grain(world, &scree_bond_sides(world)[row], 0);
    if (!one->side[0] || !find_second(world, row, one))
        return false;
    one->end[0] = scree_bond_side_of_grain(one->side[0], scree_world_rotors(world));
    one->between = scree_bond_side_between(&one->end[0], &one->end[1], &images);
    const struct scree_bond_place place = {{one->end[0].orientation, one->end[1].orientation}, one->between};
    one->elastic = scree_bond_law_elastic(spring, &place);
    one->rates = scree_bond_law_rates(spring, &one->elastic, &one->end[0].motion, &one->end[1].motion);
    one->kept = scree_bond_damages(world) ? 1 - scree_bond_damages(world)[row].damage : 1;
    return true;
}

void scree_bond_side_move_wall(const struct scree_world *world, uint32_t row, const struct scree_wall *moved,
                               struct scree_bond_one *one)
{
    one->end[1] = scree_bond_side_of_wall(moved, &scree_bond_anchors(world)[row]);
    one->rates = scree_bond_law_rates(&scree_bond_springs(world)[row], &one->elastic, &one->end[0].motion,
                                      &one->end[1].motion);
}

double scree_bond_side_wall_power(const struct scree_bond_one *one)
{
    const struct scree_bond_motion *wall = &one->end[1].motion;
    const struct scree_vec3 velocity =
        scree_vec3_add(wall->velocity, scree_vec3_cross(wall->spin, one->elastic.arm[1]));
    return one->kept * (scree_vec3_dot(scree_vec3_add(one->elastic.force, one->rates.force), velocity) +
                        scree_vec3_dot(scree_vec3_add(one->elastic.couple, one->rates.couple), wall->spin));
}
