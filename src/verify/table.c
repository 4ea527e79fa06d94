// Reading of tables, see table.h.

#include "table.h"

#include "embedded/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static scree_status read(struct scree_table *table)
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

scree_status scree_table_open(struct scree_report *report, const char *name, struct scree_table *table)
{
    *table = (struct scree_table){0};
    char file[64];
    snprintf(file, sizeof file, "%s.csv", name);
    for (const struct scree_embedded *e = scree_embedded_cases; e->name; ++e)
        if (strcmp(e->name, file) == 0) {
            table->text = e->text;
            const scree_status status = read(table);
            return status == SCREE_OK
                       ? SCREE_OK
                       : scree_report_fail(report, status, "the table %s has no rows, or too many", file);
        }
    return scree_report_fail(report, SCREE_ERROR_MISSING,
                             "the table %s is not embedded in the command: add it to tests/data", file);
}

// Returns the start of a cell; null if there is no such column.
static const char *cell(const struct scree_table *table, size_t row, const char *column)
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
    const char *at = cell(table, row, column);
    char *end;
    const double number = at ? strtod(at, &end) : 0;
    return at && end != at ? number : (double)NAN;
}

bool scree_table_matches(const struct scree_table *table, size_t row, const char *column, const char *word)
{
    const char *at = cell(table, row, column);
    return at && strncmp(at, word, strlen(word)) == 0;
}

double scree_table_note(const struct scree_table *table, const char *note, const char *key)
{
    const char *at = strstr(table->text, note);
    const char *line_end = at ? strchr(at, '\n') : NULL;
    at = at ? strstr(at, key) : NULL;
    return at && at < line_end ? strtod(at + strlen(key), NULL) : (double)NAN;
}

bool scree_table_list(const struct scree_table *table, const char *key, double *numbers, int count)
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
