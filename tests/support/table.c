// Tables of tests/data and of runs, see table.h.

#include "support/table.h"

#include "support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// splits a line at its commas
static size_t split(char *line, const char *cell[SCREE_TABLE_COLUMNS])
{
    size_t count = 0;
    for (char *next; line; line = next) {
        next = strchr(line, ',');
        if (next)
            *next++ = '\0';
        assert_true(count < SCREE_TABLE_COLUMNS);
        cell[count++] = line;
    }
    return count;
}

struct scree_table *scree_table_read(const char *name)
{
    struct scree_table *table = calloc(1, sizeof *table);
    assert_non_null(table);
    char path[512];
    assert_true(snprintf(path, sizeof path, "%s/%s", SCREE_TEST_DATA, name) < (int)sizeof path);
    table->text = scree_folder_read_path(path, NULL);
    for (char *line = table->text, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (*line == '#')
            continue;
        if (table->columns == 0) {
            table->columns = split(line, table->name);
            continue;
        }
        assert_true(table->rows < SCREE_TABLE_ROWS);
        assert_int_equal(split(line, table->cell[table->rows++]), table->columns);
    }
    assert_true(table->rows > 0);
    return table;
}

void scree_table_free(struct scree_table *table)
{
    free(table->text);
    free(table);
}

size_t scree_table_read_numbers(const char *path, char *header, size_t size, double *numbers, size_t columns,
                                size_t capacity)
{
    char line[2000];
    size_t rows = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(header, (int)size, file));
    while (rows < capacity && fgets(line, sizeof line, file)) {
        char *cursor = line;
        for (size_t c = 0; c < columns && *cursor && *cursor != '\n'; ++c) {
            numbers[rows * columns + c] = strtod(cursor, &cursor);
            cursor += *cursor == ',';
        }
        ++rows;
    }
    fclose(file);
    return rows;
}

const char *scree_table_word(const struct scree_table *table, size_t row, const char *column)
{
    for (size_t c = 0; c < table->columns; ++c)
        if (strcmp(table->name[c], column) == 0)
            return table->cell[row][c];
    fail_msg("there is no column '%s'", column);
    return NULL;
}

double scree_table_number(const struct scree_table *table, size_t row, const char *column)
{
    const char *word = scree_table_word(table, row, column);
    char *end;
    const double number = strtod(word, &end);
    if (end == word || *end)
        fail_msg("'%s' in column '%s' is not a number", word, column);
    return number;
}
