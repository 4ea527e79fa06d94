// The inertial number of a cell that deforms (GDR MiDi, Eur. Phys. J. E 14, 341, 2004), see
// include/scree/measure.h.

#include "world/body.h"

#include <scree/cell.h>
#include <scree/measure.h>

#include <math.h>

// (2 E : E)^(1/2) of the deviator E of the symmetric part of a gradient.
static double distortion(const double gradient[9], int dimension)
{
    double trace = 0, square = 0;
    for (int k = 0; k < dimension; ++k)
        trace += gradient[4 * k];
    for (int i = 0; i < dimension; ++i)
        for (int j = 0; j < dimension; ++j) {
            const double mean = i == j ? trace / dimension : 0;
            const double part = 0.5 * (gradient[3 * i + j] + gradient[3 * j + i]) - mean;
            square += part * part;
        }
    return sqrt(2 * square);
}

scree_status scree_measure_inertial_number(const struct scree_world *world, double *number)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_cell_state cell;
    double stress[9];
    SCREE_TRY(scree_cell_get_state(world, &cell));
    SCREE_TRY(scree_measure_stress(world, NULL, stress));
    const int dimension = world->dimension;
    const struct scree_body_mean mean = scree_body_mean(world);
    const double rate = distortion(cell.gradient, dimension);
    const double pressure = (0 - stress[0] - stress[4] - (dimension == 3 ? stress[8] : 0)) / dimension;
    *number = pressure > 0 ? rate * mean.diameter * sqrt(mean.density / pressure)
              : rate > 0   ? (double)INFINITY
                           : 0;
    return SCREE_OK;
}
