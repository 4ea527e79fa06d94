// Builds the rigid bodies of a scene, see build.h.
//
// Rigid bodies have no contacts. A scene with a rigid body and contact laws is refused, since the body would
// pass through others.

#include "build/build.h"
#include "math/quat.h"
#include "world/body.h"

#include <scree/body.h>
#include <scree/world.h>

#include <string.h>

// Returns true if the scene or one of its stages has contacts.
static bool has_contacts(const struct scree_reading *reading)
{
    bool has = scree_reading_has(reading->root, SCREE_KEY_scene_contacts);
    for (size_t k = 1; k <= scree_reading_stages(reading); ++k)
        has = has || scree_reading_has(scree_reading_stage(reading, k), SCREE_KEY_stage_contacts);
    return has;
}

// Sets the spin of a body from its angular momentum.
static scree_status set_momentum(struct scree_world *world, scree_body_id id, const double momentum[3])
{
    struct scree_body_state state;
    double spin[3];
    SCREE_TRY(scree_body_get(world, id, &state));
    if (scree_world_dimension(world) == 2)
        memcpy(spin, (double[3]){momentum[0], momentum[1], momentum[2] / state.inertia[2]}, sizeof spin);
    else
        scree_vec3_store(
            scree_body_spin(scree_quat_load(state.orientation), state.inertia, scree_vec3_load(momentum)),
            spin);
    return scree_body_set_spin(world, id, spin);
}

scree_status scree_build_rigid(struct scree_reading *reading, struct scree_world *world,
                               const struct scree_node *map)
{
    struct scree_rigid_def def = {.fixed = scree_build_bodies_fixed(reading, map, SCREE_KEY_rigid_fixed)};
    const bool has_momentum = scree_reading_has(map, SCREE_KEY_rigid_momentum);
    double momentum[3];
    bool good = scree_reading_number(reading, map, SCREE_KEY_rigid_mass, &def.mass);
    good = (scree_reading_has(map, SCREE_KEY_rigid_polar)
                ? scree_reading_number(reading, map, SCREE_KEY_rigid_polar, &def.polar)
                : scree_reading_vector(reading, map, SCREE_KEY_rigid_inertia, def.inertia)) &&
           good;
    good = scree_reading_vector(reading, map, SCREE_KEY_rigid_at, def.position) && good;
    good = scree_reading_orientation(reading, scree_reading_node(map, SCREE_KEY_rigid_orientation),
                                     def.orientation) &&
           good;
    good = scree_reading_vector(reading, map, SCREE_KEY_rigid_velocity, def.velocity) && good;
    good = scree_reading_vector(reading, map, SCREE_KEY_rigid_spin, def.spin) && good;
    good = (!has_momentum || scree_reading_vector(reading, map, SCREE_KEY_rigid_momentum, momentum)) && good;
    if (has_contacts(reading)) {
        scree_reading_report(reading, map,
                             "a rigid body has no contacts and would pass through other bodies: leave "
                             "'contacts' out of this scene, or use a sphere, a clump or a polyhedron");
        good = false;
    }
    if (!good)
        return SCREE_OK;
    scree_body_id id = {0};
    SCREE_TRY(scree_reading_report_status(reading, map, scree_body_add_rigid(world, &def, &id)));
    if (id.value == 0 || !has_momentum)
        return SCREE_OK;
    return scree_reading_report_status(reading, map, set_momentum(world, id, momentum));
}
