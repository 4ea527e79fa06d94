# Every tests/<kind>/test_<name>.c (or .cpp) is one executable and one CTest entry <kind>.<name> with the label <kind>.
# Tests can include internal headers, MPFR, and the helpers of tests/support. libccd is an oracle of one test.

find_path(SCREE_CMOCKA_DIR cmocka.h REQUIRED)
find_library(SCREE_CMOCKA cmocka REQUIRED)
find_path(SCREE_MPFR_DIR mpfr.h REQUIRED)
find_library(SCREE_MPFR mpfr REQUIRED)
find_library(SCREE_GMP gmp REQUIRED)
find_path(SCREE_CCD_DIR ccd/ccd.h REQUIRED)
find_library(SCREE_CCD ccd REQUIRED)

add_library(scree-test-needs INTERFACE)
target_include_directories(scree-test-needs INTERFACE include src tests)
target_include_directories(scree-test-needs SYSTEM INTERFACE ${SCREE_CMOCKA_DIR} ${SCREE_MPFR_DIR} ${SCREE_XXHASH_DIR})
target_compile_definitions(scree-test-needs INTERFACE SCREE_VERSION="${PROJECT_VERSION}"
                                                      SCREE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
target_link_libraries(scree-test-needs INTERFACE
    $<TARGET_NAME_IF_EXISTS:scree> scree-flags Threads::Threads ${SCREE_CMOCKA} ${SCREE_MPFR} ${SCREE_GMP} m)

# linking 300 tests with debug information takes long; a debugger finds it in builds with sanitizers
if(NOT SCREE_SANITIZE)
    include(CheckLinkerFlag)
    check_linker_flag(C -fuse-ld=gold SCREE_HAS_GOLD)
    target_link_options(scree-test-needs INTERFACE "$<$<BOOL:${SCREE_HAS_GOLD}>:-fuse-ld=gold>" LINKER:--strip-debug)
endif()

file(GLOB cpp_tests CONFIGURE_DEPENDS tests/*/test_*.cpp)
file(GLOB cpp_support CONFIGURE_DEPENDS tests/support/*.cpp)
if(cpp_tests OR cpp_support)
    enable_language(CXX)
endif()

file(GLOB support CONFIGURE_DEPENDS tests/support/*.c)
list(APPEND support ${cpp_support})
if(support)
    add_library(scree-test-support STATIC ${support})
    target_link_libraries(scree-test-support PUBLIC scree-test-needs)
endif()

# A test that may start threads has the label `threads` too: its text gives a number of threads that is not 1, leaves the
# number to the library, has records, which a thread writes, or uses threads itself. The thread sanitizer runs only these.
string(JOIN "|" starts_threads
    "threads = ([^1]|1 [+])" "threads}" "run_def[)]{0}" "(run_text[(].*|scene_run[(]scene), NULL" "record: |[.]chk"
    "(alarm_run|crowd)[.]h" "pthread_|scree_team|scree_writer" "trial_run|scene_run")

file(GLOB tests CONFIGURE_DEPENDS tests/*/test_*.c)
foreach(source IN LISTS tests cpp_tests)
    cmake_path(GET source STEM name)
    cmake_path(GET source PARENT_PATH kind)
    cmake_path(GET kind FILENAME kind)
    string(REGEX REPLACE "^test_" "" name "${name}")
    set(target test_${kind}_${name})
    add_executable(${target} ${source})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${kind}")
    target_link_libraries(${target} PRIVATE $<TARGET_NAME_IF_EXISTS:scree-test-support> scree-test-needs)
    add_test(NAME ${kind}.${name} COMMAND ${target})
    set(labels ${kind})
    file(STRINGS ${source} starts REGEX "${starts_threads}")
    if(starts AND kind MATCHES "^(unit|determinism)$")
        list(APPEND labels threads)
    endif()
    # the address sanitizer runs all tests that let allocations fail
    file(STRINGS ${source} starves REGEX "scree_starve")
    if(starves AND NOT kind STREQUAL "fault")
        list(APPEND labels fault)
    endif()
    set_tests_properties(${kind}.${name} PROPERTIES LABELS "${labels}" TIMEOUT 600)
    foreach(label IN LISTS labels)
        if(NOT TARGET tests-${label})
            add_custom_target(tests-${label}) # all tests of a kind
        endif()
        add_dependencies(tests-${label} ${target})
    endforeach()
endforeach()

target_include_directories(test_unit_convex_ccd SYSTEM PRIVATE ${SCREE_CCD_DIR})
target_link_libraries(test_unit_convex_ccd PRIVATE ${SCREE_CCD})

# contact laws loaded at run time: a valid one, and invalid ones that must be refused
set(modules "${PROJECT_BINARY_DIR}/tests/modules")
set(fault 0)
foreach(name spring no_entry no_law version)
    add_library(module-${name} MODULE tests/modules/spring.c)
    set_target_properties(module-${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${modules})
    target_include_directories(module-${name} PRIVATE include tests)
    target_compile_definitions(module-${name} PRIVATE MODULE_FAULT=${fault})
    target_compile_options(module-${name} PRIVATE -fopenmp-simd)
    target_link_libraries(module-${name} PRIVATE scree-flags)
    math(EXPR fault "${fault} + 1")
endforeach()
foreach(target test_unit_law_load test_fault_contacts)
    if(TARGET ${target})
        add_dependencies(${target} module-spring module-no_entry module-no_law module-version)
        target_compile_definitions(${target} PRIVATE SCREE_TEST_MODULES="${modules}")
    endif()
endforeach()

# these contain a law, whose loops for wide registers take a quarter of a minute to compile
foreach(target test_unit_contact_rows test_unit_frame test_unit_ending test_unit_law_load test_fuzz_contacts
        module-no_entry module-no_law module-version example-own_law)
    target_compile_definitions(${target} PRIVATE SCREE_NARROW)
endforeach()
if(SCREE_SANITIZE)
    target_compile_definitions(module-spring PRIVATE SCREE_NARROW)
endif()

# prints the digests that must be equal in all builds (tools/check-digests compares them)
if(EXISTS "${PROJECT_SOURCE_DIR}/tests/determinism/digest.c")
    add_executable(scree-digest tests/determinism/digest.c)
    target_link_libraries(scree-digest PRIVATE $<TARGET_NAME_IF_EXISTS:scree-test-support> scree-test-needs)
endif()

include(cmake/checks.cmake)
include(cmake/verify.cmake)

# --- examples: each must run to the end -----------------------------------------------------------------------------------

add_custom_target(tests-example)
add_dependencies(tests-example scree-cli)
foreach(source IN LISTS examples)
    cmake_path(GET source STEM name)
    add_dependencies(tests-example example-${name})
    set_target_properties(example-${name} PROPERTIES EXCLUDE_FROM_ALL FALSE)
    add_test(NAME example.${name} COMMAND example-${name})
    set_tests_properties(example.${name} PROPERTIES LABELS example)
endforeach()

# --- scenes: each is run with fewer bodies and a shorter time ----------------------------------------------------------

file(GLOB parts CONFIGURE_DEPENDS examples/*.stl)
foreach(source IN LISTS parts)
    cmake_path(GET source FILENAME name)
    configure_file(${source} "${PROJECT_BINARY_DIR}/scenes/${name}" COPYONLY)
endforeach()
file(GLOB scenes CONFIGURE_DEPENDS examples/*.yaml)
foreach(source IN LISTS scenes)
    cmake_path(GET source STEM name)
    # results are written into the folder of a scene
    configure_file(${source} "${PROJECT_BINARY_DIR}/scenes/${name}.yaml" COPYONLY)
    file(READ ${source} text)
    set(smaller "")
    if(text MATCHES "[$]{time")
        list(APPEND smaller -D "time=30 ms")
    endif()
    if(text MATCHES "[$]{[^}]*count[^}]*}")
        list(APPEND smaller -D count=200)
    endif()
    if(text MATCHES "[$]{strain")
        list(APPEND smaller -D strain=0.02)
    endif()
    if(text MATCHES "[$]{[^}]*blocks[^}]*}")
        list(APPEND smaller -D blocks=12)
    endif()
    add_test(NAME example.scene_${name}
             COMMAND scree-cli run --quiet --force --threads 2 ${smaller} scenes/${name}.yaml
             WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
    add_test(NAME example.print_${name}
             COMMAND tools/check-print $<TARGET_FILE:scree-cli> examples/${name}.yaml ${smaller}
             WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    # long enough for bodies to come to rest, unless the step is given
    set(longer ${smaller})
    if(NOT text MATCHES "soft: {step:")
        string(REPLACE "30 ms" "500 ms" longer "${smaller}")
    endif()
    set(tests example.print_${name})
    # a condition that ends a stage early cannot be foretold
    if(NOT text MATCHES "stop:")
        add_test(NAME example.steps_${name}
                 COMMAND tools/check-steps $<TARGET_FILE:scree-cli> examples/${name}.yaml ${longer}
                 WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
        list(APPEND tests example.steps_${name})
    endif()
    set_tests_properties(${tests} example.scene_${name} PROPERTIES LABELS example)
    # two threads that share their processors with other tests take many times as long
    set_tests_properties(example.scene_${name} PROPERTIES PROCESSORS 2)
endforeach()

file(GLOB scenes CONFIGURE_DEPENDS tests/data/forecast/*.yaml)
foreach(source IN LISTS scenes)
    cmake_path(GET source STEM name)
    add_test(NAME check.steps_${name}
             COMMAND tools/check-steps $<TARGET_FILE:scree-cli> tests/data/forecast/${name}.yaml
             WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(check.steps_${name} PROPERTIES LABELS check)
endforeach()

# --- cookbook: the commands of each page run, and print the numbers that it states --------------------------------------------

file(GLOB pages CONFIGURE_DEPENDS docs/cookbook/*.md)
foreach(source IN LISTS pages)
    cmake_path(GET source STEM name)
    if(NOT name STREQUAL "README")
        add_test(NAME cookbook.${name}
                 COMMAND python3 "${PROJECT_SOURCE_DIR}/tests/cookbook/cookbook.py" $<TARGET_FILE:scree-cli> ${name}
                 WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
        set_tests_properties(cookbook.${name} PROPERTIES LABELS "cookbook;slow" TIMEOUT 900)
    endif()
endforeach()

# --- crashes: the files after a run is killed, or its disk or memory is full ------------------------------------------------

foreach(name kill disk damage memory together sweep)
    add_test(NAME crash.${name}
             COMMAND python3 "${PROJECT_SOURCE_DIR}/tests/crash/crash.py" $<TARGET_FILE:scree-cli> ${name}
             WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
    set_tests_properties(crash.${name} PROPERTIES LABELS "crash;slow" TIMEOUT 1500)
endforeach()

# --- the tree: tests must leave no new files -----------------------------

get_property(all DIRECTORY PROPERTY TESTS)
set_tests_properties(${all} PROPERTIES FIXTURES_REQUIRED tree)
foreach(when before after)
    add_test(NAME check.tree_${when}
             COMMAND tools/check-tree ${when} "${PROJECT_BINARY_DIR}" "${PROJECT_BINARY_DIR}/tests/tree.txt"
             WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
endforeach()
set_tests_properties(check.tree_before PROPERTIES LABELS check FIXTURES_SETUP tree)
set_tests_properties(check.tree_after PROPERTIES LABELS check FIXTURES_CLEANUP tree)
