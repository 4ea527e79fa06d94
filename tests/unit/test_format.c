// Files of other programs: samples are read with the values that are written in them, writing and reading
// back preserves all bits, and damaged files are refused.
#include "base/memory.h"
#include "exchange/formats.h"
#include "support/folder.h"
#include "support/worlds.h"

#include <scree/convert.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SAMPLE(name) SCREE_TEST_DATA "/formats/" name

static const char *path_of(const char *name)
{
    return scree_folder_path(&scree_test_folder, name);
}

static void write_text(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_true(file && fwrite(text, 1, length, file) == length && fclose(file) == 0);
}

static void assert_equal_texts(const char *a, const char *b)
{
    char *left = scree_folder_read_path(a, NULL), *right = scree_folder_read_path(b, NULL);
    assert_string_equal(left, right);
    free(left);
    free(right);
}

static const struct scree_formats_selection last_snapshot = {0};

// Reads a snapshot; fails the test with the message on error.
static void read_snapshot(const char *path, const struct scree_formats_selection *selection,
                          struct scree_format_table *table)
{
    struct scree_diagnostics diagnostics = {0};
    struct scree_formats_file file;
    bool found = false;
    *table = (struct scree_format_table){0};
    assert_ok(scree_formats_open(&file, path, "file", selection ? selection : &last_snapshot, &diagnostics));
    assert_ok(scree_formats_next(&file, table, &found));
    scree_formats_close(&file);
    char *text;
    assert_ok(scree_diagnostic_text(&diagnostics, &text));
    if (!found)
        fail_msg("%s: %s", path, text);
    scree_memory_free(text);
    scree_diagnostic_free(&diagnostics);
}

static double value_of(const struct scree_format_table *table, enum scree_format_column column, size_t row)
{
    assert_true(scree_format_has(table, (int)column));
    return table->number[column][row];
}

static void assert_position(const struct scree_format_table *table, size_t row, double x, double y, double z)
{
    assert_true(value_of(table, SCREE_FORMAT_X, row) == x);
    assert_true(value_of(table, SCREE_FORMAT_Y, row) == y);
    assert_true(value_of(table, SCREE_FORMAT_Z, row) == z);
}

// --- samples

static void a_data_file_of_lammps_is_read(void **state)
{
    (void)state;
    struct scree_format_table table;
    read_snapshot(SAMPLE("sphere.data"), NULL, &table);
    assert_int_equal(table.count, 3);
    assert_position(&table, 0, 0.001, -0.002, 0.01);
    assert_position(&table, 2, -0.005, 0.005, 0.03);
    assert_true(table.id[0] == 7 && table.id[1] == 3 && table.id[2] == 12);
    assert_true(value_of(&table, SCREE_FORMAT_RADIUS, 1) == 0.003 &&
                value_of(&table, SCREE_FORMAT_DENSITY, 1) == 7800);
    assert_string_equal(table.types.data[table.type[1]].name, "2");
    assert_true(table.image[0][1] == -1 && table.image[0][2] == 2 && table.image[2][2] == 1);
    // the section of velocities has another order of atoms
    assert_true(value_of(&table, SCREE_FORMAT_VELOCITY_Y, 2) == 2 &&
                value_of(&table, SCREE_FORMAT_SPIN_Z, 2) == 30);
    assert_true(value_of(&table, SCREE_FORMAT_VELOCITY_X, 0) == 0.5 &&
                value_of(&table, SCREE_FORMAT_SPIN_Z, 0) == -1);
    assert_true(table.has_box && table.lower[0] == -0.01 && table.upper[0] == 0.01 && table.upper[2] == 0.05);
    assert_false(scree_format_has(&table, SCREE_FORMAT_MASS));
    scree_format_free(&table);
}

static void a_data_file_of_liggghts_is_read_with_unix_and_windows_line_ends(void **state)
{
    (void)state;
    const char *windows = path_of("windows.data");
    char *text = scree_folder_read_path(SAMPLE("granular.data"), NULL);
    FILE *file = fopen(windows, "w");
    assert_non_null(file);
    for (const char *c = text; *c; ++c)
        fprintf(file, *c == '\n' ? "\r\n" : "%c", *c);
    assert_int_equal(fclose(file), 0);
    free(text);
    for (int k = 0; k < 2; ++k) {
        struct scree_format_table table;
        read_snapshot(k == 0 ? SAMPLE("granular.data") : windows, NULL, &table);
        assert_int_equal(table.count, 2);
        assert_position(&table, 1, 0.75, 0.5, 0.25);
        assert_true(value_of(&table, SCREE_FORMAT_RADIUS, 1) == 0.1);
        assert_true(value_of(&table, SCREE_FORMAT_VELOCITY_Z, 1) == -1 &&
                    value_of(&table, SCREE_FORMAT_SPIN_Y, 0) == 6);
        assert_false(scree_format_has(&table, SCREE_FORMAT_IMAGE_X));
        scree_format_free(&table);
    }
}

