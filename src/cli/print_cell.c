// Prints the cell of a world if it has cell vectors, for `scree check` and `scree info`.

#include "cli.h"

#include <scree/cell.h>
#include <scree/world.h>

#include <stdio.h>

static void print_vectors(const double *numbers, int dimension)
{
    for (int i = 0; i < dimension; ++i)
        for (int k = 0; k < dimension; ++k)
            printf("%s%g%s", k == 0 ? "(" : "", numbers[3 * i + k],
                   k + 1 < dimension   ? ", "
                   : i + 1 < dimension ? "), "
                                       : ")");
}

bool scree_cli_print_cell(const struct scree_world *world)
{
    const int dimension = scree_world_dimension(world);
    struct scree_cell_def box;
    struct scree_cell_state state;
    bool deforms = false;
    scree_cell_get(world, &box);
    if (box.periodic[0] || scree_cell_get_state(world, &state) != SCREE_OK)
        return false;
    for (int k = 0; k < 9; ++k)
        deforms = deforms || state.gradient[k] != 0;
    printf("cell       edges ");
    print_vectors(state.vectors, dimension);
    printf(" m\n");
    if (!deforms)
        return true;
    printf("           velocity gradient ");
    print_vectors(state.gradient, dimension);
    printf(" 1/s, form %s\n", state.form == SCREE_CELL_NEWTON ? "newton" : "mean-field");
    return true;
}
