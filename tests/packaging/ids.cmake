# SPDX-License-Identifier: Apache-2.0
# The .desktop file, the metainfo with its launchable, the icon, the MIME types and the window's
# desktop file name are tied together by one id; no validator notices where one of them differs.
set(linux ${ROOT}/packaging/linux)
set(bad "")

macro(expect_file path)
    if(NOT EXISTS ${path})
        list(APPEND bad "no such file: ${path}")
    endif()
endmacro()
macro(expect_text path text)
    file(READ ${path} content)
    string(FIND "${content}" "${text}" at)
    if(at EQUAL -1)
        list(APPEND bad "${path} does not say ${text}")
    endif()
endmacro()

expect_file(${linux}/${ID}.desktop)
expect_file(${linux}/${ID}.metainfo.xml.in)
expect_file(${linux}/${ID}.xml)
expect_file(${ROOT}/resources/icons/${ID}.svg)
expect_text(${linux}/${ID}.desktop "Icon=${ID}\n")
expect_text(${linux}/${ID}.metainfo.xml.in "<id>${ID}</id>")
expect_text(${linux}/${ID}.metainfo.xml.in
    "<launchable type=\"desktop-id\">${ID}.desktop</launchable>")

# Every MIME type that the .desktop file names is declared, and claimed by the metainfo.
file(STRINGS ${linux}/${ID}.desktop line REGEX "^MimeType=")
string(REPLACE "MimeType=" "" types "${line}")
string(REPLACE "\\;" ";" types "${types}")
foreach(type IN LISTS types)
    if(type)
        expect_text(${linux}/${ID}.xml "<mime-type type=\"${type}\">")
        expect_text(${linux}/${ID}.metainfo.xml.in "<mediatype>${type}</mediatype>")
    endif()
endforeach()

# Whoever names the desktop file in the sources names this one.
file(GLOB_RECURSE sources ${ROOT}/app/*.cpp)
set(named FALSE)
foreach(source IN LISTS sources)
    file(STRINGS ${source} lines REGEX "setDesktopFileName")
    foreach(line IN LISTS lines)
        set(named TRUE)
        if(NOT line MATCHES "\"${ID}\"" AND NOT line MATCHES "LAPIDARY_ID")
            list(APPEND bad "${source}: ${line}")
        endif()
    endforeach()
endforeach()
if(NOT named)
    list(APPEND bad "app: nothing calls setDesktopFileName")
endif()

if(bad)
    list(JOIN bad "\n  " text)
    message(FATAL_ERROR "ids:\n  ${text}")
endif()
