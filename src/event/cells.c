// Cells for drawn collisions, see cells.h.

#include "event/cells.h"

#include "event/event.h"
#include "math/elementary.h"
#include "math/mat3.h"

#include <math.h>

// bodies in a cell, on average, if no width is wanted
static const double bodies_in_cell = 10;

// Where the centres of bodies may be, along one axis.
struct extent {
    double lower, upper; // infinite without an end
};

// Whether a surface stops the bodies of all materials. Others do not limit where bodies are.
static bool stops_all(const struct scree_event *event, const struct scree_event_surface *surface)
{
    const struct scree_event_draws *draws = &event->draws;
    for (size_t m = 0; m < draws->used.count; ++m)
        if (draws->used.data[m] &&
            scree_law_class_of(&event->classes, (uint16_t)m, surface->material) == SCREE_CONTACTS_NO_CLASS)
            return false;
    return true;
}

static struct extent find_extent(const struct scree_event *event, int axis)
{
    const struct scree_cell *cell = scree_world_cell(event->world);
    struct extent extent = {-(double)INFINITY, (double)INFINITY};
    if (cell->period[axis] > 0)
        return (struct extent){cell->lower[axis], cell->upper[axis]};
    for (size_t s = 0; s < event->walls.surface.count; ++s) {
        const struct scree_event_surface *surface = &event->walls.surface.data[s];
        if (!stops_all(event, surface))
            continue;
        double point[3];
        scree_vec3_store(scree_event_walls_point(&event->walls, surface, event->now), point);
        const double n = surface->normal[axis], at = point[axis] + n * event->draws.mean_radius;
        if (n > 1 - 1e-12 && at > extent.lower)
            extent.lower = at;
        if (n < -(1 - 1e-12) && at < extent.upper)
            extent.upper = at;
    }
    return extent;
}

// --- the width

static double volume_of_world(const struct scree_event *event, int *open)
{
    double volume = 1;
    *open = -1;
    if (scree_world_lattice(event->world))
        return scree_mat3_determinant(scree_lattice_load(scree_world_lattice(event->world)->vectors));
    for (int k = 0; k < event->world->dimension; ++k) {
        const struct extent extent = find_extent(event, k);
        const double length = extent.upper - extent.lower;
        if (!(length > 0 && length < (double)INFINITY)) {
            *open = k;
            return 0;
        }
        volume *= length;
    }
    return volume;
}

static double automatic_width(const struct scree_event *event, int *open)
{
    const double volume = volume_of_world(event, open);
    if (*open >= 0 || event->draws.bodies == 0)
        return 0;
    const double share = bodies_in_cell * volume / (double)event->draws.bodies;
    return event->world->dimension == 2 ? sqrt(share) : scree_cbrt(share);
}

scree_status scree_event_cells_width(const struct scree_event *event, double wanted, double *width)
{
    int open = -1;
    *width = wanted > 0 ? wanted : automatic_width(event, &open);
    if (open < 0)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "the stochastic engine needs the width of its cells, `cell`, below the mean free path of the "
        "bodies: it is automatic only where the periodic cell or two planes limit the world along all axes, "
        "and "
        "this one has no limits along %c",
        "xyz"[open]);
}

// --- cells

static void divide(struct scree_event_cells *cells, int axis, struct extent extent, double width)
{
    const double length = extent.upper - extent.lower;
    double each = width;
    if (length < (double)INFINITY) {
        const double wanted = floor(length / width + 0.5);
        cells->number[axis] = wanted < 1                        ? 1
                              : wanted < SCREE_EVENT_CELLS_HALF ? (int)wanted
                                                                : SCREE_EVENT_CELLS_HALF;
        each = length / cells->number[axis];
    }
    const bool from_below = extent.lower > -(double)INFINITY;
    if (!(length < (double)INFINITY))
        cells->end[axis] = from_below ? 1 : extent.upper < (double)INFINITY ? -1 : 0;
    cells->lower[axis] = from_below ? extent.lower : extent.upper < (double)INFINITY ? extent.upper : 0;
    cells->inverse[axis] = 1 / each;
    cells->volume *= each;
}

scree_status scree_event_cells_make(const struct scree_event *event, double width,
                                    struct scree_event_cells *cells)
{
    double each;
    SCREE_TRY(scree_event_cells_width(event, width, &each));
    *cells = (struct scree_event_cells){.volume = 1, .skewed = event->space.skew.present};
    if (!(each > 0))
        return SCREE_OK;
    struct scree_vec3 widths = scree_vec3_zero();
    if (cells->skewed)
        widths = scree_lattice_widths(scree_lattice_load(event->space.skew.inverse));
    double faces[3];
    scree_vec3_store(widths, faces);
    for (int k = 0; k < event->world->dimension; ++k) {
        if (cells->skewed)
            divide(cells, k, (struct extent){0, 1}, each / faces[k]);
        else
            divide(cells, k, find_extent(event, k), each);
    }
    if (cells->skewed)
        cells->volume *= scree_mat3_determinant(scree_lattice_load(event->space.skew.here));
    return SCREE_OK;
}

uint64_t scree_event_cells_at(const struct scree_event *event, const struct scree_event_cells *cells,
                              const double position[3])
{
    double x[3] = {position[0], position[1], position[2]};
    uint64_t code = 0;
    if (cells->skewed)
        scree_vec3_store(scree_event_skew_fraction(&event->space.skew, position), x);
    for (int k = 0; k < event->world->dimension; ++k) {
        double number = floor((x[k] - cells->lower[k]) * cells->inverse[k]);
        // a rounding error, or a part of a radius beyond an end
        const double last = cells->number[k] - 1;
        if (cells->number[k] > 0)
            number = number < 0 ? 0 : number > last ? last : number;
        if (cells->end[k] != 0)
            number = cells->end[k] > 0 && number < 0 ? 0 : cells->end[k] < 0 && number >= 0 ? -1 : number;
        if (!(number >= -SCREE_EVENT_CELLS_HALF && number < SCREE_EVENT_CELLS_HALF))
            return SCREE_EVENT_CELLS_OUTSIDE;
        code |= (uint64_t)((int64_t)number + SCREE_EVENT_CELLS_HALF) << (21 * k);
    }
    return code;
}
