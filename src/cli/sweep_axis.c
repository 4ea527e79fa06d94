// The axes of a sweep, see sweep.h.

#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool add(struct scree_sweep_axis *axis, const char *text, size_t length)
{
    if (axis->count == SCREE_SWEEP_AXIS_MAX)
        return false;
    char **grown = realloc(axis->value, (axis->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    axis->value = grown;
    axis->value[axis->count] = strndup(text, length);
    axis->count += axis->value[axis->count] != NULL;
    return axis->value[axis->count - 1] != NULL;
}

// Reads a number and its unit, up to a colon or the end of the text. Returns the end, or null if there is no
// number.
static const char *read_number(const char *text, double *number, const char **unit, size_t *length)
{
    char *end;
    *number = strtod(text, &end);
    if (end == text || !isfinite(*number))
        return NULL;
    *unit = end;
    *length = strcspn(end, ":");
    return end + *length;
}

// Converts a number from one unit to another; returns false if their dimensions differ.
static bool convert(double *number, const char *from, size_t from_length, const char *to, size_t to_length)
{
    char one_from[128], one_to[128];
    double from_value, to_value;
    if (from_length == to_length && strncmp(from, to, to_length) == 0)
        return true;
    // check both directions, because a number without a unit is accepted for every dimension
    if (snprintf(one_from, sizeof one_from, "1%.*s", (int)from_length, from) >= (int)sizeof one_from ||
        snprintf(one_to, sizeof one_to, "1%.*s", (int)to_length, to) >= (int)sizeof one_to ||
        scree_scene_number(one_from, NULL, &from_value) != SCREE_OK ||
        scree_scene_number(one_to, NULL, &to_value) != SCREE_OK ||
        scree_scene_number(one_from, one_to + 1 + strspn(one_to + 1, " "), &from_value) != SCREE_OK ||
        scree_scene_number(one_to, one_from + 1 + strspn(one_from + 1, " "), &to_value) != SCREE_OK)
        return false;
    *number = *number * from_value / to_value;
    return true;
}

// Adds the values of a range "first:last:step". All values get the unit of the step, which is also the unit
// of numbers without one. Returns true without adding anything if the text is not a range; returns false if
// it is an invalid one, with the reason in `why` if known.
static bool add_range(struct scree_sweep_axis *axis, const char *piece, bool *is_range, const char **why)
{
    double number[3];
    const char *unit[3], *at = piece;
    size_t length[3];
    *is_range = false;
    for (int k = 0; k < 3; ++k) {
        at = at ? read_number(at, &number[k], &unit[k], &length[k]) : NULL;
        // a range without a step is invalid
        *is_range = k == 1 && at && *at == 0;
        if (*is_range)
            return false;
        if (!at || (k < 2 && *at != ':'))
            return true;
        at += k < 2;
    }
    if (*at != 0)
        return true;
    *is_range = true;
    for (int k = 0; k < 2; ++k)
        if (length[k] > 0 && !convert(&number[k], unit[k], length[k], unit[2], length[2])) {
            *why = "; the three numbers of a range must have the same dimension, as in 1 mm:2 mm:500 um";
            return false;
        }
    // include the last value despite round-off
    const double steps = (number[1] - number[0]) / number[2];
    if (!(steps > -1e-9) || steps >= SCREE_SWEEP_AXIS_MAX)
        return false;
    for (double k = 0; k <= floor(steps + 1e-9); ++k) {
        char text[128];
        const int used =
            snprintf(text, sizeof text, "%.15g%.*s", number[0] + k * number[2], (int)length[2], unit[2]);
        if (used >= (int)sizeof text || !add(axis, text, (size_t)used))
            return false;
    }
    return true;
}

static bool add_values(struct scree_sweep_axis *axis, const char *piece, const char **why)
{
    bool is_range;
    return piece[0] && add_range(axis, piece, &is_range, why) &&
           (is_range || add(axis, piece, strlen(piece)));
}

bool scree_sweep_axis_read(const char *command, const char *text, struct scree_sweep_axis *axis)
{
    *axis = (struct scree_sweep_axis){0};
    const char *equals = strchr(text, '='), *why = "";
    bool good = equals && equals > text && equals[1];
    axis->name = good ? strndup(text, (size_t)(equals - text)) : NULL;
    good = axis->name != NULL;
    for (const char *at = equals; good && at; at = strchr(at + 1, ',')) {
        char *piece = strndup(at + 1, strcspn(at + 1, ","));
        good = piece && add_values(axis, piece, &why);
        free(piece);
    }
    return good || scree_cli_refuse(
                       "%s: --sweep takes a variable and its values, as in --sweep friction=0.1,0.3 or, with "
                       "first:last:step, --sweep friction=0.1:0.5:0.1; at most %d values; got '%s'%s",
                       command, (int)SCREE_SWEEP_AXIS_MAX, text, why);
}

// Bytes beyond ASCII are kept: they are parts of UTF-8 characters, as in "5 µm".
char scree_sweep_axis_folder_char(char letter)
{
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || (letter & 0x80) != 0;
    return plain || (letter && strchr(".,=+-_%", letter)) ? letter : '_';
}

static bool same_folder(const char *a, const char *b)
{
    while (*a && *b && scree_sweep_axis_folder_char(*a) == scree_sweep_axis_folder_char(*b)) {
        ++a;
        ++b;
    }
    return *a == *b;
}

// Returns true if a value is the same number as an earlier one (1 and 1.0), or gives the same folder name.
static bool is_duplicate(const struct scree_sweep_axis *axis, size_t k, const double *number,
                         size_t *previous)
{
    for (*previous = 0; *previous < k; ++*previous)
        if (number[*previous] == number[k] || same_folder(axis->value[*previous], axis->value[k]))
            return true;
    return false;
}

bool scree_sweep_axis_find_duplicate(const struct scree_sweep_axis *axis, size_t *duplicate, size_t *previous)
{
    bool found = false;
    double *number = calloc(axis->count, sizeof *number);
    for (size_t k = 0; number && !found && k < axis->count; ++k) {
        // NaN is not equal to any number
        if (scree_scene_number(axis->value[k], NULL, &number[k]) != SCREE_OK)
            number[k] = (double)NAN;
        *duplicate = k;
        found = is_duplicate(axis, k, number, previous);
    }
    free(number);
    return found;
}

void scree_sweep_axis_free(struct scree_sweep_axis *axis)
{
    free(axis->name);
    for (size_t k = 0; k < axis->count; ++k)
        free(axis->value[k]);
    free(axis->value);
}
