# The flags of every target, as the interface target scree-flags.
# Invariant: IEEE double arithmetic, the same bits from every compiler and optimisation level. Therefore no flag allows the
# compiler to reorder, fuse or drop a floating-point operation, and a build with such a flag is refused.

string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
set(user_flags "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
if(user_flags MATCHES "-O(fast)|-f(fast|unsafe|associative|reciprocal|finite)-math[a-z-]*|-ffp-contract=(on|fast)|-mfpmath=387")
    message(FATAL_ERROR "The flag ${CMAKE_MATCH_0} changes the bits of results, which Scree guarantees to be the "
                        "same everywhere. Remove it from CFLAGS, CMAKE_C_FLAGS or the flags of the build type.")
endif()

# assertions are on in all builds except release
string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_C_FLAGS_RELWITHDEBINFO}")
string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# wide vectors are never passed to calls (their functions are inlined), so their calling convention does not matter
set(arithmetic -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-psabi)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND arithmetic -march=x86-64-v2)
endif()
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wundef -Wvla -Werror)
set(c_warnings -Wmissing-prototypes -Wstrict-prototypes)

add_library(scree-flags INTERFACE)
target_compile_definitions(scree-flags INTERFACE _POSIX_C_SOURCE=200809L)
# vectorise loops with `omp simd`; threads are those of base/team.c
# gcc takes up to three times as long to compile a law if it also follows the places of its variables for debuggers
target_compile_options(scree-flags INTERFACE "$<$<C_COMPILER_ID:GNU>:-fno-var-tracking>" -fopenmp-simd ${arithmetic}
                       ${warnings} "$<$<COMPILE_LANGUAGE:C>:${c_warnings}>")
if(SCREE_VALIDATE_STEPS)
    target_compile_definitions(scree-flags INTERFACE SCREE_VALIDATE_STEPS)
endif()
if(SCREE_NARROW)
    target_compile_definitions(scree-flags INTERFACE SCREE_NARROW)
endif()
if(SCREE_SANITIZE)
    set(sanitize -fsanitize=${SCREE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(scree-flags INTERFACE ${sanitize})
    target_link_options(scree-flags INTERFACE ${sanitize})
endif()

# extended precision would round twice
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS "${arithmetic}")
list(JOIN CMAKE_REQUIRED_FLAGS " " CMAKE_REQUIRED_FLAGS)
check_c_source_compiles("
    #include <float.h>
    _Static_assert(FLT_EVAL_METHOD == 0, \"doubles are evaluated as doubles\");
    #if defined __FAST_MATH__ || __FINITE_MATH_ONLY__
    #error IEEE arithmetic is off
    #endif
    int main(void) { return 0; }" SCREE_ARITHMETIC_IS_IEEE)
if(NOT SCREE_ARITHMETIC_IS_IEEE)
    message(FATAL_ERROR "This compiler with these flags does not evaluate double expressions in IEEE double "
                        "(FLT_EVAL_METHOD 0): results would not be the same as everywhere else.")
endif()
unset(CMAKE_REQUIRED_FLAGS)
