// The shapes of clumps and polyhedra, see shapes.h.

#include "shapes.h"

#include <math.h>
#include <stdio.h>

// What stands before an error, for each method.
static const char *const within[] = {
    [SCREE_SHAPE_EXACT] = "error below",
    [SCREE_SHAPE_SAMPLED] = "standard error",
    [SCREE_SHAPE_OF_MESH] = "error below",
    [SCREE_SHAPE_GIVEN] = "error below",
};

static const char *const methods[] = {
    [SCREE_SHAPE_EXACT] = "of the union of the pebbles",
    [SCREE_SHAPE_SAMPLED] = "from random points",
    [SCREE_SHAPE_OF_MESH] = "of the mesh",
    [SCREE_SHAPE_GIVEN] = "given",
};

static double largest(const double *values, int count)
{
    double most = 0;
    for (int k = 0; k < count; ++k)
        most = values[k] > most ? values[k] : most;
    return most;
}

// Prints values, their unit, and the largest of their errors unless they were given. A value below a bound of
// its error is 0, such as the centre of a symmetric shape.
static void print_values(const struct scree_scene_clump *clump, const char *name, const double *value,
                         const double *error, int count, int errors, const char *unit)
{
    printf("           %s ", name);
    for (int k = 0; k < count; ++k)
        printf("%s%.9g", k > 0 ? ", " : "",
               clump->method != SCREE_SHAPE_SAMPLED && fabs(value[k]) <= error[k] ? 0 : value[k]);
    printf(" %s", unit);
    if (largest(error, errors) > 0)
        printf(", %s %.2g", within[clump->method], largest(error, errors));
    printf("\n");
}

static void print_clump(const struct scree_scene_clump *clump, int dimension)
{
    const bool flat = dimension == 2;
    const struct scree_shape_mass *mass = &clump->mass;
    const size_t round = clump->pebbles - clump->polyhedra;
    printf("%s: ", clump->name);
    if (clump->polyhedra > 0)
        printf("%zu %s%s", clump->polyhedra, clump->polyhedra == 1 ? "polyhedron" : "polyhedra",
               round > 0 ? " and " : "");
    if (round > 0)
        printf("%zu %s%s", round, flat ? "disk" : "sphere", round == 1 ? "" : "s");
    printf(", %s %.4g m; mass properties %s\n",
           flat ? "radius of the disk of equal area" : "radius of the sphere of equal volume", clump->radius,
           methods[clump->method]);
    print_values(clump, flat ? "area" : "volume", &mass->value.volume, &mass->error.volume, 1, 1,
                 flat ? "m^2" : "m^3");
    print_values(clump, "centre", mass->value.centre, mass->error.centre, dimension, dimension, "m");
    if (flat)
        print_values(clump, "polar moment of inertia / mass", &clump->principal[2], mass->error.inertia + 2,
                     1, 1, "m^2");
    else
        print_values(clump, "principal moments of inertia / mass", clump->principal, mass->error.inertia, 3,
                     6, "m^2");
    if (clump->is_mesh)
        printf("           difference from the mesh: volume %.2g %%, inertia %.2g %%, surface %.2g %% of the "
               "radius\n",
               100 * clump->fidelity.volume, 100 * clump->fidelity.inertia, 100 * clump->fidelity.surface);
}

static void print_clumps(struct scree_scene *scene, int dimension)
{
    struct scree_scene_clump clump;
    for (size_t k = 0; scree_scene_clump_at(scene, k, &clump); ++k) {
        printf(k == 0 ? "clumps     " : "           ");
        print_clump(&clump, dimension);
    }
}

static void print_polygon(const struct scree_scene_polyhedron *shape)
{
    const double *c = shape->centre, least = 1e-14 * shape->reach;
    printf(
        "%s: %zu vertices, rounding %.4g m, radius of the disk of equal area %.4g m, of the disk around it "
        "%.4g m\n",
        shape->name, shape->vertices, shape->rounding, shape->radius, shape->reach);
    printf("           area %.9g m^2\n           centre %.9g, %.9g m\n", shape->volume,
           fabs(c[0]) < least ? 0 : c[0], fabs(c[1]) < least ? 0 : c[1]);
    printf("           polar moment of inertia / mass %.9g m^2\n", shape->principal[2]);
}

static void print_polyhedron(const struct scree_scene_polyhedron *shape)
{
    const double *c = shape->centre, *i = shape->principal;
    // that of a symmetric shape is 0 to round-off
    const double least = 1e-14 * shape->reach;
    printf(
        "%s: %zu vertices, %zu faces, rounding %.4g m, radius of the sphere of equal volume %.4g m, of the "
        "sphere around it %.4g m\n",
        shape->name, shape->vertices, shape->faces, shape->rounding, shape->radius, shape->reach);
    printf("           volume %.9g m^3\n           centre %.9g, %.9g, %.9g m\n", shape->volume,
           fabs(c[0]) < least ? 0 : c[0], fabs(c[1]) < least ? 0 : c[1], fabs(c[2]) < least ? 0 : c[2]);
    printf("           principal moments of inertia / mass %.9g, %.9g, %.9g m^2\n", i[0], i[1], i[2]);
}

void scree_cli_print_shapes(struct scree_scene *scene, int dimension)
{
    struct scree_scene_polyhedron shape;
    print_clumps(scene, dimension);
    for (size_t k = 0; scree_scene_polyhedron_at(scene, k, &shape); ++k) {
        printf(k > 0 ? "           " : dimension == 2 ? "polygons   " : "polyhedra  ");
        if (dimension == 2)
            print_polygon(&shape);
        else
            print_polyhedron(&shape);
    }
}
