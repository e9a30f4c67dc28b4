# SPDX-License-Identifier: Apache-2.0
# Which ops have a kernel, one LAPIDARY_KERNEL_ROW(Op) a line, sorted by name: read from the rows
# LAPIDARY_KERNEL(Op, ...) of the sources that a file names, one a line.
#     cmake -DSOURCES=kernel_sources.txt -DOUT=kernel_list.inc -P ListKernels.cmake
# A list that stays the same is not written again.
file(STRINGS ${SOURCES} sources)
set(ops "")
foreach(source IN LISTS sources)
    file(STRINGS ${source} rows REGEX "^LAPIDARY_KERNEL\\(")
    foreach(row IN LISTS rows)
        string(REGEX REPLACE "^LAPIDARY_KERNEL\\(([A-Za-z0-9_]+).*" "\\1" op "${row}")
        list(APPEND ops ${op})
    endforeach()
endforeach()
list(SORT ops)
list(TRANSFORM ops REPLACE "(.+)" "LAPIDARY_KERNEL_ROW(\\1)\n")
list(JOIN ops "" rows)
file(CONFIGURE OUTPUT ${OUT} CONTENT "${rows}" @ONLY)
