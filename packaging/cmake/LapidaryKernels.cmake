# SPDX-License-Identifier: Apache-2.0
# lapidary_kernels(file Op Op ... file Op ...): the sources of a folder of kernels, without .cpp,
# each followed by the ops whose LAPIDARY_KERNEL rows it holds. File names begin with a small letter,
# ops with a capital one or an underscore. Nothing else needs to know of a kernel.
function(lapidary_kernels)
    foreach(word IN LISTS ARGN)
        if(word MATCHES "^[a-z]")
            target_sources(kernels PRIVATE ${word}.cpp)
        else()
            set_property(GLOBAL APPEND PROPERTY LAPIDARY_KERNELS ${word})
        endif()
    endforeach()
endfunction()

# Writes all ops named above to `file`, one LAPIDARY_KERNEL_ROW(Op) a line, sorted by name.
function(lapidary_kernel_list file)
    get_property(ops GLOBAL PROPERTY LAPIDARY_KERNELS)
    list(SORT ops)
    list(TRANSFORM ops REPLACE "(.+)" "LAPIDARY_KERNEL_ROW(\\1)\n")
    list(JOIN ops "" rows)
    file(CONFIGURE OUTPUT ${file} CONTENT "${rows}" @ONLY)
endfunction()
