# Compile and link flags for users, and the pkg-config file. Without a shared library every user links the static one and
# needs its dependencies.

# a user's contact law is compiled like the built-in ones: the same bits, and vector code
list(JOIN arithmetic " " law_flags)
string(PREPEND law_flags "-O3 -fopenmp-simd ")
target_compile_options(scree INTERFACE -fopenmp-simd)

set(needs "-pthread -lfyaml -lz -lm")
if(SCREE_SHARED)
    # the headers for users' laws contain a function that takes square roots
    set(needs_public " -lm")
    set(needs_private "${needs}")
else()
    set(needs_public " ${needs}")
    set(needs_private "")
endif()
# relative, because the prefix of `cmake --install --prefix` is not known here
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE scree_prefix_from_pc)
configure_file(cmake/scree.pc.in scree.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/scree.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
