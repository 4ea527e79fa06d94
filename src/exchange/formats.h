// The table of all formats, and reading a file in any of them.

#ifndef SCREE_EXCHANGE_FORMATS_H
#define SCREE_EXCHANGE_FORMATS_H

#include "exchange/format.h"

// All formats, ending with a null name; and their names, null-terminated.
extern const struct scree_format scree_formats[];
extern const char *const scree_formats_names[];

// Find a format by name, or by the file extension of a path for writing.
SCREE_NODISCARD scree_status scree_formats_find(const char *name, const struct scree_format **format);
SCREE_NODISCARD scree_status scree_formats_of_path(const char *path, const struct scree_format **format);

// Selects a snapshot of a file.
struct scree_formats_selection {
    const char *format; // null to detect it
    const char *units;  // null for those stated in the file
    uint64_t snapshot;  // from 1; 0 for the last one
    bool by_step;       // select by step instead
    uint64_t step;
    bool all;       // all snapshots, one per call
    bool molecules; // rows with the same `mol` in a dump are a clump
};

// A file that is being read. Errors in the file end the reading and are added to the diagnostics; the status
// reports I/O and memory errors and invalid selections. Close it also after a failure.
struct scree_formats_file {
    struct scree_format_input input;
    const struct scree_format *format;
    bool all;
    bool begun; // at least one snapshot has been read
};
SCREE_NODISCARD scree_status scree_formats_open(struct scree_formats_file *file, const char *path,
                                                const char *name,
                                                const struct scree_formats_selection *selection,
                                                struct scree_diagnostics *diagnostics);

// Reads the selected snapshot, or the next one if all are selected. The table is cleared first, except for
// the names of types, which keep their numbers. `found` is false at the end and after errors in the file.
SCREE_NODISCARD scree_status scree_formats_next(struct scree_formats_file *file,
                                                struct scree_format_table *table, bool *found);

void scree_formats_close(struct scree_formats_file *file);

// Gets the size of the first `snapshots` snapshots; if there are fewer, `snapshots` gets their number.
SCREE_NODISCARD scree_status scree_formats_size(const char *path, const struct scree_format *format,
                                                uint64_t *snapshots, uint64_t *bytes);

#endif
