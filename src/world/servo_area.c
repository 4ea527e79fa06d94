// The area on which the walls of a servo act: the cross-section, perpendicular to the direction, of the space
// between the other walls.
//
// The other walls are those whose faces are parallel to the direction: two pairs of opposite faces (one in
// two dimensions), where a period of the cell counts as a pair, or a cylinder along the direction. All faces
// of a side are in one plane. Anything else has no known area.

#include "world/group.h"
#include "world/lattice.h"
#include "world/servo.h"
#include "world/wall.h"

#include <math.h>

enum { MOST_PAIRS = 2 };

// Parallel faces: their normal, and the positions of the two sides along it.
struct pair {
    struct scree_vec3 normal;
    double low, high;
    bool is_open; // only one side was found
};

struct section {
    struct scree_vec3 direction;
    size_t pairs, needed;
    struct pair pair[MOST_PAIRS];
    double round; // area inside a cylinder; 0 for none
    bool is_unclear;
};

// relative, for directions and for faces of one side
static const double tolerance = 1e-6;

static bool is_parallel(struct scree_vec3 a, struct scree_vec3 b)
{
    return scree_vec3_norm(scree_vec3_cross(a, b)) < tolerance;
}

static bool is_perpendicular(struct scree_vec3 a, struct scree_vec3 b)
{
    return fabs(scree_vec3_dot(a, b)) < tolerance;
}

static struct pair *find_pair(struct section *section, struct scree_vec3 normal)
{
    for (size_t p = 0; p < section->pairs; ++p)
        if (is_parallel(section->pair[p].normal, normal))
            return &section->pair[p];
    return NULL;
}

// Enters a face; one that is between the two sides of its pair makes the section unclear.
static void add_face(struct section *section, struct scree_vec3 normal, struct scree_vec3 place)
{
    struct pair *pair = find_pair(section, normal);
    if (!is_perpendicular(normal, section->direction))
        return;
    if (!pair && section->pairs == section->needed) {
        section->is_unclear = true;
    } else if (!pair) {
        const double at = scree_vec3_dot(normal, place);
        section->pair[section->pairs++] = (struct pair){normal, at, at, true};
    } else {
        const double at = scree_vec3_dot(pair->normal, place), width = pair->high - pair->low;
        const bool on_low = fabs(at - pair->low) <= tolerance * width;
        const bool on_high = fabs(at - pair->high) <= tolerance * width;
        section->is_unclear = section->is_unclear || (!pair->is_open && !on_low && !on_high);
        pair->low = at < pair->low ? at : pair->low;
        pair->high = at > pair->high ? at : pair->high;
        pair->is_open = !(pair->high > pair->low);
    }
}

static void add_cylinder(struct section *section, const struct scree_wall *wall, int dimension)
{
    const double radius = wall->size[0];
    if (!is_parallel(scree_vec3_load(wall->axes[2]), section->direction))
        return;
    section->is_unclear = section->is_unclear || section->round > 0;
    section->round = dimension == 2 ? 2 * radius : SCREE_PI * radius * radius;
}

static void add_wall(struct section *section, const struct scree_wall *wall, int dimension)
{
    const struct scree_vec3 place = scree_vec3_load(wall->reference);
    if (wall->shape == SCREE_WALL_PLANE || wall->shape == SCREE_WALL_RECTANGLE)
        add_face(section, scree_vec3_load(wall->axes[2]), place);
    if (wall->shape == SCREE_WALL_CYLINDER)
        add_cylinder(section, wall, dimension);
    for (int k = 0; k < 3 && wall->shape == SCREE_WALL_BOX && wall->side == SCREE_WALL_INSIDE; ++k)
        for (int side = -1; side <= 1 && isfinite(wall->size[k]); side += 2) {
            const struct scree_vec3 axis = scree_vec3_load(wall->axes[k]);
            add_face(section, axis, scree_vec3_add_scaled(place, side * wall->size[k], axis));
        }
}

// Faces of a cell with cell vectors, from its corner and from the end of each periodic vector.
static void add_faces_of_lattice(struct section *section, const struct scree_world *world)
{
    const struct scree_mat3 vectors = scree_lattice_load(scree_world_lattice(world)->vectors),
                            inverse = scree_lattice_inverse(vectors, scree_world_open_axes(world)),
                            columns = scree_mat3_transpose(vectors);
    const struct scree_vec3 corner = scree_vec3_load(scree_world_cell(world)->lower);
    const struct scree_vec3 row[3] = {scree_mat3_row_x(inverse), scree_mat3_row_y(inverse),
                                      scree_mat3_row_z(inverse)};
    const struct scree_vec3 column[3] = {scree_mat3_row_x(columns), scree_mat3_row_y(columns),
                                         scree_mat3_row_z(columns)};
    for (int k = 0; k < world->dimension; ++k) {
        const struct scree_vec3 normal = scree_vec3_normalise(row[k]);
        if (scree_lattice_is_open(scree_world_open_axes(world), k) || find_pair(section, normal))
            continue;
        add_face(section, normal, corner);
        add_face(section, normal, scree_vec3_add(corner, column[k]));
    }
}

static void add_periods(struct section *section, const struct scree_world *world)
{
    const struct scree_cell *cell = scree_world_cell(world);
    if (scree_world_lattice(world)) {
        add_faces_of_lattice(section, world);
        return;
    }
    for (int k = 0; k < 3; ++k) {
        const struct scree_vec3 axis = scree_vec3_make(k == 0, k == 1, k == 2);
        if (!(cell->period[k] > 0) || find_pair(section, axis))
            continue;
        add_face(section, axis, scree_vec3_load(cell->lower));
        add_face(section, axis, scree_vec3_load(cell->upper));
    }
}

bool scree_servo_area_find(const struct scree_world *world, uint64_t mask, const double *direction,
                           double *area)
{
    struct section section = {.direction = scree_vec3_load(direction),
                              .needed = world->dimension == 2 ? 1 : MOST_PAIRS};
    double product = 1;
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        if (!(scree_group_of_wall(world, w) & mask))
            add_wall(&section, scree_wall_row(world, w), world->dimension);
    if (section.round > 0 && section.pairs == 0 && !section.is_unclear) {
        *area = section.round;
        return true;
    }
    add_periods(&section, world);
    for (size_t p = 0; p < section.pairs; ++p) {
        section.is_unclear = section.is_unclear || section.pair[p].is_open;
        product *= section.pair[p].high - section.pair[p].low;
    }
    if (section.round > 0 || section.is_unclear || section.pairs != section.needed)
        return false;
    // the section of a box with inclined sides is a parallelogram
    if (section.needed == MOST_PAIRS)
        product /= scree_vec3_norm(scree_vec3_cross(section.pair[0].normal, section.pair[1].normal));
    *area = product;
    return true;
}
