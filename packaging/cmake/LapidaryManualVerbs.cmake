# SPDX-License-Identifier: Apache-2.0
# The verbs as entries of the manual page, from the handbook's table of them:
#     lapidary_manual_verbs(resources/help/command_line.md LAPIDARY_VERBS)
# `run FILE` | computes tensors: [running](running.md) |  ->  .TP / .B run FILE / computes tensors
function(lapidary_manual_verbs page result)
    file(READ ${page} text)
    string(REGEX REPLACE ": [[][^]]*[]][(][^)]*[)] [|]" " |" text "${text}") # links to other pages
    # Brackets and semicolons would change CMake's lists.
    string(REPLACE "[" "@<" text "${text}")
    string(REPLACE "]" "@>" text "${text}")
    string(REPLACE ";" "@," text "${text}")
    string(REGEX MATCHALL "\n[|] `[^\n]*" rows "${text}")
    set(entries "")
    foreach(row IN LISTS rows)
        string(REGEX REPLACE "^\n[|] `([^`]*)` [|] (.*) [|]$" ".TP\n.B \\1\n\\2\n" entry "${row}")
        string(REPLACE "`" "" entry "${entry}")
        string(REPLACE "'" "\\(aq" entry "${entry}")
        string(REPLACE "-" "\\-" entry "${entry}")
        string(APPEND entries "${entry}")
    endforeach()
    string(REPLACE "@<" "[" entries "${entries}")
    string(REPLACE "@>" "]" entries "${entries}")
    string(REPLACE "@," ";" entries "${entries}")
    set(${result} "${entries}" PARENT_SCOPE)
endfunction()