static void rows_without_a_mass_have_the_mass_of_their_type(void **state)
{
    (void)state;
    struct scree_format_table table;
    read_snapshot(SAMPLE("atomic.data"), NULL, &table);
    assert_position(&table, 1, 2, 2, 2);
    assert_true(value_of(&table, SCREE_FORMAT_MASS, 0) == 30 && value_of(&table, SCREE_FORMAT_MASS, 1) == 10);
    assert_false(scree_format_has(&table, SCREE_FORMAT_RADIUS));
    assert_false(scree_format_has(&table, SCREE_FORMAT_VELOCITY_X));
    scree_format_free(&table);
}

static void a_snapshot_of_a_dump_is_the_last_or_chosen_by_number_or_step(void **state)
{
    (void)state;
    struct scree_format_table table;
    read_snapshot(SAMPLE("custom.dump"), NULL, &table);
    assert_true(table.count == 0 && table.has_step && table.step == 300 && !table.periodic[0]);
    scree_format_free(&table);
    read_snapshot(SAMPLE("custom.dump"), &(struct scree_formats_selection){.snapshot = 1}, &table);
    assert_true(table.count == 2 && table.step == 100 && table.has_time && table.time == 0.25);
    assert_true(table.periodic[0] && !table.periodic[1] && !table.periodic[2]);
    // the sample has coordinates relative to the box
    assert_position(&table, 0, 0, 1, 1);
    assert_position(&table, 1, 2, 0.5, 4);
    assert_true(value_of(&table, SCREE_FORMAT_RADIUS, 0) == 0.25 &&
                value_of(&table, SCREE_FORMAT_SPIN_Z, 1) == -6);
    assert_true(value_of(&table, SCREE_FORMAT_FORCE_Y, 0) == 8 && table.id[1] == 2);
    scree_format_free(&table);
    read_snapshot(SAMPLE("custom.dump"), &(struct scree_formats_selection){.by_step = true, .step = 200},
                  &table);
    assert_true(table.count == 1 && value_of(&table, SCREE_FORMAT_MASS, 0) == 0.5);
    assert_position(&table, 0, 1, 2, 3);
    scree_format_free(&table);
    assert_refused(
        SCREE_ERROR_MISSING, "has 3 snapshots: there is no number 4",
        scree_convert_file(SAMPLE("custom.dump"), NULL, &(struct scree_convert_def){.snapshot = 4}, NULL));
    assert_refused(SCREE_ERROR_MISSING, "no snapshot of step 150",
                   scree_convert_file(SAMPLE("custom.dump"), NULL,
                                      &(struct scree_convert_def){.by_step = true, .step = 150}, NULL));
}

static void xyz_is_read_plain_and_extended(void **state)
{
    (void)state;
    struct scree_format_table table;
    read_snapshot(SAMPLE("extended.xyz"), &(struct scree_formats_selection){.snapshot = 1}, &table);
    assert_true(table.count == 2 && table.time == 1.5 && table.step == 30);
    assert_true(table.lower[0] == -2 && table.upper[0] == 2 && table.lower[2] == 1 && table.upper[2] == 7);
    assert_true(table.periodic[0] && !table.periodic[1] && table.periodic[2]);
    assert_position(&table, 1, -0.5, 1.5, 2.5);
    assert_string_equal(table.types.data[table.type[1]].name, "steel");
    assert_true(table.id[0] == 7 && value_of(&table, SCREE_FORMAT_VELOCITY_Z, 0) == 3);
    assert_true(value_of(&table, SCREE_FORMAT_QUAT_W, 0) == 1 &&
                value_of(&table, SCREE_FORMAT_QUAT_X, 0) == 0);
    scree_format_free(&table);
    read_snapshot(SAMPLE("plain.xyz"), NULL, &table);
    assert_true(table.count == 3 && table.types.count == 2 && !table.has_box);
    assert_position(&table, 1, 1.5, 0, 0);
    assert_false(scree_format_has(&table, SCREE_FORMAT_RADIUS));
    scree_format_free(&table);
}

