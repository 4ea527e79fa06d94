// Reading and validating the definition of a wall, see wall_shape.h.

#include "world/wall_shape.h"

#include "base/status.h"
#include "math/quat.h"
#include "math/trigonometry.h"
#include "world/wall_facets.h"

static const char *const names[] = {
    [SCREE_WALL_PLANE] = "plane",   [SCREE_WALL_RECTANGLE] = "rectangle", [SCREE_WALL_DISK] = "disk",
    [SCREE_WALL_BOX] = "box",       [SCREE_WALL_CYLINDER] = "cylinder",   [SCREE_WALL_CONE] = "cone",
    [SCREE_WALL_SPHERE] = "sphere", [SCREE_WALL_MESH] = "mesh",
};

const char *scree_wall_shape_name(int shape)
{
    return shape >= SCREE_WALL_PLANE && shape <= SCREE_WALL_MESH ? names[shape] : NULL;
}

bool scree_wall_shape_is_two_sided(const struct scree_wall *wall)
{
    return wall->surface || wall->shape == SCREE_WALL_CYLINDER || wall->shape == SCREE_WALL_CONE;
}

static scree_status check_numbers(const char *what, const double *v, int count)
{
    for (int k = 0; k < count; ++k)
        if (!(v[k] >= -1e150 && v[k] <= 1e150))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the %s must be finite and at most 1e150 in magnitude; component %d is %g", what, k, v[k]);
    return SCREE_OK;
}

static scree_status check_size(const char *what, double value)
{
    if (value >= 1e-150 && value <= 1e150)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "the %s must be positive, from 1e-150 to 1e150; got %g%s",
                             what, value, value == 0 ? " (zero, or not q_in)" : "");
}

// For worlds of two dimensions.
static scree_status check_in_plane(const char *what, double z)
{
    if (z == 0)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "in two dimensions the %s must lie in the plane z = 0; its z component is %g",
                             what, z);
}

static scree_status check_side(const char *what, enum scree_wall_side side)
{
    if (side == SCREE_WALL_INSIDE || side == SCREE_WALL_OUTSIDE)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "the side of a %s that bodies are on must be SCREE_WALL_INSIDE or SCREE_WALL_OUTSIDE; got %d", what,
        (int)side);
}

// Splits a vector into length and direction, without overflow; exact for a vector along an axis.
static double split(struct scree_vec3 v, struct scree_vec3 *direction)
{
    const double largest = scree_real_max(fabs(v.x), scree_real_max(fabs(v.y), fabs(v.z)));
    if (!(largest > 0))
        return 0;
    const struct scree_vec3 scaled = scree_vec3_make(v.x / largest, v.y / largest, v.z / largest);
    const double norm = scree_vec3_norm(scaled);
    *direction = scree_vec3_make(scaled.x / norm, scaled.y / norm, scaled.z / norm);
    return largest * norm;
}

// Completes a right-handed frame from its third axis. If that lies in the plane z = 0, so does the first.
static void make_frame(struct scree_vec3 z, struct scree_wall *wall)
{
    struct scree_vec3 x = scree_vec3_make(-z.y, z.x, 0), y = scree_vec3_make(0, 0, 1);
    if (z.z != 0) {
        x = scree_vec3_perpendicular(z);
        y = scree_vec3_cross(z, x);
    }
    scree_vec3_store(x, wall->frame[0]);
    scree_vec3_store(y, wall->frame[1]);
    scree_vec3_store(z, wall->frame[2]);
}

