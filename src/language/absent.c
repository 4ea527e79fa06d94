// What Scree does not have yet, see absent.h.

#include "language/absent.h"

#include <string.h>
#include <strings.h>

const struct scree_absent scree_absent_rows[] = {
#define ABSENT(what, words, advice) {what, words, advice},
#include "language/absent.def"
#undef ABSENT
    {NULL, NULL, NULL}};

const struct scree_absent *scree_absent_find(const char *word)
{
    const size_t length = strlen(word);
    for (const struct scree_absent *row = scree_absent_rows; length > 0 && row->what; ++row)
        for (const char *at = row->words; *at; at += strspn(at, " ")) {
            const size_t word_length = strcspn(at, " ");
            if (word_length == length && strncasecmp(at, word, length) == 0)
                return row;
            at += word_length;
        }
    return NULL;
}
