// Scenes: input files in YAML that define a world and its run. A scene is checked as a whole, and all
// mistakes are reported with line and column.
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include <scree/run.h>
#include <scree/shape.h>
#include <scree/soft.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;
struct scree_engine;

/** A loaded scene; opaque. */
struct scree_scene;

/** A value for a variable of a scene that overrides the one in the file. */
struct scree_scene_variable {
    const char *name;
    const char *value; /**< as written in a scene */
};

/** Options for loading a scene. */
struct scree_scene_def {
    const struct scree_scene_variable *variables; /**< array of `count` variables; null if count is 0 */
    size_t count;
    /** Largest number of bodies in a scene with fillings, a tenth of it with `arrange: grow`; 0: no limit. A
     * filling that would exceed it is refused before any of its bodies is placed. The limit for blocks is a
     * hundredth of it, and less with many rounds of `relax`. */
    size_t max_filled;
};

/** Loads and checks the scene file `path`; `def` may be null. If the scene has mistakes the call fails with
 * SCREE_ERROR_ARGUMENT, and `scene` receives an object for scree_scene_diagnostics that must be freed like
 * any scene; after any other failure it receives null. */
SCREE_NODISCARD scree_status scree_scene_load(const char *path, const struct scree_scene_def *def,
                                              struct scree_scene **scene);

/** As scree_scene_load, from a text; `name` replaces the file name in messages. */
SCREE_NODISCARD scree_status scree_scene_read(const char *name, const char *text, size_t length,
                                              const struct scree_scene_def *def, struct scree_scene **scene);

/** Loads the scene of a restart from the checkpoint `path`. scree_scene_build restores the world of the
 * checkpoint; scree_scene_run continues the run, truncates tables and frames to the time of the checkpoint
 * and continues them. Results are in the folder of the checkpoint. Variables that `def` changes affect
 * stages, records and the engine from here on; bodies, walls, materials and contacts stay as in the
 * checkpoint. Failures are as for scree_scene_load. */
SCREE_NODISCARD scree_status scree_scene_restart(const char *path, const struct scree_scene_def *def,
                                                 struct scree_scene **scene);

struct scree_checkpoint_facts;

/** Finds the later of two checkpoints, `path` and the one kept with it (PATH.previous, or PATH if `path` is
 * PATH.previous), that a run can continue from. Such a checkpoint is intact, and its tables, tracks, dumps
 * and frames are at least as long as when it was written. `newest` receives its path, in a buffer of `size`
 * bytes, and `facts`, if not null, what it contains. `variables` and `def`, which may be null, are as for
 * the restart. If no checkpoint can be used, the message has the reason for each. */
SCREE_NODISCARD scree_status scree_scene_newest(const char *path, const struct scree_scene_def *variables,
                                                const struct scree_run_def *def, char *newest, size_t size,
                                                struct scree_checkpoint_facts *facts);

/** Frees a scene, but not the worlds built from it. Null is allowed. */
void scree_scene_free(struct scree_scene *scene);

/** All mistakes, each with file, line, column, the source line and a caret; null if there are none. Borrowed
 * until the next call with this scene. */
const char *scree_scene_diagnostics(const struct scree_scene *scene);

/** The title, borrowed; null if there is none. */
const char *scree_scene_title(const struct scree_scene *scene);

/** Creates the world of a scene and its engine with `threads` threads, 0 for all processors. Destroy the
 * engine before the scene is freed: its alarms name lines of the scene. A value that the world refuses is a
 * mistake of the scene: SCREE_ERROR_ARGUMENT, see scree_scene_diagnostics. */
SCREE_NODISCARD scree_status scree_scene_build(struct scree_scene *scene, int threads,
                                               struct scree_world **world, struct scree_engine **engine);

/** A unit for numbers in scenes. */
struct scree_scene_unit {
    const char *symbol;
    double factor; /**< of one unit, in base units */
    char base[48]; /**< the base units, such as "kg/(m s^2)" */
    bool prefixed; /**< accepts prefixes such as k, m, M */
};

/** Copies unit number `index` to `unit`, not null; returns false past the last. */
bool scree_scene_unit_at(size_t index, struct scree_scene_unit *unit);

/** Writes the complete form of a scene without mistakes, piece by piece: variables substituted, defaults
 * filled in, numbers in SI units with all bits. The output is a scene that gives the same world and the same
 * digest, and printing it gives the same text. It includes no other scene files; files of bodies remain
 * referenced. */
