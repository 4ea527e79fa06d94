// Smooth nearest points of two edges, see edges.h.
//
// D^2 is quadratic in each of nine regions: before, in and behind the middle of each edge. Newton's method
// goes from region to region, and ends after one or two of them with few exceptions; then all nine are tried.

#include "convex/edges.h"

// Terms that all regions have.
struct pair {
    const struct scree_convex_segment *a, *b;
    double cosine, along[2]; // of the directions; of the difference of the starts along them
    struct scree_vec3 start; // the difference
};

static struct pair pair_of(const struct scree_convex_segment *a, const struct scree_convex_segment *b)
{
    const struct scree_vec3 w = scree_vec3_sub(a->start, b->start);
    return (struct pair){.a = a,
                         .b = b,
                         .cosine = scree_vec3_dot(a->direction, b->direction),
                         .along = {scree_vec3_dot(a->direction, w), scree_vec3_dot(b->direction, w)},
                         .start = w};
}

// The minimum of the quadratic form of a region; -1 is the zone at the start, 1 that at the end.
static inline void minimum_of(const struct pair *pair, const int region[2], double place[2])
{
    const struct scree_convex_segment *a = pair->a, *b = pair->b;
    double diagonal[2], right[2];
    for (int k = 0; k < 2; ++k) {
        const struct scree_convex_segment *s = k == 0 ? a : b;
        const double steep = region[k] == 0 ? 0 : s->steep;
        diagonal[k] = 1 + s->slow + steep;
        right[k] = (k == 0 ? -pair->along[0] : pair->along[1]) + s->slow * (0.5 * s->length) +
                   steep * (region[k] < 0 ? s->zone : s->length - s->zone);
    }
    const double inverse = 1 / (diagonal[0] * diagonal[1] - pair->cosine * pair->cosine);
    place[0] = (diagonal[1] * right[0] + pair->cosine * right[1]) * inverse;
    place[1] = (diagonal[0] * right[1] + pair->cosine * right[0]) * inverse;
}

static int region_of(const struct scree_convex_segment *s, double place)
{
    return place < s->zone ? -1 : place > s->length - s->zone ? 1 : 0;
}

static double slow_penalty(const struct scree_convex_segment *s, double place)
{
    const double middle = place - 0.5 * s->length;
    return s->slow * middle * middle;
}

static double penalty(const struct scree_convex_segment *s, double place)
{
    const double before = s->zone - place, behind = place - (s->length - s->zone);
    const double depth = scree_real_max(scree_real_max(before, behind), 0);
    return slow_penalty(s, place) + s->steep * depth * depth;
}

static double distance_squared(const struct pair *pair, const double place[2])
{
    const struct scree_vec3 x = scree_vec3_add_scaled(pair->start, place[0], pair->a->direction);
    return scree_vec3_norm_squared(scree_vec3_add_scaled(x, -place[1], pair->b->direction));
}

static double value_at(const struct pair *pair, const double place[2])
{
    return distance_squared(pair, place) + penalty(pair->a, place[0]) + penalty(pair->b, place[1]);
}

static void try_all_regions(const struct pair *pair, double place[2])
{
    double best = (double)INFINITY;
    for (int n = 0; n < 9; ++n) {
        const int region[2] = {n / 3 - 1, n % 3 - 1};
        double at[2];
        minimum_of(pair, region, at);
        const double value = value_at(pair, at);
        if (value < best) {
            best = value;
            place[0] = at[0];
            place[1] = at[1];
        }
    }
}

static double clamp(double x, double most)
{
    return x < 0 ? 0 : x > most ? most : x;
}

// Whether the segments are at least `reach` apart, from the minimum of the middle region (Ericson, Real-time
// collision detection, section 5.1.9). The penalty at the ends is the square of the reach, so the minimum of
// D^2 is within the segments if it is below.
static bool are_apart(const struct pair *pair, const double place[2], double reach)
{
    double at[2];
    at[1] = clamp(pair->along[1] + pair->cosine * clamp(place[0], pair->a->length), pair->b->length);
    at[0] = clamp(pair->cosine * at[1] - pair->along[0], pair->a->length);
    return distance_squared(pair, at) >= reach * reach;
}

// Whether a segment ends at least `reach` before the other begins, along the direction of the other. `start`
// is the place of its start along this direction, `extent` its length times the cosine.
static bool is_beyond(double start, double extent, double length, double reach)
{
    const double end = start + extent;
    return scree_real_max(start, end) <= -reach || scree_real_min(start, end) >= length + reach;
}

bool scree_convex_edges(const struct scree_convex_segment *a, const struct scree_convex_segment *b,
                        double reach, double *square, double place[2])
{
    const struct pair pair = pair_of(a, b);
    int region[2] = {0, 0};
    if (is_beyond(-pair.along[0], pair.cosine * b->length, a->length, reach) ||
        is_beyond(pair.along[1], pair.cosine * a->length, b->length, reach))
        return false;
    minimum_of(&pair, region, place);
    // a lower bound: without the zones at the ends
    if (distance_squared(&pair, place) + slow_penalty(a, place[0]) + slow_penalty(b, place[1]) >=
        reach * reach)
        return false;
    if ((place[0] < 0 || place[0] > a->length || place[1] < 0 || place[1] > b->length) &&
        are_apart(&pair, place, reach))
        return false;
    for (int round = 0;; ++round) {
        const int next[2] = {region_of(a, place[0]), region_of(b, place[1])};
        if (next[0] == region[0] && next[1] == region[1])
            break;
        if (round == 4) {
            try_all_regions(&pair, place);
            break;
        }
        region[0] = next[0];
        region[1] = next[1];
        minimum_of(&pair, region, place);
    }
    *square = value_at(&pair, place);
    return *square < reach * reach;
}
