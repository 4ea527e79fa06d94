// Entry point of `scree`: dispatches the remaining arguments to the command that the first argument names.

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// Opens closed standard streams on /dev/null: open() uses the lowest free descriptor, so a result file could
// otherwise become stdout or stderr and receive printed text.
static bool open_standard_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != file)
            return false;
    return true;
}

int main(int argc, char **argv)
{
    // no message: there may be no stream to print it to
    if (!open_standard_streams())
        return SCREE_CLI_FAILED;
    static const struct {
        const char *option, *command;
    } aliases[] = {{"--help", "help"}, {"-h", "help"}, {"--version", "version"}, {"-V", "version"}};
    struct scree_cli_line line;
    if (argc < 2) {
        scree_cli_print_overview(stderr);
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
        scree_cli_print_help(command);
    else
        status = command->run(&line);
    // lost output, for example on a full disk, is a failure
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("scree: cannot write the output");
        return SCREE_CLI_FAILED;
    }
    return status;
}
