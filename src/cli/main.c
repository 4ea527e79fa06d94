// The command `scree`: finds the command that its first word names and hands it the others.

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// A file that is opened takes the lowest free number: were input, output or errors closed, a result would
// take theirs, and what is printed would go into it.
static bool occupy_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != file)
            return false;
    return true;
}

// What each command does, in the order of their table.
static int (*const run[])(const struct scree_cli_line *line) = {
#define COMMAND(name, ...) scree_cli_##name,
#define OPTION(...)
#include "commands.def"
#undef COMMAND
#undef OPTION
};

int main(int argc, char **argv)
{
    // nobody hears of a failure here
    if (!occupy_streams())
        return SCREE_CLI_FAILED;
    static const struct {
        const char *option, *command;
    } aliases[] = {{"--help", "help"}, {"-h", "help"}, {"--version", "version"}, {"-V", "version"}};
    struct scree_cli_line line;
    if (argc < 2) {
        scree_cli_overview(stderr);
        return SCREE_CLI_USAGE;
    }
    const char *word = argv[1];
    for (size_t a = 0; a < sizeof aliases / sizeof aliases[0]; ++a)
        if (strcmp(word, aliases[a].option) == 0)
            word = aliases[a].command;
    const struct scree_cli_command *command = scree_cli_find(word);
    if (!command || !scree_cli_read(command, argc - 2, argv + 2, &line))
        return SCREE_CLI_USAGE;
    int status = SCREE_CLI_OK;
    if (line.help)
        scree_cli_describe(command);
    else
        status = run[command - scree_cli_commands](&line);
    // output that was lost, on a full disk for one, is a failure
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("scree: writing the output");
        return SCREE_CLI_FAILED;
    }
    return status;
}
