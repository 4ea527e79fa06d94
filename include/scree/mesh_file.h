// Reading meshes of triangles from STL (ASCII and binary) and OBJ files.
//
// Files are not trusted: a file that is truncated, or has trailing data, numbers that are not finite or
// vertices that do not exist, is an error with the line, or with the facet and its offset in the file.
#ifndef SCREE_MESH_FILE_H
#define SCREE_MESH_FILE_H

#include <scree/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Returns true if a file name ends in .stl or .obj, in any case. */
bool scree_mesh_is_file(const char *path);

/** Reads a mesh, transforms and repairs it. `def` and `report` may be null. The caller frees the mesh by
 * scree_mesh_free; it is empty after a failure. */
SCREE_NODISCARD scree_status scree_mesh_read(const char *path, const struct scree_mesh_def *def,
                                             struct scree_mesh *mesh, struct scree_mesh_report *report);

#ifdef __cplusplus
}
#endif
#endif
