// `scree help`: commands and their options, keys of scenes, contact laws, and topics.

#include "cli.h"

#include <scree/interaction.h>
#include <scree/scene.h>
#include <scree/scree.h>

#include <math.h>
#include <string.h>

// --- keys of scenes

static void print_key_range(const struct scree_scene_key *key)
{
    const char *gap = key->unit[0] ? " " : "";
    if (isinf(key->least) && isinf(key->most))
        return;
    if (isinf(key->most))
        printf(", %s %g%s%s", key->above ? "above" : "at least", key->least, gap, key->unit);
    else
        printf(", %s %g and %s %g%s%s", key->above ? "above" : "at least", key->least,
               key->below ? "below" : "at most", key->most, gap, key->unit);
}

// Prints the names of a key in other programs; `section` as in "a contact".
static void print_equivalents(const char *section, const char *name)
{
    static const char *const program[] = {"PFC", "LAMMPS", "Yade"};
    struct scree_scene_equivalent equivalent;
    for (size_t p = 0; scree_scene_equivalent_at(p, &equivalent); ++p)
        for (size_t k = 0; k < sizeof program / sizeof program[0]; ++k)
            if (strcmp(equivalent.key, name) == 0 && equivalent.name[k][0] &&
                (!equivalent.section[0] || strcmp(equivalent.section, section) == 0))
                printf("  %-7s %s\n", program[k], equivalent.name[k]);
}

// Returns true if the table of equivalents has a row for this key that names this section.
static bool has_own_equivalents(const struct scree_scene_key *key)
{
    struct scree_scene_equivalent equivalent;
    bool has = false;
    for (size_t p = 0; scree_scene_equivalent_at(p, &equivalent); ++p)
        has =
            has || (strcmp(equivalent.key, key->name) == 0 && strcmp(equivalent.section, key->section) == 0);
    return has;
}

// Returns true if two keys have identical descriptions.
static bool keys_are_alike(const struct scree_scene_key *key, const struct scree_scene_key *other)
{
    const bool here = strcmp(key->section, other->section) == 0;
    return strcmp(key->name, other->name) == 0 && strcmp(key->description, other->description) == 0 &&
           strcmp(key->value, other->value) == 0 && strcmp(key->unit, other->unit) == 0 &&
           strcmp(key->default_value, other->default_value) == 0 &&
           strcmp(key->example, other->example) == 0 && key->words == other->words &&
           key->required == other->required && key->above == other->above && key->below == other->below &&
           key->least == other->least && key->most == other->most &&
           (here || (!has_own_equivalents(key) && !has_own_equivalents(other)));
}

static bool accepts_word(const struct scree_scene_key *key, const char *word)
{
    // the default of a key of numbers can be a word, as `auto`
    bool accepts = word[0] >= 'a' && word[0] <= 'z' && strcmp(key->default_value, word) == 0;
    struct scree_scene_column column;
    // skip keys that take names of columns: these are explained as columns
    const bool names_columns =
        key->words && scree_scene_column_at(0, &column) && strcmp(key->words[0], column.name) == 0;
    for (size_t w = 0; key->words && key->words[w] && !names_columns; ++w)
        accepts = accepts || strcmp(key->words[w], word) == 0;
    return accepts;
}

// Returns true if two keys are printed together: keys with identical descriptions; or if `word` is not null,
// keys of one name that accept the word as value.
static bool are_printed_together(const struct scree_scene_key *key, const struct scree_scene_key *other,
                                 const char *word)
{
    return word ? strcmp(key->name, other->name) == 0 && accepts_word(other, word)
                : keys_are_alike(key, other);
}

// Prints the name of key number `index` and the sections of all keys that are printed together with it, each
// section once.
static void print_sections(size_t index, const char *word)
{
    struct scree_scene_key key, other, before;
    (void)scree_scene_key_at(index, &key);
    printf("%s, key of %s", key.name, key.section);
    for (size_t k = index + 1; scree_scene_key_at(k, &other); ++k) {
        bool skip = !are_printed_together(&key, &other, word);
        for (size_t b = index; b < k && scree_scene_key_at(b, &before); ++b)
            skip = skip ||
                   (are_printed_together(&key, &before, word) && strcmp(before.section, other.section) == 0);
        if (!skip)
            printf(", %s", other.section);
    }
    printf("\n");
}

