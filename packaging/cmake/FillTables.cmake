# SPDX-License-Identifier: Apache-2.0
# Copies a page of the handbook; a line {{lapidary VERB FLAGS}} becomes what the program prints:
#     cmake -DPROGRAM=build/bin/lapidary -DHAS_WINDOW=ON -DPAGE=keys.md -DOUT=copy.md -P FillTables.cmake
file(READ ${PAGE} text)
file(STRINGS ${PAGE} lines REGEX "^{{lapidary .*}}$")
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^{{lapidary (.*)}}$" "\\1" command "${line}")
    separate_arguments(arguments UNIX_COMMAND "${command}")
    if(command STREQUAL "keys" AND NOT HAS_WINDOW)
        set(printed "This program was built without a window.\n")
    else()
        execute_process(COMMAND ${PROGRAM} ${arguments} OUTPUT_VARIABLE printed
            RESULT_VARIABLE code)
        if(NOT code STREQUAL "0")
            message(FATAL_ERROR "${PAGE}: 'lapidary ${command}' ended with ${code}")
        endif()
    endif()
    string(REPLACE "${line}\n" "${printed}" text "${text}")
endforeach()
file(WRITE ${OUT} "${text}")
