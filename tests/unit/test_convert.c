// Conversion of files of bodies: incomplete vectors, values that the output format cannot store, numbers of
// materials, units and refusals. Expected lines are written by hand from the definitions of the formats.

#include "exchange/format.h"
#include "support/folder.h"
#include "support/starve.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <scree/convert.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Converts a file with this text, and compares the last line of the output.
static void assert_last_line(const char *in, const char *text, const char *out, const char *line)
{
    static const struct scree_convert_def def = {.density = 1000, .force = true};
    scree_folder_write(&scree_test_folder, in, text);
    assert_ok(scree_convert_file(scree_folder_path(&scree_test_folder, in),
                                 scree_folder_path(&scree_test_folder, out), &def, NULL));
    char *written = scree_folder_read(&scree_test_folder, out, NULL), *end = strrchr(written, '\n');
    assert_non_null(end);
    *end = 0;
    assert_string_equal(strrchr(written, '\n') + 1, line);
    free(written);
}

static void assert_text_refused(const char *in, const char *text, const char *message)
{
    scree_folder_write(&scree_test_folder, in, text);
    assert_refused(SCREE_ERROR_ARGUMENT, message,
                   scree_convert_file(scree_folder_path(&scree_test_folder, in), NULL, NULL, NULL));
}

static void missing_components_are_zero(void **state)
{
    (void)state;
    static const char flat[] = "x,y,z,radius,vx,vy\n4,5,6,0.5,1,2\n",
                      with_force[] = "x,y,radius,fx\n4,5,0.5,7\n",
                      with_image[] = "x,y,z,radius,iy\n4,5,6,0.5,-3\n";
    static const char dump[] = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 1\n"
                               "0 1\n0 1\nITEM: ATOMS id type x y z radius vx omegaz\n1 1 4 5 6 0.5 1 8\n";
    assert_last_line("a.csv", flat, "a.xyz", "1 1 4 5 6 0.5 1000 1 2 0");
    assert_last_line("a.csv", flat, "a.dump", "1 1 4 5 6 0.5 1000 1 2 0");
    assert_last_line("a.csv", flat, "b.csv", "1,4,5,6,0.5,1000,1,2,0");
    assert_last_line("a.csv", flat, "a.data", "1 1 2 0 0 0 0");
    assert_last_line("a.csv", with_force, "a.xyz", "1 1 4 5 0 0.5 1000 7 0 0");
    assert_last_line("a.csv", with_image, "a.dump", "1 1 4 5 6 0 -3 0 0.5 1000");
    assert_last_line("a.csv", with_image, "a.data", "1 1 1 1000 4 5 6 0 -3 0");
    assert_last_line("a.dump", dump, "a.xyz", "1 1 4 5 6 0.5 1000 1 0 0 0 0 8");
    assert_last_line("a.dump", dump, "a.data", "1 1 0 0 0 0 8");
}

static void incomplete_positions_and_orientations_are_refused(void **state)
{
    (void)state;
    assert_text_refused(
        "a.csv", "x,y,z,quatw,quati\n0,0,0,1,0\n",
        "a.csv:1:1: an orientation needs four numbers, w, x, y and z: 'orientation-z' is missing");
    assert_text_refused("a.xyz", "1\nProperties=x:R:1:z:R:1\n1 2\n",
                        "a.xyz:2:1: a position needs x and y, and z in three dimensions: 'y' is missing");
}

// --- values that the output format cannot store

#define FULL_DUMP                                                                                            \
    "ITEM: UNITS\nsi\nITEM: TIME\n0.5\nITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n1\n"                        \
    "ITEM: BOX BOUNDS pp ff ff\n0 1\n0 2\n0 4\n"                                                             \
    "ITEM: ATOMS id type x y z radius mass vx omegaz fx ix quatw quati quatj quatk\n"                        \
    "3 2 0.25 0.5 0.75 0.125 8 1 2 3 4 1 0 0 0\n"

