# SPDX-License-Identifier: Apache-2.0
# cmake -DTOOL=measure_structure -DSCRATCH=FOLDER -P planted_faults.cmake: writes small trees with one
# fault each and expects the check to name it, and to pass the trees that look alike without it.

# Writes a header and its folders. A list in CMake swallows semicolons, so that `$` stands for one.
function(plant tree path text)
    string(REPLACE "$" ";" text "${text}")
    file(WRITE "${SCRATCH}/${tree}/${path}" "// SPDX-License-Identifier: Apache-2.0\n${text}\n")
endfunction()

# Expects the check of a tree to fail with each of the texts, or to pass where there are none.
function(expect tree)
    execute_process(COMMAND ${TOOL} ${SCRATCH}/${tree} --check
        RESULT_VARIABLE result OUTPUT_VARIABLE output)
    if(ARGN STREQUAL "")
        if(NOT result EQUAL 0)
            message(SEND_ERROR "${tree} has no fault, but the check says:\n${output}")
        endif()
        return()
    endif()
    if(NOT result EQUAL 1)
        message(SEND_ERROR "the check of ${tree} ended with ${result}, not with 1:\n${output}")
    endif()
    foreach(text IN LISTS ARGN)
        string(FIND "${output}" "${text}" at)
        if(at EQUAL -1)
            message(SEND_ERROR "the check of ${tree} does not say \"${text}\":\n${output}")
        endif()
    endforeach()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})

# Three folders that include each other around a third; a fourth only looks at them.
plant(circle graph_model/a/a.h "#include \"graph_model/b/b.h\"")
plant(circle graph_model/b/b.h "#include \"graph_model/c/c.h\"")
plant(circle graph_model/c/c.h "#include \"graph_model/a/a.h\"")
plant(circle graph_model/d/d.h "#include \"graph_model/a/a.h\"")
expect(circle "include each other: graph_model/a graph_model/b graph_model/c\n"
    "graph_model/c/c.h -> graph_model/a/a.h")
plant(no_circle graph_model/a/a.h "#include \"graph_model/b/b.h\"")
plant(no_circle graph_model/b/b.h "#include \"graph_model/c/c.h\"")
plant(no_circle graph_model/c/c.h "#include \"graph_model/c/other.h\"")
expect(no_circle)

# An enumeration and a class of one full name; one file is a source with a named namespace.
plant(enums runner/a/a.h "namespace lapidary {\nenum class Side : int { Left, Right }$\n}")
plant(enums views/b/b.h "namespace lapidary {\nenum class Side { Up, Down }$\n}")
expect(enums "lapidary::Side is defined in several files" "runner/a/a.h" "views/b/b.h")
plant(classes runner/a/a.cpp "namespace lapidary::inner {\nclass Reader final {\n}$\n}")
plant(classes app/b/b.h "namespace lapidary {\nnamespace inner {\nstruct Reader : Base {\n}$\n}\n}")
expect(classes "lapidary::inner::Reader is defined in several files" "runner/a/a.cpp" "app/b/b.h")
plant(nested runner/a/a.h "namespace lapidary {\nclass Outer {\nclass Part$\n}$\n}")
plant(nested runner/a/a.cpp "namespace lapidary {\nclass Outer::Part {\n}$\n}")
plant(nested runner/b/b.cpp "namespace lapidary {\nclass Outer::Part {\n}$\n}")
expect(nested "lapidary::Outer::Part is defined in several files" "runner/b/b.cpp")

# Names that differ in a namespace or an outer class, anonymous namespaces, declarations,
# specializations of a template and classes of functions share nothing.
plant(alike runner/a/a.h "namespace lapidary {\nclass Reader {\nstruct Part {}$\n}$\n}")
plant(alike runner/a/b.h "namespace lapidary {\nclass Writer {\nstruct Part {}$\n}$\nclass Reader$\n}")
plant(alike runner/a/c.h "namespace lapidary::inner {\nclass Reader {\n}$\n}")
plant(alike runner/a/d.cpp "namespace lapidary {\nnamespace {\nclass Reader {\n}$\n}\n}")
plant(alike runner/a/e.cpp "namespace lapidary {\nvoid f()\n{\nstruct Reader {\n}$\n}\n}")
plant(alike runner/a/f.h "template <>\nstruct std::hash<int> {\n}$")
plant(alike runner/a/g.h "template <>\nstruct std::hash<char> {\n}$")
plant(alike runner/a/h.cpp "namespace lapidary {\n// class Reader {\nconst char* s = \"class Reader {\"$\n}")
expect(alike)

# One public function too many; private ones do not count.
set(functions "")
foreach(i RANGE 1 30)
    string(APPEND functions "void f${i}()$\n")
endforeach()
plant(large app/a/a.h "class Large {\npublic:\n${functions}void last()$\n}$")
expect(large "Large (app/a/a.h) has 31 public functions, more than 30")
plant(small app/a/a.h "class Large {\npublic:\n${functions}private:\nvoid last()$\n}$")
expect(small)

# One line too many.
string(REPEAT "\n" 499 lines)
plant(long app/a/a.h "${lines}")
expect(long "app/a/a.h has 501 lines, more than 500")

# A list of ops outside of the book; the book may have one.
file(WRITE ${SCRATCH}/ops/resources/ops/ops.tsv "Add\t\nMul\t\nRelu\t\nTanh\t\n")
plant(ops graph_model/ops/op_traits.cpp "const char* ops[] = {\"Add\", \"Mul\", \"Relu\", \"Tanh\"}$")
expect(ops)
plant(ops runner/a/a.cpp "const char* ops[] = {\"Add\", \"Mul\", \"Relu\", \"Tanh\"}$")
expect(ops "runner/a/a.cpp lists names of ops")
