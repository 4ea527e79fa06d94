// Writes text, numbers and nodes of a scene, see print_out.h.

#include "language/print_out.h"

#include "text/decimal.h"

#include <string.h>

// lines are broken after this many characters, where possible, since the parser limits their length
enum { LINE_LENGTH = 1000 };

void scree_print_out_write(struct scree_print_out *out, const char *text)
{
    const size_t length = strlen(text);
    out->too_long = out->too_long || length > out->left;
    if (out->too_long)
        return;
    const char *last = strrchr(text, '\n');
    out->line = last ? strlen(last + 1) : out->line + length;
    out->left -= length;
    out->write(out->user, text);
}

void scree_print_out_comma(struct scree_print_out *out)
{
    if (out->line <= LINE_LENGTH) {
        scree_print_out_write(out, ", ");
        return;
    }
    scree_print_out_write(out, ",\n");
    for (int k = 0; k < out->depth + 2; ++k)
        scree_print_out_write(out, "  ");
}

void scree_print_out_number(struct scree_print_out *out, double value)
{
    char text[SCREE_DECIMAL_SIZE];
    (void)scree_decimal_write(text, value);
    scree_print_out_write(out, text);
}

// Returns true if a text needs no quotes, in other YAML parsers too.
static bool needs_no_quotes(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char *const reserved[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n", NULL};
    const size_t length = strlen(text);
    if (length == 0 || !strchr(letters, text[0]) || text[length - 1] == ' ')
        return false;
    for (size_t k = 0; k < length; ++k)
        if (!strchr(letters, text[k]) && !strchr("0123456789./- ", text[k]))
            return false;
    for (size_t t = 0; reserved[t]; ++t) {
        size_t same = 0;
        while (same < length && (text[same] | 0x20) == reserved[t][same])
            ++same;
        if (same == length && !reserved[t][same])
            return false;
    }
    return true;
}

void scree_print_out_text(struct scree_print_out *out, const char *text)
{
    if (needs_no_quotes(text)) {
        scree_print_out_write(out, text);
        return;
    }
    scree_print_out_write(out, "\"");
    for (; *text; ++text) {
        const char letter[2] = {*text, 0};
        scree_print_out_write(out, *text == '"'    ? "\\\""
                                   : *text == '\\' ? "\\\\"
                                   : *text == '\n' ? "\\n"
                                   : *text == '\t' ? "\\t"
                                   : *text == '\r' ? "\\r"
                                                   : letter);
    }
    scree_print_out_write(out, "\"");
}

void scree_print_out_numbers(struct scree_print_out *out, const double *number, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        scree_print_out_write(out, k > 0 ? ", " : "[");
        scree_print_out_number(out, number[k]);
    }
    scree_print_out_write(out, "]");
}

// Returns true if a node was written as a number, without quotes.
static bool is_unquoted_number(const struct scree_node *node)
{
    const char *text = node->text + (node->text[0] == '-' || node->text[0] == '+');
    return !node->quoted && ((text[0] >= '0' && text[0] <= '9') || text[0] == '.') &&
           !strpbrk(text, ",:#[]{}\"'\n");
}

void scree_print_out_node(struct scree_print_out *out, const struct scree_node *node)
{
    const char *text = node->text;
    const bool map = node->kind == SCREE_NODE_MAP;
    if (node->kind == SCREE_NODE_TEXT && out->unexpanded && is_unquoted_number(node))
        scree_print_out_write(out, text);
    else if (node->kind == SCREE_NODE_TEXT &&
             (out->unexpanded || scree_value_text(&out->reading->values, node, "", &text)))
        scree_print_out_text(out, text);
    if (node->kind != SCREE_NODE_LIST && !map)
        return;
    scree_print_out_write(out, map ? "{" : "[");
    for (size_t k = 0; k < node->count && !out->too_long; ++k) {
        if (k > 0)
            scree_print_out_comma(out);
        if (map) {
            scree_print_out_text(out, node->item[2 * k]->text);
            scree_print_out_write(out, ": ");
        }
        scree_print_out_node(out, node->item[map ? 2 * k + 1 : k]);
    }
    scree_print_out_write(out, map ? "}" : "]");
}

scree_status scree_print_out_end(const struct scree_print_out *out)
{
    if (out->too_long)
        return scree_status_fail(
            SCREE_ERROR_LIMIT,
            "with its aliases and variables expanded, the scene is longer than the limit of %d bytes for "
            "scene files",
            (int)SCREE_TREE_BYTES);
    return out->reading->values.status;
}
