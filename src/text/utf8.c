// UTF-8 characters, see utf8.h. Widths follow Unicode's East Asian Width (UAX 11), block by block.

#include "text/utf8.h"

#include <string.h>

size_t scree_utf8_read(const char *text, size_t left, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (left == 0)
        return 0;
    const unsigned char c = (unsigned char)text[0];
    const size_t size = c < 0x80                ? 1
                        : c >= 0xc2 && c < 0xe0 ? 2
                        : c >= 0xe0 && c < 0xf0 ? 3
                        : c >= 0xf0 && c < 0xf5 ? 4
                                                : 0;
    if (size == 0 || size > left)
        return 0;
    *code = size == 1 ? c : c & (0xffu >> (size + 1));
    for (size_t k = 1; k < size; ++k) {
        const unsigned char next = (unsigned char)text[k];
        if ((next & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (next & 0x3f);
    }
    return *code < least[size] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0 : size;
}

size_t scree_utf8_fit(const char *text, size_t max)
{
    const size_t length = strlen(text);
    size_t fit = 0, next = 0;
    while (next <= max) {
        uint32_t code;
        fit = next;
        if (fit == length)
            break;
        const size_t size = scree_utf8_read(text + fit, length - fit, &code);
        next += size > 0 ? size : 1;
    }
    return fit;
}

bool scree_utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

// Ranges in ascending order.
struct range {
    uint32_t first, last;
};

static bool is_in(const struct range *ranges, size_t count, uint32_t code)
{
    for (size_t r = 0; r < count && ranges[r].first <= code; ++r)
        if (code <= ranges[r].last)
            return true;
    return false;
}

size_t scree_utf8_width(uint32_t code)
{
    static const struct range none[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},
                                        {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff},
                                        {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x20d0, 0x20ff},
                                        {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    static const struct range wide[] = {
        {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xa960, 0xa97f}, {0xac00, 0xd7a3},
        {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
        {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd}};
    return is_in(none, sizeof none / sizeof none[0], code)   ? 0
           : is_in(wide, sizeof wide / sizeof wide[0], code) ? 2
                                                             : 1;
}