static void csv_is_read_by_the_names_and_units_of_its_header(void **state)
{
    (void)state;
    struct scree_format_table table;
    read_snapshot(SAMPLE("named.csv"), NULL, &table);
    assert_int_equal(table.count, 2);
    // the product of a decimal number and a unit differs by one rounding
    assert_true(fabs(value_of(&table, SCREE_FORMAT_X, 0) - 0.001) <= 1e-18);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_RADIUS, 0) - 0.002) <= 1e-18);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_DENSITY, 1) - 7800) <= 1e-12 * 7800);
    assert_string_equal(table.types.data[table.type[0]].name, "fine sand");
    scree_format_free(&table);
    read_snapshot(SAMPLE("paraview.csv"), NULL, &table);
    assert_position(&table, 1, 1, 2, 3);
    assert_true(value_of(&table, SCREE_FORMAT_VELOCITY_Y, 1) == 1);
    scree_format_free(&table);
    read_snapshot(SAMPLE("rows.csv"), NULL, &table);
    assert_true(table.count == 3 && value_of(&table, SCREE_FORMAT_RADIUS, 2) == 0.1);
    assert_true(value_of(&table, SCREE_FORMAT_VELOCITY_Z, 1) == 3);
    scree_format_free(&table);
}

// --- writing and reading back

// Writes 200 bodies whose numbers need 17 digits.
static void write_bodies(const char *path, bool oriented)
{
    static const char *const names[] = {"1", "2", "7"};
    uint64_t seed = 3;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "id,type,x [m],y [m],z [m],radius [m],density [kg/m^3],velocity-x [m/s],velocity-y [m/s],"
            "velocity-z [m/s],spin-x [rad/s],spin-y [rad/s],spin-z [rad/s]%s\n",
            oriented ? ",orientation-w,orientation-x,orientation-y,orientation-z,force-x [N],force-y [N],"
                       "force-z [N]"
                     : "");
    for (int body = 0; body < 200; ++body) {
        fprintf(file, "%d,%s", 1000 - 3 * body, names[body % 3]);
        for (int k = 0; k < (oriented ? 18 : 11); ++k) {
            const double number = splitmix_signed(&seed);
            fprintf(file, ",%.17g", k == 3 || k == 4 ? fabs(number) + 1e-3 : number * (k > 8 ? 1e-9 : 1));
        }
        fprintf(file, "\n");
    }
    assert_int_equal(fclose(file), 0);
}

static void every_format_preserves_all_bits(void **state)
{
    (void)state;
    static const struct {
        const char *format, *name;
        bool oriented;
    } rows[] = {{"lammps-data", "a.data", false}, {"liggghts-data", "a.liggghts", false},
                {"lammps-dump", "a.dump", true},  {"liggghts-dump", "a.liggghts.dump", true},
                {"xyz", "a.xyz", true},           {"csv", "a.csv", true}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        const char *first = path_of("first.csv"), *plain = path_of("plain.csv"),
                   *converted = path_of(rows[r].name), *returned = path_of("back.csv");
        struct scree_convert_report report;
        write_bodies(first, rows[r].oriented);
        assert_ok(scree_convert_file(first, plain, NULL, NULL));
        assert_ok(scree_convert_file(plain, converted, NULL, NULL));
        assert_ok(scree_convert_file(converted, returned, NULL, &report));
        // LIGGGHTS files can be read as LAMMPS files, so their format is not always recognised
        if (strncmp(rows[r].format, "liggghts", 8) != 0)
            assert_string_equal(report.format, rows[r].format);
        assert_int_equal(report.bodies, 200);
        assert_int_equal(report.types, 3);
        assert_equal_texts(plain, returned);
        unlink(first);
        unlink(plain);
        unlink(converted);
        unlink(returned);
    }
}

