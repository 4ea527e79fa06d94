// Names that are made and meant, see named.h.

#include "language/named.h"

#include "base/suggestion.h"

#include <string.h>

void scree_named_free(struct scree_named *named)
{
    scree_array_free(&named->made);
    scree_array_free(&named->meant);
}

static struct scree_named_name *find(const struct scree_named *named, const char *name)
{
    for (size_t k = 0; k < named->made.count; ++k)
        if (strcmp(named->made.data[k].name, name) == 0)
            return &named->made.data[k];
    return NULL;
}

scree_status scree_named_make(struct scree_named *named, const char *name, unsigned kind)
{
    struct scree_named_name *made = find(named, name);
    if (made)
        made->kinds |= kind;
    if (made || named->made.count == SCREE_NAMED_MOST)
        return SCREE_OK;
    return scree_array_push(&named->made, ((struct scree_named_name){name, kind}));
}

scree_status scree_named_mean(struct scree_named *named, const char *name, unsigned kind,
                              const struct scree_place *place)
{
    const struct scree_named_name *made = find(named, name);
    return made && (made->kinds & kind) == kind
               ? SCREE_OK
               : scree_array_push(&named->meant, ((struct scree_named_wish){name, kind, *place}));
}

static const char *word_of(const char *const *kinds, unsigned bits)
{
    size_t k = 0;
    while (!(bits >> k & 1))
        ++k;
    return kinds[k];
}

void scree_named_resolve(const struct scree_named *named, const char *what, const char *const *kinds,
                         struct scree_diagnostics *diagnostics)
{
    size_t told = 0;
    for (size_t w = 0; w < named->meant.count && named->made.count < SCREE_NAMED_MOST; ++w) {
        const struct scree_named_wish *wish = &named->meant.data[w];
        struct scree_suggestion known = {.wanted = wish->name};
        const struct scree_named_name *made = find(named, wish->name);
        if (made && (made->kinds & wish->kind) != wish->kind)
            scree_diagnostic_add(diagnostics, &wish->place, "the %s '%.60s' never has %s in it, but %s", what,
                                 wish->name, word_of(kinds, wish->kind), word_of(kinds, made->kinds));
        if (made)
            continue;
        // beyond what is listed they are counted
        for (size_t k = 0; k < named->made.count && told <= SCREE_COMPLAINTS; ++k)
            scree_suggestion_add(&known, named->made.data[k].name);
        ++told;
        const char *meant = scree_suggestion_best(&known);
        if (meant)
            scree_diagnostic_add(diagnostics, &wish->place, "there is no %s '%.60s': did you mean '%.60s'?",
                                 what, wish->name, meant);
        else
            scree_diagnostic_add(diagnostics, &wish->place, "there is no %s '%.60s'; %s%.200s", what,
                                 wish->name, known.nearest ? "there are " : "there is none at all",
                                 known.text);
    }
}
