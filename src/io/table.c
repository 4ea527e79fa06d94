// The record `table`, see table.h. Its mark is the length of the file.

#include "io/table.h"

#include "base/memory.h"
#include "io/column.h"
#include "io/csv.h"
#include "io/path.h"
#include "io/run.h"

static scree_status read_columns(struct scree_reading *reading, const struct scree_node *map,
                                 size_t column[SCREE_CSV_COLUMNS], size_t *count)
{
    static const char *const usual[] = {"time", "kinetic", "energy-error", "bodies", "contacts"};
    *count = scree_reading_count(map, SCREE_KEY_record_columns);
    if (*count == 0) {
        *count = sizeof usual / sizeof usual[0];
        for (size_t c = 0; c < *count; ++c)
            column[c] = scree_column_find(usual[c]);
    }
    for (size_t c = 0; c < scree_reading_count(map, SCREE_KEY_record_columns); ++c) {
        const char *text;
        if (!scree_reading_name(reading, map, SCREE_KEY_record_columns, c, &text, &column[c]))
            return SCREE_ERROR_ARGUMENT;
    }
    return SCREE_OK;
}

static scree_status table_open(void *self, struct scree_run *run, const struct scree_node *map,
                               const uint64_t *mark)
{
    size_t column[SCREE_CSV_COLUMNS], count;
    const char *name;
    char *path = NULL;
    if (!scree_reading_text(run->reading, map, SCREE_KEY_record_table, &name))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(read_columns(run->reading, map, column, &count));
    scree_status status = scree_path_make(run->folder, name, &path);
    if (status == SCREE_OK)
        status = mark ? scree_csv_continue((struct scree_csv *)self, path, *mark, column, count)
                      : scree_csv_open((struct scree_csv *)self, path, run->def->force, column, count);
    scree_memory_free(path);
    return status;
}

static scree_status table_take(void *self, struct scree_run *run)
{
    return scree_csv_write((struct scree_csv *)self, run->world);
}

static scree_status table_mark(void *self, uint64_t *mark)
{
    return scree_csv_length((struct scree_csv *)self, mark);
}

static void table_tell(const void *self, scree_record_told *tell, void *user)
{
    tell(user, "table", ((const struct scree_csv *)self)->path);
}

static scree_status table_close(void *self)
{
    return scree_csv_close((struct scree_csv *)self);
}

const struct scree_record_kind scree_table_kind = {.key = SCREE_KEY_record_table,
                                                   .size = sizeof(struct scree_csv),
                                                   .open = table_open,
                                                   .take = table_take,
                                                   .mark = table_mark,
                                                   .tell = table_tell,
                                                   .close = table_close};
