// `scree help laws`, `scree help law NAME` and `scree help units`: contact laws and units of the library.

#include "help.h"

#include <scree/scree.h>

#include <math.h>
#include <string.h>

void scree_help_laws(void)
{
    const struct scree_contact_law *law;
    for (size_t l = 0; (law = scree_law_at(l)); ++l) {
        printf("%-22s", law->name);
        scree_cli_print(stdout, 22, 22, law->about);
    }
    printf("%-22s", "none");
    scree_cli_print(stdout, 22, 22, "No interaction: the two pass through each other.");
    printf("\n`scree help law NAME` lists the parameters of a law.\n");
}

static void print_range(const struct scree_law_parameter *parameter)
{
    if (parameter->choices) {
        for (size_t c = 0; parameter->choices[c]; ++c)
            printf("%s%s", c > 0 ? " or " : "", parameter->choices[c]);
        return;
    }
    // do not print bounds that are practically infinite or zero
    const bool low = parameter->least > -1e100, high = parameter->most < 1e100;
    const bool above = parameter->least > 0 && parameter->least < 1e-100;
    const double least = above ? 0 : parameter->least;
    if (low && high)
        printf("%s%g to %g", above ? "above " : "", least, parameter->most);
    else if (low)
        printf("%s %g", above ? "above" : "from", least);
    else if (high)
        printf("up to %g", parameter->most);
    else
        printf("any number");
    if (parameter->unit && parameter->unit[0])
        printf(" %s", parameter->unit);
}

static void print_rule(const struct scree_law_parameter *parameter)
{
    print_range(parameter);
    if (parameter->required)
        printf("; required");
    else if (parameter->choices && parameter->fallback >= 0)
        printf("; default: %s", parameter->choices[(size_t)parameter->fallback]);
    else if (!isnan(parameter->fallback))
        printf("; default: %g", parameter->fallback);
    else
        printf("; optional");
    printf("\n");
}

static void print_parameter(const struct scree_law_parameter *parameter)
{
    printf("  %-24s", parameter->name);
    scree_cli_print(stdout, 26, 26, parameter->about);
    printf("%26s", "");
    print_rule(parameter);
}

static void describe(const struct scree_contact_law *law)
{
    const struct scree_law_parameter *parameter;
    scree_cli_print(stdout, 0, 0, law->about);
    printf("\nparameters\n");
    for (parameter = law->parameters; parameter->name; ++parameter)
        print_parameter(parameter);
    for (size_t k = 0; (parameter = scree_law_extra_at(k)); ++k)
        print_parameter(parameter);
    if (law->properties && law->properties[0]) {
        printf("\nproperties that both materials must have\n  ");
        for (size_t k = 0; law->properties[k]; ++k)
            printf("%s%s", k > 0 ? ", " : "", law->properties[k]);
        printf("\n");
    }
    if (law->values && law->values[0].name)
        printf("\ncontact history\n");
    for (const struct scree_law_value *value = law->values; value && value->name; ++value) {
        printf("  %-24s", value->name);
        scree_cli_print(stdout, 26, 26, value->about);
    }
}

bool scree_help_law(const char *name)
{
    const struct scree_contact_law *law;
    for (size_t l = 0; (law = scree_law_at(l)); ++l)
        if (strcmp(law->name, name) == 0) {
            describe(law);
            return true;
        }
    return false;
}

void scree_help_refuse_law(const char *name)
{
    const char *names[64];
    size_t count = 0;
    const struct scree_contact_law *law;
    for (; count < 64 && (law = scree_law_at(count)); ++count)
        names[count] = law->name;
    fprintf(stderr, "scree help: there is no contact law '%s'; ", name);
    scree_cli_suggest(name, names, count, "`scree help laws` lists them");
}

static const struct scree_law_parameter *find(const struct scree_contact_law *law, const char *name)
{
    const struct scree_law_parameter *parameter = law->parameters;
    while (parameter->name && strcmp(parameter->name, name) != 0)
        ++parameter;
    return parameter->name ? parameter : NULL;
}

// Returns true if two laws describe a parameter identically.
static bool are_alike(const struct scree_law_parameter *a, const struct scree_law_parameter *b)
{
    return a && b && strcmp(a->about, b->about) == 0 && a->required == b->required &&
           !(a->least < b->least) && !(a->least > b->least) && !(a->most < b->most) && !(a->most > b->most) &&
           !(a->fallback < b->fallback) && !(a->fallback > b->fallback) &&
           isnan(a->fallback) == isnan(b->fallback);
}

static void print_shared(const struct scree_law_parameter *parameter)
{
    printf("  ");
    scree_cli_print(stdout, 2, 2, parameter->about);
    printf("  ");
    print_rule(parameter);
}

// Prints a parameter of a law, with the other laws that describe it identically. Returns false if an earlier
// law has already printed it, or if the law does not have it.
static bool print_of(const struct scree_contact_law *law, const char *name, const char *before)
{
    const struct scree_law_parameter *parameter = find(law, name);
    const struct scree_contact_law *other;
    bool later = false;
    for (size_t l = 0; parameter && (other = scree_law_at(l)); ++l) {
        later = later || other == law;
        if (!are_alike(parameter, find(other, name)))
            continue;
        if (!later)
            return false;
        printf("%s%s", other == law ? before : ", ", other == law ? name : other->name);
        if (other == law)
            printf(", parameter of the law %s", law->name);
    }
    if (!parameter)
        return false;
    printf("\n");
    print_shared(parameter);
    return true;
}

bool scree_help_parameter(const char *name, const char *before)
{
    const struct scree_law_parameter *parameter;
    const struct scree_contact_law *law;
    bool found = false;
    for (size_t l = 0; (law = scree_law_at(l)); ++l)
        found = print_of(law, name, found ? "\n" : before) || found;
    for (size_t k = 0; (parameter = scree_law_extra_at(k)); ++k)
        if (strcmp(parameter->name, name) == 0) {
            printf("%s%s, parameter of every contact law\n", found ? "\n" : before, name);
            print_shared(parameter);
            found = true;
        }
    if (found)
        scree_cli_print_equivalents("a contact", name);
    return found;
}

void scree_help_law_words(void (*visit)(void *user, const char *word), void *user)
{
    const struct scree_law_parameter *parameter;
    const struct scree_contact_law *law;
    for (size_t l = 0; (law = scree_law_at(l)); ++l) {
        visit(user, law->name);
        for (parameter = law->parameters; parameter->name; ++parameter)
            visit(user, parameter->name);
    }
    for (size_t k = 0; (parameter = scree_law_extra_at(k)); ++k)
        visit(user, parameter->name);
}

void scree_help_units(void)
{
    struct scree_scene_unit unit;
    printf(
        "A number without a unit is in SI units. A number with a unit is converted, as in 2 mm, 9 N s/m or "
        "2.65 g/cm^3.\n\n");
    for (size_t u = 0; scree_scene_unit_at(u, &unit); ++u)
        printf("  %-6s %12g %-16s%s\n", unit.symbol, unit.factor, unit.base,
               unit.prefixed ? "with prefixes" : "");
    printf(
        "\nPrefixes are n, u, m, c, d, h, k, M, G and T. Powers and quotients: m^2, m/s, kg m^2/s, 1/s.\n");
}
