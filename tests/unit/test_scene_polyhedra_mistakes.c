// Mistakes with polyhedra in scenes: the message says what is wrong, and where.

#include "math/real.h"
#include "support/trial.h"

#include <scree/contact.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {stone: {density: 2500}}\n"                                                                  \
    "contacts: [{between: [any, any], law: linear, stiffness: 10 kN/m, restitution: 0.5, friction: 0.4}]\n"

#define SHAPES                                                                                               \
    "polyhedra:\n"                                                                                           \
    "  die: {cube: {edge: 1 cm}, rounding: 0.5 mm}\n"                                                        \
    "  brick: {box: [1 cm, 2 cm, 3 cm], rounding: 0.5 mm}\n"                                                 \
    "  rock: {vertices: [[0, 0, 0], [1 cm, 0, 0], [0, 1 cm, 0], [0, 0, 1 cm]], rounding: 0.2 mm}\n"

static void mistakes_with_polyhedra_are_explained(void **state)
{
    (void)state;
#define SINGLE(keys) HEAD SHAPES "bodies: [polyhedron: {" keys ", at: [0, 0, 0], material: stone}]\n"
#define FLAT(keys)                                                                                           \
    "scree: 1\ndimension: 2\nmaterials: {stone: {density: 1}}\nbodies: [polyhedron: {" keys                  \
    ", at: [0, 0], material: stone}]\n"
#define PLATES(keys)                                                                                         \
    "scree: 1\ndimension: 2\nmaterials: {stone: {density: 1}}\nbodies: [blocks: {" keys                      \
    ", material: stone}]\n"
#define BLOCKS(keys) HEAD "bodies: [blocks: {" keys ", material: stone}]\n"
#define BOX "inside: {box: [[0, 0, 0], [1, 1, 1]]}"
    static const char *const rows[][2] = {
        {SINGLE("shape: dice"), "there is no shape 'dice': did you mean 'die'?"},
        {SINGLE("shape: die, rounding: 1 mm"), "'rounding' and 'shape' exclude each other"},
        {SINGLE("box: [1, 1, 1], scale: 2"), "scale"},
        {SINGLE("shape: die, box: [1, 1, 1]"), "needs exactly one of box, rectangle, vertices, shape"},
        {HEAD SHAPES "bodies: [clump: {shape: die, at: [0, 0, 0], material: stone}]\n",
         "the shape 'die' has no pebbles (`clumps`), only faces (`polyhedra`)"},
        {HEAD "polyhedra: {7: {cube: {edge: 1}}}\n", "must not be a number: '7'"},
        {HEAD "polyhedra: {-1: {cube: {edge: 1}}}\n", "must not be a number: '-1'"},
        {HEAD "polyhedra: {a: {cube: {edge: 1}, vertex-error: 1 um}}\n", "'vertex-error'"},
        {HEAD "polyhedra: {\"\": {cube: {edge: 1}}}\n", "the name of a shape must not be empty"},
        {HEAD "polyhedra: {sphere: {cube: {edge: 1}}}\n", "the name of a shape must not be 'sphere'"},
        {HEAD "clumps: {disk: {spheres: [{radius: 1, at: [0, 0, 0]}]}}\n",
         "the name of a clump must not be 'disk'"},
        {HEAD SHAPES "bodies:\n  - polyhedron: {shape: die, at: [0, 0, 0], material: stone}\n"
                     "  - polyhedron: {shape: die, at: [2 cm, 0, 0], material: stone}\n"
                     "bonds: [{contact: {normal-stiffness: 1e5, shear-stiffness: 5e4, tensile-strength: 10 "
                     "N}, gap: 1 cm}]\n",
         "could bond (polyhedra have no bonds)"},
        {HEAD "polyhedra: {a: {cube: {edge: 1}}}\nclumps: {a: {spheres: [{radius: 1, at: [0, 0, 0]}]}}\n",
         "a clump is named 'a' too"},
        {HEAD "polyhedra: {a: {cube: {edge: 1}, rounding: 0.5}}\n",
         "rounding radius 0.5 m is too large: no part of the body is so deep; it can be at most 0.4995 m"},
        // the centre of the inscribed sphere of these three edges is at (3 - sqrt(3)) / 6 = 0.2113
        {HEAD "polyhedra: {a: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], rounding: 1}}\n",
         "it can be at most 0.2111 m"},
        {HEAD "polyhedra: {a: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0]]}}\n",
         "the vertices 3 and 5 of a shape are equal"},
        {HEAD "polyhedra: {a: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]}}\n",
         "1 of the 5 vertices of a shape are not on its convex hull"},
        {HEAD "polyhedra: {a: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}\n",
         "at least 4 vertices; got 3"},
        {HEAD "polyhedra: {a: {cube: {edge: 1}, box: [1, 1, 1]}}\n", "needs exactly one of box"},
        {HEAD "polyhedra: {a: {prism: {sides: 65, radius: 1, height: 1}}}\n", "64"},
        {"scree: 1\ndimension: 2\npolyhedra: {a: {cube: {edge: 1}}}\n",
         "'cube' needs three dimensions: in two a shape is given by 'rectangle', 'polygon' or 'vertices'"},
        {FLAT("box: [1, 1, 1], thickness: 1"), "'box' needs three dimensions"},
        {FLAT("rectangle: [1, 1]"), "in two dimensions a polyhedron needs a 'thickness'"},
        {FLAT("vertices: [[0, 0], [1, 0]], thickness: 1"), "a polygon needs at least 3 vertices; got 2"},
        {FLAT("vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 1]], thickness: 1"), "that of vertex 2 is 1"},
        {FLAT("rectangle: [1, 1], rounding: 0.6, thickness: 1"), "it can be at most 0.49"},
        {HEAD "polyhedra: {a: {polygon: {sides: 5, radius: 1}}}\n", "'polygon' needs two dimensions"},
        {SINGLE("rectangle: [1, 1]"), "'rectangle' needs two dimensions"},
        {SINGLE("shape: die, thickness: 1"), "in three dimensions a polyhedron has no 'thickness'"},
        {PLATES("inside: {box: [[0, 0], [1, 1]]}, count: 2, rounding: 1 mm"),
         "in two dimensions a block needs a 'thickness'"},
        {PLATES("vertices: [[0, 0], [1, 0]], count: 2, rounding: 1 mm, thickness: 1"),
         "a polygon needs at least 3 vertices; got 2"},
        {PLATES("vertices: [[0, 0], [1, 0], [0.5, 0.1], [0, 1]], count: 2, rounding: 1 mm, thickness: 1"),
         "1 of the 4 vertices of a shape are not on its convex hull"},
        {PLATES("vertices: [[0, 0], [1, 1], [1, 1.0000000001]], count: 2, rounding: 1 mm, thickness: 1"),
         "of 1048576 random points in the box around the body that is cut, none is in the body"},
        {BLOCKS(BOX ", vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], count: 2, rounding: 1 mm"),
         "blocks needs exactly one of inside, vertices"},
        {BLOCKS(BOX ", thickness: 1, count: 2, rounding: 1 mm"),
         "in three dimensions a block has no 'thickness'"},
        {BLOCKS("inside: {sphere: {centre: [0, 0, 0], radius: 1}}, count: 2, rounding: 1 mm"),
         "blocks are cut from a `box`"},
        {BLOCKS(BOX ", count: 50, rounding: 10 cm"), "of 50, at ("},
        {BLOCKS(BOX ", count: 50"), "needs 'rounding'"},
        {BLOCKS(BOX ", count: 50, rounding: 1 mm, gap: 50 cm"),
         "the gap of 0.5 m leaves nothing of the blocks "},
        {BLOCKS(BOX ", count: 1, rounding: 1 mm, gap: 1 mm"), "a single block has no joints"},
        {BLOCKS("inside: {box: [[1e12, 0, 0], [1000000000001, 1, 1]]}, count: 9, rounding: 1 mm"),
         "of the radius: place it nearer to the origin"},
        {HEAD SHAPES
         "bodies: [fill: {shape: {polyhedron: {shape: die}}, count: 200, material: stone, inside: "
         "{box: [[0, 0, 0], [5 cm, 5 cm, 5 cm]]}}]\n",
         "solid fraction"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, rows[r][1], "%s%s", rows[r][0], "run: {steps: 1}\n");
}

// A scene with a prism that stands on a plane, given by its vertices.
static const char *write_prism(int sides)
{
    static char text[16384];
    size_t used =
        (size_t)snprintf(text, sizeof text, "%s",
                         HEAD "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: "
                              "stone}]\nengine: {soft: {step: 1 us}}\n"
                              "bodies: [polyhedron: {shape: a, at: [0, 0, 0.49999], material: stone}]\n"
                              "run: {steps: 2}\npolyhedra: {a: {rounding: 0.1, vertices: [");
    for (int v = 0; v < 2 * sides; ++v) {
        const double angle = 2 * SCREE_PI * (v / 2) / sides;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s[%.15f, %.15f, %d]", v > 0 ? ", " : "",
                                 cos(angle), sin(angle), v % 2);
    }
    (void)snprintf(text + used, sizeof text - used, "]}}\n");
    return text;
}

