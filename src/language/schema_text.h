// Output of the schema, and the patterns of its texts.
//
// Invariant: a pattern accepts every text that `scree check` accepts, and possibly more: any text with
// variables, and any product of units. It checks the dimension of single units only.

#ifndef SCREE_LANGUAGE_SCHEMA_TEXT_H
#define SCREE_LANGUAGE_SCHEMA_TEXT_H

#include <scree/run.h>

struct scree_schema_text {
    scree_text_function *write;
    void *user;
};

void scree_schema_text_print(const struct scree_schema_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Writes a JSON string, in quotes.
void scree_schema_text_string(const struct scree_schema_text *out, const char *text);

// Writes the type of any scalar, since an unquoted text may look like a number or a flag.
void scree_schema_text_any(const struct scree_schema_text *out);

// Writes a choice of words, null-terminated, or a text with variables.
void scree_schema_text_words(const struct scree_schema_text *out, const char *const *words);

// Writes the pattern of a number with a unit, as members of an object. `unit` is null for any unit; `flat` is
// the unit in two dimensions, which may be the same.
void scree_schema_text_unit(const struct scree_schema_text *out, const char *unit, const char *flat);

// Write the patterns of a number of steps, of a comparison as "kinetic < 1 nJ", and of a file path.
void scree_schema_text_steps(const struct scree_schema_text *out);
void scree_schema_text_comparison(const struct scree_schema_text *out);
void scree_schema_text_path(const struct scree_schema_text *out);

// Writes the definitions that scree_schema_text_unit refers to, for all units of keys and laws.
void scree_schema_text_units(const struct scree_schema_text *out);

#endif
