// Reading of tables, see table.h.

#include "table.h"

#include "algebra.h"
#include "embedded/cases.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Finds the header and the rows of the text.
static scree_status find_rows(struct scree_table *table)
{
    const char *line = table->text;
    while (line && *line == '#') {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    table->header = line;
    for (line = line ? strchr(line, '\n') : NULL; line && line[1]; line = strchr(line + 1, '\n')) {
        if (table->rows == SCREE_TABLE_ROWS)
            return SCREE_ERROR_LIMIT;
        table->row[table->rows++] = line + 1;
    }
    return table->rows > 0 ? SCREE_OK : SCREE_ERROR_IO;
}

scree_status scree_table_open(const char *name, struct scree_table *table)
{
    *table = (struct scree_table){0};
    char file[64];
    snprintf(file, sizeof file, "%s.csv", name);
    for (const struct scree_embedded *e = scree_embedded_cases; e->name; ++e)
        if (strcmp(e->name, file) == 0) {
            table->text = e->text;
            const scree_status status = find_rows(table);
            return status == SCREE_OK
                       ? SCREE_OK
                       : scree_status_fail(status, "the table %s has no rows, or too many", file);
        }
    return scree_status_fail(SCREE_ERROR_MISSING,
                             "the table %s is not embedded in the command: add it to tests/data", file);
}

// Returns the start of a cell; null if there is no such column.
static const char *find_cell(const struct scree_table *table, size_t row, const char *column)
{
    const size_t length = strlen(column);
    const char *head = table->header, *at = table->row[row];
    for (;;) {
        if (strncmp(head, column, length) == 0 && (head[length] == ',' || head[length] == '\n'))
            return at;
        head += strcspn(head, ",\n");
        at += strcspn(at, ",\n");
        if (*head++ != ',' || *at++ != ',')
            return NULL;
    }
}

double scree_table_number(const struct scree_table *table, size_t row, const char *column)
{
    const char *at = find_cell(table, row, column);
    char *end;
    const double number = at ? strtod(at, &end) : 0;
    return at && end != at ? number : (double)NAN;
}

bool scree_table_matches(const struct scree_table *table, size_t row, const char *column, const char *word)
{
    const char *at = find_cell(table, row, column);
    return at && strncmp(at, word, strlen(word)) == 0;
}

double scree_table_note(const struct scree_table *table, const char *note, const char *key)
{
    const char *at = strstr(table->text, note);
    const char *line_end = at ? strchr(at, '\n') : NULL;
    at = at ? strstr(at, key) : NULL;
    return at && at < line_end ? strtod(at + strlen(key), NULL) : (double)NAN;
}

// Reads `count` numbers after `key` in the notes, separated by one character; returns false if there are
// fewer.
static bool read_numbers(const struct scree_table *table, const char *key, double *numbers, int count)
{
    const char *at = strstr(table->text, key);
    at = at ? at + strlen(key) : NULL;
    for (int k = 0; at && k < count; ++k) {
        char *end;
        numbers[k] = strtod(at, &end);
        at = end == at ? NULL : *end ? end + 1 : end;
    }
    return at != NULL;
}

scree_status scree_table_reference(const char *name, struct scree_table_reference *reference)
{
    static const char *const columns[] = {"t", "q0", "q1", "q2", "q3", "wbx", "wby", "wbz", "wx", "wy", "wz"};
    struct scree_table table;
    *reference = (struct scree_table_reference){.body.mass = 2};
    SCREE_TRY(scree_table_open(name, &table));
    bool valid = read_numbers(&table, "J=(", reference->body.inertia, 3) &&
                 read_numbers(&table, "q0=(", reference->body.orientation, 4) &&
                 read_numbers(&table, "w_body(0)=(", reference->body_spin, 3);
    if (!read_numbers(&table, "body-omega period = ", &reference->period, 1))
        reference->period = 0;
    scree_algebra_rotate(reference->body.orientation, reference->body_spin, reference->body.spin);
    for (size_t row = 0; row < table.rows; ++row) {
        struct scree_table_reference_sample *sample = &reference->sample[reference->count++];
        double v[11];
        for (int k = 0; k < 11; ++k) {
            v[k] = scree_table_number(&table, row, columns[k]);
            valid = valid && !isnan(v[k]);
        }
        sample->time = v[0];
        memcpy(sample->orientation, v + 1, sizeof sample->orientation);
        memcpy(sample->body_spin, v + 5, sizeof sample->body_spin);
        memcpy(sample->spin, v + 8, sizeof sample->spin);
    }
    return valid ? SCREE_OK
                 : scree_status_fail(SCREE_ERROR_IO, "the reference %s.csv has missing or invalid numbers",
                                     name);
}
