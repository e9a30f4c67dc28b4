# SPDX-License-Identifier: Apache-2.0
# The manual page, with the verbs of the handbook's table as entries:
#     cmake -DPAGE=command_line.md -DTEMPLATE=lapidary.1.in -DOUT=lapidary.1 -P FillManual.cmake
# `run FILE` | computes tensors: [running](running.md) |  ->  .TP / .B run FILE / computes tensors
file(READ ${PAGE} text)
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
string(REPLACE "@," ";" LAPIDARY_VERBS "${entries}")
configure_file(${TEMPLATE} ${OUT} @ONLY)
