// Reads the values of the keys of a scene, with one function per key type.
//
// Invariants: a key that is left out reads as its default, if it has one. A wrong value is reported at its
// place, and the function returns false. Reading a wrong value twice reports it twice; the builder therefore
// reads only scenes that have passed the check.

#ifndef SCREE_LANGUAGE_READING_H
#define SCREE_LANGUAGE_READING_H

#include "language/key.h"
#include "language/named.h"
#include "language/value.h"
#include "math/vec3.h"

#include <scree/alarm.h>
#include <scree/run.h>

// Callbacks for warnings. An alarm with policy `warn` is passed on once per kind.
struct scree_clumps;
struct scree_polyhedra;

struct scree_reading_callbacks {
    scree_alarm_function *function;   // alarms; null for none
    scree_text_function *warn;        // other warnings, such as a servo in tension; null for none
    scree_cancel_function *cancelled; // polled during long operations; true ends the build; null for none
    void *user;
    bool warned[SCREE_ALARM_KINDS];
    bool warned_of_tension; // a servo must pull, but no contact law can
    bool warned_of_walls;   // a free wall passes through others
};

// The entry of the scene from which bodies with consecutive ids come.
struct scree_reading_origin {
    uint64_t first, last; // ids
    const struct scree_node *node;
    const char *file; // from which they were read; null for none
    uint32_t *line;   // of each of them in the file, from 1; 0 if the file has no lines; null for no file
};

struct scree_reading {
    struct scree_diagnostics diagnostics;
    struct scree_tree tree;
    struct scree_values values;
    struct scree_node *root;
    const char *name;                                // of the scene's file
    char *folder;                                    // of the scene: paths are relative to it
    SCREE_ARRAY(const struct scree_node *) included; // paths of included files, as written
    int dimension;
    size_t max_filled;                 // see struct scree_scene_def
    const char *engine_without_forces; // name of the engine, if contacts have no forces with it; else null
    struct scree_reading_callbacks callbacks;
    struct scree_named groups, materials, shapes; // names of groups, of materials, of clumps and polyhedra
    struct scree_clumps *clumps;                  // their shapes, see clumps.h; null until one is needed
    struct scree_polyhedra *polyhedra;            // the same, see polyhedra.h
    struct scree_node *defaults[SCREE_KEYS];      // parsed defaults of keys; null before first use
    SCREE_ARRAY(struct scree_reading_origin) origins; // of the bodies of the world that was built last
    size_t visits; // nodes visited by the check, counted again for each alias
};

void scree_reading_free(struct scree_reading *reading);

// Forgets the origins of bodies, for a new world.
void scree_reading_clear_origins(struct scree_reading *reading);

// Reports a mistake at a node (printf format); returns false.
#define scree_reading_report(reading, node, ...)                                                             \
    scree_diagnostic_add(&(reading)->diagnostics, &(node)->place, __VA_ARGS__)

// Returns true if a map has a key with a value.
bool scree_reading_has(const struct scree_node *map, enum scree_key_id key);

// Returns the value of a key of a map; null if it is not given.
const struct scree_node *scree_reading_node(const struct scree_node *map, enum scree_key_id key);

// Returns the number of stages of the scene, and stage `number`, counted from 1.
size_t scree_reading_stages(const struct scree_reading *reading);
const struct scree_node *scree_reading_stage(const struct scree_reading *reading, size_t number);

// Returns true if the other keys of a map allow a key. If not, sets `constraint` to the violated one, unless
// it is null.
bool scree_reading_is_allowed(const struct scree_node *map, enum scree_key_id key,
                              const struct scree_key_constraint **constraint);

// Returns the value of a key, or its default; null if it has neither.
const struct scree_node *scree_reading_or_default(struct scree_reading *reading, const struct scree_node *map,
                                                  enum scree_key_id key);

// An interval in seconds or in steps; the other member is 0.
struct scree_reading_every {
    double time;
    uint64_t steps;
};

// Holds the value of any key, see scree_reading_value.
union scree_reading_any {
    double number, numbers[6];
    uint64_t whole;
    size_t word;
    bool flag;
    const char *text;
    struct scree_reading_every every;
};

// Reads the value of a key, or its default. The type of the key decides what `value` points to: a double for
// NUMBER, MEASURED, FORMULA (NaN for a formula), RATE (0 if it depends on time) and SIZE, a uint64_t for
// WHOLE, a bool for FLAG, the index of the word as size_t for WORD, a const char * for TEXT, NAME and PATH,
// struct scree_reading_every for INTERVAL, an array of double for VECTOR, PAIR, QUADRUPLE, SEXTUPLE and BOX.
// Other types are only checked.
bool scree_reading_value(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         void *value);

// The same for one type of key each.
static inline bool scree_reading_number(struct scree_reading *reading, const struct scree_node *map,
                                        enum scree_key_id key, double *number)
{
    return scree_reading_value(reading, map, key, number);
}