SCREE_NODISCARD scree_status scree_scene_print(struct scree_scene *scene, scree_text_function *write,
                                               void *user);

/** Parses a number as written in scenes, like "3 s". Its unit must have the dimension of `unit`, or any
 * dimension if `unit` is null; a number without unit is in SI units. */
SCREE_NODISCARD scree_status scree_scene_number(const char *text, const char *unit, double *number);

/** A key of scenes, from the table of all keys. */
struct scree_scene_key {
    const char *section; /**< the section with this key, such as "a sphere" */
    const char *name;
    const char *value; /**< type of the value, such as "a number" or "a list of walls" */
    const char *unit;  /**< of numbers; empty for none */
    double least, most;
    bool above;                /**< `least` itself is not allowed */
    bool below;                /**< `most` itself is not allowed */
    bool required;             /**< required key */
    const char *default_value; /**< as written in a scene; empty for none, and for keys with
                                   sections as values */
    const char *const *words;  /**< all allowed words, terminated by null; null if not restricted to words */
    const char *description, *example;
};

/** Copies key number `index` to `key`, not null; returns false past the last. */
bool scree_scene_key_at(size_t index, struct scree_scene_key *key);

/** Equivalent names of a key, or of a parameter of a contact law, in other programs. */
struct scree_scene_equivalent {
    const char *section; /**< the section with this key; empty for all sections */
    const char *key;
    const char *name[3]; /**< in PFC, in LAMMPS and LIGGGHTS, in Yade; empty if there is none */
};

/** Copies equivalent number `index` to `equivalent`, not null; returns false past the last. */
bool scree_scene_equivalent_at(size_t index, struct scree_scene_equivalent *equivalent);

/** Something that other discrete element programs have, but Scree does not have yet. */
struct scree_scene_absent {
    const char *what;   /**< as in "Scree has no triangle meshes yet" */
    const char *words;  /**< words that stand for it, in lower case, separated by spaces */
    const char *advice; /**< what to use instead */
};

/** Copies entry number `index` of that list to `absent`, not null; returns false past the last. */
bool scree_scene_absent_at(size_t index, struct scree_scene_absent *absent);

/** Finds the entry with a word, in upper or lower case; returns false if there is none. */
bool scree_scene_absent_find(const char *word, struct scree_scene_absent *absent);

/** A column of tables. */
struct scree_scene_column {
    const char *name, *unit, *about; /**< the unit is empty for none */
    const char *argument; /**< what it needs, such as "a region"; null for nothing. Progress reports allow
                            only columns that need nothing or a region */
};

/** Copies column number `index` to `column`, not null; returns false past the last. */
bool scree_scene_column_at(size_t index, struct scree_scene_column *column);

/** Writes the JSON schema of scenes, piece by piece. */
void scree_scene_schema(scree_text_function *write, void *user);

/** Copies stage number `index`, from 0, of a scene without mistakes to `stage`, not null; returns false past
 * the last. */
bool scree_scene_stage_at(struct scree_scene *scene, size_t index, struct scree_scene_stage *stage);

/** Whether a stage makes bonds when it begins; their stiffness is not in the limit of the time step at the
 * start of the run. */
bool scree_scene_makes_bonds_later(struct scree_scene *scene);

/** A record of a scene: exactly one of `every` and `steps` is not 0. */
struct scree_scene_record {
    const char *kind, *file; /**< such as "table", and the value of that key; borrowed */
    double every;            /**< s between two outputs */
    uint64_t steps;          /**< or steps between two outputs; both are 0 for events without an interval,
                                  which are written as they occur */
};

/** Copies record number `index`, from 0, of a scene without mistakes to `record`, not null; returns false
 * past the last. */
bool scree_scene_record_at(struct scree_scene *scene, size_t index, struct scree_scene_record *record);

/** The shape of a clump. */
struct scree_scene_clump {
    const char *name;               /**< borrowed */
    size_t pebbles;                 /**< their number */
    size_t polyhedra;               /**< how many of them are polyhedra */
    double radius;                  /**< of the sphere of equal volume (disk of equal area), m */
    enum scree_shape_method method; /**< how `mass` was found */
    struct scree_shape_mass mass; /**< along the axes of the shape, before scaling; the volume is that of the
                                     pebbles if the rest is given */
    double principal[3];          /**< principal moments of inertia over the mass, m^2 */
    bool is_mesh;                 /**< the pebbles fill a mesh */
    struct scree_shape_fidelity fidelity; /**< of the pebbles to the mesh */
};

