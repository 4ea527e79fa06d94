// Reading reference trajectories, see reference.h. A file opens with lines that begin with # and hold
// J=(...), q0=(...) and w_body(0)=(...), then a line that names the columns, then one line for each instant.
// Momentum and energy, the last four columns, follow from the others and are not kept.

#include "reference.h"

#include "embedded/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads `count` numbers that follow `key` in the text.
static bool read_after(const char *text, const char *key, double *out, int count)
{
    const char *at = strstr(text, key);
    if (!at)
        return false;
    at += strlen(key);
    for (int k = 0; k < count; ++k) {
        char *end;
        out[k] = strtod(at, &end);
        if (end == at)
            return false;
        at = *end ? end + 1 : end;
    }
    return true;
}

// A row has all of its numbers on its own line, with a comma between each two and nothing after the last.
static bool read_sample(const char *line, struct scree_reference_sample *sample)
{
    double v[15];
    for (int k = 0; k < 15; ++k) {
        char *end;
        v[k] = strtod(line, &end);
        // strtod would skip the end of a short line as a blank
        if (*line == '\n' || end == line || *end != (k < 14 ? ',' : '\n'))
            return false;
        line = end + 1;
    }
    sample->time = v[0];
    memcpy(sample->orientation, v + 1, sizeof sample->orientation);
    memcpy(sample->body_spin, v + 5, sizeof sample->body_spin);
    memcpy(sample->spin, v + 8, sizeof sample->spin);
    return true;
}

static bool read(const char *text, struct scree_reference *reference)
{
    if (!read_after(text, "J=(", reference->inertia, 3) ||
        !read_after(text, "q0=(", reference->orientation, 4) ||
        !read_after(text, "w_body(0)=(", reference->body_spin, 3))
        return false;
    if (!read_after(text, "body-omega period = ", &reference->period, 1))
        reference->period = 0;
    const char *line = strstr(text, "\nt,");
    for (line = line ? strchr(line + 1, '\n') : NULL; line && line[1]; line = strchr(line + 1, '\n')) {
        if (reference->count == SCREE_REFERENCE_SAMPLES ||
            !read_sample(line + 1, &reference->sample[reference->count++]))
            return false;
    }
    return reference->count > 1;
}

scree_status scree_reference_read(struct scree_report *report, const char *name,
                                  struct scree_reference *reference)
{
    *reference = (struct scree_reference){0};
    char file[64];
    snprintf(file, sizeof file, "%s.csv", name);
    for (const struct scree_embedded *e = scree_embedded_cases; e->name; ++e)
        if (strcmp(e->name, file) == 0)
            return read(e->text, reference)
                       ? SCREE_OK
                       : scree_report_complain(report, SCREE_ERROR_IO,
                                               "the reference %s is not as it should be", file);
    return scree_report_complain(report, SCREE_ERROR_MISSING,
                                 "the reference %s was not compiled in: it belongs in tests/data", file);
}
