// Lists numbers, keys, units and columns of the scene language, see scree/scene.h.

#include "language/absent.h"
#include "language/check.h"
#include "language/key.h"
#include "language/print.h"
#include "measure/column.h"
#include "text/quantity.h"

#include <scree/scene.h>

#include <string.h>

scree_status scree_scene_number(const char *text, const char *unit, double *number)
{
    struct scree_quantity quantity;
    struct scree_parse_error error;
    char found[64];
    if (!scree_quantity_read(text, strlen(text), &quantity, &error))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%.60s': %s", text, error.message);
    *number = quantity.value;
    if (!unit || scree_dimension_equal(quantity.dimension, (struct scree_dimension){{0}}) ||
        scree_dimension_equal(quantity.dimension, scree_quantity_dimension(unit)))
        return SCREE_OK;
    scree_quantity_format(quantity.dimension, found, sizeof found);
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%.60s' is in %s, but must be in %s", text, found, unit);
}

bool scree_scene_key_at(size_t index, struct scree_scene_key *key)
{
    if (index >= SCREE_KEYS)
        return false;
    const struct scree_key *row = &scree_key_rows[index];
    *key = (struct scree_scene_key){.section = scree_key_sections[row->section].name,
                                    .name = row->name,
                                    .value = scree_key_values(row->type),
                                    .unit = row->unit,
                                    .least = row->least,
                                    .most = row->most,
                                    .above = row->flags & SCREE_KEY_ABOVE,
                                    .below = row->flags & SCREE_KEY_BELOW,
                                    .required = row->flags & SCREE_KEY_NEEDED,
                                    .default_value = row->type == SCREE_KEY_SECTION ? "" : row->default_value,
                                    .words = scree_key_choices(row),
                                    .description = row->about,
                                    .example = row->example};
    return true;
}

bool scree_scene_equivalent_at(size_t index, struct scree_scene_equivalent *equivalent)
{
    const struct scree_equivalent *row = scree_equivalent_rows;
    while (row->key && index-- > 0)
        ++row;
    if (row->key)
        *equivalent = (struct scree_scene_equivalent){
            row->section, row->key, {row->name[0], row->name[1], row->name[2]}};
    return row->key != NULL;
}

bool scree_scene_absent_at(size_t index, struct scree_scene_absent *absent)
{
    const struct scree_absent *row = scree_absent_rows;
    while (row->what && index-- > 0)
        ++row;
    if (row->what)
        *absent = (struct scree_scene_absent){row->what, row->words, row->advice};
    return row->what != NULL;
}

bool scree_scene_absent_find(const char *word, struct scree_scene_absent *absent)
{
    const struct scree_absent *row = scree_absent_find(word);
    if (row)
        *absent = (struct scree_scene_absent){row->what, row->words, row->advice};
    return row != NULL;
}

bool scree_scene_unit_at(size_t index, struct scree_scene_unit *unit)
{
    struct scree_dimension dimension;
    *unit = (struct scree_scene_unit){0};
    unit->symbol = scree_quantity_unit(index, &unit->factor, &dimension, &unit->prefixed);
    if (unit->symbol)
        scree_quantity_format(dimension, unit->base, sizeof unit->base);
    return unit->symbol != NULL;
}

bool scree_scene_column_at(size_t index, struct scree_scene_column *column)
{
    const struct scree_column_row *row = scree_column_rows;
    // the last row has a null name
    while (row->name && index-- > 0)
        ++row;
    if (row->name)
        *column = (struct scree_scene_column){row->name, row->unit, row->about, scree_column_arguments(row)};
    return row->name != NULL;
}

void scree_scene_schema(scree_text_function *write, void *user)
{
    scree_schema_write(write, user);
}

void scree_scene_reference(scree_text_function *write, void *user)
{
    scree_reference_write(write, user);
}
