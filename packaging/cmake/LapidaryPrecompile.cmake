# SPDX-License-Identifier: Apache-2.0
# lapidary_precompile(target HEADER): parses HEADER once for all sources of the target. It is named
# from the root of the tree, without the root's own path, so that checkouts in different folders
# share what ccache holds. Sources with options of their own cannot share it and are left out; so
# are all with -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON, which shows a source that forgot to include
# something.
# Where HEADER is a target instead, that target's is used: it is compiled with the same options.
function(lapidary_precompile target header)
    if(TARGET ${header})
        target_precompile_headers(${target} REUSE_FROM ${header})
    else()
        target_precompile_headers(${target} PRIVATE <${header}>)
    endif()
    cmake_language(EVAL CODE
        "cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL lapidary_precompile_exceptions ${target})")
endfunction()

function(lapidary_precompile_exceptions target)
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
        foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_DEFINITIONS)
            get_source_file_property(own ${source} TARGET_DIRECTORY ${target} ${property})
            if(own)
                set_source_files_properties(${source} TARGET_DIRECTORY ${target}
                    PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
            endif()
        endforeach()
    endforeach()
endfunction()
