// The commands of `scree`, and how a command line is refused.

#ifndef SCREE_CLI_CLI_H
#define SCREE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

// Exit statuses: what was asked for was done; it was done and the answer is no, or it could not be done; it
// was not understood; a run was interrupted.
enum { SCREE_CLI_OK = 0, SCREE_CLI_FAILED = 1, SCREE_CLI_USAGE = 2, SCREE_CLI_INTERRUPTED = 3 };

// What the command line says of one option: --name, --name=VALUE or --name VALUE.
struct scree_cli_option {
    const char *name;   // without the dashes
    bool *given;        // an option without a value, else null
    const char **value; // an option with a value, else null
};

// Commands get what follows their name and return an exit status.
int scree_cli_check(int count, char **words);
int scree_cli_demo(int count, char **words);
int scree_cli_new(int count, char **words);
int scree_cli_run(int count, char **words);

// Explains the keys of scenes that have a name; false where none has.
bool scree_cli_explain(const char *name);
int scree_cli_verify(int count, char **words);

// Takes the options out of `words`, which keeps the other words; their number, or -1 after a complaint.
int scree_cli_read(const char *command, int count, char **words, const struct scree_cli_option *options,
                   size_t option_count);

// The candidate nearest to a word that is none of them, or null when none is near.
const char *scree_cli_nearest(const char *word, const char *const *candidates, size_t count);

#endif
