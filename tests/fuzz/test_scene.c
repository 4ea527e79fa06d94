// Scenes with letters, words and whole pieces changed at random: each is built, or refused with a reason that
// has a place, and nothing is lost.

#include "base/memory.h"
#include "support/sketch.h"

#include <scree/scene.h>

#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 4000 };

static uint64_t seed = 1;

static const char *const corpus[] = {
    "scree: 1\ntitle: Beads\nvariables: {radius: 5 mm, twice: \"${2 * radius}\"}\ngravity: [0, 0, -9.81]\n"
    "materials:\n  glass: &g {density: 2500, young: 50 MPa, poisson: 0.25}\n  steel: *g\n"
    "contacts:\n  - {between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}\n"
    "world: {box: [[-1, -1, -1], [1, 1, 1]], periodic: [x], outside: stop}\n"
    "bodies:\n  - sphere: {radius: \"${radius}\", at: [0, 0, \"${twice}\"], material: glass, fixed: [x]}\n"
    "walls:\n  - {plane: {point: [0, 0, 0], normal: [0, 0, 1], material: steel}, spin: [0, 60 rpm, 0]}\n"
    "  - cone: {from: [0, 0, 0], to: [0, 0, 0.2], radii: [2 cm, 15 cm], material: glass}\n"
    "engine: {soft: {step: auto, safety: 0.1}}\nmotion: {damping: {local: 0.1}}\nrun: [{steps: 3}, {for: 1 "
    "ms}]\n",
    "scree: 1\ndimension: 2\ngravity: [0, -9.81]\nmaterials: {a: {density: 1000}}\n"
    "contacts: [{between: [a, a], law: linear, stiffness: 1e5, friction: 0.5, restitution: 0.5}]\n"
    "bodies: [disk: {radius: 1 cm, thickness: 1 cm, at: [0, 1], material: a, spin: 1}]\n",
};

static const char *const pieces[] = {
    "{",       "}",     "[",        "]",        "\"",   "'",        ":",         "- ",  "\n",
    "  ",      "#",     "*g",       "&g",       "!!x",  "${",       "${radius}", "---", "|\n",
    "${2 +",   "1e999", "-1",       "nan",      "5 mm", "5 kg/m^3", "? ",        "<<:", "sphere",
    "density", "any",   "\xc3\xa9", "\xff\xfe", "\t",   "${a^9}",   "0x1",       "~",   "..."};

static uint64_t pick(uint64_t count)
{
    return scree_sketch_next(&seed) % count;
}

// Puts a piece in place of some of the text.
static size_t splice(char *text, size_t length, size_t at, size_t gone, const char *piece, size_t size)
{
    gone = gone < length - at ? gone : length - at;
    if (length - gone + size >= LONGEST)
        return length;
    memmove(text + at + size, text + at + gone, length - at - gone);
    memcpy(text + at, piece, size);
    return length - gone + size;
}

static size_t mutate(char *text, size_t length)
{
    char copy[64];
    const size_t at = pick(length + 1), size = pick(40) < length ? pick(40) : 0;
    switch (pick(4)) {
    case 0:
        copy[0] = (char)pick(256);
        return splice(text, length, at, pick(2), copy, 1);
    case 1: {
        const char *piece = pieces[pick(sizeof pieces / sizeof pieces[0])];
        return splice(text, length, at, pick(6), piece, strlen(piece));
    }
    case 2:
        return splice(text, length, at, pick(30), "", 0);
    default: {
        const size_t from = pick(length - size + 1);
        memcpy(copy, text + from, size);
        return splice(text, length, at, pick(10), copy, size);
    }
    }
}

static void changed_scenes_are_built_or_refused_with_a_place(void **state)
{
    (void)state;
    const char *asked = getenv("SCREE_FUZZ_ROUNDS");
    const long rounds = asked ? atol(asked) : 4000;
    const size_t live = scree_memory_live();
    size_t built = 0;
    for (long r = 0; r < rounds; ++r) {
        char text[LONGEST];
        const char *first = corpus[pick(sizeof corpus / sizeof corpus[0])];
        struct scree_scene *scene;
        struct scree_world *world = NULL;
        struct scree_engine *engine = NULL;
        seed = (uint64_t)r * 2 + 1;
        size_t length = strlen(first);
        memcpy(text, first, length);
        for (uint64_t changes = pick(8); changes > 0; --changes)
            length = mutate(text, length);
        scree_status status = scree_scene_read("s", text, length, NULL, &scene);
        if (status == SCREE_OK)
            status = scree_scene_build(scene, 1, &world, &engine);
        built += status == SCREE_OK;
        if (status != SCREE_OK && (status != SCREE_ERROR_ARGUMENT || !scene || !scree_scene_mistakes(scene) ||
                                   strncmp(scree_scene_mistakes(scene), "s:", 2) != 0))
            fail_msg("round %ld: %s", r, scree_status_message());
        scree_engine_destroy(engine);
        scree_world_destroy(world);
        scree_scene_free(scene);
        if (scree_memory_live() != live)
            fail_msg("round %ld leaves something behind", r);
    }
    // some are changed in their title only
    assert_true(built > 0 && built < (size_t)rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_scenes_are_built_or_refused_with_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
