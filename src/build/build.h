// Making a world and its engine of a scene that a check has passed.
//
// What always holds: what the world refuses is complained about at the place in the scene that asked for it,
// in the words of the refusal. A status tells of memory only; whether something was complained of is to be
// asked of the diagnostics.

#ifndef SCREE_BUILD_BUILD_H
#define SCREE_BUILD_BUILD_H

#include "language/reading.h"

struct scree_world;
struct scree_engine;
struct scree_damping;

// All but the engine; `world` is null after a failure, and there as far as it came after a diagnostic.
SCREE_NODISCARD scree_status scree_build_world(struct scree_reading *reading, struct scree_world **world);

// The engine as it is once that many stages have begun; `threads` as struct scree_soft_def has it.
SCREE_NODISCARD scree_status scree_build_engine(struct scree_reading *reading, struct scree_world *world,
                                                int threads, size_t stages, struct scree_engine **engine);

// --- parts of it, each in a file of its own

// The material that stands under a key.
SCREE_NODISCARD scree_status scree_build_material(struct scree_reading *reading,
                                                  const struct scree_world *world,
                                                  const struct scree_node *map, enum scree_key_id key,
                                                  scree_material_id *id);

// The materials of the scene.
SCREE_NODISCARD scree_status scree_build_materials(struct scree_reading *reading, struct scree_world *world);

// Complains where a step is to be chosen (0) in a world without contacts; `contacts`, which may be null, is
// where the rules stand.
void scree_build_engine_check_auto_step(struct scree_reading *reading, const struct scree_world *world,
                               const struct scree_node *contacts, double step);

// Appends the rules of a list, which may be null.
SCREE_NODISCARD scree_status scree_build_contacts(struct scree_reading *reading, struct scree_world *world,
                                                  const struct scree_node *contacts);

// Gives materials of a map other properties.
SCREE_NODISCARD scree_status scree_build_change(struct scree_reading *reading, struct scree_world *world,
                                                const struct scree_node *materials);

// Reads step and safety; `engine` may be null.
void scree_build_engine_step(struct scree_reading *reading, const struct scree_node *engine, double *step,
                             double *safety);

// What is done about a step that is too long.
enum scree_alarm_policy scree_build_engine_step_policy(struct scree_reading *reading);

// Reads damping; `map` may be null.
void scree_build_engine_damping(struct scree_reading *reading, const struct scree_node *map,
                                struct scree_damping *damping);

// The freedoms that a list names, of enum scree_freedom.
unsigned scree_build_bodies_freedoms(struct scree_reading *reading, const struct scree_node *map,
                                     enum scree_key_id key);

// Reads a load; false after a diagnostic.
bool scree_build_bodies_load(struct scree_reading *reading, const struct scree_node *map, double force[3],
                             double moment[3]);

SCREE_NODISCARD scree_status scree_build_rigid(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *map);

// Puts the bodies that came after the one with id `after`, or a wall, into the groups that an entry names.
SCREE_NODISCARD scree_status scree_build_group_bodies(struct scree_reading *reading,
                                                      struct scree_world *world, const struct scree_node *map,
                                                      enum scree_key_id key, uint64_t after);
SCREE_NODISCARD scree_status scree_build_group_wall(struct scree_reading *reading, struct scree_world *world,
                                                    const struct scree_node *map, enum scree_key_id key,
                                                    scree_wall_id wall);

// Gives a group the servo that a map tells, or the first group of an entry of walls that of the entry.
SCREE_NODISCARD scree_status scree_build_servo(struct scree_reading *reading, struct scree_world *world,
                                               const struct scree_node *map, scree_group_id group);
SCREE_NODISCARD scree_status scree_build_servo_of_wall(struct scree_reading *reading,
                                                       struct scree_world *world,
                                                       const struct scree_node *entry);

// The group that stands under a key.
SCREE_NODISCARD scree_status scree_build_group(struct scree_reading *reading, const struct scree_world *world,
                                               const struct scree_node *map, enum scree_key_id key,
                                               scree_group_id *id);

SCREE_NODISCARD scree_status scree_build_read(struct scree_reading *reading, struct scree_world *world,
                                              const struct scree_node *map);
SCREE_NODISCARD scree_status scree_build_fill(struct scree_reading *reading, struct scree_world *world,
                                              const struct scree_node *map);
SCREE_NODISCARD scree_status scree_build_bodies(struct scree_reading *reading, struct scree_world *world);
SCREE_NODISCARD scree_status scree_build_walls(struct scree_reading *reading, struct scree_world *world);

#endif