/** Copies the shape of clump number `index`, from 0, of a scene without mistakes to `clump`, not null;
 * returns false past the last, and for a shape with a mistake. */
bool scree_scene_clump_at(struct scree_scene *scene, size_t index, struct scree_scene_clump *clump);

/** The shape of a polyhedron, in two dimensions of a polygon, before scaling. */
struct scree_scene_polyhedron {
    const char *name;    /**< borrowed */
    size_t vertices;     /**< of the polyhedron within the rounding radius below its faces */
    size_t faces;        /**< of the same */
    double radius;       /**< of the sphere of equal volume, in two dimensions of the disk of equal area, m */
    double reach;        /**< distance of the farthest point from the centre of mass, m */
    double rounding;     /**< radius of rounded edges, m */
    double volume;       /**< m^3, in two dimensions the area, m^2 */
    double centre[3];    /**< centre of mass, in the axes of the shape, m */
    double principal[3]; /**< principal moments of inertia over the mass, m^2; in two dimensions only the
                            third */
};

/** The same for the shapes of polyhedra. */
bool scree_scene_polyhedron_at(struct scree_scene *scene, size_t index,
                               struct scree_scene_polyhedron *polyhedron);

/** Number of bodies that all insertions of a scene should have inserted at `time`, s, if there is always free
 * space: rate times time; a mass rate is divided by the mean mass of a body. `world` was built from the
 * scene. */
SCREE_NODISCARD scree_status scree_scene_arrivals(struct scree_scene *scene, struct scree_world *world,
                                                  double time, double *bodies);

/** What a stage is expected to need. All ranges are estimates: fewest and most, shortest and longest. */
struct scree_scene_forecast {
    double steps[2];          /**< number of steps; 0 if nothing limits an automatic step */
    double step[2];           /**< time step, s */
    double bodies;            /**< with those inserted, mean over the stage */
    double contacts[2];       /**< between bodies, mean over the stage */
    bool may_stop;            /**< a stop condition can end the stage earlier: `steps` is without it */
    bool is_given;            /**< the time step is given, so `steps` is exact */
    bool makes_bonds;         /**< the stage makes bonds when it begins */
    uint64_t bonds;           /**< those that it would make of bodies where they are at the start of the run,
                                   without given pairs; the time step takes them into account */
    struct scree_limit limit; /**< what limits the shortest step; only kind, step, stable, speed, material[0]
                                   and radius[0] are set. SCREE_LIMIT_CONTACT: contacts of a body in a bed */
};

/** Estimates the number of steps of each of the first `stages` stages in the array `forecast`, from expected
 * contacts, falls, insertions, motion of walls, and the changes of each stage. `world` and `engine`
 * were built from the scene, which has no mistakes; the function applies all stages to them, so they must
 * only be destroyed afterwards. */
SCREE_NODISCARD scree_status scree_scene_foresee(struct scree_scene *scene, struct scree_world *world,
                                                 struct scree_engine *engine,
                                                 struct scree_scene_forecast *forecast, size_t stages);

/** Writes the reference page of scenes in Markdown: all keys and the parameters of all built-in laws. */
void scree_scene_reference(scree_text_function *write, void *user);

/** Checks what scree_scene_run checks before the first step: the time steps, and the paths of all results,
 * in `def->folder` if given and with `def->force` as for the run; `def` may be null. `world` and `engine`
 * were built from the scene, and are not changed. No file is changed, and a run that is writing the results
 * at this time is no obstacle. */
SCREE_NODISCARD scree_status scree_scene_check(struct scree_scene *scene, struct scree_world *world,
                                               struct scree_engine *engine, const struct scree_run_def *def);

/** Runs the stages of a scene and writes its records, at paths relative to the scene. `def` may be null. If
 * `world` is not null it receives the final world, to be destroyed by the caller. A run or restart that is
 * refused neither changes nor creates any file. */
SCREE_NODISCARD scree_status scree_scene_run(struct scree_scene *scene, const struct scree_run_def *def,
                                             struct scree_world **world);

#ifdef __cplusplus
}
#endif
#endif