static void print_key(const struct scree_scene_key *key)
{
    printf("  %s\n  takes %s", key->description, key->value);
    if (key->unit[0])
        printf(" in %s", key->unit);
    if (strstr(key->value, "number") && key->most > key->least)
        print_key_range(key);
    for (size_t w = 0; key->words && key->words[w]; ++w)
        printf("%s%s", w == 0 ? ": " : ", ", key->words[w]);
    if (key->required)
        printf("; required");
    else if (key->default_value[0])
        printf("; default: %s", key->default_value);
    printf("\n  %s\n", key->example);
    print_equivalents(key->section, key->name);
}

// Prints the keys called `name`, or if `word` is not null, those that accept it as value; returns false if
// there are none.
static bool explain_key(const char *name, const char *word, const char *before)
{
    struct scree_scene_key key, earlier;
    bool found = false;
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k) {
        bool skip = word ? !accepts_word(&key, word) : strcmp(key.name, name) != 0;
        for (size_t e = 0; e < k && !skip && scree_scene_key_at(e, &earlier); ++e)
            skip = are_printed_together(&key, &earlier, word);
        if (skip)
            continue;
        printf("%s", found ? "\n" : before);
        if (word)
            printf("'%s' is a value of ", word);
        print_sections(k, word);
        print_key(&key);
        found = true;
    }
    return found;
}

// --- contact laws and units

static void print_laws(void)
{
    const struct scree_contact_law *law;
    for (size_t l = 0; (law = scree_law_at(l)); ++l) {
        printf("%-22s", law->name);
        scree_cli_print_wrapped(stdout, 22, 22, law->about);
    }
    printf("%-22s", "none");
    scree_cli_print_wrapped(stdout, 22, 22, "No interaction: bodies pass through each other.");
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

static void print_range_and_default(const struct scree_law_parameter *parameter)
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
    scree_cli_print_wrapped(stdout, 26, 26, parameter->about);
    printf("%26s", "");
    print_range_and_default(parameter);
}

static void describe(const struct scree_contact_law *law)
{
    const struct scree_law_parameter *parameter;
    scree_cli_print_wrapped(stdout, 0, 0, law->about);
    printf("\nparameters\n");
    for (parameter = law->parameters; parameter->name; ++parameter)
        print_parameter(parameter);
    for (size_t k = 0; law->force && (parameter = scree_law_extra_at(k)); ++k)
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
        scree_cli_print_wrapped(stdout, 26, 26, value->about);
    }
}

// Explains one contact law; returns false if there is none of that name.
static bool explain_law(const char *name)
{
    const struct scree_contact_law *law;
    for (size_t l = 0; (law = scree_law_at(l)); ++l)
        if (strcmp(law->name, name) == 0) {
            describe(law);
            return true;
        }
    return false;
}

static void refuse_law(const char *name)
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
    return a && b && strcmp(a->about, b->about) == 0 && a->required == b->required && a->least == b->least &&
           a->most == b->most && (a->fallback == b->fallback || (isnan(a->fallback) && isnan(b->fallback)));
}

static void print_details(const struct scree_law_parameter *parameter)
{
    printf("  ");
    scree_cli_print_wrapped(stdout, 2, 2, parameter->about);
    printf("  ");
    print_range_and_default(parameter);
}

// Prints a parameter of a law, with the other laws that describe it identically. Returns false if an earlier
// law has already printed it, or if the law does not have it.
static bool print_parameter_of(const struct scree_contact_law *law, const char *name, const char *before)
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
    print_details(parameter);
    return true;
}

// Prints `before` and a parameter for all laws that have it; returns false if no law has it.
static bool explain_parameter(const char *name, const char *before)
{
    const struct scree_law_parameter *parameter;
    const struct scree_contact_law *law;
    bool found = false;
    for (size_t l = 0; (law = scree_law_at(l)); ++l)
        found = print_parameter_of(law, name, found ? "\n" : before) || found;
    for (size_t k = 0; (parameter = scree_law_extra_at(k)); ++k)
        if (strcmp(parameter->name, name) == 0) {
            printf("%s%s, parameter of every contact law with a force\n", found ? "\n" : before, name);
            print_details(parameter);
            found = true;
        }
    if (found)
        print_equivalents("a contact", name);
    return found;
}

