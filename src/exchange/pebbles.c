// Reads the pebbles of a clump, see pebbles.h.
//
// A list has a line `x y z r` for each pebble, in two dimensions also `x y r`. The command is
//   clump [template] create [name WORD] pebbles N r x y z ... [volume V inertia xx yy zz xy xz yz]
//         [position x y z] [calculate [V]]
// with vectors that may be in parentheses, in two dimensions with two numbers and one moment of inertia. It may
// go on in the next line after `&` or `...`. Text after `#` or `;` is a comment.

#include "exchange/pebbles.h"

#include "base/memory.h"
#include "text/decimal.h"

#include <string.h>

struct reader {
    struct scree_lines lines;
    struct scree_pebbles *pebbles;
    int dimension;
    size_t max;
    size_t at, length; // position in the current line, and its length without a comment
    const char *word;  // the current word, null at the end of the command
    size_t size;       // of the word
    bool has_volume, has_inertia;
};

// --- words

static void begin_line(struct reader *reader)
{
    const char *text = reader->lines.text;
    reader->at = reader->length = 0;
    while (reader->length < reader->lines.length && text[reader->length] != '#' &&
           text[reader->length] != ';')
        ++reader->length;
}

static bool separates(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == '(' || c == ')';
}

// Moves to the next word of the line; returns false at its end.
static bool next_in_line(struct reader *reader)
{
    const char *text = reader->lines.text;
    while (reader->at < reader->length && separates(text[reader->at]))
        ++reader->at;
    reader->word = text + reader->at;
    while (reader->at < reader->length && !separates(text[reader->at]))
        ++reader->at;
    reader->size = (size_t)(text + reader->at - reader->word);
    return reader->size > 0;
}

static bool is(const struct reader *reader, const char *text)
{
    return reader->word && scree_lines_is(reader->word, reader->size, text);
}

// Moves to the next word of the command, which ends with a line that does not go on.
static bool next(struct reader *reader)
{
    while (next_in_line(reader)) {
        if (!is(reader, "&") && !is(reader, "..."))
            return true;
        if (!scree_lines_next(&reader->lines))
            break;
        begin_line(reader);
    }
    reader->word = NULL;
    return false;
}

static bool report(struct reader *reader, const char *wanted)
{
    if (!reader->word)
        return scree_lines_report_line(&reader->lines,
                                       "%s was expected at the end of the command; a line that goes on ends "
                                       "with '&' or '...'",
                                       wanted);
    return scree_lines_report_word(&reader->lines, reader->word, reader->size,
                                   "%s was expected, not '%.*s'", wanted,
                                   (int)(reader->size < 40 ? reader->size : 40), reader->word);
}

static bool read_number(struct reader *reader, const char *wanted, double *value)
{
    if (!reader->word || !scree_decimal_read(reader->word, reader->size, value))
        return report(reader, wanted);
    return (*value >= -1e100 && *value <= 1e100) ||
           scree_lines_report_word(&reader->lines, reader->word, reader->size,
                                   "a number must be at most 1e100 in magnitude");
}

static bool read_numbers(struct reader *reader, const char *wanted, double *value, int count)
{
    for (int k = 0; k < count; ++k) {
        next(reader);
        if (!read_number(reader, wanted, &value[k]))
            return false;
    }
    return true;
}

// --- pebbles

static bool add(struct reader *reader, const struct scree_pebbles_row *row)
{
    if (!(row->radius > 0))
        return scree_lines_report_line(&reader->lines, "the radius of a pebble must be above 0; got %g",
                                       row->radius);
    if (reader->pebbles->row.count == reader->max)
        return scree_lines_report_line(&reader->lines, "a clump has at most %zu pebbles", reader->max);
    reader->lines.status = scree_array_push(&reader->pebbles->row, *row);
    return reader->lines.status == SCREE_OK;
}

// Reads a row of a list.
static bool read_row(struct reader *reader)
{
    const bool flat = reader->dimension == 2;
    double number[4];
    int count = 0;
    do {
        if (count < 4 && !read_number(reader, "a number", &number[count]))
            return false;
        ++count;
    } while (next_in_line(reader));
    if (count != 4 && !(flat && count == 3))
        return scree_lines_report_line(&reader->lines, "a pebble has %s numbers, %sx y z r; this line has %d",
                                       flat ? "3 or 4" : "4", flat ? "x y r or " : "", count);
    const struct scree_pebbles_row row = {{number[0], number[1], count == 4 ? number[2] : 0},
                                          number[count - 1]};
    return add(reader, &row);
}

// --- the command

