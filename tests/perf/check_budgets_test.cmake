# SPDX-License-Identifier: Apache-2.0
# ctest -R check_budgets: figures within and over their budgets, on machines of two speeds.
set(folder ${BUILD}/tests/perf/check_budgets)
file(REMOVE_RECURSE ${folder})
file(WRITE ${folder}/recorded "yardstick\t100\nload\t50\nload\t40\nfind\t10\n")
file(WRITE ${folder}/slower "yardstick\t200\nload\t82\nfind\t24\nnew\t1\n")
file(WRITE ${folder}/worse "yardstick\t100\nload\t51\nfind\t10\n")
file(WRITE ${folder}/missing "yardstick\t100\nload\t40\n")

function(expect code text)
    execute_process(COMMAND ${ROOT}/tests/perf/check_budgets ${ARGN}
        OUTPUT_VARIABLE out ERROR_VARIABLE out RESULT_VARIABLE got)
    if(NOT got EQUAL ${code} OR NOT out MATCHES "${text}")
        message(SEND_ERROR "check_budgets ${ARGN}: exit ${got}, expected ${code} and \"${text}\":\n${out}")
    endif()
endfunction()

expect(1 "no such file" ${folder}/recorded ${folder}/budgets.tsv)
expect(0 "2 budgets" --record ${folder}/recorded ${folder}/budgets.tsv)
expect(0 "all within budget" ${folder}/recorded ${folder}/budgets.tsv)
expect(0 "new .*no budget" ${folder}/slower ${folder}/budgets.tsv)
expect(1 "load .*OVER" ${folder}/worse ${folder}/budgets.tsv)
expect(1 "find: not measured" ${folder}/missing ${folder}/budgets.tsv)
# A second processor's figures: what is slower there counts, what is faster does not.
expect(0 "2 budgets" --widen ${folder}/worse ${folder}/budgets.tsv)
expect(0 "load +0.51 +budget +0.51.*all within budget" ${folder}/worse ${folder}/budgets.tsv)
expect(0 "find +0.1 +budget +0.1 " ${folder}/recorded ${folder}/budgets.tsv)

if(NOT EXISTS ${ROOT}/tests/perf/budgets.tsv)
    message(SEND_ERROR "tests/perf/budgets.tsv: not there, so that no benchmark has a budget")
endif()
