// Data files of LAMMPS and LIGGGHTS: a title line, a header of counts and bounds, and sections, as in the
// manuals of both (commands read_data and atom_style). "Atoms" has one row per body, with the columns of the
// atom style, which may be given after the name of the section; "Velocities" has ids, velocities and, for
// spheres, spins; "Masses" has a mass for each type. Other sections are skipped.

#include "base/sort.h"
#include "exchange/format_each.h"
#include "exchange/format_text.h"
#include "text/decimal.h"

// --- the header

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && (text[at] == ' ' || text[at] == '\t'))
        ++at;
    return at == length || text[at] == '#';
}

// Looks for a line "<digits> atoms" after the first line.
bool scree_format_data_detect(const char *text, size_t length)
{
    const char *end = text + length;
    const char *at = memchr(text, '\n', length);
    for (int line = 0; at && line < 100; ++line, at = memchr(at, '\n', (size_t)(end - at))) {
        const char *word = at + 1 + strspn(at + 1, " \t");
        const size_t digits = strspn(word, "0123456789"), between = strspn(word + digits, " \t");
        at = word + digits + between;
        if (digits > 0 && between > 0 && strncmp(at, "atoms", 5) == 0)
            return true;
    }
    return false;
}

struct reader {
    struct scree_format_input *input;
    struct scree_lines *lines;
    struct scree_format_table *table;
    bool counted;
    uint64_t bodies; // number in the header
    double mass[SCREE_FORMAT_TYPES];
    uint32_t *order; // rows in order of ids; null until needed
};

static double factor(const struct reader *reader, int length, int mass, int time)
{
    return scree_format_rows_factor(scree_format_rows_units(reader->input), length, mass, time);
}

static bool next(struct scree_lines *lines)
{
    while (scree_lines_next(lines))
        if (!is_blank(lines->text, lines->length))
            return true;
    return false;
}

// Moves to the next row of a section; stops before the name of the next section.
static bool next_row(struct scree_lines *lines)
{
    if (!next(lines))
        return false;
    const size_t at = strspn(lines->text, " \t");
    const bool ends = at < lines->length && is_letter(lines->text[at]);
    if (ends)
        scree_lines_repeat(lines);
    return !ends;
}

// Reads up to three numbers at the start of the current line, and the word after them.
static size_t read_numbers(const struct scree_lines *lines, double number[3], char word[8])
{
    const char *text;
    size_t at = 0, length, count = 0;
    word[0] = 0;
    while (scree_lines_word(lines, &at, &text, &length) && count <= 3) {
        if (count < 3 && scree_decimal_read(text, length, &number[count])) {
            ++count;
            continue;
        }
        if (length < 8) {
            memcpy(word, text, length);
            word[length] = 0;
        }
        break;
    }
    return count;
}

static void read_header_line(struct reader *reader)
{
    static const char *const lower_names[3] = {"xlo", "ylo", "zlo"};
    struct scree_lines *lines = reader->lines;
    struct scree_format_table *table = reader->table;
    double number[3];
    char word[8];
    const size_t count = read_numbers(lines, number, word);
    if (count == 1 && strcmp(word, "atoms") == 0) {
        reader->counted = number[0] >= 0 && number[0] < 0x1p53;
        reader->bodies = reader->counted ? (uint64_t)number[0] : 0;
        if (!reader->counted)
            scree_lines_report_line(lines, "the number of atoms must be from 0 to 2^53");
    }
    if (count == 3 && strcmp(word, "xy") == 0 && (number[0] != 0 || number[1] != 0 || number[2] != 0))
        scree_lines_report_line(lines, "a tilted box is not supported: only bounds along x, y and z");
    for (int k = 0; k < 3; ++k) {
        if (count != 2 || strcmp(word, lower_names[k]) != 0)
            continue;
        table->has_box = true;
        table->lower[k] = number[0] * factor(reader, 1, 0, 0);
        table->upper[k] = number[1] * factor(reader, 1, 0, 0);
        if (!(table->upper[k] >= table->lower[k]))
            scree_lines_report_line(lines, "the upper bound is below the lower one");
    }
}

// The first line is a title, in which LAMMPS and Scree write the units, as in "timestep = 0, units = si".
static void read_title(struct reader *reader)
{
    static const char *const prefixes[] = {"units = ", "Spheres, in "};
    struct scree_lines *lines = reader->lines;
    if (!scree_lines_next(lines))
        return;
    for (size_t b = 0; b < 2; ++b) {
        const size_t size = strlen(prefixes[b]);
        for (size_t at = 0; at + size < lines->length; ++at) {
            size_t length = 0;
            while (at + size + length < lines->length && is_letter(lines->text[at + size + length]))
                ++length;
            if (memcmp(lines->text + at, prefixes[b], size) != 0 || length == 0)
                continue;
            (void)scree_format_rows_set_units(reader->input, lines->text + at + size, length);
            return;
        }
    }
}

