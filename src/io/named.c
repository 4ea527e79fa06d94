// Names that are made and meant, see named.h.

#include "io/named.h"

#include "base/spell.h"

#include <string.h>

void scree_named_free(struct scree_named *named)
{
    scree_array_free(&named->made);
    scree_array_free(&named->meant);
}

static bool is_made(const struct scree_named *named, const char *name)
{
    for (size_t k = 0; k < named->made.count; ++k)
        if (strcmp(named->made.data[k], name) == 0)
            return true;
    return false;
}

scree_status scree_named_make(struct scree_named *named, const char *name)
{
    const bool full = named->made.count == SCREE_NAMED_MOST;
    return full || is_made(named, name) ? SCREE_OK : scree_array_push(&named->made, name);
}

scree_status scree_named_mean(struct scree_named *named, const char *name, const struct scree_place *place)
{
    return is_made(named, name) ? SCREE_OK
                                : scree_array_push(&named->meant, ((struct scree_named_wish){name, *place}));
}

void scree_named_resolve(const struct scree_named *named, const char *what,
                         struct scree_complaints *complaints)
{
    size_t told = 0;
    for (size_t w = 0; w < named->meant.count && named->made.count < SCREE_NAMED_MOST; ++w) {
        const struct scree_named_wish *wish = &named->meant.data[w];
        struct scree_spell_list known = {.wanted = wish->name};
        if (is_made(named, wish->name))
            continue;
        // beyond what is listed they are counted
        for (size_t k = 0; k < named->made.count && told <= SCREE_COMPLAINTS; ++k)
            scree_spell_add(&known, named->made.data[k]);
        ++told;
        const char *meant = scree_spell_meant(&known);
        if (meant)
            scree_complaint_add(complaints, &wish->place, "there is no %s '%.60s': did you mean '%.60s'?",
                                what, wish->name, meant);
        else
            scree_complaint_add(complaints, &wish->place, "there is no %s '%.60s'; %s%.200s", what,
                                wish->name, known.nearest ? "there are " : "there is none at all",
                                known.text);
    }
}
