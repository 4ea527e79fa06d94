// The progress line of a run, see live_line.h.

#include "live_line.h"

#include <scree/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PARTS = SCREE_LIVE_COLUMNS + 8, LONGEST = 128 };

enum form { LONG, SHORT, LEFT_OUT };

struct part {
    char text[2][LONGEST]; // the long form and the short one
    size_t rank;           // 0 for the most important part, which is never left out
    enum form form;
};

struct parts {
    size_t count;
    struct part part[PARTS];
};

bool scree_live_line_is_terminal(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDOUT_FILENO) && kind && kind[0] && strcmp(kind, "dumb") != 0;
}

// Returns the maximum number of characters of a line.
static size_t width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long count = columns ? strtol(columns, NULL, 10) : 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        count = size.ws_col;
    return count > 1 && count < 100000 ? (size_t)count - 1 : count == 1 ? 1 : 79;
}

static size_t length_of(const struct part *part)
{
    return part->form == LEFT_OUT ? 0 : strlen(part->text[part->form]);
}

// Returns the least important part that can still be changed to a form; null if there is none.
static struct part *find(struct parts *parts, enum form form)
{
    struct part *least = NULL;
    for (size_t p = 0; p < parts->count; ++p) {
        struct part *part = &parts->part[p];
        const bool can = form == SHORT ? part->form == LONG : part->form != LEFT_OUT && part->rank > 0;
        if (can && (!least || part->rank > least->rank))
            least = part;
    }
    return least;
}

// Shortens parts, then leaves parts out, until the line has at most `most` characters.
static void fit(struct parts *parts, size_t most)
{
    for (;;) {
        size_t length = 0;
        for (size_t p = 0; p < parts->count; ++p)
            length += length_of(&parts->part[p]);
        struct part *part = length > most ? find(parts, SHORT) : NULL;
        if (part) {
            part->form = SHORT;
            continue;
        }
        part = length > most ? find(parts, LEFT_OUT) : NULL;
        if (!part)
            return;
        part->form = LEFT_OUT;
    }
}

static struct part *add(struct parts *parts, size_t rank)
{
    struct part *part = &parts->part[parts->count++];
    part->rank = rank;
    return part;
}

// the estimated remaining time
static void add_remaining(struct parts *parts, size_t rank, double seconds)
{
    char time[32] = "--:--";
    struct part *part = add(parts, rank);
    if (seconds < 3600)
        snprintf(time, sizeof time, "%02d:%02d", (int)seconds / 60, (int)seconds % 60);
    else if (seconds < 360000)
        snprintf(time, sizeof time, "%02d:%02d:%02d", (int)seconds / 3600, (int)seconds / 60 % 60,
                 (int)seconds % 60);
    snprintf(part->text[LONG], LONGEST, "  %8s", time);
    snprintf(part->text[SHORT], LONGEST, "  %s", time);
}

static void add_stage(struct parts *parts, size_t rank, const struct scree_progress *progress)
{
    if (progress->stages < 2)
        return;
    struct part *part = add(parts, rank);
    snprintf(part->text[LONG], LONGEST, "  stage %zu of %zu", progress->stage, progress->stages);
    snprintf(part->text[SHORT], LONGEST, "  stage %zu/%zu", progress->stage, progress->stages);
}

static void add_share(struct parts *parts, size_t rank, double share)
{
    struct part *part = add(parts, rank);
    snprintf(part->text[LONG], LONGEST, " %5.1f %%", 100 * share);
    snprintf(part->text[SHORT], LONGEST, " %.1f %%", 100 * share);
}

static void make_default(struct parts *parts, const struct scree_progress *progress)
{
    struct part *part = add(parts, 0);
    snprintf(part->text[LONG], LONGEST, "%10.4g s", progress->time);
    snprintf(part->text[SHORT], LONGEST, "%.4g s", progress->time);
    add_share(parts, 1, progress->share);
    part = add(parts, 3);
    snprintf(part->text[LONG], LONGEST, "  %9.3g steps/s", progress->rate);
    snprintf(part->text[SHORT], LONGEST, "  %.3g steps/s", progress->rate);
    part = add(parts, 6);
    snprintf(part->text[LONG], LONGEST, "  %zu contacts", progress->contacts);
    snprintf(part->text[SHORT], LONGEST, "  %zu contacts", progress->contacts);
    part = add(parts, 4);
    snprintf(part->text[LONG], LONGEST, "  energy error %8.1e", progress->error);
    snprintf(part->text[SHORT], LONGEST, "  error %.1e", progress->error);
    add_stage(parts, 5, progress);
    add_remaining(parts, 2, progress->left);
}

// The line of --columns; the chosen columns have the highest priority.
static void make_chosen(struct parts *parts, const struct scree_live *live,
                        const struct scree_progress *progress)
{
    for (size_t c = 0; c < live->columns; ++c) {
        struct part *part = add(parts, c);
        for (enum form form = LONG; form <= SHORT; ++form)
            snprintf(part->text[form], LONGEST, "%s %.4g%s%s  ", live->column[c], progress->values[c],
                     live->unit[c][0] ? " " : "", live->unit[c]);
    }
    add_share(parts, live->columns, progress->share);
    add_stage(parts, live->columns + 2, progress);
    add_remaining(parts, live->columns + 1, progress->left);
}

void scree_live_line_print(const struct scree_live *live, const struct scree_progress *progress)
{
    struct parts parts = {0};
    size_t space = live->terminal ? width() : (size_t)LONGEST * PARTS;
    if (live->columns > 0)
        make_chosen(&parts, live, progress);
    else
        make_default(&parts, progress);
    fit(&parts, space);
    for (size_t p = 0; p < parts.count; ++p) {
        const size_t length = length_of(&parts.part[p]), fits = length < space ? length : space;
        if (parts.part[p].form != LEFT_OUT)
            printf("%.*s", (int)fits, parts.part[p].text[parts.part[p].form]);
        space -= fits;
    }
}
