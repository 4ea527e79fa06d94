// A folder of a test's own, below the one that the test runs in, and the files in it.
//
// Invariants: what cannot be made, written or read fails the test. Names of files are relative to the
// folder and may lead through folders in it.

#ifndef SCREE_TESTS_SUPPORT_FOLDER_H
#define SCREE_TESTS_SUPPORT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

struct scree_folder {
    char path[64];
};

// Makes the folder "name-<process>", which must not be there yet.
struct scree_folder scree_folder_make(const char *name);

// The path of a file of the folder; it stays until the eighth call from here.
const char *scree_folder_path(const struct scree_folder *folder, const char *file);

bool scree_folder_has(const struct scree_folder *folder, const char *file);
void scree_folder_write(const struct scree_folder *folder, const char *file, const char *text);

// The whole of a file at any path, and of one of the folder, with a zero behind it; the caller frees it by
// free(). `length` may be null.
char *scree_folder_whole(const char *path, size_t *length);
char *scree_folder_read(const struct scree_folder *folder, const char *file, size_t *length);

// Removes those of `files` that are there, whose names are separated by spaces, each folder behind what lies
// in it, and then the folder itself; where anything else was left in it, the test fails.
void scree_folder_end(const struct scree_folder *folder, const char *files);

// Removes the folder with all that is in it.
void scree_folder_drop(const struct scree_folder *folder);

#endif
