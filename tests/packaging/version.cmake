# SPDX-License-Identifier: Apache-2.0
# The version is that of the newest tag, and the number in CMakeLists.txt without one.
find_program(GIT git)
if(NOT GIT)
    message("skipped: git is not installed")
    return()
endif()
include(${ROOT}/packaging/cmake/LapidaryVersion.cmake)
set(folder ${BUILD}/tests/packaging/version)
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})

function(git)
    execute_process(COMMAND ${GIT} -c user.name=test -c user.email=test@example.org
        -c commit.gpgsign=false -c tag.gpgsign=false ${ARGN}
        WORKING_DIRECTORY ${folder} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(expect version)
    set(CMAKE_CURRENT_SOURCE_DIR ${folder})
    lapidary_version(got date 0.1.0)
    if(NOT got STREQUAL version OR NOT date MATCHES "^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]$")
        message(SEND_ERROR "version ${got} of ${date}, expected ${version}")
    endif()
endfunction()

git(init --quiet)
git(commit --quiet --allow-empty -m first)
expect(0.1.0)
git(tag unrelated-1.2.3)
expect(0.1.0)
git(tag v9.8.7)
expect(9.8.7)
git(commit --quiet --allow-empty -m second)
expect(9.8.7)
