// Text dumps of LAMMPS and LIGGGHTS, see the manual of LAMMPS (command dump, styles atom and custom). A file
// has one snapshot after the other; a snapshot has items: units and time if known, the step, the number of
// bodies, the bounds of the box with two letters per axis ("pp" is periodic), and a row for each body with
// named columns.

#include "exchange/format_each.h"
#include "exchange/format_text.h"

bool scree_format_dump_detect(const char *text, size_t length)
{
    return length > 5 && memcmp(text, "ITEM:", 5) == 0;
}

// Suffixes of coordinate columns: wrapped, unwrapped, scaled, scaled and unwrapped; the best ones first.
static const char *const position_suffixes[] = {"", "u", "s", "su"};
enum { SUFFIXES = sizeof position_suffixes / sizeof position_suffixes[0] };

struct reader {
    struct scree_format_input *input;
    struct scree_lines *lines;
    struct scree_format_table *table;
    bool counted;
    uint64_t bodies;
};

static bool report_end(struct reader *reader, const char *expected)
{
    return scree_lines_report(reader->lines, 0, 1, "the file ends within snapshot %llu, before %s",
                              (unsigned long long)reader->input->snapshots, expected);
}

// Moves to the next line and gets its first word, which may be empty; `expected` is for the error message.
static bool next_word(struct reader *reader, const char *expected, const char **word, size_t *length)
{
    size_t at = 0;
    *word = "";
    *length = 0;
    if (!scree_lines_next(reader->lines))
        return report_end(reader, expected);
    (void)scree_lines_word(reader->lines, &at, word, length);
    return true;
}

static bool read_units(struct reader *reader)
{
    const char *word;
    size_t length;
    return next_word(reader, "its units", &word, &length) &&
           scree_format_rows_set_units(reader->input, word, length);
}

static bool read_time(struct reader *reader)
{
    const char *word;
    size_t length;
    if (!next_word(reader, "its time", &word, &length))
        return false;
    if (!scree_decimal_read(word, length, &reader->table->time))
        return scree_lines_report_line(reader->lines, "a time was expected here");
    reader->table->time *= scree_format_rows_factor(scree_format_rows_units(reader->input), 0, 0, 1);
    reader->table->has_time = true;
    return true;
}

static bool read_integer(struct reader *reader, const char *expected, uint64_t *number)
{
    const char *word;
    size_t length;
    if (!next_word(reader, expected, &word, &length))
        return false;
    return scree_format_read_integer(word, length, number) ||
           scree_lines_report_line(reader->lines, "%s must be a whole number", expected);
}

// "ITEM: BOX BOUNDS pp pp ff", and two bounds for each axis. Older programs do not write the letters.
static bool read_box(struct reader *reader)
{
    struct scree_lines *lines = reader->lines;
    struct scree_format_table *table = reader->table;
    const char *word;
    size_t at = strlen("ITEM: BOX BOUNDS"), length;
    for (int k = 0; scree_lines_word(lines, &at, &word, &length); ++k) {
        // tilt factors, xy xz yz, have two letters too
        if (k == 3 || length != 2 || word[0] == 'x' || word[0] == 'y')
            return scree_lines_report_word(lines, word, length,
                                           "a tilted box is not supported: only bounds along x, y and z");
        table->periodic[k] = memcmp(word, "pp", 2) == 0;
    }
    for (int k = 0; k < 3; ++k) {
        double *bounds[2] = {&table->lower[k], &table->upper[k]};
        if (!scree_lines_next(lines))
            return report_end(reader, "its box");
        at = 0;
        for (int side = 0; side < 2; ++side) {
            if (!scree_lines_word(lines, &at, &word, &length) ||
                !scree_decimal_read(word, length, bounds[side]))
                return scree_lines_report_line(lines, "a lower and an upper bound were expected here");
            *bounds[side] *= scree_format_rows_factor(scree_format_rows_units(reader->input), 1, 0, 0);
        }
        if (!(table->upper[k] >= table->lower[k]))
            return scree_lines_report_line(lines, "the upper bound is below the lower one");
    }
    table->has_box = true;
    return true;
}

// Chooses the most accurate coordinate column of an axis: dumps have few digits, and scaled coordinates are
// less accurate. Returns -1 if there is none.
static int choose_position(const struct scree_lines *lines, int axis)
{
    const char *word;
    size_t at = strlen("ITEM: ATOMS"), length;
    int best = -1;
    while (scree_lines_word(lines, &at, &word, &length))
        for (int k = 0; k < SUFFIXES; ++k)
            if (word[0] == 'x' + axis && scree_lines_is(word + 1, length - 1, position_suffixes[k]))
                best = best < 0 || k < best ? k : best;
    return best;
}

