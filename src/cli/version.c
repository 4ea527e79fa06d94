// `scree version`: prints the version, how it was built, and the instruction set and threads in use.

#include "cli.h"

#include <scree/soft.h>
#include <scree/version.h>

static void print_schemes(const char *label, scree_motion_kind kind)
{
    printf("%-14s", label);
    const char *name;
    for (size_t l = 0; (name = scree_motion_name(kind, l)); ++l)
        printf("%s%s", l ? ", " : "", name);
    printf("\n");
}

int scree_cli_version(const struct scree_cli_line *line)
{
    struct scree_version_facts facts;
    struct scree_version_library library;
    if (!scree_cli_check_count(line, 0, 0, "takes no arguments"))
        return SCREE_CLI_USAGE;
    scree_version_get(&facts);
    printf("scree %s\n", facts.version);
    printf("%-14s%s\n", "compiler", facts.compiler);
    printf("%-14s%s, %s\n", "build", facts.build,
           facts.assertions ? "with assertions: every step is validated" : "without assertions");
    printf("%-14s%s\n", "flags", facts.flags);
    printf("%-14s", "instructions");
    for (size_t s = 0; facts.sets[s]; ++s)
        printf("%s%s%s", s ? ", " : "", facts.sets[s], s == facts.set ? " (chosen here)" : "");
    printf("\n%-14s%d by default\n", "threads", facts.threads);
    printf("%-14s", "libraries");
    for (size_t l = 0; scree_version_library_at(l, &library); ++l)
        printf("%s%s %s", l ? ", " : "", library.name, library.version);
    printf("\n");
    print_schemes("translation", SCREE_TRANSLATION);
    print_schemes("rotation", SCREE_ROTATION);
    return SCREE_CLI_OK;
}
