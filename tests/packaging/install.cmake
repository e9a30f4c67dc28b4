# SPDX-License-Identifier: Apache-2.0
# Installs into a folder of its own and starts what was installed there.
set(prefix ${BUILD}/tests/packaging/installed)
file(REMOVE_RECURSE ${prefix})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

set(files bin/lapidary lib/lapidary/tools/label_image
    lib/lapidary/tools/summarize_graph share/man/man1/lapidary.1
    share/doc/lapidary/copyright share/lapidary/samples/residual_network.pb
    share/lapidary/help/index.md)
if(GUI)
    list(APPEND files lib/lapidary/liblapidary_window.so share/applications/${ID}.desktop share/metainfo/${ID}.metainfo.xml
        share/mime/packages/${ID}.xml share/icons/hicolor/scalable/apps/${ID}.svg
        share/icons/hicolor/48x48/apps/${ID}.png)
endif()
foreach(file IN LISTS files)
    if(NOT EXISTS ${prefix}/${file})
        message(SEND_ERROR "not installed: ${file}")
    endif()
endforeach()

# Runs an installed program and checks its exit code and that its output matches.
function(expect_output pattern)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output
        RESULT_VARIABLE code)
    if(NOT code EQUAL 0 OR NOT output MATCHES "${pattern}")
        message(SEND_ERROR "${ARGN}: exit ${code}, printed\n${output}")
    endif()
endfunction()
string(REPLACE "." "\\." version ${VERSION})
set(sample ${prefix}/share/lapidary/samples/residual_network.pb)
expect_output("${version}" ${prefix}/bin/lapidary --version)
expect_output("images" ${prefix}/bin/lapidary interface ${sample})
expect_output("Found 1 possible inputs"
    ${prefix}/lib/lapidary/tools/summarize_graph --in_graph=${sample})

if(GUI)
    expect_output("" ${prefix}/bin/lapidary render ${sample} -o ${prefix}/picture.png)
    if(NOT EXISTS ${prefix}/picture.png)
        message(SEND_ERROR "render wrote no picture")
    endif()
endif()

# The validators of the desktop, where they are installed.
function(validate tool)
    find_program(${tool}_PROGRAM ${tool})
    if(${tool}_PROGRAM)
        execute_process(COMMAND ${${tool}_PROGRAM} ${ARGN} RESULT_VARIABLE code
            OUTPUT_VARIABLE output ERROR_VARIABLE output)
        if(NOT code EQUAL 0)
            message(SEND_ERROR "${tool} ${ARGN}:\n${output}")
        endif()
    else()
        message(STATUS "${tool} is not installed: not asked")
    endif()
endfunction()
if(GUI)
    validate(desktop-file-validate ${prefix}/share/applications/${ID}.desktop)
    validate(appstreamcli validate --no-net ${prefix}/share/metainfo/${ID}.metainfo.xml)
endif()
