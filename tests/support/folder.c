// Temporary folders for tests, see folder.h.

#include "support/folder.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_LENGTH = 320 };

struct scree_folder scree_folder_make(const char *name)
{
    struct scree_folder folder;
    const int length = snprintf(folder.path, sizeof folder.path, "%s-%ld", name, (long)getpid());
    assert_true(length > 0 && (size_t)length < sizeof folder.path);
    assert_int_equal(mkdir(folder.path, 0777), 0);
    return folder;
}

static const char *join(char *path, const char *folder, const char *file)
{
    assert_true(snprintf(path, PATH_LENGTH, "%s/%s", folder, file) < PATH_LENGTH);
    return path;
}

const char *scree_folder_path(const struct scree_folder *folder, const char *file)
{
    static char path[8][PATH_LENGTH];
    static unsigned calls;
    return join(path[calls++ % 8], folder->path, file);
}

bool scree_folder_has(const struct scree_folder *folder, const char *file)
{
    char path[PATH_LENGTH];
    return access(join(path, folder->path, file), F_OK) == 0;
}

void scree_folder_write(const struct scree_folder *folder, const char *file, const char *text)
{
    char path[PATH_LENGTH];
    FILE *out = fopen(join(path, folder->path, file), "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0)
        fail_msg("cannot write '%s'", path);
}

char *scree_folder_read_path(const char *path, size_t *length)
{
    struct stat information;
    FILE *in = fopen(path, "rb");
    if (!in || fstat(fileno(in), &information) != 0)
        fail_msg("cannot read '%s'", path);
    const size_t size = (size_t)information.st_size;
    char *text = (char *)malloc(size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, size, in), size);
    assert_int_equal(fclose(in), 0);
    text[size] = 0;
    if (length)
        *length = size;
    return text;
}

char *scree_folder_read(const struct scree_folder *folder, const char *file, size_t *length)
{
    char path[PATH_LENGTH];
    return scree_folder_read_path(join(path, folder->path, file), length);
}

void scree_folder_end(const struct scree_folder *folder, const char *files)
{
    while (*files) {
        char name[PATH_LENGTH], path[PATH_LENGTH];
        const size_t length = strcspn(files, " ");
        assert_true(length < sizeof name);
        memcpy(name, files, length);
        name[length] = 0;
        (void)remove(join(path, folder->path, name));
        files += length + strspn(files + length, " ");
    }
    if (rmdir(folder->path) != 0)
        fail_msg("'%s' contains unexpected files", folder->path);
}

static void remove_all(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char child[PATH_LENGTH];
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_all(join(child, path, entry->d_name));
    }
    if (folder)
        closedir(folder);
    if (remove(path) != 0)
        fail_msg("cannot remove '%s'", path);
}

void scree_folder_drop(const struct scree_folder *folder)
{
    remove_all(folder->path);
}

struct scree_folder scree_test_folder;

int scree_test_folder_make(void **state)
{
    (void)state;
    scree_test_folder = scree_folder_make("folder-of-test");
    return 0;
}

int scree_test_folder_remove(void **state)
{
    (void)state;
    scree_folder_drop(&scree_test_folder);
    return 0;
}
