// The commands of `scree`, and how a command line is read and refused.
//
// What always holds: commands.def knows every command and every option. A command asks for the options of its
// own rows by name; one that has no row is a mistake of the program.

#ifndef SCREE_CLI_CLI_H
#define SCREE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Exit statuses: what was asked for was done; it was done and the answer is no, or it could not be done; it
// was not understood; a run was interrupted and can go on; it was interrupted before there was anything to go
// on from.
enum {
    SCREE_CLI_OK = 0,
    SCREE_CLI_FAILED = 1,
    SCREE_CLI_USAGE = 2,
    SCREE_CLI_INTERRUPTED = 3,
    SCREE_CLI_UNBEGUN = 4
};

enum { SCREE_CLI_GIVEN = 128 }; // options that one command line can hold

struct scree_cli_line;

// A row of the table of commands; the table is closed by one without a name.
struct scree_cli_command {
    const char *name, *words, *takes, *about, *details;
};
extern const struct scree_cli_command scree_cli_commands[];

// A row of the table of options.
struct scree_cli_option {
    const char *command, *dashes, *name, *value, *takes, *about;
};

// The option of a command that follows this one, which is null for the first; null past the last.
const struct scree_cli_option *scree_cli_option_after(const struct scree_cli_command *command,
                                                      const struct scree_cli_option *option);

// What a command was given.
struct scree_cli_line {
    const struct scree_cli_command *command;
    int count;
    char **words; // that are no options
    size_t given;
    const struct scree_cli_option *option[SCREE_CLI_GIVEN]; // in the order they came
    const char *value[SCREE_CLI_GIVEN];                     // empty for a flag
    bool help;                                              // was asked for in place of all else
};

#define COMMAND(name, ...) int scree_cli_##name(const struct scree_cli_line *line);
#define OPTION(...)
#include "commands.def"
#undef COMMAND
#undef OPTION

// The command of that name; null after a diagnostic where there is none.
const struct scree_cli_command *scree_cli_find(const char *name);

// Reads what follows a command's name; false after a diagnostic. `words` is reordered, and the line holds it.
bool scree_cli_read(const struct scree_cli_command *command, int count, char **words,
                    struct scree_cli_line *line);

// The value an option was given last; null where it was not given.
const char *scree_cli_value(const struct scree_cli_line *line, const char *option);
bool scree_cli_has(const struct scree_cli_line *line, const char *option);

// The whole number an option was given, or `standard` where it was not; false after a diagnostic.
bool scree_cli_whole(const struct scree_cli_line *line, const char *option, long least, long most,
                     long standard, long *number);

// The number an option was given, above 0 or, where `zero` says so, 0 too, or `standard` where it was not
// given; false after a diagnostic, which says `what` it takes.
bool scree_cli_number(const struct scree_cli_line *line, const char *option, const char *what, bool zero,
                      double standard, double *number);

// Whether the line has from `least` to `most` words; false after a diagnostic, which says `which`.
bool scree_cli_words(const struct scree_cli_line *line, int least, int most, const char *which);

// The candidate nearest to a word that is none of them, or null when none is near.
const char *scree_cli_nearest(const char *word, const char *const *candidates, size_t count);

// Asks on stderr whether that was meant, or says `otherwise` where none is near, and ends the line.
void scree_cli_suggest(const char *word, const char *const *candidates, size_t count, const char *otherwise);

// Writes a text to a stream, for functions of the library that take such a function.
void scree_cli_write(void *stream, const char *text);

// Prints a text in lines of 96 characters, each after the first `indent` blanks; the first begins at
// `column`.
void scree_cli_print(FILE *stream, int indent, int column, const char *text);

// The list of commands, and what there is to say of one.
void scree_cli_overview(FILE *stream);
void scree_cli_describe(const struct scree_cli_command *command);

// Explains the keys of scenes that have a name, after the words `before`; false where none has.
bool scree_cli_explain(const char *name, const char *before);

// What a key of a section, as "a contact", is called in other programs.
void scree_cli_print_peers(const char *section, const char *name);

// The same with the keys that take a word.
bool scree_cli_explain_value(const char *word, const char *before);

#endif
