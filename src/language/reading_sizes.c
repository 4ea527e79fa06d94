// Reads distributions of sizes, see reading.h and pack/sizes.h.

#include "language/reading.h"
#include "math/power.h"
#include "pack/sizes.h"

#include <math.h>

// of the largest radius to the smallest one
static const double max_ratio = 1e6;
// since scenes give rounded fractions
static const double fraction_tolerance = 1e-3;

// A density with its parameters, and the radii at which it is cut off.
struct distribution {
    enum scree_sizes_kind kind;
    double parameter[2], least, most;
};

// Densities with two parameters: their section, and the keys of the parameters.
static const struct {
    enum scree_key_id section;
    enum scree_sizes_kind kind;
    enum scree_key_id parameter[2];
} densities[] = {
    {SCREE_KEY_sizes_normal, SCREE_SIZES_NORMAL, {SCREE_KEY_normal_mean, SCREE_KEY_normal_deviation}},
    {SCREE_KEY_sizes_lognormal,
     SCREE_SIZES_LOGNORMAL,
     {SCREE_KEY_lognormal_median, SCREE_KEY_lognormal_sigma}},
    {SCREE_KEY_sizes_weibull, SCREE_SIZES_WEIBULL, {SCREE_KEY_weibull_scale, SCREE_KEY_weibull_modulus}},
};

// Sets the radii at which a density is cut off by default.
static void set_default_limits(struct distribution *distribution)
{
    const double *p = distribution->parameter;
    if (distribution->kind == SCREE_SIZES_NORMAL) {
        const double least = p[0] - 3 * p[1];
        distribution->least = least > 0.05 * p[0] ? least : 0.05 * p[0];
        distribution->most = p[0] + 3 * p[1];
    } else if (distribution->kind == SCREE_SIZES_LOGNORMAL) {
        const double factor = scree_exp(3 * p[1]);
        distribution->least = p[0] / factor;
        distribution->most = p[0] * factor;
    } else {
        distribution->least = 0.05 * p[0];
        // 0.1 % = exp(-6.907...) of the distribution is larger
        distribution->most = p[0] * scree_pow(6.907755278982137, 1 / p[1]);
    }
}

static bool read_density(struct scree_reading *reading, const struct scree_node *map,
                         struct distribution *distribution)
{
    double *p = distribution->parameter;
    if (scree_reading_has(map, SCREE_KEY_sizes_uniform)) {
        distribution->kind = SCREE_SIZES_UNIFORM;
        if (!scree_reading_value(reading, map, SCREE_KEY_sizes_uniform, p))
            return false;
        distribution->least = p[0];
        distribution->most = p[1];
        return p[0] < p[1] || scree_reading_report(
                                  reading, scree_reading_node(map, SCREE_KEY_sizes_uniform),
                                  "the smaller radius must come first, then a larger one, not %g m and %g m; "
                                  "equal bodies have a number, as in `radius: 2 mm`",
                                  p[0], p[1]);
    }
    for (size_t d = 0; d < sizeof densities / sizeof densities[0]; ++d) {
        const struct scree_node *node = scree_reading_node(map, densities[d].section);
        if (!node)
            continue;
        distribution->kind = densities[d].kind;
        if (!scree_reading_number(reading, node, densities[d].parameter[0], &p[0]) ||
            !scree_reading_number(reading, node, densities[d].parameter[1], &p[1]))
            return false;
        set_default_limits(distribution);
        return true;
    }
    return false;
}

static bool check_ratio(struct scree_reading *reading, const struct scree_node *node, double least,
                        double most)
{
    if (most / least <= max_ratio)
        return true;
    return scree_reading_report(
        reading, node, "the largest radius must be at most %g times the smallest, but they are %g m and %g m",
        max_ratio, most, least);
}

static bool read_distribution(struct scree_reading *reading, const struct scree_node *node,
                              struct scree_sizes *sizes, bool by_mass)
{
    struct distribution distribution = {0};
    double limits[2];
    if (!read_density(reading, node, &distribution))
        return false;
    if (scree_reading_has(node, SCREE_KEY_sizes_limits)) {
        if (!scree_reading_value(reading, node, SCREE_KEY_sizes_limits, limits))
            return false;
        if (!(limits[0] < limits[1]))
            return scree_reading_report(
                reading, scree_reading_node(node, SCREE_KEY_sizes_limits),
                "the smaller radius must come first, then a larger one, not %g m and %g m", limits[0],
                limits[1]);
        const bool uniform = distribution.kind == SCREE_SIZES_UNIFORM;
        if (uniform && !(limits[0] < distribution.most && limits[1] > distribution.least))
            return scree_reading_report(
                reading, scree_reading_node(node, SCREE_KEY_sizes_limits),
                "no radius of the distribution, from %g m to %g m, is within these limits",
                distribution.least, distribution.most);
        distribution.least = limits[0] > distribution.least || !uniform ? limits[0] : distribution.least;
        distribution.most = limits[1] < distribution.most || !uniform ? limits[1] : distribution.most;
    }
    if (!(distribution.least > 0 && distribution.most > distribution.least))
        return scree_reading_report(
            reading, node,
            "the smallest radius must be above 0 and below the largest one, but they are %g m and %g m",
            distribution.least, distribution.most);
    if (!check_ratio(reading, node, distribution.least, distribution.most))
        return false;
    scree_sizes_spread(sizes, distribution.kind, distribution.parameter, distribution.least,
                       distribution.most, by_mass, reading->dimension);
    return true;
}

