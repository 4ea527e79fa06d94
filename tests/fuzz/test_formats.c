// Files of bodies with random changes of bytes, words and pieces: each is read, or refused with a line
// number. An accepted file can be written and read again, and all memory is freed. The unchanged files are
// the samples in tests/data/formats.

#include "base/memory.h"
#include "fuzz/splice.h"
#include "support/worlds.h"

#include <scree/convert.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_LENGTH = 6000, SAMPLES = 7 };

static uint64_t seed = 1;

static const char *const samples[SAMPLES] = {"sphere.data",  "granular.data", "atomic.data", "custom.dump",
                                             "extended.xyz", "plain.xyz",     "named.csv"};

static const char *const pieces[] = {"\n",
                                     "\n\n",
                                     "\r\n",
                                     " ",
                                     "\t",
                                     ",",
                                     ";",
                                     "\"",
                                     "#",
                                     "=",
                                     ":",
                                     "ITEM: ATOMS",
                                     "ITEM: ",
                                     "ITEM: BOX BOUNDS",
                                     "Atoms",
                                     "Velocities",
                                     "Masses",
                                     " atoms",
                                     "xlo xhi",
                                     "Properties=",
                                     "Lattice=",
                                     "pos:R:3",
                                     "id:I:1",
                                     "x [mm]",
                                     "[",
                                     "nan",
                                     "inf",
                                     "-1",
                                     "1e999",
                                     "1e-999",
                                     "0x10",
                                     "1d5",
                                     "18446744073709551615",
                                     "9223372036854775808",
                                     "99999999999999999999",
                                     "4294967296",
                                     "1e300",
                                     "-0",
                                     "\xff\xfe",
                                     "\x1b[2J"};

static char text[MAX_LENGTH + 1];
static char sample[SAMPLES][MAX_LENGTH];
static size_t sizes[SAMPLES];

static uint64_t pick(uint64_t count)
{
    return splitmix_next(&seed) % count;
}

static void load_samples(void)
{
    for (int s = 0; s < SAMPLES; ++s) {
        char path[512];
        snprintf(path, sizeof path, "%s/formats/%s", SCREE_TEST_DATA, samples[s]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        sizes[s] = fread(sample[s], 1, MAX_LENGTH / 2, file);
        fclose(file);
        assert_true(sizes[s] > 20);
    }
}

static size_t mutate(size_t length)
{
    char copy[200];
    const size_t at = pick(length + 1), max_size = length < sizeof copy ? length : sizeof copy;
    switch (pick(5)) {
    case 0:
        copy[0] = (char)pick(256);
        return splice(text, MAX_LENGTH, length, at, pick(2), copy, 1);
    case 1: {
        const char *piece = pieces[pick(sizeof pieces / sizeof pieces[0])];
        return splice(text, MAX_LENGTH, length, at, pick(6), piece, strlen(piece));
    }
    case 2:
        return splice(text, MAX_LENGTH, length, at, pick(60), "", 0);
    case 3: {
        // a piece of another sample
        const uint64_t other = pick(SAMPLES);
        const size_t from = pick(sizes[other]), remaining = sizes[other] - from;
        return splice(text, MAX_LENGTH, length, at, pick(10), sample[other] + from,
                      pick(remaining < 150 ? remaining + 1 : 150));
    }
    default: {
        const size_t size = max_size > 0 ? pick(max_size) : 0, from = pick(length - size + 1);
        memcpy(copy, text + from, size);
        return splice(text, MAX_LENGTH, length, at, pick(10), copy, size);
    }
    }
}

static void write_text(const char *path, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_true(file && fwrite(text, 1, length, file) == length && fclose(file) == 0);
}

// The message of a refusal contains the diagnostics of lines or the path.
static bool is_explained(scree_status status, const char *path)
{
    const char *message = scree_status_message();
    return (status == SCREE_ERROR_ARGUMENT &&
            (strstr(message, "cannot be read:\n") || strstr(message, path))) ||
           status == SCREE_ERROR_MISSING;
}

static void changed_files_are_read_or_refused_with_a_line(void **state)
{
    (void)state;
    const char *rounds_requested = getenv("SCREE_FUZZ_ROUNDS");
    const long rounds = rounds_requested ? atol(rounds_requested) : 20000;
    const size_t blocks_before = scree_memory_live();
    char in[64], out[64];
    long files_read = 0;
    // in memory if possible, which is faster
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".";
    snprintf(in, sizeof in, "%s/fuzz-formats-%ld", folder, (long)getpid());
    snprintf(out, sizeof out, "%s/fuzz-formats-%ld.csv", folder, (long)getpid());
    load_samples();
    for (long r = 0; r < rounds; ++r) {
        const struct scree_convert_def def = {
            .all = r % 3 == 0, .snapshot = (uint64_t)(r % 5 == 0), .force = true, .radius = 1};
        struct scree_convert_report report, reread;
        seed = (uint64_t)r * 2 + 1;
        const uint64_t first = pick(SAMPLES);
        size_t length = sizes[first];
        memcpy(text, sample[first], length);
        for (uint64_t changes = pick(8); changes > 0; --changes)
            length = mutate(length);
        write_text(in, length);
        scree_status status = scree_convert_file(in, NULL, &def, &report);
        if (status != SCREE_OK && !is_explained(status, in))
            fail_msg("round %ld: %s", r, scree_status_message());
        const bool accepted = status == SCREE_OK;
        files_read += accepted;
        if (accepted && !def.all) {
            status = scree_convert_file(in, out, &def, NULL);
            if (status == SCREE_OK && report.bodies > 0)
                status = scree_convert_file(out, NULL, NULL, &reread);
            if (status != SCREE_OK || (report.bodies > 0 && reread.bodies != report.bodies))
                fail_msg("round %ld: the written file cannot be read: %s", r, scree_status_message());
        }
        if (scree_memory_live() != blocks_before)
            fail_msg("round %ld leaks memory", r);
    }
    unlink(in);
    unlink(out);
    printf("%ld files, %ld of them read\n", rounds, files_read);
    // some changes leave a file valid
    assert_true(files_read > rounds / 50 && files_read < rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_files_are_read_or_refused_with_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