// Returns how to read a column: only the chosen coordinates are read, and no image flags if they are
// unwrapped.
static struct scree_format_rows_slot slot_of(const char *word, size_t length, const int best[3],
                                             bool molecules)
{
    struct scree_format_rows_slot slot = scree_format_rows_named(word, length);
    if (molecules && scree_lines_is(word, length, "mol"))
        return (struct scree_format_rows_slot){SCREE_FORMAT_BODY, 1};
    const int k = slot.column;
    const int image = k - SCREE_FORMAT_IMAGE_X, axis = word[0] - 'x';
    const bool unwrapped =
        image >= 0 && image < 3 && best[image] >= 0 && strchr(position_suffixes[best[image]], 'u');
    const bool is_position = axis >= 0 && axis < 3 && best[axis] >= 0 &&
                             (k == SCREE_FORMAT_X + axis || k == SCREE_FORMAT_SCALED_X + axis);
    if (unwrapped || (is_position && !scree_lines_is(word + 1, length - 1, position_suffixes[best[axis]])))
        slot.column = SCREE_FORMAT_SKIPPED;
    return slot;
}

static bool read_columns(struct reader *reader, struct scree_format_rows *rows)
{
    struct scree_lines *lines = reader->lines;
    const char *word;
    size_t at = strlen("ITEM: ATOMS"), length;
    const int best[3] = {choose_position(lines, 0), choose_position(lines, 1), choose_position(lines, 2)};
    while (scree_lines_word(lines, &at, &word, &length)) {
        if (rows->count == SCREE_FORMAT_ROWS_MAX)
            return scree_lines_report_word(lines, word, length, "a row can have at most %d values",
                                           (int)SCREE_FORMAT_ROWS_MAX);
        scree_format_rows_push(rows, slot_of(word, length, best, reader->input->molecules));
    }
    reader->table->molecules = reader->input->molecules;
    for (int k = 0; k < 3; ++k)
        if (!scree_format_rows_has(rows, SCREE_FORMAT_X + k))
            return scree_lines_report_line(lines, "a dump must have the columns %s, or %s", "x, y and z",
                                           "xs, ys and zs");
    for (size_t k = 0; k < rows->count; ++k)
        if (rows->slot[k].column >= SCREE_FORMAT_SCALED_X && rows->slot[k].column <= SCREE_FORMAT_SCALED_Z &&
            !reader->table->has_box)
            return scree_lines_report_line(lines,
                                           "scaled coordinates need 'ITEM: BOX BOUNDS' before the rows");
    scree_format_rows_scale(rows, scree_format_rows_units(reader->input));
    return scree_format_rows_check(lines, rows);
}

static bool read_bodies(struct reader *reader)
{
    struct scree_lines *lines = reader->lines;
    struct scree_format_rows rows = {.count = 0};
    if (!reader->counted)
        return scree_lines_report_line(lines, "'ITEM: NUMBER OF ATOMS' must come before the rows");
    if (!read_columns(reader, &rows))
        return false;
    if (!scree_format_rows_read_all(reader->input, reader->table, &rows, reader->bodies, "ITEM:"))
        return false;
    // only the next snapshot may follow
    if (scree_lines_next(lines)) {
        if (!reader->input->ignore_rest && lines->length > 0 && !scree_lines_begins(lines, "ITEM:"))
            scree_lines_report_line(lines, "this row is beyond the %llu rows of snapshot %llu",
                                    (unsigned long long)reader->bodies,
                                    (unsigned long long)reader->input->snapshots);
        scree_lines_repeat(lines);
    }
    return lines->mistakes == 0 && lines->status == SCREE_OK;
}

