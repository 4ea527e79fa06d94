// Reading what stands under the keys of a scene, one function for each type of key.
//
// What always holds: a key that is left out reads as its standard, where the table has one; what is wrong is
// complained about at its place, and the reader returns false. Reading the same twice complains twice, so
// whoever builds reads what a check has passed.

#ifndef SCREE_LANGUAGE_READING_H
#define SCREE_LANGUAGE_READING_H

#include "language/key.h"
#include "language/named.h"
#include "language/value.h"

#include <scree/alarm.h>
#include <scree/run.h>

// Who is told of alarms of a run that let it go on, each kind once.
struct scree_reading_watch {
    scree_alarm_function *function; // null for nobody
    scree_text_function *warn;      // is told what else there is to worry about in what is built; or null
    scree_ended_function *ended;    // is asked on the way of what takes long to build; or null
    void *user;
    bool told[SCREE_ALARM_KINDS];
    bool told_of_pull; // by a servo, where nothing can
};

struct scree_reading {
    struct scree_diagnostics diagnostics;
    struct scree_tree tree;
    struct scree_values values;
    struct scree_node *root;
    const char *name;                                // of the scene's file
    char *folder;                                    // of the scene: what it names lies there
    SCREE_ARRAY(const struct scree_node *) included; // other files of it, as they are named
    int dimension;
    struct scree_reading_watch watch;
    struct scree_named groups, materials;    // of bodies and walls; both are meant by name
    struct scree_node *standard[SCREE_KEYS]; // what keys are when they are left out, once asked for
    size_t visits;                           // nodes that a check has been at, those of aliases each time
};

void scree_reading_free(struct scree_reading *reading);

// Whether a map has a key.
bool scree_reading_has(const struct scree_node *map, enum scree_key_id key);

// What stands under a key of a map; null where nothing does.
const struct scree_node *scree_reading_node(const struct scree_node *map, enum scree_key_id key);

// How many stages the scene has, and stage `number`, from 1.
size_t scree_reading_stages(const struct scree_reading *reading);
const struct scree_node *scree_reading_stage(const struct scree_reading *reading, size_t number);

// Whether a key belongs beside the others of a map; else `tie`, if not null, gets why not.
bool scree_reading_fits(const struct scree_node *map, enum scree_key_id key,
                        const struct scree_key_constraint **constraint);

// What stands under a key, or its standard; null where it has none.
const struct scree_node *scree_reading_or_standard(struct scree_reading *reading,
                                                   const struct scree_node *map, enum scree_key_id key);

bool scree_reading_number(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                          double *number);
bool scree_reading_whole(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         uint64_t *number);
// How often: every so many seconds or steps, the other is 0.
struct scree_critical_step {
    double time;
    uint64_t steps;
};
// Number `index` of what stands there, alone or in a list of scree_reading_count numbers.
bool scree_reading_whole_at(struct scree_reading *reading, const struct scree_node *map,
                            enum scree_key_id key, size_t index, uint64_t *number);

bool scree_reading_interval(struct scree_reading *reading, const struct scree_node *map,
                            enum scree_key_id key, struct scree_critical_step *critical);
bool scree_reading_flag(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        bool *flag);
bool scree_reading_word(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        size_t *word);
bool scree_reading_text(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        const char **text);
bool scree_reading_pair(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        double pair[2]);
bool scree_reading_quadruple(struct scree_reading *reading, const struct scree_node *map,
                             enum scree_key_id key, double quadruple[4]);
bool scree_reading_vector(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                          double vector[3]);
bool scree_reading_box(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                       double box[2][3]);

// The rows of a table, at most `room` of them: a number and a share.
bool scree_reading_table(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         double (*row)[2], size_t room, size_t *rows);

// Item `index` of a list of names, or the only one; the number of its word where the key takes words, else
// its text.
size_t scree_reading_count(const struct scree_node *map, enum scree_key_id key);
bool scree_reading_name(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        size_t index, const char **text, size_t *word);

// Whether a text is the word that is no name under a key.
bool scree_reading_is_special(enum scree_key_id key, const char *text);

// Complains that something else stands at a node than `what`, as in "a list".
void scree_reading_expect(struct scree_reading *reading, const struct scree_node *node,
                          const struct scree_key *key, const char *what);

// Reads what stands at a node as a key's value, of any type but sections; complains of what is wrong.
bool scree_reading_try(struct scree_reading *reading, const struct scree_node *node,
                       const struct scree_key *key);

// A status of the world: memory is passed on, everything else complained about at a node.
SCREE_NODISCARD scree_status scree_reading_note(struct scree_reading *reading, const struct scree_node *node,
                                                scree_status status);

// Reads a distribution of sizes, which stands under a key or is one radius; false after a diagnostic.
struct scree_sizes;
bool scree_reading_sizes(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         struct scree_sizes *sizes);

// Reads a region; false after a diagnostic.
struct scree_region;
bool scree_reading_region(struct scree_reading *reading, const struct scree_node *map,
                          struct scree_region *region);

#endif