// --- sections

static const struct {
    const char *style, *columns;
} styles[] = {
    {"sphere", "id type diameter density x y z"},
    {"granular", "id type diameter density x y z"},
    {"bpm/sphere", "id mol type diameter density x y z"},
    {"hybrid sphere", "id type x y z diameter density"},
    {"atomic", "id type x y z"},
    {"charge", "id type q x y z"},
    {"molecular", "id mol type x y z"},
    {"bond", "id mol type x y z"},
    {"angle", "id mol type x y z"},
    {"full", "id mol type q x y z"},
};
enum { STYLES = sizeof styles / sizeof styles[0], SPHERE = 0, ATOMIC = 4, UNKNOWN = STYLES + 1, UNSUPPORTED };

// Unsupported styles. Some have rows with as many values as those of spheres.
static const char *const unsupported[] = {"ellipsoid", "body", "peri",     "line",
                                          "tri",       "sph",  "electron", "dipole"};

// Returns the style after '#' on the current line; STYLES if there is none, UNKNOWN for "hybrid" alone:
// LAMMPS does not write which styles a hybrid has.
static size_t find_style(const struct scree_lines *lines)
{
    const char *hash = memchr(lines->text, '#', lines->length), *end = lines->text + lines->length;
    if (!hash)
        return STYLES;
    for (++hash; hash < end && *hash == ' '; ++hash)
        ;
    while (end > hash && (end[-1] == ' ' || end[-1] == '\t'))
        --end;
    if (scree_lines_is(hash, (size_t)(end - hash), "hybrid"))
        return UNKNOWN;
    for (size_t s = 0; s < sizeof unsupported / sizeof unsupported[0]; ++s)
        if (scree_lines_is(hash, (size_t)(end - hash), unsupported[s]))
            return UNSUPPORTED;
    for (size_t s = 0; s < STYLES; ++s)
        if (scree_lines_is(hash, (size_t)(end - hash), styles[s].style))
            return s;
    return STYLES;
}

// Guesses the style from the number of values of the first row.
static size_t guess_style(struct scree_lines *lines)
{
    const char *word;
    size_t at = 0, length, count = 0;
    while (scree_lines_word(lines, &at, &word, &length) && word[0] != '#')
        ++count;
    const size_t style = count == 7 || count == 10 ? SPHERE : count == 5 || count == 8 ? ATOMIC : STYLES;
    if (style == STYLES)
        scree_lines_report_line(
            lines,
            "rows of %zu values do not determine the atom style: give it after the name of "
            "the section, as in `Atoms # sphere`",
            count);
    return style;
}

static void read_atoms(struct reader *reader)
{
    struct scree_lines *lines = reader->lines;
    struct scree_format_table *table = reader->table;
    struct scree_format_rows rows = {.ignore_rest = true};
    size_t style = find_style(lines);
    if (table->has) {
        scree_lines_report_line(lines, "there is a second section 'Atoms'");
        return;
    }
    if (style == UNKNOWN)
        scree_lines_report_line(lines,
                                "the styles of this hybrid are not given: if rows are id, type, x, y, z, "
                                "diameter, density, change this line to `Atoms # hybrid sphere`");
    if (style == UNSUPPORTED)
        scree_lines_report_line(
            lines,
            "this atom style is not supported: write a dump of the style custom with positions and radii "
            "instead");
    while (next_row(lines)) {
        if (rows.count == 0) {
            style = style == STYLES ? guess_style(lines) : style;
            if (style >= STYLES)
                return;
            scree_format_rows_push_names(&rows, styles[style].columns);
            scree_format_rows_push_names(&rows, "ix iy iz");
            rows.optional = 3;
            scree_format_rows_scale(&rows, scree_format_rows_units(reader->input));
            scree_format_rows_declare(table, &rows);
        }
        if (reader->counted && table->count == reader->bodies) {
            scree_lines_report_line(lines, "the header gives %llu atoms, but there are more rows",
                                    (unsigned long long)reader->bodies);
            return;
        }
        scree_format_rows_add(reader->input, table, &rows);
    }
    if (!rows.optional_found)
        table->has &= ~(7u << SCREE_FORMAT_IMAGE_X);
    if (reader->counted && table->count < reader->bodies && lines->mistakes == 0)
        scree_lines_report_line(lines, "the header gives %llu atoms, but there are %zu rows",
                                (unsigned long long)reader->bodies, table->count);
}

