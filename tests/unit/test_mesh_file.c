// Reading meshes from STL and OBJ: what is accepted, and each mistake with its place.
// Reference: the numbers in the files; volumes of a cube and of polygons.

#include "unit/mesh.h"

static const char triangle[] =
    "solid a\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
    "   vertex 0 0.1 0\n  endloop\n endfacet\nendsolid a\n";

// Writes the cube as text or binary STL, in units of `size`.
static void write_cube(const char *name, bool binary, float size)
{
    static unsigned char bytes[84 + 12 * 50];
    static char text[8000];
    float facet[12][9];
    size_t length = (size_t)snprintf(text, sizeof text, "solid cube\r\n");
    for (int f = 0; f < 12; ++f) {
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "FACET NORMAL nan 0 0\r\n outer loop\r\n\r\n");
        for (int c = 0; c < 9; ++c)
            facet[f][c] = size * (float)cube_vertex[cube_facet[f][c / 3]][c % 3];
        for (int c = 0; c < 9; c += 3)
            length += (size_t)snprintf(text + length, sizeof text - length, "vertex %.6e\t%g %g\r\n",
                                       (double)facet[f][c], (double)facet[f][c + 1], (double)facet[f][c + 2]);
        length += (size_t)snprintf(text + length, sizeof text - length, " EndLoop\r\n endfacet\r\n");
    }
    snprintf(text + length, sizeof text - length, "endsolid\r\n");
    if (binary)
        write_bytes(name, bytes, fill_stl(bytes, "solid cube", (const float(*)[9])facet, 12));
    else
        scree_folder_write(&scree_test_folder, name, text);
}

static void assert_cube(const char *name, const char *format, size_t read, double size)
{
    struct scree_mesh mesh;
    struct scree_mesh_report report;
    assert_int_equal(scree_mesh_read(scree_folder_path(&scree_test_folder, name), NULL, &mesh, &report),
                     SCREE_OK);
    assert_string_equal(report.format, format);
    assert_true(report.vertices_read == read && report.facets_read == 12 && report.facets == 12 &&
                report.vertices == 8 && report.edges == 18 && report.shells == 1 && report.closed == 1 &&
                report.watertight && report.flipped == 0 && report.open.count == 0);
    // all numbers are short: no rounding
    assert_true(report.volume == size * size * size && report.area == 6 * size * size);
    assert_true(report.lower[0] == 0 && report.upper[2] == size);
    assert_true(mesh.number[0] == 1 && mesh.number[11] == 12);
    scree_mesh_free(&mesh);
}

static void a_cube_is_the_same_in_all_formats(void **state)
{
    (void)state;
    write_cube("cube.stl", false, 2);
    assert_cube("cube.stl", "ASCII STL", 36, 2);
    // a binary file that begins with "solid", as some programs write it
    write_cube("cube.STL", true, 2);
    assert_cube("cube.STL", "binary STL", 36, 2);
    scree_folder_write(
        &scree_test_folder, "cube.obj",
        "# a cube\nmtllib none.mtl\no cube\nv 0 0 0\nv 2 0 0 1.0\nv 2 2 0 0.5 0.5 0.5\nv 0 2 0\n"
        "v 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\nvt 0 0\nvn 0 0 1\ng side\nusemtl stone\ns off\n"
        "f 4 3 2 1 # below\nf 5/1 6/1 7/1 8/1\nf 1//1 2//1 6//1 5//1\nf 2/1/1 3/1/1 7/1/1\n"
        "f -7 -2 -3\nf 3 4 8 7\nf 4 1 5 8\n");
    struct scree_mesh mesh;
    struct scree_mesh_report report;
    assert_int_equal(scree_mesh_read(scree_folder_path(&scree_test_folder, "cube.obj"), NULL, &mesh, &report),
                     SCREE_OK);
    assert_string_equal(report.format, "OBJ");
    assert_true(report.facets == 12 && report.watertight && report.volume == 8 && report.flipped == 0);
    // the numbers are those of polygons
    assert_true(mesh.number[0] == 1 && mesh.number[1] == 1 && mesh.number[2] == 2 && mesh.number[11] == 7);
    scree_mesh_free(&mesh);
}

static void numbers_of_a_text_are_rounded_correctly(void **state)
{
    (void)state;
    struct scree_mesh mesh;
    assert_int_equal(read_text("a.obj",
                               "v 0.1 1e-3 123456789.987654321\nv 9007199254740993 -.5 +2.\nv 0 0 0\n"
                               "f 1 2 3\n",
                               &mesh, NULL),
                     SCREE_OK);
    assert_true(mesh.vertex[0][0] == 0.1 && mesh.vertex[0][1] == 1e-3 &&
                mesh.vertex[0][2] == 123456789.987654321 && mesh.vertex[1][0] == 9007199254740992.0 &&
                mesh.vertex[1][1] == -0.5 && mesh.vertex[1][2] == 2);
    scree_mesh_free(&mesh);
}