static void all_snapshots_are_converted_to_formats_with_several_snapshots(void **state)
{
    (void)state;
    const struct scree_convert_def all = {.all = true, .radius = 1};
    struct scree_convert_report report;
    const char *xyz = path_of("all.xyz"), *dump = path_of("all.dump"), *copy = path_of("again.xyz");
    assert_ok(scree_convert_file(SAMPLE("custom.dump"), xyz, &all, &report));
    assert_int_equal(report.snapshots, 3);
    assert_ok(scree_convert_file(xyz, dump, &all, &report));
    assert_true(report.snapshots == 3 && report.step == 300);
    assert_ok(scree_convert_file(dump, copy, &all, &report));
    assert_ok(scree_convert_file(dump, NULL, &(struct scree_convert_def){.snapshot = 2}, &report));
    assert_true(report.bodies == 1 && report.step == 200 && report.min_radius == 0.125);
    assert_refused(SCREE_ERROR_ARGUMENT, "has only one snapshot",
                   scree_convert_file(xyz, path_of("all.csv"), &all, NULL));
    assert_int_not_equal(access(path_of("all.csv"), F_OK), 0);
    assert_int_not_equal(access(path_of("all.csv.part"), F_OK), 0);
}

static void units_are_converted_both_ways(void **state)
{
    (void)state;
    struct scree_format_table table;
    const char *cgs = path_of("cgs.liggghts.dump"), *dump = path_of("cgs.dump"), *csv = path_of("cgs.csv");
    assert_ok(
        scree_convert_file(SAMPLE("sphere.data"), cgs, &(struct scree_convert_def){.units_to = "cgs"}, NULL));
    read_snapshot(cgs, NULL, &table);
    // 1 m is 100 cm, 1 kg/m^3 is 1/1000 g/cm^3, up to the rounding of the factors
    assert_true(fabs(value_of(&table, SCREE_FORMAT_X, 0) - 0.1) < 1e-16);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_DENSITY, 0) - 2.5) < 1e-15);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_VELOCITY_X, 2) - 100) < 1e-13);
    assert_true(value_of(&table, SCREE_FORMAT_SPIN_X, 2) == 10 && fabs(table.upper[2] - 5) < 1e-14);
    scree_format_free(&table);
    read_snapshot(cgs, &(struct scree_formats_selection){.units = "cgs"}, &table);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_X, 0) - 0.001) < 1e-18);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_DENSITY, 0) - 2500) < 1e-12);
    scree_format_free(&table);
    // a dump names its own units
    assert_ok(scree_convert_file(SAMPLE("sphere.data"), dump,
                                 &(struct scree_convert_def){.units_to = "micro", .scale = 2}, NULL));
    read_snapshot(dump, NULL, &table);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_X, 0) - 0.002) < 1e-17);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_VELOCITY_Y, 2) - 4) < 1e-14);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_DENSITY, 0) - 2500) < 1e-11);
    scree_format_free(&table);
    write_text(csv, "x,y,z,radius,mass [g],force-x\n1,2,3,4,5,6\n", 42);
    read_snapshot(csv, &(struct scree_formats_selection){.units = "cgs"}, &table);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_Z, 0) - 0.03) < 1e-17);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_MASS, 0) - 0.005) < 1e-18);
    assert_true(fabs(value_of(&table, SCREE_FORMAT_FORCE_X, 0) - 6e-5) < 1e-19);
    scree_format_free(&table);
    assert_refused(SCREE_ERROR_ARGUMENT, "use one of si, cgs",
                   scree_convert_file(csv, NULL, &(struct scree_convert_def){.units = "metal"}, NULL));
}

static void a_data_file_of_a_hybrid_style_is_read_by_the_named_styles(void **state)
{
    (void)state;
    static const char text[] = "title\n\n1 atoms\n1 atom types\n\nMasses\n\n1 0\n\nAtoms # hybrid sphere\n\n"
                               "5 1 0.25 0.5 0.75 0.125 2500 1 0 0\n";
    struct scree_format_table table;
    const char *path = path_of("hybrid.data");
    write_text(path, text, sizeof text - 1);
    read_snapshot(path, NULL, &table);
    assert_position(&table, 0, 0.25, 0.5, 0.75);
    assert_true(value_of(&table, SCREE_FORMAT_RADIUS, 0) == 0.0625 &&
                value_of(&table, SCREE_FORMAT_DENSITY, 0) == 2500);
    assert_true(table.image[0][0] == 1 && !scree_format_has(&table, SCREE_FORMAT_MASS));
    scree_format_free(&table);
}

