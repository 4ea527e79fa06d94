// Writes the value of a key by the type of the key, see print_out.h.

#include "base/memory.h"
#include "language/measurement.h"
#include "language/print_out.h"
#include "language/rates.h"
#include "text/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Writes a comparison of a formula as it was given: the unit of its limit is not known here.
static void put_formula_comparison(struct scree_print_out *out, const struct scree_comparison *comparison)
{
    const char *limit;
    char *text;
    if (!scree_value_text(&out->reading->values, &comparison->limit_node, "stop", &limit))
        return;
    const size_t size = strlen(comparison->text.formula) + strlen(limit) + 4;
    const scree_status status = scree_memory_new(size, 1, (void **)&text);
    if (status != SCREE_OK) {
        out->reading->values.status = status;
        return;
    }
    snprintf(text, size, "%s %c %s", comparison->text.formula, comparison->below ? '<' : '>', limit);
    scree_print_out_text(out, text);
    scree_memory_free(text);
}

static void put_comparison(struct scree_print_out *out, enum scree_key_id id, const struct scree_node *node)
{
    struct scree_comparison comparison;
    char limit[SCREE_DECIMAL_SIZE], text[SCREE_DECIMAL_SIZE + 64];
    if (!scree_measurement_comparison(out->reading, node, &scree_key_rows[id], &comparison))
        return;
    if (comparison.text.formula) {
        put_formula_comparison(out, &comparison);
        return;
    }
    (void)scree_decimal_write(limit, comparison.limit);
    snprintf(text, sizeof text, "%s %c %s", comparison.text.name, comparison.below ? '<' : '>', limit);
    scree_print_out_text(out, text);
}

static void put_table(struct scree_print_out *out, const struct scree_node *map, enum scree_key_id id,
                      size_t capacity)
{
    double(*row)[2];
    size_t rows;
    const scree_status status = scree_memory_new(capacity, sizeof *row, (void **)&row);
    if (status != SCREE_OK) {
        out->reading->values.status = status;
        return;
    }
    if (scree_reading_table(out->reading, map, id, row, capacity, &rows)) {
        for (size_t k = 0; k < rows; ++k) {
            if (k > 0)
                scree_print_out_comma(out);
            else
                scree_print_out_write(out, "[");
            scree_print_out_numbers(out, row[k], 2);
        }
        scree_print_out_write(out, "]");
    }
    scree_memory_free(row);
}

static void put_triples(struct scree_print_out *out, const struct scree_node *node,
                        const struct scree_key *key)
{
    for (size_t k = 0; k < node->count; ++k) {
        double triple[3] = {0};
        for (size_t n = 0; n < 3 && n < node->item[k]->count; ++n)
            (void)scree_reading_item(out->reading, node->item[k]->item[n], key, &triple[n]);
        if (k > 0)
            scree_print_out_comma(out);
        else
            scree_print_out_write(out, "[");
        scree_print_out_numbers(out, triple, 3);
    }
    scree_print_out_write(out, "]");
}

// Writes a constant vector as numbers, and others as they are.
static void put_rates(struct scree_print_out *out, const struct scree_key *key, const struct scree_node *node,
                      const double *vector)
{
    struct scree_rates rates;
    const bool constant =
        scree_rates_read(out->reading, node, key, &rates) && scree_rates_are_constant(&rates);
    scree_rates_free(&rates);
    if (constant)
        scree_print_out_numbers(out, vector, 3);
    else
        scree_print_out_node(out, node);
}

static void put_rate(struct scree_print_out *out, const struct scree_key *key, const struct scree_node *node)
{
    struct scree_rate rate;
    if (scree_rates_one_read(out->reading, node, key, &rate) && scree_rates_one_is_constant(&rate))
        scree_print_out_number(out, rate.number);
    else
        scree_print_out_node(out, node);
    scree_rates_one_free(&rate);
}

static void put_rate_rows(struct scree_print_out *out, const struct scree_key *key,
                          const struct scree_node *node)
{
    double row[3];
    for (size_t k = 0; k < node->count; ++k) {
        if (k > 0)
            scree_print_out_comma(out);
        else
            scree_print_out_write(out, "[");
        if (scree_reading_rates(out->reading, node->item[k], key, row))
            put_rates(out, key, node->item[k], row);
    }
    scree_print_out_write(out, "]");
}

void scree_print_value(struct scree_print_out *out, const struct scree_node *map, enum scree_key_id id,
                       const struct scree_node *node)
{
    const struct scree_key *key = &scree_key_rows[id];
    union scree_reading_any value;
    char text[32];
    if (key->type == SCREE_KEY_COMPARISON) {
        put_comparison(out, id, node);
        return;
    }
    if (key->type == SCREE_KEY_TABLE) {
        put_table(out, map, id, node->count);
        return;
    }
    if (!scree_reading_value(out->reading, map, id, &value))
        return;
    switch (key->type) {
    case SCREE_KEY_NUMBER:
    case SCREE_KEY_FORMULA:
    case SCREE_KEY_MEASURED:
    case SCREE_KEY_SIZE:
        if (key->flags & SCREE_KEY_OTHER && (isinf(value.number) || value.number == 0))
            scree_print_out_text(out, key->set);
        else if (isnan(value.number))
            scree_print_out_node(out, node);
        else
            scree_print_out_number(out, value.number);
        break;
    case SCREE_KEY_WHOLE:
        snprintf(text, sizeof text, "%" PRIu64, value.whole);
        scree_print_out_write(out, text);
        break;
    case SCREE_KEY_INTERVAL:
        snprintf(text, sizeof text, "%" PRIu64 " steps", value.every.steps);
        if (value.every.steps == 0)
            scree_print_out_number(out, value.every.time);
        else
            scree_print_out_text(out, text);
        break;
    case SCREE_KEY_FLAG:
        scree_print_out_write(out, value.flag ? "true" : "false");
        break;
    case SCREE_KEY_WORD:
        scree_print_out_text(out, scree_key_words(key->set)[value.word]);
        break;
    case SCREE_KEY_VECTOR:
        scree_print_out_numbers(out, value.numbers, 3);
        break;
    case SCREE_KEY_RATES:
        put_rates(out, key, node, value.numbers);
        break;
    case SCREE_KEY_RATE:
        put_rate(out, key, node);
        break;
    case SCREE_KEY_RATE_ROWS:
        put_rate_rows(out, key, node);
        break;
    case SCREE_KEY_PAIR:
        scree_print_out_numbers(out, value.numbers, 2);
        break;
    case SCREE_KEY_QUADRUPLE:
        scree_print_out_numbers(out, value.numbers, 4);
        break;
    case SCREE_KEY_SEXTUPLE:
        scree_print_out_numbers(out, value.numbers, 6);
        break;
    case SCREE_KEY_TRIPLES:
    case SCREE_KEY_VECTORS:
        put_triples(out, node, key);
        break;
    case SCREE_KEY_BOX:
        scree_print_out_write(out, "[");
        scree_print_out_numbers(out, value.numbers, 3);
        scree_print_out_write(out, ", ");
        scree_print_out_numbers(out, value.numbers + 3, 3);
        scree_print_out_write(out, "]");
        break;
    default:
        scree_print_out_node(out, node);
    }
}
