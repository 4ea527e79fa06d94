// Writes the reference page of scenes, see print.h.

#include "contact/rule.h"
#include "language/key.h"
#include "language/print.h"
#include "law/law.h"
#include "measure/column.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 120 }; // characters of a line

// Collects a paragraph, which is broken into lines when it is written.
struct page {
    scree_text_function *write;
    void *user;
    char text[4000];
};

__attribute__((format(printf, 2, 3))) static void append(struct page *page, const char *format, ...)
{
    const size_t used = strlen(page->text);
    va_list values;
    va_start(values, format);
    vsnprintf(page->text + used, sizeof page->text - used, format, values);
    va_end(values);
}

// Writes the paragraph; its lines after the first begin with `indent`.
static void write_paragraph(struct page *page, const char *indent)
{
    char *at = page->text;
    for (const char *before = ""; *at; before = indent) {
        const size_t width = WIDTH - strlen(before);
        size_t length = strlen(at);
        if (length > width) {
            length = width;
            while (length > 0 && at[length] != ' ')
                --length;
            // a word longer than the line gets a line of its own
            length = length > 0 ? length : strcspn(at, " ");
        }
        const bool more = at[length] == ' ';
        at[length] = 0;
        page->write(page->user, before);
        page->write(page->user, at);
        page->write(page->user, "\n");
        at += length + more;
    }
    page->text[0] = 0;
}

static void append_range(struct page *page, double least, double most, unsigned flags, const char *unit)
{
    const char *gap = unit[0] ? " " : "";
    const bool above = flags & SCREE_KEY_ABOVE;
    if (isinf(least) && isinf(most))
        return;
    if (isinf(most))
        append(page, ", %s %g%s%s", above ? "above" : "at least", least, gap, unit);
    else if (isinf(least))
        append(page, ", at most %g%s%s", most, gap, unit);
    else
        append(page, ", %s %g and %s %g%s%s", above ? "above" : "at least", least,
               flags & SCREE_KEY_BELOW ? "below" : "at most", most, gap, unit);
}

static void append_words(struct page *page, const char *const *words)
{
    for (size_t w = 0; words && words[w]; ++w)
        append(page, "%s`%s`", w == 0 ? ": " : ", ", words[w]);
}

// --- keys

// Returns true if `least` and `most` bound numbers, false if they bound the length of a list.
static bool has_range(const struct scree_key *key)
{
    return key->least < key->most && key->type != SCREE_KEY_NAMES && key->type != SCREE_KEY_SOME_NAMES &&
           key->type != SCREE_KEY_COLUMNS;
}

static void append_values(struct page *page, const struct scree_key *key)
{
    const enum scree_section child = scree_key_child_section(key);
    const char *const *words = scree_key_choices(key);
    const bool other = key->flags & SCREE_KEY_OTHER, columns = words == scree_column_names;
    append(page, "%s", scree_key_values(key->type));
    if (key->unit[0])
        append(page, " in %s", key->unit);
    const char *unit_2d = scree_key_unit((enum scree_key_id)(key - scree_key_rows), 2);
    if (strcmp(unit_2d, key->unit) != 0)
        append(page, ", in two dimensions in %s", unit_2d);
    if (has_range(key))
        append_range(page, key->least, key->most, key->flags, key->unit);
    if (other)
        append(page, ", or `%s`", key->set);
    else if (columns)
        append(page, " ([list of columns](../guide/columns.md))");
    else if (words)
        append_words(page, words);
    if (child < SCREE_SECTIONS)
        append(page, ": [%s](#%s)", scree_key_sections[child].name, scree_key_sections[child].key);
}

static void append_constraints(struct page *page, size_t key)
{
    for (int with = 1; with >= 0; --with) {
        const enum scree_key_relation relation = with ? SCREE_KEY_WITH : SCREE_KEY_WITHOUT;
        size_t count = 0;
        for (size_t t = 0; scree_key_constraints[t].key != scree_key_constraints[t].other; ++t)
            if (scree_key_constraints[t].key == key && scree_key_constraints[t].relation == relation)
                append(page, "%s`%s`",
                       count++ > 0 ? " or "
                       : with      ? " Requires "
                                   : " Excludes ",
                       scree_key_rows[scree_key_constraints[t].other].name);
        append(page, "%s", count > 0 ? "." : "");
    }
}

