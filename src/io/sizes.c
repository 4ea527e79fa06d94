// Distributions of sizes, see sizes.h.

#include "io/sizes.h"

#include "math/power.h"

#include <math.h>
#include <string.h>

enum { PARTS = 4 * SCREE_SIZES_ROWS };

void scree_sizes_equal(struct scree_sizes *sizes, double radius)
{
    sizes->least = sizes->most = radius;
    for (int k = 0; k <= SCREE_SIZES_ROWS; ++k)
        sizes->quantile[k] = radius;
}

static double density(enum scree_sizes_kind kind, const double parameter[2], double radius)
{
    double x;
    switch (kind) {
    case SCREE_SIZES_NORMAL:
        x = (radius - parameter[0]) / parameter[1];
        return scree_exp(-0.5 * x * x);
    case SCREE_SIZES_LOGNORMAL:
        x = scree_log(radius / parameter[0]) / parameter[1];
        return scree_exp(-0.5 * x * x) / radius;
    case SCREE_SIZES_WEIBULL:
        x = radius / parameter[0];
        return scree_pow(x, parameter[1] - 1) * scree_exp(-scree_pow(x, parameter[1]));
    default:
        return 1;
    }
}

void scree_sizes_spread(struct scree_sizes *sizes, enum scree_sizes_kind kind, const double parameter[2],
                        double least, double most, bool by_mass, int dimension)
{
    // shares up to the end of each part, by the rule of the midpoint
    double sum[PARTS + 1] = {0};
    const double width = (most - least) / PARTS;
    for (int k = 0; k < PARTS; ++k) {
        const double radius = least + (k + 0.5) * width;
        const double mass = dimension == 2 ? radius * radius : radius * radius * radius;
        sum[k + 1] = sum[k] + density(kind, parameter, radius) / (by_mass ? mass : 1);
    }
    sizes->least = least;
    sizes->most = most;
    for (int row = 0, part = 0; row <= SCREE_SIZES_ROWS; ++row) {
        const double share = sum[PARTS] * row / SCREE_SIZES_ROWS;
        while (part < PARTS - 1 && sum[part + 1] < share)
            ++part;
        const double inside =
            sum[part + 1] > sum[part] ? (share - sum[part]) / (sum[part + 1] - sum[part]) : 0;
        const double radius = least + (part + (inside < 1 ? inside : 1)) * width;
        sizes->quantile[row] = radius < most ? radius : most;
    }
}

double scree_sizes_draw(const struct scree_sizes *sizes, double u)
{
    const double row = u * SCREE_SIZES_ROWS;
    const int k = row < SCREE_SIZES_ROWS ? (int)row : SCREE_SIZES_ROWS - 1;
    return sizes->quantile[k] + (row - k) * (sizes->quantile[k + 1] - sizes->quantile[k]);
}
