// The record `table`, see table.h. Its mark is the length of the file.

#include "run/table.h"

#include "base/memory.h"
#include "file/csv.h"
#include "file/path.h"
#include "language/gauge.h"
#include "run/run.h"

struct table {
    struct scree_csv csv;
    struct scree_gauge gauge[SCREE_COLUMN_MOST];
    size_t columns;
};

static scree_status table_open(void *self, struct scree_run *run, const struct scree_node *map,
                               const uint64_t *mark)
{
    struct table *table = (struct table *)self;
    struct scree_csv_column column[SCREE_COLUMN_MOST];
    struct scree_gauge_text text[SCREE_COLUMN_MOST];
    const char *name;
    char *path = NULL;
    if (!scree_reading_text(run->reading, map, SCREE_KEY_record_table, &name))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(
        scree_gauge_columns(run->reading, run->world, map, SCREE_KEY_record_columns, text, &table->columns));
    if (table->columns == 0)
        return SCREE_ERROR_ARGUMENT;
    for (size_t c = 0; c < table->columns; ++c) {
        const struct scree_column_row *row = &scree_column_rows[text[c].gauge.row];
        table->gauge[c] = text[c].gauge;
        column[c] =
            (struct scree_csv_column){text[c].name, run->reading->dimension == 2 ? row->flat : row->unit};
    }
    scree_status status = scree_path_make(run->folder, name, &path);
    if (status == SCREE_OK)
        status = mark ? scree_csv_continue(&table->csv, path, *mark, column, table->columns)
                      : scree_csv_open(&table->csv, path, run->def->force, column, table->columns);
    scree_memory_free(path);
    return status;
}

static scree_status table_take(void *self, struct scree_run *run)
{
    struct table *table = (struct table *)self;
    double value[SCREE_COLUMN_MOST];
    SCREE_TRY(scree_column_measure(run->world, table->gauge, table->columns, value));
    SCREE_TRY(scree_csv_write(&table->csv, value, table->columns));
    return scree_csv_flush(&table->csv);
}

static scree_status table_mark(void *self, uint64_t *mark)
{
    return scree_csv_length(&((struct table *)self)->csv, mark);
}

static void table_tell(const void *self, scree_record_told *tell, void *user)
{
    tell(user, "table", ((const struct table *)self)->csv.path);
}

static scree_status table_close(void *self)
{
    return scree_csv_close(&((struct table *)self)->csv);
}

const struct scree_record_kind scree_table_kind = {.key = SCREE_KEY_record_table,
                                                   .size = sizeof(struct table),
                                                   .open = table_open,
                                                   .take = table_take,
                                                   .mark = table_mark,
                                                   .tell = table_tell,
                                                   .close = table_close};
