// A scene file as a tree, see tree.h. libfyaml only delivers events; the tree is built here, so that the
// limits apply while it is built and no object of the library is kept.

#include "text/tree.h"

#include "text/quantity.h"
#include "text/utf8.h"

#include <libfyaml.h>
#include <stdio.h>
#include <string.h>

// KEYS and ANCHORS are small, since keys and anchors are searched linearly
enum { BLOCK = 1 << 16, ANCHORS = 256, KEYS = 1000, LINE = 1000000, BRACKETS = 1000 };

const char *scree_tree_kind_name(enum scree_node_kind kind)
{
    static const char *const names[] = {"nothing", "a text", "a list", "a map"};
    return names[kind];
}

const char *scree_tree_show(const struct scree_node *node, char text[SCREE_TREE_SHOWN])
{
    struct scree_quantity quantity;
    struct scree_parse_error error;
    if (node->kind != SCREE_NODE_TEXT)
        return scree_tree_kind_name(node->kind);
    const bool number = !node->quoted && scree_quantity_read(node->text, node->length, &quantity, &error);
    const int fits = (int)scree_utf8_fit(node->text, node->length < 50 ? node->length : 50);
    snprintf(text, SCREE_TREE_SHOWN, number ? "the number %.*s" : "the text '%.*s'", fits, node->text);
    return text;
}

void scree_tree_free(struct scree_tree *tree)
{
    for (size_t b = 0; b < tree->blocks.count; ++b)
        scree_memory_free(tree->blocks.data[b]);
    scree_array_free(&tree->blocks);
    tree->nodes = tree->left = 0;
    tree->free = NULL;
}

static scree_status allocate(struct scree_tree *tree, size_t size, void **out)
{
    size = (size + 15) / 16 * 16;
    if (size > tree->left) {
        const size_t block = size > BLOCK ? size : BLOCK;
        void *added;
        SCREE_TRY(scree_array_reserve(&tree->blocks, tree->blocks.count + 1));
        SCREE_TRY(scree_memory_new(block, 1, &added));
        tree->blocks.data[tree->blocks.count++] = added;
        tree->free = added;
        tree->left = block;
    }
    *out = tree->free;
    tree->free += size;
    tree->left -= size;
    return SCREE_OK;
}

scree_status scree_tree_text(struct scree_tree *tree, const char *text, size_t length, char **copy)
{
    SCREE_TRY(allocate(tree, length + 1, (void **)copy));
    if (length > 0)
        memcpy(*copy, text, length);
    (*copy)[length] = 0;
    return SCREE_OK;
}

scree_status scree_tree_node(struct scree_tree *tree, enum scree_node_kind kind, struct scree_node **node)
{
    SCREE_TRY(allocate(tree, sizeof **node, (void **)node));
    **node = (struct scree_node){.kind = kind};
    ++tree->nodes;
    return SCREE_OK;
}

scree_status scree_tree_items(struct scree_tree *tree, size_t count, struct scree_node ***item)
{
    *item = NULL;
    return count > 0 ? allocate(tree, count * sizeof **item, (void **)item) : SCREE_OK;
}

const struct scree_node *scree_tree_find(const struct scree_node *map, const char *key)
{
    for (size_t k = 0; map && map->kind == SCREE_NODE_MAP && k < map->count; ++k)
        if (strcmp(map->item[2 * k]->text, key) == 0)
            return map->item[2 * k + 1];
    return NULL;
}

// --- reading

// A list or map that is being read: its items so far are the last ones of the reader's stack.
struct open_node {
    struct scree_node *node;
    size_t first;
    size_t anchors; // number of anchors before it
};

struct anchor {
    char *name;
    size_t length;
    struct scree_node *node;
    bool open; // its node is not complete
};