// An unwrapped position contains the periods that image columns count, so their values are not used with it.
static void image_columns_of_a_dump_are_used_with_wrapped_positions_only(void **state)
{
    (void)state;
    static const struct {
        const char *columns, *row;
        double x;
        int image;
    } rows[] = {{"id xs xu y z ix iy iz", "1 0.3 2.625 0 0 1 0 0", 2.625, 0},
                {"id xsu xs y z ix iy iz", "1 1.25 0.25 0 0 1 0 0", 0.5, 1},
                {"id xu xs x y z ix iy iz", "1 2.625 0.3 0.625 0 0 1 0 0", 0.625, 1},
                {"id xsu y z ix iy iz", "1 1.25 0 0 1 0 0", 2.5, 0}};
    const char *path = path_of("places.dump");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_format_table table;
        char text[300];
        snprintf(text, sizeof text,
                 "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 2\n0 2\n0 2\n"
                 "ITEM: ATOMS %s\n%s\n",
                 rows[r].columns, rows[r].row);
        write_text(path, text, strlen(text));
        read_snapshot(path, NULL, &table);
        assert_position(&table, 0, rows[r].x, 0, 0);
        assert_int_equal(table.image[0][0], rows[r].image);
        scree_format_free(&table);
    }
}

static void a_dump_for_liggghts_has_neither_units_nor_time(void **state)
{
    (void)state;
    static const char text[] =
        "ITEM: UNITS\nsi\nITEM: TIME\n0.5\nITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n1\n"
        "ITEM: BOX BOUNDS pp ff ff\n0 1\n0 2\n0 4\nITEM: ATOMS id type x y z radius\n"
        "3 2 0.25 0.5 0.75 0.125\n";
    const char *with_time = path_of("timed.dump"), *plain = path_of("plain.liggghts.dump");
    write_text(with_time, text, sizeof text - 1);
    assert_ok(scree_convert_file(with_time, plain, NULL, NULL));
    char *written = scree_folder_read_path(plain, NULL);
    assert_string_equal(written, strstr(text, "ITEM: TIMESTEP"));
    free(written);
}

// --- refusals

static void binary_data_are_not_read_as_rows(void **state)
{
    (void)state;
    const char *path = path_of("some.restart");
    write_text(path, "1 2\0 3 4\n", 9);
    assert_refused(SCREE_ERROR_ARGUMENT, "must be converted to text first",
                   scree_convert_file(path, NULL, NULL, NULL));
}

static void missing_values_that_a_format_needs_are_named(void **state)
{
    (void)state;
    const char *out = path_of("needs.data");
    struct scree_convert_report report;
    assert_refused(SCREE_ERROR_MISSING, "has no radius, which the format lammps-data needs",
                   scree_convert_file(SAMPLE("plain.xyz"), out, NULL, NULL));
    assert_refused(
        SCREE_ERROR_MISSING, "has no density and no mass",
        scree_convert_file(SAMPLE("plain.xyz"), out, &(struct scree_convert_def){.radius = 1}, NULL));
    assert_int_not_equal(access(out, F_OK), 0);
    assert_ok(scree_convert_file(SAMPLE("plain.xyz"), out,
                                 &(struct scree_convert_def){.radius = 0.5, .density = 1000}, &report));
    assert_true(report.min_radius == 0.5 && report.lower[0] == -0.5 && report.upper[0] == 2);
    assert_refused(SCREE_ERROR_EXISTS, "already exists",
                   scree_convert_file(SAMPLE("granular.data"), out, NULL, NULL));
    assert_ok(
        scree_convert_file(SAMPLE("granular.data"), out, &(struct scree_convert_def){.force = true}, NULL));
    // density is computed from the mass of a sphere
    assert_ok(scree_convert_file(SAMPLE("custom.dump"), out,
                                 &(struct scree_convert_def){.force = true, .snapshot = 2}, NULL));
    struct scree_format_table table;
    read_snapshot(out, NULL, &table);
    const double volume = 4.0 / 3 * 3.14159265358979323846 * 0.125 * 0.125 * 0.125;
    assert_true(fabs(value_of(&table, SCREE_FORMAT_DENSITY, 0) * volume - 0.5) < 1e-15);
    scree_format_free(&table);
    assert_refused(SCREE_ERROR_ARGUMENT, "no format has the file extension",
                   scree_convert_file(SAMPLE("plain.xyz"), path_of("a.foo"), NULL, NULL));
    assert_refused(
        SCREE_ERROR_ARGUMENT, "mean 'xyz'",
        scree_convert_file(SAMPLE("plain.xyz"), out, &(struct scree_convert_def){.to = "xy"}, NULL));
    assert_refused(SCREE_ERROR_IO, "cannot open", scree_convert_file("nobody.xyz", NULL, NULL, NULL));
    assert_refused(SCREE_ERROR_IO, "is not a file", scree_convert_file(".", NULL, NULL, NULL));
    assert_refused(
        SCREE_ERROR_ARGUMENT, "only one snapshot",
        scree_convert_file(SAMPLE("rows.csv"), NULL, &(struct scree_convert_def){.snapshot = 2}, NULL));
}

