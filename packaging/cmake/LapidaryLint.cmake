# SPDX-License-Identifier: Apache-2.0
# Targets for the formatter and the linter; packaging/lint says what each does. clang-tidy needs the
# generated headers, so the layers that have some are built first.
foreach(what IN ITEMS format format-check tidy tidy-changed)
    add_custom_target(${what} COMMAND ${PROJECT_SOURCE_DIR}/packaging/lint ${what} ${CMAKE_BINARY_DIR}
        USES_TERMINAL VERBATIM)
endforeach()
foreach(what IN ITEMS tidy tidy-changed)
    foreach(layer IN ITEMS graph_model views_autogen app_window_autogen)
        if(TARGET ${layer})
            add_dependencies(${what} ${layer})
        endif()
    endforeach()
endforeach()
