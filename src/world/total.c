// Totals that do not depend on the order of additions, see total.h.

#include "world/total.h"

#include "math/exact.h"

#include <math.h>

enum { REST = SCREE_TOTAL_REST, PARTS = REST + 2 };

void scree_total_add(struct scree_total *total, double value)
{
    // from the smallest to the largest
    double part[PARTS];
    struct scree_exact sum = {value, 0};
    for (int k = 0; k < REST; ++k) {
        sum = scree_exact_sum(total->rest[REST - 1 - k], sum.hi);
        part[k] = sum.lo;
    }
    sum = scree_exact_sum(total->value, sum.hi);
    part[REST] = sum.lo;
    part[REST + 1] = sum.hi;
    if (!isfinite(sum.hi)) {
        *total = (struct scree_total){.value = total->value + value};
        return;
    }
    // closes gaps between the parts, downwards, then upwards
    double bottom[PARTS];
    int count = 0;
    double largest = part[PARTS - 1];
    for (int k = PARTS - 2; k >= 0; --k) {
        sum = scree_exact_sum(largest, part[k]);
        largest = sum.hi;
        if (sum.lo != 0) {
            bottom[count++] = sum.hi;
            largest = sum.lo;
        }
    }
    // `largest` is the smallest now
    double lower[PARTS];
    int left = 0;
    for (int k = count - 1; k >= 0; --k) {
        sum = scree_exact_sum(bottom[k], largest);
        largest = sum.hi;
        if (sum.lo != 0)
            lower[left++] = sum.lo;
    }
    total->value = largest;
    for (int k = 0; k < REST; ++k)
        total->rest[k] = k < left ? lower[left - 1 - k] : 0;
}

void scree_total_add_sum(struct scree_total *total, const struct scree_sum *sum, double factor)
{
    double value = scree_sum_value(sum);
    if (factor == 0 || value == 0)
        return;
    struct scree_sum left = *sum;
    for (; value != 0 && isfinite(value); value = scree_sum_value(&left)) {
        scree_total_add(total, factor * value);
        scree_sum_add(&left, -value);
    }
    if (!isfinite(value))
        scree_total_add(total, factor * value);
}

void scree_total_add_total(struct scree_total *total, const struct scree_total *other)
{
    for (int k = REST - 1; k >= 0; --k)
        if (other->rest[k] != 0)
            scree_total_add(total, other->rest[k]);
    if (other->value != 0)
        scree_total_add(total, other->value);
}

void scree_total_enter(const struct scree_total *total, struct scree_sum *sum)
{
    scree_sum_add(sum, total->value);
    for (int k = 0; k < REST; ++k)
        scree_sum_add(sum, total->rest[k]);
}