static void write_key(struct page *page, size_t k)
{
    const struct scree_key *key = &scree_key_rows[k];
    append(page, "- **%s**: ", key->name);
    append_values(page, key);
    const enum scree_key_id unless = scree_key_unless((enum scree_key_id)k);
    if (key->flags & SCREE_KEY_NEEDED && unless < SCREE_KEYS)
        append(page, "; required unless `%s` is given", scree_key_rows[unless].name);
    else if (key->flags & SCREE_KEY_NEEDED)
        append(page, "; required");
    else if (key->default_value[0] && key->type != SCREE_KEY_SECTION)
        append(page, "; default `%s`", key->default_value);
    append(page, ". %s", key->about);
    append_constraints(page, k);
    append(page, " `%s`", key->example);
    write_paragraph(page, "  ");
}

// Lists the keys whose values are of the section.
static void append_places(struct page *page, enum scree_section section)
{
    size_t count = 0;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        if (scree_key_child_section(key) != section)
            continue;
        append(page, "%s`%s` of [%s](#%s)", count++ == 0 ? " Value of " : ", ", key->name,
               scree_key_sections[key->section].name, scree_key_sections[key->section].key);
    }
    append(page, "%s", count > 0 ? "." : "");
}

static void append_choices(struct page *page, enum scree_section section, unsigned flag, const char *before)
{
    size_t choices = 0;
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section && scree_key_rows[k].flags & flag)
            append(page, "%s`%s`", choices++ == 0 ? before : ", ", scree_key_rows[k].name);
    append(page, "%s", choices > 0 ? "." : "");
}

static void write_section(struct page *page, enum scree_section section)
{
    const struct scree_section_row *row = &scree_key_sections[section];
    append(page, "\n## <a id=\"%s\"></a>%s", row->key, row->name);
    write_paragraph(page, "");
    append(page, "\n%s", row->about);
    append_places(page, section);
    append_choices(page, section, SCREE_KEY_ONE, " Exactly one of these keys is required: ");
    append_choices(page, section, SCREE_KEY_SOME, " At least one of these keys is required: ");
    write_paragraph(page, "");
    page->write(page->user, "\n");
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section)
            write_key(page, k);
}

// --- laws

static void write_parameter(struct page *page, const struct scree_law_parameter *parameter)
{
    append(page, "- **%s**: ", parameter->name);
    if (parameter->choices) {
        append(page, "a word");
        append_words(page, parameter->choices);
    } else {
        append(page, "a number%s%s", parameter->unit[0] ? " in " : "", parameter->unit);
        // a tiny lower bound means "above 0", a huge upper bound means "unbounded"
        append_range(page, parameter->least < 1e-100 && parameter->least > 0 ? 0 : parameter->least,
                     parameter->most > 1e100 ? (double)INFINITY : parameter->most,
                     parameter->least < 1e-100 && parameter->least > 0 ? SCREE_KEY_ABOVE : 0u,
                     parameter->unit);
    }
    if (parameter->required)
        append(page, "; required");
    else if (!isnan(parameter->fallback) && parameter->choices)
        append(page, "; default `%s`", parameter->choices[(size_t)parameter->fallback]);
    else if (!isnan(parameter->fallback))
        append(page, "; default `%g`", parameter->fallback);
    append(page, ". %s", parameter->about);
    write_paragraph(page, "  ");
}

static void write_law(struct page *page, const struct scree_contact_law *law)
{
    append(page, "\n### %s", law->name);
    write_paragraph(page, "");
    append(page, "\n%s", law->about);
    for (size_t p = 0; law->properties && law->properties[p]; ++p)
        append(page, "%s`%s`", p == 0 ? " Required material properties: " : ", ", law->properties[p]);
    append(page, "%s", law->properties && law->properties[0] ? "." : "");
    write_paragraph(page, "");
    page->write(page->user, "\n");
    for (const struct scree_law_parameter *parameter = law->parameters; parameter->name; ++parameter)
        write_parameter(page, parameter);
}

void scree_reference_write(scree_text_function *write, void *user)
{
    struct page page = {.write = write, .user = user};
    write(user, "# The keys of scenes\n\n");
    append(&page,
           "All keys of scenes, by section, and the parameters of all contact laws. For an introduction see "
           "the [guide to scenes](../guide/scenes.md). This page is generated by `tools/reference` from the "
           "tables in the source code.");
    write_paragraph(&page, "");
    for (size_t s = 0; s < SCREE_SECTIONS; ++s)
        write_section(&page, (enum scree_section)s);
    write(user, "\n## Contact laws\n\n");
    append(&page,
           "The parameters of the law are keys of a [contact](#contact). Every law with a "
           "force also takes these; the laws whose names begin with `hard` are for the event engine, give no "
           "force, and do not:");
    write_paragraph(&page, "");
    write(user, "\n");
    for (size_t p = 0; p < SCREE_RULE_EXTRAS; ++p)
        write_parameter(&page, &scree_law_extras[p]);
    for (size_t l = 0; scree_law_at(l); ++l)
        write_law(&page, scree_law_at(l));
}
