# SPDX-License-Identifier: Apache-2.0
# Targets for the formatter and the linter; packaging/lint says what each does. clang-tidy needs the
# generated headers, so what makes them is built first.
foreach(what IN ITEMS format format-check tidy tidy-changed)
    add_custom_target(${what} COMMAND ${PROJECT_SOURCE_DIR}/packaging/lint ${what} ${CMAKE_BINARY_DIR}
        USES_TERMINAL VERBATIM)
endforeach()
foreach(what IN ITEMS tidy tidy-changed)
    foreach(maker IN ITEMS views_autogen app_window_autogen test_protos)
        if(TARGET ${maker})
            add_dependencies(${what} ${maker})
        endif()
    endforeach()
endforeach()
