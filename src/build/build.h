// Builds a world and its engine from a scene that has passed the check.
//
// Invariants: a mistake in the scene, even if only the world finds it, becomes a diagnostic with its place. A
// function fails only if memory runs out or the caller ends the build.

#ifndef SCREE_BUILD_BUILD_H
#define SCREE_BUILD_BUILD_H

#include "language/clumps.h"
#include "language/polyhedra.h"
#include "language/reading.h"
#include "pack/body.h"
#include "pack/sizes.h"

struct scree_world;
struct scree_engine;
struct scree_damping;

// Builds the world. `world` is null after a failure, and incomplete after a diagnostic.
SCREE_NODISCARD scree_status scree_build_world(struct scree_reading *reading, struct scree_world **world);

// Builds the engine with the settings of the first `stages` stages; `threads` as in struct scree_soft_def.
SCREE_NODISCARD scree_status scree_build_engine(struct scree_reading *reading, struct scree_world *world,
                                                int threads, size_t stages, struct scree_engine **engine);

// --- parts, each in its own file

// Finds the material whose name is the value of a key.
SCREE_NODISCARD scree_status scree_build_material(struct scree_reading *reading,
                                                  const struct scree_world *world,
                                                  const struct scree_node *map, enum scree_key_id key,
                                                  scree_material_id *id);

// Sets gravity, and adds the materials, contact laws and walls of the scene.
SCREE_NODISCARD scree_status scree_build_materials_and_walls(struct scree_reading *reading,
                                                             struct scree_world *world);

// Reports what the engine of the scene cannot use of it. To be called before the world is built.
void scree_build_engine_check_scene(struct scree_reading *reading);

// Reports what the engine of the scene needs and the contact laws do not give, such as a critical time step
// for an automatic step (`step` 0). `contacts` is the scene's list of contacts, or null.
void scree_build_engine_check_contacts(struct scree_reading *reading, const struct scree_world *world,
                                       const struct scree_node *contacts, double step);

// Adds the contact laws of a list, which may be null.
SCREE_NODISCARD scree_status scree_build_contacts(struct scree_reading *reading, struct scree_world *world,
                                                  const struct scree_node *contacts);

// Changes properties of the materials in a map.
SCREE_NODISCARD scree_status scree_build_change_materials(struct scree_reading *reading,
                                                          struct scree_world *world,
                                                          const struct scree_node *materials);

// The time step that a section `engine` gives.
struct scree_build_engine_step {
    double fixed;                  // s; 0: automatic
    double factor;                 // of an automatic step, on the step that the state asks for
    const struct scree_node *node; // where it is given; null: nowhere
};

// Reads the time step; `section` may be null.
void scree_build_engine_step(struct scree_reading *reading, const struct scree_node *section,
                             struct scree_build_engine_step *step);

// Replaces the settings of the engine at the start of a stage by those of its section `engine`.
SCREE_NODISCARD scree_status scree_build_change_engine(struct scree_reading *reading,
                                                       struct scree_engine *engine,
                                                       const struct scree_node *section);

// Returns the policy of an alarm that the scene can set in its section `alarms`.
enum scree_alarm_policy scree_build_engine_policy(struct scree_reading *reading, enum scree_alarm_kind kind);

// Reads damping; `map` may be null.
void scree_build_engine_damping(struct scree_reading *reading, const struct scree_node *map,
                                struct scree_damping *damping);

// Reads a list of degrees of freedom, as bits of enum scree_freedom.
unsigned scree_build_bodies_fixed(struct scree_reading *reading, const struct scree_node *map,
                                  enum scree_key_id key);

// Reads a load; returns false after a diagnostic.
bool scree_build_bodies_load(struct scree_reading *reading, const struct scree_node *map, double force[3],
                             double moment[3]);

SCREE_NODISCARD scree_status scree_build_rigid(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *map);
SCREE_NODISCARD scree_status scree_build_polyhedron(struct scree_reading *reading, struct scree_world *world,
                                                    const struct scree_node *map);