static void values_that_the_format_cannot_store_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *out, *reported;
    } rows[] = {{"o.data", "mass (kept as the density of a sphere), orientation, force, periodic axes, "
                           "time, step"},
                {"o.csv", "box, periodic axes, time, step"},
                {"o.liggghts.dump", "time"},
                {"o.dump", ""},
                {"o.xyz", ""}};
    struct scree_convert_report report;
    scree_folder_write(&scree_test_folder, "full.dump", FULL_DUMP);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        assert_ok(scree_convert_file(scree_folder_path(&scree_test_folder, "full.dump"),
                                     scree_folder_path(&scree_test_folder, rows[r].out), NULL, &report));
        assert_string_equal(report.not_stored, rows[r].reported);
        assert_string_equal(report.type_numbers, "");
    }
    assert_string_equal(report.to, "xyz");
    // XYZ stores all values, so the conversion back restores them
    assert_ok(scree_convert_file(scree_folder_path(&scree_test_folder, "o.xyz"),
                                 scree_folder_path(&scree_test_folder, "back.dump"), NULL, &report));
    char *expected = scree_folder_read(&scree_test_folder, "o.dump", NULL),
         *back = scree_folder_read(&scree_test_folder, "back.dump", NULL);
    assert_string_equal(expected, back);
    free(expected);
    free(back);
}

// The second snapshot names steel before glass, which keeps its number.
static void a_type_name_has_one_number_in_all_snapshots(void **state)
{
    (void)state;
    static const struct scree_convert_def all = {.all = true};
    struct scree_convert_report report;
    scree_folder_write(&scree_test_folder, "names.xyz",
                       "1\nno\nglass 1 2 3\n2\nno\nsteel 4 5 6\nglass 7 8 9\n");
    assert_ok(scree_convert_file(scree_folder_path(&scree_test_folder, "names.xyz"),
                                 scree_folder_path(&scree_test_folder, "names.dump"), &all, &report));
    assert_string_equal(report.type_numbers, "1 glass, 2 steel");
    char *text = scree_folder_read(&scree_test_folder, "names.dump", NULL);
    assert_non_null(strstr(text, "1 2 4 5 6\n2 1 7 8 9\n"));
    free(text);
}

// --- results of runs

// Two materials, the second of which is used first by bodies, and a wall.
#define SCENE                                                                                                \
    "scree: 1\nmaterials:\n  glass: {density: 2500, young: 5 MPa, poisson: 0.25}\n"                          \
    "  lead shot: {density: 11340, young: 5 MPa, poisson: 0.25}\n"                                           \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.6}]\n"               \
    "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}}]\n"                             \
    "bodies:\n  - sphere: {radius: 6 mm, at: [0, 0, 0.006], spin: [0, 0, 5], material: lead shot}\n"         \
    "  - sphere: {radius: 5 mm, at: [0.0109, 0, 0.005], material: glass}\n"                                  \
    "engine: {soft: {step: 20 us}}\nrun: {steps: 2}\n"

// Runs the scene with these records.
static void run_with_records(const char *records)
{
    char text[2000];
    snprintf(text, sizeof text, "%srecord: [%s]\n", SCENE, records);
    struct scree_trial trial = scree_trial_read(scree_folder_path(&scree_test_folder, "scene.yaml"), text);
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 1, .force = true});
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
}

static void materials_of_a_scene_keep_their_numbers(void **state)
{
    (void)state;
    struct scree_convert_report report;
    run_with_records(
        "{dump: r.dump, every: 2 steps}, {checkpoint: r.chk, every: 2 steps}, {frames: r, every: 2 steps}");
    static const char *const files[] = {"r.chk", "r-bodies.hdf.series"};
    for (size_t f = 0; f < 2; ++f) {
        char *text[2];
        assert_ok(scree_convert_file(scree_folder_path(&scree_test_folder, files[f]),
                                     scree_folder_path(&scree_test_folder, "numbers.dump"),
                                     &(struct scree_convert_def){.force = true}, &report));
        assert_string_equal(report.type_numbers, f == 0 ? "1 glass, 2 lead shot" : "");
        text[0] = scree_folder_read(&scree_test_folder, "r.dump", NULL);
        text[1] = scree_folder_read(&scree_test_folder, "numbers.dump", NULL);
        for (int k = 0; k < 2; ++k)
            assert_true(strstr(text[k], "\n1 2 ") && strstr(text[k], "\n2 1 "));
        free(text[0]);
        free(text[1]);
    }
}