static inline bool scree_reading_whole(struct scree_reading *reading, const struct scree_node *map,
                                       enum scree_key_id key, uint64_t *number)
{
    return scree_reading_value(reading, map, key, number);
}

static inline bool scree_reading_flag(struct scree_reading *reading, const struct scree_node *map,
                                      enum scree_key_id key, bool *flag)
{
    return scree_reading_value(reading, map, key, flag);
}

static inline bool scree_reading_word(struct scree_reading *reading, const struct scree_node *map,
                                      enum scree_key_id key, size_t *word)
{
    return scree_reading_value(reading, map, key, word);
}

static inline bool scree_reading_vector(struct scree_reading *reading, const struct scree_node *map,
                                        enum scree_key_id key, double vector[3])
{
    return scree_reading_value(reading, map, key, vector);
}

static inline bool scree_reading_box(struct scree_reading *reading, const struct scree_node *map,
                                     enum scree_key_id key, double box[2][3])
{
    return scree_reading_value(reading, map, key, box);
}

// Reads one number of a list, with the unit and range of the key.
bool scree_reading_item(struct scree_reading *reading, const struct scree_node *node,
                        const struct scree_key *key, double *number);

// Reads a vector that may depend on time, see rates.h, but only a constant one into `vector`.
bool scree_reading_rates(struct scree_reading *reading, const struct scree_node *node,
                         const struct scree_key *key, double vector[3]);

// The same of a number, and the rows of a matrix, which are only checked.
bool scree_reading_rate(struct scree_reading *reading, const struct scree_node *node,
                        const struct scree_key *key, double *number);
bool scree_reading_rate_rows(struct scree_reading *reading, const struct scree_node *node,
                             const struct scree_key *key);

// Reads any scalar value as a text.
bool scree_reading_text(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        const char **text);

// Reads number `index` of a list of scree_reading_count numbers, or the only number.
bool scree_reading_whole_at(struct scree_reading *reading, const struct scree_node *map,
                            enum scree_key_id key, size_t index, uint64_t *number);

// Reads pair `index` of a list of pairs of whole numbers.
bool scree_reading_id_pair(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                           size_t index, uint64_t ids[2]);

// Reads the rows of a table, pairs of a number and a fraction; `capacity` is the maximum number of rows.
bool scree_reading_table(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         double (*row)[2], size_t capacity, size_t *rows);

// Reads all of a list of scree_reading_count vectors, or lists of three numbers.
bool scree_reading_triples(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                           double (*triple)[3]);

// Reads name `index` of a list of scree_reading_count names, or the only name: its text, and the index of
// its word if the key takes words.
size_t scree_reading_count(const struct scree_node *map, enum scree_key_id key);
bool scree_reading_name(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        size_t index, const char **text, size_t *word);

// Returns true if a text is the reserved word of a key.
bool scree_reading_is_special(enum scree_key_id key, const char *text);

// Reports that a value is not as `expected`, for example "a list"; returns false.
bool scree_reading_expect(struct scree_reading *reading, const struct scree_node *node,
                          const struct scree_key *key, const char *expected);

// Returns true if the value of a key of type FORMULA is a formula, not a number or a word.
bool scree_reading_is_formula(struct scree_reading *reading, const struct scree_node *node,
                              const struct scree_key *key);

// Checks a node as the value of a key of any type but sections; returns false after a diagnostic.
bool scree_reading_check(struct scree_reading *reading, const struct scree_node *node,
                         const struct scree_key *key);

// Turns a failure of the world into a diagnostic at a node; passes on a lack of memory.
SCREE_NODISCARD scree_status scree_reading_report_status(struct scree_reading *reading,
                                                         const struct scree_node *node, scree_status status);

// Reads a vector of any length but 0, in two dimensions in the plane, as a unit vector; and an orientation,
// the identity if `map` is null. Return false after a diagnostic.
bool scree_reading_orientation_axis(struct scree_reading *reading, const struct scree_node *map,
                                    enum scree_key_id key, bool flat, struct scree_vec3 *direction);
bool scree_reading_orientation(struct scree_reading *reading, const struct scree_node *map,
                               double orientation[4]);

// Reads a distribution of sizes, or a single radius; returns false after a diagnostic.
struct scree_sizes;
bool scree_reading_sizes(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         struct scree_sizes *sizes);

// Reads a region; returns false after a diagnostic.
struct scree_region;
struct scree_world;
bool scree_reading_region(struct scree_reading *reading, const struct scree_node *map,
                          struct scree_region *region);

// Reads a region of a world, in which it may be a mesh.
bool scree_reading_region_in(struct scree_reading *reading, const struct scree_world *world,
                             const struct scree_node *map, struct scree_region *region);

#endif
