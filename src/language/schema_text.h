// What the schema is written through, and the patterns of its texts.
//
// What always holds: a pattern takes every text that `scree check` takes, whatever variables come to; what it
// takes beyond that is for the check. Of numbers it knows the dimension where the unit is one word; products
// of units it takes as they are.

#ifndef SCREE_LANGUAGE_SCHEMA_TEXT_H
#define SCREE_LANGUAGE_SCHEMA_TEXT_H

#include <scree/run.h>

struct scree_schema_text {
    scree_text_function *write;
    void *user;
};

void scree_schema_text_print(const struct scree_schema_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// A string of JSON, in quotes.
void scree_schema_text_string(const struct scree_schema_text *out, const char *text);

// Any scalar, which a text may look like.
void scree_schema_text_any(const struct scree_schema_text *out);

// One of some words, closed by null, or a text with variables.
void scree_schema_text_words(const struct scree_schema_text *out, const char *const *words);

// What a number in a unit may be as a text, as members of an object: `unit` is null for any, and `flat` is
// that of two dimensions, which may be the same.
void scree_schema_text_unit(const struct scree_schema_text *out, const char *unit, const char *flat);

// A number of steps, "kinetic < 1 nJ" and the path of a file likewise.
void scree_schema_text_steps(const struct scree_schema_text *out);
void scree_schema_text_comparison(const struct scree_schema_text *out);
void scree_schema_text_path(const struct scree_schema_text *out);

// The definitions that scree_schema_text_unit refers to, for all units of keys and of laws.
void scree_schema_text_units(const struct scree_schema_text *out);

#endif
