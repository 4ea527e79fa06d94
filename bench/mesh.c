// Time to read, repair and index a mesh: a wavy sphere as binary STL, its facets in order, and in random
// order with every second one reversed.
//
//   bench-mesh [FACETS [ROUNDS]]
//
// Prints processor seconds of one thread, the smallest of the rounds, and the peak of memory. `read` is
// scree_mesh_read with all repairs, of which `merge` makes equal vertices one; `index` makes the surface that
// contacts use, with edges, patches and a tree of boxes; `edges` only sorts the sides of facets; `thick`
// finds the thickness behind each facet. The file is written to build/bench and deleted.

#include "bench.h"
#include "mesh/inside.h"
#include "mesh/make.h"
#include "shape/mesh_edges.h"
#include "shape/mesh_merge.h"

#include <scree/mesh_file.h>

#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH "build/bench/mesh.stl"

enum { TIMES = 5 };

static const double pi = 3.14159265358979323846;

// --- the file

static void store(unsigned char *facet, int corner, int latitude, int longitude, int rows)
{
    const double t = pi * latitude / rows, p = pi * (longitude % (2 * rows)) / rows;
    const double radius = 1 + 0.1 * sin(5 * t) * sin(t) * cos(7 * p);
    const float x[3] = {(float)(radius * sin(t) * cos(p)), (float)(radius * sin(t) * sin(p)),
                        (float)(radius * cos(t))};
    memcpy(facet + 12 + 12 * corner, x, sizeof x);
}

// One facet at each pole and two elsewhere for each cell of latitude and longitude.
static size_t make_facets(unsigned char *bytes, int rows)
{
    size_t count = 0;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < 2 * rows; ++j) {
            const int corner[2][3][2] = {{{i, j}, {i + 1, j}, {i + 1, j + 1}},
                                         {{i, j}, {i + 1, j + 1}, {i, j + 1}}};
            for (int half = 0; half < 2; ++half) {
                if ((i == 0 && half == 1) || (i == rows - 1 && half == 0))
                    continue;
                for (int c = 0; c < 3; ++c)
                    // all longitudes are one at a pole
                    store(bytes + 50 * count, c, corner[half][c][0],
                          corner[half][c][0] % rows ? corner[half][c][1] : 0, rows);
                ++count;
            }
        }
    return count;
}

static void swap_bytes(unsigned char *a, unsigned char *b, size_t size)
{
    unsigned char copy[50];
    memcpy(copy, a, size);
    memmove(a, b, size);
    memcpy(b, copy, size);
}

static void shuffle(unsigned char *bytes, size_t count)
{
    uint64_t seed = 1;
    for (size_t f = count - 1; f > 0; --f) {
        const size_t other = (size_t)((bench_draw(&seed) + 1) / 2 * (double)(f + 1)) % (f + 1);
        swap_bytes(bytes + 50 * f, bytes + 50 * other, 50);
        if (f % 2)
            swap_bytes(bytes + 50 * f + 12, bytes + 50 * f + 24, 12);
    }
}

static size_t write_file(int rows, bool shuffled)
{
    unsigned char *bytes = bench_new(4 * (size_t)rows * (size_t)rows, 50), head[84] = "wavy sphere";
    const size_t count = make_facets(bytes, rows);
    const uint32_t stated = (uint32_t)count;
    if (shuffled)
        shuffle(bytes, count);
    memcpy(head + 80, &stated, sizeof stated);
    (void)mkdir("build", 0777);
    (void)mkdir("build/bench", 0777);
    FILE *file = fopen(PATH, "wb");
    if (!file || fwrite(head, sizeof head, 1, file) != 1 || fwrite(bytes, 50, count, file) != count ||
        fclose(file) != 0) {
        perror(PATH);
        exit(1);
    }
    free(bytes);
    return count;
}

// --- times