static scree_status read_normal(const char *what, int dimension, const double *normal,
                                struct scree_wall *wall)
{
    struct scree_vec3 z;
    SCREE_TRY(check_numbers(what, normal, 3));
    if (!(split(scree_vec3_load(normal), &z) > 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the %s must not be zero: give the direction perpendicular to the wall",
                                 what);
    if (dimension == 2)
        SCREE_TRY(check_in_plane(what, normal[2]));
    make_frame(z, wall);
    return SCREE_OK;
}

static scree_status read_reference(const char *what, int dimension, const double *point,
                                   struct scree_wall *wall)
{
    SCREE_TRY(check_numbers(what, point, 3));
    if (dimension == 2)
        SCREE_TRY(check_in_plane(what, point[2]));
    memcpy(wall->reference, point, sizeof wall->reference);
    return SCREE_OK;
}

static scree_status read_plane(int dimension, const struct scree_wall_plane *def, struct scree_wall *wall)
{
    SCREE_TRY(read_reference("point of a plane", dimension, def->point, wall));
    return read_normal("normal of a plane", dimension, def->normal, wall);
}

static bool is_along_z(const double *edge)
{
    return edge[0] == 0 && edge[1] == 0;
}

// For worlds of two dimensions: a rectangle is a segment, infinite along z.
static scree_status check_segment(const double (*edge)[3])
{
    const int segment = is_along_z(edge[0]) ? 1 : 0;
    if (is_along_z(edge[1 - segment]) && !is_along_z(edge[segment]) && edge[segment][2] == 0)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "in two dimensions a rectangle is a segment: one edge must be along z, such as "
                             "(0, 0, 1), and the other must have z = 0; got (%g, %g, %g) and (%g, %g, %g)",
                             edge[0][0], edge[0][1], edge[0][2], edge[1][0], edge[1][1], edge[1][2]);
}

// The edges must be perpendicular to 1e-9; the second direction is then made exactly perpendicular to the
// first.
static scree_status read_rectangle(int dimension, const struct scree_wall_rectangle *def,
                                   struct scree_wall *wall)
{
    struct scree_vec3 direction[2];
    double length[2];
    SCREE_TRY(check_numbers("corner of a rectangle", def->corner, 3));
    for (int e = 0; e < 2; ++e) {
        SCREE_TRY(check_numbers("edge of a rectangle", def->edge[e], 3));
        length[e] = split(scree_vec3_load(def->edge[e]), &direction[e]);
        SCREE_TRY(check_size(e ? "length of the second edge of a rectangle"
                               : "length of the first edge of a rectangle",
                             length[e]));
    }
    if (dimension == 2)
        SCREE_TRY(check_segment(def->edge));
    const double cosine = scree_vec3_dot(direction[0], direction[1]);
    if (!(fabs(cosine) <= 1e-9))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the edges of a rectangle must be perpendicular%s; the cosine of the angle between them is %g",
            fabs(cosine) > 1 - 1e-9 ? ", but they are parallel" : "", cosine);
    const struct scree_vec3 x = direction[0], y = scree_vec3_add_scaled(direction[1], -cosine, x);
    scree_vec3_store(x, wall->frame[0]);
    scree_vec3_store(y, wall->frame[1]);
    scree_vec3_store(scree_vec3_cross(x, y), wall->frame[2]);
    struct scree_vec3 corner = scree_vec3_load(def->corner);
    for (int e = 0; e < 2; ++e) {
        const bool infinite = dimension == 2 && is_along_z(def->edge[e]);
        wall->size[e] = infinite ? (double)INFINITY : 0.5 * length[e];
        corner = infinite ? scree_vec3_make(corner.x, corner.y, 0)
                          : scree_vec3_add_scaled(corner, 0.5, scree_vec3_load(def->edge[e]));
    }
    scree_vec3_store(corner, wall->reference);
    return SCREE_OK;
}

static scree_status read_disk(int dimension, const struct scree_wall_disk *def, struct scree_wall *wall)
{
    SCREE_TRY(read_reference("centre of a disk", dimension, def->centre, wall));
    SCREE_TRY(check_size("radius of a disk", def->radius));
    SCREE_TRY(read_normal("normal of a disk", dimension, def->normal, wall));
    if (!(def->hole >= 0 && def->hole < def->radius))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the hole radius of a disk must be at least 0 and below the radius of the disk, %g; it is %g",
            def->radius, def->hole);
    wall->size[0] = def->radius;
    wall->size[1] = def->hole;
    return SCREE_OK;
}

