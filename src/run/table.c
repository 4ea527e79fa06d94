// The record `table`: measured columns over time, see csv.h. Its mark is the length of the file.

#include "file/csv.h"
#include "language/columns.h"
#include "run/host.h"
#include "run/records.h"

struct table {
    struct scree_csv csv;
    struct scree_columns columns;
};

static scree_status table_check(void *self, struct scree_host *host, const struct scree_node *map,
                                const uint64_t *mark)
{
    struct table *table = (struct table *)self;
    struct scree_csv_column column[SCREE_COLUMN_MAX];
    const char *name;
    if (!scree_reading_text(host->reading, map, SCREE_KEY_record_table, &name))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(scree_columns_table(host->reading, host->world, map, &table->columns));
    if (table->columns.requested == 0)
        return SCREE_ERROR_ARGUMENT;
    for (size_t c = 0; c < table->columns.requested; ++c)
        column[c] = (struct scree_csv_column){table->columns.item[c].name, table->columns.item[c].unit};
    const struct scree_csv_def def = {.folder = host->folder,
                                      .name = name,
                                      .column = column,
                                      .columns = table->columns.requested,
                                      .force = host->def->force,
                                      .check_only = host->check_only,
                                      .length = mark};
    return scree_csv_check(&table->csv, &def);
}

static scree_status table_begin(void *self)
{
    return scree_csv_begin(&((struct table *)self)->csv);
}

static scree_status table_take(void *self, struct scree_host *host)
{
    struct table *table = (struct table *)self;
    double value[SCREE_COLUMN_MAX];
    SCREE_TRY(scree_columns_measure(&table->columns, host->world, value));
    SCREE_TRY(scree_csv_write(&table->csv, value, table->columns.requested));
    return scree_csv_flush(&table->csv);
}

static scree_status table_mark(void *self, uint64_t *mark)
{
    return scree_csv_length(&((struct table *)self)->csv, mark);
}

static void table_list_files(const void *self, scree_record_visit *visit, void *user)
{
    visit(user, "table", ((const struct table *)self)->csv.append.path);
}

static scree_status table_close(void *self)
{
    return scree_csv_close(&((struct table *)self)->csv);
}

const struct scree_record_kind scree_table_kind = {.key = SCREE_KEY_record_table,
                                                   .size = sizeof(struct table),
                                                   .check = table_check,
                                                   .begin = table_begin,
                                                   .take = table_take,
                                                   .mark = table_mark,
                                                   .list_files = table_list_files,
                                                   .close = table_close};
