// Checks of the walls of a scene together with its cell and bodies, see scene.h.

#include "base/memory.h"
#include "build/build.h"
#include "build/engine.h"
#include "build/origin.h"
#include "contact/joined_walls.h"
#include "math/real.h"
#include "scene/scene.h"
#include "shape/flat.h"
#include "shape/ray.h"
#include "world/cell.h"
#include "world/grain.h"
#include "world/polyhedron.h"
#include "world/wall.h"
#include "world/wall_faces.h"
#include "world/wall_shape.h"
#include "world/wall_vibration.h"

#include <scree/alarm.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// bodies that a warning lists
enum { LISTED = 3 };

scree_status scree_wall_checks_largest(struct scree_reading *reading, const struct scree_world *world,
                                       double *largest)
{
    const struct scree_node *inserts = scree_reading_node(reading->root, SCREE_KEY_scene_insert);
    *largest = 0;
    for (size_t i = 0; i < scree_grain_count(world); ++i)
        *largest = scree_real_max(*largest, scree_world_grains(world)[i].radius);
    for (size_t k = 0; inserts && k < inserts->count; ++k) {
        struct scree_build_template template = {0};
        struct scree_sizes sizes;
        if (scree_build_template_read(reading, scree_reading_node(inserts->item[k], SCREE_KEY_insert_shape),
                                      &template, &sizes))
            *largest = scree_real_max(
                *largest, sizes.largest * scree_pack_largest(scree_build_template_shape(&template)));
    }
    return reading->values.status;
}

static const char *shape_of(const struct scree_world *world, size_t slot)
{
    return scree_wall_shape_name(scree_wall_row(world, slot)->shape);
}

// --- periodic faces

void scree_wall_checks_faces(struct scree_reading *reading, const struct scree_world *walls,
                             const struct scree_cell *cell, double largest, const char *when,
                             const struct scree_node *place)
{
    struct scree_wall_faces_fault fault;
    char text[SCREE_WALL_FACES_LENGTH];
    const enum scree_alarm_policy policy = scree_build_engine_policy(reading, SCREE_ALARM_FACE);
    if (policy == SCREE_ALARM_WARN || policy == SCREE_ALARM_IGNORE)
        return;
    for (size_t w = 0; w < scree_wall_rows(walls); ++w) {
        const struct scree_wall *wall = scree_wall_row(walls, w);
        if (!scree_wall_faces_find(walls, cell, w, largest, &fault))
            continue;
        scree_wall_faces_text(wall, cell, largest, &fault, text);
        if (place)
            scree_reading_report(reading, place, "wall %zu, a %s, %s%s", w + 1, shape_of(walls, w), when,
                                 text);
        else
            scree_reading_report(reading, scree_origin_of_wall_at(reading, walls, w), "this %s %s%s",
                                 shape_of(walls, w), when, text);
    }
}

// --- warnings

struct warning {
    struct scree_reading *reading;
    const struct scree_world *world;
    scree_text_function *warn;
    void *user;
};

// Writes the file and the line of a wall.
static const char *place_of(const struct warning *warning, size_t slot, char text[SCREE_DIAGNOSTIC_PLACE])
{
    const struct scree_node *node = scree_origin_of_wall_at(warning->reading, warning->world, slot);
    return scree_diagnostic_place(&warning->reading->diagnostics, &node->place, text);
}

// Whether two walls in one plane act as one surface for spheres.
static bool are_joined(const struct scree_wall *a, const struct scree_wall *b)
{
    const double rounding = scree_joined_walls_rounding(a, b);
    double distance;
    return scree_joined_walls_may(a, b) && scree_flat_distance(a, b, rounding, &distance) &&
           distance <= rounding;
}

// What a seam does to bodies. The rims of disks are polygons for polyhedra, that of a hole outside of its
// circle: see world/wall_facets.h.
static const char *harm_of(const struct scree_wall *a, const struct scree_wall *b)
{
    if (!are_joined(a, b))
        return "a body touches both near the seam, so one that rolls over it is kicked; rectangles and disks "
               "that share an edge act as one surface if they have one material and the same motion, else "
               "use one rectangle, disk or plane instead";
    if (a->shape == SCREE_WALL_DISK || b->shape == SCREE_WALL_DISK)
        return "for polyhedra their rims are polygons, so there are gaps of up to 1.2 % of the radius, into "
               "which corners of polyhedra fall; use one rectangle, disk or plane, or one mesh, instead";
    return "a polyhedron touches both near the seam, so one that lies over it rests on more contacts; use "
           "one "
           "rectangle, disk or plane, or one mesh, instead";
}