#define MATERIALS                                                                                            \
    "scree: 1\nmaterials:\n  %s: {density: 2500, young: 5 MPa, poisson: 0.25}\n"                             \
    "  lead shot: {density: 11340, young: 5 MPa, poisson: 0.25}\n"                                           \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.6}]\n"

static void materials_are_found_by_the_spelling_of_their_names_in_files(void **state)
{
    (void)state;
    static const char *const files[] = {"n.xyz", "n-000001.csv"};
    run_with_records("{dump: n.xyz, every: 2 steps}, {dump: n.csv, every: 2 steps}");
    for (size_t f = 0; f < 2; ++f) {
        char text[1000];
        const char *material;
        struct scree_body_state body;
        snprintf(text, sizeof text, MATERIALS "bodies: [{read: {file: %s}}]\n", "glass", files[f]);
        struct scree_trial trial =
            scree_trial_read(scree_folder_path(&scree_test_folder, "again.yaml"), text);
        (void)scree_trial_build(&trial);
        scree_trial_assert_ok(&trial);
        assert_ok(scree_body_get(trial.world, (scree_body_id){1}, &body));
        material = scree_material_name(trial.world, body.material);
        assert_string_equal(material, "lead shot");
        scree_trial_free(&trial);
    }
    // two materials with the same spelling in files
    char text[1000];
    scree_folder_write(&scree_test_folder, "s.xyz",
                       "1\nProperties=species:S:1:pos:R:3:radius:R:1\na_b_c 0 0 0 0.1\n");
    snprintf(text, sizeof text, MATERIALS "bodies: [{read: {file: s.xyz}}]\n",
             "a b_c: {density: 1, young: 5 MPa, poisson: 0.25}\n  a_b c");
    struct scree_trial trial = scree_trial_read(scree_folder_path(&scree_test_folder, "again.yaml"), text);
    (void)scree_trial_build(&trial);
    scree_trial_assert_refused(
        &trial, "'s.xyz' has bodies of the type 'a_b_c', but 2 materials are written as this type in files");
    scree_trial_free(&trial);
}

static void two_materials_with_the_same_spelling_in_a_file_are_refused(void **state)
{
    (void)state;
    static const char message[] =
        "the types 'lead_shot' and 'lead shot' would both be written as 'lead_shot' in the "
        "format xyz";
    char text[1000];
    snprintf(text, sizeof text,
             MATERIALS "run: {steps: 1}\nengine: {soft: {step: 20 us}}\n"
                       "bodies: [{sphere: {radius: 1 mm, at: [0, 0, 0], material: lead shot}}]\n"
                       "record: [{dump: two.xyz, every: 1 steps}]\n",
             "lead_shot");
    struct scree_trial trial = scree_trial_read(scree_folder_path(&scree_test_folder, "two.yaml"), text);
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 1});
    scree_trial_assert_refused(&trial, message);
    scree_trial_free(&trial);
    scree_folder_write(&scree_test_folder, "two.csv", "type,x,y,z\nlead_shot,0,0,0\n\"lead shot\",1,1,1\n");
    assert_refused(SCREE_ERROR_ARGUMENT, message,
                   scree_convert_file(scree_folder_path(&scree_test_folder, "two.csv"),
                                      scree_folder_path(&scree_test_folder, "two.xyz"), NULL, NULL));
    assert_ok(scree_convert_file(scree_folder_path(&scree_test_folder, "two.csv"),
                                 scree_folder_path(&scree_test_folder, "two.dump"), NULL, NULL));
    assert_false(scree_folder_has(&scree_test_folder, "two.xyz"));
}

