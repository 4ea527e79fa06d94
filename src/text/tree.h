// A scene file as a tree of texts, lists and maps, each with its position: YAML 1.2, read event by event.
//
// Invariants: time and memory are bounded for any input. A file has at most SCREE_TREE_BYTES, its tree at
// most SCREE_TREE_NODES nodes and aliases and a depth of SCREE_TREE_DEPTH. An alias is a pointer to its node,
// not a copy; since aliases can expand exponentially, code that walks the tree must limit the number of nodes
// that it visits. There are no cycles. Tags are refused.

#ifndef SCREE_TEXT_TREE_H
#define SCREE_TEXT_TREE_H

#include "text/diagnostic.h"

enum { SCREE_TREE_BYTES = 64 << 20, SCREE_TREE_NODES = 1 << 20, SCREE_TREE_DEPTH = 48 };

enum scree_node_kind { SCREE_NODE_NOTHING, SCREE_NODE_TEXT, SCREE_NODE_LIST, SCREE_NODE_MAP };

struct scree_node {
    enum scree_node_kind kind;
    bool quoted;              // quoted text: offsets in the text do not give columns of the line
    struct scree_place place; // for a list or map, its start
    const char *text;         // zero-terminated
    size_t length;
    struct scree_node **item; // of a list; of a map, keys and values alternate
    size_t count;             // items of a list, pairs of a map
};

// All nodes of all files of a scene, freed at once.
struct scree_tree {
    struct scree_diagnostics *diagnostics;
    SCREE_ARRAY(void *) blocks;
    size_t nodes;
    char *free;  // unused part of the newest block
    size_t left; // its size, bytes
};

void scree_tree_free(struct scree_tree *tree);

// Reads a text; the diagnostics take ownership of it. Errors in the text are added to the diagnostics, and
// `root` is null then; the status only reports lack of memory. An empty or null text gives an empty map.
SCREE_NODISCARD scree_status scree_tree_read(struct scree_tree *tree, const char *name, char *text,
                                             size_t length, struct scree_node **root);

// Creates a node that does not come from a file; it lives as long as the tree.
SCREE_NODISCARD scree_status scree_tree_node(struct scree_tree *tree, enum scree_node_kind kind,
                                             struct scree_node **node);

// Allocates an array of list items, or of keys and values of a map; null if `count` is 0.
SCREE_NODISCARD scree_status scree_tree_items(struct scree_tree *tree, size_t count,
                                              struct scree_node ***item);

// Copies a text, zero-terminated; the copy lives as long as the tree.
SCREE_NODISCARD scree_status scree_tree_text(struct scree_tree *tree, const char *text, size_t length,
                                             char **copy);

// Returns the value of a key of a map; null if there is none.
const struct scree_node *scree_tree_find(const struct scree_node *map, const char *key);

// Returns "a list", "a map" and so on.
const char *scree_tree_kind_name(enum scree_node_kind kind);

// Describes a node for messages: "the number 5 mm", "the text 'drop'" or "a list".
enum { SCREE_TREE_SHOWN = 80 };
const char *scree_tree_show(const struct scree_node *node, char text[SCREE_TREE_SHOWN]);

#endif
