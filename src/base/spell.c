// Which name was meant, see spell.h: the edit distance of Levenshtein, row by row.

#include "base/spell.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

size_t scree_spell_distance(const char *a, const char *b)
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

void scree_spell_add(struct scree_spell_list *list, const char *name)
{
    const size_t distance = scree_spell_distance(list->wanted, name);
    if (!list->nearest || distance < list->distance) {
        list->nearest = name;
        list->distance = distance;
    }
    const size_t room = sizeof list->text - list->length;
    const int more = snprintf(list->text + list->length, room, "%s%s", list->length ? ", " : "", name);
    if (more > 0 && (size_t)more < room)
        list->length += (size_t)more;
    else
        memcpy(list->text + (list->length < room ? list->length : sizeof list->text - 4), "...", 4);
}

const char *scree_spell_meant(const struct scree_spell_list *list)
{
    // beyond a third of its letters a word was meant to be another one
    return list->nearest && list->distance < strlen(list->wanted) / 3 + 2 ? list->nearest : NULL;
}

const char *scree_spell_hint(struct scree_spell_list *list, const char *otherwise)
{
    const char *meant = scree_spell_meant(list);
    if (!meant)
        return otherwise;
    snprintf(list->hint, sizeof list->hint, ": did you mean '%.70s'?", meant);
    return list->hint;
}