static void frames_of_contacts_and_walls_are_refused_as_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *path, *message;
    } rows[] = {{"f-contacts.hdf.series", ":2:1: this is a frame of contacts without bodies"},
                {"f-contacts/000001.hdf", "this is a frame of contacts"},
                {"f-walls.hdf.series", "this is a frame of walls"},
                {"f-walls/000000.hdf", "in the frames with '-bodies' in their names"}};
    run_with_records("{frames: f, every: 2 steps}");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        assert_refused(SCREE_ERROR_ARGUMENT, rows[r].message,
                       scree_convert_file(scree_folder_path(&scree_test_folder, rows[r].path),
                                          scree_folder_path(&scree_test_folder, "none.csv"), NULL, NULL));
    assert_false(scree_folder_has(&scree_test_folder, "none.csv"));
}

static void a_truncated_index_is_not_read_as_a_shorter_series(void **state)
{
    (void)state;
    run_with_records("{frames: c, every: 1 steps}");
    char *complete = scree_folder_read(&scree_test_folder, "c-bodies.hdf.series", NULL);
    for (const char *end = strchr(complete, ']'); end > strstr(complete, "000000.hdf\", \"time"); --end) {
        char *truncated = strndup(complete, (size_t)(end - complete));
        assert_non_null(truncated);
        scree_folder_write(&scree_test_folder, "truncated.series", truncated);
        for (int all = 0; all < 2; ++all)
            assert_int_not_equal(scree_convert_file(scree_folder_path(&scree_test_folder, "truncated.series"),
                                                    NULL, &(struct scree_convert_def){.all = all}, NULL),
                                 SCREE_OK);
        free(truncated);
    }
    free(complete);
}

// --- refusals

static void units_that_contradict_a_file_are_refused(void **state)
{
    (void)state;
    static const char dump[] = "ITEM: UNITS\ncgs\nITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n"
                               "ITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\nITEM: ATOMS id x y z radius\n"
                               "1 4 5 6 0.5\n";
    struct scree_convert_report report;
    scree_folder_write(&scree_test_folder, "cgs.dump", dump);
    const char *path = scree_folder_path(&scree_test_folder, "cgs.dump");
    assert_refused(SCREE_ERROR_ARGUMENT,
                   ":2:1: this file states the units cgs, but si were given: leave the units out",
                   scree_convert_file(path, NULL, &(struct scree_convert_def){.units = "si"}, NULL));
    assert_ok(scree_convert_file(path, NULL, &(struct scree_convert_def){.units = "cgs"}, &report));
    assert_true(report.max_radius == 0.005);
    assert_ok(scree_convert_file(path, NULL, NULL, &report));
    assert_true(report.max_radius == 0.005);
}

// A file that names its units needs no option.
static void units_are_read_from_files_that_name_them(void **state)
{
    (void)state;
    static const struct scree_convert_def to_cgs = {.units_to = "cgs", .density = 1000, .force = true};
    static const char *const names[] = {"u.dump", "u.data", "u.liggghts", "u.xyz", "u.csv"};
    static const char in_si[] = "x,y,z,radius\n4,5,6,0.5\n",
                      lammps[] = "LAMMPS data file via write_data, timestep = 0, units = cgs\n\n1 atoms\n\n"
                                 "Atoms # sphere\n\n1 1 100 1 400 500 600\n";
    struct scree_convert_report report;
    scree_folder_write(&scree_test_folder, "u-si.csv", in_si);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
        assert_ok(scree_convert_file(scree_folder_path(&scree_test_folder, "u-si.csv"),
                                     scree_folder_path(&scree_test_folder, names[n]), &to_cgs, &report));
        assert_string_equal(report.not_stored, "");
        assert_ok(scree_convert_file(scree_folder_path(&scree_test_folder, names[n]), NULL, NULL, &report));
        assert_true(report.max_radius > 0.4999 && report.max_radius < 0.5001);
    }
    assert_refused(SCREE_ERROR_ARGUMENT, "u.data:1:13: this file states the units cgs",
                   scree_convert_file(scree_folder_path(&scree_test_folder, "u.data"), NULL,
                                      &(struct scree_convert_def){.units = "si"}, NULL));
    assert_refused(SCREE_ERROR_ARGUMENT, "this file states the units cgs",
                   scree_convert_file(scree_folder_path(&scree_test_folder, "u.xyz"), NULL,
                                      &(struct scree_convert_def){.units = "micro"}, NULL));
    assert_ok(scree_convert_file(scree_folder_path(&scree_test_folder, "u-si.csv"),
                                 scree_folder_path(&scree_test_folder, "u.liggghts.dump"), &to_cgs, &report));
    assert_string_equal(report.not_stored, "units");
    scree_folder_write(&scree_test_folder, "u-lammps.data", lammps);
    assert_ok(
        scree_convert_file(scree_folder_path(&scree_test_folder, "u-lammps.data"), NULL, NULL, &report));
    assert_true(report.max_radius > 0.4999 && report.max_radius < 0.5001);
    assert_text_refused("u-metal.data", "LAMMPS data file, units = metal\n\n1 atoms\n",
                        "u-metal.data:1:27: unknown units 'metal': use one of si, cgs");
}

