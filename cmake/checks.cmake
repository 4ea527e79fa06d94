# The checks of the source tree, as CTest entries check.<name>. Each is a script that can also be run by hand.

list(JOIN warnings " " warnings_line)

function(scree_check name)
    add_test(NAME check.${name} COMMAND "${PROJECT_SOURCE_DIR}/tools/check-${name}" ${ARGN})
    set_tests_properties(check.${name} PROPERTIES
        LABELS check TIMEOUT 300 SKIP_RETURN_CODE 77 WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
        ENVIRONMENT "CC=${CMAKE_C_COMPILER};WARNINGS=${warnings_line}")
endfunction()

scree_check(includes)
scree_check(headers)
# a compiler starts 350 times
set_tests_properties(check.headers PROPERTIES LABELS "check;slow")
scree_check(format)
scree_check(text)
scree_check(refusals)
scree_check(device)

if(TARGET scree)
    set(objects "${CMAKE_CURRENT_BINARY_DIR}/objects.txt")
    file(GENERATE OUTPUT "${objects}" CONTENT "$<JOIN:$<TARGET_OBJECTS:scree>,\n>\n")
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
        scree_check(symbols ${objects} release)
    else()
        scree_check(symbols ${objects})
    endif()
endif()