#define DATA(counts, rest) "title\n\n" counts "\n0 1 xlo xhi\n\n" rest
#define DUMP(count, columns, rows)                                                                           \
    "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n" count                                                       \
    "\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\nITEM: ATOMS " columns "\n" rows

// Invalid files, and a part of the message.
static const struct {
    const char *text, *word;
} invalid_files[] = {
    {DATA("1 atoms", "Atoms\n\n1 1 1 1 0 0 0\n2 1 1 1 0 0 0\n"), ":9:1: the header gives 1 atoms"},
    {DATA("3 atoms", "Atoms\n\n1 1 1 1 0 0 0\n"), "the header gives 3 atoms, but there are 1 rows"},
    {DATA("9007199254740991 atoms", "Atoms\n\n1 1 1 1 0 0 0\n"), "but there are 1 rows"},
    {DATA("99999999999999999999 atoms", ""), ":3:1: the number of atoms must be from 0 to 2^53"},
    {DATA("2 atoms", "Atoms\n\n1 1 1 1 0 0 0\n1 1 1 1 0 0 0\n"), "have the same id, 1"},
    {DATA("1 atoms", "Atoms\n\n1 1 1 1 0 nan 0\n"), ":8:11: 'y' must be a number, not 'nan'"},
    {DATA("1 atoms", "Atoms\n\n1 1 1 1 0 1e999 0\n"), ":8:11: 'y' must be a number, not '1e999'"},
    {DATA("1 atoms", "Atoms\n\n1 1 -1 1 0 0 0\n"), ":8:5: 'radius' must not be negative"},
    {DATA("1 atoms", "Atoms\n\n-1 1 1 1 0 0 0\n"), "an id must be a whole number below 2^63"},
    {DATA("1 atoms", "Atoms\n\n9999999999999999999 1 1 1 0 0 0\n"), "an id must be a whole number"},
    {DATA("1 atoms", "Atoms\n\n1 1 1 1 0 0 0 0.5 0 0\n"), "an image flag must be a whole number"},
    {DATA("1 atoms", "Atoms\n\n1 1 1 1 0 0\n"), "give it after the name of"},
    {DATA("2 atoms", "Atoms # sphere\n\n1 1 1 1 0 0 0\n2 1 1\n"),
     ":9:1: a row of this table must have 10 values, not 3"},
    {DATA("1 atoms", "Velocities\n\n1 0 0 0\n"), ":6:1: the section 'Velocities' must come after 'Atoms'"},
    {DATA("1 atoms", "Atoms\n\n1 1 1 1 0 0 0\n\nVelocities\n\n2 0 0 0\n"), ":12:1: no atom has the id '2'"},
    {DATA("1 atoms", "Atoms\n\n1 1 1 1 0 0 0\n\nAtoms\n\n2 1 1 1 0 0 0\n"),
     "there is a second section 'Atoms'"},
    {DATA("1 atoms\n1 0 ylo yhi", ""), ":4:1: the upper bound is below the lower one"},
    {DATA("1 atoms\n0.5 0 0 xy xz yz", ""), ":4:1: a tilted box is not supported"},
    {DATA("1 atoms", "Masses\n\n1 -2\n"), "a row of 'Masses' must have a type and a mass"},
    {DATA("1 atoms", "Atoms # hybrid\n\n1 1 0 0 0 1 1\n"), ":6:1: the styles of this hybrid are not given"},
    {DATA("1 atoms", "Atoms # ellipsoid\n\n1 1 0 1 0 0 0\n"), ":6:1: this atom style is not supported"},
    {DATA("1 atoms", ""), "this file has no section 'Atoms'"},
    {DUMP("2", "id x y z", "1 0 0 0\n"), ":11:1: snapshot 1 ends after 1 of its 2 rows"},
    {DUMP("1", "id x y z", "1 0 0 0\n2 0 0 0\n"), ":11:1: this row is beyond the 1 rows"},
    {DUMP("18446744073709551615", "id x y z", "1 0 0 0\n"), "ends after 1 of its 18446744073709551615"},
    {DUMP("18446744073709551616", "id x y z", "1 0 0 0\n"),
     ":4:1: the number of bodies must be a whole number"},
    {DUMP("1", "id x y", "1 0 0\n"), ":9:1: a dump must have the columns x, y and z"},
    {DUMP("1", "id x y z", "1 0 0\n"), ":10:1: a row of this table must have 4 values, not 3"},
    {DUMP("1", "id x y z", "1 0 0 0 0\n"), ":10:1: a row of this table must have 4 values, not 5"},
    {DUMP("2", "id x y z", "1 0 0 0\n1 0 0 0\n"), "the bodies of lines 10 and 11 have the same id, 1"},
    {DUMP("1", "id x y z", "1 inf 0 0\n"), ":10:3: 'x' must be a number, not 'inf'"},
    {"ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n", "the file ends within snapshot 1"},
    {"ITEM: TIMESTEP\n1\n", "the file ends within snapshot 1, before its rows"},
    {"ITEM: TIMESTEP\n1\nITEM: ATOMS id xs ys zs\n", "must come before the rows"},
    {"ITEM: UNITS\nmetal\n", ":2:1: unknown units 'metal': use one of si, cgs"},
    {"ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 1 0\n0 1 0\n0 1 0\n", ":1:18: a tilted box is not supported"},
    {"ITEM: BOX BOUNDS pp pp pp\n0 1\n2 1\n0 1\n", ":3:1: the upper bound is below"},
    {"ITEM: TIMESTEP\n1\nITEM: NUMBER OF ENTRIES\n1\n", ":3:1: this is a dump of the style local"},
    {"ITEM: TIMESTEP\n1\nhello\n", ":3:1: an item such as 'ITEM: TIMESTEP' was expected"},
    {"2\nremark\nH 0 0 0\n", "snapshot 1 ends after 1 of its 2 rows"},
    {"1\nremark\nH 0 0\n", ":3:1: a row of this table must have 4 values, not 3"},
    {"1\nremark\nH 0 x 0\n", ":3:5: 'y' must be a number, not 'x'"},
    {"1\nLattice=\"1 2 3 4\"\nH 0 0 0\n", ":2:1: 'Lattice' must be three vectors"},
    {"1\nLattice=\"1 0 0 0.5 1 0 0 0 1\"\nH 0 0 0\n", "a tilted box is not supported"},
    {"1\nProperties=pos:R\n0 0 0\n", "'Properties' must be name:kind:width"},
    {"1\nProperties=pos:R:3:a:R:99999999999\n0 0 0\n", "a property must have 1 to 256 columns"},
    {"1\nProperties=species:S:1:radius:R:1\nH 0\n", "'Properties' has no position"},
    {"x,y,z,radius [kg]\n", ":1:14: 'radius' must be in m, not in 'kg'"},
    {"x,y,z,radius,radius\n0,0,0,1,5\n", ":1:14: there are two columns 'radius': remove or rename"},
    {"x,y,z,\"radius [mm]\", Radius\n0,0,0,1,5\n", "there are two columns 'Radius'"},
    {"x,y,z,radius,mass\n0,0,0,1,2\n0,0,0,1\n", ":3:1: a row of this table must have 5 values, not 4"},
    {"0 0 0 1\nnan 0 0 1\n", ":2:1: a number was expected"},
    {"0 0 0 1 2 3\n", ":1:1: a row must have 4 numbers (x, y, z, radius), or 7"},
    {"0 0 0 1 2 3 4 5\n", ":1:1: a row must have 4 numbers"},
    {"x,y,radius\n0,0,3 kg\n", ":2:1: a row of this table must have 3 values, not 4"},
    {"x,y,radius\n0,0,3kg\n", ":2:5: 'radius' must be in m"},
    {"\x01\x02\x03", "is not recognised"},
    {"", "is not recognised"},
};