// A contact at each corner: there is room for 64.
static void a_shape_with_too_many_corners_on_a_face_is_refused(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, write_prism(65));
    (void)scree_trial_build(&trial);
    scree_trial_assert_refused(&trial, "a face of a polyhedron has 65 corners");
    scree_trial_free(&trial);
    struct scree_world *world = scree_trial_run_text(write_prism(64), &(struct scree_run_def){.threads = 1});
    assert_int_equal(scree_contact_count(world), 64);
    scree_world_destroy(world);
}

// A block that is too far from the origin is not helped by a smaller rounding.
static void advice_fits_the_mistake(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(
        SCREE_TRIAL_SCENE,
        HEAD "bodies: [blocks: {inside: {box: [[1e12, 0, 0], [1000000000001, 1, 1]]}, count: 9, rounding: 1 "
             "mm, material: stone}]\n");
    (void)scree_trial_build(&trial);
    scree_trial_assert_refused(&trial, "place it nearer to the origin");
    assert_null(strstr(scree_trial_message(&trial), "rounding`"));
    scree_trial_free(&trial);
    // some of the random points are nearer than 10 cm, none of the relaxed ones
#define JOINTS "inside: {box: [[0, 0, 0], [1, 1, 1]]}, count: 50, rounding: 1 um, gap: 10 cm, material: stone"
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "or a few rounds of `relax`, allow a larger gap",
                                    HEAD "bodies: [blocks: {" JOINTS "}]\n");
    trial = scree_trial_read(SCREE_TRIAL_SCENE, HEAD "bodies: [blocks: {" JOINTS ", relax: 5}]\n");
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    scree_world_destroy(scree_trial_take_world(&trial));
}

