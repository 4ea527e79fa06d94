// A row buffer for the writers of text formats.

#ifndef SCREE_EXCHANGE_FORMAT_TEXT_H
#define SCREE_EXCHANGE_FORMAT_TEXT_H

#include "exchange/format_rows.h"
#include "text/decimal.h"

#include <string.h>

// Large enough for all columns and a name.
struct scree_format_text {
    char text[40 * SCREE_DECIMAL_ROOM];
    size_t length;
};

static inline void scree_format_text_letter(struct scree_format_text *row, char letter)
{
    row->text[row->length++] = letter;
}

static inline void scree_format_text_number(struct scree_format_text *row, double value)
{
    row->length += scree_decimal_write(row->text + row->length, value);
}

static inline void scree_format_text_whole(struct scree_format_text *row, uint64_t value)
{
    char digits[20];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    while (count > 0)
        row->text[row->length++] = digits[--count];
}

static inline void scree_format_text_word(struct scree_format_text *row, const char *word)
{
    const size_t length = strlen(word);
    memcpy(row->text + row->length, word, length);
    row->length += length;
}

static inline void scree_format_text_image(struct scree_format_text *row, int32_t image)
{
    if (image < 0)
        scree_format_text_letter(row, '-');
    scree_format_text_whole(row, image < 0 ? (uint64_t) - (int64_t)image : (uint64_t)image);
}

// Ends the row and writes it to the file.
static inline void scree_format_text_end(struct scree_format_text *row, FILE *file)
{
    row->text[row->length++] = '\n';
    fwrite(row->text, 1, row->length, file);
    row->length = 0;
}

// Returns the id of a body; its row number from 1 if there are no ids.
static inline uint64_t scree_format_text_id(const struct scree_format_table *table, size_t row)
{
    return scree_format_has(table, SCREE_FORMAT_ID) ? table->id[row] : row + 1;
}

// Returns the unit of a column in SI; values are divided by it.
static inline double scree_format_text_factor(const struct scree_format_output *output, int column)
{
    const struct scree_format_number *number = &scree_format_numbers[column];
    return scree_format_rows_factor(output->units, number->length, number->mass, number->time);
}

#endif
