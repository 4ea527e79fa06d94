// Exact signs of determinants, see orient.h.

#include "convex/orient.h"

#include "base/sum.h"
#include "math/exact.h"

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

// Adds x y exactly.
static void add_product(struct scree_sum *sum, double x, double y)
{
    const struct scree_exact product = scree_exact_product(x, y);
    scree_sum_add(sum, product.hi);
    scree_sum_add(sum, product.lo);
}

// Adds x y z exactly.
static void add_triple(struct scree_sum *sum, double x, double y, double z)
{
    const struct scree_exact product = scree_exact_product(x, y);
    add_product(sum, product.hi, z);
    add_product(sum, product.lo, z);
}

// Adds factor * a (b cross c) exactly.
static void add_determinant(struct scree_sum *sum, double factor, struct scree_vec3 a, struct scree_vec3 b,
                            struct scree_vec3 c)
{
    add_triple(sum, factor * a.x, b.y, c.z);
    add_triple(sum, -factor * a.x, b.z, c.y);
    add_triple(sum, factor * a.y, b.z, c.x);
    add_triple(sum, -factor * a.y, b.x, c.z);
    add_triple(sum, factor * a.z, b.x, c.y);
    add_triple(sum, -factor * a.z, b.y, c.x);
}

static int exact_orient(struct scree_vec3 a, struct scree_vec3 b, struct scree_vec3 c, struct scree_vec3 d)
{
    struct scree_sum sum = {{0}, {0}, 0, 0};
    add_determinant(&sum, 1, b, c, d);
    add_determinant(&sum, -1, a, c, d);
    add_determinant(&sum, 1, a, b, d);
    add_determinant(&sum, -1, a, b, c);
    return sign_of(scree_sum_value(&sum));
}

int scree_convex_orient(struct scree_vec3 a, struct scree_vec3 b, struct scree_vec3 c, struct scree_vec3 d)
{
    const struct scree_vec3 u = scree_vec3_sub(b, a), v = scree_vec3_sub(c, a), w = scree_vec3_sub(d, a);
    const double xy = u.x * v.y, yx = u.y * v.x, yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x,
                 xz = u.x * v.z;
    const double determinant = w.x * (yz - zy) + w.y * (zx - xz) + w.z * (xy - yx);
    // each product of three has 3 roundings of its factors, 2 of its products, 1 of the difference and 2 of
    // the sum, less than 16 with those of the bound itself
    const double bound = 16 * 0x1p-53 *
                         (fabs(w.x) * (fabs(yz) + fabs(zy)) + fabs(w.y) * (fabs(zx) + fabs(xz)) +
                          fabs(w.z) * (fabs(xy) + fabs(yx)));
    if (fabs(determinant) > bound && bound > 0x1p-960)
        return sign_of(determinant);
    return exact_orient(a, b, c, d);
}

int scree_convex_orient_plane(const double a[2], const double b[2], const double c[2])
{
    const double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
    // 2 roundings of factors, 1 of the product and 1 of the difference
    const double bound = 8 * 0x1p-53 * (fabs(left) + fabs(right));
    if (fabs(left - right) > bound && bound > 0x1p-960)
        return sign_of(left - right);
    struct scree_sum sum = {{0}, {0}, 0, 0};
    add_product(&sum, a[0], b[1]);
    add_product(&sum, -a[1], b[0]);
    add_product(&sum, b[0], c[1]);
    add_product(&sum, -b[1], c[0]);
    add_product(&sum, c[0], a[1]);
    add_product(&sum, -c[1], a[0]);
    return sign_of(scree_sum_value(&sum));
}
