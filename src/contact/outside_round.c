// Contacts with curved walls, see outside_round.h.

#include "contact/outside_round.h"

#include "convex/edges.h"
#include "shape/nearest.h"
#include "shape/surface.h"

struct finder {
    const struct scree_convex_body *body;
    const struct scree_wall *wall;
    struct scree_vec3 position;
    bool goes_on[2]; // beyond its lower and upper end
    struct scree_convex_contact *contact;
    size_t capacity, count;
};

// Adds a contact: `foot` is a point of the core, `away` the normal of the wall there, towards the body.
static void add(struct finder *finder, uint32_t feature, struct scree_vec3 foot, struct scree_vec3 away,
                double gap, double overlap, double share)
{
    const double rounding = finder->body->rounding;
    if (finder->count++ >= finder->capacity)
        return;
    finder->contact[finder->count - 1] =
        (struct scree_convex_contact){.point = scree_vec3_add_scaled(foot, -0.5 * (gap + rounding), away),
                                      .normal = scree_vec3_negate(away),
                                      .overlap = overlap,
                                      .share = share,
                                      .feature = feature};
}

static struct scree_vec3 vertex_of(const struct finder *finder, uint32_t vertex)
{
    return scree_mat3_apply(finder->body->rotation, finder->body->shape->vertex[vertex]);
}

// --- geometry, in the axes of the wall

static double to_axis(struct scree_vec3 p)
{
    return sqrt(p.x * p.x + p.y * p.y);
}

// Distance of a point from the cone through the wall, positive outside. It is a convex function of the point.
static double height_of(const struct scree_wall *wall, struct scree_vec3 p)
{
    return (to_axis(p) - wall->slope[0]) * wall->slope[2] - p.z * wall->slope[1];
}

static struct scree_vec3 normal_of(const struct scree_wall *wall, struct scree_vec3 p)
{
    const double out = to_axis(p);
    return scree_vec3_make(out > 0 ? wall->slope[2] * p.x / out : wall->slope[2],
                           out > 0 ? wall->slope[2] * p.y / out : 0, -wall->slope[1]);
}

// The place along the generating line, from its middle.
static double along_of(const struct scree_wall *wall, struct scree_vec3 p)
{
    return (to_axis(p) - wall->slope[0]) * wall->slope[1] + p.z * wall->slope[2];
}

static bool is_beyond(const struct scree_wall *wall, double along)
{
    return !(fabs(along) <= wall->slope[3]);
}

// --- vertices

// Where the wall goes on beyond an end, it is as near as the continued generating line.
static void touch_vertex(const struct finder *finder, struct scree_vec3 place,
                         struct scree_surface_touch *touch)
{
    const struct scree_wall *wall = finder->wall;
    double at[3];
    if (finder->goes_on[0] || finder->goes_on[1]) {
        const struct scree_vec3 p = scree_nearest_to_local(wall, place);
        const double along = along_of(wall, p), height = height_of(wall, p);
        if (is_beyond(wall, along) && finder->goes_on[along > 0]) {
            const struct scree_vec3 normal =
                scree_nearest_normal(wall, &(struct scree_nearest){0, normal_of(wall, p)});
            touch->gap = fabs(height);
            scree_vec3_store(height < 0 ? scree_vec3_negate(normal) : normal, touch->normal);
            return;
        }
    }
    scree_vec3_store(place, at);
    scree_surface_touch(wall, 0, at, touch);
}

static void find_vertices(struct finder *finder)
{
    for (uint32_t v = 0; v < finder->body->shape->vertices; ++v) {
        const struct scree_vec3 foot = vertex_of(finder, v);
        struct scree_surface_touch touch;
        touch_vertex(finder, scree_vec3_add(finder->position, foot), &touch);
        if (!(touch.gap < finder->body->rounding))
            continue;
        add(finder, scree_convex_feature_make(SCREE_CONVEX_VERTEX_A, v, 0), foot,
            scree_vec3_load(touch.normal), touch.gap, finder->body->rounding - touch.gap, 1);
    }
}

// --- edges outside of cylinders and cones

// An edge in the axes of the wall.
struct edge {
    struct scree_convex_segment segment;
    const struct scree_wall *wall;
};

static struct scree_vec3 point_of(const struct edge *edge, double place)
{
    return scree_vec3_add_scaled(edge->segment.start, place, edge->segment.direction);
}

static double penalty(const struct scree_convex_segment *s, double place)
{
    const double middle = place - 0.5 * s->length,
                 depth = scree_real_max(scree_real_max(s->zone - place, place - (s->length - s->zone)), 0);
    return s->slow * middle * middle + s->steep * depth * depth;
}

// Half of the derivative of D^2 = max(height, 0)^2 + penalty along the edge, which ascends.
static double slope_at(const struct edge *edge, double place)
{
    const struct scree_convex_segment *s = &edge->segment;
    const struct scree_vec3 p = point_of(edge, place);
    const double before = scree_real_max(s->zone - place, 0),
                 behind = scree_real_max(place - (s->length - s->zone), 0);
    const double height = scree_real_max(height_of(edge->wall, p), 0);
    return height * scree_vec3_dot(normal_of(edge->wall, p), s->direction) +
           s->slow * (place - 0.5 * s->length) + s->steep * (behind - before);
}

