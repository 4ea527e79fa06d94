// Volume of the intersection of a ball with a region, see cut.h.

#include "measure/cut.h"

#include "math/real.h"
#include "math/trigonometry.h"

#include <math.h>
#include <stdbool.h>

static double root(double square)
{
    return sqrt(scree_real_max(square, 0));
}

// The angle from the first axis to (x, y), for y >= 0; well conditioned everywhere.
static double angle(double x, double y)
{
    const double length = sqrt(x * x + y * y);
    if (!(length > 0))
        return 0;
    if (y >= fabs(x))
        return scree_acos(x / length);
    return x > 0 ? scree_asin(y / length) : SCREE_PI - scree_asin(y / length);
}

double scree_cut_ball_volume(int dimension, double radius)
{
    const double area = SCREE_PI * radius * radius;
    return dimension == 2 ? area : area * radius * 4 / 3;
}

// --- boxes: the parts of the unit ball and unit disk beyond planes at given distances from the centre

static double beyond_one(int dimension, double a)
{
    if (a >= 1)
        return 0;
    if (a <= -1)
        return scree_cut_ball_volume(dimension, 1);
    return dimension == 2 ? angle(a, root(1 - a * a)) - a * root(1 - a * a)
                          : SCREE_PI / 3 * (1 - a) * (1 - a) * (2 + a);
}

// The part of a disk beyond two perpendicular lines at distances a, b >= 0, which intersect in the disk.
static double corner_of_disk(double square, double a, double b)
{
    const double x = root(square - b * b), y = root(square - a * a);
    const double turn = scree_real_max(angle(a, y) - angle(x, b), 0);
    return 0.5 * (square * turn - a * (y - b) - b * (x - a));
}

static double beyond_two(int dimension, double a, double b)
{
    if (a < 0)
        return beyond_one(dimension, b) - beyond_two(dimension, -a, b);
    if (b < 0)
        return beyond_one(dimension, a) - beyond_two(dimension, a, -b);
    const double c_squared = 1 - a * a - b * b;
    if (c_squared <= 0)
        return 0;
    if (dimension == 2)
        return corner_of_disk(1, a, b);
    // two arcs, which intersect twice
    const double c = sqrt(c_squared), outer = SCREE_PI - angle(a * b, c);
    const double turn_a = 2 * angle(b, c), turn_b = 2 * angle(a, c);
    const double area_a = 0.5 * (b * b + c_squared) * turn_a - b * c;
    const double area_b = 0.5 * (a * a + c_squared) * turn_b - a * c;
    const double sphere = 2 * SCREE_PI - 2 * outer - a * turn_a - b * turn_b;
    return (sphere - a * area_a - b * area_b) / 3;
}

static double beyond_three(double a, double b, double c)
{
    if (a < 0)
        return beyond_two(3, b, c) - beyond_three(-a, b, c);
    if (b < 0)
        return beyond_two(3, a, c) - beyond_three(a, -b, c);
    if (c < 0)
        return beyond_two(3, a, b) - beyond_three(a, b, -c);
    const double x = root(1 - b * b - c * c), y = root(1 - a * a - c * c), z = root(1 - a * a - b * b);
    if (a * a + b * b + c * c >= 1)
        return 0;
    // three arcs, each between its intersections with the two others
    const double turn_a = angle(b, z) - angle(y, c), turn_b = angle(c, x) - angle(z, a);
    const double turn_c = angle(a, y) - angle(x, b);
    const double outer = 3 * SCREE_PI - angle(a * b, z) - angle(a * c, y) - angle(b * c, x);
    const double sphere = 2 * SCREE_PI - outer - a * turn_a - b * turn_b - c * turn_c;
    const double flat = a * corner_of_disk(1 - a * a, b, c) + b * corner_of_disk(1 - b * b, a, c) +
                        c * corner_of_disk(1 - c * c, a, b);
    return (sphere - flat) / 3;
}

