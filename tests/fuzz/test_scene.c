// Scenes with random changes of bytes, words and lines: each is built and printed as the same scene, or
// refused with diagnostics that have a position, and all memory is freed.
//
// The unchanged scenes are in tests/data/scenes. The test runs for SCREE_FUZZ_SECONDS (default: 10 s) or
// for SCREE_FUZZ_ROUNDS rounds; a round is a function of its number.

#include "base/memory.h"
#include "fuzz/splice.h"
#include "support/worlds.h"

#include <scree/scene.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_LENGTH = 6000, MAX_SCENES = 64, MAX_LINES = 200 };

static uint64_t seed = 1;

static char *scenes[MAX_SCENES];
static size_t scene_count;

static const char *const pieces[] = {
    "{",       "}",      "[",        "]",          "\"",           "'",        ":",        "- ",
    "\n",      "  ",     "#",        "*g",         "&g",           "!!x",      "${",       "${radius}",
    "---",     "|\n",    "${2 +",    "1e999",      "-1",           "nan",      "5 mm",     "5 kg/m^3",
    "? ",      "<<:",    "sphere",   "density",    "any",          "\xc3\xa9", "\xff\xfe", "\t",
    "${a^9}",  "0x1",    "~",        "...",        "\r",           "0",        "1e-300",   "1e300",
    "include", "stages", "auto",     "rigid",      "\\x1b",        "&a [*a]",  "[]",       "{}",
    "null",    "true",   "%",        "/../",       "\xe2\x80\xae", "clump",    "pair",     "pebbles",
    "given",   "none",   "shape",    "disks",      "file",         "spheres",  "cube",     "rounding",
    "blocks",  "box",    "vertices", "polyhedron", "relax",        "gap",      "die",      "scale",
    "event",   "hard",   "soft",     "stochastic", "fictitious",   "cell",     "body"};

static uint64_t pick(uint64_t count)
{
    return splitmix_next(&seed) % count;
}

// Chooses a few consecutive lines.
static void pick_lines(const char *text, size_t length, size_t *first, size_t *last)
{
    size_t begin[MAX_LINES] = {0}, lines = 1;
    for (size_t k = 0; k < length && lines < MAX_LINES; ++k)
        if (text[k] == '\n')
            begin[lines++] = k + 1;
    const size_t from = pick(lines), to = from + 1 + pick(4);
    *first = begin[from];
    *last = to < lines ? begin[to] : length;
}

// Replaces some lines by lines of another scene or of the text itself, or inserts such lines.
static size_t move_lines(char *text, size_t length)
{
    char copy[MAX_LENGTH];
    size_t first, last, to, end;
    const char *source = pick(2) ? scenes[pick(scene_count)] : text;
    pick_lines(source, source == text ? length : strlen(source), &first, &last);
    if (last - first >= sizeof copy)
        return length;
    memcpy(copy, source + first, last - first);
    pick_lines(text, length, &to, &end);
    return splice(text, MAX_LENGTH, length, to, pick(2) ? end - to : 0, copy, last - first);
}

static size_t mutate(char *text, size_t length)
{
    char copy[64];
    const size_t at = pick(length + 1), size = pick(40) < length ? pick(40) : 0;
    switch (pick(6)) {
    case 0:
        copy[0] = (char)pick(256);
        return splice(text, MAX_LENGTH, length, at, pick(2), copy, 1);
    case 1: {
        const char *piece = pieces[pick(sizeof pieces / sizeof pieces[0])];
        return splice(text, MAX_LENGTH, length, at, pick(6), piece, strlen(piece));
    }
    case 2:
        return splice(text, MAX_LENGTH, length, at, pick(30), "", 0);
    case 3: {
        const size_t from = pick(length - (size < length ? size : 0) + 1);
        const size_t copied = size < length - from ? size : length - from;
        memcpy(copy, text + from, copied);
        return splice(text, MAX_LENGTH, length, at, pick(10), copy, copied);
    }
    default:
        return move_lines(text, length);
    }
}

// Whether a scene is small enough to build: a million bodies are valid, but slow. So numbers have at most
// four digits and no exponent.
static bool is_small(const char *text, size_t length)
{
    size_t digits = 0;
    for (size_t k = 0; k < length; ++k) {
        digits = text[k] >= '0' && text[k] <= '9' ? digits + 1 : 0;
        if (digits > 4 || (digits > 0 && (text[k + 1] == 'e' || text[k + 1] == 'E')))
            return false;
    }
    return true;
}

struct printed_text {
    char text[1 << 17];
    size_t length;
};

