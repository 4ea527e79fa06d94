// `scree help laws`, `scree help law NAME` and `scree help units`: what the library knows of its contact laws
// and of units.

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
    scree_cli_print(stdout, 22, 22, "The two pass through each other.");
    printf("\n`scree help law NAME` tells the parameters of one.\n");
}

static void print_range(const struct scree_law_parameter *parameter)
{
    if (parameter->choices) {
        for (size_t c = 0; parameter->choices[c]; ++c)
            printf("%s%s", c > 0 ? " or " : "", parameter->choices[c]);
        return;
    }
    // what looks endless to a person is not worth a number
    const bool low = parameter->least > -1e100, high = parameter->most < 1e100;
    if (low && high)
        printf("%g to %g", parameter->least, parameter->most);
    else if (low)
        printf("from %g", parameter->least);
    else if (high)
        printf("up to %g", parameter->most);
    else
        printf("any number");
    if (parameter->unit && parameter->unit[0])
        printf(" %s", parameter->unit);
}

static void print_parameter(const struct scree_law_parameter *parameter)
{
    printf("  %-24s", parameter->name);
    scree_cli_print(stdout, 26, 26, parameter->about);
    printf("%26s", "");
    print_range(parameter);
    if (parameter->required)
        printf("; must be given");
    else if (parameter->choices && parameter->fallback >= 0)
        printf("; %s if left out", parameter->choices[(size_t)parameter->fallback]);
    else if (!isnan(parameter->fallback))
        printf("; %g if left out", parameter->fallback);
    else
        printf("; may be left out");
    printf("\n");
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
        printf("\nwhat a contact remembers\n");
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
    const char *nearest = scree_cli_nearest(name, names, count);
    fprintf(stderr, "scree help: there is no contact law '%s'; %s%s%s\n", name,
            nearest ? "did you mean '" : "`scree help laws` lists them", nearest ? nearest : "",
            nearest ? "'?" : "");
}

void scree_help_units(void)
{
    struct scree_scene_unit unit;
    printf("A bare number is in SI units. A number with a unit is converted, as 2 mm, 9 N s/m or 2.65 "
           "g/cm^3.\n\n");
    for (size_t u = 0; scree_scene_unit_at(u, &unit); ++u)
        printf("  %-6s %12g %-16s%s\n", unit.symbol, unit.factor, unit.base,
               unit.prefixed ? "with prefixes" : "");
    printf(
        "\nPrefixes are n, u, m, c, d, h, k, M, G and T. Powers and quotients: m^2, m/s, kg m^2/s, 1/s.\n");
}
