// Surfaces of triangles: the mesh in memory, its unit and place, repair, and a report of what was found.
//
// A facet is a triangle; its vertices are anticlockwise as seen from its front. Facets that share an edge of
// two facets belong to one shell. A closed shell has no open edge, and its front is outside, or inside where
// it is a cavity in another one. Meshes are read by scree_mesh_read in mesh_file.h.
#ifndef SCREE_MESH_H
#define SCREE_MESH_H

#include <scree/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A mesh. All zero is an empty one; scree_mesh_free frees its arrays. */
struct scree_mesh {
    double (*vertex)[3];  /**< m */
    size_t vertices;      /**< number of vertices */
    uint32_t (*facet)[3]; /**< numbers of vertices, from 0 */
    uint32_t *number;     /**< number of each facet in its file, from 1: of its polygon in an OBJ file */
    size_t facets;        /**< number of facets */
    double error;         /**< m: bound of the error of each coordinate, from the precision of the file */
};

/** How a mesh is read and placed; all zero is the default. Coordinates are multiplied by the unit and the
 * scale, rotated, and then moved. */
struct scree_mesh_def {
    const char *unit;      /**< unit of length of the file, such as "mm" or "in"; null for m */
    double scale;          /**< factor for all coordinates; 0 for 1 */
    double rotation[4];    /**< unit quaternion, scalar first; all zero for none */
    double translation[3]; /**< m */
    double tolerance;      /**< m: vertices within this distance become one; 0: only equal ones */
    double error;          /**< m: bound of the error of each coordinate; 0: by the precision of the file */
};

/** A place at which facets meet. */
struct scree_mesh_place {
    uint32_t facet[2]; /**< numbers in the file, from 1; the second is 0 if there is one facet only */
    double position[3];
};

/** Number of places of a kind, and the first few of them. */
struct scree_mesh_places {
    size_t count;
    struct scree_mesh_place first[4];
};

/** What was read, what was repaired, and what the mesh is like after it. */
struct scree_mesh_report {
    const char *format;      /**< "binary STL", "ASCII STL" or "OBJ"; null for a mesh that was not read */
    size_t facets_read;      /**< number of facets before repairs */
    size_t vertices_read;    /**< number of vertices before repairs; three for each facet of an STL file */
    size_t near_vertices;    /**< number of vertices that were moved onto another within the tolerance */
    size_t unused_vertices;  /**< number of vertices without a facet that were removed */
    size_t degenerate;       /**< number of facets removed: two equal vertices, or no area within round-off */
    size_t mended;           /**< number of facets without area that became a part of a neighbour */
    size_t duplicates;       /**< number of facets removed: same three vertices as another one */
    size_t flipped;          /**< number of facets whose orientation was reversed */
    size_t slivers;          /**< number of facets that are thinner than the error of their vertices */
    size_t facets, vertices; /**< number after repairs */
    size_t edges;            /**< number of edges */
    size_t shells;           /**< number of shells */
    size_t closed;           /**< number of shells without an open edge */
    size_t cavities;         /**< number of closed shells that are cavities */
    bool watertight;         /**< each edge is passed as often in one direction as in the other */
    double lower[3];         /**< m: lower corner of the bounding box */
    double upper[3];         /**< m: upper corner */
    double area;             /**< m^2 */
    double volume;           /**< m^3: of the closed shells, that of cavities is negative */
    struct scree_mesh_places open;        /**< edges with one facet */
    struct scree_mesh_places nonmanifold; /**< edges with more than two facets */
    struct scree_mesh_places unoriented;  /**< edges of two or more facets whose orientations contradict */
    struct scree_mesh_places junctions; /**< T-junctions: open edges on which a vertex of another one lies */
};

/** Copies a mesh of which `error` bounds the error of each coordinate, m; 0 if they are exact. Facets get
 * numbers from 1. */
SCREE_NODISCARD scree_status scree_mesh_copy(const struct scree_shape_mesh *from, double error,
                                             struct scree_mesh *mesh);

/** Frees the arrays of a mesh, which is empty then. */
void scree_mesh_free(struct scree_mesh *mesh);

/** The mesh for functions of shape.h, valid while the mesh is not changed. */
struct scree_shape_mesh scree_mesh_view(const struct scree_mesh *mesh);

/** Checks a definition; a wrong value is an error that names it. */
SCREE_NODISCARD scree_status scree_mesh_check_def(const struct scree_mesh_def *def);

/** Applies unit, scale, rotation and translation. `error` includes the round-off then, or is that of `def`.
 */
SCREE_NODISCARD scree_status scree_mesh_transform(struct scree_mesh *mesh, const struct scree_mesh_def *def);

/** Repairs a mesh: equal vertices become one; facets without area and duplicates are removed. A facet with
 * three vertices on a line is joined with its neighbour so that the mesh stays closed, where that is
 * possible. Facets of a shell get the orientation of most of them, closed shells face outwards. Nothing else
 * is changed: holes and T-junctions are reported. `tolerance`: m, as in struct scree_mesh_def; `report` may
 * be null. Equal meshes give equal results, which do not depend on addresses. After a failure only
 * scree_mesh_free is allowed. */
SCREE_NODISCARD scree_status scree_mesh_repair(struct scree_mesh *mesh, double tolerance,
                                               struct scree_mesh_report *report);

/** Fails if orientations contradict at an edge, as on a Moebius strip or where three facets meet; names the
 * facets and the place. */
SCREE_NODISCARD scree_status scree_mesh_check_oriented(const struct scree_mesh_report *report);

#ifdef __cplusplus
}
#endif
#endif