static void warn_of_seam(const struct warning *warning, size_t first, size_t second, size_t others,
                         double distance)
{
    const struct scree_wall *one = scree_wall_row(warning->world, first),
                            *other = scree_wall_row(warning->world, second);
    const char *what = harm_of(one, other);
    char text[600], places[2][SCREE_DIAGNOSTIC_PLACE], apart[60] = "meet or overlap", more[60] = "";
    if (distance > 0)
        snprintf(apart, sizeof apart, "are only %g m apart", distance);
    if (others > 0)
        snprintf(more, sizeof more, " (and %zu more pair%s)", others, others == 1 ? "" : "s");
    snprintf(text, sizeof text, "the %s at %s and the %s at %s lie in one plane and %s%s: %s",
             shape_of(warning->world, first), place_of(warning, first, places[0]),
             shape_of(warning->world, second), place_of(warning, second, places[1]), apart, more, what);
    warning->warn(warning->user, text);
}

// Warns of the first pair of flat walls in one plane that are closer than a diameter and do not act as one
// surface, and counts the others. For polyhedra none do; seams that spheres feel, too, come first.
static void warn_of_seams(const struct warning *warning, double largest)
{
    // all pairs of more walls would take seconds
    const size_t rows = scree_wall_rows(warning->world), walls = rows < 4000 ? rows : 4000;
    size_t first = 0, second = 0, found = 0;
    double least = 0;
    bool joined = false;
    const bool shaped = warning->world->dimension == 3 &&
                        (scree_reading_has(warning->reading->root, SCREE_KEY_scene_polyhedra) ||
                         scree_polyhedron_any(warning->world));
    for (size_t a = 0; a < walls; ++a)
        for (size_t b = a + 1; b < walls; ++b) {
            const struct scree_wall *one = scree_wall_row(warning->world, a),
                                    *other = scree_wall_row(warning->world, b);
            double distance;
            if (!scree_flat_distance(one, other, 2e-3 * largest, &distance) || !(distance < 2 * largest))
                continue;
            const bool act_as_one = are_joined(one, other);
            if ((act_as_one && !shaped) || (found++ > 0 && !(joined && !act_as_one)))
                continue;
            first = a;
            second = b;
            least = distance;
            joined = act_as_one;
        }
    if (found > 0)
        warn_of_seam(warning, first, second, found - 1, least);
}

// Returns true if a body is on the axis of a cone that is narrower than the body at one end only.
static bool is_on_axis(const struct scree_wall *wall, const struct scree_grain *grain)
{
    const struct scree_vec3 apart =
        scree_vec3_sub(scree_vec3_load(grain->position), scree_vec3_load(wall->reference));
    const double narrow = scree_real_min(wall->size[0], wall->size[1]),
                 wide = scree_real_max(wall->size[0], wall->size[1]);
    const double off = scree_vec3_norm(scree_vec3_cross(apart, scree_vec3_load(wall->axes[2])));
    return wall->shape == SCREE_WALL_CONE && grain->radius > narrow && grain->radius < wide &&
           off <= 1e-6 * grain->radius;
}

static void warn_of_axes(const struct warning *warning)
{
    const struct scree_grain *grain = scree_world_grains(warning->world);
    char text[500], place[SCREE_DIAGNOSTIC_PLACE];
    for (size_t w = 0; w < scree_wall_rows(warning->world) && warning->world->dimension == 3; ++w)
        for (size_t i = 0; i < scree_world_bodies(warning->world); ++i) {
            if (!is_on_axis(scree_wall_row(warning->world, w), &grain[i]))
                continue;
            snprintf(text, sizeof text,
                     "body %llu is on the axis of the cone at %s: it would touch the cone along a ring, but "
                     "a contact has one point, so the cone holds it on one side only and pushes it off the "
                     "axis; use three or more rectangles for a seat that holds one body",
                     (unsigned long long)scree_world_ids(warning->world)[i], place_of(warning, w, place));
            warning->warn(warning->user, text);
            return;
        }
}

// --- partly fixed bodies

// Returns true if some contact law derives dashpots from a coefficient of restitution below 1.
static bool uses_restitution(const struct scree_reading *reading)
{
    const struct scree_node *contacts = scree_reading_node(reading->root, SCREE_KEY_scene_contacts);
    for (size_t k = 0; contacts && k < contacts->count; ++k) {
        const struct scree_node *map = contacts->item[k];
        for (size_t n = 0; n < map->count; ++n)
            if (strcmp(map->item[2 * n]->text, "restitution") == 0 &&
                !(map->item[2 * n + 1]->text && strcmp(map->item[2 * n + 1]->text, "1") == 0))
                return true;
    }
    return false;
}