static void invalid_files_are_refused_with_a_line_number(void **state)
{
    (void)state;
    const char *path = path_of("invalid");
    for (size_t r = 0; r < sizeof invalid_files / sizeof invalid_files[0]; ++r) {
        write_text(path, invalid_files[r].text, strlen(invalid_files[r].text));
        const scree_status status = scree_convert_file(path, NULL, NULL, NULL);
        if (status != SCREE_ERROR_ARGUMENT || !strstr(scree_status_message(), invalid_files[r].word))
            fail_msg("'%s': %s, without '%s'", invalid_files[r].text, scree_status_message(),
                     invalid_files[r].word);
    }
}

static void lines_and_diagnostics_are_bounded(void **state)
{
    (void)state;
    const char *path = path_of("long.csv");
    const size_t size = 1 << 18;
    char *text = (char *)malloc(size);
    assert_non_null(text);
    memset(text, '1', size);
    write_text(path, text, size);
    assert_refused(SCREE_ERROR_ARGUMENT, "a line can have at most 65536 bytes",
                   scree_convert_file(path, NULL, NULL, NULL));
    // a line of the maximum length is accepted
    memset(text, ' ', size);
    memcpy(text, "0 0 0 1", 7);
    text[SCREE_LINES_MAX_LENGTH] = '\n';
    write_text(path, text, SCREE_LINES_MAX_LENGTH + 1);
    assert_ok(scree_convert_file(path, NULL, NULL, NULL));
    for (size_t k = 0; k < size; ++k)
        text[k] = "x \n"[k % 3];
    memcpy(text, "0 0 0 1\n", 8);
    write_text(path, text, size);
    struct scree_diagnostics diagnostics = {0};
    struct scree_formats_file file;
    struct scree_format_table table = {0};
    bool found;
    assert_ok(scree_formats_open(&file, path, "long.csv", &last_snapshot, &diagnostics));
    assert_ok(scree_formats_next(&file, &table, &found));
    assert_true(!found && diagnostics.all == SCREE_LINES_MAX_DIAGNOSTICS);
    scree_formats_close(&file);
    scree_format_free(&table);
    scree_diagnostic_free(&diagnostics);
    free(text);
}

