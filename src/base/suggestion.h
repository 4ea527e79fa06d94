// Suggestions for an unknown name: its new name if it was renamed, else the known name at the smallest edit
// distance.

#ifndef SCREE_BASE_SUGGESTION_H
#define SCREE_BASE_SUGGESTION_H

#include <stddef.h>

// Edit distance (Levenshtein): insertions, deletions and substitutions that turn `a` into `b`. Names are cut
// at 63 characters.
size_t scree_suggestion_distance(const char *a, const char *b);

// The known names as a list, separated by ", " and cut with an ellipsis at the end of `text`, and the one
// that is closest to `wanted`.
struct scree_suggestion {
    const char *wanted;
    const char *nearest; // null while the list is empty
    const char *renamed; // the new name of `wanted`, null if it has none in the list
    size_t distance;
    size_t length;
    char text[1024];
    char hint[96];
};

void scree_suggestion_add(struct scree_suggestion *list, const char *name);

// The most likely name; null if none is close.
const char *scree_suggestion_best(const struct scree_suggestion *list);

// ": it is called 'x' now", ": did you mean 'x'?", or `fallback`.
const char *scree_suggestion_hint(struct scree_suggestion *list, const char *fallback);

#endif