// Half a unit in the last place of the largest coordinate, 2: of a float; of a decimal with 7 digits; of a
// double if numbers are too short to be rounded.
static void the_error_is_that_of_the_format(void **state)
{
    (void)state;
    struct scree_mesh mesh;
    const struct {
        const char *name;
        double error;
    } rows[] = {{"cube.STL", 0x1p-23}, {"cube.stl", 1e-6}, {"cube.obj", 0x1p-52}};
    write_cube("cube.STL", true, 2);
    write_cube("cube.stl", false, 2);
    scree_folder_write(&scree_test_folder, "cube.obj", "v 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    for (int r = 0; r < 3; ++r) {
        const char *path = scree_folder_path(&scree_test_folder, rows[r].name);
        assert_int_equal(scree_mesh_read(path, NULL, &mesh, NULL), SCREE_OK);
        assert_true(fabs(mesh.error - rows[r].error) <= 1e-12 * rows[r].error);
        scree_mesh_free(&mesh);
    }
}

// Areas of polygons that are not convex: an L, an arrow, and one with vertices on a straight line.
static void polygons_are_split_into_triangles_of_the_same_area(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double area;
        size_t facets;
    } rows[] = {{"v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n", 3, 4},
                {"v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\nf 1 2 3 4\n", 1, 2},
                {"v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\nf 4 3 2 1\n", 1, 2},
                {"v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4 5\n", 4, 3},
                {"v 0 0 0\nv 0 2 0\nv 0 2 2\nv 0 0 2\nf 1 2 3 4\n", 4, 2}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_mesh mesh;
        struct scree_mesh_report report;
        assert_int_equal(read_text("a.obj", rows[r].text, &mesh, &report), SCREE_OK);
        assert_true(report.facets == rows[r].facets && report.degenerate == 0 && report.flipped == 0 &&
                    report.shells == 1 && report.unoriented.count == 0);
        assert_true(fabs(report.area - rows[r].area) < 1e-14);
        scree_mesh_free(&mesh);
    }
}

