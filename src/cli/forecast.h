// The expected number of steps of a run, for `scree check`.

#ifndef SCREE_CLI_FORECAST_H
#define SCREE_CLI_FORECAST_H

#include <scree/scene.h>

struct scree_cli_forecast {
    double steps[2]; // fewest and most, of the whole run; 0 if unknown
    double work[2];  // of these steps, see scree_cli_forecast_work
    bool exact;      // the number of steps is known
    bool may_stop;   // some stage can end early
};

// Cost of a step with these numbers of bodies and contacts, in units of the cost of one body.
double scree_cli_forecast_work(double bodies, double contacts);

// Prints the fewest and the most steps; one number if they are equal.
void scree_cli_forecast_print_range(const double steps[2]);

// Estimates the steps of a run, and prints their range by stage and what limits them. `world` and `engine`
// were built from the scene and can only be destroyed afterwards. Returns false if that fails.
bool scree_cli_forecast_make(struct scree_scene *scene, struct scree_world *world,
                             struct scree_engine *engine, struct scree_cli_forecast *forecast);

#endif