struct reader {
    struct scree_tree *tree;
    uint32_t source;
    const char *text; // of the source
    size_t length;
    const char *line_text; // start of line number `line`, where the last search ended
    int line;
    struct fy_parser *parser;
    struct open_node open[SCREE_TREE_DEPTH];
    size_t depth;
    SCREE_ARRAY(struct scree_node *) stack;
    SCREE_ARRAY(struct anchor) anchors;
    struct scree_node *root;
    bool wrong;
};

static scree_status refuse(struct reader *reader, const struct scree_place *place, const char *message)
{
    scree_diagnostic_add(reader->tree->diagnostics, place, "%s", message);
    reader->wrong = true;
    return SCREE_OK;
}

// Returns the column of a mark in bytes; the library counts characters. Marks come in ascending order.
static uint32_t column_of(struct reader *reader, const struct fy_mark *mark)
{
    const char *end = reader->text + reader->length, *at = reader->text + mark->input_pos;
    for (; reader->line < mark->line && reader->line_text < end; ++reader->line)
        reader->line_text = scree_diagnostic_next_line(reader->line_text, end);
    if (reader->line != mark->line || mark->input_pos > reader->length || at < reader->line_text)
        return (uint32_t)mark->column;
    return (uint32_t)(at - reader->line_text);
}

static struct scree_place place_of(struct reader *reader, struct fy_event *event)
{
    const struct fy_mark *start = fy_event_start_mark(event), *end = fy_event_end_mark(event);
    struct scree_place place = {.source = reader->source, .length = 1};
    if (!start)
        return place;
    place.line = (uint32_t)start->line;
    place.column = column_of(reader, start);
    if (end && end->line == start->line && end->input_pos > start->input_pos && event->type == FYET_SCALAR)
        place.length = (uint32_t)(end->input_pos - start->input_pos);
    return place;
}

// Control characters, except line ends and tabs.
static bool is_control(uint32_t code)
{
    return (code < 0x20 && code != '\n' && code != '\r' && code != '\t') || (code >= 0x7f && code < 0xa0);
}

// Returns the position of the first control character or invalid byte; `length` if there is none.
static size_t find_control(const char *text, size_t length)
{
    size_t k = 0;
    uint32_t code;
    for (size_t size; k < length; k += size) {
        size = scree_utf8_read(text + k, length - k, &code);
        if (size == 0 || is_control(code))
            break;
    }
    return k;
}

static bool is_null(const char *text, size_t length)
{
    return length == 0 || (length == 1 && text[0] == '~') || (length == 4 && memcmp(text, "null", 4) == 0);
}

static scree_status add_anchor(struct reader *reader, struct fy_token *token, struct scree_node *node,
                               bool open)
{
    struct anchor anchor = {.node = node, .open = open};
    if (!token)
        return SCREE_OK;
    if (reader->anchors.count == ANCHORS)
        return refuse(reader, &node->place, "too many anchors in one scene");
    const char *name = fy_token_get_text(token, &anchor.length);
    SCREE_TRY(scree_tree_text(reader->tree, name, anchor.length, &anchor.name));
    return scree_array_push(&reader->anchors, anchor);
}

static bool is_key_next(const struct reader *reader)
{
    const struct open_node *parent = &reader->open[reader->depth > 0 ? reader->depth - 1 : 0];
    return reader->depth > 0 && parent->node->kind == SCREE_NODE_MAP &&
           (reader->stack.count - parent->first) % 2 == 0;
}

// Adds a node to the innermost open list or map, or makes it the root.
static scree_status place_node(struct reader *reader, struct scree_node *node)
{
    if (reader->depth == 0) {
        if (reader->root)
            return refuse(reader, &node->place, "a file can contain only one YAML document");
        reader->root = node;
        return SCREE_OK;
    }
    const struct open_node *parent = &reader->open[reader->depth - 1];
    const bool key = is_key_next(reader);
    if (key && node->kind != SCREE_NODE_TEXT)
        return refuse(reader, &node->place, "a key must be a text");
    if (key && reader->stack.count - parent->first >= 2 * KEYS)
        return refuse(reader, &node->place, "a map has too many keys");
    for (size_t k = parent->first; key && k < reader->stack.count; k += 2)
        if (strcmp(reader->stack.data[k]->text, node->text) == 0)
            scree_diagnostic_add(reader->tree->diagnostics, &node->place,
                                 "this key is already given in line %u",
                                 reader->stack.data[k]->place.line + 1);
    return scree_array_push(&reader->stack, node);
}

