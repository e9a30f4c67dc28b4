# SPDX-License-Identifier: Apache-2.0
# Targets for the formatter and the linter; packaging/lint says what each does. clang-tidy needs the
# generated headers, so what makes them is built first.
foreach(what IN ITEMS format format-check tidy tidy-changed)
    add_custom_target(${what} COMMAND ${PROJECT_SOURCE_DIR}/packaging/lint ${what} ${CMAKE_BINARY_DIR}
        USES_TERMINAL VERBATIM)
endforeach()
if(TARGET test_protos)
    add_dependencies(tidy test_protos)
    add_dependencies(tidy-changed test_protos)
endif()
