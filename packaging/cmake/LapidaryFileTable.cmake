# SPDX-License-Identifier: Apache-2.0
# Tables whose rows are files. A row stands at the end of its source and is named after it; nothing
# else lists it, and a build notices files that came or went.

# lapidary_camel_case(fold_batch_norms symbol): sets `symbol` to foldBatchNorms.
function(lapidary_camel_case snake result)
    string(REPLACE "_" ";" words ${snake})
    list(POP_FRONT words symbol)
    foreach(word IN LISTS words)
        string(SUBSTRING ${word} 0 1 first)
        string(SUBSTRING ${word} 1 -1 rest)
        string(TOUPPER ${first} first)
        string(APPEND symbol ${first}${rest})
    endforeach()
    set(${result} ${symbol} PARENT_SCOPE)
endfunction()

# lapidary_file_table(target TYPE Pass DEFINED_IN transforms/pass/pass.h FUNCTION allPasses): every
# source of the current folder is compiled into `target` and defines one constant of `TYPE`, declared
# in the namespace that the folder is named after: transforms/passes/rename_op.cpp defines
# passes::renameOp. Declares them in transforms/passes/passes.h of the build folder (or in `HEADER`,
# where other folders include it), and defines allPasses(), which `DEFINED_IN` declares: pointers to all
# of them, sorted by the names of the files.
function(lapidary_file_table target)
    cmake_parse_arguments(ARG "" "TYPE;DEFINED_IN;FUNCTION;HEADER" "" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} [a-z]*.cpp)
    list(SORT sources)
    target_sources(${target} PRIVATE ${sources})
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR}
        OUTPUT_VARIABLE folder)
    cmake_path(GET folder FILENAME namespace)
    set(declarations "")
    set(rows "")
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM stem)
        lapidary_camel_case(${stem} symbol)
        string(APPEND declarations "extern const ${ARG_TYPE} ${symbol};\n")
        string(APPEND rows "    &${namespace}::${symbol},\n")
    endforeach()
    set(header ${folder}/${namespace}.h)
    if(ARG_HEADER)
        set(header ${ARG_HEADER})
    endif()
    set(generated ${PROJECT_BINARY_DIR}/generated)
    set(templates ${PROJECT_SOURCE_DIR}/packaging/cmake)
    configure_file(${templates}/file_table.h.in ${generated}/${header} @ONLY)
    configure_file(${templates}/file_table.cpp.in ${generated}/${folder}/${namespace}_table.cpp @ONLY)
    target_include_directories(${target} PRIVATE ${generated})
    target_sources(${target} PRIVATE ${generated}/${folder}/${namespace}_table.cpp)
endfunction()
