# SPDX-License-Identifier: Apache-2.0
# A precompiled header that ccache gives is that of the headers as they are, although only a comment
# changed, and although an old one lies in its place: GCC knows a file that it has precompiled by its
# whole text, and reads it again if it differs.
if(NOT LAUNCHER MATCHES "ccache" OR NOT GNU)
    message("skipped: this build uses no ccache, or not GCC")
    return()
endif()
separate_arguments(LAUNCHER)
list(GET LAUNCHER -1 ccache)
set(folder ${BUILD}/tests/packaging/cached_headers)
file(REMOVE_RECURSE ${folder})
set(ENV{CCACHE_DIR} ${folder}/cache)
set(ENV{CCACHE_NOHASHDIR} 1)
unset(ENV{CCACHE_DISABLE})

function(compile checkout)
    execute_process(COMMAND ${LAUNCHER} ${COMPILER} -std=c++20 -I${folder}/${checkout} ${ARGN}
        WORKING_DIRECTORY ${folder}/${checkout} RESULT_VARIABLE code ERROR_VARIABLE errors)
    if(code)
        message(SEND_ERROR "${checkout}: ${errors}")
    endif()
endfunction()

# As CMake does: the header that is precompiled includes what the compiler's option names.
function(build checkout text size)
    set(ENV{CCACHE_BASEDIR} ${folder}/${checkout})
    file(WRITE ${folder}/${checkout}/shape.h "#pragma once\n${text}\n")
    file(WRITE ${folder}/${checkout}/all.hxx "#include \"shape.h\"\n")
    file(WRITE ${folder}/${checkout}/all.cxx "")
    file(WRITE ${folder}/${checkout}/use.cpp
        "#include \"shape.h\"\nstatic_assert(sizeof(Shape) == ${size});\nShape ${checkout};\n")
    compile(${checkout} -Winvalid-pch -include ${folder}/${checkout}/all.hxx -x c++-header
        -MD -MT all.hxx.gch -MF all.d -o all.hxx.gch -c all.cxx)
    compile(${checkout} -Winvalid-pch -include ${folder}/${checkout}/all.hxx
        -MD -MT use.o -MF use.d -o use.o -c use.cpp)
endfunction()

foreach(checkout IN ITEMS one another)
    file(MAKE_DIRECTORY ${folder}/${checkout})
    build(${checkout} "struct Shape { int rank; };" 4)
endforeach()
build(one "// A comment.\nstruct Shape { int rank; };" 4)
build(another "// Another comment.\nstruct Shape { int rank; };" 4)
build(one "// Another comment.\nstruct Shape { char rank; };" 1)
build(another "struct Shape { short rank; };" 2)

execute_process(COMMAND ${ccache} --print-stats OUTPUT_VARIABLE statistics)
if(NOT statistics MATCHES "(direct_cache_miss|cache_miss)\t[1-9]")
    message(SEND_ERROR "ccache took no part in it:\n${statistics}")
endif()
