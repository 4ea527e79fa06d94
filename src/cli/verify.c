// `scree verify`: selects cases by name, runs them and prints the verdict.

#include "verify/verify.h"

#include "live.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CASES = 256, NAME_SIZE = 96 };

// Position of a case in the tables of the families.
struct position {
    const struct scree_verify_family *family;
    const struct scree_verify_case *row;
    char full_name[NAME_SIZE]; // "family/name"
};

// Moves to the next case, or to the first one if `position` is zero; returns false after the last.
static bool next(struct position *position)
{
    if (!position->family) {
        position->family = scree_verify_families;
        position->row = position->family->cases;
    } else if (!(++position->row)->name) {
        ++position->family;
        position->row = position->family->cases;
    }
    if (!position->family->name)
        return false;
    snprintf(position->full_name, NAME_SIZE, "%s/%s", position->family->name, position->row->name);
    return true;
}

// Returns true if a word is the beginning of "family/name" or of the name of a case.
static bool matches(const char *word, const struct position *position)
{
    const size_t length = strlen(word);
    return strncmp(position->full_name, word, length) == 0 || strncmp(position->row->name, word, length) == 0;
}

// Moves to the next case that matches an argument. Without arguments all are listed, and those run that do
// not have to be named.
static bool next_selected(const struct scree_cli_line *line, struct position *position)
{
    const bool all = scree_cli_has(line, "list");
    while (next(position)) {
        bool selected = line->count == 0 && (all || !position->family->by_name);
        for (int w = 0; w < line->count; ++w)
            selected = selected || matches(line->words[w], position);
        if (selected)
            return true;
    }
    return false;
}

static bool matches_any(const char *word)
{
    struct position position = {0};
    while (next(&position))
        if (matches(word, &position))
            return true;
    return false;
}

// Prints an error for a word that matches no case, with a suggestion.
static void print_no_match(const char *word)
{
    static struct position all[MAX_CASES];
    const char *names[3 * MAX_CASES];
    size_t count = 0, cases = 0;
    const struct scree_verify_family *family;
    for (struct position position = {0}; cases < MAX_CASES && next(&position); ++cases) {
        if (position.row == position.family->cases)
            names[count++] = position.family->name;
        all[cases] = position;
        names[count++] = all[cases].full_name;
        names[count++] = position.row->name;
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
    for (struct position position = {0}; next_selected(line, &position); family = position.family) {
        if (position.family != family)
            printf("%s%s: %s\n", family ? "\n" : "", position.family->name, position.family->about);
        printf("  %-36s %s\n", position.full_name, position.row->about);
    }
}

static void run(const struct scree_cli_line *line, struct scree_report *report)
{
    const double first_start = scree_live_now();
    scree_report_begin(report);
    for (struct position position = {0}; next_selected(line, &position);) {
        const double start = scree_live_now();
        scree_report_open_case(report, position.full_name, position.row->about);
        const scree_status status = scree_verify_run(position.row, report);
        scree_report_close_case(report, status, scree_live_now() - start);
    }
    scree_report_end(report, scree_live_now() - first_start);
}

int scree_cli_verify(const struct scree_cli_line *line)
{
    struct scree_report report = {.json = scree_cli_has(line, "json")};
    if (!scree_cli_number(line, "scale-tolerances", "a non-negative number", true, 1,
                          &report.tolerance_scale))
        return SCREE_CLI_USAGE;
    for (int w = 0; w < line->count; ++w)
        if (line->words[w][0] == 0) {
            return scree_cli_fail(SCREE_CLI_USAGE,
                                  "verify: the name of a case is empty; 'scree verify --list' lists all");
        } else if (!matches_any(line->words[w])) {
            print_no_match(line->words[w]);
            return SCREE_CLI_USAGE;
        }
    if (scree_cli_has(line, "list")) {
        list(line);
        return SCREE_CLI_OK;
    }
    run(line, &report);
    return report.failed ? SCREE_CLI_FAILED : SCREE_CLI_OK;
}
