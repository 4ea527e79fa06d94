// `scree verify`: chooses cases by name, runs them and tells the verdict.

#include "verify.h"

#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct scree_verify_family *const families[] = {
#define SCREE_VERIFY_FAMILY(name) &scree_verify_##name,
#include "verify.def"
#undef SCREE_VERIFY_FAMILY
};

enum { FAMILIES = sizeof families / sizeof families[0], NAMES = 256, NAME = 96 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// A case is meant by its family, or by how "family/name" or its name begins.
static bool means(const char *word, const struct scree_verify_family *family,
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
        if (means(words[w], family, of))
            return true;
    return count == 0;
}

static bool means_any(const char *word)
{
    for (int f = 0; f < FAMILIES; ++f)
        for (size_t c = 0; c < families[f]->count; ++c)
            if (means(word, families[f], &families[f]->cases[c]))
                return true;
    return false;
}

// Complains of a word that means no case, and says which it may have meant.
static void refuse(const char *word)
{
    static char full[NAMES][NAME];
    const char *names[2 * NAMES + FAMILIES];
    size_t count = 0, cases = 0;
    for (int f = 0; f < FAMILIES; ++f) {
        names[count++] = families[f]->name;
        for (size_t c = 0; c < families[f]->count && cases < NAMES; ++c) {
            snprintf(full[cases], NAME, "%s/%s", families[f]->name, families[f]->cases[c].name);
            names[count++] = full[cases++];
            names[count++] = families[f]->cases[c].name;
        }
    }
    fprintf(stderr, "scree verify: no case is named '%s'; ", word);
    const char *nearest = scree_cli_nearest(word, names, count);
    if (nearest)
        fprintf(stderr, "did you mean '%s'? ", nearest);
    fprintf(stderr, "The families are");
    for (int f = 0; f < FAMILIES; ++f)
        fprintf(stderr, "%s %s", f ? "," : "", families[f]->name);
    fprintf(stderr, "; 'scree verify --list' lists all cases.\n");
}

static void list(int count, char **words)
{
    bool first = true;
    for (int f = 0; f < FAMILIES; ++f) {
        bool headed = false;
        for (size_t c = 0; c < families[f]->count; ++c) {
            const struct scree_verify_case *of = &families[f]->cases[c];
            if (!chosen(count, words, families[f], of))
                continue;
            if (!headed)
                printf("%s%s: %s\n", first ? "" : "\n", families[f]->name, families[f]->about);
            headed = true;
            first = false;
            char full[NAME];
            snprintf(full, sizeof full, "%s/%s", families[f]->name, of->name);
            printf("  %-36s %s\n", full, of->about);
        }
    }
}

static void run(struct scree_report *report, int count, char **words)
{
    const double began = now();
    scree_report_begin(report);
    for (int f = 0; f < FAMILIES; ++f)
        for (size_t c = 0; c < families[f]->count; ++c) {
            const struct scree_verify_case *of = &families[f]->cases[c];
            if (!chosen(count, words, families[f], of))
                continue;
            const double start = now();
            scree_report_open_case(report, families[f]->name, of->name, of->about);
            const scree_status status = of->run(report, of->data);
            scree_report_close_case(report, status, now() - start);
        }
    scree_report_end(report, now() - began);
}

static bool read_scale(const char *text, double *scale)
{
    char *end;
    *scale = strtod(text, &end);
    if (end != text && *end == 0 && isfinite(*scale) && *scale >= 0)
        return true;
    fprintf(stderr, "scree verify: --scale-tolerances takes a number that is not negative; got '%s'\n", text);
    return false;
}

double scree_verify_draw(uint64_t seed, uint64_t thing, uint64_t number)
{
    uint64_t x = thing * UINT64_C(0x9E3779B97F4A7C15) + number * UINT64_C(0xD1B54A32D192ED03) + seed;
    for (int round = 0; round < 3; ++round) {
        x ^= x >> 31;
        x *= UINT64_C(0x7FB5D329728EA185);
    }
    return (double)(x >> 11) / 0x1p52 - 1;
}

int scree_cli_verify(const struct scree_cli_line *line)
{
    const int count = line->count;
    char **words = line->words;
    struct scree_report report = {.json = scree_cli_has(line, "json")};
    const char *scale = scree_cli_value(line, "scale-tolerances");
    if (!read_scale(scale ? scale : "1", &report.scale))
        return SCREE_CLI_USAGE;
    for (int w = 0; w < count; ++w)
        if (words[w][0] == 0) {
            fprintf(stderr, "scree verify: the name of a case is empty; 'scree verify --list' lists all\n");
            return SCREE_CLI_USAGE;
        } else if (!means_any(words[w])) {
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
