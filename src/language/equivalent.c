// Finds the key for a word of another program, see check.h.

#include "language/check.h"
#include "language/law_keys.h"

#include <string.h>
#include <strings.h>

const struct scree_equivalent scree_equivalent_rows[] = {
#define EQUIVALENT(section, key, pfc, lammps, yade) {section, key, {pfc, lammps, yade}},
#include "language/equivalent.def"
#undef EQUIVALENT
    {NULL, NULL, {NULL}}};

enum { PROGRAMS = 3 };

static const char *const programs[PROGRAMS] = {"PFC", "LAMMPS", "Yade"};

// One of the names in a row's text, which commas and semicolons separate; without a remark in brackets.
struct piece {
    const char *text;
    size_t length;
};

static bool next_piece(const char **at, struct piece *piece)
{
    *at += strspn(*at, ",; ");
    piece->text = *at;
    *at += strcspn(*at, ",;");
    piece->length = (size_t)(*at - piece->text);
    const char *bracket = memchr(piece->text, '(', piece->length);
    piece->length = bracket ? (size_t)(bracket - piece->text) : piece->length;
    while (piece->length > 0 && piece->text[piece->length - 1] == ' ')
        --piece->length;
    return piece->length > 0;
}

// Returns true if the last word of a name is `word`, as in "ball attribute density" and `density`.
static bool ends_with(const struct piece *piece, const char *word)
{
    const size_t length = strlen(word);
    if (length < 2 || length > piece->length ||
        strncasecmp(piece->text + piece->length - length, word, length) != 0)
        return false;
    return length == piece->length || strchr(" ./", piece->text[piece->length - length - 1]);
}

// Returns true if the row's key is a key of the section, or a parameter of the contact's law.
static bool is_known(struct scree_reading *reading, const struct scree_node *map, enum scree_section section,
                     const struct scree_equivalent *row)
{
    bool wrong;
    if (row->section[0] && strcmp(row->section, scree_key_sections[section].name) != 0)
        return false;
    return scree_key_find(section, row->key) ||
           (section == SCREE_SECTION_contact &&
            scree_law_keys_find(scree_law_keys_law(reading, map, &wrong), row->key, NULL));
}

// Finds the row with a word, for this section or for any one; `piece` and `program` get where it was found.
static const struct scree_equivalent *find(struct scree_reading *reading, const struct scree_node *map,
                                           enum scree_section section, bool any, const char *word,
                                           struct piece *piece, int *program)
{
    for (const struct scree_equivalent *row = scree_equivalent_rows; row->key; ++row)
        for (*program = 0; *program < PROGRAMS; ++*program)
            for (const char *at = row->name[*program]; next_piece(&at, piece);)
                if (ends_with(piece, word) &&
                    (any ? row->section[0] != 0 : is_known(reading, map, section, row)))
                    return row;
    return NULL;
}

static const char marked[] = " (LIGGGHTS)";

// Returns true if a name exists in LIGGGHTS only: the last name before a semicolon has the mark.
static bool is_marked(const struct piece *piece)
{
    const size_t length = strcspn(piece->text, ";"), mark = strlen(marked);
    return length >= mark && strncmp(piece->text + length - mark, marked, mark) == 0;
}

bool scree_equivalent_report(struct scree_reading *reading, const struct scree_node *map,
                             const struct scree_node *name, enum scree_section section)
{
    struct piece piece;
    int program;
    const struct scree_equivalent *row = find(reading, map, section, false, name->text, &piece, &program);
    if (!row)
        row = find(reading, map, section, true, name->text, &piece, &program);
    if (!row)
        return false;
    // a remark in brackets is part of the name shown, unless it is the mark
    const char *end = piece.text + piece.length;
    const bool remark = strncmp(end, " (", 2) == 0 && strncmp(end, marked, strlen(marked)) != 0;
    if (remark)
        end += strcspn(end, ")") + 1;
    scree_reading_report(reading, name, "%s has no key '%.60s': '%.*s' of %s is the key '%s' of %s",
                         scree_key_sections[section].name, name->text, (int)(end - piece.text), piece.text,
                         is_marked(&piece) ? "LIGGGHTS" : programs[program], row->key,
                         row->section[0] ? row->section : scree_key_sections[section].name);
    return true;
}
