// The cell as lines along its edges, see frames.h: 12 edges of a box or of a cell with cell vectors, 4 in two
// dimensions; none without a box. Corner n is at the sum of the vectors of the bits of n.

#include "run/frames.h"
#include "world/cell.h"

#include <string.h>

// The vectors from the lower corner; returns false if there is no box.
static bool find_vectors(const struct scree_world *world, struct scree_vec3 vector[3])
{
    const struct scree_cell *cell = scree_world_cell(world);
    double width[3];
    bool has_box = true;
    if (scree_world_lattice(world)) {
        // bodies are in the upright cell
        const struct scree_mat3 columns = scree_mat3_transpose(scree_lattice_upright(
            scree_lattice_load(scree_world_lattice(world)->vectors), scree_world_open_axes(world)));
        vector[0] = scree_mat3_row_x(columns);
        vector[1] = scree_mat3_row_y(columns);
        vector[2] = scree_mat3_row_z(columns);
        return true;
    }
    for (int k = 0; k < 3; ++k) {
        width[k] = cell->upper[k] - cell->lower[k];
        has_box = has_box && (width[k] > 0 || k >= world->dimension);
    }
    vector[0] = scree_vec3_make(width[0], 0, 0);
    vector[1] = scree_vec3_make(0, width[1], 0);
    vector[2] = scree_vec3_make(0, 0, width[2]);
    return has_box;
}

static void add_edges(struct scree_vtk_grid *grid, int dimension)
{
    size_t edge = 0;
    for (int k = 0; k < dimension; ++k)
        for (int64_t n = 0; n < 1 << dimension; ++n)
            if (!(n >> k & 1)) {
                grid->corner[2 * edge] = n;
                grid->corner[2 * edge + 1] = n | 1 << k;
                ++edge;
            }
}

scree_status scree_frames_cell(const struct scree_frames_source *source, const size_t *field, size_t fields,
                               struct scree_vtk_grid *grid)
{
    const struct scree_world *world = source->world;
    struct scree_vec3 vector[3];
    struct scree_vtk_array *velocity = NULL;
    const bool exists = find_vectors(world, vector);
    grid->points = exists ? (size_t)1 << world->dimension : 0;
    grid->cells = grid->points * (size_t)world->dimension / 2;
    grid->cell = SCREE_VTK_LINE;
    grid->position_type = source->real;
    SCREE_TRY(scree_memory_new(grid->points, 3 * scree_field_size(source->real), &grid->point));
    SCREE_TRY(scree_memory_new(2 * grid->cells, sizeof *grid->corner, (void **)&grid->corner));
    for (size_t f = 0; f < fields; ++f)
        if (scree_frames_field_rows[field[f]].series == SCREE_FRAMES_CELL)
            SCREE_TRY(scree_vtk_add(grid, scree_frames_field_rows[field[f]].name, source->real, 3, false,
                                    &velocity));
    for (size_t n = 0; n < grid->points; ++n) {
        struct scree_vec3 corner = scree_vec3_load(scree_world_cell(world)->lower);
        double place[3], v[3] = {0};
        for (int k = 0; k < world->dimension; ++k)
            corner = n >> k & 1 ? scree_vec3_add(corner, vector[k]) : corner;
        scree_vec3_store(corner, place);
        if (scree_world_lattice(world))
            scree_vec3_store(scree_cell_mean_velocity(world, place), v);
        for (size_t k = 0; k < 3; ++k) {
            scree_vtk_store(grid->point, source->real, 3 * n + k, place[k]);
            if (velocity)
                scree_vtk_store(velocity->data, source->real, 3 * n + k, v[k]);
        }
    }
    if (exists)
        add_edges(grid, world->dimension);
    return SCREE_OK;
}
