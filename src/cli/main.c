// The command `scree`: finds the command that its first word names and hands it the others.

#include "cli.h"

#include <scree/scree.h>

#include <stdio.h>
#include <string.h>

static int help(int count, char **words);
static int version(int count, char **words);

static const struct command {
    const char *name;
    const char *usage;
    const char *about;
    const char *details;
    int (*run)(int count, char **words);
} commands[] = {
    {"run", "run [-D NAME=VALUE] [--threads N] [--force] [--quiet] SCENE", "run a scene",
     "Reads a scene, runs its stages, and keeps what it says at paths beside it. Exit status: 0 when it came "
     "to "
     "its\nend, 1 when it could not, 2 when the command was not understood, 3 when it was interrupted.\n\n"
     "  SCENE          a file in YAML\n"
     "  -D NAME=VALUE  sets a variable of the scene, as in -D radius=\"2 mm\"; as often as you like\n"
     "  --threads N    on N threads; on all processors when left out. Results do not depend on it\n"
     "  --force        writes over results that are there already\n"
     "  --quiet        prints nothing but what went wrong\n",
     scree_cli_run},
    {"new", "new NAME [FILE]", "write a scene to begin with",
     "Writes one of the examples, with remarks, to FILE, or to NAME.yaml; a file that is there stays.\n",
     scree_cli_new},
    {"check", "check [-D NAME=VALUE] SCENE", "check a scene without running it",
     "Tells all mistakes of a scene, or what it makes: bodies, walls, contacts, and the time step.\n",
     scree_cli_check},
    {"verify", "verify [--json] [--list] [NAME...]",
     "run the built-in cases against closed forms and references",
     "Each row of a case says what was expected, what came out, the error, what error is tolerated, and the\n"
     "verdict. The exit status is 0 if every row passes and 1 if one fails.\n\n"
     "  NAME                       a family or the beginning of the names of some cases; left out means all\n"
     "  --json                     one JSON document in place of the table\n"
     "  --list                     list the cases, one sentence each\n"
     "  --scale-tolerances FACTOR  multiply every tolerance: with 0 only exact results pass\n",
     scree_cli_verify},
    {"demo", "demo [--out DIR]", "fly tumbling T-handles, follow them live, and draw them",
     "Runs for some seconds, follows the flips in a table, and leaves a picture and the numbers behind "
     "it.\n\n"
     "  --out DIR  where to; build/demo when left out\n",
     scree_cli_demo},
    {"version", "version", "tell which Scree this is, and how it was built", "", version},
    {"help", "help [COMMAND | KEY | schema]", "explain a command, or a key of scenes",
     "`scree help schema` prints the JSON schema of scenes, which editors complete and check by.\n", help},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_commands(FILE *stream)
{
    fprintf(stream, "Scree " SCREE_VERSION ", a discrete element engine.\n\n");
    for (int c = 0; c < COMMANDS; ++c)
        fprintf(stream, "  scree %-38s %s\n", commands[c].usage, commands[c].about);
}

static const struct command *find(const char *word)
{
    const char *names[COMMANDS];
    for (int c = 0; c < COMMANDS; ++c) {
        if (strcmp(commands[c].name, word) == 0)
            return &commands[c];
        names[c] = commands[c].name;
    }
    const char *nearest = scree_cli_nearest(word, names, COMMANDS);
    fprintf(stderr, "scree: there is no command '%s'; %s%s%s\n", word, nearest ? "did you mean '" : "",
            nearest ? nearest : "'scree help' lists those there are", nearest ? "'?" : "");
    return NULL;
}

static void write_text(void *user, const char *text)
{
    fputs(text, (FILE *)user);
}

static int help(int count, char **words)
{
    const int kept = scree_cli_read("help", count, words, NULL, 0);
    if (kept < 0)
        return SCREE_CLI_USAGE;
    if (kept == 0) {
        print_commands(stdout);
        return SCREE_CLI_OK;
    }
    if (strcmp(words[0], "schema") == 0) {
        scree_scene_schema(write_text, stdout);
        return SCREE_CLI_OK;
    }
    const bool key = scree_cli_explain(words[0]);
    bool has = false;
    for (int c = 0; c < COMMANDS; ++c)
        has = has || strcmp(commands[c].name, words[0]) == 0;
    if (key && !has)
        return SCREE_CLI_OK;
    const struct command *command = find(words[0]);
    if (!command)
        return SCREE_CLI_USAGE;
    printf("%s", key ? "\n" : "");
    printf("scree %s: %s\n%s%s", command->usage, command->about, command->details[0] ? "\n" : "",
           command->details);
    return SCREE_CLI_OK;
}

static void print_laws(const char *of, scree_motion_kind kind)
{
    printf("laws of %s:", of);
    const char *name;
    for (size_t l = 0; (name = scree_motion_name(kind, l)); ++l)
        printf("%s %s", l ? "," : "", name);
    printf("\n");
}

static int version(int count, char **words)
{
    if (scree_cli_read("version", count, words, NULL, 0) < 0)
        return SCREE_CLI_USAGE;
    printf("scree " SCREE_VERSION "\n");
#ifdef __clang__
    printf("built by clang " __clang_version__);
#else
    printf("built by gcc " __VERSION__);
#endif
#ifdef NDEBUG
    printf(", without assertions\n");
#else
    printf(", with assertions: every step is validated\n");
#endif
    print_laws("translation", SCREE_TRANSLATION);
    print_laws("rotation", SCREE_ROTATION);
    return SCREE_CLI_OK;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *option, *command;
    } aliases[] = {{"--help", "help"}, {"-h", "help"}, {"--version", "version"}, {"-V", "version"}};
    if (argc < 2) {
        print_commands(stderr);
        return SCREE_CLI_USAGE;
    }
    const char *word = argv[1];
    for (size_t a = 0; a < sizeof aliases / sizeof aliases[0]; ++a)
        if (strcmp(word, aliases[a].option) == 0)
            word = aliases[a].command;
    const struct command *command = find(word);
    if (!command)
        return SCREE_CLI_USAGE;
    const int status = command->run(argc - 2, argv + 2);
    // output that was lost, on a full disk for one, is a failure
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("scree: writing the output");
        return SCREE_CLI_FAILED;
    }
    return status;
}