static void mistakes_are_reported_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *message;
    } rows[] = {
        {"a.stl", "",
         "is not an STL file: a text begins with `solid`, and a binary file has at least 84 bytes"},
        {"a.stl", "solid a\nendsolid a\n", "has no facets"},
        {"a.stl", "v 1 2 3\n", "is not an STL file"},
        {"a.stl", " solid\nendsolid\nfacet\n", "a.stl:3:1: `solid NAME` was expected here"},
        {"a.stl", "solid\nfacet 0 0 1\n", "a.stl:2:1: `facet normal X Y Z` or `endsolid` was expected here"},
        {"a.stl", "solid\nfacet normal 0 0 1\nloop\n", "a.stl:3:1: `outer loop` was expected here"},
        {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n",
         "a.stl:5:1: `vertex X Y Z` was expected here: a facet has three vertices"},
        {"a.stl",
         "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 1 1\n",
         "a.stl:7:1: `endloop` was expected here: a facet has three vertices"},
        {"a.stl",
         "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n",
         "a.stl:8:1: the file ends here, but `endfacet` was expected"},
        {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n",
         "a.stl:4:1: a vertex has three coordinates, x y z; this one has 2"},
        {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n",
         "a.stl:4:12: a finite number of at most 64 characters was expected, not 'nan'"},
        {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e999\n", "not '1e999'"},
        {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e41\n",
         "a.stl:4:12: a coordinate must be at most 1e40 in magnitude"},
        {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1 2\n",
         "a.stl:4:14: a vertex has three coordinates only"},
        {"a.obj", "v 0 0 0\n", "has no facets"},
        {"a.obj", "v 0 0\n", "a.obj:1:1: a vertex has three coordinates"},
        {"a.obj", "v 0 0 0\nf 1 1\n", "a.obj:2:1: a polygon has at least three vertices; this one has 2"},
        {"a.obj", "v 0 0 0\nf 1 2 1\n", "a.obj:2:5: there is no vertex 2: the lines before this one have 1"},
        {"a.obj", "v 0 0 0\nf 1 0 1\n", "a.obj:2:5: there is no vertex 0"},
        {"a.obj", "v 0 0 0\nf 1 -2 1\n", "a.obj:2:5: there is no vertex -2"},
        {"a.obj", "v 0 0 0\nf 1 99999999999 1\n", "a.obj:2:5: the number of a vertex was expected"},
        {"a.obj", "v 0 0 0\nf 1 1/ 1\n", "as in 1, 1/2, 1//3 or 1/2/3, not '1/'"},
        {"a.obj", "v 0 0 0\nf 1 1// 1\n", "not '1//'"},
        {"a.obj", "v 0 0 0\nf 1 1/1/1/1 1\n", "not '1/1/1/1'"},
        {"a.obj", "v 0 0 0\nf 1 x 1\n", "not 'x'"},
        {"a.obj", "v 0 0 0\nf 1 1 \\\n1\n", "not '\\': a polygon must be in one line"},
        {"a.obj", "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n",
         "a.obj:5:1: this polygon crosses itself or has no area"},
        {"a.obj", "v 0 0 0\nv 1 1 0\nv 2 2 0\nf 1 2 3\n", "the mesh has no facet with an area"},
        {"a.ply", "", "is not the name of a mesh: it must end in .stl or .obj"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_mesh mesh;
        const bool unknown = strstr(rows[r].name, ".ply") != NULL;
        assert_message(read_text(rows[r].name, rows[r].text, &mesh, NULL),
                       unknown ? SCREE_ERROR_UNSUPPORTED : SCREE_ERROR_ARGUMENT, rows[r].message);
        assert_non_null(strstr(scree_status_message(), rows[r].name));
        assert_true(mesh.vertex == NULL && mesh.facets == 0);
    }
}

// A polygon with 300 corners on a circle is convex; with one moved inwards it is too long for its time.
static void a_long_polygon_must_be_convex(void **state)
{
    (void)state;
    static char text[30000];
    for (int bent = 0; bent < 2; ++bent) {
        struct scree_mesh mesh;
        struct scree_mesh_report report;
        size_t length = 0;
        for (int i = 0; i < 300; ++i) {
            const double radius = bent && i == 9 ? 0.5 : 1, angle = i * 2 * 3.14159265358979323846 / 300;
            length += (size_t)snprintf(text + length, sizeof text - length, "v %.17g %.17g 0\n",
                                       radius * cos(angle), radius * sin(angle));
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "f");
        for (int i = 1; i <= 300; ++i)
            length += (size_t)snprintf(text + length, sizeof text - length, " %d", i);
        const scree_status status = read_text("a.obj", text, &mesh, &report);
        if (bent)
            assert_message(status, SCREE_ERROR_ARGUMENT, "a polygon that is not convex can have at most 64");
        else
            assert_true(status == SCREE_OK && report.facets == 298);
        scree_mesh_free(&mesh);
    }
}

static void binary_mistakes_are_reported_with_facet_and_byte(void **state)
{
    (void)state;
    static unsigned char bytes[84 + 3 * 50 + 10];
    static const float facets[2][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 1, 0, 0, 0, 1}};
    struct scree_mesh mesh;
    const size_t length = fill_stl(bytes, "binary", facets, 2);
    const char *path = scree_folder_path(&scree_test_folder, "a.stl");
    // each length but the right one
    for (size_t size = 1; size < length + 10; ++size) {
        write_bytes("a.stl", bytes, size);
        const scree_status status = scree_mesh_read(path, NULL, &mesh, NULL);
        if (size == length)
            assert_int_equal(status, SCREE_OK);
        else if (size < 84)
            assert_message(status, SCREE_ERROR_ARGUMENT, "is not an STL file");
        else
            assert_message(
                status, SCREE_ERROR_ARGUMENT,
                "a binary STL file of 2 facets, which byte 80 states, has 184: the file is truncated");
        scree_mesh_free(&mesh);
    }
    // a number of facets that no memory could hold
    memset(bytes + 80, 0xff, 4);
    write_bytes("a.stl", bytes, length);
    assert_message(scree_mesh_read(path, NULL, &mesh, NULL), SCREE_ERROR_ARGUMENT,
                   "a binary STL file of 4294967295 facets, which byte 80 states, has 214748364834");
    static const struct {
        uint32_t bits;
        const char *what;
    } rows[] = {{0x7f800000, "infinite"}, {0xff800000, "infinite"}, {0x7fc00000, "not a number"}};
    for (int r = 0; r < 3; ++r) {
        fill_stl(bytes, "binary", facets, 2);
        char message[128];
        // vertex 2 of facet 2, its z
        memcpy(bytes + 84 + 50 + 12 + 20, &rows[r].bits, 4);
        write_bytes("a.stl", bytes, length);
        snprintf(message, sizeof message,
                 "coordinate z of vertex 2 of facet 2, at byte 166, is %s: it must be", rows[r].what);
        assert_message(scree_mesh_read(path, NULL, &mesh, NULL), SCREE_ERROR_ARGUMENT, message);
    }
    assert_message(scree_mesh_read("does-not-exist.stl", NULL, &mesh, NULL), SCREE_ERROR_IO,
                   "cannot open 'does-not-exist.stl'");
    assert_message(scree_mesh_read(scree_test_folder.path, NULL, &mesh, NULL), SCREE_ERROR_UNSUPPORTED,
                   "must end in .stl or .obj");
}