// --- tables

// Checks that the first numbers of rows increase, and that the fractions of a sieve curve do not decrease.
static bool check_rows(struct scree_reading *reading, const struct scree_node *node, const double (*row)[2],
                       size_t rows, bool curve)
{
    for (size_t r = 1; r < rows; ++r) {
        if (!(row[r][0] > row[r - 1][0]))
            return scree_reading_report(reading, node->item[r],
                                        curve ? "the openings of the sieves must increase"
                                              : "the radii must increase");
        if (curve && row[r][1] < row[r - 1][1])
            return scree_reading_report(reading, node->item[r], "the fractions passing must not decrease");
    }
    return check_ratio(reading, node, row[0][0], row[rows - 1][0]);
}

static bool check_curve(struct scree_reading *reading, const struct scree_node *node, const double (*row)[2],
                        size_t rows)
{
    if (rows < 2)
        return scree_reading_report(reading, node, "a sieve curve needs at least two sieves");
    if (row[0][1] != 0)
        return scree_reading_report(reading, node->item[0],
                                    "a sieve curve must begin with an opening that nothing passes, at 0 %%");
    if (!(row[rows - 1][1] >= 1 - fraction_tolerance))
        return scree_reading_report(
            reading, node->item[rows - 1],
            "a sieve curve must end with an opening that everything passes, at 100 %%");
    return check_rows(reading, node, row, rows, true);
}

static bool check_classes(struct scree_reading *reading, const struct scree_node *node,
                          const double (*row)[2], size_t rows)
{
    double sum = 0;
    for (size_t r = 0; r < rows; ++r)
        sum += row[r][1];
    if (!(fabs(sum - 1) <= fraction_tolerance))
        return scree_reading_report(
            reading, node, "the fractions of the classes must sum to 100 %%, not %.6g %%", 100 * sum);
    return check_rows(reading, node, row, rows, false);
}

static bool read_table(struct scree_reading *reading, const struct scree_node *map, struct scree_sizes *sizes,
                       bool by_mass)
{
    double row[SCREE_SIZES_ROWS][2];
    size_t rows;
    const bool curve = scree_reading_has(map, SCREE_KEY_sizes_sieve);
    const enum scree_key_id key = curve ? SCREE_KEY_sizes_sieve : SCREE_KEY_sizes_classes;
    const struct scree_node *node = scree_reading_node(map, key);
    if (!scree_reading_table(reading, map, key, row, SCREE_SIZES_ROWS, &rows))
        return false;
    if (scree_reading_has(map, SCREE_KEY_sizes_limits))
        return scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_sizes_limits),
                                    "'limits' cannot be combined with a table: leave out rows instead");
    const double(*const table)[2] = (const double(*)[2])row;
    if (!(curve ? check_curve(reading, node, table, rows) : check_classes(reading, node, table, rows)))
        return false;
    (curve ? scree_sizes_sieve : scree_sizes_classes)(sizes, table, rows, by_mass, reading->dimension);
    return true;
}

bool scree_reading_sizes(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         struct scree_sizes *sizes)
{
    const struct scree_node *node = scree_reading_node(map, key);
    double radius;
    if (node->kind != SCREE_NODE_MAP) {
        if (!scree_reading_number(reading, map, key, &radius))
            return false;
        scree_sizes_equal(sizes, radius);
        return true;
    }
    const bool curve = scree_reading_has(node, SCREE_KEY_sizes_sieve);
    size_t by = curve ? 1 : 0;
    if (scree_reading_has(node, SCREE_KEY_sizes_by) &&
        !scree_reading_word(reading, node, SCREE_KEY_sizes_by, &by))
        return false;
    return curve || scree_reading_has(node, SCREE_KEY_sizes_classes)
               ? read_table(reading, node, sizes, by == 1)
               : read_distribution(reading, node, sizes, by == 1);
}
