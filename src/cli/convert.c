// `scree convert`: converts files of bodies between formats, or prints a summary of one.

#include "cli.h"

#include <scree/convert.h>

#include <stdlib.h>
#include <string.h>

static bool read_integer(const char *option, const char *text, uint64_t least, uint64_t *number)
{
    char *end;
    *number = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    if (text[0] >= '0' && text[0] <= '9' && !*end && *number >= least)
        return true;
    return scree_cli_refuse("convert: --%s takes a whole number from %llu, not '%s'", option,
                            (unsigned long long)least, text);
}

static bool read_options(const struct scree_cli_line *line, struct scree_convert_def *def)
{
    static const char positive[] = "a number above 0, in SI units";
    const char *snapshot = scree_cli_value(line, "snapshot"), *step = scree_cli_value(line, "step");
    def->from = scree_cli_value(line, "from");
    def->to = scree_cli_value(line, "to");
    def->units = scree_cli_value(line, "units");
    def->units_to = scree_cli_value(line, "units-to");
    def->force = scree_cli_has(line, "force");
    def->molecules = scree_cli_has(line, "molecules");
    if (snapshot && step)
        return scree_cli_refuse("convert: --snapshot and --step cannot be combined: give one of them");
    def->by_step = step != NULL;
    if (step && !read_integer("step", step, 0, &def->step))
        return false;
    def->all = snapshot && strcmp(snapshot, "all") == 0;
    if (snapshot && !def->all && strcmp(snapshot, "last") != 0 &&
        !read_integer("snapshot", snapshot, 1, &def->snapshot))
        return false;
    return scree_cli_number(line, "scale", positive, false, 0, &def->scale) &&
           scree_cli_number(line, "radius", positive, false, 0, &def->radius) &&
           scree_cli_number(line, "density", positive, false, 0, &def->density);
}

static void list_formats(void)
{
    struct scree_convert_format format;
    for (size_t f = 0; scree_convert_format_at(f, &format); ++f) {
        printf("%-14s", format.name);
        scree_cli_print_wrapped(stdout, 14, 14, format.about);
        printf("%14s", "");
        for (const char *const *ending = format.endings; *ending; ++ending)
            printf("%s%s", ending == format.endings ? "" : ", ", *ending);
        printf("\n");
    }
}

void scree_cli_print_bodies(const char *path, const struct scree_convert_report *report)
{
    printf("%s: %s, %llu bodies", path, report->format, (unsigned long long)report->bodies);
    if (report->types > 0)
        printf(" of %llu type%s", (unsigned long long)report->types, report->types == 1 ? "" : "s");
    if (report->snapshots > 1)
        printf(" in the last of %llu snapshots", (unsigned long long)report->snapshots);
    printf("\n");
    if (report->clumps > 0)
        printf("clumps     %llu, of %llu pebbles\n", (unsigned long long)report->clumps,
               (unsigned long long)report->pebbles);
    if (report->has_step)
        printf("step       %llu\n", (unsigned long long)report->step);
    if (report->has_time)
        printf("time       %g s\n", report->time);
    if (report->max_radius > 0)
        printf("radii      %g to %g m\n", report->min_radius, report->max_radius);
    for (int k = 0; k < 3; ++k) {
        const char *name = k > 0 ? ", " : report->has_box ? "box        " : "bounds     ";
        printf("%s%c: %g to %g m%s", name, 'x' + k, report->lower[k], report->upper[k],
               report->periodic[k] ? ", periodic" : "");
    }
    printf("\n");
}

int scree_cli_convert(const struct scree_cli_line *line)
{
    struct scree_convert_def def = {0};
    struct scree_convert_report report;
    if (scree_cli_has(line, "list")) {
        list_formats();
        return SCREE_CLI_OK;
    }
    if (!scree_cli_check_count(line, 1, 2, "which file? Name an input file, and an output file to write") ||
        !read_options(line, &def))
        return SCREE_CLI_USAGE;
    const char *out = line->count == 2 ? line->words[1] : NULL;
    const scree_status status = scree_convert_file(line->words[0], out, &def, &report);
    if (status != SCREE_OK)
        return scree_cli_fail(SCREE_CLI_FAILED, "convert: %s%s", scree_status_message(),
                              status == SCREE_ERROR_EXISTS ? " (--force overwrites it)" : "");
    scree_cli_print_bodies(line->words[0], &report);
    if (!out)
        return SCREE_CLI_OK;
    if (report.type_numbers[0])
        printf("types      %s\n", report.type_numbers);
    if (report.not_stored[0])
        printf("left out   %s: not supported by %s\n", report.not_stored, report.to);
    if (report.shapes > 0)
        printf("shapes     %llu, in files -shape-1.txt and so on beside the output\n",
               (unsigned long long)report.shapes);
    printf("wrote %s\n", out);
    return SCREE_CLI_OK;
}
