// Meshes with random changes of bytes, words and pieces: each file is read, or refused with its name. A mesh
// that was read has valid numbers, makes a surface for contacts, and repairing it again changes nothing. All
// memory is freed.

#include "base/memory.h"
#include "fuzz/splice.h"
#include "mesh/make.h"
#include "support/splitmix.h"

#include <scree/mesh_file.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_LENGTH = 6000, FILES = 3 };

static uint64_t seed = 1;

static const char *const endings[FILES] = {"stl", "stl", "obj"};

static const char *const pieces[] = {"\n",
                                     "\r\n",
                                     " ",
                                     "\t",
                                     "\\\n",
                                     "#",
                                     "v ",
                                     "f ",
                                     "f 1 2 3\n",
                                     "f -1 -2 -3 -4\n",
                                     "/",
                                     "//",
                                     "1/2/3",
                                     "-1",
                                     "0",
                                     "nan",
                                     "inf",
                                     "1e999",
                                     "-0",
                                     "1e-320",
                                     "1e40",
                                     "1e39",
                                     "0.5",
                                     "3",
                                     "7",
                                     "4294967297",
                                     "99999999999",
                                     "vertex",
                                     "facet normal 0 0 1\nouter loop\n",
                                     "endloop\nendfacet\n",
                                     "endsolid\nsolid\n",
                                     "vertex 0 0 0\n",
                                     "v 0.5 0.5 0.5\n",
                                     "\xff\xfe",
                                     "\x1b[2J"};