// Returns true if the normals of a wall can have components along both fixed and free axes of a body.
static bool is_oblique(const struct scree_wall *wall, unsigned fixed)
{
    const bool flat = wall->shape == SCREE_WALL_PLANE || wall->shape == SCREE_WALL_RECTANGLE,
               container = wall->shape == SCREE_WALL_BOX && wall->side == SCREE_WALL_INSIDE;
    if (!flat && !container)
        return true;
    for (int j = container ? 0 : 2; j < 3; ++j) {
        bool along_fixed = false, along_free = false;
        for (int k = 0; k < 3; ++k) {
            along_fixed = along_fixed || ((fixed >> k & 1) && wall->axes[j][k] != 0);
            along_free = along_free || (!(fixed >> k & 1) && wall->axes[j][k] != 0);
        }
        if (along_fixed && along_free)
            return true;
    }
    return false;
}

// Returns true if all grains have the same coordinate along all fixed axes, or along all free ones: then the
// normals between them are along free axes only, or fixed ones only.
static bool are_aligned(const struct scree_world *world, unsigned fixed)
{
    const struct scree_grain *grain = scree_world_grains(world);
    bool in_fixed = true, in_free = true;
    for (size_t i = 1; i < scree_grain_count(world); ++i)
        for (int k = 0; k < world->dimension; ++k) {
            const bool same = grain[i].position[k] == grain[0].position[k];
            in_fixed = in_fixed && (same || !(fixed >> k & 1));
            in_free = in_free && (same || (fixed >> k & 1));
        }
    return in_fixed || in_free;
}

static bool can_be_oblique(const struct scree_world *world, unsigned fixed)
{
    bool oblique = !are_aligned(world, fixed);
    for (size_t w = 0; w < scree_wall_rows(world) && !oblique; ++w)
        oblique = is_oblique(scree_wall_row(world, w), fixed);
    return oblique;
}

// Warns of a body whose mass along a normal differs from the mass in its contact laws: the first with each
// combination of fixed axes.
static void warn_of_partly_fixed(const struct warning *warning)
{
    const struct scree_world *world = warning->world;
    const unsigned all = world->dimension == 2 ? SCREE_FIX_X | SCREE_FIX_Y : SCREE_FIX_POSITION;
    bool seen[SCREE_FIX_POSITION + 1] = {true};
    char text[500];
    seen[all] = true;
    for (size_t i = 0; i < scree_world_bodies(world) && world->has_fixed; ++i) {
        const unsigned fixed = scree_world_grains(world)[i].flags & all;
        if (seen[fixed])
            continue;
        seen[fixed] = true;
        if (!uses_restitution(warning->reading) || !can_be_oblique(world, fixed))
            continue;
        snprintf(
            text, sizeof text,
            "body %llu is fixed along some axes only: contact laws take its whole mass, but along a normal "
            "that is neither free nor fixed it moves like a larger one, so it rebounds with more than the "
            "given restitution (at 45 degrees, 0.70 instead of 0.6); fix all of x, y, z or none, or use a "
            "smaller restitution for its material",
            (unsigned long long)scree_world_ids(world)[i]);
        warning->warn(warning->user, text);
        return;
    }
}

// --- bodies outside of all vessels

// Search for bodies that will fall. Only walls, and bodies fixed along gravity, can support others.
struct fall {
    const struct scree_world *world;
    double down[3]; // unit vector of gravity
    bool fixed;     // some bodies are fixed
    double budget;  // number of pairs of bodies that may still be tested
};

// Sets the direction of gravity; returns false if there is none, or if a body that falls would come back
// through a periodic face.
static bool find_down(const struct scree_world *world, double down[3])
{
    double gravity[3], square = 0;
    scree_world_gravity(world, gravity);
    for (int k = 0; k < 3; ++k) {
        square += gravity[k] * gravity[k];
        if (gravity[k] != 0 && scree_cell_is_periodic_along(world, k))
            return false;
    }
    for (int k = 0; k < 3 && square > 0; ++k)
        down[k] = gravity[k] / sqrt(square);
    return square > 0;
}

// Returns true if a fixed body is below another one, or if there are too many bodies to find out.
static bool is_on_fixed(struct fall *fall, size_t slot)
{
    const struct scree_grain *grain = scree_world_grains(fall->world);
    const struct scree_vec3 from = scree_vec3_load(grain[slot].position), down = scree_vec3_load(fall->down);
    for (size_t i = 0; fall->fixed && fall->budget >= 0 && i < scree_grain_count(fall->world); ++i) {
        const struct scree_vec3 apart = scree_vec3_sub(scree_vec3_load(grain[i].position), from);
        const double reach = grain[i].radius + grain[slot].radius;
        if ((grain[grain[i].owner].flags & SCREE_FIX_POSITION) && scree_vec3_dot(apart, down) > 0 &&
            scree_vec3_norm(scree_vec3_cross(apart, down)) < reach)
            return true;
    }
    return fall->fixed && fall->budget < 0;
}

