// A temporary folder of a test, below the current folder, and the files in it.
//
// Invariants: a failure to create, write or read fails the test. File names are relative to the folder and
// may contain subfolders.

#ifndef SCREE_TESTS_SUPPORT_FOLDER_H
#define SCREE_TESTS_SUPPORT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

struct scree_folder {
    char path[64];
};

// Creates the folder "name-<process id>", which must not exist yet.
struct scree_folder scree_folder_make(const char *name);

// The path of a file in the folder. The string stays valid for the next seven calls.
const char *scree_folder_path(const struct scree_folder *folder, const char *file);

bool scree_folder_has(const struct scree_folder *folder, const char *file);
void scree_folder_write(const struct scree_folder *folder, const char *file, const char *text);

// The whole content of a file, with a terminating zero: by path, or by name in the folder. The caller frees
// it with free(). `length` may be null.
char *scree_folder_read_path(const char *path, size_t *length);
char *scree_folder_read(const struct scree_folder *folder, const char *file, size_t *length);

// Removes those files of `files` (names separated by spaces, contents of a folder before the folder itself)
// that exist, and then the folder. Fails the test if anything else is left in it.
void scree_folder_end(const struct scree_folder *folder, const char *files);

// Removes the folder with all its content.
void scree_folder_drop(const struct scree_folder *folder);

// One folder, made and removed by functions that are passed to cmocka: for each test, or once for all tests
// of a program.
extern struct scree_folder scree_test_folder;
int scree_test_folder_make(void **state);
int scree_test_folder_remove(void **state);

#endif
