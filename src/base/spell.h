// Which name was meant: the nearest one by the number of letters that differ.

#ifndef SCREE_BASE_SPELL_H
#define SCREE_BASE_SPELL_H

#include <stddef.h>

// Letters to insert, drop or exchange to make one name of the other; longer names are cut.
size_t scree_spell_distance(const char *a, const char *b);

// A list of names in the making: ", " between them, cut with an ellipsis where room ends, and the one that is
// nearest to `wanted`.
struct scree_spell_list {
    const char *wanted;
    const char *nearest; // null while the list is empty
    size_t distance;
    size_t length;
    char text[1024];
    char hint[96];
};

void scree_spell_add(struct scree_spell_list *list, const char *name);

// The name that was most likely meant; null where none is near.
const char *scree_spell_meant(const struct scree_spell_list *list);

// ": did you mean 'piston'?" with that name, or `otherwise`.
const char *scree_spell_hint(struct scree_spell_list *list, const char *otherwise);

#endif