static bool is_held(struct fall *fall, size_t slot)
{
    const struct scree_grain *grain = &scree_world_grains(fall->world)[slot];
    if (grain->flags & SCREE_FIX_POSITION)
        return true;
    for (size_t w = 0; w < scree_wall_rows(fall->world); ++w) {
        const struct scree_wall *wall = scree_wall_row(fall->world, w);
        if (scree_ray_meets(wall, grain->position, fall->down) ||
            scree_ray_passes_inside(wall, grain->position, fall->down))
            return true;
    }
    return is_on_fixed(fall, slot);
}

static bool has_vessel(const struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        if (scree_ray_is_vessel(scree_wall_row(world, w)))
            return true;
    return false;
}

// Bodies without support: their number, and those with the lowest ids.
struct unheld {
    size_t count, listed;
    size_t slot[LISTED];
};

static void note_unheld(const struct scree_world *world, size_t slot, struct unheld *unheld)
{
    const uint64_t *id = scree_world_ids(world);
    size_t at = unheld->listed;
    ++unheld->count;
    while (at > 0 && id[slot] < id[unheld->slot[at - 1]])
        --at;
    if (at == LISTED)
        return;
    unheld->listed += unheld->listed < LISTED;
    for (size_t k = unheld->listed - 1; k > at; --k)
        unheld->slot[k] = unheld->slot[k - 1];
    unheld->slot[at] = slot;
}

static void warn_of_unheld(const struct warning *warning)
{
    const struct scree_world *world = warning->world;
    struct fall fall = {.world = world, .fixed = world->has_fixed, .budget = 1e9};
    struct unheld unheld = {0};
    char text[600], list[LISTED * 90] = "";
    if (!has_vessel(world) || !find_down(world, fall.down))
        return;
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (!is_held(&fall, i))
            note_unheld(world, i, &unheld);
    if (unheld.count == 0)
        return;
    for (size_t k = 0; k < unheld.listed; ++k) {
        const double *x = scree_world_grains(world)[unheld.slot[k]].position;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%llu at (%g, %g, %g)", k > 0 ? ", " : "",
                 (unsigned long long)scree_world_ids(world)[unheld.slot[k]], x[0], x[1], x[2]);
    }
    snprintf(text, sizeof text,
             "%zu of %zu bodies are outside of every cylinder, cone, sphere and box, with nothing below "
             "them, and will fall: %s%s m. A thin wall does not limit a filling: fill a region inside it",
             unheld.count, scree_world_bodies(world), list, unheld.count > unheld.listed ? ", ..." : "");
    warning->warn(warning->user, text);
}

// Exchanges the velocities of walls that vibrate and those of their mean places, which are in `velocity`,
// three numbers for each wall.
static void exchange_velocities(struct scree_world *world, double *velocity)
{
    for (size_t row = 0; row < scree_wall_rows(world); ++row) {
        struct scree_wall *wall = scree_wall_row(world, row);
        for (int k = 0; k < 3 && scree_wall_vibration_of(world, row); ++k) {
            const double other = velocity[3 * row + (size_t)k];
            velocity[3 * row + (size_t)k] = wall->velocity[k];
            wall->velocity[k] = other;
        }
    }
}

scree_status scree_wall_checks_move(struct scree_world *world, double time)
{
    double *velocity;
    const size_t rows = scree_wall_rows(world);
    SCREE_TRY(scree_memory_new(3 * rows + 1, sizeof *velocity, (void **)&velocity));
    for (size_t row = 0; row < rows; ++row)
        if (scree_wall_vibration_of(world, row))
            memcpy(&velocity[3 * row], scree_wall_vibration_of(world, row)->velocity, 3 * sizeof *velocity);
    exchange_velocities(world, velocity);
    scree_wall_advance(world, time);
    exchange_velocities(world, velocity);
    scree_memory_free(velocity);
    return SCREE_OK;
}

scree_status scree_wall_checks_warn(struct scree_reading *reading, const struct scree_world *world,
                                    scree_text_function *warn, void *user)
{
    const struct warning warning = {reading, world, warn, user};
    double largest;
    if (!warn)
        return SCREE_OK;
    SCREE_TRY(scree_wall_checks_largest(reading, world, &largest));
    warn_of_seams(&warning, largest);
    // a collision without duration has one point and a mobility of its own
    if (scree_build_engine_kind(scree_reading_node(reading->root, SCREE_KEY_scene_engine)) ==
        &scree_build_engine_soft) {
        warn_of_axes(&warning);
        warn_of_partly_fixed(&warning);
    }
    warn_of_unheld(&warning);
    return SCREE_OK;
}
