// Data that formats leave out, see format_loss.h.

#include "exchange/format_loss.h"

#include <string.h>

#define FROM(column, count) (((1u << (count)) - 1) << SCREE_FORMAT_##column)
static const struct {
    unsigned columns, facts;
    const char *name;
} rows[] = {{FROM(RADIUS, 1), 0, "radius"},  {FROM(DENSITY, 1), 0, "density"},
            {FROM(MASS, 1), 0, "mass"},      {FROM(VELOCITY_X, 3), 0, "velocity"},
            {FROM(SPIN_X, 3), 0, "spin"},    {FROM(TURN_W, 4), 0, "orientation"},
            {FROM(FORCE_X, 3), 0, "force"},  {FROM(IMAGE_X, 3), 0, "image flags"},
            {0, SCREE_FORMAT_BOX, "box"},    {0, SCREE_FORMAT_PERIODS, "periodic axes"},
            {0, SCREE_FORMAT_TIME, "time"},  {0, SCREE_FORMAT_STEP, "step"},
            {0, SCREE_FORMAT_UNITS, "units"}};
enum { ROWS = sizeof rows / sizeof rows[0] };

void scree_format_loss_add(struct scree_format_loss *loss, const struct scree_format_table *table,
                           unsigned had, const struct scree_format *format, bool units)
{
    const unsigned mass = FROM(MASS, 1), density = FROM(DENSITY, 1);
    const bool periodic = table->periodic[0] || table->periodic[1] || table->periodic[2];
    const unsigned facts = (table->boxed ? SCREE_FORMAT_BOX : 0u) | (periodic ? SCREE_FORMAT_PERIODS : 0u) |
                           (table->timed ? SCREE_FORMAT_TIME : 0u) |
                           (table->stepped ? SCREE_FORMAT_STEP : 0u) | (units ? SCREE_FORMAT_UNITS : 0u);
    loss->columns |= had & ~format->columns;
    loss->facts |= facts & ~format->facts;
    loss->mass_as_density = loss->mass_as_density || ((had & mass & ~format->columns) && !(had & density) &&
                                                      (table->has & density & format->columns));
}

static void append(char *text, size_t capacity, const char *between, const char *word)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, capacity - used, "%s%s", used > 0 ? between : "", word);
}

void scree_format_loss_text(const struct scree_format_loss *loss, char *text, size_t capacity)
{
    text[0] = 0;
    for (size_t r = 0; r < ROWS; ++r) {
        const bool mass = rows[r].columns == FROM(MASS, 1) && loss->mass_as_density;
        if (loss->columns & rows[r].columns || loss->facts & rows[r].facts)
            append(text, capacity, ", ", mass ? "mass (kept as the density of a sphere)" : rows[r].name);
    }
}

void scree_format_loss_number(const struct scree_format_table *table, const struct scree_format *format,
                              char *text, size_t capacity)
{
    text[0] = 0;
    if (format->facts & SCREE_FORMAT_NAMES || !scree_format_has(table, SCREE_FORMAT_TYPE) ||
        scree_format_types_are_numbers(table))
        return;
    for (size_t t = 0; t < table->types.count; ++t) {
        char one[SCREE_FORMAT_TYPE_LENGTH + 24];
        (void)snprintf(one, sizeof one, "%zu %s", t + 1, table->types.data[t].name);
        // leave space for ", ..."
        if (strlen(text) + strlen(one) + sizeof ", ..." + 1 > capacity) {
            append(text, capacity, ", ", "...");
            return;
        }
        append(text, capacity, ", ", one);
    }
}
