// Writes a complete scene, see print.h, in the order of the table of keys.

#include "language/print.h"

#include "language/law_keys.h"
#include "language/print_out.h"

#include <math.h>

// Begins the line of a key.
static void begin_key(struct scree_print_out *out, const char *name)
{
    scree_print_out_write(out, out->open ? "\n" : "");
    out->open = false;
    for (int k = 0; k < out->depth - out->dash; ++k)
        scree_print_out_write(out, "  ");
    scree_print_out_write(out, out->dash ? "- " : "");
    out->dash = false;
    scree_print_out_text(out, name);
    scree_print_out_write(out, ":");
}

static void put_section(struct scree_print_out *out, enum scree_section section,
                        const struct scree_node *map);

// Writes a map below its key, or "{}" behind the key if the map is empty.
static void put_below(struct scree_print_out *out, enum scree_section section, const struct scree_node *node)
{
    out->open = true;
    ++out->depth;
    put_section(out, section, node);
    --out->depth;
    scree_print_out_write(out, out->open ? " {}\n" : "");
    out->open = false;
}

static void put_map(struct scree_print_out *out, enum scree_section section, const struct scree_node *node)
{
    out->open = true;
    ++out->depth;
    for (size_t k = 0; k < node->count && !out->too_long; ++k) {
        begin_key(out, node->item[2 * k]->text);
        put_below(out, section, node->item[2 * k + 1]);
    }
    --out->depth;
    scree_print_out_write(out, out->open ? " {}\n" : "");
    out->open = false;
}

static void put_list(struct scree_print_out *out, enum scree_section section, const struct scree_node *node)
{
    const bool list = node->kind == SCREE_NODE_LIST;
    const size_t count = list ? node->count : 1;
    out->open = count > 0;
    scree_print_out_write(out, count > 0 ? "" : " []\n");
    out->depth += 2;
    for (size_t k = 0; k < count && !out->too_long; ++k) {
        out->dash = true;
        put_section(out, section, list ? node->item[k] : node);
    }
    out->depth -= 2;
}

// Writes columns, names and maps, each on lines of its own.
static void put_columns(struct scree_print_out *out, enum scree_section section,
                        const struct scree_node *node)
{
    scree_print_out_write(out, "\n");
    for (size_t k = 0; k < node->count && !out->too_long; ++k) {
        if (node->item[k]->kind == SCREE_NODE_MAP) {
            out->depth += 2;
            out->dash = true;
            put_section(out, section, node->item[k]);
            out->depth -= 2;
            continue;
        }
        for (int blank = 0; blank <= out->depth; ++blank)
            scree_print_out_write(out, "  ");
        scree_print_out_write(out, "- ");
        scree_print_out_node(out, node->item[k]);
        scree_print_out_write(out, "\n");
    }
}

static bool has_maps(const struct scree_node *node)
{
    bool has = false;
    for (size_t k = 0; k < node->count; ++k)
        has = has || node->item[k]->kind == SCREE_NODE_MAP;
    return has;
}

// Returns true if the value is a map of keys, not one of the shorter forms.
static bool is_section(const struct scree_key *key, const struct scree_node *node)
{
    return key->type == SCREE_KEY_SECTION ||
           ((key->type == SCREE_KEY_SIZE || key->type == SCREE_KEY_COMPARISON) &&
            node->kind == SCREE_NODE_MAP);
}

static void put_key(struct scree_print_out *out, const struct scree_node *map, enum scree_key_id id)
{
    const struct scree_key *key = &scree_key_rows[id];
    const enum scree_section section = scree_key_section(key->set);
    const struct scree_node *node = scree_reading_or_default(out->reading, map, id);
    const bool given = scree_reading_has(map, id);
    if (!node || key->type == SCREE_KEY_VARIABLES || (!given && !scree_reading_is_allowed(map, id, NULL)))
        return;
    begin_key(out, key->name);
    if (is_section(key, node)) {
        put_below(out, section, node);
    } else if (key->type == SCREE_KEY_LIST || key->type == SCREE_KEY_LIST_OR_ONE) {
        put_list(out, section, node);
    } else if (key->type == SCREE_KEY_MAP) {
        put_map(out, section, node);
    } else if (key->type == SCREE_KEY_COLUMNS && has_maps(node)) {
        put_columns(out, section, node);
    } else {
        scree_print_out_write(out, " ");
        scree_print_value(out, map, id, node);
        scree_print_out_write(out, "\n");
    }
}

// Writes the parameters of a contact's law, including defaults.
static void put_law_parameters(struct scree_print_out *out, const struct scree_node *contact)
{
    const struct scree_law_parameter *parameter;
    bool wrong;
    const struct scree_contact_law *law = scree_law_keys_law(out->reading, contact, &wrong);
    for (size_t p = 0; (parameter = scree_law_keys_at(law, p)); ++p) {
        const struct scree_node *node = scree_tree_find(contact, parameter->name);
        struct scree_interaction_value value = {.number = parameter->fallback};
        if (node && !scree_law_keys_read(&out->reading->values, node, parameter, &value))
            continue;
        // no parameters without a law; a default of NaN means "not given"
        if (!node && (!law || parameter->required || isnan(parameter->fallback)))
            continue;
        begin_key(out, parameter->name);
        scree_print_out_write(out, " ");
        if (parameter->choices)
            scree_print_out_text(out, node ? value.word : parameter->choices[(size_t)value.number]);
        else
            scree_print_out_number(out, value.number);
        scree_print_out_write(out, "\n");
    }
}

static void put_section(struct scree_print_out *out, enum scree_section section, const struct scree_node *map)
{
    for (size_t k = 0; k < SCREE_KEYS && !out->too_long; ++k)
        if (scree_key_rows[k].section == section)
            put_key(out, map, (enum scree_key_id)k);
    if (section == SCREE_SECTION_contact)
        put_law_parameters(out, map);
}

scree_status scree_print(struct scree_reading *reading, scree_text_function *write, void *user)
{
    struct scree_print_out out = {.write = write, .user = user, .reading = reading, .left = SCREE_TREE_BYTES};
    put_section(&out, SCREE_SECTION_scene, reading->root);
    return scree_print_out_end(&out);
}
