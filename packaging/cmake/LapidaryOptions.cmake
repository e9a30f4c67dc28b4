# SPDX-License-Identifier: Apache-2.0
# Compiler options shared by every target: warnings, sanitizers, ccache, a fast linker.
add_library(lapidary_options INTERFACE)
# -Og compiles in two thirds of the time of -O1, instrumented code in half of it. Some warnings of
# GCC want -O1, which `dev` keeps.
target_compile_options(lapidary_options INTERFACE
    -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:${LAPIDARY_UNITY}>>:-Wshadow> -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
    -ffp-contract=off $<$<CONFIG:Debug>:-O$<IF:$<BOOL:${LAPIDARY_UNITY}>,g,1> -fno-omit-frame-pointer>)
# Lines for the traces of the sanitizers and of `dev`, which one debugs with. The plain build only runs
# tests: without tables it takes a twelfth less time.
if(LAPIDARY_UNITY AND NOT LAPIDARY_SANITIZE)
    target_compile_options(lapidary_options INTERFACE $<$<CONFIG:Debug>:-g0>)
else()
    target_compile_options(lapidary_options INTERFACE $<$<CONFIG:Debug>:-g1>)
endif()
# GCC looks for memory to free from 128 MB on, and spends up to a tenth of its time on it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(lapidary_options INTERFACE
        --param=ggc-min-heapsize=524288) # kB
endif()
# What users run has no debug tables: they take a fifth of the time of a build. RelWithDebInfo has
# line numbers for profilers and stack traces; all of -g would take as long again as the compilation.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
# GCC 12 takes short strings inside precompiled headers for ones that overflow, and GCC 14 copies of
# vectors whose length a condition has just tested. Clang looks for real ones.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(lapidary_options INTERFACE -Wno-array-bounds -Wno-restrict
        -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# Where sources are compiled together, a name at the top of one hides nothing from the next, and GCC
# inlines so much that it loses track of initialization. Clang has neither warning.
if(LAPIDARY_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
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
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/cached_compiler ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
    add_link_options(-fuse-ld=mold)
endif()
