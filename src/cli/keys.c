// `scree help KEY`: what the table of keys says of one.

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

void scree_cli_print_peers(const char *section, const char *name)
{
    static const char *const program[] = {"PFC", "LAMMPS", "Yade"};
    struct scree_scene_equivalent peer;
    for (size_t p = 0; scree_scene_equivalent_at(p, &peer); ++p)
        for (size_t k = 0; k < sizeof program / sizeof program[0]; ++k)
            if (strcmp(peer.key, name) == 0 && peer.called[k][0] &&
                (!peer.section[0] || strcmp(peer.section, section) == 0))
                printf("  %-7s %s\n", program[k], peer.called[k]);
}

// Whether a row of peers is of this section alone.
static bool has_own_peers(const struct scree_scene_key *key)
{
    struct scree_scene_equivalent peer;
    bool has = false;
    for (size_t p = 0; scree_scene_equivalent_at(p, &peer); ++p)
        has = has || (strcmp(peer.key, key->name) == 0 && strcmp(peer.section, key->section) == 0);
    return has;
}

// Whether of two keys the same is to be said.
static bool is_alike(const struct scree_scene_key *key, const struct scree_scene_key *other)
{
    const bool here = strcmp(key->section, other->section) == 0;
    return strcmp(key->name, other->name) == 0 && strcmp(key->about, other->about) == 0 &&
           strcmp(key->takes, other->takes) == 0 && strcmp(key->unit, other->unit) == 0 &&
           strcmp(key->standard, other->standard) == 0 && strcmp(key->example, other->example) == 0 &&
           key->words == other->words && key->needed == other->needed && key->above == other->above &&
           key->below == other->below && key->least == other->least && key->most == other->most &&
           (here || (!has_own_peers(key) && !has_own_peers(other)));
}

static bool takes_word(const struct scree_scene_key *key, const char *word)
{
    // one that takes numbers may be left out as a word
    bool takes = word[0] >= 'a' && word[0] <= 'z' && strcmp(key->standard, word) == 0;
    // columns are told of by themselves
    for (size_t w = 0; key->words && key->words[w] && !strstr(key->takes, "columns"); ++w)
        takes = takes || strcmp(key->words[w], word) == 0;
    return takes;
}

// Whether two keys are told of together: where a word is asked for, those of one name that take it.
static bool belongs(const struct scree_scene_key *key, const struct scree_scene_key *other, const char *word)
{
    return word ? strcmp(key->name, other->name) == 0 && takes_word(other, word) : is_alike(key, other);
}

// Key number `index` and those told of with it, in whichever sections they are: by name, each once.
static void print_sections(size_t index, const char *word)
{
    struct scree_scene_key key, other, before;
    (void)scree_scene_key_at(index, &key);
    printf("%s, of %s", key.name, key.section);
    for (size_t k = index + 1; scree_scene_key_at(k, &other); ++k) {
        bool told = !belongs(&key, &other, word);
        for (size_t b = index; b < k && scree_scene_key_at(b, &before); ++b)
            told = told || (belongs(&key, &before, word) && strcmp(before.section, other.section) == 0);
        if (!told)
            printf(", of %s", other.section);
    }
    printf("\n");
}

static void print_key(const struct scree_scene_key *key)
{
    printf("  %s\n  takes %s", key->about, key->takes);
    if (key->unit[0])
        printf(" in %s", key->unit);
    if (strstr(key->takes, "number") && key->most > key->least)
        print_range(key);
    for (size_t w = 0; key->words && key->words[w]; ++w)
        printf("%s%s", w == 0 ? ": " : ", ", key->words[w]);
    if (key->needed)
        printf("; must be given");
    else if (key->standard[0])
        printf("; %s if left out", key->standard);
    printf("\n  %s\n", key->example);
    scree_cli_print_peers(key->section, key->name);
}

// Keys by their name, or by a word that they take.
static bool explain(const char *name, const char *word, const char *before)
{
    struct scree_scene_key key, earlier;
    bool found = false;
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k) {
        bool told = word ? !takes_word(&key, word) : strcmp(key.name, name) != 0;
        for (size_t e = 0; e < k && !told && scree_scene_key_at(e, &earlier); ++e)
            told = belongs(&key, &earlier, word);
        if (told)
            continue;
        printf("%s", found ? "\n" : before);
        if (word)
            printf("'%s' may stand under ", word);
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
