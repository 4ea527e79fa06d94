// All formats in one table, and reading a file in one of them.

#ifndef SCREE_EXCHANGE_FORMATS_H
#define SCREE_EXCHANGE_FORMATS_H

#include "exchange/format.h"

// All of them, closed by one without a name; and their names, closed by null.
extern const struct scree_format scree_formats[];
extern const char *const scree_formats_names[];

// A format by its name, or by the ending of a path.
SCREE_NODISCARD scree_status scree_formats_find(const char *name, const struct scree_format **format);
SCREE_NODISCARD scree_status scree_formats_of_path(const char *path, const struct scree_format **format);

// Which snapshot of a file is wanted.
struct scree_formats_pick {
    const char *format; // null for what the file looks like
    const char *units;  // null for what the file says
    uint64_t snapshot;  // from 1; 0 for the last one
    bool by_step;       // the one of this step
    uint64_t step;
    bool all; // one after the other
};

// A file that is being read. What is wrong with it is complained about, with `name` for the file, and ends
// the reading; a status tells of the disk, of memory, and of what was picked. To be closed after a failure
// too.
struct scree_formats_file {
    struct scree_format_input input;
    const struct scree_format *format;
    bool all;
    bool through; // something has been read
};
SCREE_NODISCARD scree_status scree_formats_open(struct scree_formats_file *file, const char *path,
                                                const char *name, const struct scree_formats_pick *pick,
                                                struct scree_diagnostics *diagnostics);

// Reads the snapshot that was picked, or the next one of all, into a table, which is emptied before but for
// the names of types: those of one snapshot have their numbers in the next ones too. `found` is false at the
// end, and after diagnostics.
SCREE_NODISCARD scree_status scree_formats_next(struct scree_formats_file *file,
                                                struct scree_format_table *table, bool *found);

void scree_formats_close(struct scree_formats_file *file);

// How many bytes the first `snapshots` snapshots of a file take; that number becomes the number there are
// where it has fewer.
SCREE_NODISCARD scree_status scree_formats_measure(const char *path, const struct scree_format *format,
                                                   uint64_t *snapshots, uint64_t *bytes);

#endif