// Calls `visit` for the names of laws and of their parameters, for some names more than once.
static void visit_law_words(void (*visit)(void *user, const char *word), void *user)
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

static void print_units(void)
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

// --- commands and topics

// Formats an option, as in "--threads N".
static void format_option(const struct scree_cli_option *option, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s%s", option->dashes, option->name, option->value[0] ? " " : "",
             option->value);
}

void scree_cli_print_overview(FILE *stream)
{
    fprintf(stream, "Scree " SCREE_VERSION ", a discrete element engine.\n\n");
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command) {
        char usage[64];
        snprintf(usage, sizeof usage, "%s %s", command->name, command->words);
        fprintf(stream, "  scree %-32s %s\n", usage, command->about);
    }
    fprintf(stream, "\n`scree help COMMAND` lists its options; `scree help WORD` explains a key of scenes, a "
                    "contact law, a parameter or a column; `scree help help` lists the topics.\n");
}

void scree_cli_print_help(const struct scree_cli_command *command)
{
    const struct scree_cli_option *option = NULL;
    char text[64], usage[1024];
    size_t widest = strlen("-h, --help");
    int used = snprintf(usage, sizeof usage, "scree %s", command->name);
    while ((option = scree_cli_option_after(command, option))) {
        format_option(option, text, sizeof text);
        widest = strlen(text) > widest ? strlen(text) : widest;
        if (used < (int)sizeof usage)
            used += snprintf(usage + used, sizeof usage - (size_t)used, " [%s]", text);
    }
    if (used < (int)sizeof usage)
        snprintf(usage + used, sizeof usage - (size_t)used, " %s", command->words);
    scree_cli_print_wrapped(stdout, 4, 4, usage);
    printf("\n");
    if (command->details[0])
        scree_cli_print_wrapped(stdout, 0, 0, command->details);
    printf("\n");
    while ((option = scree_cli_option_after(command, option))) {
        format_option(option, text, sizeof text);
        printf("  %-*s  ", (int)widest, text);
        scree_cli_print_wrapped(stdout, (int)widest + 4, (int)widest + 4, option->about);
    }
    printf("  %-*s  print this help\n\nExit status: `scree help exit-codes`.\n", (int)widest, "-h, --help");
}

static void print_reference(void)
{
    scree_scene_reference(scree_cli_write, stdout);
}

static void print_schema(void)
{
    scree_scene_schema(scree_cli_write, stdout);
}

static void print_exit_codes(void)
{
    for (size_t e = 0; e < SCREE_HELP_EXITS; ++e)
        printf("%d  %s\n", scree_help_exits[e].status, scree_help_exits[e].about);
}

static void print_column(const struct scree_scene_column *column)
{
    char name[64], about[400];
    snprintf(name, sizeof name, column->unit[0] ? "%s [%s]" : "%s", column->name, column->unit);
    printf("%-28s", name);
    snprintf(about, sizeof about, "%s%s%s%s", column->about, column->argument ? " (Takes " : "",
             column->argument ? column->argument : "", column->argument ? ".)" : "");
    scree_cli_print_wrapped(stdout, 28, 28, about);
}

static void print_columns(void)
{
    struct scree_scene_column column;
    for (size_t c = 0; scree_scene_column_at(c, &column); ++c)
        print_column(&column);
}

// Prints a row per line, as `what: advice`; tools/reference makes the list of README.md from it.
static void print_missing(void)
{
    struct scree_scene_absent absent;
    for (size_t k = 0; scree_scene_absent_at(k, &absent); ++k)
        printf("%s: %s\n", absent.what, absent.advice);
}

// Says that Scree does not have what a word means; returns false if it is not on the list.
static bool explain_missing(const char *word)
{
    struct scree_scene_absent absent;
    if (!scree_scene_absent_find(word, &absent))
        return false;
    printf("Scree has no %s yet; instead: %s.\n`scree help missing` lists what else it does not have.\n",
           absent.what, absent.advice);
    return true;
}

