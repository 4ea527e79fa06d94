// The expected number of steps of a run, see forecast.h.

#include "forecast.h"

#include "cli.h"

#include <scree/scree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Costs relative to that of a step for one body without contacts, measured on one thread: a contact between
// bodies costs 1.8 to 3.3 in the examples chute, hopper and drum, and a step without bodies about 20.
static const double contact_cost = 2.5, step_cost = 20;

double scree_cli_forecast_work(double bodies, double contacts)
{
    return step_cost + bodies + contact_cost * contacts;
}

static void print_number(double number)
{
    if (number < 1e5)
        printf("%.0f", number);
    else
        printf("%.3g", number);
}

void scree_cli_forecast_print_range(const double steps[2])
{
    print_number(steps[0]);
    if (steps[1] > steps[0]) {
        printf(" to ");
        print_number(steps[1]);
    }
}

static void print_limit(const struct scree_world *world, const struct scree_scene_forecast *stage)
{
    const struct scree_limit *limit = &stage->limit;
    const char *name = limit->material[0].value > 0 ? scree_material_name(world, limit->material[0]) : NULL;
    const char *material = name ? name : "?";
    printf("           shortest step %.3g s, ", stage->step[0]);
    if (limit->kind == SCREE_LIMIT_CONTACT)
        printf("for a body in a bed (%s, radius %g m)\n", material, limit->radius[0]);
    else if (limit->kind == SCREE_LIMIT_IMPACT)
        printf("for an impact at %.2g m/s (%s, radius %g m)\n", limit->speed, material, limit->radius[0]);
    else if (limit->kind == SCREE_LIMIT_BOND)
        printf("for a bonded body (%s, radius %g m)\n", material, limit->radius[0]);
    else if (limit->kind == SCREE_LIMIT_WAVE)
        printf("for elastic waves in the smallest body of %s\n", material);
    else
        printf("for the displacement of the fastest body\n");
}

static void print_stage(const struct scree_world *world, const struct scree_scene_forecast *stage,
                        size_t number, size_t stages)
{
    if (stages > 1) {
        printf("  stage %zu  ", number);
        scree_cli_forecast_print_range(stage->steps);
        printf(" steps%s\n", stage->may_stop ? ", if its stop condition does not end it earlier" : "");
    }
    if (stage->makes_bonds && stage->bonds > 0)
        printf("           with %llu bond%s of bodies where they are at the start\n",
               (unsigned long long)stage->bonds, stage->bonds == 1 ? "" : "s");
    else if (stage->makes_bonds)
        printf("           without bonds: bodies where they are at the start would get none\n");
    if (!stage->is_given && stage->limit.kind != SCREE_LIMIT_NONE)
        print_limit(world, stage);
}

static void add_stage(struct scree_cli_forecast *forecast, const struct scree_scene_forecast *stage)
{
    forecast->exact = forecast->exact && stage->steps[0] >= stage->steps[1];
    forecast->may_stop = forecast->may_stop || stage->may_stop;
    for (int k = 0; k < 2; ++k) {
        forecast->steps[k] += stage->steps[k];
        forecast->work[k] += stage->steps[k] * scree_cli_forecast_work(stage->bodies, stage->contacts[k]);
    }
}

bool scree_cli_forecast_make(struct scree_scene *scene, struct scree_world *world,
                             struct scree_engine *engine, struct scree_cli_forecast *forecast)
{
    struct scree_scene_stage end_of_stage;
    size_t stages = 0;
    *forecast = (struct scree_cli_forecast){.exact = true};
    while (scree_scene_stage_at(scene, stages, &end_of_stage))
        ++stages;
    struct scree_scene_forecast *stage = calloc(stages, sizeof *stage);
    if (stages == 0 || !stage)
        return stages == 0;
    const scree_status status = scree_scene_foresee(scene, world, engine, stage, stages);
    bool known = status == SCREE_OK;
    for (size_t s = 0; s < stages && status == SCREE_OK; ++s) {
        add_stage(forecast, &stage[s]);
        known = known && stage[s].steps[1] > 0;
    }
    if (known) {
        printf("steps      ");
        scree_cli_forecast_print_range(forecast->steps);
        printf("%s\n", forecast->may_stop ? ", fewer if a stop condition ends a stage early" : "");
        for (size_t s = 0; s < stages; ++s)
            print_stage(world, &stage[s], s + 1, stages);
    } else {
        *forecast = (struct scree_cli_forecast){.exact = false};
    }
    free(stage);
    return status == SCREE_OK;
}