static const int cube[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

static char text[MAX_LENGTH + 1];
static char sample[FILES][MAX_LENGTH];
static size_t sizes[FILES];

static uint64_t pick(uint64_t count)
{
    return splitmix_next(&seed) % count;
}

static double coordinate(int vertex, int axis)
{
    return axis == 0 ? (vertex + 1) / 2 % 2 : axis == 1 ? vertex / 2 % 2 : vertex / 4;
}

static void add(int file, const char *format, double x, double y, double z)
{
    sizes[file] += (size_t)snprintf(sample[file] + sizes[file], MAX_LENGTH - sizes[file], format, x, y, z);
}

// The cube as text and binary STL, and as OBJ of triangles and a polygon that is not convex.
static void make_samples(void)
{
    const uint32_t facets = 12;
    add(0, "solid cube\n", 0, 0, 0);
    memset(sample[1], ' ', 80);
    memcpy(sample[1] + 80, &facets, 4);
    sizes[1] = 84;
    for (int v = 0; v < 8; ++v)
        add(2, "v %g %g %g\n", coordinate(v, 0), coordinate(v, 1), coordinate(v, 2));
    for (int f = 0; f < 12; ++f) {
        add(0, "facet normal 0 0 1\nouter loop\n", 0, 0, 0);
        for (int c = 0; c < 3; ++c)
            add(0, "vertex %g %g %g\n", coordinate(cube[f][c], 0), coordinate(cube[f][c], 1),
                coordinate(cube[f][c], 2));
        add(0, "endloop\nendfacet\n", 0, 0, 0);
        for (int k = 0; k < 9; ++k) {
            const float x = (float)coordinate(cube[f][k / 3], k % 3);
            memcpy(sample[1] + sizes[1] + 12 + 4 * k, &x, sizeof x);
        }
        sizes[1] += 50;
        add(2, "f %g %g/1 %g//1\n", cube[f][0] + 1, cube[f][1] + 1, cube[f][2] + 1);
    }
    add(0, "endsolid cube\n", 0, 0, 0);
    add(2, "v 0 0 3\nv 2 1 3\nv 0 2 3\nv 1 1 3\nf -4 -3 -2 -1\n", 0, 0, 0);
    for (int s = 0; s < FILES; ++s)
        assert_true(sizes[s] > 200 && sizes[s] < MAX_LENGTH / 2);
}

static size_t mutate(size_t length)
{
    char copy[200];
    const size_t at = pick(length + 1), max_size = length < sizeof copy ? length : sizeof copy;
    switch (pick(5)) {
    case 0:
        copy[0] = (char)pick(256);
        return splice(text, MAX_LENGTH, length, at, 1, copy, 1);
    case 1: {
        const char *piece = pieces[pick(sizeof pieces / sizeof pieces[0])];
        return splice(text, MAX_LENGTH, length, at, pick(6), piece, strlen(piece));
    }
    case 2:
        return splice(text, MAX_LENGTH, length, at, pick(60), "", 0);
    case 3: {
        // bytes of another place in the same place: binary files stay aligned
        const size_t size = pick(13), from = pick(length), to = pick(length);
        if (from + size <= length && to + size <= length)
            memmove(text + to, text + from, size);
        return length;
    }
    default: {
        const size_t size = max_size > 0 ? pick(max_size) : 0, from = pick(length - size + 1);
        memcpy(copy, text + from, size);
        return splice(text, MAX_LENGTH, length, at, pick(10), copy, size);
    }
    }
}

// Corrects the number of facets, and the length of whole facets, so that more binary files are read.
static size_t complete_binary(size_t length)
{
    const uint32_t facets = length < 84 ? 0 : (uint32_t)((length - 84) / 50);
    if (length < 84)
        return length;
    memcpy(text + 80, &facets, 4);
    return 84 + 50 * (size_t)facets;
}

static void write_text(const char *path, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_true(file && fwrite(text, 1, length, file) == length && fclose(file) == 0);
}

// The surface that contacts use. Areas of extreme coordinates are not numbers, which it refuses.
static void check_surface(const struct scree_mesh *mesh, const struct scree_mesh_report *report)
{
    struct scree_mesh_surface surface;
    double(*corner)[3][3];
    assert_int_equal(scree_memory_new(mesh->facets, sizeof *corner, (void **)&corner), SCREE_OK);
    for (size_t i = 0; i < 3 * mesh->facets; ++i)
        memcpy(corner[i / 3][i % 3], mesh->vertex[mesh->facet[i / 3][i % 3]], sizeof corner[0][0]);
    const scree_status status =
        scree_mesh_surface_make((const double(*)[3][3])corner, mesh->facets, mesh->error, 1, &surface);
    scree_memory_free(corner);
    if (status != SCREE_OK) {
        assert_int_equal(status, SCREE_ERROR_ARGUMENT);
        return;
    }
    assert_true(surface.edges == report->edges && surface.vertices == mesh->vertices);
    for (size_t f = 0; f < surface.facets; ++f)
        assert_true(surface.facet[f].patch < surface.facets);
    scree_mesh_surface_free(&surface);
}

static void check_mesh(struct scree_mesh *mesh, const struct scree_mesh_report *report, double tolerance,
                       long round)
{
    struct scree_mesh before;
    struct scree_mesh_report again;
    assert_true(mesh->facets == report->facets && mesh->vertices == report->vertices && mesh->facets > 0);
    assert_true(report->facets + report->degenerate + report->duplicates == report->facets_read);
    for (size_t v = 0; v < mesh->vertices; ++v)
        assert_true(isfinite(mesh->vertex[v][0]) && isfinite(mesh->vertex[v][1]) &&
                    isfinite(mesh->vertex[v][2]));
    assert_true(isfinite(report->area) && report->area > 0 && isfinite(report->volume));
    check_surface(mesh, report);
    const struct scree_shape_mesh view = scree_mesh_view(mesh);
    assert_int_equal(scree_mesh_copy(&view, mesh->error, &before), SCREE_OK);
    assert_int_equal(scree_mesh_repair(mesh, tolerance, &again), SCREE_OK);
    if (again.flipped + again.degenerate + again.mended + again.duplicates + again.near_vertices +
            again.unused_vertices >
        0)
        fail_msg(
            "round %ld is repaired twice: %zu flipped, %zu degenerate, %zu mended, %zu duplicates, %zu near, "
            "%zu unused",
            round, again.flipped, again.degenerate, again.mended, again.duplicates, again.near_vertices,
            again.unused_vertices);
    assert_true(mesh->facets == before.facets && mesh->vertices == before.vertices);
    assert_memory_equal(mesh->vertex, before.vertex, mesh->vertices * sizeof *mesh->vertex);
    assert_memory_equal(mesh->facet, before.facet, mesh->facets * sizeof *mesh->facet);
    assert_true(again.volume == report->volume && again.watertight == report->watertight);
    scree_mesh_free(&before);
}

static void changed_files_are_read_or_refused_by_name(void **state)
{
    (void)state;
    const char *rounds_requested = getenv("SCREE_FUZZ_ROUNDS");
    const long rounds = rounds_requested ? atol(rounds_requested) : 6000;
    const size_t blocks_before = scree_memory_live();
    long files_read[FILES] = {0};
    char path[FILES][64];
    // in memory if possible, which is faster
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".";
    for (int f = 0; f < FILES; ++f)
        snprintf(path[f], sizeof path[f], "%s/fuzz-mesh-%ld-%d.%s", folder, (long)getpid(), f, endings[f]);
    make_samples();
    for (long r = 0; r < rounds; ++r) {
        struct scree_mesh mesh;
        struct scree_mesh_report report;
        const int file = (int)(r % FILES);
        seed = (uint64_t)r * 2 + 1;
        const struct scree_mesh_def def = {.tolerance = pick(3) == 0 ? 0.3 : 0};
        size_t length = sizes[file];
        memcpy(text, sample[file], length);
        for (uint64_t changes = pick(8); changes > 0; --changes)
            length = mutate(length);
        if (file == 1 && pick(8) > 0)
            length = complete_binary(length);
        write_text(path[file], length);
        const scree_status status = scree_mesh_read(path[file], &def, &mesh, &report);
        if (status == SCREE_OK)
            check_mesh(&mesh, &report, def.tolerance, r);
        else if (status != SCREE_ERROR_ARGUMENT || !strstr(scree_status_message(), path[file]))
            fail_msg("round %ld: %s", r, scree_status_message());
        files_read[file] += status == SCREE_OK;
        scree_mesh_free(&mesh);
        if (scree_memory_live() != blocks_before)
            fail_msg("round %ld leaks memory", r);
    }
    for (int f = 0; f < FILES; ++f) {
        unlink(path[f]);
        printf("%s: %ld of %ld read\n", endings[f], files_read[f], rounds / FILES);
        // some changes leave a file valid
        assert_true(files_read[f] > rounds / FILES / 20 && files_read[f] < rounds / FILES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_files_are_read_or_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