static void a_definition_places_the_mesh(void **state)
{
    (void)state;
    const struct scree_mesh_def def = {.unit = "mm",
                                       .scale = 2,
                                       .rotation = {0.70710678118654752, 0, 0, 0.70710678118654752},
                                       .translation = {1, 0, 0}};
    struct scree_mesh mesh;
    scree_folder_write(&scree_test_folder, "a.obj", "v 1000 0 0\nv 0 500 0\nv 0 0 250\nf 1 2 3\n");
    assert_int_equal(scree_mesh_read(scree_folder_path(&scree_test_folder, "a.obj"), &def, &mesh, NULL),
                     SCREE_OK);
    // x becomes y, y becomes -x; then x is moved by 1 m. About ten roundings of numbers up to 2
    static const double wanted[3][3] = {{1, 2, 0}, {0, 0, 0}, {1, 0, 0.5}};
    for (int v = 0; v < 3; ++v)
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(mesh.vertex[v][k] - wanted[v][k]) <= 20 * 0x1p-53);
    assert_true(mesh.error >= 2 * 0x1p-53 && mesh.error < 200 * 0x1p-53);
    scree_mesh_free(&mesh);
    // an inch is 25.4 mm
    const struct scree_mesh_def inch = {.unit = "in", .error = 1e-3};
    assert_int_equal(scree_mesh_read(scree_folder_path(&scree_test_folder, "a.obj"), &inch, &mesh, NULL),
                     SCREE_OK);
    assert_true(fabs(mesh.vertex[0][0] - 25.4) < 1e-13 && mesh.error == 1e-3);
    scree_mesh_free(&mesh);
}

static void a_wrong_definition_is_named(void **state)
{
    (void)state;
    const double inf = (double)INFINITY;
    const struct {
        struct scree_mesh_def def;
        const char *message;
    } rows[] = {
        {{.unit = "kg"}, "'kg' is not a unit of length: use m, mm, um, in or ft"},
        {{.unit = "furlong"}, "'furlong' is not a unit of length"},
        {{.unit = ""}, "'' is not a unit of length"},
        {{.unit = "mm mm mm mm mm mm mm mm mm mm mm mm"}, "is not a unit of length"},
        {{.scale = -1}, "the scale of a mesh must be from 0 to 1e+40; got -1"},
        {{.scale = inf}, "the scale of a mesh must be"},
        {{.tolerance = -1}, "the tolerance of a mesh must be"},
        {{.error = (double)NAN}, "the error of a mesh must be"},
        {{.rotation = {1, 1, 0, 0}}, "must be a unit quaternion; its norm squared is 2"},
        {{.translation = {0, inf, 0}}, "the translation of a mesh must be"},
        {{.scale = 1e-39}, "a mesh must have a size of at least 1e-30 m"},
        {{.scale = 1e40}, "coordinates of at most 1e+40 m"},
    };
    scree_folder_write(&scree_test_folder, "a.obj", "v 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_mesh mesh;
        assert_message(
            scree_mesh_read(scree_folder_path(&scree_test_folder, "a.obj"), &rows[r].def, &mesh, NULL),
            SCREE_ERROR_ARGUMENT, rows[r].message);
    }
}

static scree_status attempt(void *user)
{
    const struct scree_mesh_def def = {.tolerance = 1e-3};
    struct scree_mesh mesh;
    const scree_status status =
        scree_mesh_read(scree_folder_path(&scree_test_folder, (const char *)user), &def, &mesh, NULL);
    scree_mesh_free(&mesh);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    write_cube("b.stl", true, 1);
    scree_folder_write(&scree_test_folder, "t.stl", triangle);
    scree_folder_write(&scree_test_folder, "a.obj", "v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\nf 1 2 3 4\n");
    static char files[][8] = {"b.stl", "t.stl", "a.obj"};
    for (int f = 0; f < 3; ++f)
        assert_true(scree_starve(attempt, files[f]) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_is_the_same_in_all_formats),
        cmocka_unit_test(numbers_of_a_text_are_rounded_correctly),
        cmocka_unit_test(the_error_is_that_of_the_format),
        cmocka_unit_test(polygons_are_split_into_triangles_of_the_same_area),
        cmocka_unit_test(mistakes_are_reported_with_their_place),
        cmocka_unit_test(a_long_polygon_must_be_convex),
        cmocka_unit_test(binary_mistakes_are_reported_with_facet_and_byte),
        cmocka_unit_test(a_definition_places_the_mesh),
        cmocka_unit_test(a_wrong_definition_is_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