double scree_cut_box(int dimension, const double centre[3], double radius, const double lower[3],
                     const double upper[3])
{
    double bound[3][2], sum = 0;
    bool whole = true;
    for (int k = 0; k < dimension; ++k) {
        bound[k][0] = (lower[k] - centre[k]) / radius;
        bound[k][1] = (upper[k] - centre[k]) / radius;
        whole = whole && bound[k][0] <= -1 && bound[k][1] >= 1;
        if (bound[k][0] >= 1 || bound[k][1] <= -1)
            return 0;
    }
    if (whole)
        return scree_cut_ball_volume(dimension, radius);
    for (unsigned corner = 0; corner < (dimension == 2 ? 4u : 8u); ++corner) {
        const double a = bound[0][corner & 1], b = bound[1][corner >> 1 & 1];
        const unsigned uppers = (corner & 1) + (corner >> 1 & 1) + (corner >> 2 & 1);
        const double part = dimension == 2 ? beyond_two(2, a, b) : beyond_three(a, b, bound[2][corner >> 2]);
        sum += uppers % 2 == 0 ? part : -part;
    }
    return scree_real_max(sum, 0) * (dimension == 2 ? radius * radius : radius * radius * radius);
}

// --- balls and cylinders

double scree_cut_ball(int dimension, double radius, double other, double distance)
{
    const double smaller = radius < other ? radius : other;
    if (distance >= radius + other)
        return 0;
    if (distance <= fabs(radius - other))
        return scree_cut_ball_volume(dimension, smaller);
    const double sum = radius + other, difference = radius - other;
    if (dimension == 3)
        return SCREE_PI * (sum - distance) * (sum - distance) *
               (distance * distance + 2 * distance * sum - 3 * difference * difference) / (12 * distance);
    // distances of the chord from both centres, and half its length
    const double first = (distance * distance + sum * difference) / (2 * distance), second = distance - first;
    const double half =
        root((sum - distance) * (sum + distance) * (distance - difference) * (distance + difference)) /
        (2 * distance);
    return scree_real_max(
        radius * radius * angle(first, half) + other * other * angle(second, half) - distance * half, 0);
}

// Points and weights of the 20-point Gauss-Legendre rule; the other half by symmetry.
static const double gauss[10][2] = {
    {0.9931285991850949248, 0.01761400713915211831}, {0.9639719272779137913, 0.04060142980038694133},
    {0.9122344282513259059, 0.06267204833410906357}, {0.8391169718222188234, 0.08327674157670474872},
    {0.7463319064601507926, 0.101930119817240435},   {0.6360536807265150255, 0.1181945319615184173},
    {0.510867001950827098, 0.1316886384491766269},   {0.3737060887154195607, 0.1420961093183820513},
    {0.2277858511416450781, 0.1491729864726037468},  {0.07652652113349733375, 0.1527533871307258507},
};

// Integrates over heights between which the intersection of the circles does not change its type. The
// substitution z(t), quadratic at both ends, removes the square-root singularities of the area there.
static double integrate(double radius, double other, double axis_distance, double from, double to)
{
    double sum = 0;
    for (int k = 0; k < 20; ++k) {
        const double t = 0.5 + (k % 2 ? 0.5 : -0.5) * gauss[k / 2][0];
        const double z = from + (to - from) * t * t * (3 - 2 * t);
        const double area = scree_cut_ball(2, root(radius * radius - z * z), other, axis_distance);
        sum += gauss[k / 2][1] * area * 3 * t * (1 - t);
    }
    return sum * (to - from);
}

double scree_cut_cylinder(double radius, double other, double height, double along, double axis_distance)
{
    const double bottom = scree_real_max(-radius, -along);
    const double top = height - along < radius ? height - along : radius;
    if (bottom >= top || axis_distance >= radius + other)
        return 0;
    if (axis_distance + radius <= other && bottom <= -radius && top >= radius)
        return scree_cut_ball_volume(3, radius);
    // heights where the circles touch from inside or from outside
    const double touch[2] = {root(radius * radius - (axis_distance + other) * (axis_distance + other)),
                             root(radius * radius - (axis_distance - other) * (axis_distance - other))};
    const double ends[6] = {bottom, -touch[1], -touch[0], touch[0], touch[1], top};
    double sum = 0, from = bottom;
    for (int e = 1; e < 6; ++e) {
        const double to = ends[e] < top ? ends[e] : top;
        if (to > from) {
            sum += integrate(radius, other, axis_distance, from, to);
            from = to;
        }
    }
    return sum;
}
