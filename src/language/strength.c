// Strengths of bonds, see strength.h.

#include "language/strength.h"

#include "math/power.h"
#include "math/trigonometry.h"

#include <math.h>

// draws of a normal distribution before its mean is taken: at least every second one is above 0
enum { ATTEMPTS = 64 };

// The key of a section with a name.
static enum scree_key_id key_of(enum scree_section section, const char *name)
{
    return (enum scree_key_id)(scree_key_find(section, name) - scree_key_rows);
}

// Distributions with two named parameters.
static const struct {
    const char *name;
    enum scree_strength_kind kind;
    const char *parameter[2];
} densities[] = {
    {"normal", SCREE_STRENGTH_NORMAL, {"mean", "deviation"}},
    {"weibull", SCREE_STRENGTH_WEIBULL, {"scale", "shape"}},
};

static bool read_uniform(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         struct scree_strength *strength)
{
    double *p = strength->parameter;
    strength->kind = SCREE_STRENGTH_UNIFORM;
    if (!scree_reading_value(reading, map, key, p))
        return false;
    return p[1] > p[0] ||
           scree_reading_report(reading, scree_reading_node(map, key),
                                "the larger strength must come last, not %g after %g", p[1], p[0]);
}

bool scree_strength_read(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         struct scree_strength *strength)
{
    const struct scree_node *node = scree_reading_node(map, key);
    const enum scree_section section = scree_key_section(scree_key_rows[key].set);
    *strength = (struct scree_strength){.kind = SCREE_STRENGTH_EQUAL};
    if (!node)
        return true;
    if (node->kind != SCREE_NODE_MAP)
        return scree_reading_number(reading, map, key, &strength->parameter[0]);
    if (scree_reading_has(node, key_of(section, "uniform")))
        return read_uniform(reading, node, key_of(section, "uniform"), strength);
    for (size_t d = 0; d < sizeof densities / sizeof densities[0]; ++d) {
        const enum scree_key_id density = key_of(section, densities[d].name);
        const struct scree_node *inner = scree_reading_node(node, density);
        const enum scree_section of = scree_key_section(scree_key_rows[density].set);
        if (!inner)
            continue;
        strength->kind = densities[d].kind;
        return scree_reading_number(reading, inner, key_of(of, densities[d].parameter[0]),
                                    &strength->parameter[0]) &&
               scree_reading_number(reading, inner, key_of(of, densities[d].parameter[1]),
                                    &strength->parameter[1]);
    }
    return false;
}

// A value of the normal distribution by Box and Muller, "A note on the generation of random normal deviates",
// 1958.
static double draw_normal(const double parameter[2], const double uniform[2])
{
    const double size = sqrt(-2 * scree_log(uniform[0]));
    return parameter[0] + parameter[1] * (size * scree_cos(2 * SCREE_PI * uniform[1]));
}

double scree_strength_draw(const struct scree_strength *strength, struct scree_random_key key, uint64_t first,
                           uint64_t second, uint64_t draw)
{
    const double *p = strength->parameter;
    double uniform[2];
    if (strength->kind == SCREE_STRENGTH_EQUAL)
        return p[0];
    for (uint64_t attempt = 0; attempt < ATTEMPTS; ++attempt) {
        for (uint64_t k = 0; k < 2; ++k)
            uniform[k] = scree_random_uniform(key, first, second, 2 * (ATTEMPTS * draw + attempt) + k);
        if (strength->kind == SCREE_STRENGTH_UNIFORM)
            return p[0] + (p[1] - p[0]) * uniform[0];
        if (strength->kind == SCREE_STRENGTH_WEIBULL)
            return p[0] * scree_pow(-scree_log(uniform[0]), 1 / p[1]);
        const double value = draw_normal(p, uniform);
        if (value > 0)
            return value;
    }
    return p[0];
}