static void append_text(void *user, const char *text)
{
    struct printed_text *printed_text = (struct printed_text *)user;
    const size_t more = strlen(text);
    assert_true(printed_text->length + more < sizeof printed_text->text);
    memcpy(printed_text->text + printed_text->length, text, more + 1);
    printed_text->length += more;
}

// The printed text must be a valid scene that is printed as the same text.
static void check_print(struct scree_scene *scene, long round)
{
    static struct printed_text first_print, second_print;
    struct scree_scene *reread;
    first_print.length = second_print.length = 0;
    assert_int_equal(scree_scene_print(scene, append_text, &first_print), SCREE_OK);
    if (scree_scene_read("s", first_print.text, first_print.length, NULL, &reread) != SCREE_OK)
        fail_msg("round %ld is printed as an invalid scene:\n%s\n%s", round, scree_status_message(),
                 first_print.text);
    assert_int_equal(scree_scene_print(reread, append_text, &second_print), SCREE_OK);
    if (strcmp(first_print.text, second_print.text) != 0)
        fail_msg("round %ld is printed as another scene:\n%s", round, first_print.text);
    scree_scene_free(reread);
}

static bool has_position(const struct scree_scene *scene)
{
    const char *message = scree_scene_diagnostics(scene);
    return message && strncmp(message, "s:", 2) == 0;
}

// One round; returns whether the scene was valid and was built.
static bool try_scene(const char *text, size_t length, long round)
{
    struct scree_scene *scene;
    struct scree_world *world = NULL;
    struct scree_engine *engine = NULL;
    // a hundredth of them for blocks
    const struct scree_scene_def def = {.max_filled = 20000};
    scree_status status = scree_scene_read("s", text, length, &def, &scene);
    if (status == SCREE_OK)
        check_print(scene, round);
    if (status == SCREE_OK && is_small(text, length))
        status = scree_scene_build(scene, 1, &world, &engine);
    if (status != SCREE_OK && (status != SCREE_ERROR_ARGUMENT || !scene || !has_position(scene)))
        fail_msg("round %ld: %s\n%.*s", round, scree_status_message(), (int)length, text);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    scree_scene_free(scene);
    return world != NULL;
}

static void changed_scenes_are_built_or_refused_with_a_position(void **state)
{
    (void)state;
    const char *rounds_requested = getenv("SCREE_FUZZ_ROUNDS"), *seconds = getenv("SCREE_FUZZ_SECONDS");
    const time_t end = time(NULL) + (seconds ? atol(seconds) : 10);
    const size_t blocks_before = scree_memory_live();
    long rounds = 0, built = 0;
    for (; rounds_requested ? rounds < atol(rounds_requested) : time(NULL) < end; ++rounds) {
        char text[MAX_LENGTH];
        seed = (uint64_t)rounds * 2 + 1;
        const char *unchanged = scenes[pick(scene_count)];
        size_t length = strlen(unchanged);
        memcpy(text, unchanged, length);
        for (uint64_t changes = pick(8); changes > 0; --changes)
            length = mutate(text, length);
        text[length] = 0;
        built += try_scene(text, length, rounds);
        if (scree_memory_live() != blocks_before)
            fail_msg("round %ld leaks memory:\n%s", rounds, text);
    }
    print_message("%ld scenes, %ld of them built\n", rounds, built);
    // some changes affect only the title, and some scenes are invalid
    assert_true(rounds == 0 || (built > 0 && built < rounds));
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_scene(const struct dirent *entry)
{
    return strstr(entry->d_name, ".yaml") != NULL;
}

// Sorted by name, so that a round is the same on every machine.
static int read_scenes(void **state)
{
    (void)state;
    struct dirent **list;
    const int count = scandir(SCREE_TEST_DATA "/scenes", &list, is_scene, by_name);
    for (int f = 0; f < count && f < MAX_SCENES; ++f) {
        char path[1024];
        snprintf(path, sizeof path, SCREE_TEST_DATA "/scenes/%s", list[f]->d_name);
        FILE *file = fopen(path, "r");
        scenes[scene_count] = (char *)calloc(1, MAX_LENGTH);
        if (!file || !scenes[scene_count] || fread(scenes[scene_count], 1, MAX_LENGTH - 1, file) == 0)
            return -1;
        fclose(file);
        ++scene_count;
        free(list[f]);
    }
    free(list);
    return scene_count > 0 ? 0 : -1;
}

static int free_scenes(void **state)
{
    (void)state;
    while (scene_count > 0)
        free(scenes[--scene_count]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_scenes_are_built_or_refused_with_a_position),
    };
    return cmocka_run_group_tests(tests, read_scenes, free_scenes);
}
