# Compiler options shared by every target: warnings, sanitizers, ccache, a fast linker.
add_library(lapidary_options INTERFACE)
target_compile_options(lapidary_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
    -ffp-contract=off $<$<CONFIG:Debug>:-O1 -g1 -fno-omit-frame-pointer>)
if(LAPIDARY_WERROR)
    target_compile_options(lapidary_options INTERFACE -Werror)
endif()
if(LAPIDARY_SANITIZE)
    target_compile_options(lapidary_options INTERFACE -fsanitize=${LAPIDARY_SANITIZE}
        -fno-sanitize-recover=all)
    target_link_options(lapidary_options INTERFACE -fsanitize=${LAPIDARY_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
    add_link_options(-fuse-ld=mold)
endif()
