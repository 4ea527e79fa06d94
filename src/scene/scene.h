// The parts of scene.c, each in its own file.

#ifndef SCREE_SCENE_SCENE_H
#define SCREE_SCENE_SCENE_H

#include "language/reading.h"

#include <scree/scene.h>

struct scree_cell;
struct scree_world;

// Applies the changes of all stages in a scratch world with the materials, contact laws, walls and groups of
// the scene, so that mistakes in the initial state and the stages are reported before the run starts. For a
// new run, `world` is the initial world and `stages_begun` is 0. For a restart, `world` is the restored world
// and `stages_begun` the number of the current stage; only later stages are checked.
SCREE_NODISCARD scree_status scree_dry_run(struct scree_reading *reading, const struct scree_world *world,
                                           size_t stages_begun);

// Reports each wall at a periodic face as a mistake, if the alarm `face` would stop the run. `walls` is a
// world with the walls of the scene, in a world with the cell `cell` and bodies of at most the radius
// `largest`; `place` is where to report, null for the wall itself, and `when` is "" or begins what is wrong.
void scree_wall_checks_faces(struct scree_reading *reading, const struct scree_world *walls,
                             const struct scree_cell *cell, double largest, const char *when,
                             const struct scree_node *place);

// Moves all walls for a time, without their vibrations.
SCREE_NODISCARD scree_status scree_wall_checks_move(struct scree_world *world, double time);

// Largest radius of the bodies of a world and of those that the scene inserts.
SCREE_NODISCARD scree_status scree_wall_checks_largest(struct scree_reading *reading,
                                                       const struct scree_world *world, double *largest);

// Warns of flat walls with a seam, of bodies on the axis of a cone, and of bodies that are outside of all
// vessels with nothing below them. `world` is the initial world.
SCREE_NODISCARD scree_status scree_wall_checks_warn(struct scree_reading *reading,
                                                    const struct scree_world *world,
                                                    scree_text_function *warn, void *user);

// Reports polyhedra that could touch another body or a wall with which they can have no contacts: bodies of
// `world` and those that the scene inserts, with the walls and contact laws of `rules`. `place` is where to
// report, null for the first entry of bodies with which the mistake appears. A wall that is at fault is
// reported at its own entry.
SCREE_NODISCARD scree_status scree_polyhedron_checks(struct scree_reading *reading,
                                                     const struct scree_world *world,
                                                     const struct scree_world *rules,
                                                     const struct scree_node *place);

// Reports each body of the initial world that overlaps a wall by more than the limit of the alarm `overlap`,
// if that alarm would stop the run.
SCREE_NODISCARD scree_status scree_overlap_checks_walls(struct scree_reading *reading,
                                                        struct scree_world *world);

// Returns the node of the radius of an entry of `bodies` or `insert` if it has no unit and is implausible,
// with the reason; else null. The second warns of all of them, with their lines.
enum { SCREE_SIZE_CHECKS_TEXT = 240 };
const struct scree_node *scree_size_checks_find(struct scree_reading *reading,
                                                const struct scree_world *world,
                                                const struct scree_node *entry,
                                                char text[SCREE_SIZE_CHECKS_TEXT]);
void scree_size_checks_warn(struct scree_reading *reading, const struct scree_world *world,
                            scree_text_function *warn, void *user);

// Finds the output folder of a restarted run. `path` is the path of the checkpoint, `record` its path as
// written in the scene, relative to the output folder. `beside` gets the path of a file in the output folder,
// to be freed by scree_memory_free. It is null if the checkpoint was moved: `path` does not end with
// `record`, not even with symbolic links resolved.
SCREE_NODISCARD scree_status scree_restart_find(const char *path, const char *record, char **beside);

// Completes the message of a restart from the checkpoint `path` that failed with `status` because the results
// do not fit: names the other checkpoint (PATH or PATH.previous) if that one fits, with the same variables.
// Returns `status`.
scree_status scree_newest_advise(const char *path, const struct scree_scene_def *variables,
                                 scree_status status);

// Warns, for each variable given by the caller of a restart, of the keys that its new value no longer affects
// because they were read when the run or a stage began. `before` is the scene with the previous variables,
// `now` with the new ones; `stage`, from 1, is the current stage.
void scree_changed_variables_warn(struct scree_reading *now, struct scree_reading *before, size_t stage,
                                  scree_text_function *warn, void *user);

// Copy the shape of a clump or a polyhedron, as scree_scene_clump_at and scree_scene_polyhedron_at.
bool scree_shapes_clump(struct scree_reading *reading, size_t index, struct scree_scene_clump *clump);
bool scree_shapes_polyhedron(struct scree_reading *reading, size_t index,
                             struct scree_scene_polyhedron *polyhedron);

#endif
