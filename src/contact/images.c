// The nearest periodic images of a world, see images.h.

#include "contact/images.h"

#include "contact/evaluate_one.h"

#include <math.h>

struct scree_images scree_images_now(const struct scree_world *world, struct scree_images_room *room)
{
    const double *period = scree_world_cell(world)->period;
    for (int k = 0; k < 3; ++k)
        room->period[k] = period[k] > 0 ? period[k] : (double)INFINITY;
    return (struct scree_images){room->period,
                                 scree_evaluate_one_cell(world, &room->cell) ? &room->cell : NULL};
}
