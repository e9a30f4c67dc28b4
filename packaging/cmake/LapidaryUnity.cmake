# SPDX-License-Identifier: Apache-2.0
# With -DLAPIDARY_UNITY=ON the sources of a folder are compiled together, some 80 KB at a time: the
# same templates are then made once instead of once in each file, which halves the time of a build
# from nothing. Names in anonymous namespaces therefore differ within a folder. A folder whose files
# repeat them on purpose is named by lapidary_compile_apart(). Sources with options of their own, or
# for certain processors, stay apart by themselves.
# lapidary_compile_apart(FOLDER...): relative to the current one.
function(lapidary_compile_apart)
    foreach(folder IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH folder NORMALIZE)
        set_property(GLOBAL APPEND PROPERTY LAPIDARY_APART ${folder})
    endforeach()
endfunction()

# lapidary_unity(target [KB]): its sources may be named later, by folders below.
function(lapidary_unity target)
    set(most 80)
    if(ARGC GREATER 1)
        set(most ${ARGV1})
    endif()
    if(LAPIDARY_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
        cmake_language(EVAL CODE
            "cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL lapidary_unity_groups ${target} ${most})")
    endif()
endfunction()

function(lapidary_unity_groups target most)
    get_target_property(sources ${target} SOURCES)
    get_target_property(base ${target} SOURCE_DIR)
    get_property(apart GLOBAL PROPERTY LAPIDARY_APART)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(SORT sources)
    set(last "")
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${base} OUTPUT_VARIABLE path)
        cmake_path(GET path PARENT_PATH folder)
        cmake_path(IS_PREFIX CMAKE_BINARY_DIR ${path} is_generated)
        if(is_generated OR folder IN_LIST apart)
            continue()
        endif()
        file(STRINGS ${path} processor REGEX "#pragma GCC target|gnu::target" LIMIT_COUNT 1)
        if(processor)
            continue()
        endif()
        file(SIZE ${path} bytes)
        if(NOT folder STREQUAL last)
            set(last ${folder})
            set(part 0)
            set(sum 0)
        elseif(sum GREATER ${most}000)
            math(EXPR part "${part} + 1")
            set(sum 0)
        endif()
        math(EXPR sum "${sum} + ${bytes}")
        cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE name)
        string(REPLACE "/" "_" name "${name}")
        set_source_files_properties(${path} TARGET_DIRECTORY ${target}
            PROPERTIES UNITY_GROUP ${name}_${part})
    endforeach()
endfunction()