static scree_status read_orientation(int dimension, const double *from, struct scree_quat *q)
{
    SCREE_TRY(check_numbers("orientation of a box", from, 4));
    const struct scree_quat q_in = scree_quat_load(from);
    const double square = scree_quat_norm_squared(q_in);
    *q = scree_quat_make(1, 0, 0, 0);
    if (from[0] == 0 && from[1] == 0 && from[2] == 0 && from[3] == 0)
        return SCREE_OK;
    if (!(square > 1e-200 && square < 1e200))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the orientation of a box must be a unit quaternion, scalar first, or all zero; "
            "got (%g, %g, %g, %g)",
            from[0], from[1], from[2], from[3]);
    if (dimension == 2 && (from[1] != 0 || from[2] != 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "in two dimensions a box rotates about z only; got the orientation (%g, %g, "
                                 "%g, %g)",
                                 from[0], from[1], from[2], from[3]);
    *q = scree_quat_normalise(q_in);
    return SCREE_OK;
}

static scree_status read_box(int dimension, const struct scree_wall_box *def, struct scree_wall *wall)
{
    struct scree_quat q;
    SCREE_TRY(check_side("box", def->side));
    SCREE_TRY(check_numbers("lower corner of a box", def->lower, 3));
    SCREE_TRY(check_numbers("upper corner of a box", def->upper, 3));
    SCREE_TRY(read_orientation(dimension, def->orientation, &q));
    for (int k = 0; k < 3; ++k) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        const double edge = def->upper[k] - def->lower[k];
        scree_vec3_store(scree_quat_rotate(q, scree_vec3_load(unit)), wall->frame[k]);
        if (dimension == 2 && k == 2) {
            SCREE_TRY(check_in_plane("lower corner of a box", def->lower[2]));
            SCREE_TRY(check_in_plane("upper corner of a box", def->upper[2]));
            wall->size[2] = (double)INFINITY;
            continue;
        }
        if (!(edge >= 1e-150))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the upper corner of a box must be above the lower one along each axis; "
                                     "along %c lower and upper are %g and %g",
                                     "xyz"[k], def -> lower[k], def -> upper[k]);
        wall->reference[k] = 0.5 * (def->lower[k] + def->upper[k]);
        wall->size[k] = 0.5 * edge;
    }
    wall->side = (uint16_t)def->side;
    if (def->side == SCREE_WALL_INSIDE)
        wall->features = dimension == 2 ? 4 : 6;
    return SCREE_OK;
}

// Reads a cone, or a cylinder: a cone of equal radii.
static scree_status read_cone(int dimension, const double *from, const double *to, const double *radius,
                              struct scree_wall *wall)
{
    const bool cylinder = wall->shape == SCREE_WALL_CYLINDER;
    struct scree_vec3 z = scree_vec3_zero();
    SCREE_TRY(check_numbers(cylinder ? "first end of a cylinder" : "first end of a cone", from, 3));
    SCREE_TRY(check_numbers(cylinder ? "second end of a cylinder" : "second end of a cone", to, 3));
    const double height = split(scree_vec3_sub(scree_vec3_load(to), scree_vec3_load(from)), &z);
    if (!(height >= 1e-150))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT, "the axis of a %s has no length: its ends are both (%g, %g, %g)%s",
            names[wall->shape], from[0], from[1], from[2], cylinder ? "" : "; for a flat ring use a disk");
    const bool infinite = dimension == 2 && z.x == 0 && z.y == 0;
    if (infinite && !cylinder)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "in two dimensions the axis of a cone must lie in the plane z = 0; for a "
                                 "circle use a cylinder along z");
    for (int e = 0; e < 2 && dimension == 2 && !infinite; ++e)
        SCREE_TRY(check_in_plane(cylinder ? "axis of a cylinder, unless it is along z," : "axis of a cone",
                                 (e ? to : from)[2]));
    make_frame(z, wall);
    for (int k = 0; k < 3; ++k)
        wall->reference[k] = infinite && k == 2 ? 0 : 0.5 * (from[k] + to[k]);
    wall->size[0] = radius[0];
    wall->size[1] = radius[1];
    wall->size[2] = infinite ? (double)INFINITY : 0.5 * height;
    return SCREE_OK;
}

static scree_status check_radii(const double *radius)
{
    for (int e = 0; e < 2; ++e)
        if (!(radius[e] == 0 || (radius[e] >= 1e-150 && radius[e] <= 1e150)))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the radii of a cone must be from 1e-150 to 1e150, or one of them 0; got %g and %g",
                radius[0], radius[1]);
    if (radius[0] == 0 && radius[1] == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the radii of a cone are both 0, or not given: at most one may be 0");
    return SCREE_OK;
}