static void read_masses(struct reader *reader)
{
    struct scree_lines *lines = reader->lines;
    while (next_row(lines)) {
        const char *type, *number;
        size_t at = 0, length, width;
        uint32_t found = 0;
        double mass;
        if (!scree_lines_word(lines, &at, &type, &length) || length >= SCREE_FORMAT_TYPE_LENGTH ||
            !scree_lines_word(lines, &at, &number, &width) || !scree_decimal_read(number, width, &mass) ||
            !(mass >= 0 && mass <= 1e300)) {
            scree_lines_report_line(lines, "a row of 'Masses' must have a type and a mass of at least 0");
            continue;
        }
        lines->status = scree_format_type(&reader->table->types, type, length, &found);
        if (lines->status == SCREE_OK && found < SCREE_FORMAT_TYPES)
            reader->mass[found] = mass * factor(reader, 0, 1, 0);
    }
}

// Finds the row of an id. Usually it is the next one, `*row`; else search by bisection.
static bool find_row(struct reader *reader, uint64_t id, size_t *row)
{
    const struct scree_format_table *table = reader->table;
    if (*row < table->count && table->id[*row] == id)
        return true;
    if (!reader->order) {
        scree_status status = scree_memory_new(table->count, sizeof *reader->order, (void **)&reader->order);
        if (status == SCREE_OK)
            status = scree_sort_order(table->id, table->count, reader->order);
        reader->lines->status = status;
        if (status != SCREE_OK)
            return false;
    }
    size_t low = 0, high = table->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (table->id[reader->order[middle]] < id)
            low = middle + 1;
        else
            high = middle;
    }
    *row = low < table->count ? reader->order[low] : 0;
    return low < table->count && table->id[*row] == id;
}

static void read_velocity(struct reader *reader, struct scree_format_rows *rows, size_t *row)
{
    struct scree_lines *lines = reader->lines;
    const char *word;
    size_t at = 0, length;
    uint64_t id;
    if (!scree_lines_word(lines, &at, &word, &length) || !scree_format_read_integer(word, length, &id) ||
        !find_row(reader, id, row))
        scree_lines_report_word(lines, word, length, "no atom has the id '%.*s'",
                                (int)(length < 40 ? length : 40), word);
    else
        (void)scree_format_rows_read(reader->input, reader->table, rows, (*row)++);
}

static void read_velocities(struct reader *reader)
{
    struct scree_lines *lines = reader->lines;
    struct scree_format_table *table = reader->table;
    struct scree_format_rows rows = {.optional = 3, .ignore_rest = true};
    size_t row = 0;
    if (!table->id) {
        scree_lines_report_line(lines, "the section 'Velocities' must come after 'Atoms'");
        return;
    }
    // the id was read before
    scree_format_rows_push_names(&rows, "- vx vy vz omegax omegay omegaz");
    for (int c = SCREE_FORMAT_VELOCITY_X; c <= SCREE_FORMAT_SPIN_Z && lines->status == SCREE_OK; ++c)
        lines->status = scree_format_extend(table, c);
    scree_format_rows_scale(&rows, scree_format_rows_units(reader->input));
    while (next_row(lines))
        read_velocity(reader, &rows, &row);
    if (!rows.optional_found)
        table->has &= ~(7u << SCREE_FORMAT_SPIN_X);
}

static bool is_section(const struct scree_lines *lines, const char *name)
{
    const size_t length = strlen(name);
    return scree_lines_begins(lines, name) && is_blank(lines->text + length, lines->length - length);
}

static void read_sections(struct reader *reader)
{
    struct scree_lines *lines = reader->lines;
    while (next(lines)) {
        if (is_section(lines, "Atoms"))
            read_atoms(reader);
        else if (is_section(lines, "Velocities"))
            read_velocities(reader);
        else if (is_section(lines, "Masses"))
            read_masses(reader);
    }
}

// Sets the masses of types, unless rows have densities.
static void assign_masses(struct reader *reader)
{
    struct scree_format_table *table = reader->table;
    bool all = scree_format_has(table, SCREE_FORMAT_TYPE) && !scree_format_has(table, SCREE_FORMAT_DENSITY);
    for (size_t row = 0; row < table->count && all; ++row)
        all = reader->mass[table->type[row]] > 0;
    if (!all || table->count == 0)
        return;
    reader->lines->status = scree_format_extend(table, SCREE_FORMAT_MASS);
    for (size_t row = 0; row < table->count && reader->lines->status == SCREE_OK; ++row)
        table->number[SCREE_FORMAT_MASS][row] = reader->mass[table->type[row]];
}

