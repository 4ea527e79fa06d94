// HDF5 files written by Scree are read by other programs: h5dump, h5ls, h5repack and h5diff of the HDF5
// library, and h5py, find the same types, sizes, numbers and attributes. Each test is skipped, with a
// message, if its program is not installed.

#define _DEFAULT_SOURCE

#include "base/memory.h"
#include "support/folder.h"
#include "support/hdf_sample.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

// enough that all types are compressed
enum { ROWS = 600 };

static struct scree_folder folder;
static char path[80];

static int make_file(void **state)
{
    (void)state;
    void *image;
    size_t size;
    folder = scree_folder_make("hdf-tools");
    snprintf(path, sizeof path, "%s", scree_folder_path(&folder, "sample.h5"));
    if (scree_hdf_sample_make(ROWS, &image, &size) != SCREE_OK)
        return 1;
    FILE *file = fopen(path, "wb");
    const bool written = file && fwrite(image, 1, size, file) == size;
    scree_memory_free(image);
    return (file && fclose(file) != 0) || !written;
}

static int remove_file(void **state)
{
    (void)state;
    scree_folder_drop(&folder);
    return 0;
}

// Skips the test unless a command works.
static void skip_without(const char *command, const char *package)
{
    char line[300];
    snprintf(line, sizeof line, "(%s) > /dev/null 2>&1", command);
    if (system(line) == 0)
        return;
    printf("skipped: `%s` does not work here (Debian: %s)\n", command, package);
    skip();
}

// Runs a command; returns its output, to be freed by free(), and fails the test if it fails.
static char *run(const char *command)
{
    const size_t capacity = 1 << 20;
    char *text = (char *)calloc(capacity, 1);
    FILE *stream = popen(command, "r");
    assert_non_null(text);
    assert_non_null(stream);
    assert_true(fread(text, 1, capacity - 1, stream) < capacity - 1);
    if (pclose(stream) != 0)
        fail_msg("%s: %s", command, text);
    return text;
}

// Reads `count` numbers, separated by commas, newlines and braces, that must be those of a type.
static void assert_numbers(const char *text, scree_type type, size_t count)
{
    char *end;
    for (size_t k = 0; k < count; ++k, text = end) {
        text += strcspn(text, "-0123456789");
        const double found = strtod(text, &end);
        if (found != scree_hdf_sample_value(type, k))
            fail_msg("number %zu is %g: %.60s", k, found, text);
    }
    assert_int_equal(strcspn(text, "-0123456789"), strlen(text));
}

static void h5dump_finds_the_same_numbers(void **state)
{
    (void)state;
    static const char *const types[] = {"H5T_IEEE_F64LE", "H5T_IEEE_F32LE", "H5T_STD_I64LE", "H5T_STD_U64LE",
                                        "H5T_STD_U32LE",  "H5T_STD_U16LE",  "H5T_STD_U8LE"};
    char command[400];
    skip_without("h5dump -V", "hdf5-tools");
    for (scree_type type = SCREE_F64; type <= SCREE_CHAR; ++type)
        for (int packed = 0; packed < 2; ++packed) {
            // without indices, on one line; %.17g shows each double exactly
            snprintf(command, sizeof command, "h5dump -y -w 0 -m %%.17g -p -d /%s/%s %s 2>&1",
                     packed ? "packed" : "list", scree_hdf_sample_type_names[type], path);
            char *text = run(command), *data = strstr(text, " DATA {"),
                 *end = data ? strchr(data, '}') : NULL;
            assert_non_null(strstr(text, types[type]));
            assert_non_null(strstr(text, "( 600 ) / ( 600 )"));
            assert_non_null(strstr(text, packed ? "COMPRESSION DEFLATE { LEVEL 1 }" : "CONTIGUOUS"));
            assert_true(!packed || type == SCREE_CHAR || strstr(text, "PREPROCESSING SHUFFLE"));
            assert_non_null(end);
            *end = 0;
            assert_numbers(data, type, ROWS);
            free(text);
        }
    snprintf(command, sizeof command, "h5dump -y -w 0 -m %%.17g -d /deep/deeper/table %s 2>&1", path);
    char *text = run(command), *data = strstr(text, " DATA {"), *end = data ? strchr(data, '}') : NULL;
    assert_non_null(strstr(text, "( 600, 3 ) / ( 600, 3 )"));
    assert_non_null(end);
    *end = 0;
    assert_numbers(data, SCREE_F64, 3 * ROWS);
    free(text);
}

