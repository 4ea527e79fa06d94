// `scree help KEY`: explains a key of scenes.

#include "cli.h"

#include <scree/scene.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_range(const struct scree_scene_key *key)
{
    const char *gap = key->unit[0] ? " " : "";
    if (isinf(key->least) && isinf(key->most))
        return;
    if (isinf(key->most))
        printf(", %s %g%s%s", key->above ? "above" : "from", key->least, gap, key->unit);
    else
        printf(", %s %g to %s%g%s%s", key->above ? "above" : "from", key->least, key->below ? "below " : "",
               key->most, gap, key->unit);
}

void scree_cli_print_equivalents(const char *section, const char *name)
{
    static const char *const program[] = {"PFC", "LAMMPS", "Yade"};
    struct scree_scene_equivalent equivalent;
    for (size_t p = 0; scree_scene_equivalent_at(p, &equivalent); ++p)
        for (size_t k = 0; k < sizeof program / sizeof program[0]; ++k)
            if (strcmp(equivalent.key, name) == 0 && equivalent.called[k][0] &&
                (!equivalent.section[0] || strcmp(equivalent.section, section) == 0))
                printf("  %-7s %s\n", program[k], equivalent.called[k]);
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
static bool is_alike(const struct scree_scene_key *key, const struct scree_scene_key *other)
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

static bool takes_word(const struct scree_scene_key *key, const char *word)
{
    // the default of a key of numbers can be a word, as `auto`
    bool takes = word[0] >= 'a' && word[0] <= 'z' && strcmp(key->default_value, word) == 0;
    struct scree_scene_column column;
    // skip keys that take names of columns: these are explained as columns
    const bool names_columns =
        key->words && scree_scene_column_at(0, &column) && strcmp(key->words[0], column.name) == 0;
    for (size_t w = 0; key->words && key->words[w] && !names_columns; ++w)
        takes = takes || strcmp(key->words[w], word) == 0;
    return takes;
}

// Returns true if two keys are printed together: keys with identical descriptions, or with a word, keys of
// one name that accept it as value.
static bool belongs(const struct scree_scene_key *key, const struct scree_scene_key *other, const char *word)
{
    return word ? strcmp(key->name, other->name) == 0 && takes_word(other, word) : is_alike(key, other);
}

// Prints the name of key number `index` and the sections of all keys that are printed together with it, each
// section once.
static void print_sections(size_t index, const char *word)
{
    struct scree_scene_key key, other, before;
    (void)scree_scene_key_at(index, &key);
    printf("%s, of %s", key.name, key.section);
    for (size_t k = index + 1; scree_scene_key_at(k, &other); ++k) {
        bool skip = !belongs(&key, &other, word);
        for (size_t b = index; b < k && scree_scene_key_at(b, &before); ++b)
            skip = skip || (belongs(&key, &before, word) && strcmp(before.section, other.section) == 0);
        if (!skip)
            printf(", of %s", other.section);
    }
    printf("\n");
}

static void print_key(const struct scree_scene_key *key)
{
    printf("  %s\n  takes %s", key->description, key->value);
    if (key->unit[0])
        printf(" in %s", key->unit);
    if (strstr(key->value, "number") && key->most > key->least)
        print_range(key);
    for (size_t w = 0; key->words && key->words[w]; ++w)
        printf("%s%s", w == 0 ? ": " : ", ", key->words[w]);
    if (key->required)
        printf("; required");
    else if (key->default_value[0])
        printf("; default: %s", key->default_value);
    printf("\n  %s\n", key->example);
    scree_cli_print_equivalents(key->section, key->name);
}

// Prints the keys called `name`, or if `word` is not null, those that accept it as value; returns false if
// there are none.
static bool explain(const char *name, const char *word, const char *before)
{
    struct scree_scene_key key, earlier;
    bool found = false;
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k) {
        bool skip = word ? !takes_word(&key, word) : strcmp(key.name, name) != 0;
        for (size_t e = 0; e < k && !skip && scree_scene_key_at(e, &earlier); ++e)
            skip = belongs(&key, &earlier, word);
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

bool scree_cli_explain(const char *name, const char *before)
{
    return explain(name, NULL, before);
}

bool scree_cli_explain_value(const char *word, const char *before)
{
    return explain(NULL, word, before);
}