static scree_status convert_all(void *user)
{
    (void)user;
    return scree_convert_file(scree_folder_path(&scree_test_folder, "c-bodies.hdf.series"),
                              scree_folder_path(&scree_test_folder, "starved.xyz"),
                              &(struct scree_convert_def){.all = true, .force = true}, NULL);
}

static void a_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    run_with_records("{frames: c, every: 1 steps}");
    assert_true(scree_starve(convert_all, NULL) > 4);
}

static void a_file_is_not_converted_to_itself(void **state)
{
    (void)state;
    static const struct scree_convert_def def = {.force = true};
    static const char text[] = "1\nremark\nglass 1 2 3\n2\nremark\nglass 1 2 3\nglass 4 5 6\n";
    char path[128], part[128];
    scree_folder_write(&scree_test_folder, "self.xyz", text);
    scree_folder_write(&scree_test_folder, "own.xyz.part", text);
    snprintf(path, sizeof path, "%s", scree_folder_path(&scree_test_folder, "self.xyz"));
    snprintf(part, sizeof part, "%s", scree_folder_path(&scree_test_folder, "own.xyz.part"));
    assert_int_equal(symlink("self.xyz", scree_folder_path(&scree_test_folder, "soft.xyz")), 0);
    assert_int_equal(link(path, scree_folder_path(&scree_test_folder, "hard.xyz")), 0);
    static const char *const same[] = {"self.xyz", "soft.xyz", "hard.xyz"};
    for (size_t k = 0; k < sizeof same / sizeof same[0]; ++k)
        assert_refused(SCREE_ERROR_ARGUMENT, "is the input file",
                       scree_convert_file(path, scree_folder_path(&scree_test_folder, same[k]), &def, NULL));
    assert_refused(SCREE_ERROR_ARGUMENT, "while it is written",
                   scree_convert_file(part, scree_folder_path(&scree_test_folder, "own.xyz"),
                                      &(struct scree_convert_def){.from = "xyz"}, NULL));
    char *own_text = scree_folder_read_path(path, NULL), *part_text = scree_folder_read_path(part, NULL);
    assert_string_equal(own_text, text);
    assert_string_equal(part_text, text);
    free(own_text);
    free(part_text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_components_are_zero),
        cmocka_unit_test(incomplete_positions_and_orientations_are_refused),
        cmocka_unit_test(values_that_the_format_cannot_store_are_reported),
        cmocka_unit_test(a_type_name_has_one_number_in_all_snapshots),
        cmocka_unit_test(materials_of_a_scene_keep_their_numbers),
        cmocka_unit_test(materials_are_found_by_the_spelling_of_their_names_in_files),
        cmocka_unit_test(two_materials_with_the_same_spelling_in_a_file_are_refused),
        cmocka_unit_test(frames_of_contacts_and_walls_are_refused_as_bodies),
        cmocka_unit_test(a_truncated_index_is_not_read_as_a_shorter_series),
        cmocka_unit_test(units_that_contradict_a_file_are_refused),
        cmocka_unit_test(units_are_read_from_files_that_name_them),
        cmocka_unit_test(a_failed_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(a_file_is_not_converted_to_itself),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
