// Compares two tables, row by row and column by column.

#include "diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct table {
    FILE *file;
    char *line, *head; // the current row, and the column names
    size_t capacity, rows;
};

static bool open_table(struct table *table, const char *path)
{
    *table = (struct table){.file = fopen(path, "r")};
    if (table->file)
        return true;
    perror("scree diff: cannot open a table");
    return false;
}

static void close_table(struct table *table)
{
    if (table->file)
        fclose(table->file);
    free(table->line);
    free(table->head);
}

// Reads the next row, without the end of line; returns false after the last one.
static bool next(struct table *table)
{
    const ssize_t length = getline(&table->line, &table->capacity, table->file);
    if (length <= 0)
        return false;
    table->line[strcspn(table->line, "\r\n")] = 0;
    ++table->rows;
    return true;
}

// Returns the length of a cell; quotes are not interpreted.
static size_t cell(const char *at)
{
    return strcspn(at, ",");
}

static const char *column_name(const struct table *table, size_t column, int *length)
{
    const char *at = table->head ? table->head : "";
    for (; column > 0 && *at; --column) {
        at += cell(at);
        at += *at == ',';
    }
    *length = (int)cell(at);
    return at;
}

static bool is_equal(const char *a, size_t length_a, const char *b, size_t length_b, double tolerance)
{
    char *end[2];
    if (length_a == length_b && memcmp(a, b, length_a) == 0)
        return true;
    const double x = strtod(a, &end[0]), y = strtod(b, &end[1]);
    if (length_a == 0 || length_b == 0 || end[0] != a + length_a || end[1] != b + length_b)
        return false;
    // compare the bits of the numbers: 1 and 1.0 are equal, 0 and -0 are not
    if (memcmp(&x, &y, sizeof x) == 0)
        return true;
    return tolerance > 0 &&
           (x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= tolerance * fmax(fabs(x), fabs(y)));
}

// Prints the number of a row and its first cell, which is usually the time.
static void print_row(const struct table *table)
{
    int length;
    const char *name = column_name(table, 0, &length);
    printf("row %zu (", table->rows - 1);
    scree_cli_print_untrusted(stdout, name, (size_t)length);
    printf(" ");
    scree_cli_print_untrusted(stdout, table->line, cell(table->line));
    printf(")");
}

// Returns true if two rows are equal; otherwise prints the first difference.
static bool compare_rows(const struct table table[2], double tolerance)
{
    const char *a = table[0].line, *b = table[1].line;
    for (size_t column = 0;; ++column) {
        const size_t in_a = cell(a), in_b = cell(b);
        if (!is_equal(a, in_a, b, in_b, tolerance)) {
            int length;
            const char *name = column_name(&table[0], column, &length);
            if (table[0].head) {
                print_row(&table[0]);
                printf(", column ");
                scree_cli_print_untrusted(stdout, name, (size_t)length);
                printf(": ");
            } else {
                printf("the name of column %zu: ", column + 1);
            }
            scree_cli_print_untrusted(stdout, a, in_a);
            printf(" and ");
            scree_cli_print_untrusted(stdout, b, in_b);
            printf("\n");
            return false;
        }
        a += in_a;
        b += in_b;
        if (*a == 0 && *b == 0)
            return true;
        if (*a != *b) {
            if (table[0].head)
                print_row(&table[0]);
            else
                printf("the names of columns");
            printf(": the %s has more columns than %zu\n", *a ? "first" : "second", column + 1);
            return false;
        }
        ++a;
        ++b;
    }
}

static int compare(struct table table[2], double tolerance)
{
    for (;;) {
        const bool more[2] = {next(&table[0]), next(&table[1])};
        if (!more[0] && !more[1]) {
            printf("equal: %zu rows\n", table[0].rows > 0 ? table[0].rows - 1 : 0);
            return SCREE_CLI_OK;
        }
        if (!more[0] || !more[1]) {
            const int longer = more[0] ? 0 : 1;
            printf("the %s has more rows: ", longer == 0 ? "first" : "second");
            print_row(&table[longer]);
            printf(" is missing in the other\n");
            return SCREE_CLI_FAILED;
        }
        if (!compare_rows(table, tolerance))
            return SCREE_CLI_FAILED;
        for (int side = 0; side < 2 && !table[side].head; ++side)
            if (table[side].rows == 1)
                table[side].head = strdup(table[side].line);
    }
}

int scree_diff_tables(const char *const path[2], double tolerance)
{
    struct table table[2] = {0};
    int status = SCREE_CLI_USAGE;
    if (open_table(&table[0], path[0]) && open_table(&table[1], path[1]))
        status = compare(table, tolerance);
    close_table(&table[0]);
    close_table(&table[1]);
    return status;
}