static void h5dump_finds_the_same_attributes(void **state)
{
    (void)state;
    char command[400];
    skip_without("h5dump -V", "hdf5-tools");
    snprintf(command, sizeof command, "h5dump -y -A %s 2>&1", path);
    char *text = run(command);
    assert_non_null(strstr(text, "\"a sample\""));
    assert_non_null(strstr(text, "STRSIZE 8;"));
    size_t ends = 0;
    for (const char *at = text; (at = strstr(at, "ATTRIBUTE \"ends\"")); ++at)
        ++ends;
    assert_int_equal(ends, SCREE_CHAR + 1);
    assert_non_null(strstr(text, "( 0, 3 ) / ( 0, 3 )"));
    free(text);
}

// A copy that the library writes has the same content, so the library has found all of it.
static void the_library_copies_the_whole_file(void **state)
{
    (void)state;
    char command[900], copy[80];
    skip_without("h5repack -V && h5diff -V && h5ls -V", "hdf5-tools");
    snprintf(copy, sizeof copy, "%s", scree_folder_path(&folder, "copy.h5"));
    snprintf(command, sizeof command, "h5repack %s %s && h5diff -q %s %s && h5ls -r %s | wc -l", path, copy,
             path, copy, copy);
    char *text = run(command);
    // four groups and the root, two data sets of each type, a table, an empty one
    assert_int_equal(atoi(text), 5 + 2 * (SCREE_CHAR + 1) + 2);
    free(text);
    snprintf(command, sizeof command,
             "h5dump -A %s > %s.a && h5dump -A %s > %s.b && diff %s.a %s.b | grep -c '^<'", path, copy, copy,
             copy, copy, copy);
    // only the name of the file differs
    text = run(command);
    assert_int_equal(atoi(text), 1);
    free(text);
}

static void h5py_finds_the_same_numbers(void **state)
{
    (void)state;
    char command[1200];
    // the Python of the system, because another one may come first in the path
    skip_without("/usr/bin/python3 -c 'import h5py'", "python3-h5py");
    snprintf(command, sizeof command,
             "/usr/bin/python3 -c \"import h5py, numpy\n"
             "file = h5py.File('%s', 'r')\n"
             "k = numpy.arange(3 * %d) ** 2 %% 101\n"
             "def same(name, expected): assert (file[name][()] == expected).all(), name\n"
             "for place in 'list', 'packed':\n"
             "    same(place + '/f64', k[:%d] / 8 - 3)\n"
             "    same(place + '/f32', k[:%d] / 4)\n"
             "    same(place + '/i64', -k[:%d])\n"
             "    for name in 'u64', 'u32', 'u16', 'char': same(place + '/' + name, k[:%d])\n"
             "same('deep/deeper/table', (k / 8 - 3).reshape(%d, 3))\n"
             "assert (file['deep/deeper/table'][7:9, 1] == k[[22, 25]] / 8 - 3).all()\n"
             "assert file['deep/empty'].shape == (0, 3) and file['deep/empty'].dtype == 'f4'\n"
             "assert file.attrs['name'] == b'a sample' and list(file.attrs['count']) == [7]\n"
             "assert list(file['list/i64'].attrs['ends']) == [0, -k[%d]]\n"
             "print('all as written')\"",
             path, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS - 1);
    char *text = run(command);
    assert_string_equal(text, "all as written\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(h5dump_finds_the_same_numbers),
        cmocka_unit_test(h5dump_finds_the_same_attributes),
        cmocka_unit_test(the_library_copies_the_whole_file),
        cmocka_unit_test(h5py_finds_the_same_numbers),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
