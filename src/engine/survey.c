// A pass over all bodies and walls, see survey.h.

#include "engine/survey.h"

#include "world/grain.h"
#include "world/wall.h"

#include <float.h>
#include <math.h>

static const struct scree_survey_extent nothing = {{DBL_MAX, DBL_MAX, DBL_MAX},
                                                   {-DBL_MAX, -DBL_MAX, -DBL_MAX}};

static void include(struct scree_survey_extent *extent, const double *at, double around)
{
    for (int k = 0; k < 3; ++k) {
        extent->lower[k] = at[k] - around < extent->lower[k] ? at[k] - around : extent->lower[k];
        extent->upper[k] = at[k] + around > extent->upper[k] ? at[k] + around : extent->upper[k];
    }
}

double scree_survey_closing(const struct scree_survey *survey)
{
    const struct scree_survey_extent *extent = &survey->velocity;
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double edge = extent->upper[k] - extent->lower[k];
        square += edge > 0 ? edge * edge : 0;
    }
    return sqrt(square);
}

static void survey_bodies(struct scree_pace *pace, struct scree_survey *survey)
{
    const struct scree_world *world = survey->world;
    // where there are loads they are part of the force
    const struct scree_wrench *load = scree_world_loads(world) ? scree_world_wrenches(world) : NULL;
    double gravity[3];
    scree_world_gravity(world, gravity);
    survey->fall = sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    for (size_t i = 0; i < scree_grain_count(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const struct scree_vec3 velocity = scree_vec3_load(grain->velocity);
        const double speed = sqrt(scree_vec3_dot(velocity, velocity));
        if (grain->radius > 0 && speed * survey->crossing > grain->radius)
            survey->crossing = grain->radius / speed;
        if (!scree_survey_counts(survey->collider, grain))
            continue;
        struct scree_pace_kind *kind = &pace->kinds.data[grain->material];
        const uint32_t class = scree_survey_class(grain->radius);
        kind->low = kind->bodies == 0 || class < kind->low ? class : kind->low;
        kind->high = class > kind->high ? class : kind->high;
        kind->smallest = kind->bodies == 0 || grain->radius < kind->smallest ? grain->radius : kind->smallest;
        kind->radius = grain->radius > kind->radius ? grain->radius : kind->radius;
        kind->mass = grain->mass > kind->mass ? grain->mass : kind->mass;
        kind->held = kind->held || scree_survey_is_held(grain);
        ++kind->bodies;
        include(&survey->velocity, grain->velocity, 0);
        include(&survey->place, grain->position, 0);
        for (int k = 0; k < 3 && load; ++k) {
            const double pull = fabs(gravity[k]) + fabs(load[grain->owner].force[k]) / grain->mass;
            survey->fall = pull > survey->fall ? pull : survey->fall;
        }
    }
}

static void survey_walls(struct scree_pace *pace, struct scree_survey *survey)
{
    const struct scree_world *world = survey->world;
    static const double still[3] = {0};
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        if (wall->material >= survey->collider->classes.materials)
            continue;
        ++pace->kinds.data[wall->material].walls;
        const double spin = fabs(wall->spin[0]) + fabs(wall->spin[1]) + fabs(wall->spin[2]);
        if (spin > 0)
            include(&survey->velocity, still,
                    scree_wall_speed(wall, survey->place.lower, survey->place.upper));
        else
            include(&survey->velocity, wall->velocity, 0);
    }
}

double scree_survey_way(const struct scree_pace *pace, const struct scree_survey *survey)
{
    double crossing = survey->crossing;
    for (size_t w = 0; w < scree_wall_rows(survey->world) && pace->bins.count > 0; ++w) {
        const double speed =
            scree_wall_approach(scree_wall_row(survey->world, w), survey->place.lower, survey->place.upper);
        crossing = speed * crossing > pace->smallest ? pace->smallest / speed : crossing;
    }
    return 0.5 * pace->way * crossing;
}

scree_status scree_survey_make(struct scree_pace *pace, const struct scree_collider *collider,
                               struct scree_survey *survey)
{
    *survey = (struct scree_survey){.collider = collider,
                                    .world = collider->world,
                                    .velocity = nothing,
                                    .place = nothing,
                                    .crossing = DBL_MAX};
    SCREE_TRY(scree_array_reserve(&pace->kinds, collider->classes.materials));
    pace->kinds.count = collider->classes.materials;
    memset(pace->kinds.data, 0, pace->kinds.count * sizeof *pace->kinds.data);
    survey_bodies(pace, survey);
    survey_walls(pace, survey);
    return SCREE_OK;
}
