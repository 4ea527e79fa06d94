// Reads numbers and vectors that may depend on time as values of keys, see reading.h.

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

bool scree_reading_rate(struct scree_reading *reading, const struct scree_node *node,
                        const struct scree_key *key, double *number)
{
    struct scree_rate rate;
    const bool good = scree_rates_one_read(reading, node, key, &rate);
    *number = scree_rates_one_is_constant(&rate) ? rate.number : 0;
    scree_rates_one_free(&rate);
    return good;
}

bool scree_reading_rate_rows(struct scree_reading *reading, const struct scree_node *node,
                             const struct scree_key *key)
{
    const bool is_2d = reading->dimension == 2;
    double unused[3];
    bool good = true;
    if (node->kind != SCREE_NODE_LIST || !(node->count == 3 || (is_2d && node->count == 2)))
        return scree_reading_expect(reading, node, key,
                                    is_2d ? "a list of two lists of two numbers or expressions of the time t"
                                          : "a list of three lists of three numbers or expressions of the "
                                            "time t");
    for (size_t k = 0; k < node->count; ++k)
        good = scree_reading_rates(reading, node->item[k], key, unused) && good;
    return good;
}
