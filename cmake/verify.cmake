# The built-in verification cases as CTest entries verify.<family>, one for each row of src/verify/families.def, and the
# checks of the command and its output.

if(TARGET scree-cli)
    set(rows src/verify/families.def)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${rows}")
    file(STRINGS ${rows} families REGEX "^SCREE_VERIFY_FAMILY")
    list(TRANSFORM families REPLACE "[^(]*\\(([a-z]+),.*" "\\1")
    foreach(family IN LISTS families)
        add_test(NAME verify.${family} COMMAND scree-cli verify ${family})
        set_tests_properties(verify.${family} PROPERTIES LABELS verify TIMEOUT 600)
    endforeach()
    # these take 10 s to a minute, and many minutes under sanitizers
    set_tests_properties(verify.bounce verify.cell verify.clump verify.event verify.friction verify.gas verify.long verify.mesh
                         verify.observables verify.polyhedron verify.rest verify.rotation verify.sizes verify.stack
                         verify.stochastic
                         PROPERTIES LABELS "verify;slow")
    scree_check(cli $<TARGET_FILE:scree-cli>)
    scree_check(json $<TARGET_FILE:scree-cli>)
    scree_check(manuals $<TARGET_FILE:scree-cli>)
    scree_check(schema $<TARGET_FILE:scree-cli>)
    add_test(NAME reference.scene COMMAND tools/check-reference $<TARGET_FILE:scree-cli>
             WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(reference.scene PROPERTIES LABELS check)
    scree_check(paraview $<TARGET_FILE:scree-cli>)
endif()
