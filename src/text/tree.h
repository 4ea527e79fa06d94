// A scene file as a tree of texts, lists and maps, each with its place: YAML 1.2, read event by event.
//
// What always holds: a file costs bounded time and memory, whatever is in it. It has at most
// SCREE_TREE_BYTES, its tree at most SCREE_TREE_NODES nodes and aliases, SCREE_TREE_DEPTH deep. An alias is
// the node it names, not a copy, so what is written once is there once; whoever walks the tree counts what it
// visits. No node holds itself. Tags are refused: nothing here has a type of its own.

#ifndef SCREE_TEXT_TREE_H
#define SCREE_TEXT_TREE_H

#include "text/diagnostic.h"

enum { SCREE_TREE_BYTES = 64 << 20, SCREE_TREE_NODES = 1 << 20, SCREE_TREE_DEPTH = 48 };

enum scree_node_kind { SCREE_NODE_NOTHING, SCREE_NODE_TEXT, SCREE_NODE_LIST, SCREE_NODE_MAP };

struct scree_node {
    enum scree_node_kind kind;
    bool quoted;              // a text in quotes: its place in the line is not that of its letters
    struct scree_place place; // of a list or map, where it begins
    const char *text;         // closed by a zero
    size_t length;
    struct scree_node **item; // of a list; of a map, keys and values by turns
    size_t count;             // items of a list, pairs of a map
};

// All nodes of all files of a scene, freed at once.
struct scree_tree {
    struct scree_diagnostics *diagnostics;
    SCREE_ARRAY(void *) blocks;
    size_t nodes;
    char *room; // in the newest block
    size_t left;
};

void scree_tree_free(struct scree_tree *tree);

// Reads a text, which belongs to the diagnostics from now on. What is wrong in it is complained about, and
// `root` is null then; a status tells only of memory. An empty text has an empty map.
SCREE_NODISCARD scree_status scree_tree_read(struct scree_tree *tree, const char *name, char *text,
                                             size_t length, struct scree_node **root);

// Reads a file whole: not a folder, a device or a pipe, and no more than SCREE_TREE_BYTES.
SCREE_NODISCARD scree_status scree_tree_load(const char *path, char **text, size_t *length);

// Nodes that come from elsewhere, such as the command line; they live as long as the tree.
SCREE_NODISCARD scree_status scree_tree_node(struct scree_tree *tree, enum scree_node_kind kind,
                                             struct scree_node **node);

// Room for that many items of a list, or for keys and values of a map; null for none.
SCREE_NODISCARD scree_status scree_tree_items(struct scree_tree *tree, size_t count,
                                              struct scree_node ***item);

// Keeps a text as long as the tree lives.
SCREE_NODISCARD scree_status scree_tree_text(struct scree_tree *tree, const char *text, size_t length,
                                             char **kept);

// The value of a key of a map; null where there is none.
const struct scree_node *scree_tree_find(const struct scree_node *map, const char *key);

// "a list", "a map", and so on; of one that is no text.
const char *scree_tree_kind_name(enum scree_node_kind kind);

// What stands at a node, as "the number 5 mm", "the text 'drop'" or "a list".
enum { SCREE_TREE_SHOWN = 80 };
const char *scree_tree_show(const struct scree_node *node, char text[SCREE_TREE_SHOWN]);

#endif