static scree_status make_node(struct reader *reader, struct fy_event *event, enum scree_node_kind kind,
                              struct fy_token *tag, struct scree_node **node)
{
    SCREE_TRY(scree_tree_node(reader->tree, kind, node));
    (*node)->place = place_of(reader, event);
    if (reader->tree->nodes > SCREE_TREE_NODES)
        return refuse(reader, &(*node)->place, "a scene has too many values");
    if (tag)
        scree_diagnostic_add(reader->tree->diagnostics, &(*node)->place,
                             "YAML tags are not allowed: remove the word that begins with '!'");
    return SCREE_OK;
}

static scree_status read_scalar(struct reader *reader, struct fy_event *event)
{
    struct scree_node *node;
    size_t length = 0;
    const char *text = event->scalar.value ? fy_token_get_text(event->scalar.value, &length) : "";
    const bool plain = !event->scalar.value || fy_token_scalar_style(event->scalar.value) == FYSS_PLAIN;
    const bool key = is_key_next(reader);
    const bool nothing = plain && !key && is_null(text, length);
    SCREE_TRY(
        make_node(reader, event, nothing ? SCREE_NODE_NOTHING : SCREE_NODE_TEXT, event->scalar.tag, &node));
    // an omitted value is reported at its key
    if (length == 0 && plain && !key && reader->depth > 0 && reader->stack.count > 0 &&
        reader->open[reader->depth - 1].node->kind == SCREE_NODE_MAP)
        node->place = reader->stack.data[reader->stack.count - 1]->place;
    node->quoted = !plain;
    node->length = length;
    char *copy;
    SCREE_TRY(scree_tree_text(reader->tree, text, length, &copy));
    node->text = copy;
    if (!reader->wrong && find_control(node->text, length) < length)
        SCREE_TRY(refuse(reader, &node->place, "a text cannot have control characters"));
    SCREE_TRY(add_anchor(reader, event->scalar.anchor, node, false));
    return reader->wrong ? SCREE_OK : place_node(reader, node);
}

static scree_status begin_node(struct reader *reader, struct fy_event *event, enum scree_node_kind kind,
                               struct fy_token *tag, struct fy_token *anchor)
{
    struct scree_node *node;
    const size_t anchors = reader->anchors.count;
    SCREE_TRY(make_node(reader, event, kind, tag, &node));
    SCREE_TRY(add_anchor(reader, anchor, node, true));
    if (!reader->wrong && reader->depth == SCREE_TREE_DEPTH)
        SCREE_TRY(refuse(reader, &node->place, "this is nested too deep"));
    if (reader->wrong)
        return SCREE_OK;
    SCREE_TRY(place_node(reader, node));
    reader->open[reader->depth++] = (struct open_node){node, reader->stack.count, anchors};
    return SCREE_OK;
}

static scree_status end_node(struct reader *reader)
{
    const struct open_node *open = &reader->open[--reader->depth];
    struct scree_node *node = open->node;
    const size_t items = reader->stack.count - open->first;
    SCREE_TRY(scree_tree_items(reader->tree, items, &node->item));
    if (items > 0)
        memcpy(node->item, reader->stack.data + open->first, items * sizeof *node->item);
    node->count = node->kind == SCREE_NODE_MAP ? items / 2 : items;
    reader->stack.count = open->first;
    if (open->anchors < reader->anchors.count && reader->anchors.data[open->anchors].node == node)
        reader->anchors.data[open->anchors].open = false;
    return SCREE_OK;
}