bool scree_format_dump_read(struct scree_format_input *input, struct scree_format_table *table)
{
    struct reader reader = {.input = input, .lines = &input->lines, .table = table};
    struct scree_lines *lines = &input->lines;
    bool good = true;
    ++input->snapshots;
    for (bool begun = false; good; begun = true) {
        if (!scree_lines_next(lines))
            return begun && report_end(&reader, "its rows");
        if (scree_lines_begins(lines, "ITEM: ATOMS"))
            return read_bodies(&reader);
        if (scree_lines_begins(lines, "ITEM: TIMESTEP")) {
            good = read_integer(&reader, "a step", &table->step);
            table->has_step = true;
        } else if (scree_lines_begins(lines, "ITEM: NUMBER OF ATOMS")) {
            good = read_integer(&reader, "the number of bodies", &reader.bodies);
            reader.counted = true;
        } else if (scree_lines_begins(lines, "ITEM: BOX BOUNDS")) {
            good = read_box(&reader);
        } else if (scree_lines_begins(lines, "ITEM: UNITS")) {
            good = read_units(&reader);
        } else if (scree_lines_begins(lines, "ITEM: TIME")) {
            good = read_time(&reader);
        } else if (scree_lines_begins(lines, "ITEM: NUMBER OF ENTRIES")) {
            good = scree_lines_report_line(
                lines, "this is a dump of the style local, which has contacts or bonds but no bodies: use a "
                       "dump of the style custom");
        } else if (lines->length > 0) {
            good = scree_lines_report_line(lines, "an item such as 'ITEM: TIMESTEP' was expected here");
        } else {
            // skip blank lines between snapshots and after the last one
            begun = false;
        }
    }
    return false;
}

// --- writing

// Columns after id and type by their names in LAMMPS, in the usual order.
static const struct {
    const char *names;
    int column, width;
} columns[] = {{"x y z", SCREE_FORMAT_X, 3},
               {"ix iy iz", SCREE_FORMAT_IMAGE_X, 3},
               {"radius", SCREE_FORMAT_RADIUS, 1},
               {"mass", SCREE_FORMAT_MASS, 1},
               {"density", SCREE_FORMAT_DENSITY, 1},
               {"vx vy vz", SCREE_FORMAT_VELOCITY_X, 3},
               {"omegax omegay omegaz", SCREE_FORMAT_SPIN_X, 3},
               {"fx fy fz", SCREE_FORMAT_FORCE_X, 3},
               {"quatw quati quatj quatk", SCREE_FORMAT_QUAT_W, 4}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void write_header(struct scree_format_output *output, const struct scree_format_table *table,
                         bool plain, struct scree_format_text *row)
{
    double lower[3], upper[3];
    scree_format_box(table, lower, upper);
    if (output->snapshots == 0 && !plain)
        fprintf(output->file, "ITEM: UNITS\n%s\n", output->units ? output->units->name : "si");
    if (table->has_time && !plain) {
        fprintf(output->file, "ITEM: TIME\n");
        scree_format_text_number(row, table->time / scree_format_rows_factor(output->units, 0, 0, 1));
        scree_format_text_end(row);
    }
    fprintf(output->file, "ITEM: TIMESTEP\n%llu\nITEM: NUMBER OF ATOMS\n%zu\nITEM: BOX BOUNDS %s %s %s\n",
            (unsigned long long)table->step, table->count, table->periodic[0] ? "pp" : "ff",
            table->periodic[1] ? "pp" : "ff", table->periodic[2] ? "pp" : "ff");
    for (int k = 0; k < 3; ++k) {
        scree_format_text_number(row, lower[k] / row->unit[SCREE_FORMAT_X]);
        scree_format_text_char(row, ' ');
        scree_format_text_number(row, upper[k] / row->unit[SCREE_FORMAT_X]);
        scree_format_text_end(row);
    }
    fprintf(output->file, "ITEM: ATOMS id type");
    for (size_t c = 0; c < COLUMNS; ++c)
        if (scree_format_has(table, columns[c].column))
            fprintf(output->file, " %s", columns[c].names);
    fprintf(output->file, "\n");
}

static void write(struct scree_format_output *output, const struct scree_format_table *table, bool plain)
{
    const bool numbers = scree_format_types_are_numbers(table);
    struct scree_format_text row;
    scree_format_text_begin(&row, output->file, output->units);
    write_header(output, table, plain, &row);
    for (size_t body = 0; body < table->count; ++body) {
        scree_format_text_id(&row, table, body);
        scree_format_text_char(&row, ' ');
        scree_format_text_integer(&row, scree_format_type_number(table, body, numbers));
        for (size_t c = 0; c < COLUMNS; ++c)
            for (int k = 0; k < columns[c].width; ++k)
                scree_format_text_value(&row, ' ', table, body, columns[c].column + k);
        scree_format_text_end(&row);
    }
    ++output->snapshots;
}

void scree_format_dump_write(struct scree_format_output *output, const struct scree_format_table *table)
{
    write(output, table, false);
}

void scree_format_dump_write_plain(struct scree_format_output *output, const struct scree_format_table *table)
{
    write(output, table, true);
}
