// Suggestions for unknown names, see suggestion.h: the edit distance of Levenshtein, row by row.

#include "base/suggestion.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

// Names of the previous version; to be deleted with the next one.
static const struct {
    const char *old, *name;
} renamed[] = {
    {"way", "displacement"},  {"inner", "internal-dissipation"},     {"fed", "energy-input"},
    {"cap", "coulomb-limit"}, {"lost_to_inner", "lost_to_internal"},
};

static bool is_new_name_of(const char *name, const char *old)
{
    for (size_t r = 0; r < sizeof renamed / sizeof renamed[0]; ++r)
        if (strcmp(renamed[r].old, old) == 0 && strcmp(renamed[r].name, name) == 0)
            return true;
    return false;
}

size_t scree_suggestion_distance(const char *a, const char *b)
{
    const size_t length = strnlen(a, LONGEST), other = strnlen(b, LONGEST);
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= other; ++j)
        row[j] = j;
    for (size_t i = 0; i < length; ++i) {
        size_t corner = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < other; ++j) {
            const size_t exchange = corner + (a[i] != b[j]);
            const size_t change = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            corner = row[j + 1];
            row[j + 1] = exchange < change ? exchange : change;
        }
    }
    return row[other];
}

void scree_suggestion_add(struct scree_suggestion *list, const char *name)
{
    const size_t distance = scree_suggestion_distance(list->wanted, name);
    if (is_new_name_of(name, list->wanted))
        list->renamed = name;
    if (!list->nearest || distance < list->distance) {
        list->nearest = name;
        list->distance = distance;
    }
    const size_t capacity = sizeof list->text - list->length;
    const int more = snprintf(list->text + list->length, capacity, "%s%s", list->length ? ", " : "", name);
    if (more > 0 && (size_t)more < capacity)
        list->length += (size_t)more;
    else
        memcpy(list->text + (list->length < capacity ? list->length : sizeof list->text - 4), "...", 4);
}

const char *scree_suggestion_best(const struct scree_suggestion *list)
{
    // no suggestion if more than about a third of the letters differ
    return list->nearest && list->distance < strlen(list->wanted) / 3 + 2 ? list->nearest : NULL;
}

const char *scree_suggestion_hint(struct scree_suggestion *list, const char *fallback)
{
    const char *best = scree_suggestion_best(list);
    if (!list->renamed && !best)
        return fallback;
    if (list->renamed)
        snprintf(list->hint, sizeof list->hint, ": it is called '%.60s' now", list->renamed);
    else
        snprintf(list->hint, sizeof list->hint, ": did you mean '%.70s'?", best);
    return list->hint;
}
