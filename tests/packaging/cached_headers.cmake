# SPDX-License-Identifier: Apache-2.0
# A header of which only a comment changed is precompiled anew, and not taken from ccache as it was:
# GCC knows a header that it has precompiled by its whole text.
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

foreach(checkout IN ITEMS before after)
    file(MAKE_DIRECTORY ${folder}/${checkout})
    set(ENV{CCACHE_BASEDIR} ${folder}/${checkout})
    file(WRITE ${folder}/${checkout}/shape.h
        "#pragma once\n// The ${checkout} comment.\nstruct Shape { int rank; };\n")
    file(WRITE ${folder}/${checkout}/all.hxx "#include \"shape.h\"\n")
    file(WRITE ${folder}/${checkout}/use.cpp "#include \"shape.h\"\nShape ${checkout};\n")
    compile(${checkout} -x c++-header -MD -MT all.hxx.gch -MF all.d -o all.hxx.gch -c all.hxx)
    compile(${checkout} -include ${folder}/${checkout}/all.hxx -Winvalid-pch
        -MD -MT use.o -MF use.d -o use.o -c use.cpp)
endforeach()

execute_process(COMMAND ${ccache} --print-stats OUTPUT_VARIABLE statistics)
if(NOT statistics MATCHES "(direct_cache_miss|cache_miss)\t[1-9]")
    message(SEND_ERROR "ccache took no part in it:\n${statistics}")
endif()
