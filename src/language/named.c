// Names that a scene defines and refers to, see named.h.

#include "language/named.h"

#include "base/suggestion.h"

#include <string.h>

void scree_named_free(struct scree_named *named)
{
    scree_array_free(&named->defined);
    scree_array_free(&named->references);
}

static struct scree_named_name *find(const struct scree_named *named, const char *name)
{
    for (size_t k = 0; k < named->defined.count; ++k)
        if (strcmp(named->defined.data[k].name, name) == 0)
            return &named->defined.data[k];
    return NULL;
}

scree_status scree_named_define(struct scree_named *named, const char *name, unsigned kind)
{
    struct scree_named_name *entry = find(named, name);
    if (entry)
        entry->kinds |= kind;
    if (entry || named->defined.count == SCREE_NAMED_MAX)
        return SCREE_OK;
    return scree_array_push(&named->defined, ((struct scree_named_name){name, kind}));
}

scree_status scree_named_refer(struct scree_named *named, const char *name, unsigned kind,
                               const struct scree_place *place)
{
    const struct scree_named_name *entry = find(named, name);
    return entry && (entry->kinds & kind) == kind
               ? SCREE_OK
               : scree_array_push(&named->references, ((struct scree_named_reference){name, kind, *place}));
}

static const char *first_kind(const char *const *kinds, unsigned bits)
{
    size_t k = 0;
    while (!(bits >> k & 1))
        ++k;
    return kinds[k];
}

void scree_named_resolve(const struct scree_named *named, const char *object, const char *const *kinds,
                         struct scree_diagnostics *diagnostics)
{
    size_t unknown = 0;
    for (size_t r = 0; r < named->references.count && named->defined.count < SCREE_NAMED_MAX; ++r) {
        const struct scree_named_reference *reference = &named->references.data[r];
        struct scree_suggestion known = {.wanted = reference->name};
        const struct scree_named_name *entry = find(named, reference->name);
        if (entry && (entry->kinds & reference->kind) != reference->kind)
            scree_diagnostic_add(diagnostics, &reference->place, "the %s '%.60s' has no %s, only %s", object,
                                 reference->name, first_kind(kinds, reference->kind),
                                 first_kind(kinds, entry->kinds));
        if (entry)
            continue;
        // suggestions only for diagnostics that are listed; further ones are only counted
        for (size_t k = 0; k < named->defined.count && unknown <= SCREE_DIAGNOSTIC_LIMIT; ++k)
            scree_suggestion_add(&known, named->defined.data[k].name);
        ++unknown;
        const char *best = scree_suggestion_best(&known);
        if (best)
            scree_diagnostic_add(diagnostics, &reference->place,
                                 "there is no %s '%.60s': did you mean '%.60s'?", object, reference->name,
                                 best);
        else
            scree_diagnostic_add(diagnostics, &reference->place, "there is no %s '%.60s'; %s%.200s", object,
                                 reference->name, known.nearest ? "known names: " : "the scene defines none",
                                 known.text);
    }
}