SCREE_NODISCARD scree_status scree_build_blocks(struct scree_reading *reading, struct scree_world *world,
                                                const struct scree_node *map);
SCREE_NODISCARD scree_status scree_build_clump(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *map);

// Reads the thickness of a body, which it has in two dimensions only; `what` names it in messages. Returns
// false after a diagnostic.
bool scree_build_thickness(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                           const char *what, double *thickness);

// Reads how the orientations of clumps are spread; `shape` has their orientation. Returns false after a
// diagnostic.
bool scree_build_spread(struct scree_reading *reading, const struct scree_node *map,
                        struct scree_pack_shape *shape);

// Add the bodies with ids above `after`, or a wall, to the groups that an entry names.
SCREE_NODISCARD scree_status scree_build_group_bodies(struct scree_reading *reading,
                                                      struct scree_world *world, const struct scree_node *map,
                                                      enum scree_key_id key, uint64_t after);
SCREE_NODISCARD scree_status scree_build_group_wall(struct scree_reading *reading, struct scree_world *world,
                                                    const struct scree_node *map, enum scree_key_id key,
                                                    scree_wall_id wall);

// Sets the servo of a group from a map.
SCREE_NODISCARD scree_status scree_build_servo(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *map, scree_group_id group);

// Sets the functions of the servos whose area is a formula, once the world has its bodies, groups and flux
// surfaces; `stage`: the last one whose changes have been applied, 0 for none. Before the first stage, checks
// the formulas of all stages too.
SCREE_NODISCARD scree_status scree_build_servo_areas(struct scree_reading *reading, struct scree_world *world,
                                                     size_t stage);

// Finds the group whose name is the value of a key.
SCREE_NODISCARD scree_status scree_build_group(struct scree_reading *reading, const struct scree_world *world,
                                               const struct scree_node *map, enum scree_key_id key,
                                               scree_group_id *id);

// Also sets the file and the lines of the origin.
SCREE_NODISCARD scree_status scree_build_read(struct scree_reading *reading, struct scree_world *world,
                                              const struct scree_node *map,
                                              struct scree_reading_origin *origin);
SCREE_NODISCARD scree_status scree_build_fill(struct scree_reading *reading, struct scree_world *world,
                                              const struct scree_node *map);
SCREE_NODISCARD scree_status scree_build_bodies(struct scree_reading *reading, struct scree_world *world);
SCREE_NODISCARD scree_status scree_build_walls(struct scree_reading *reading, struct scree_world *world);

// Sets the motion of a new wall; changes it at the start of a stage; and sets the functions that move the
// walls of a checkpoint of a stage again.
SCREE_NODISCARD scree_status scree_build_wall_motion(struct scree_reading *reading, struct scree_world *world,
                                                     scree_wall_id id);
SCREE_NODISCARD scree_status scree_build_change_wall_motion(struct scree_reading *reading,
                                                            struct scree_world *world, scree_wall_id id,
                                                            const struct scree_node *change, size_t stage);
SCREE_NODISCARD scree_status scree_build_resume_wall_motions(struct scree_reading *reading,
                                                             struct scree_world *world, size_t stage);

// Sets the servo of the cell that a deformation has, or removes it; sets the function of time of one from a
// checkpoint again; and checks a servo.
SCREE_NODISCARD scree_status scree_build_cell_servo(struct scree_reading *reading, struct scree_world *world,
                                                    const struct scree_node *deform);
SCREE_NODISCARD scree_status scree_build_resume_cell_servo(struct scree_reading *reading,
                                                           struct scree_world *world,
                                                           const struct scree_node *deform);
SCREE_NODISCARD scree_status scree_build_check_cell_servo(struct scree_reading *reading,
                                                          const struct scree_node *deform);

// Returns whether the scene has a cell with cell vectors, or one that deforms at the start or in some stage.
bool scree_build_deforms(const struct scree_reading *reading);

