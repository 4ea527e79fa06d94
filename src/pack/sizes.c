// Size distributions, see sizes.h.

#include "pack/sizes.h"

#include "math/power.h"
#include "math/real.h"

#include <math.h>

void scree_sizes_equal(struct scree_sizes *sizes, double radius)
{
    sizes->smallest = sizes->largest = sizes->from[0] = sizes->to[0] = radius;
    sizes->pieces = 1;
    sizes->share[0] = 0;
    sizes->share[1] = 1;
}

// Divides a share by mass into one by number: mass relative to the smallest body, 1 if shares are by number.
static double relative_mass(const struct scree_sizes *sizes, double radius, bool by_mass, int dimension)
{
    const double ratio = radius / sizes->smallest, area = ratio * ratio;
    return !by_mass ? 1 : dimension == 2 ? area : area * ratio;
}

// Adds an interval with an unnormalised share; end_pieces divides by the sum.
static void add_piece(struct scree_sizes *sizes, double from, double to, double amount)
{
    const int k = sizes->pieces++;
    sizes->from[k] = from;
    sizes->to[k] = to;
    sizes->share[k + 1] = sizes->share[k] + amount;
}

static void begin_pieces(struct scree_sizes *sizes, double smallest, double largest)
{
    sizes->smallest = smallest;
    sizes->largest = largest;
    sizes->pieces = 0;
    sizes->share[0] = 0;
}

static void end_pieces(struct scree_sizes *sizes)
{
    const double total = sizes->share[sizes->pieces];
    for (int k = 1; k <= sizes->pieces; ++k)
        sizes->share[k] /= total;
}

// Boundary `k` of `count` intervals in geometric progression.
static double edge(double smallest, double largest, int k, int count)
{
    return k == 0       ? smallest
           : k == count ? largest
                        : smallest * scree_pow(largest / smallest, (double)k / count);
}

// --- densities

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
                        double smallest, double largest, bool by_mass, int dimension)
{
    begin_pieces(sizes, smallest, largest);
    for (int k = 0; k < SCREE_SIZES_PIECES; ++k) {
        // midpoint rule
        const double from = edge(smallest, largest, k, SCREE_SIZES_PIECES);
        const double to = edge(smallest, largest, k + 1, SCREE_SIZES_PIECES), middle = 0.5 * (from + to);
        add_piece(sizes, from, to,
                  (to - from) * density(kind, parameter, middle) /
                      relative_mass(sizes, middle, by_mass, dimension));
    }
    end_pieces(sizes);
}

// --- tables

void scree_sizes_sieve(struct scree_sizes *sizes, const double (*row)[2], size_t rows, bool by_mass,
                       int dimension)
{
    const int intervals = SCREE_SIZES_PIECES / (int)(rows - 1);
    begin_pieces(sizes, 0.5 * row[0][0], 0.5 * row[rows - 1][0]);
    for (size_t r = 0; r + 1 < rows; ++r)
        for (int k = 0; k < intervals; ++k) {
            // geometric intervals between two sieves have equal shares
            const double from = 0.5 * edge(row[r][0], row[r + 1][0], k, intervals);
            const double to = 0.5 * edge(row[r][0], row[r + 1][0], k + 1, intervals);
            add_piece(sizes, from, to,
                      (row[r + 1][1] - row[r][1]) / intervals /
                          relative_mass(sizes, 0.5 * (from + to), by_mass, dimension));
        }
    end_pieces(sizes);
}

void scree_sizes_classes(struct scree_sizes *sizes, const double (*row)[2], size_t rows, bool by_mass,
                         int dimension)
{
    begin_pieces(sizes, row[0][0], row[rows - 1][0]);
    for (size_t r = 0; r < rows; ++r)
        add_piece(sizes, row[r][0], row[r][0],
                  row[r][1] / relative_mass(sizes, row[r][0], by_mass, dimension));
    end_pieces(sizes);
}

double scree_sizes_volume(const struct scree_sizes *sizes, int dimension)
{
    double volume = 0;
    for (int k = 0; k < sizes->pieces; ++k) {
        // means of r^2 or r^3 over a uniform radius
        const double a = sizes->from[k], b = sizes->to[k];
        const double mean =
            dimension == 2 ? (a * a + a * b + b * b) / 3 : (a + b) * (a * a + b * b) / 4 * (4.0 / 3);
        volume += SCREE_PI * mean * (sizes->share[k + 1] - sizes->share[k]);
    }
    return volume;
}

double scree_sizes_draw(const struct scree_sizes *sizes, double u)
{
    // bisection: the last interval with its start below u
    int low = 0, high = sizes->pieces - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (sizes->share[middle] < u)
            low = middle;
        else
            high = middle - 1;
    }
    const double width = sizes->share[low + 1] - sizes->share[low];
    const double relative = width > 0 ? (u - sizes->share[low]) / width : 0;
    const double radius = sizes->from[low] + relative * (sizes->to[low] - sizes->from[low]);
    return radius < sizes->largest ? radius : sizes->largest;
}
