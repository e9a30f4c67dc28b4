# SPDX-License-Identifier: Apache-2.0
# ctest -R layers: every #include must point to the same layer or one to its left; within `app` the
# window does without the command line; and only the command line names its flags. Within runner the
# library `kernels` comes first.
set(layers graph_model runner transforms views app)
set(bad "")
foreach(layer IN LISTS layers)
    file(GLOB_RECURSE files ${ROOT}/${layer}/*.h ${ROOT}/${layer}/*.cpp)
    list(FIND layers ${layer} rank)
    foreach(file IN LISTS files)
        file(STRINGS ${file} includes REGEX "^#include [<\"]")
        foreach(line IN LISTS includes)
            foreach(other IN LISTS layers)
                list(FIND layers ${other} other_rank)
                if(other_rank GREATER rank AND line MATCHES "\"${other}/")
                    list(APPEND bad "${file}: ${line}")
                endif()
            endforeach()
            if(rank LESS 3 AND line MATCHES "<Q[A-Za-z/]+>")
                list(APPEND bad "${file}: Qt below views: ${line}")
            endif()
        endforeach()
    endforeach()
endforeach()

# The command line is one front end of the engine, the window another.
file(GLOB_RECURSE files ${ROOT}/app/document/*.h ${ROOT}/app/document/*.cpp ${ROOT}/app/window/*.h
    ${ROOT}/app/window/*.cpp)
foreach(file IN LISTS files)
    file(STRINGS ${file} includes REGEX "^#include \"app/(cli|window_verbs)/")
    foreach(line IN LISTS includes)
        list(APPEND bad "${file}: ${line}")
    endforeach()
endforeach()

# An error carries a reason (ErrorReason), and each front end words the remedy. Texts with flags are
# made on purpose where a command line is the result, and where the window reads its own.
set(makes_commands
    app/start/run_window.cpp
    graph_model/interface/interface_flags.cpp
    graph_model/summary/summarize_graph_text.cpp
    transforms/recipe/repro_script.cpp)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/graph_model/*.cpp ${ROOT}/graph_model/*.h
    ${ROOT}/runner/*.cpp ${ROOT}/runner/*.h ${ROOT}/transforms/*.cpp ${ROOT}/transforms/*.h
    ${ROOT}/views/*.cpp ${ROOT}/views/*.h ${ROOT}/app/document/*.cpp ${ROOT}/app/document/*.h
    ${ROOT}/app/start/*.cpp ${ROOT}/app/window/*.cpp ${ROOT}/app/window/*.h)
list(REMOVE_ITEM files ${makes_commands})
foreach(file IN LISTS files)
    file(STRINGS ${ROOT}/${file} flags REGEX "^[^/]*\"[^\"]*--[a-z]")
    foreach(line IN LISTS flags)
        list(APPEND bad "${file}: names a flag: ${line}")
    endforeach()
endforeach()

set(kernel_folders guard|int8|kernels|onednn|threads|values)
file(GLOB_RECURSE files ${ROOT}/runner/*.h ${ROOT}/runner/*.cpp)
list(FILTER files INCLUDE REGEX "/runner/(${kernel_folders})/")
foreach(file IN LISTS files)
    file(STRINGS ${file} includes REGEX "^#include \"runner/")
    list(FILTER includes EXCLUDE REGEX "\"runner/(${kernel_folders})/")
    foreach(line IN LISTS includes)
        list(APPEND bad "${file}: ${line}")
    endforeach()
endforeach()

if(bad)
    list(JOIN bad "\n  " text)
    message(FATAL_ERROR "layering:\n  ${text}")
endif()
