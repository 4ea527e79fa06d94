// Orders of accuracy, see order.h.

#include "support/order.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

struct scree_order scree_order_measure(scree_order_error *error, void *context, size_t steps)
{
    struct scree_order measured;
    for (int k = 0; k <= SCREE_ORDER_HALVINGS; ++k)
        measured.error[k] = error(context, steps << k);
    for (int k = 0; k < SCREE_ORDER_HALVINGS; ++k)
        measured.order[k] = log2(measured.error[k] / measured.error[k + 1]);
    return measured;
}

void scree_order_assert(const struct scree_order *measured, double expected, const char *what)
{
    const double *e = measured->error, *p = measured->order;
    if (!(fabs(p[2] - expected) < 0.1 && fabs(p[3] - expected) < 0.1))
        fail_msg("%s: order %g expected; errors %.3e %.3e %.3e %.3e %.3e, orders %.3f %.3f %.3f %.3f", what,
                 expected, e[0], e[1], e[2], e[3], e[4], p[0], p[1], p[2], p[3]);
}

void scree_order_check(scree_order_error *error, void *context, size_t steps, double expected,
                       const char *what)
{
    const struct scree_order measured = scree_order_measure(error, context, steps);
    scree_order_assert(&measured, expected, what);
}