// Sets the cell of the scene, which does not deform yet; deforms it once it has its bodies; changes or ends
// its deformation at the start of a stage; checks such a change; and sets the function of time that deforms
// the cell of a checkpoint of a stage again.
SCREE_NODISCARD scree_status scree_build_cell(struct scree_reading *reading, struct scree_world *world);
SCREE_NODISCARD scree_status scree_build_deform(struct scree_reading *reading, struct scree_world *world);
SCREE_NODISCARD scree_status scree_build_change_deform(struct scree_reading *reading,
                                                       struct scree_world *world,
                                                       const struct scree_node *stage);
SCREE_NODISCARD scree_status scree_build_check_deform(struct scree_reading *reading,
                                                      const struct scree_node *stage);
SCREE_NODISCARD scree_status scree_build_resume_deform(struct scree_reading *reading,
                                                       struct scree_world *world, size_t stage);

// Whom to warn of an entry that bonds nothing.
struct scree_build_bonds_warning {
    scree_text_function *warn; // null for no one
    void *user;
};

// Adds the bonds of a list, which may be null, between the bodies and walls where they are. An entry without
// a pair is a mistake at the start, where `warning` is null; in a later stage bodies may have moved apart,
// and it is a warning.
SCREE_NODISCARD scree_status scree_build_bonds(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *bonds,
                                               const struct scree_build_bonds_warning *warning);

// Checks the entries of such a list without the bodies that they will bond: by a bond between two bodies,
// which are removed again.
SCREE_NODISCARD scree_status scree_build_try_bonds(struct scree_reading *reading, struct scree_world *world,
                                                   const struct scree_node *bonds);

// Makes the bonds of a stage of bodies where they are now, for a forecast, except those of given pairs.
SCREE_NODISCARD scree_status scree_build_foresee_bonds(struct scree_reading *reading,
                                                       struct scree_world *world,
                                                       const struct scree_node *bonds, uint64_t *made);

// Reports bodies of given pairs that the world does not have, if the scene inserts none.
SCREE_NODISCARD scree_status scree_build_check_pairs(struct scree_reading *reading,
                                                     const struct scree_world *world,
                                                     const struct scree_node *bonds);

// Removes the bonds that an entry names.
SCREE_NODISCARD scree_status scree_build_remove_bonds(struct scree_reading *reading,
                                                      struct scree_world *world,
                                                      const struct scree_node *map);

// --- the common properties of the bodies of a filling or an insertion

struct scree_build_template {
    scree_material_id material;
    double velocity[3], spin[3];
    double thickness;                               // of disks and of clumps in two dimensions, else 0
    unsigned fixed;                                 // bits of enum scree_freedom
    const struct scree_clumps_shape *clump;         // null for others
    const struct scree_polyhedra_shape *polyhedron; // null for others
    struct scree_pack_shape shape;                  // of clumps and polyhedra
};

// Reads the section `shape`: sizes, the thickness, and the shape of clumps or polyhedra. Returns false after
// a diagnostic.
bool scree_build_template_read(struct scree_reading *reading, const struct scree_node *shape,
                               struct scree_build_template *template, struct scree_sizes *sizes);

// Sets the shape of clumps, not rotated.
void scree_build_template_set_clump(struct scree_build_template *template,
                                    const struct scree_clumps_shape *clump);

// The same for polyhedra.
void scree_build_template_set_polyhedron(struct scree_build_template *template,
                                         const struct scree_polyhedra_shape *polyhedron);

// The shape of clumps and polyhedra; null for spheres and disks.
static inline const struct scree_pack_shape *
scree_build_template_shape(const struct scree_build_template *template)
{
    return template->clump || template->polyhedron ? &template->shape : NULL;
}

// The mass of a body of a radius, for clumps and polyhedra of an equal radius, made of a material of this
// density. For spheres and disks computed as in scree_body_add_sphere and scree_body_add_disk.
double scree_build_template_mass(const struct scree_build_template *template, double density, double radius);

// Adds a body that a filling or an insertion has placed.
SCREE_NODISCARD scree_status scree_build_template_add(struct scree_world *world,
                                                      const struct scree_pack_body *body,
                                                      const struct scree_build_template *template);

#endif
