// Entry point of `scree`: dispatches the remaining arguments to the command that the first argument names.

// MAP_ANONYMOUS is not part of POSIX
#define _DEFAULT_SOURCE

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Bytes of stack that the program gets at its start; it uses less than half of them. `touch` takes
// STACK_PIECE.
enum { STACK = 1 << 20, STACK_PIECE = 1 << 14 };

// Writes to the next `bytes` bytes of the stack.
static void touch(size_t bytes)
{
    volatile char piece[STACK_PIECE];
    piece[0] = 0;
    if (bytes > sizeof piece)
        touch(bytes - sizeof piece);
    // after the call, so that it cannot become a loop in one piece
    piece[1] = 0;
}

// The system gives the first thread its stack when it is used, and ends the process by a signal if there is
// no memory left then. So the stack is used here, where the lack of memory can be reported.
static bool take_stack(void)
{
    struct rlimit limit;
    // `touch` may go beyond `bytes` by some pieces if calls of it are put into one
    const size_t more = 8 * STACK_PIECE;
    size_t bytes = STACK;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur / 4 < bytes)
        bytes = (size_t)limit.rlim_cur / 4;
    void *room = mmap(NULL, bytes + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return false;
    (void)munmap(room, bytes + more);
    touch(bytes);
    return true;
}

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
    if (!take_stack()) {
        fputs("scree: out of memory for the stack\n", stderr);
        return SCREE_CLI_FAILED;
    }
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