static double minimum_of(const struct edge *edge)
{
    double low = 0, high = edge->segment.length;
    // until the interval is one of neighbouring numbers, or nearly
    for (int round = 0; round < 60; ++round) {
        const double middle = 0.5 * (low + high);
        *(slope_at(edge, middle) < 0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

static void find_edge(struct finder *finder, uint32_t number)
{
    const struct scree_wall *wall = finder->wall;
    const struct scree_convex_edge *own = &finder->body->shape->edge[number];
    const double reach = finder->body->rounding;
    const struct scree_vec3 from = vertex_of(finder, own->vertex[0]), to = vertex_of(finder, own->vertex[1]);
    const struct scree_vec3 start = scree_nearest_to_local(wall, scree_vec3_add(finder->position, from)),
                            end = scree_nearest_to_local(wall, scree_vec3_add(finder->position, to));
    const double first = height_of(wall, start), last = height_of(wall, end);
    // an edge with both ends inside is inside; and heights change by at most the distance
    if ((first <= 0 && last <= 0) || first + last - own->length >= 2 * reach)
        return;
    const struct edge edge = {
        scree_convex_segment_make(start, scree_vec3_scale(scree_vec3_sub(end, start), 1 / own->length),
                                  own->length, reach),
        wall};
    const double place = minimum_of(&edge);
    const struct scree_vec3 p = point_of(&edge, place);
    const double gap = height_of(wall, p), smooth = sqrt(gap * gap + penalty(&edge.segment, place)),
                 along = along_of(wall, p);
    if (!(gap > 0) || !(smooth < reach) || (is_beyond(wall, along) && !finder->goes_on[along > 0]))
        return;
    const struct scree_vec3 away = scree_nearest_normal(wall, &(struct scree_nearest){0, normal_of(wall, p)});
    const struct scree_vec3 foot = scree_vec3_add_scaled(from, place / own->length, scree_vec3_sub(to, from));
    add(finder, scree_convex_feature_make(SCREE_CONVEX_EDGES, number, 0), foot, away, gap, reach - smooth,
        gap / smooth);
}

// --- ends

// A plane that closes an end pushes corners back from any depth. As long as a body is beyond the end by less
// than this share of its reach, which is more than the default limit of overlaps at planes, the wall goes on.
static const double beyond = 0.25;

// Whether the wall goes on beyond an end for a body: a cylinder does if it spans a periodic cell, or if the
// centre of the body is between the ends. A cone would close its own mouth.
static bool goes_on(const struct scree_wall *wall, struct scree_vec3 position, int end, bool spans)
{
    const double up = scree_nearest_to_local(wall, position).z;
    return wall->shape == SCREE_WALL_CYLINDER &&
           (spans || (end == 0 ? up >= -wall->size[2] : up <= wall->size[2]));
}

size_t scree_outside_round_find(const struct scree_convex_body *body, struct scree_vec3 position,
                                const struct scree_wall *wall, bool spans,
                                struct scree_convex_contact *contact, size_t capacity)
{
    struct finder finder = {
        .body = body, .wall = wall, .position = position, .contact = contact, .capacity = capacity};
    for (int end = 0; end < 2; ++end)
        finder.goes_on[end] = goes_on(wall, position, end, spans);
    // in two dimensions a cylinder along z is a circle, which is solid for bodies outside of it
    const bool solid = body->shape->dimension == 2 && wall->shape == SCREE_WALL_CYLINDER &&
                       height_of(wall, scree_nearest_to_local(wall, position)) > 0;
    if (solid || (wall->shape == SCREE_WALL_SPHERE && wall->side == SCREE_WALL_OUTSIDE))
        return scree_convex_sphere_contact(body, scree_vec3_sub(scree_vec3_load(wall->reference), position),
                                           wall->size[0], contact);
    find_vertices(&finder);
    for (uint32_t e = 0; e < body->shape->edges && wall->shape != SCREE_WALL_SPHERE; ++e)
        find_edge(&finder, e);
    return finder.count;
}

// --- rims

// The core of a body, in the axes of the wall.
struct extent {
    double lower, upper, farthest; // farthest from the axis
};

static struct extent extent_of(const struct scree_convex_body *body, struct scree_vec3 position,
                               const struct scree_wall *wall)
{
    struct extent extent = {(double)INFINITY, -(double)INFINITY, 0};
    for (uint32_t v = 0; v < body->shape->vertices; ++v) {
        const struct scree_vec3 p = scree_nearest_to_local(
            wall, scree_vec3_add(position, scree_mat3_apply(body->rotation, body->shape->vertex[v])));
        extent.lower = scree_real_min(extent.lower, p.z);
        extent.upper = scree_real_max(extent.upper, p.z);
        extent.farthest = scree_real_max(extent.farthest, to_axis(p));
    }
    return extent;
}

// How far a core is beyond an end if its centre is not; otherwise how far it is back across the end, with the
// rounding. Of a core that is not beyond the end, no edge or face is nearer to the rim than to the wall.
static double passed_end(const struct extent *extent, double rounding, int end, double at, double centre)
{
    const bool inside = end == 0 ? centre >= at : centre <= at;
    if (end == 0)
        return inside ? at - extent->lower : extent->upper + rounding - at;
    return inside ? extent->upper - at : at - (extent->lower - rounding);
}

bool scree_outside_round_at_rim(const struct scree_convex_body *body, struct scree_vec3 position,
                                const struct scree_wall *wall, bool spans)
{
    if ((wall->shape != SCREE_WALL_CYLINDER && wall->shape != SCREE_WALL_CONE) || spans)
        return false;
    const struct extent extent = extent_of(body, position, wall);
    const struct scree_vec3 centre = scree_nearest_to_local(wall, position);
    const double reach = body->shape->radius + body->rounding;
    for (int end = 0; end < 2; ++end) {
        const double at = end == 0 ? -wall->size[2] : wall->size[2], out = to_axis(centre) - wall->size[end],
                     up = centre.z - at, most = goes_on(wall, position, end, spans) ? beyond * reach : 0;
        if (out * out + up * up < reach * reach && extent.farthest + body->rounding > wall->size[end] &&
            passed_end(&extent, body->rounding, end, at, centre.z) > most)
            return true;
    }
    return false;
}
