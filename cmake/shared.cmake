# The shared library. It exports exactly what include/scree declares: the list of exported names for the linker is made
# from those headers, so no declaration needs an export attribute.

# the objects of the static library serve for both if they are position independent
if(CMAKE_POSITION_INDEPENDENT_CODE)
    set(sources $<TARGET_OBJECTS:scree>)
endif()
scree_library(scree-shared SHARED)
set_target_properties(scree-shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE C)

file(GLOB headers CONFIGURE_DEPENDS include/scree/*.h include/scree/*.def)
set(exports "${CMAKE_CURRENT_BINARY_DIR}/exports.map")
add_custom_command(
    OUTPUT "${exports}"
    COMMAND ${CMAKE_COMMAND} -E env "CC=${CMAKE_C_COMPILER}"
            "${PROJECT_SOURCE_DIR}/tools/public-names" --map > "${exports}"
    DEPENDS ${headers} "${PROJECT_SOURCE_DIR}/tools/public-names"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    VERBATIM)
add_custom_target(scree-exports DEPENDS "${exports}")
add_dependencies(scree-shared scree-exports)
target_link_options(scree-shared PRIVATE "LINKER:--version-script=${exports}")
set_target_properties(scree-shared PROPERTIES LINK_DEPENDS "${exports}")
install(TARGETS scree-shared)