static bool read_pebbles(struct reader *reader)
{
    double count, number[4] = {0};
    if (!read_numbers(reader, "the number of pebbles", &count, 1))
        return false;
    if (reader->pebbles->row.count > 0 || !(count >= 1 && count <= (double)reader->max) ||
        count != (double)(size_t)count)
        return scree_lines_report_word(&reader->lines, reader->word, reader->size,
                                       "a clump has from 1 to %zu pebbles, all in one list", reader->max);
    for (double k = 0; k < count; ++k) {
        if (!read_numbers(reader, "the radius and the position of the next pebble", number,
                          reader->dimension + 1))
            return false;
        const struct scree_pebbles_row row = {
            {number[1], number[2], reader->dimension == 2 ? 0 : number[3]}, number[0]};
        if (!add(reader, &row))
            return false;
    }
    return true;
}

// PFC writes moments of inertia as xx yy zz xy xz yz.
static bool read_inertia(struct reader *reader)
{
    static const int place[6] = {0, 1, 2, 5, 4, 3};
    double number[6];
    reader->has_inertia = true;
    if (reader->dimension == 2)
        return read_numbers(reader, "a moment of inertia", &reader->pebbles->tensor[2], 1);
    if (!read_numbers(reader, "one of six moments of inertia", number, 6))
        return false;
    for (int k = 0; k < 6; ++k)
        reader->pebbles->tensor[place[k]] = number[k];
    return true;
}

static bool read_volume(struct reader *reader)
{
    reader->has_volume = true;
    if (!read_numbers(reader, "a volume", &reader->pebbles->volume, 1))
        return false;
    return reader->pebbles->volume > 0 ||
           scree_lines_report_word(&reader->lines, reader->word, reader->size, "the volume must be above 0");
}

static bool read_position(struct reader *reader)
{
    return read_numbers(reader, "a coordinate", reader->pebbles->centre, reader->dimension);
}

static bool skip_word(struct reader *reader)
{
    return next(reader) || report(reader, "a name");
}

// Values that are not given are calculated in any case, and with another accuracy.
static bool skip_accuracy(struct reader *reader)
{
    const size_t at = reader->at;
    double accuracy;
    if (!next_in_line(reader) || !scree_decimal_read(reader->word, reader->size, &accuracy))
        reader->at = at;
    return true;
}

static const struct {
    const char *word;
    bool (*read)(struct reader *reader);
} keywords[] = {{"name", skip_word},
                {"pebbles", read_pebbles},
                {"volume", read_volume},
                {"inertia", read_inertia},
                {"position", read_position},
                {"calculate", skip_accuracy},
                {"pebcalculate", skip_accuracy}};
enum { KEYWORDS = sizeof keywords / sizeof keywords[0] };

static bool read_keywords(struct reader *reader)
{
    while (reader->word) {
        size_t k = 0;
        while (k < KEYWORDS && !is(reader, keywords[k].word))
            ++k;
        if (k == KEYWORDS)
            return report(reader, "name, pebbles, volume, inertia, position or calculate");
        if (!keywords[k].read(reader))
            return false;
        next(reader);
    }
    return true;
}

static bool read_command(struct reader *reader)
{
    next(reader);
    if (is(reader, "template"))
        next(reader);
    if (!is(reader, "create"))
        return report(reader, "`clump template create` or `clump create`");
    next(reader);
    if (!read_keywords(reader))
        return false;
    return reader->has_volume == reader->has_inertia ||
           scree_lines_report_line(&reader->lines, "'volume' and 'inertia' must be given together, or neither");
}

// --- the file

static bool read_lines(struct reader *reader)
{
    bool command = false;
    while (scree_lines_next(&reader->lines)) {
        begin_line(reader);
        if (!next_in_line(reader))
            continue;
        if (command)
            return scree_lines_report_line(&reader->lines, "a file has the pebbles of one clump only");
        command = is(reader, "clump");
        if (command && reader->pebbles->row.count > 0)
            return report(reader, "a row `x y z r`");
        if (!(command ? read_command(reader) : read_row(reader)))
            return false;
    }
    return reader->lines.status == SCREE_OK && reader->lines.mistakes == 0 &&
           (reader->pebbles->row.count > 0 ||
            scree_lines_report(&reader->lines, 0, 1, "this file has no pebbles: a line of it is `x y z r`"));
}

bool scree_pebbles_read(struct scree_pebbles *pebbles, const char *path, const char *name, int dimension,
                        size_t max, struct scree_diagnostics *diagnostics, scree_status *status)
{
    struct reader reader = {.pebbles = pebbles, .dimension = dimension, .max = max};
    *pebbles = (struct scree_pebbles){0};
    *status = scree_lines_open(&reader.lines, path, name, diagnostics);
    const bool good = *status == SCREE_OK && read_lines(&reader);
    if (*status == SCREE_OK)
        *status = reader.lines.status;
    scree_lines_close(&reader.lines);
    return good;
}

void scree_pebbles_free(struct scree_pebbles *pebbles)
{
    scree_array_free(&pebbles->row);
}
