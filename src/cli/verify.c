// `scree verify`: selects cases by name, runs them and prints the verdict.

#include "verify/verify.h"

#include "live.h"

#include <stdio.h>
#include <string.h>

static const struct scree_verify_family *const *const families = scree_verify_families;

enum { NAMES = 256, NAME = 96 };

// Returns true if a word is the beginning of "family/name" or of the name of a case.
static bool matches(const char *word, const struct scree_verify_family *family,
                    const struct scree_verify_case *of)
{
    char full[NAME];
    snprintf(full, sizeof full, "%s/%s", family->name, of->name);
    return strncmp(full, word, strlen(word)) == 0 || strncmp(of->name, word, strlen(word)) == 0;
}

static bool chosen(int count, char **words, const struct scree_verify_family *family,
                   const struct scree_verify_case *of)
{
    for (int w = 0; w < count; ++w)
        if (matches(words[w], family, of))
            return true;
    return count == 0;
}

static bool matches_any(const char *word)
{
    const struct scree_verify_family *const *family;
    for (family = families; *family; ++family)
        for (size_t c = 0; c < (*family)->count; ++c)
            if (matches(word, *family, &(*family)->cases[c]))
                return true;
    return false;
}

// Prints an error for a word that matches no case, with a suggestion.
static void refuse(const char *word)
{
    const struct scree_verify_family *const *family;
    static char full[NAMES][NAME];
    const char *names[3 * NAMES];
    size_t count = 0, cases = 0;
    for (family = families; *family && cases < NAMES; ++family) {
        names[count++] = (*family)->name;
        for (size_t c = 0; c < (*family)->count && cases < NAMES; ++c) {
            snprintf(full[cases], NAME, "%s/%s", (*family)->name, (*family)->cases[c].name);
            names[count++] = full[cases++];
            names[count++] = (*family)->cases[c].name;
        }
    }
    fprintf(stderr, "scree verify: there is no case '%s'", word);
    const char *nearest = scree_cli_nearest(word, names, count);
    if (nearest)
        fprintf(stderr, ": did you mean '%s'?", nearest);
    fprintf(stderr, "%s the families are", nearest ? "" : ";");
    for (family = families; *family; ++family)
        fprintf(stderr, "%s %s", family > families ? "," : "", (*family)->name);
    fprintf(stderr, "; 'scree verify --list' lists the cases.\n");
}

static void list(int count, char **words)
{
    const struct scree_verify_family *const *family;
    bool first = true;
    for (family = families; *family; ++family) {
        bool headed = false;
        for (size_t c = 0; c < (*family)->count; ++c) {
            const struct scree_verify_case *of = &(*family)->cases[c];
            if (!chosen(count, words, *family, of))
                continue;
            if (!headed)
                printf("%s%s: %s\n", first ? "" : "\n", (*family)->name, (*family)->about);
            headed = true;
            first = false;
            char full[NAME];
            snprintf(full, sizeof full, "%s/%s", (*family)->name, of->name);
            printf("  %-36s %s\n", full, of->about);
        }
    }
}

static void run(struct scree_report *report, int count, char **words)
{
    const struct scree_verify_family *const *family;
    const double began = scree_live_now();
    scree_report_begin(report);
    for (family = families; *family; ++family)
        for (size_t c = 0; c < (*family)->count; ++c) {
            const struct scree_verify_case *of = &(*family)->cases[c];
            if (!chosen(count, words, *family, of))
                continue;
            const double start = scree_live_now();
            scree_report_open_case(report, (*family)->name, of->name, of->about);
            const scree_status status = of->run(report, of->data);
            scree_report_close_case(report, status, scree_live_now() - start);
        }
    scree_report_end(report, scree_live_now() - began);
}

int scree_cli_verify(const struct scree_cli_line *line)
{
    const int count = line->count;
    char **words = line->words;
    struct scree_report report = {.json = scree_cli_has(line, "json")};
    if (!scree_cli_number(line, "scale-tolerances", "a non-negative number", true, 1, &report.scale))
        return SCREE_CLI_USAGE;
    for (int w = 0; w < count; ++w)
        if (words[w][0] == 0) {
            fprintf(stderr, "scree verify: the name of a case is empty; 'scree verify --list' lists all\n");
            return SCREE_CLI_USAGE;
        } else if (!matches_any(words[w])) {
            refuse(words[w]);
            return SCREE_CLI_USAGE;
        }
    if (scree_cli_has(line, "list")) {
        list(count, words);
        return SCREE_CLI_OK;
    }
    run(&report, count, words);
    return report.failed ? SCREE_CLI_FAILED : SCREE_CLI_OK;
}
