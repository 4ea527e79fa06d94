# scree_embed(TARGET NAME FILES...): compiles text files into TARGET as the table
#     const struct scree_embedded scree_embedded_NAME[];   of {name, text, size}, terminated by a row of null pointers
# declared in "embedded/NAME.h", which is in the include path of TARGET. A text ends with a zero byte that size does not
# count. The same file, run by cmake -P, writes the two sources at build time.

if(CMAKE_SCRIPT_MODE_FILE)
    get_filename_component(name "${OUTPUT}" NAME_WE)
    set(texts "")
    set(rows "")
    set(index 0)
    foreach(file IN LISTS FILES)
        get_filename_component(key "${file}" NAME)
        file(SIZE "${file}" size)
        file(READ "${file}" bytes HEX)
        string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
        string(APPEND texts "static const unsigned char text_${index}[] = {\n${bytes}0};\n\n")
        string(APPEND rows "    {\"${key}\", (const char *)text_${index}, ${size}},\n")
        math(EXPR index "${index} + 1")
    endforeach()
    file(WRITE "${OUTPUT}.h"
         "#ifndef SCREE_EMBEDDED_${name}\n#define SCREE_EMBEDDED_${name}\n\n#include <stddef.h>\n\n"
         "#ifndef SCREE_EMBEDDED\n#define SCREE_EMBEDDED\n"
         "struct scree_embedded {\n    const char *name;\n    const char *text;\n    size_t size;\n};\n#endif\n\n"
         "extern const struct scree_embedded scree_embedded_${name}[];\n\n#endif\n")
    file(WRITE "${OUTPUT}.c"
         "#include \"embedded/${name}.h\"\n\n${texts}"
         "const struct scree_embedded scree_embedded_${name}[] = {\n${rows}    {NULL, NULL, 0},\n};\n")
    return()
endif()

set(SCREE_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(scree_embed target name)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}")
    add_custom_command(
        OUTPUT "${output}.c" "${output}.h"
        COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DFILES=${ARGN}" -P "${SCREE_EMBED_SCRIPT}"
        DEPENDS ${ARGN} "${SCREE_EMBED_SCRIPT}"
        COMMENT "Embedding ${name}"
        VERBATIM)
    target_sources(${target} PRIVATE "${output}.c" "${output}.h")
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()
