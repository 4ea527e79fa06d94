// Text of a scene that is being written, shared by the writers of scenes.

#ifndef SCREE_LANGUAGE_PRINT_OUT_H
#define SCREE_LANGUAGE_PRINT_OUT_H

#include "language/reading.h"

// Where a scene is written to, how, and how far it is.
struct scree_print_out {
    scree_text_function *write;
    void *user;
    struct scree_reading *reading;
    int depth;       // indentation, in steps of two blanks
    bool dash;       // the next line begins an item of a list
    bool open;       // a key was written whose value, if any, follows on the next lines
    size_t left;     // bytes that may still be written
    size_t line;     // bytes of the line so far
    bool too_long;   // the limit was exceeded
    bool unexpanded; // variables are kept
};

// Writes text, unless it would exceed the limit.
void scree_print_out_write(struct scree_print_out *out, const char *text);

// Separates items in brackets.
void scree_print_out_comma(struct scree_print_out *out);

void scree_print_out_number(struct scree_print_out *out, double value);

// Writes numbers as a list in brackets.
void scree_print_out_numbers(struct scree_print_out *out, const double *number, size_t count);

// Writes a text, in quotes where YAML needs them.
void scree_print_out_text(struct scree_print_out *out, const char *text);

// Writes a node, with its variables expanded unless `unexpanded`.
void scree_print_out_node(struct scree_print_out *out, const struct scree_node *node);

// Writes the value of a key of this map, in SI units; `node` is the value or its default.
void scree_print_value(struct scree_print_out *out, const struct scree_node *map, enum scree_key_id id,
                       const struct scree_node *node);

// Returns the first error.
SCREE_NODISCARD scree_status scree_print_out_end(const struct scree_print_out *out);

#endif
