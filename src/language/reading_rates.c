// Reads vectors that may depend on time as values of keys, see reading.h.

#include "language/rates.h"

bool scree_reading_rates(struct scree_reading *reading, const struct scree_node *node,
                         const struct scree_key *key, double vector[3])
{
    struct scree_rates rates;
    const bool good = scree_rates_read(reading, node, key, &rates);
    const bool constant = scree_rates_are_constant(&rates);
    for (int k = 0; k < 3; ++k)
        vector[k] = constant ? rates.component[k].number : 0;
    scree_rates_free(&rates);
    return good;
}
