// `scree verify`: selects cases by name, runs them and prints the verdict.

#include "verify/verify.h"

#include "live.h"

#include <stdio.h>
#include <string.h>

enum { NAMES = 256, NAME = 96 };

// A case in the table of its family.
struct place {
    const struct scree_verify_family *family;
    const struct scree_verify_case *row;
    char full[NAME]; // "family/name"
};

// Moves to the next case, or to the first one if `place` is zero; returns false after the last.
static bool next(struct place *place)
{
    if (!place->family) {
        place->family = scree_verify_families;
        place->row = place->family->cases;
    } else if (!(++place->row)->name) {
        ++place->family;
        place->row = place->family->cases;
    }
    if (!place->family->name)
        return false;
    snprintf(place->full, NAME, "%s/%s", place->family->name, place->row->name);
    return true;
}

// Returns true if a word is the beginning of "family/name" or of the name of a case.
static bool matches(const char *word, const struct place *place)
{
    const size_t length = strlen(word);
    return strncmp(place->full, word, length) == 0 || strncmp(place->row->name, word, length) == 0;
}

// Moves to the next case that the arguments of the command choose.
static bool next_chosen(const struct scree_cli_line *line, struct place *place)
{
    while (next(place)) {
        bool chosen = line->count == 0;
        for (int w = 0; w < line->count; ++w)
            chosen = chosen || matches(line->words[w], place);
        if (chosen)
            return true;
    }
    return false;
}

static bool matches_any(const char *word)
{
    struct place place = {0};
    while (next(&place))
        if (matches(word, &place))
            return true;
    return false;
}

// Prints an error for a word that matches no case, with a suggestion.
static void refuse(const char *word)
{
    static struct place places[NAMES];
    const char *names[3 * NAMES];
    size_t count = 0, cases = 0;
    const struct scree_verify_family *family;
    for (struct place place = {0}; cases < NAMES && next(&place); ++cases) {
        if (place.row == place.family->cases)
            names[count++] = place.family->name;
        places[cases] = place;
        names[count++] = places[cases].full;
        names[count++] = place.row->name;
    }
    fprintf(stderr, "scree verify: there is no case '%s'", word);
    const char *nearest = scree_cli_nearest(word, names, count);
    if (nearest)
        fprintf(stderr, ": did you mean '%s'?", nearest);
    fprintf(stderr, "%s the families are", nearest ? "" : ";");
    for (family = scree_verify_families; family->name; ++family)
        fprintf(stderr, "%s %s", family > scree_verify_families ? "," : "", family->name);
    fprintf(stderr, "; 'scree verify --list' lists the cases.\n");
}

static void list(const struct scree_cli_line *line)
{
    const struct scree_verify_family *family = NULL;
    for (struct place place = {0}; next_chosen(line, &place); family = place.family) {
        if (place.family != family)
            printf("%s%s: %s\n", family ? "\n" : "", place.family->name, place.family->about);
        printf("  %-36s %s\n", place.full, place.row->about);
    }
}

static void run(const struct scree_cli_line *line, struct scree_report *report)
{
    const double began = scree_live_now();
    scree_report_begin(report);
    for (struct place place = {0}; next_chosen(line, &place);) {
        const double start = scree_live_now();
        scree_report_open_case(report, place.full, place.row->about);
        const scree_status status = scree_verify_run(place.row, report);
        scree_report_close_case(report, status, scree_live_now() - start);
    }
    scree_report_end(report, scree_live_now() - began);
}

int scree_cli_verify(const struct scree_cli_line *line)
{
    struct scree_report report = {.json = scree_cli_has(line, "json")};
    if (!scree_cli_number(line, "scale-tolerances", "a non-negative number", true, 1, &report.scale))
        return SCREE_CLI_USAGE;
    for (int w = 0; w < line->count; ++w)
        if (line->words[w][0] == 0) {
            return scree_cli_fail(SCREE_CLI_USAGE,
                                  "verify: the name of a case is empty; 'scree verify --list' lists all");
        } else if (!matches_any(line->words[w])) {
            refuse(line->words[w]);
            return SCREE_CLI_USAGE;
        }
    if (scree_cli_has(line, "list")) {
        list(line);
        return SCREE_CLI_OK;
    }
    run(line, &report);
    return report.failed ? SCREE_CLI_FAILED : SCREE_CLI_OK;
}