static scree_status read_alias(struct reader *reader, struct fy_event *event)
{
    size_t length;
    const char *name = fy_token_get_text(event->alias.anchor, &length);
    const struct scree_place place = place_of(reader, event);
    if (++reader->tree->nodes > SCREE_TREE_NODES)
        return refuse(reader, &place, "a scene has too many values");
    for (size_t a = reader->anchors.count; a-- > 0;) {
        const struct anchor *anchor = &reader->anchors.data[a];
        if (anchor->length != length || memcmp(anchor->name, name, length) != 0)
            continue;
        return anchor->open ? refuse(reader, &place, "this alias refers to the list or map that contains it")
                            : place_node(reader, anchor->node);
    }
    return refuse(reader, &place, "no anchor of this name is defined above");
}

static scree_status read_event(struct reader *reader, struct fy_event *event)
{
    switch (event->type) {
    case FYET_SCALAR:
        return read_scalar(reader, event);
    case FYET_ALIAS:
        return read_alias(reader, event);
    case FYET_SEQUENCE_START:
        return begin_node(reader, event, SCREE_NODE_LIST, event->sequence_start.tag,
                          event->sequence_start.anchor);
    case FYET_MAPPING_START:
        return begin_node(reader, event, SCREE_NODE_MAP, event->mapping_start.tag,
                          event->mapping_start.anchor);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        return end_node(reader);
    default:
        return SCREE_OK;
    }
}

// Converts the position of a syntax error: the library counts lines and characters, from 1.
static const char *find_error(struct reader *reader, const struct fy_diag_error *error,
                              struct scree_place *place)
{
    const char *line = reader->text, *end = reader->text + reader->length;
    uint32_t code;
    place->line = error->line > 0 ? (uint32_t)error->line - 1 : 0;
    for (uint32_t k = 0; k < place->line; ++k)
        line = scree_diagnostic_next_line(line, end);
    const char *at = line;
    for (size_t size; at < end && place->column + 1 < (uint32_t)error->column; ++place->column, at += size)
        if ((size = scree_utf8_read(at, (size_t)(end - at), &code)) == 0)
            break;
    place->column = error->column > 0 ? (uint32_t)(at - line) : 0;
    return at;
}

// Returns true if the cause of a "missing comma" is the brace of an unquoted `${...}`.
static bool is_unquoted_variable(const struct reader *reader, const char *at, const char *message)
{
    return strstr(message, "missing comma") && at > reader->text && at < reader->text + reader->length &&
           at[-1] == '$' && at[0] == '{';
}

static void report(struct reader *reader, struct fy_diag *diag)
{
    void *iterator = NULL;
    const struct fy_diag_error *error;
    while ((error = fy_diag_errors_iterate(diag, &iterator))) {
        struct scree_place place = {.source = reader->source, .length = 1};
        const char *at = find_error(reader, error, &place);
        // the library reports an unclosed bracket at the end of the file: report it where it opens
        if (reader->depth > 0 && strstr(error->msg, "without a closing bracket"))
            place = reader->open[reader->depth - 1].node->place;
        if (is_unquoted_variable(reader, at, error->msg))
            scree_diagnostic_add(reader->tree->diagnostics, &place,
                                 "put ${...} in quotes here, as in \"${radius}\": inside [...] and {...} "
                                 "YAML reads its braces as a map");
        else
            scree_diagnostic_add(reader->tree->diagnostics, &place, "this is not YAML: %s", error->msg);
        reader->wrong = true;
    }
    if (!reader->wrong)
        (void)refuse(reader, &(struct scree_place){.source = reader->source, .length = 1},
                     "this is not YAML");
}

