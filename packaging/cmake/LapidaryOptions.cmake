# SPDX-License-Identifier: Apache-2.0
# Compiler options shared by every target: warnings, sanitizers, ccache, a fast linker.
add_library(lapidary_options INTERFACE)
target_compile_options(lapidary_options INTERFACE
    -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:${LAPIDARY_UNITY}>>:-Wshadow> -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
    -ffp-contract=off $<$<CONFIG:Debug>:-O1 -g1 -fno-omit-frame-pointer>)
# Line numbers for profilers and stack traces; what -g writes beside them takes as long again as the
# compilation itself.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
# GCC 12 takes short strings inside precompiled headers for ones that overflow.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(lapidary_options INTERFACE -Wno-array-bounds -Wno-restrict
        -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# Where sources are compiled together, a name at the top of one hides nothing from the next, and GCC
# inlines so much that it loses track of initialization.
if(LAPIDARY_UNITY)
    target_compile_options(lapidary_options INTERFACE -Wno-subobject-linkage)
    if(NOT LAPIDARY_SANITIZE) # those builds say so below
        target_compile_options(lapidary_options INTERFACE -Wno-maybe-uninitialized)
    endif()
endif()
if(LAPIDARY_WERROR)
    target_compile_options(lapidary_options INTERFACE -Werror)
endif()
if(LAPIDARY_SANITIZE)
    target_compile_options(lapidary_options INTERFACE -fsanitize=${LAPIDARY_SANITIZE}
        -fno-sanitize-recover=all)
    target_link_options(lapidary_options INTERFACE -fsanitize=${LAPIDARY_SANITIZE})
    # GCC loses track of initialization through instrumented code, std::regex first of all; its manual
    # says so of -fsanitize. Reads of uninitialized values are found without the sanitizers.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(lapidary_options INTERFACE -Wno-maybe-uninitialized)
    endif()
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    # Without these two ccache declines whatever uses a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
    add_link_options(-fuse-ld=mold)
endif()
