// What the readers of meshes share, see mesh_input.h.

#include "exchange/mesh_input.h"

#include "text/decimal.h"

// Digits of a number from the first that is not 0, without those of its exponent.
static size_t count_digits(const char *word, size_t length)
{
    size_t digits = 0;
    for (size_t i = 0; i < length && word[i] != 'e' && word[i] != 'E' && word[i] != 'd' && word[i] != 'D';
         ++i)
        digits += word[i] >= '0' && word[i] <= '9' && (digits > 0 || word[i] != '0');
    return digits;
}

bool scree_mesh_input_point_read(struct scree_mesh_input *input, size_t *at, double point[3])
{
    struct scree_lines *lines = &input->lines;
    for (int k = 0; k < 3; ++k) {
        const char *word;
        size_t length;
        if (!scree_lines_word(lines, at, &word, &length))
            return scree_lines_report_line(lines, "a vertex has three coordinates, x y z; this one has %d",
                                           k);
        if (!scree_decimal_read(word, length, &point[k]))
            return scree_lines_report_word(lines, word, length,
                                           "a finite number of at most %d characters was expected, not "
                                           "'%.*s'",
                                           (int)SCREE_DECIMAL_MAX_LENGTH, (int)(length < 40 ? length : 40),
                                           word);
        if (!(point[k] >= -1e40 && point[k] <= 1e40))
            return scree_lines_report_word(lines, word, length,
                                           "a coordinate must be at most 1e40 in magnitude");
        const size_t digits = count_digits(word, length);
        input->digits = digits > input->digits ? digits : input->digits;
    }
    return true;
}

scree_status scree_mesh_input_vertex(struct scree_mesh_input *input, const double point[3])
{
    if (input->vertex.count >= UINT32_MAX - 1)
        return scree_status_fail(SCREE_ERROR_LIMIT, "'%s' has more than %u vertices", input->path,
                                 UINT32_MAX - 1);
    return scree_array_push(&input->vertex, {point[0], point[1], point[2]});
}

scree_status scree_mesh_input_facet(struct scree_mesh_input *input, uint32_t a, uint32_t b, uint32_t c,
                                    uint32_t number)
{
    if (input->facet.count >= UINT32_MAX / 3)
        return scree_status_fail(SCREE_ERROR_LIMIT, "'%s' has more than %u facets", input->path,
                                 UINT32_MAX / 3);
    SCREE_TRY(scree_array_push(&input->number, number));
    return scree_array_push(&input->facet, {a, b, c});
}