static scree_status read_all(struct reader *reader, struct fy_diag *diag, const struct scree_source *source)
{
    struct fy_event *event;
    scree_status status = SCREE_OK;
    if (fy_parser_set_string(reader->parser, reader->text, reader->length) != 0)
        return scree_status_fail(SCREE_ERROR_MEMORY, "out of memory while reading '%s'", source->name);
    while (status == SCREE_OK && !reader->wrong && (event = fy_parser_parse(reader->parser))) {
        status = read_event(reader, event);
        fy_parser_event_free(reader->parser, event);
    }
    if (status == SCREE_OK && !reader->wrong && fy_parser_get_stream_error(reader->parser))
        report(reader, diag);
    return status;
}

// Reports a byte that YAML does not allow: the library would stop there without a message.
static bool is_text(struct reader *reader)
{
    struct scree_place place = {.source = reader->source, .length = 1};
    const size_t bad = find_control(reader->text, reader->length);
    if (bad == reader->length)
        return true;
    const char *line = reader->text, *end = reader->text + bad, *next;
    for (; (next = scree_diagnostic_next_line(line, end)) < end; line = next)
        ++place.line;
    // the byte is the first of its line
    if (bad > 0 && (end[-1] == '\n' || end[-1] == '\r')) {
        ++place.line;
        line = end;
    }
    place.column = (uint32_t)(end - line);
    (void)refuse(reader, &place, "this byte is not text: a scene is YAML in UTF-8");
    return false;
}

// To find keys, the library reads ahead to the end of the line or of the bracket, and uses hundreds of bytes
// per character. Therefore line length, bracket depth and number of values are limited before parsing.
// Brackets and commas are counted even inside texts; no real scene reaches the limits.
static bool is_within_limits(struct reader *reader)
{
    struct scree_place place = {.source = reader->source, .length = 1};
    const char *end = reader->text + reader->length;
    size_t depth = 0, values = 0;
    for (const char *line = reader->text, *next; line < end; line = next, ++place.line) {
        next = scree_diagnostic_next_line(line, end);
        if (next - line > LINE) {
            (void)refuse(reader, &place, "this line is longer than a million characters: split it");
            return false;
        }
        for (const char *at = line; at < next; ++at) {
            depth += *at == '[' || *at == '{';
            depth -= depth > 0 && (*at == ']' || *at == '}');
            values += *at == '[' || *at == '{' || *at == ',' || *at == '&' || *at == '!';
            if (depth <= BRACKETS && values <= SCREE_TREE_NODES)
                continue;
            place.column = (uint32_t)(at - line);
            (void)refuse(reader, &place,
                         depth > BRACKETS ? "this is nested too deep" : "a scene has too many values");
            return false;
        }
    }
    return true;
}

scree_status scree_tree_read(struct scree_tree *tree, const char *name, char *text, size_t length,
                             struct scree_node **root)
{
    struct reader reader = {.tree = tree};
    struct fy_diag_cfg diag_config;
    *root = NULL;
    SCREE_TRY(scree_diagnostic_source(tree->diagnostics, name, text, length, &reader.source));
    const struct scree_source source = tree->diagnostics->sources.data[reader.source];
    // an empty file has no text
    reader.text = reader.line_text = source.text ? source.text : "";
    reader.length = source.length;
    if (!is_text(&reader) || !is_within_limits(&reader))
        return SCREE_OK;
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&diag_config);
    if (diag)
        fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2, .diag = diag};
    reader.parser = diag ? fy_parser_create(&config) : NULL;
    scree_status status = SCREE_OK;
    if (!reader.parser)
        status = scree_status_fail(SCREE_ERROR_MEMORY, "out of memory while reading '%s'", name);
    else
        status = read_all(&reader, diag, &source);
    if (status == SCREE_OK && !reader.wrong && !reader.root)
        status = scree_tree_node(tree, SCREE_NODE_MAP, &reader.root);
    if (reader.parser)
        fy_parser_destroy(reader.parser);
    if (diag)
        fy_diag_destroy(diag);
    scree_array_free(&reader.stack);
    scree_array_free(&reader.anchors);
    *root = status == SCREE_OK && !reader.wrong ? reader.root : NULL;
    return status;
}