static void a_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    static const char *const paths[] = {SAMPLE("sphere.data"), SAMPLE("custom.dump"), SAMPLE("extended.xyz"),
                                        SAMPLE("named.csv"), SAMPLE("atomic.data")};
    const char *out = path_of("fault.dump");
    for (size_t p = 0; p < sizeof paths / sizeof paths[0]; ++p) {
        const size_t live = scree_memory_live();
        size_t failures = 0;
        for (uint64_t nth = 1;; ++nth) {
            scree_memory_fail_at(nth);
            const scree_status status =
                scree_convert_file(paths[p], out, &(struct scree_convert_def){.radius = 1}, NULL);
            scree_memory_fail_at(0);
            assert_int_equal(scree_memory_live(), live);
            if (status == SCREE_OK)
                break;
            assert_int_equal(status, SCREE_ERROR_MEMORY);
            assert_int_not_equal(access(out, F_OK), 0);
            ++failures;
        }
        assert_true(failures >= 2);
        unlink(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_data_file_of_lammps_is_read),
        cmocka_unit_test(a_data_file_of_liggghts_is_read_with_unix_and_windows_line_ends),
        cmocka_unit_test(rows_without_a_mass_have_the_mass_of_their_type),
        cmocka_unit_test(a_snapshot_of_a_dump_is_the_last_or_chosen_by_number_or_step),
        cmocka_unit_test(xyz_is_read_plain_and_extended),
        cmocka_unit_test(csv_is_read_by_the_names_and_units_of_its_header),
        cmocka_unit_test(every_format_preserves_all_bits),
        cmocka_unit_test(all_snapshots_are_converted_to_formats_with_several_snapshots),
        cmocka_unit_test(units_are_converted_both_ways),
        cmocka_unit_test(a_data_file_of_a_hybrid_style_is_read_by_the_named_styles),
        cmocka_unit_test(image_columns_of_a_dump_are_used_with_wrapped_positions_only),
        cmocka_unit_test(a_dump_for_liggghts_has_neither_units_nor_time),
        cmocka_unit_test(binary_data_are_not_read_as_rows),
        cmocka_unit_test(missing_values_that_a_format_needs_are_named),
        cmocka_unit_test(invalid_files_are_refused_with_a_line_number),
        cmocka_unit_test(lines_and_diagnostics_are_bounded),
        cmocka_unit_test(a_failed_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
