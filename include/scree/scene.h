// Scenes: worlds written down in a file, in YAML. What stands in it is checked as a whole, and every mistake
// is told with its place.
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include <scree/run.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;
struct scree_engine;

/** A scene that was read; opaque. */
struct scree_scene;

/** A variable that is set from outside, in place of what the scene says. */
struct scree_scene_variable {
    const char *name;
    const char *value; /**< as it would stand in the scene */
};

/** How a scene is read. */
struct scree_scene_def {
    const struct scree_scene_variable *variables; /**< `count` of them; null when there are none */
    size_t count;
};

/** Reads and checks the scene in the file at `path`; `def` may be null. Where there are mistakes the call
 * fails with SCREE_ERROR_ARGUMENT and `scene` receives what tells them, to be freed like a scene without any;
 * after any other failure it receives null. */
SCREE_NODISCARD scree_status scree_scene_load(const char *path, const struct scree_scene_def *def,
                                              struct scree_scene **scene);

/** The same with the text of a scene; `name` stands for the file in what is told of it. */
SCREE_NODISCARD scree_status scree_scene_read(const char *name, const char *text, size_t length,
                                              const struct scree_scene_def *def, struct scree_scene **scene);

/** The scene of a run that is to go on from the checkpoint at `path`: scree_scene_build makes the world as it
 * was there, and scree_scene_run goes on with it, cuts tables and frames back to that moment and goes on with
 * them; results lie where the checkpoint lies. What `def` sets otherwise than it was counts from here on
 * where the scene is read on the way (stages, records, engine); bodies, walls, materials and contacts are as
 * they were. The rest is as for scree_scene_load. */
SCREE_NODISCARD scree_status scree_scene_restart(const char *path, const struct scree_scene_def *def,
                                                 struct scree_scene **scene);

/** Frees a scene; null is fine. Worlds made of it live on. */
void scree_scene_free(struct scree_scene *scene);

/** All mistakes, each with file, line and column, its line and a caret; null where there are none. Borrowed
 * until the next call with this scene. */
const char *scree_scene_mistakes(const struct scree_scene *scene);

/** The title; null where it has none. Borrowed. */
const char *scree_scene_title(const struct scree_scene *scene);

/** Makes the world of a scene and an engine over it, on `threads` threads, 0 for all processors. What the
 * world refuses is a mistake of the scene: SCREE_ERROR_ARGUMENT, see scree_scene_mistakes. */
SCREE_NODISCARD scree_status scree_scene_build(struct scree_scene *scene, int threads,
                                               struct scree_world **world, struct scree_engine **engine);

/** A unit that numbers of scenes may have. */
struct scree_scene_unit {
    const char *symbol;
    double factor; /**< of one, in base units */
    char base[48]; /**< these, as "kg/(m s^2)" */
    bool prefixed; /**< takes k, m, M and the like */
};

/** Unit number `index` into `unit`, not null; false past the last. */
bool scree_scene_unit_at(size_t index, struct scree_scene_unit *unit);

/** Writes a scene without mistakes out complete, piece by piece: variables put in, what was left out filled
 * in, numbers in SI units with all their bits. What is written is a scene again; it makes the same world and
 * runs to the same digest, and is written as itself. It needs no other scene file, only the files that bodies
 * are read from, which stay named. */
SCREE_NODISCARD scree_status scree_scene_print(struct scree_scene *scene, scree_text_function *write,
                                               void *user);

/** Reads a number as it stands in scenes, like "3 s": one with a unit must be of the dimension of `unit`, any
 * where that is null, and one without is in SI units. */
SCREE_NODISCARD scree_status scree_scene_number(const char *text, const char *unit, double *number);

/** A key of scenes, as the table has it that all of them are read by. */
struct scree_scene_key {
    const char *section; /**< whose key it is, as "a sphere" */
    const char *name;
    const char *takes; /**< what stands under it, as "a number" or "a list of walls" */
    const char *unit;  /**< of its numbers; empty for none */
    double least, most;
    bool above;               /**< `least` itself is not allowed */
    bool below;               /**< `most` itself is not allowed */
    bool needed;              /**< an error to leave it out */
    const char *standard;     /**< what is taken then, as it would be written; empty for nothing, and where
                                   keys of its own stand */
    const char *const *words; /**< that may stand there, closed by null; null where others may */
    const char *about, *example;
};

/** Key number `index` into `key`, not null; false past the last. */
bool scree_scene_key_at(size_t index, struct scree_scene_key *key);

/** What a key, or a parameter of a contact law, is called in other programs. */
struct scree_scene_equivalent {
    const char *section; /**< whose key it is, or empty for all that have it */
    const char *key;
    const char *called[3]; /**< in PFC, in LAMMPS and LIGGGHTS, in Yade; empty where there is no such thing */
};

/** Number `index` of these into `peer`, not null; false past the last. */
bool scree_scene_equivalent_at(size_t index, struct scree_scene_equivalent *peer);

/** A column of tables. */
struct scree_scene_column {
    const char *name, *unit, *about; /**< the unit is empty for none */
    const char *takes; /**< what it is taken of, as "a region"; null for nothing. A report takes only what
                            needs none of these but a region */
};

/** Column number `index` into `column`, not null; false past the last. */
bool scree_scene_column_at(size_t index, struct scree_scene_column *column);

/** Writes the JSON schema of scenes, for editors and other programs, piece by piece. */
void scree_scene_schema(scree_text_function *write, void *user);

/** Stage number `index` from 0 of a scene without mistakes, into `stage`, not null; false past the last. */
bool scree_scene_stage_at(struct scree_scene *scene, size_t index, struct scree_scene_stage *stage);

/** What a scene keeps: one of `every` and `steps` is not 0. */
struct scree_scene_record {
    const char *kind, *file; /**< as "table", and what stands under it; borrowed */
    double every;            /**< s between two */
    uint64_t steps;          /**< or so many steps */
};

/** Record number `index` from 0, likewise. */
bool scree_scene_record_at(struct scree_scene *scene, size_t index, struct scree_scene_record *record);

/** How many bodies the insertions of a scene are to let in by a time of the world, s, if all find room: rate
 * times time, for a mass by the mean mass of a body. `world` is one that the scene was built or run as. */
SCREE_NODISCARD scree_status scree_scene_arrivals(struct scree_scene *scene, struct scree_world *world,
                                                  double time, double *bodies);

/** Writes the reference page of scenes, with all keys and the parameters of all built-in laws, in Markdown.
 */
void scree_scene_reference(scree_text_function *write, void *user);

/** Runs the stages of a scene and keeps what it says is to be kept, at paths beside the scene. `def` may be
 * null. The world is left as it is at the end to `world`, if that is not null, to be destroyed by the caller.
 * A run that is refused, be it new or one that goes on, changes no file and makes none.
 */
SCREE_NODISCARD scree_status scree_scene_run(struct scree_scene *scene, const struct scree_run_def *def,
                                             struct scree_world **world);

#ifdef __cplusplus
}
#endif
#endif
