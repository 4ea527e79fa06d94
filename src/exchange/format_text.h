// Rows of text formats, written value by value.

#ifndef SCREE_EXCHANGE_FORMAT_TEXT_H
#define SCREE_EXCHANGE_FORMAT_TEXT_H

#include "exchange/format_rows.h"
#include "text/decimal.h"

#include <string.h>

struct scree_format_text {
    FILE *file;
    double unit[SCREE_FORMAT_COLUMNS]; // units of columns in SI; values are divided by them
    size_t length;
    char text[40 * SCREE_DECIMAL_SIZE]; // large enough for all columns and a name
};

// `units` may be null, for SI.
static inline void scree_format_text_begin(struct scree_format_text *row, FILE *file,
                                           const struct scree_format_units *units)
{
    row->file = file;
    row->length = 0;
    for (int c = 0; c < SCREE_FORMAT_COLUMNS; ++c)
        row->unit[c] = scree_format_rows_unit(units, c);
}

static inline void scree_format_text_char(struct scree_format_text *row, char letter)
{
    row->text[row->length++] = letter;
}

static inline void scree_format_text_number(struct scree_format_text *row, double value)
{
    row->length += scree_decimal_write(row->text + row->length, value);
}

static inline void scree_format_text_integer(struct scree_format_text *row, uint64_t value)
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
        scree_format_text_char(row, '-');
    scree_format_text_integer(row, image < 0 ? (uint64_t) - (int64_t)image : (uint64_t)image);
}

// Writes a separator and the value of a body, if the table has the column.
static inline void scree_format_text_value(struct scree_format_text *row, char separator,
                                           const struct scree_format_table *table, size_t body, int column)
{
    if (!scree_format_has(table, column))
        return;
    scree_format_text_char(row, separator);
    if (column < SCREE_FORMAT_COLUMNS)
        scree_format_text_number(row, table->number[column][body] / row->unit[column]);
    else
        scree_format_text_image(row, table->image[body][column - SCREE_FORMAT_IMAGE_X]);
}

// Writes the id of a body; its row number from 1 if there are no ids.
static inline void scree_format_text_id(struct scree_format_text *row, const struct scree_format_table *table,
                                        size_t body)
{
    scree_format_text_integer(row, scree_format_has(table, SCREE_FORMAT_ID) ? table->id[body] : body + 1);
}

// Ends the row and writes it to the file.
static inline void scree_format_text_end(struct scree_format_text *row)
{
    row->text[row->length++] = '\n';
    fwrite(row->text, 1, row->length, row->file);
    row->length = 0;
}

#endif