// Vertices that are not shared by facets, as in the file.
static struct scree_mesh separate(const struct scree_mesh *mesh)
{
    struct scree_mesh parts;
    double(*vertex)[3] = bench_new(3 * mesh->facets, sizeof *vertex);
    uint32_t(*facet)[3] = bench_new(mesh->facets, sizeof *facet);
    for (uint32_t i = 0; i < 3 * mesh->facets; ++i) {
        memcpy(vertex[i], mesh->vertex[mesh->facet[i / 3][i % 3]], sizeof *vertex);
        facet[i / 3][i % 3] = i;
    }
    const struct scree_shape_mesh view = {(const double(*)[3])vertex, 3 * mesh->facets,
                                          (const uint32_t(*)[3])facet, mesh->facets};
    bench_must(scree_mesh_copy(&view, mesh->error, &parts));
    free(vertex);
    free(facet);
    return parts;
}

static void measure(double seconds[TIMES], size_t *patches, struct scree_mesh_report *report)
{
    struct scree_mesh mesh;
    struct scree_mesh_surface surface;
    struct scree_mesh_edges edges;
    double mark = bench_cpu_time(), time[TIMES];
    bench_must(scree_mesh_read(PATH, NULL, &mesh, report));
    time[0] = bench_cpu_time() - mark;
    mark = bench_cpu_time();
    double(*corner)[3][3] = bench_new(mesh.facets, sizeof *corner);
    for (size_t i = 0; i < 3 * mesh.facets; ++i)
        memcpy(corner[i / 3][i % 3], mesh.vertex[mesh.facet[i / 3][i % 3]], sizeof corner[0][0]);
    bench_must(scree_mesh_surface_make((const double(*)[3][3])corner, mesh.facets, mesh.error, 1, &surface));
    time[2] = bench_cpu_time() - mark;
    mark = bench_cpu_time();
    bench_must(scree_mesh_find_thickness(&surface));
    time[4] = bench_cpu_time() - mark;
    *patches = 0;
    for (size_t f = 0; f < surface.facets; ++f)
        *patches += surface.facet[f].patch == f;
    scree_mesh_surface_free(&surface);
    free(corner);
    mark = bench_cpu_time();
    bench_must(scree_mesh_edges_find(&mesh, &edges));
    time[3] = bench_cpu_time() - mark;
    scree_mesh_edges_free(&edges);
    struct scree_mesh parts = separate(&mesh);
    mark = bench_cpu_time();
    bench_must(scree_mesh_merge_equal(&parts));
    time[1] = bench_cpu_time() - mark;
    scree_mesh_free(&parts);
    scree_mesh_free(&mesh);
    for (int k = 0; k < TIMES; ++k)
        seconds[k] = time[k] < seconds[k] ? time[k] : seconds[k];
}

int main(int count, char **words)
{
    const size_t facets = count > 1 ? bench_number(words[1], 100, 100000000) : 1000000;
    const size_t rounds = count > 2 ? bench_number(words[2], 1, 100) : 5;
    printf("%-9s %9s %9s  %6s %6s %6s %6s %6s  %9s  %s\n", "facets", "number", "vertices", "read", "merge",
           "index", "edges", "thick", "patches", "peak MB");
    for (int shuffled = 0; shuffled < 2; ++shuffled) {
        double seconds[TIMES] = {1e9, 1e9, 1e9, 1e9, 1e9};
        size_t patches = 0;
        struct scree_mesh_report report;
        struct rusage usage;
        const size_t written = write_file((int)sqrt(0.25 * (double)facets), shuffled);
        for (size_t r = 0; r < rounds; ++r)
            measure(seconds, &patches, &report);
        getrusage(RUSAGE_SELF, &usage);
        printf("%-9s %9zu %9zu  %6.2f %6.2f %6.2f %6.2f %6.2f  %9zu  %ld\n",
               shuffled ? "shuffled" : "in order", written, report.vertices, seconds[0], seconds[1],
               seconds[2], seconds[3], seconds[4], patches, usage.ru_maxrss / 1024);
        if (!report.watertight || report.shells != 1 || report.facets != written) {
            fprintf(stderr, "bench-mesh: the mesh that was read is not the one that was written\n");
            return 1;
        }
        unlink(PATH);
    }
    return 0;
}
