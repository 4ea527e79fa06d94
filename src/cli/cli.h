// The commands of `scree`, and the parser of the command line.
//
// Invariant: commands.def lists every command and every option. A command may only read options of its own
// rows; reading another name is a programming error (assertion).

#ifndef SCREE_CLI_CLI_H
#define SCREE_CLI_CLI_H

#include <scree/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Exit statuses.
enum {
    SCREE_CLI_OK = 0,
    SCREE_CLI_FAILED = 1,      // the command failed, results differ, or a case of verify fails
    SCREE_CLI_USAGE = 2,       // invalid command line
    SCREE_CLI_INTERRUPTED = 3, // a run was interrupted and can be restarted
    SCREE_CLI_NOT_STARTED = 4  // a run was interrupted before its first step
};

enum { SCREE_CLI_MAX_OPTIONS = 128 }; // maximum number of options on a command line

struct scree_cli_line;

// A row of the table of commands; a row without a name ends the table.
struct scree_cli_command {
    const char *name, *words, *kind, *about, *details;
    int (*run)(const struct scree_cli_line *line);
};
extern const struct scree_cli_command scree_cli_commands[];

// A row of the table of options.
struct scree_cli_option {
    const char *command, *dashes, *name, *value, *kind, *about;
};

// Returns the option of a command that follows `option`, the first one if that is null; null after the last.
const struct scree_cli_option *scree_cli_option_after(const struct scree_cli_command *command,
                                                      const struct scree_cli_option *option);

// A parsed command line.
struct scree_cli_line {
    const struct scree_cli_command *command;
    int count;
    char **words;                                                 // arguments that are not options
    size_t options;                                               // number of options given
    const struct scree_cli_option *option[SCREE_CLI_MAX_OPTIONS]; // in command line order
    const char *value[SCREE_CLI_MAX_OPTIONS];                     // empty for a flag
    bool help; // --help was given; the arguments after it are not read
};

#define COMMAND(name, ...) int scree_cli_##name(const struct scree_cli_line *line);
#define OPTION(...)
#include "commands.def"
#undef COMMAND
#undef OPTION

// Runs the parameter sweep of a command line with --sweep: runs the scene once for each combination of values
// of its variables, each in its own folder and process. Returns an exit status.
int scree_sweep_run(const struct scree_cli_line *line);

// Returns the command of that name. If there is none, prints an error and returns null.
const struct scree_cli_command *scree_cli_find(const char *name);

// Print the error "scree " and a text, in printf format without a newline. scree_cli_fail returns `result`,
// usually an exit status; scree_cli_refuse returns false.
int scree_cli_fail(int result, const char *format, ...) SCREE_PRINTF(2, 3);
bool scree_cli_refuse(const char *format, ...) SCREE_PRINTF(1, 2);

// Parses the arguments of a command; prints an error and returns false if they are invalid. Reorders `words`,
// which the line refers to.
bool scree_cli_read(const struct scree_cli_command *command, int count, char **words,
                    struct scree_cli_line *line);

// Returns the last value given for an option; null if it was not given.
const char *scree_cli_value(const struct scree_cli_line *line, const char *option);
bool scree_cli_has(const struct scree_cli_line *line, const char *option);

// Reads the integer value of an option, or `fallback` if it was not given; prints an error and returns false
// if the value is not an integer from `least` to `most`.
bool scree_cli_integer(const struct scree_cli_line *line, const char *option, long least, long most,
                       long fallback, long *number);

// Reads the positive number (or 0 if `allow_zero`) of an option, or `fallback` if it was not given. For any
// other value prints an error, which contains `expected`, such as "a number above 0", and returns false.
bool scree_cli_number(const struct scree_cli_line *line, const char *option, const char *expected,
                      bool allow_zero, double fallback, double *number);

// Returns true if the line has from `least` to `most` arguments; otherwise prints the error `message`.
bool scree_cli_check_count(const struct scree_cli_line *line, int least, int most, const char *message);

// Returns the candidate with the smallest edit distance to a word, or null if none is similar.
const char *scree_cli_nearest(const char *word, const char *const *candidates, size_t count);

// Ends a line on stderr with the suggestion "did you mean ...?", or with `otherwise` if none is similar.
void scree_cli_suggest(const char *word, const char *const *candidates, size_t count, const char *otherwise);

// Creates a folder and its missing parents. Returns 0 or an errno value.
int scree_cli_make_folders(const char *path);

// Prints a summary of a file of bodies.
struct scree_convert_report;
void scree_cli_print_bodies(const char *path, const struct scree_convert_report *report);

// Prints the cell of a world if it has cell vectors, else returns false.
struct scree_world;
bool scree_cli_print_cell(const struct scree_world *world);

// Writes a text to a FILE; callback for functions of the library.
void scree_cli_write(void *stream, const char *text);

// Prints a text wrapped at 96 characters. Following lines are indented by `indent`; the first one starts at
// `column`.
void scree_cli_print_wrapped(FILE *stream, int indent, int column, const char *text);

// Prints a word, in single quotes if it has characters that are special to a shell.
void scree_cli_quote_word(FILE *stream, const char *word);

// Prints a path, quoted like a word, between two texts. A leading dash, which would look like an option, gets
// "./" before it.
void scree_cli_quote_path(FILE *stream, const char *before, const char *path, const char *after);

// Prints text from an untrusted file; control characters, which the terminal would execute, become '?'.
void scree_cli_print_untrusted(FILE *stream, const char *text, size_t length);

// Prints the list of commands, and the help of one command.
void scree_cli_print_overview(FILE *stream);
void scree_cli_print_help(const struct scree_cli_command *command);

// Calls `visit` once for every word that `scree help` explains.
void scree_help_words(void (*visit)(void *user, const char *word), void *user);

// Prints the generated first part of a manual page for scdoc: of a command, of "scene", or of scree if `name`
// is null; returns an exit status.
int scree_help_manual(const char *name);

// Meaning of the exit statuses.
enum { SCREE_HELP_EXITS = 5 };
extern const struct scree_help_exit {
    int status;
    const char *about;
} scree_help_exits[SCREE_HELP_EXITS];

#endif
