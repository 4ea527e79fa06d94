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

static const struct {
    const char *section, *key, *name[3];
} peers[] = {
#define PEER(section, key, pfc, lammps, yade) {section, key, {pfc, lammps, yade}},
#include "peers.def"
#undef PEER
};

// What the key is called elsewhere.
static void print_peers(const struct scree_scene_key *key)
{
    static const char *const program[3] = {"PFC", "LAMMPS", "Yade"};
    for (size_t p = 0; p < sizeof peers / sizeof peers[0]; ++p)
        for (int k = 0; k < 3; ++k)
            if (strcmp(peers[p].key, key->name) == 0 && peers[p].name[k][0] &&
                (!peers[p].section[0] || strcmp(peers[p].section, key->section) == 0))
                printf("  %-7s %s\n", program[k], peers[p].name[k]);
}

static void print_key(const struct scree_scene_key *key)
{
    printf("%s, of %s\n  %s\n  takes %s", key->name, key->section, key->about, key->takes);
    if (key->unit[0])
        printf(" in %s", key->unit);
    if (strstr(key->takes, "number") && key->most > key->least)
        print_range(key);
    for (size_t w = 0; key->words && key->words[w]; ++w)
        printf("%s%s", w == 0 ? ": " : ", ", key->words[w]);
    if (key->needed)
        printf("; must be given");
    // keys of its own that are all left out are no news
    else if (key->standard[0] && strcmp(key->standard, "{}") != 0)
        printf("; %s if left out", key->standard);
    printf("\n  %s\n", key->example);
    print_peers(key);
}

bool scree_cli_explain(const char *name, const char *before)
{
    struct scree_scene_key key;
    bool found = false;
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k)
        if (strcmp(key.name, name) == 0) {
            printf("%s", found ? "\n" : before);
            print_key(&key);
            found = true;
        }
    return found;
}