bool scree_format_data_read(struct scree_format_input *input, struct scree_format_table *table)
{
    struct reader reader = {.input = input, .lines = &input->lines, .table = table};
    struct scree_lines *lines = &input->lines;
    read_title(&reader);
    while (next_row(lines))
        read_header_line(&reader);
    read_sections(&reader);
    assign_masses(&reader);
    scree_memory_free(reader.order);
    if (lines->mistakes == 0 && lines->status == SCREE_OK && !table->has &&
        !(reader.counted && reader.bodies == 0))
        scree_lines_report(lines, 0, 1, "this file has no section 'Atoms' with rows");
    return lines->mistakes == 0 && lines->status == SCREE_OK;
}

// --- writing

static void write_header(struct scree_format_output *output, const struct scree_format_table *table,
                         uint32_t types, struct scree_format_text *row)
{
    static const char *const names[3] = {" xlo xhi", " ylo yhi", " zlo zhi"};
    double lower[3], upper[3];
    scree_format_box(table, lower, upper);
    fprintf(output->file, "Spheres, in %s units, written by Scree\n\n%zu atoms\n%u atom types\n\n",
            output->units ? output->units->name : "si", table->count, types);
    for (int k = 0; k < 3; ++k) {
        scree_format_text_number(row, lower[k] / row->unit[SCREE_FORMAT_X]);
        scree_format_text_char(row, ' ');
        scree_format_text_number(row, upper[k] / row->unit[SCREE_FORMAT_X]);
        scree_format_text_word(row, names[k]);
        scree_format_text_end(row);
    }
}

static void write_atom(struct scree_format_text *row, const struct scree_format_table *table, size_t body,
                       uint32_t type)
{
    static const int columns[] = {SCREE_FORMAT_DENSITY, SCREE_FORMAT_X,       SCREE_FORMAT_Y,
                                  SCREE_FORMAT_Z,       SCREE_FORMAT_IMAGE_X, SCREE_FORMAT_IMAGE_Y,
                                  SCREE_FORMAT_IMAGE_Z};
    const double radius = table->number[SCREE_FORMAT_RADIUS][body];
    scree_format_text_id(row, table, body);
    scree_format_text_char(row, ' ');
    scree_format_text_integer(row, type);
    scree_format_text_char(row, ' ');
    scree_format_text_number(row, 2 * radius / row->unit[SCREE_FORMAT_RADIUS]);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; ++c)
        scree_format_text_value(row, ' ', table, body, columns[c]);
    scree_format_text_end(row);
}

static void write_velocity(struct scree_format_text *row, const struct scree_format_table *table, size_t body)
{
    scree_format_text_id(row, table, body);
    for (int c = SCREE_FORMAT_VELOCITY_X; c <= SCREE_FORMAT_SPIN_Z; ++c)
        if (scree_format_has(table, c))
            scree_format_text_value(row, ' ', table, body, c);
        else
            scree_format_text_word(row, " 0");
    scree_format_text_end(row);
}

static void write(struct scree_format_output *output, const struct scree_format_table *table,
                  const char *section)
{
    const bool numbers = scree_format_types_are_numbers(table);
    struct scree_format_text row;
    uint32_t types = numbers ? 1 : table->types.count > 0 ? (uint32_t)table->types.count : 1;
    scree_format_text_begin(&row, output->file, output->units);
    for (size_t body = 0; body < table->count; ++body) {
        const uint32_t type = scree_format_type_number(table, body, numbers);
        types = type > types ? type : types;
    }
    write_header(output, table, types, &row);
    fprintf(output->file, "\n%s\n\n", section);
    for (size_t body = 0; body < table->count; ++body)
        write_atom(&row, table, body, scree_format_type_number(table, body, numbers));
    if (!scree_format_has(table, SCREE_FORMAT_VELOCITY_X) && !scree_format_has(table, SCREE_FORMAT_SPIN_X))
        return;
    fprintf(output->file, "\nVelocities\n\n");
    for (size_t body = 0; body < table->count; ++body)
        write_velocity(&row, table, body);
}

void scree_format_data_write(struct scree_format_output *output, const struct scree_format_table *table)
{
    write(output, table, "Atoms # sphere");
}

void scree_format_data_write_plain(struct scree_format_output *output, const struct scree_format_table *table)
{
    write(output, table, "Atoms");
}
