// Names of the arrays in frames, see frames_field.h.

#include "language/frames_field.h"

// select the numeric fields of the entity BODY from the table of fields: SELECT_BODY alone expands to two
// macro arguments, so that CHOOSE takes the second of them, TAKE, instead of SKIP
#define SCREE_ENTITY(symbol, name, about)
#define SCREE_COLUMN(entity, symbol, name, record, presence)
#define SCREE_FIELD(entity, column, record, member, name, type, ...) OF_##type(SELECT_##entity, name)
#define OF_SCREE_F64(select, name) CHOOSE(select)(name)
#define OF_SCREE_F32(select, name) CHOOSE(select)(name)
#define OF_SCREE_I64(select, name) CHOOSE(select)(name)
#define OF_SCREE_U64(select, name) CHOOSE(select)(name)
#define OF_SCREE_U32(select, name) CHOOSE(select)(name)
#define OF_SCREE_U16(select, name) CHOOSE(select)(name)
#define OF_SCREE_CHAR(select, name)
#define SELECT_BODY ~, TAKE
#define CHOOSE(...) SECOND(__VA_ARGS__, SKIP, ~)
#define SECOND(first, second, ...) second
#define SKIP(name)

#define TAKE(name) {SCREE_FRAMES_BODIES, SCREE_FRAMES_FIELD, name, 0},
#define DERIVED(series, quantity, prefix, name, width)                                                       \
    {SCREE_FRAMES_##series, SCREE_FRAMES_##quantity, name, width},
const struct scree_frames_field scree_frames_field_rows[] = {TAKE("id")
#include "world/fields.def"
// then the derived ones
#include "language/frames_field.def"
};
#undef TAKE

#define TAKE(name) name,
#define DERIVED(series, quantity, prefix, name, width) prefix name,
const char *const scree_frames_field_names[] = {TAKE("id")
#include "world/fields.def"
// then the derived ones
#include "language/frames_field.def"
                                                    NULL};
