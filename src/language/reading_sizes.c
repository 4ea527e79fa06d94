// Reads distributions of sizes, see reading.h and pack/sizes.h.

#include "language/reading.h"
#include "math/power.h"
#include "pack/sizes.h"

#include <math.h>

// largest radius over smallest radius
static const double most_ratio = 1e6;
// fractions are written rounded
static const double fraction_error = 1e-3;

// Parameters of a density, and the radii at which it is cut off.
struct spread {
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
static void cut_off(struct spread *spread)
{
    const double *p = spread->parameter;
    if (spread->kind == SCREE_SIZES_NORMAL) {
        const double least = p[0] - 3 * p[1];
        spread->least = least > 0.05 * p[0] ? least : 0.05 * p[0];
        spread->most = p[0] + 3 * p[1];
    } else if (spread->kind == SCREE_SIZES_LOGNORMAL) {
        const double factor = scree_exp(3 * p[1]);
        spread->least = p[0] / factor;
        spread->most = p[0] * factor;
    } else {
        spread->least = 0.05 * p[0];
        // 0.1 % = exp(-6.907...) of the distribution is larger
        spread->most = p[0] * scree_pow(6.907755278982137, 1 / p[1]);
    }
}

static bool read_density(struct scree_reading *reading, const struct scree_node *map, struct spread *spread)
{
    double *p = spread->parameter;
    if (scree_reading_has(map, SCREE_KEY_sizes_uniform)) {
        spread->kind = SCREE_SIZES_UNIFORM;
        if (!scree_reading_value(reading, map, SCREE_KEY_sizes_uniform, p))
            return false;
        spread->least = p[0];
        spread->most = p[1];
        return true;
    }
    for (size_t d = 0; d < sizeof densities / sizeof densities[0]; ++d) {
        const struct scree_node *node = scree_reading_node(map, densities[d].section);
        if (!node)
            continue;
        spread->kind = densities[d].kind;
        if (!scree_reading_number(reading, node, densities[d].parameter[0], &p[0]) ||
            !scree_reading_number(reading, node, densities[d].parameter[1], &p[1]))
            return false;
        cut_off(spread);
        return true;
    }
    return false;
}

static bool check_ratio(struct scree_reading *reading, const struct scree_node *node, double least,
                        double most)
{
    if (most / least <= most_ratio)
        return true;
    return scree_reading_report(
        reading, node, "the largest radius must be at most %g times the smallest, but they are %g m and %g m",
        most_ratio, most, least);
}

static bool read_spread(struct scree_reading *reading, const struct scree_node *node,
                        struct scree_sizes *sizes, bool by_mass)
{
    struct spread spread = {0};
    double limits[2];
    if (!read_density(reading, node, &spread))
        return false;
    if (scree_reading_has(node, SCREE_KEY_sizes_limits)) {
        if (!scree_reading_value(reading, node, SCREE_KEY_sizes_limits, limits))
            return false;
        const bool uniform = spread.kind == SCREE_SIZES_UNIFORM;
        spread.least = limits[0] > spread.least || !uniform ? limits[0] : spread.least;
        spread.most = limits[1] < spread.most || !uniform ? limits[1] : spread.most;
    }
    if (!(spread.least > 0 && spread.most > spread.least))
        return scree_reading_report(
            reading, node,
            "the smallest radius must be above 0 and below the largest one, but they are %g m and %g m",
            spread.least, spread.most);
    if (!check_ratio(reading, node, spread.least, spread.most))
        return false;
    scree_sizes_spread(sizes, spread.kind, spread.parameter, spread.least, spread.most, by_mass,
                       reading->dimension);
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
    if (!(row[rows - 1][1] >= 1 - fraction_error))
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
    if (!(fabs(sum - 1) <= fraction_error))
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
    const double(*const read)[2] = (const double(*)[2])row;
    if (!(curve ? check_curve(reading, node, read, rows) : check_classes(reading, node, read, rows)))
        return false;
    (curve ? scree_sizes_sieve : scree_sizes_classes)(sizes, read, rows, by_mass, reading->dimension);
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
               : read_spread(reading, node, sizes, by == 1);
}