static bool explain_column(const char *name, const char *before)
{
    struct scree_scene_column column;
    for (size_t c = 0; scree_scene_column_at(c, &column); ++c)
        if (strcmp(column.name, name) == 0) {
            printf("%sA column of tables:\n\n", before);
            print_column(&column);
            return true;
        }
    return false;
}

static const struct topic {
    const char *name;
    void (*print)(void);
} topics[] = {{"columns", print_columns}, {"exit-codes", print_exit_codes}, {"laws", print_laws},
              {"missing", print_missing}, {"reference", print_reference},   {"schema", print_schema},
              {"units", print_units}};

// The words that `scree help` explains, without duplicates.
struct words {
    size_t count;
    const char *word[1024];
};

static void add(void *user, const char *word)
{
    struct words *words = (struct words *)user;
    for (size_t w = 0; w < words->count; ++w)
        if (strcmp(words->word[w], word) == 0)
            return;
    if (words->count < sizeof words->word / sizeof words->word[0])
        words->word[words->count++] = word;
}

static void collect(struct words *words)
{
    struct scree_scene_key key;
    struct scree_scene_column column;
    words->count = 0;
    for (const struct scree_cli_command *command = scree_cli_commands; command->name; ++command)
        add(words, command->name);
    for (size_t t = 0; t < sizeof topics / sizeof topics[0]; ++t)
        add(words, topics[t].name);
    visit_law_words(add, words);
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k)
        add(words, key.name);
    for (size_t c = 0; scree_scene_column_at(c, &column); ++c)
        add(words, column.name);
}

void scree_help_words(void (*visit)(void *user, const char *word), void *user)
{
    struct words words;
    collect(&words);
    for (size_t w = 0; w < words.count; ++w)
        visit(user, words.word[w]);
}

static int refuse(const char *word)
{
    struct scree_scene_key key;
    struct words words;
    collect(&words);
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k)
        for (size_t w = 0; key.words && key.words[w]; ++w)
            add(&words, key.words[w]);
    fprintf(stderr, "scree help: there is no command, topic, key, value, law, parameter or column '%s'; ",
            word);
    scree_cli_suggest(word, words.word, words.count, "'scree help' lists the commands");
    return SCREE_CLI_USAGE;
}

// Prints all meanings of a word, which can be of several kinds; returns false if there is none.
static bool explain(const char *word)
{
    bool has = false;
    for (const struct scree_cli_command *command = scree_cli_commands; command->name && !has; ++command)
        if (strcmp(command->name, word) == 0) {
            scree_cli_print_help(command);
            has = true;
        }
    has = explain_key(word, NULL, has ? "\nThis word is also a key of scenes:\n\n" : "") || has;
    has = explain_parameter(word, has ? "\n" : "") || has;
    has = explain_column(word, has ? "\n" : "") || has;
    return explain_key(NULL, word, has ? "\n" : "") || has;
}

int scree_cli_help(const struct scree_cli_line *line)
{
    const bool law = line->count == 2 && strcmp(line->words[0], "law") == 0;
    if (line->count > 0 && line->count < 3 && strcmp(line->words[0], "man") == 0)
        return scree_help_manual(line->count > 1 ? line->words[1] : NULL);
    if (!law && !scree_cli_check_count(line, 0, 1, "give one word: a command, a key of scenes, or a topic"))
        return SCREE_CLI_USAGE;
    if (law && explain_law(line->words[1]))
        return SCREE_CLI_OK;
    if (law) {
        refuse_law(line->words[1]);
        return SCREE_CLI_USAGE;
    }
    if (line->count == 0) {
        scree_cli_print_overview(stdout);
        return SCREE_CLI_OK;
    }
    const char *word = line->words[0];
    for (size_t t = 0; t < sizeof topics / sizeof topics[0]; ++t)
        if (strcmp(topics[t].name, word) == 0) {
            topics[t].print();
            return SCREE_CLI_OK;
        }
    if (explain_law(word))
        return SCREE_CLI_OK;
    return explain(word) || explain_missing(word) ? SCREE_CLI_OK : refuse(word);
}
