// Tables of quantities as texts, see quantity_text.h.

#include "support/quantity_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

void scree_quantities_valid(scree_quantity_reader *read, const struct scree_valid_quantity *row, size_t count,
                            double tolerance)
{
    for (size_t r = 0; r < count; ++r) {
        struct scree_quantity q;
        struct scree_parse_error error = {0};
        if (!read(row[r].text, &q, &error))
            fail_msg("'%s': %zu %s", row[r].text, error.at, error.message);
        if (!(fabs(q.value - row[r].value) <= tolerance * fabs(row[r].value)) ||
            !scree_dimension_equal(q.dimension, scree_quantity_dimension(row[r].unit)))
            fail_msg("'%s' is %.17g", row[r].text, q.value);
    }
}

void scree_quantities_refused(scree_quantity_reader *read, const struct scree_invalid_quantity *row,
                              size_t count)
{
    for (size_t r = 0; r < count; ++r) {
        struct scree_quantity q;
        struct scree_parse_error error = {0};
        assert_false(read(row[r].text, &q, &error));
        if (error.at != row[r].at || !strstr(error.message, row[r].what))
            fail_msg("'%s': %zu %s", row[r].text, error.at, error.message);
    }
}