static void a_mistake_with_what_polyhedra_touch_is_reported_at_its_entry(void **state)
{
    (void)state;
#define DISK                                                                                                 \
    "walls: [disk: {centre: [0, 0, 0], normal: [0, 0, 1], radius: 1, hole: 99 cm, material: stone}]\n"
#define TUBE "walls: [cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 50 cm, material: stone}]\n"
#define PLANE "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: stone}]\n"
#define LATE(shape, keys)                                                                                    \
    "polyhedra: {cut: {cube: {edge: 2 cm}}, dull: {cube: {edge: 2 cm}, rounding: 1 mm}}\n"                   \
    "bodies: [sphere: {radius: 1 cm, at: [0, 0, 5 cm], material: stone}]\n"                                  \
    "insert: [{shape: {polyhedron: {shape: " shape "}}, material: stone, rate: {bodies: 50 1/s}, from: 10 "  \
    "ms, inside: {box: [[0, 0, 10 cm], [5 cm, 5 cm, 20 "                                                     \
    "cm]]}" keys "}]\n"
#define PAIR "{between: [any, any], "
#define REST "restitution: 0.5, friction: 0.4}"
#define GLASS "scree: 1\nmaterials: {stone: {density: 2500, young: 1 GPa, poisson: 0.3}}\ncontacts: [" PAIR
    // the scenes run for 1 us, so that nothing is inserted; the third line of LATE is that of the insertion
    static const char *const rows[][3] = {
        {HEAD DISK LATE("dull", ""), ":4:13: wall 1 is a disk with which polyhedra could touch",
         "(the polyhedra are at scene.yaml:7)"},
        {HEAD LATE("cut", ""), "polyhedra of the material 'stone' have no rounding", ":6:"},
        {HEAD TUBE LATE("cut", ", count: 1"),
         "of the material 'stone' has no rounding, but could touch wall 1", ":7:"},
        {GLASS "law: hertz-mindlin, " REST "]\n" LATE("cut", ", count: 1"),
         "a polyhedron that can touch a sphere has none", ":6:"},
        {GLASS "law: linear, modulus: 1 MPa, stiffness-ratio: 1, " REST "]\n" LATE("cut", ", count: 1"),
         "'linear' with a modulus has no meaning for polyhedra, but one can touch a sphere: give its "
         "stiffness in N/m",
         ":6:"},
        {GLASS "law: linear, stiffness: 1 kN/m, " REST
               "]\n" LATE("cut", ", count: 1") "run: [{until: 1 us}, {until: 2 us, contacts: [" PAIR
                                               "law: hertz-mindlin, " REST "]}]\n",
         "a polyhedron that can touch a sphere has none", ":7:"},
        {HEAD DISK SHAPES "bodies:\n  - sphere: {radius: 1 cm, at: [0, 0, 5 cm], material: stone}\n"
                          "  - polyhedron: {shape: die, at: [0, 0, 1], material: stone}\n",
         ":4:13: wall 1 is a disk with which polyhedra could touch", "(the polyhedra are at scene.yaml:11)"},
        {"scree: 1\nmaterials: {stone: {density: 2500}}\ncontacts: [" PAIR
         "law: none}]\nengine: {soft: {step: 1 us}}\n" DISK LATE(
             "dull", "") "run:\n  - {until: 1 us}\n  - {until: 2 us, contacts: [" PAIR
                         "law: linear, stiffness: 1 kN/m, " REST "]}\n",
         ":5:13: wall 1 is a disk with which polyhedra could touch", "(in the stage at scene.yaml:11)"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        for (int part = 1; part < 3; ++part)
            scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, rows[r][part], "%s%s", rows[r][0],
                                            strstr(rows[r][0], "run:") ? "" : "run: {until: 1 us}\n");
    // one body without a rounding touches spheres and walls that are thick
    static const char *const good[] = {HEAD PLANE LATE("cut", ", count: 1"), HEAD TUBE LATE("dull", "")};
    for (size_t g = 0; g < sizeof good / sizeof good[0]; ++g)
        scree_world_destroy(scree_trial_build_text(good[g]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_with_polyhedra_are_explained),
        cmocka_unit_test(a_shape_with_too_many_corners_on_a_face_is_refused),
        cmocka_unit_test(advice_fits_the_mistake),
        cmocka_unit_test(a_mistake_with_what_polyhedra_touch_is_reported_at_its_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
