# SPDX-License-Identifier: Apache-2.0
# ctest -R readme: every command of README.md does what it is there for, on a bundled sample, a
# recorded SavedModel and a picture.
set(folder ${BUILD}/tests/packaging/readme)
set(recorded ${ROOT}/tests/goldens/goldens)
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})
configure_file(${BUILD}/share/lapidary/samples/residual_network.pb ${folder}/sample.pb COPYONLY)
configure_file(${recorded}/label_image/images/circle.jpg ${folder}/cat.jpg COPYONLY)
file(COPY ${recorded}/formats/saved_models/single DESTINATION ${folder})
file(RENAME ${folder}/single ${folder}/saved_model)

file(STRINGS ${ROOT}/README.md lines REGEX "^    lapidary ")
list(LENGTH lines count)
if(count LESS 5)
    message(SEND_ERROR "README.md: only ${count} commands of lapidary found")
endif()
foreach(line IN LISTS lines)
    # `freeze` makes a model.pb of its own; the names of the others are the sample's.
    file(COPY_FILE ${folder}/sample.pb ${folder}/model.pb)
    string(REGEX REPLACE " +#.*" "" line "${line}")
    string(REPLACE "input=" "images=" command "${line}")
    string(REPLACE "softmax" "head/predictions" command "${command}")
    separate_arguments(words UNIX_COMMAND "${command}")
    list(POP_FRONT words)
    list(GET words 0 verb)
    execute_process(COMMAND ${BUILD}/bin/lapidary ${words} WORKING_DIRECTORY ${folder}
        OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE code)
    set(expected 0)
    if(verb STREQUAL "diff")
        set(expected 1) # the two differ
    endif()
    if(NOT code STREQUAL expected OR "${out}${err}" STREQUAL "")
        message(SEND_ERROR "${line}\nexit ${code}, expected ${expected}:\n${out}${err}")
    endif()
endforeach()
