// Reading of reference trajectories, see reference.h. The comments of a table contain J=(...), q0=(...) and
// w_body(0)=(...). Momentum and energy, the last four columns, follow from the others and are not read.

#include "reference.h"

#include "table.h"
#include "verify.h"

#include <math.h>
#include <string.h>

scree_status scree_reference_read(struct scree_report *report, const char *name,
                                  struct scree_reference *reference)
{
    static const char *const columns[] = {"t", "q0", "q1", "q2", "q3", "wbx", "wby", "wbz", "wx", "wy", "wz"};
    struct scree_table table;
    *reference = (struct scree_reference){0};
    SCREE_VERIFY_TRY(scree_table_open(report, name, &table));
    bool good = scree_table_list(&table, "J=(", reference->inertia, 3) &&
                scree_table_list(&table, "q0=(", reference->orientation, 4) &&
                scree_table_list(&table, "w_body(0)=(", reference->body_spin, 3);
    if (!scree_table_list(&table, "body-omega period = ", &reference->period, 1))
        reference->period = 0;
    for (size_t row = 0; row < table.rows; ++row) {
        struct scree_reference_sample *sample = &reference->sample[reference->count++];
        double v[11];
        for (int k = 0; k < 11; ++k) {
            v[k] = scree_table_number(&table, row, columns[k]);
            good = good && !isnan(v[k]);
        }
        sample->time = v[0];
        memcpy(sample->orientation, v + 1, sizeof sample->orientation);
        memcpy(sample->body_spin, v + 5, sizeof sample->body_spin);
        memcpy(sample->spin, v + 8, sizeof sample->spin);
    }
    return good ? SCREE_OK
                : scree_report_fail(report, SCREE_ERROR_IO,
                                    "the reference %s.csv has missing or invalid numbers", name);
}
