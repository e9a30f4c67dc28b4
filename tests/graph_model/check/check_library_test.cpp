// SPDX-License-Identifier: Apache-2.0
#include "tests/graph_model/check/text_problems.h"

using namespace lapidary;

namespace {

using Lines = std::vector<std::string>;

const std::string floatAttr = R"( attr { key: "T" value { type: DT_FLOAT } } )";

std::string identity(const std::string& name, const std::string& input)
{
    return "node_def { name: '" + name + "' op: 'Identity' input: '" + input + "'" + floatAttr +
           "}";
}

// A function (a: float) -> (r: float).
std::string function(const std::string& name, const std::string& body, const std::string& returned)
{
    return "library { function { signature { name: '" + name +
           "' input_arg { name: 'a' type: DT_FLOAT } output_arg { name: 'r' type: DT_FLOAT } } " +
           body + (returned.empty() ? "" : " ret { key: 'r' value: '" + returned + "' }") +
           " } }\n";
}

std::string sound(const std::string& name)
{
    return function(name, identity("i", "a"), "i:output:0");
}

std::string call(const std::string& name, const std::string& op, const std::string& inputs)
{
    return "node { name: '" + name + "' op: '" + op + "' " + inputs + " }\n";
}

const std::string input = R"(node { name: "x" op: "Placeholder"
    attr { key: "dtype" value { type: DT_FLOAT } } }
)";

} // namespace

TEST_CASE("check: functions that are called as they should be", "[check]")
{
    CHECK(found(input + call("c", "F", "input: 'x'") + call("d", "F", "input: 'c:0'") + sound("F"))
              .empty());
    CHECK(found(function("G", "", "a")).empty()); // returns its argument
}

TEST_CASE("check: calls of functions", "[check]")
{
    CHECK(found(input + call("c", "F", "input: 'x' input: 'x'") + sound("F")) ==
          Lines{"input_count at c"});
    CHECK(found(input + call("c", "F", "input: 'x'") + call("d", "F", "input: 'c:1'") +
                sound("F")) == Lines{"bad_port at d"});
    CHECK(found(input + call("c", "G", "input: 'x'") + sound("F")) ==
          Lines{"unknown_op at c", "missing_function at c"});
    CHECK(found(input +
                call("p", "PartitionedCall",
                     "input: 'x' attr { key: 'f' value { func { name: 'Gone' } } } "
                     "attr { key: 'Tin' value { list { type: DT_FLOAT } } } "
                     "attr { key: 'Tout' value { list { type: DT_FLOAT } } }") +
                sound("F")) == Lines{"missing_function at p"});
}

TEST_CASE("check: what functions take and give is what their callers say", "[check]")
{
    const auto types = [](const std::string& name, const std::string& list) {
        return "attr { key: '" + name + "' value { list { " + list + " } } } ";
    };
    const auto calls = [](const std::string& name) {
        return "attr { key: '" + name + "' value { func { name: 'F' } } } ";
    };
    const std::string isFloat = "type: DT_FLOAT";
    const std::string isInt = "type: DT_INT32";
    const std::string whole = "node { name: 'n' op: 'Placeholder' attr { key: 'dtype' value { "
                              "type: DT_INT32 } } }\n";
    const auto called = [&](const std::string& input, const std::string& in,
                            const std::string& out) {
        return found(
            ::input + whole +
            call("p", "PartitionedCall",
                 "input: '" + input + "' " + calls("f") + types("Tin", in) + types("Tout", out)) +
            sound("F"));
    };
    CHECK(called("x", isFloat, isFloat).empty());
    CHECK(called("n", isInt, isFloat) == Lines{"dtype_mismatch at p"});
    CHECK(called("x", isFloat, isInt) == Lines{"dtype_mismatch at p"});
    CHECK(called("x", isFloat, isFloat + " " + isFloat) == Lines{"dtype_mismatch at p"});
    const auto branches = [&](const std::string& in) {
        return found(::input + whole +
                     call("p", "If",
                          "input: 'n' input: '" + std::string(in == isInt ? "n" : "x") + "' " +
                              calls("then_branch") + calls("else_branch") + types("Tin", in) +
                              types("Tout", isFloat) +
                              "attr { key: 'Tcond' value { type: DT_INT32 } }") +
                     sound("F"));
    };
    CHECK(branches(isFloat).empty()); // the condition is not an argument
    CHECK(branches(isInt) == Lines{"dtype_mismatch at p", "dtype_mismatch at p"});
    const auto loop = [&](const std::string& type) {
        return found(::input + whole +
                     call("p", "While",
                          "input: '" + std::string(type == isInt ? "n" : "x") + "' " +
                              calls("cond") + calls("body") + types("T", type)) +
                     sound("F"));
    };
    CHECK(loop(isFloat).empty());
    CHECK(loop(isInt).size() == 3); // the types of what both take, and of the body's results
}

