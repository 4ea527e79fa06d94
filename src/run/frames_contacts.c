// Contacts as lines with arrays, see frames.h: from the centre of the first body to that of the second, or to
// the contact point on a wall. In a periodic cell the line ends at the nearest image of the second body.

#include "math/vec3.h"
#include "run/frames.h"
#include "world/cell.h"

#include <math.h>
#include <string.h>

// --- lines

// Returns the centre of a body, or `otherwise` if there is no body with this id.
static struct scree_vec3 centre_of(const struct scree_world *world, uint64_t id, struct scree_vec3 otherwise)
{
    uint32_t slot;
    return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, id, &slot)
               ? scree_vec3_load(scree_world_grains(world)[slot].position)
               : otherwise;
}

struct scree_vec3 scree_frames_contacts_image(const struct scree_world *world, struct scree_vec3 position,
                                              struct scree_vec3 other)
{
    const double *period = scree_world_cell(world)->period;
    if (scree_world_lattice(world)) {
        const struct scree_cell_lattice lattice = scree_cell_lattice_of(world);
        const struct scree_vec3 s = scree_mat3_apply(lattice.inverse, scree_vec3_sub(position, other));
        const struct scree_vec3 n = scree_vec3_make(floor(s.x + 0.5), floor(s.y + 0.5), floor(s.z + 0.5));
        return scree_vec3_sub(position, scree_mat3_apply(lattice.vectors, n));
    }
    double image[3], target[3];
    scree_vec3_store(position, image);
    scree_vec3_store(other, target);
    for (int k = 0; k < 3; ++k)
        if (period[k] > 0)
            image[k] -= period[k] * floor((image[k] - target[k]) / period[k] + 0.5);
    return scree_vec3_load(image);
}

static void add_line(const struct scree_frames_source *source, size_t c, struct scree_vtk_grid *grid)
{
    const struct scree_contact *contact = &source->contact[c];
    const struct scree_vec3 point = scree_vec3_load(contact->point);
    const struct scree_vec3 from = centre_of(source->world, contact->body[0].value, point);
    const struct scree_vec3 to =
        contact->wall.value
            ? point
            : scree_frames_contacts_image(source->world,
                                          centre_of(source->world, contact->body[1].value, point), from);
    double ends[6];
    scree_vec3_store(from, ends);
    scree_vec3_store(to, ends + 3);
    for (size_t k = 0; k < 6; ++k)
        scree_vtk_store(grid->point, source->real, 6 * c + k, ends[k]);
    grid->corner[2 * c] = (int64_t)(2 * c);
    grid->corner[2 * c + 1] = (int64_t)(2 * c + 1);
}

// --- arrays

// Where a contact stores a quantity; the normal and the shear force are computed.
static const size_t offsets[] = {
    [SCREE_FRAMES_FIRST] = offsetof(struct scree_contact, body[0]),
    [SCREE_FRAMES_SECOND] = offsetof(struct scree_contact, body[1]),
    [SCREE_FRAMES_TOUCHED_WALL] = offsetof(struct scree_contact, wall),
    [SCREE_FRAMES_POINT] = offsetof(struct scree_contact, point),
    [SCREE_FRAMES_NORMAL] = offsetof(struct scree_contact, normal),
    [SCREE_FRAMES_OVERLAP] = offsetof(struct scree_contact, overlap),
    [SCREE_FRAMES_FORCE] = offsetof(struct scree_contact, force),
    [SCREE_FRAMES_COUPLE] = offsetof(struct scree_contact, couple),
    [SCREE_FRAMES_STORED] = offsetof(struct scree_contact, stored),
};

static void reals_of(const struct scree_contact *contact, const struct scree_frames_field *field,
                     double value[3])
{
    const struct scree_vec3 force = scree_vec3_load(contact->force),
                            normal = scree_vec3_load(contact->normal);
    const double normal_force = scree_vec3_dot(force, normal);
    if (field->quantity == SCREE_FRAMES_NORMAL_FORCE)
        value[0] = normal_force;
    else if (field->quantity == SCREE_FRAMES_SHEAR_FORCE)
        value[0] = scree_vec3_norm(scree_vec3_add_scaled(force, -normal_force, normal));
    else
        memcpy(value, (const char *)contact + offsets[field->quantity], field->width * sizeof *value);
}

static bool is_integer(enum scree_frames_quantity quantity)
{
    return quantity == SCREE_FRAMES_FIRST || quantity == SCREE_FRAMES_SECOND ||
           quantity == SCREE_FRAMES_TOUCHED_WALL || quantity == SCREE_FRAMES_FEATURE;
}

static int64_t integer_of(const struct scree_contact *contact, enum scree_frames_quantity quantity)
{
    uint64_t id = contact->feature;
    if (quantity != SCREE_FRAMES_FEATURE)
        memcpy(&id, (const char *)contact + offsets[quantity], sizeof id);
    return (int64_t)id;
}

static scree_status add_array(const struct scree_frames_source *source,
                              const struct scree_frames_field *field, struct scree_vtk_grid *grid)
{
    struct scree_vtk_array *array;
    const bool integer = is_integer(field->quantity);
    SCREE_TRY(
        scree_vtk_add(grid, field->name, integer ? SCREE_I64 : source->real, field->width, true, &array));
    for (size_t c = 0; c < source->contacts; ++c) {
        double value[3];
        if (integer) {
            const int64_t number = integer_of(&source->contact[c], field->quantity);
            memcpy((char *)array->data + c * sizeof number, &number, sizeof number);
            continue;
        }
        reals_of(&source->contact[c], field, value);
        for (unsigned k = 0; k < field->width; ++k)
            scree_vtk_store(array->data, source->real, c * field->width + k, value[k]);
    }
    return SCREE_OK;
}

scree_status scree_frames_contacts(const struct scree_frames_source *source, const size_t *field,
                                   size_t fields, struct scree_vtk_grid *grid)
{
    grid->cells = source->contacts;
    grid->points = 2 * source->contacts;
    grid->cell = SCREE_VTK_LINE;
    grid->position_type = source->real;
    SCREE_TRY(scree_memory_new(grid->points, 3 * scree_field_size(source->real), &grid->point));
    SCREE_TRY(scree_memory_new(grid->points, sizeof *grid->corner, (void **)&grid->corner));
    for (size_t c = 0; c < source->contacts; ++c)
        add_line(source, c, grid);
    for (size_t f = 0; f < fields; ++f)
        if (scree_frames_field_rows[field[f]].series == SCREE_FRAMES_CONTACTS)
            SCREE_TRY(add_array(source, &scree_frames_field_rows[field[f]], grid));
    return SCREE_OK;
}
