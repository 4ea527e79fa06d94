// Spelling of material names in files, see format_name.h.

#include "exchange/format_name.h"

#include "base/memory.h"

#include <string.h>

struct scree_format_type scree_format_name_text(const char *name, bool word)
{
    struct scree_format_type spelled = {""};
    for (size_t k = 0; k + 1 < sizeof spelled.name && name[k]; ++k) {
        const char c = name[k];
        const bool is_delimiter = (unsigned char)c < ' ' || c == 0x7f || c == '"' || (c == '#' && k == 0);
        spelled.name[k] = is_delimiter || (word && c == ' ') ? '_' : c;
    }
    return spelled;
}

scree_status scree_format_name_check(const struct scree_format_table *table,
                                     const struct scree_format *format)
{
    const size_t count = format->facts & SCREE_FORMAT_NAMES ? table->types.count : 0;
    const bool word = format->facts & SCREE_FORMAT_WORDS;
    struct scree_format_type *spelled;
    scree_status status = SCREE_OK;
    SCREE_TRY(scree_memory_new(count, sizeof *spelled, (void **)&spelled));
    for (size_t t = 0; t < count && status == SCREE_OK; ++t) {
        spelled[t] = scree_format_name_text(table->types.data[t].name, word);
        for (size_t k = 0; k < t && status == SCREE_OK; ++k)
            if (strcmp(spelled[k].name, spelled[t].name) == 0)
                status = scree_status_fail(
                    SCREE_ERROR_ARGUMENT,
                    "the types '%s' and '%s' would both be written as '%s' in the format %s: rename one of "
                    "them",
                    table->types.data[k].name, table->types.data[t].name, spelled[t].name, format->name);
    }
    scree_memory_free(spelled);
    return status;
}

size_t scree_format_name_find(const struct scree_world *world, const char *spelled, scree_material_id *id)
{
    size_t found = 0;
    const char *name;
    if (scree_material_find(world, spelled, id) == SCREE_OK)
        return 1;
    for (scree_material_id candidate = {1}; (name = scree_material_name(world, candidate)); ++candidate.value)
        if (strcmp(scree_format_name_text(name, false).name, spelled) == 0 ||
            strcmp(scree_format_name_text(name, true).name, spelled) == 0) {
            *id = candidate;
            ++found;
        }
    return found;
}