TEST_CASE("check: bodies of functions", "[check]")
{
    CHECK(found(function("F", identity("i", "gone"), "i:output:0")) ==
          Lines{"dangling_input at F/i"});
    CHECK(found(function("F", identity("i", "a") + identity("i", "a"), "i:output:0")) ==
          Lines{"duplicate_node at F/i"});
    CHECK(found(function("F", identity("i", "a") + identity("j", "i:output:1"), "j:output:0")) ==
          Lines{"bad_port at F/j"});
    CHECK(found(function("F", identity("i", "a") + identity("j", "i:other:0"), "j:output:0")) ==
          Lines{"bad_port at F/j"});
    CHECK(found(function("F", identity("i", "r"), "i:output:0")) == Lines{"dangling_input at F/i"});
}

TEST_CASE("check: results of functions", "[check]")
{
    CHECK(found(function("F", identity("i", "a"), "gone:output:0")) == Lines{"dangling_ret at F"});
    CHECK(found(function("F", identity("i", "a"), "i:output:3")) == Lines{"dangling_ret at F"});
    CHECK(found(function("F", identity("i", "a"), "")) == Lines{"dangling_ret at F"});
    CHECK(found(function("F", identity("i", "a") + " ret { key: 'extra' value: 'i:output:0' }",
                         "i:output:0")) == Lines{"dangling_ret at F (warning)"});
}

TEST_CASE("check: what a call binds in the body of a function", "[check]")
{
    const auto bound = [](const std::string& attr) {
        return found(function("F", "node_def { name: 'i' op: 'Identity' input: 'a' " + attr + "}",
                              "i:output:0"));
    };
    CHECK(bound(floatAttr).empty());
    CHECK(bound(floatAttr + "attr { key: '_x' value { } } ") == Lines{"wrong_attr_type at F/i"});
    CHECK(bound(floatAttr + "attr { key: '_x' value { placeholder: 'S' } } ") ==
          Lines{"wrong_attr_type at F/i"});
    const auto reading = [](const std::string& name) {
        return found(function("F", identity("i", name), "i:output:0"));
    };
    CHECK(reading("a").empty());
    CHECK(reading("a:0").empty());
    CHECK(reading("a:1") == Lines{"bad_port at F/i"});
    CHECK(reading("a:00") == Lines{"bad_port at F/i"});
    CHECK(reading("a' input: '^a:0").empty());
    CHECK(reading("a' input: '^a:1") == Lines{"bad_port at F/i"});
}

TEST_CASE("check: names of functions and gradients", "[check]")
{
    CHECK(found(sound("F") + sound("F")) == Lines{"duplicate_function at F (warning)"});
    CHECK(found(sound("F") + function("F", "", "a")) == Lines{"duplicate_function at F"});
    CHECK(found(sound("Relu")) == Lines{"duplicate_function at Relu"});
    CHECK(found(sound("")) == Lines{"bad_name at library function 0 (warning)"});
    const auto gradient = [](const std::string& of, const std::string& is) {
        return "library { gradient { function_name: '" + of + "' gradient_func: '" + is + "' } }\n";
    };
    CHECK(found(sound("F") + gradient("F", "Gone")) == Lines{"missing_function at F"});
    CHECK(found(sound("F") + gradient("Gone", "F")) == Lines{"missing_function at Gone"});
    CHECK(found(sound("F") + gradient("F", "F")).empty());
}

TEST_CASE("check: functions that call each other", "[check]")
{
    const auto calling = [](const std::string& name, const std::string& called) {
        return function(name, "node_def { name: 'c' op: '" + called + "' input: 'a' }", "c:r:0");
    };
    CHECK(found(calling("F", "F")) == Lines{"recursive_function at F/c"});
    CHECK(found(calling("F", "G") + calling("G", "F")) ==
          Lines{"recursive_function at F/c", "recursive_function at G/c"});
    std::string chain;
    for (int i = 0; i < 500; ++i)
        chain += calling("F" + std::to_string(i), "F" + std::to_string(i + 1));
    CHECK(found(chain + sound("F500")).empty());
}

TEST_CASE("check: inputs and results of a function are named and typed as its nodes are", "[check]")
{
    const auto withBody = [](const std::string& body, const std::string& returned) {
        return found(input + call("c", "F", "input: 'x'") + function("F", body, returned));
    };
    CHECK(withBody(identity("i", "a:0"), "i:output:0").empty());
    CHECK(withBody(identity("i", "a:output"), "i:output:0") == Lines{"bad_port at F/i"});
    CHECK(withBody(identity("i", "a") + identity("j", "i:0"), "j:output:0") ==
          Lines{"bad_port at F/j"});
    CHECK(withBody(identity("i", "a"), "i") == Lines{"dangling_ret at F"});
    const std::string cast = "node_def { name: 'i' op: 'Cast' input: 'a' "
                             "attr { key: 'SrcT' value { type: DT_FLOAT } } "
                             "attr { key: 'DstT' value { type: DT_INT32 } } }";
    CHECK(withBody(cast, "i:y:0") == Lines{"dtype_mismatch at F"});
    CHECK(withBody(cast + identity("j", "i:y:0"), "j:output:0") == Lines{"dtype_mismatch at F/j"});
    const std::string wrong = "node_def { name: 'i' op: 'Cast' input: 'a' "
                              "attr { key: 'SrcT' value { type: DT_INT32 } } "
                              "attr { key: 'DstT' value { type: DT_FLOAT } } }";
    CHECK(withBody(wrong, "i:y:0") == Lines{"dtype_mismatch at F/i"});
}
