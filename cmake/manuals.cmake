# Manual pages and shell completions, which the command makes from its tables. Handwritten parts of pages are in docs/man
# and are appended. Pages need scdoc; without it none are made.

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/commands.def")
file(STRINGS src/cli/commands.def rows REGEX "^COMMAND\\(")
list(TRANSFORM rows REPLACE "^COMMAND\\(([a-z]+),.*" "\\1" OUTPUT_VARIABLE names)
set(pages "")
find_program(SCREE_SCDOC scdoc)
set(manuals "${CMAKE_CURRENT_BINARY_DIR}/man")
file(MAKE_DIRECTORY "${manuals}")

# scree_manual(PAGE SECTION PART WORDS...): a page from the output of `scree help man WORDS` and docs/man/PART.scd
function(scree_manual page section part)
    set(rest "${PROJECT_SOURCE_DIR}/docs/man/${part}.scd")
    if(NOT EXISTS "${rest}")
        set(rest "")
    endif()
    set(output "${manuals}/${page}.${section}")
    add_custom_command(
        OUTPUT "${output}"
        COMMAND sh "${PROJECT_SOURCE_DIR}/tools/manual" "$<TARGET_FILE:scree-cli>" "${SCREE_SCDOC}" "${output}" "${rest}" ${ARGN}
        DEPENDS scree-cli tools/manual ${rest}
        COMMENT "Making ${page}.${section}"
        VERBATIM)
    set(pages ${pages} "${output}" PARENT_SCOPE)
    install(FILES "${output}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}")
endfunction()

if(SCREE_SCDOC)
    scree_manual(scree 1 scree)
    scree_manual(scree-scene 5 scene scene)
    foreach(name IN LISTS names)
        scree_manual(scree-${name} 1 ${name} ${name})
    endforeach()
endif()

set(completions "${CMAKE_CURRENT_BINARY_DIR}/completions")
file(MAKE_DIRECTORY "${completions}")
foreach(shell bash:scree:bash-completion/completions zsh:_scree:zsh/site-functions
              fish:scree.fish:fish/vendor_completions.d)
    string(REPLACE ":" ";" shell "${shell}")
    list(GET shell 0 name)
    list(GET shell 1 file)
    list(GET shell 2 folder)
    add_custom_command(
        OUTPUT "${completions}/${file}"
        COMMAND "$<TARGET_FILE:scree-cli>" completion ${name} > "${completions}/${file}"
        DEPENDS scree-cli
        COMMENT "Making the completion of ${name}"
        VERBATIM)
    list(APPEND pages "${completions}/${file}")
    install(FILES "${completions}/${file}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${folder}")
endforeach()
add_custom_target(manuals ALL DEPENDS ${pages})
