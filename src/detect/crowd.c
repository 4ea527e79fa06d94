// Crowds of overlapping bodies, see crowd.h.

#include "detect/crowd.h"

#include "world/records.h"

#include <math.h>

// A cell with more than CROWD grains is crowded: several times as many as fit into it without overlap if
// their sizes differ by a factor of two. At most MAX_COMPARED grains of a cell are compared. More than
// TOO_MANY grains may not overlap by their radius, whatever the limit: half a million pairs a cell.
enum { CROWD = 16, MAX_COMPARED = 256, TOO_MANY = 1000 };

// Overlap / smaller radius of two grains, given by their indices in the grid; 0 if they do not interact.
static double overlap_of(const struct scree_grid *grid, const struct scree_candidates_input *input,
                         uint32_t a, uint32_t b)
{
    const uint32_t i = scree_grid_slot(grid->tag[a]), j = scree_grid_slot(grid->tag[b]);
    const struct scree_grain *low = &input->grain[i], *high = &input->grain[j];
    const double x = grid->x[a] - grid->x[b], y = grid->y[a] - grid->y[b], z = grid->z[a] - grid->z[b];
    if (input->id[i] == input->id[j] ||
        input->class_of[scree_candidates_material(input, i) * input->materials +
                        scree_candidates_material(input, j)] == SCREE_CONTACTS_NO_CLASS)
        return 0;
    const double smaller_radius = low->radius < high->radius ? low->radius : high->radius;
    return (low->radius + high->radius - sqrt(x * x + y * y + z * z)) / smaller_radius;
}

static scree_status check_cell(const struct scree_grid *grid, const struct scree_candidates_input *input,
                               uint32_t first, uint32_t last)
{
    const uint32_t end = last - first > MAX_COMPARED ? first + MAX_COMPARED : last;
    const bool too_many = last - first > TOO_MANY && input->crowd_overlap > 1;
    const double limit = too_many ? 1 : input->crowd_overlap;
    for (uint32_t a = first; a < end; ++a)
        for (uint32_t b = a + 1; b < end; ++b) {
            const double overlap = overlap_of(grid, input, a, b);
            if (!(overlap > limit))
                continue;
            const uint64_t i = input->id[scree_grid_slot(grid->tag[a])],
                           j = input->id[scree_grid_slot(grid->tag[b])];
            return scree_status_fail(
                SCREE_ERROR_NUMBER,
                "body %llu and body %llu overlap by %g of the smaller radius, and %u bodies are "
                "within about one diameter there; the limit of the overlap is %g%s: move "
                "these bodies apart",
                (unsigned long long)(i < j ? i : j), (unsigned long long)(i < j ? j : i), overlap,
                last - first, limit, too_many ? " for more than 1000 bodies at one place" : "");
        }
    return SCREE_OK;
}

scree_status scree_crowd_check(const struct scree_grid *grid, const struct scree_candidates_input *input)
{
    for (int l = 0; l < grid->levels; ++l) {
        const struct scree_grid_level *level = &grid->level[l];
        const size_t cells =
            (size_t)level->axis[0].cells * (size_t)level->axis[1].cells * (size_t)level->axis[2].cells;
        const uint32_t *start = grid->start + level->first;
        for (size_t c = 0; c < cells; ++c)
            if (start[c + 1] - start[c] > CROWD)
                SCREE_TRY(check_cell(grid, input, start[c], start[c + 1]));
    }
    return SCREE_OK;
}
