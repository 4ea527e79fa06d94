// The list of contact laws, and how users find them.

#include "law/law.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

static const struct scree_contact_law *const laws[] = {
#define SCREE_LAW(symbol) &scree_law_##symbol,
#include "law/law.def"
#undef SCREE_LAW
};

enum { LAWS = sizeof laws / sizeof laws[0], LONGEST = 32 };

const struct scree_contact_law *scree_law_at(size_t index)
{
    return index < LAWS ? laws[index] : NULL;
}

// how many letters to insert, drop or change to get from one word to the other (Levenshtein); of a word of
// any length the first letters are looked at
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1];
    const size_t width = strlen(b) < LONGEST ? strlen(b) : LONGEST;
    for (size_t j = 0; j <= width; ++j)
        row[j] = j;
    for (size_t i = 1; i <= LONGEST && a[i - 1]; ++i) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; ++j) {
            const size_t changed = corner + (a[i - 1] != b[j - 1]);
            const size_t shifted = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner = row[j];
            row[j] = changed < shifted ? changed : shifted;
        }
    }
    return row[width];
}

scree_status scree_law_find(const char *name, const struct scree_contact_law **law)
{
    char known[512] = "";
    size_t length = 0, least = LONGEST + 1;
    const char *nearest = "";
    *law = NULL;
    name = name ? name : "";
    for (size_t l = 0; l < LAWS && length < sizeof known; ++l) {
        if (strcmp(laws[l]->name, name) == 0) {
            *law = laws[l];
            return SCREE_OK;
        }
        const size_t far = distance(name, laws[l]->name);
        nearest = far < least ? laws[l]->name : nearest;
        least = far < least ? far : least;
        length +=
            (size_t)snprintf(known + length, sizeof known - length, "%s%s", l ? ", " : "", laws[l]->name);
    }
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "there is no contact law '%s'; there are %s; is '%s' meant?", name, known,
                             nearest);
}

double scree_law_touch(const double *constants, double radius)
{
    (void)constants, (void)radius;
    return 0;
}
