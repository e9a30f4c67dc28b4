# SPDX-License-Identifier: Apache-2.0
# Makes the package and looks at what it holds and what it depends on.
find_program(DPKG_DEB dpkg-deb)
find_program(SHLIBDEPS dpkg-shlibdeps)
if(NOT DPKG_DEB OR NOT SHLIBDEPS)
    message("skipped: dpkg-deb and dpkg-shlibdeps are not installed")
    return()
endif()
set(folder ${BUILD}/tests/packaging/deb)
file(REMOVE_RECURSE ${folder})
execute_process(COMMAND ${CMAKE_CPACK_COMMAND} -G DEB -B ${folder}
    --config ${BUILD}/CPackConfig.cmake OUTPUT_VARIABLE log ERROR_VARIABLE log
    RESULT_VARIABLE code)
file(GLOB package ${folder}/lapidary_*.deb)
if(NOT code EQUAL 0 OR NOT package)
    message(FATAL_ERROR "cpack made no package (exit ${code}):\n${log}")
endif()

execute_process(COMMAND ${DPKG_DEB} -f ${package} Depends OUTPUT_VARIABLE depends
    COMMAND_ERROR_IS_FATAL ANY)
foreach(word IN ITEMS libqt6widgets6 libc6 fonts-)
    if(NOT depends MATCHES "${word}")
        message(SEND_ERROR "the package does not depend on ${word}: ${depends}")
    endif()
endforeach()
execute_process(COMMAND ${DPKG_DEB} -c ${package} OUTPUT_VARIABLE content
    COMMAND_ERROR_IS_FATAL ANY)
foreach(file IN ITEMS bin/lapidary lib/lapidary/liblapidary_window.so
        lib/lapidary/tools/label_image lib/lapidary/tools/summarize_graph
        share/applications/${ID}.desktop share/lapidary/samples/residual_network.pb)
    if(NOT content MATCHES " \\./usr/${file}")
        message(SEND_ERROR "the package does not hold ${file}")
    endif()
endforeach()
if(content MATCHES "\\.(h|a)\n")
    message(SEND_ERROR "the package holds files of the build:\n${content}")
endif()
