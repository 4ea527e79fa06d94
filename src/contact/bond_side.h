// The sides of a bond: position, orientation and on-step motion of a grain or of the point of a wall, and the
// state of one bond between them.

#ifndef SCREE_CONTACT_BOND_SIDE_H
#define SCREE_CONTACT_BOND_SIDE_H

#include "contact/bond_law.h"
#include "world/bond.h"
#include "world/grain.h"
#include "world/wall.h"

struct scree_bond_end {
    struct scree_vec3 centre; // of the grain, or the point of the wall
    struct scree_quat orientation;
    struct scree_bond_motion motion;
};

// A grain, whose record is up to date.
static inline struct scree_bond_end scree_bond_side_of_grain(const struct scree_grain *grain,
                                                             const struct scree_rotor *rotors)
{
    struct scree_bond_end end;
    end.centre = scree_vec3_load(grain->position);
    end.orientation = scree_quat_load(rotors[grain->owner].orientation);
    end.motion.velocity = scree_vec3_make(grain->velocity[0] + (double)grain->half_kick[0],
                                          grain->velocity[1] + (double)grain->half_kick[1],
                                          grain->velocity[2] + (double)grain->half_kick[2]);
    end.motion.spin = scree_vec3_make(grain->spin[0] + (double)grain->half_twist[0],
                                      grain->spin[1] + (double)grain->half_twist[1],
                                      grain->spin[2] + (double)grain->half_twist[2]);
    return end;
}

// A point of a wall, as a rigid body: motion of the surface along itself does not count.
struct scree_bond_end scree_bond_side_of_wall(const struct scree_wall *wall,
                                              const struct scree_bond_anchor *anchor);

// Vector from the first centre to the second, in the nearest image; a period is infinite where there is none.
static inline struct scree_vec3 scree_bond_side_between(const struct scree_bond_end *first,
                                                        const struct scree_bond_end *second,
                                                        const double period[3])
{
    const struct scree_vec3 d = scree_vec3_sub(second->centre, first->centre);
    return scree_vec3_make(scree_kernel_nearest_image(d.x, period[0]),
                           scree_kernel_nearest_image(d.y, period[1]),
                           scree_kernel_nearest_image(d.z, period[2]));
}

void scree_bond_side_period(const struct scree_world *world, double period[3]);

// The state of a bond, with damage: loads and energies are multiplied by 1 - damage.
struct scree_bond_one {
    uint64_t id;
    struct scree_grain *side[2]; // null for the wall
    struct scree_wall *wall;     // null between bodies
    struct scree_bond_end end[2];
    struct scree_vec3 between;
    struct scree_bond_elastic elastic; // undamaged
    struct scree_bond_rates rates;     // undamaged
    double kept;                       // 1 - damage
};

// Evaluates the bond in a row for the present state. Returns false if a side does not exist.
bool scree_bond_side_evaluate(const struct scree_world *world, uint32_t row, struct scree_bond_one *one);

// Evaluates velocities again for another motion of the wall, whose position is the same.
void scree_bond_side_move_wall(const struct scree_world *world, uint32_t row, const struct scree_wall *moved,
                               struct scree_bond_one *one);

// Power of the moving wall on the bond, W.
double scree_bond_side_wall_power(const struct scree_bond_one *one);

#endif
