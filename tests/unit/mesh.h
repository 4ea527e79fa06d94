// Helpers of the tests of meshes: files of the test, binary STL in memory, a cube.

#ifndef SCREE_TESTS_UNIT_MESH_H
#define SCREE_TESTS_UNIT_MESH_H

#include "base/memory.h"
#include "support/folder.h"
#include "support/splitmix.h"
#include "support/starve.h"

#include <scree/mesh_file.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double cube_vertex[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                         {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const uint32_t cube_facet[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                           {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

// A mesh of arrays of the test.
static inline struct scree_mesh mesh_of(const double (*vertex)[3], size_t vertices,
                                        const uint32_t (*facet)[3], size_t facets, double error)
{
    const struct scree_shape_mesh view = {vertex, vertices, facet, facets};
    struct scree_mesh mesh;
    assert_int_equal(scree_mesh_copy(&view, error, &mesh), SCREE_OK);
    return mesh;
}

static inline void write_bytes(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(scree_folder_path(&scree_test_folder, name), "wb");
    assert_true(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

// A binary STL file of facets of nine floats each; returns its size.
static inline size_t fill_stl(unsigned char *bytes, const char *head, const float (*facet)[9],
                              uint32_t facets)
{
    memset(bytes, ' ', 80);
    memcpy(bytes, head, strlen(head));
    memcpy(bytes + 80, &facets, 4);
    for (uint32_t f = 0; f < facets; ++f) {
        memset(bytes + 84 + 50 * f, 0, 50);
        memcpy(bytes + 84 + 50 * f + 12, facet[f], 36);
    }
    return 84 + 50 * (size_t)facets;
}

static inline scree_status read_text(const char *name, const char *text, struct scree_mesh *mesh,
                                     struct scree_mesh_report *report)
{
    scree_folder_write(&scree_test_folder, name, text);
    return scree_mesh_read(scree_folder_path(&scree_test_folder, name), NULL, mesh, report);
}

static inline void assert_message(scree_status status, scree_status wanted, const char *message)
{
    assert_int_equal(status, wanted);
    if (!strstr(scree_status_message(), message))
        fail_msg("'%s' does not contain '%s'", scree_status_message(), message);
}

#endif
