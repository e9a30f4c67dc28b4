# SPDX-License-Identifier: Apache-2.0
# One layer of the house: a static library whose headers are checked to compile alone.
#   lapidary_layer(name PRECOMPILED header, or the layer that has it
#       USES other_layer ... LIBRARIES private libraries ...
#       FOLDERS those whose headers belong to it; all of the current one where none is named)
function(lapidary_layer name)
    cmake_parse_arguments(ARG "" "PRECOMPILED" "USES;LIBRARIES;FOLDERS" ${ARGN})
    add_library(${name} STATIC)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
    set(patterns ${ARG_FOLDERS})
    list(TRANSFORM patterns REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*.h")
    if(NOT patterns)
        set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
    endif()
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${patterns})
    target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
    set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
    target_compile_features(${name} PUBLIC cxx_std_20)
    target_link_libraries(${name} PUBLIC ${ARG_USES} PRIVATE lapidary_options ${ARG_LIBRARIES})
    lapidary_precompile(${name} ${ARG_PRECOMPILED})
    lapidary_unity(${name})
endfunction()
