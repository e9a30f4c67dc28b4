# SPDX-License-Identifier: Apache-2.0
# lapidary_camel_case(fold_batch_norms symbol): sets `symbol` to foldBatchNorms. For lists from which
# declarations and tables are made.
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