static scree_status read_sphere(int dimension, const struct scree_wall_sphere *def, struct scree_wall *wall)
{
    SCREE_TRY(check_side("sphere", def->side));
    SCREE_TRY(check_size("radius of a sphere", def->radius));
    SCREE_TRY(read_reference("centre of a sphere", dimension, def->centre, wall));
    make_frame(scree_vec3_make(0, 0, 1), wall);
    wall->side = (uint16_t)def->side;
    wall->size[0] = def->radius;
    return SCREE_OK;
}

// The reference point is the centre of the bounding box.
static scree_status read_mesh(int dimension, const struct scree_wall_mesh *def, struct scree_wall *wall)
{
    const double infinity = (double)INFINITY;
    double lower[3] = {infinity, infinity, infinity}, upper[3] = {-infinity, -infinity, -infinity};
    if (dimension != 3)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a mesh needs a world of three dimensions");
    if (def->facets == 0 || def->facets > SCREE_WALL_MOST_FACETS)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a mesh needs from 1 to %d facets; got %zu",
                                 SCREE_WALL_MOST_FACETS, def->facets);
    if (!(def->vertex_error >= 0 && def->vertex_error <= 1e40))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the error of vertices must be from 0 to 1e40 m; it is %g",
                                 def->vertex_error);
    if (!(def->smooth_angle >= 0 && def->smooth_angle <= 1))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the smooth angle of a mesh must be from 0 to 1 rad; it is %g",
                                 def->smooth_angle);
    for (size_t f = 0; f < def->facets; ++f)
        for (int c = 0; c < 3; ++c) {
            const uint32_t vertex = def->facet[f][c];
            if (vertex >= def->vertices)
                return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                         "facet %zu of a mesh has the vertex %u, but there are %zu", f,
                                         (unsigned)vertex, def->vertices);
            for (int k = 0; k < 3; ++k) {
                if (!(fabs(def->vertex[vertex][k]) <= 1e40))
                    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                             "vertex %u of a mesh must be finite and at most 1e40 in "
                                             "magnitude; component %d is %g",
                                             (unsigned)vertex, k, def->vertex[vertex][k]);
                lower[k] = scree_real_min(lower[k], def->vertex[vertex][k]);
                upper[k] = scree_real_max(upper[k], def->vertex[vertex][k]);
            }
        }
    for (int k = 0; k < 3; ++k) {
        wall->reference[k] = 0.5 * (lower[k] + upper[k]);
        wall->size[k] = 0.5 * (upper[k] - lower[k]);
        wall->frame[k][k] = 1;
    }
    wall->features = 0;
    wall->facets = def->facets;
    wall->vertex_error = def->vertex_error;
    wall->smooth_cosine = scree_cos(def->smooth_angle);
    return SCREE_OK;
}

scree_status scree_wall_shape_read(int dimension, const struct scree_wall_def *def, struct scree_wall *wall)
{
    wall->shape = (uint16_t)def->shape;
    wall->features = 1;
    switch (def->shape) {
    case SCREE_WALL_PLANE:
        return read_plane(dimension, &def->plane, wall);
    case SCREE_WALL_RECTANGLE:
        return read_rectangle(dimension, &def->rectangle, wall);
    case SCREE_WALL_DISK:
        return read_disk(dimension, &def->disk, wall);
    case SCREE_WALL_BOX:
        return read_box(dimension, &def->box, wall);
    case SCREE_WALL_CYLINDER:
        SCREE_TRY(check_size("radius of a cylinder", def->cylinder.radius));
        return read_cone(dimension, def->cylinder.from, def->cylinder.to,
                         (const double[2]){def->cylinder.radius, def->cylinder.radius}, wall);
    case SCREE_WALL_CONE:
        SCREE_TRY(check_radii(def->cone.radius));
        return read_cone(dimension, def->cone.from, def->cone.to, def->cone.radius, wall);
    case SCREE_WALL_SPHERE:
        return read_sphere(dimension, &def->sphere, wall);
    case SCREE_WALL_MESH:
        return read_mesh(dimension, &def->mesh, wall);
    default:
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the shape of a wall must be one of enum scree_wall_shape; got %d",
                                 (int)def->shape);
    }
}
