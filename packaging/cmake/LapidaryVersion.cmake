# SPDX-License-Identifier: Apache-2.0
# lapidary_version(VERSION_VARIABLE DATE_VARIABLE FALLBACK): the version of the newest tag "vX.Y.Z"
# that leads to this commit, and the date of that tag's commit. Without such a tag, or without git
# (a source archive), the version is FALLBACK and the date that of the commit, or else of today;
# SOURCE_DATE_EPOCH replaces today. Reconfigure after a new tag.
function(lapidary_version version_variable date_variable fallback)
    find_program(GIT_PROGRAM git)
    mark_as_advanced(GIT_PROGRAM)
    set(version ${fallback})
    set(commit HEAD)
    if(GIT_PROGRAM)
        execute_process(COMMAND ${GIT_PROGRAM} describe --tags --abbrev=0 --match "v[0-9]*.[0-9]*.[0-9]*"
            WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
            OUTPUT_VARIABLE tag OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(tag MATCHES "^v([0-9]+\\.[0-9]+\\.[0-9]+)$")
            set(version ${CMAKE_MATCH_1})
            set(commit ${tag})
        endif()
        execute_process(COMMAND ${GIT_PROGRAM} log -1 --format=%cs ${commit}
            WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
            OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    if(NOT date)
        string(TIMESTAMP date %Y-%m-%d UTC)
    endif()
    set(${version_variable} ${version} PARENT_SCOPE)
    set(${date_variable} ${date} PARENT_SCOPE)
endfunction()
