// SPDX-License-Identifier: Apache-2.0
// Shape errors that TensorFlow's import reports, and those that it leaves to the session.
#include "tests/graph_model/check/text_problems.h"

namespace lapidary::imported {
namespace {

using Lines = std::vector<std::string>;

const std::string isFloat = "attr { key: 'T' value { type: DT_FLOAT } } ";

std::string dims(const std::vector<int>& sizes)
{
    std::string text;
    for (const int size : sizes)
        text += "dim { size: " + std::to_string(size) + " } ";
    return text;
}

std::string node(const std::string& name, const std::string& op, const Lines& inputs,
                 const std::string& attrs = isFloat)
{
    std::string text = "node { name: '" + name + "' op: '" + op + "' ";
    for (const std::string& input : inputs)
        text += "input: '" + input + "' ";
    return text + attrs + "}\n";
}

std::string input(const std::string& name, const std::vector<int>& sizes,
                  const std::string& dtype = "DT_FLOAT")
{
    return node(name, "Placeholder", {},
                "attr { key: 'dtype' value { type: " + dtype +
                    " } } attr { key: 'shape' value { shape { " + dims(sizes) + "} } } ");
}

std::string numbers(const std::string& name, const std::vector<int>& values)
{
    std::string text = "attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'value' value { "
                       "tensor { dtype: DT_INT32 tensor_shape { " +
                       dims({int(values.size())}) + "} ";
    for (const int value : values)
        text += "int_val: " + std::to_string(value) + ' ';
    return node(name, "Const", {}, text + "} } } ");
}

std::string outputShapes(const std::string& list)
{
    return isFloat + "attr { key: '_output_shapes' value { " + list + "} } ";
}

std::string unbound(const std::string& attr)
{
    return isFloat + "attr { key: '" + attr + "' value { placeholder: 'p' } } ";
}

const std::string ofTwo = outputShapes("list { shape { " + dims({2}) + "} } ");

} // namespace

TEST_CASE("check: _output_shapes that are held against what import infers", "[check]")
{
    const std::string x = input("x", {3});
    CHECK(found(x + node("n", "Relu", {"x"}, ofTwo)) == Lines{"shape_mismatch at n"});
    for (const std::string list : {"", "list { } "})
        CHECK(found(x + node("n", "Relu", {"x"}, outputShapes(list))) ==
              Lines{"shape_mismatch at n"});
    // The import does not follow values into a loop unless they are the same in every iteration.
    const std::string frame = "attr { key: 'frame_name' value { s: 'f' } } ";
    CHECK(found(x + node("n", "Enter", {"x"}, ofTwo + frame)) ==
          Lines{"shape_mismatch at n (warning)"});
    CHECK(found(x + node("n", "Enter", {"x"},
                         ofTwo + frame + "attr { key: 'is_constant' value { b: true } } ")) ==
          Lines{"shape_mismatch at n"});
    // The import believes declared shapes and continues with them.
    CHECK(found(x + node("e", "Enter", {"x"}, ofTwo + frame) + input("y", {4}) +
                node("n", "Add", {"e", "y"})) ==
          Lines{"shape_mismatch at e (warning)", "shape_mismatch at n"});
    const auto stacked = [](const std::string& list) {
        return found(node("n", "Stack", {},
                          "attr { key: 'elem_type' value { type: DT_FLOAT } } "
                          "attr { key: '_output_shapes' value { list { " +
                              list + "} } } "));
    };
    CHECK(stacked("shape { dim { size: 7 } } ").empty());
    CHECK(stacked("") == Lines{"shape_mismatch at n"});
    CHECK(found(x + node("e", "Enter", {"x"}, isFloat + frame) + node("n", "Relu", {"e"}, ofTwo)) ==
          Lines{"shape_mismatch at n (warning)"});
}

TEST_CASE("check: import looks into functions that are called", "[check]")
{
    const std::string types = "attr { key: 'Tin' value { list { type: DT_FLOAT } } } "
                              "attr { key: 'Tout' value { list { type: DT_FLOAT } } } ";
    const std::string library =
        "library { function { signature { name: 'F' input_arg { name: 'a' type: DT_FLOAT } "
        "output_arg { name: 'r' type: DT_FLOAT } } node_def { name: 'm' op: 'MatMul' input: 'a' "
        "input: 'a' " +
        isFloat + "} ret { key: 'r' value: 'm:product:0' } } }\n";
    const std::string called = types + "attr { key: 'f' value { func { name: 'F' } } } ";
    const std::string x = input("x", {2, 3});
    CHECK(found(x + node("n", "F", {"x"}, "") + library) == Lines{"shape_mismatch at n"});
    CHECK(found(x + node("n", "PartitionedCall", {"x"}, called) + library) ==
          Lines{"shape_mismatch at n"});
    const std::string forbidden =
        "attr { key: '_disable_call_shape_inference' value { b: true } } ";
    CHECK(found(x + node("n", "F", {"x"}, forbidden) + library) ==
          Lines{"shape_mismatch at n (warning)"});
    CHECK(found(x + node("n", "PartitionedCall", {"x"}, called + forbidden) + library) ==
          Lines{"shape_mismatch at n (warning)"});
    CHECK(found(input("y", {3, 3}) +
                node("n", "F", {"y"}, "attr { key: '_output_shapes' value { list { } } } ") +
                library) == Lines{"shape_mismatch at n"});
    CHECK(found(input("x", {3, 3}) + node("n", "F", {"x"}, "") + library).empty());
}

TEST_CASE("check: a missing function hides no other fault of its caller", "[check]")
{
    const std::string attrs =
        "attr { key: 'f' value { func { name: 'Gone' } } } "
        "attr { key: 'output_types' value { list { type: DT_FLOAT } } } "
        "attr { key: 'output_shapes' value { list { shape { unknown_rank: true } } } } "
        "attr { key: 'Targuments' value { list { } } } "
        "attr { key: '_output_shapes' value { list { shape { dim { size: 2 } } } } } ";
    CHECK(found(node("d", "Placeholder", {}, "attr { key: 'dtype' value { type: DT_VARIANT } } ") +
                node("n", "MapDataset", {"d"}, attrs)) ==
          Lines{"missing_function at n", "shape_mismatch at n"});
}

TEST_CASE("check: unbound placeholders are refused where import needs their value", "[check]")
{
    const std::string x = input("x", {3, 3});
    CHECK(found(x + node("n", "Relu", {"x"}, "attr { key: 'T' value { placeholder: 'p' } } ")) ==
          Lines{"wrong_attr_type at n"});
    CHECK(found(x + node("n", "MatMul", {"x", "x"}, unbound("transpose_a"))) ==
          Lines{"wrong_attr_type at n (warning)", "shape_mismatch at n"});
    CHECK(found(node("n", "Const", {},
                     "attr { key: 'dtype' value { type: DT_FLOAT } } "
                     "attr { key: 'value' value { placeholder: 'p' } } ")) ==
          Lines{"wrong_attr_type at n (warning)", "shape_mismatch at n"});
    CHECK(found(x + input("b", {3}) + node("n", "BiasAdd", {"x", "b"}, unbound("data_format"))) ==
          Lines{"wrong_attr_type at n (warning)"});
}

TEST_CASE("check: sizes of which one is open must come out whole", "[check]")
{
    const std::string attrs = isFloat + "attr { key: 'Tshape' value { type: DT_INT32 } } ";
    const auto reshaped = [&](const std::vector<int>& from, const std::vector<int>& to) {
        return found(input("x", from) + numbers("s", to) + node("n", "Reshape", {"x", "s"}, attrs));
    };
    CHECK(reshaped({-1, 10}, {4, 5}).empty());
    CHECK(reshaped({-1, 10}, {-1, 5}).empty());
    CHECK(reshaped({-1, -1, 10}, {4, 6}).empty());
    CHECK(reshaped({-1, 10}, {4, 6}) == Lines{"shape_mismatch at n"});
    CHECK(reshaped({-1, 10}, {}) == Lines{"shape_mismatch at n"});
}

TEST_CASE("check: a loop is entered by one input", "[check]")
{
    const std::string begin =
        input("x", {}) +
        node("e", "Enter", {"x"}, isFloat + "attr { key: 'frame_name' value { s: 'f' } } ") +
        node("a", "NextIteration", {"m"}) + node("b", "NextIteration", {"m"});
    const auto merged = [&](const Lines& inputs) {
        return found(begin + node("m", "Merge", inputs,
                                  isFloat + "attr { key: 'N' value { i: " +
                                      std::to_string(inputs.size()) + " } } "));
    };
    CHECK(merged({"e", "a"}).empty());
    CHECK(merged({"e", "a", "b"}).empty());
    CHECK(merged({"a", "b"}) == Lines{"cycle at m"});
    CHECK(merged({"e", "e", "a"}) == Lines{"cycle at m"});
    CHECK(found(input("x", {}) + node("a", "NextIteration", {"x"}) +
                node("m", "Merge", {"x", "^a"}, isFloat + "attr { key: 'N' value { i: 1 } } ")) ==
          Lines{"cycle at m"});
}

TEST_CASE("check: as many rows as indices are scattered to a TensorArray", "[check]")
{
    const auto scattered = [](int indices) {
        return found(input("h", {2}, "DT_RESOURCE") + input("i", {indices}, "DT_INT32") +
                     input("x", {4, 3}) + input("f", {}) +
                     node("n", "TensorArrayScatterV3", {"h", "i", "x", "f"}));
    };
    CHECK(scattered(4).empty());
    CHECK(scattered(-1).empty());
    CHECK(scattered(5) == Lines{"shape_mismatch at n"});
    const auto gathered = [](const std::vector<int>& element) {
        const std::string dtype = "attr { key: 'dtype' value { type: DT_FLOAT } } ";
        const auto elements = [](const std::vector<int>& sizes) {
            return "attr { key: 'element_shape' value { shape { " + dims(sizes) + "} } } ";
        };
        return found(
            input("s", {}, "DT_INT32") + input("i", {4}, "DT_INT32") +
            node("a", "TensorArrayV3", {"s"}, dtype + elements({3})) +
            node("n", "TensorArrayGatherV3", {"a", "i", "a:1"}, dtype + elements(element)));
    };
    CHECK(gathered({3}).empty());
    CHECK(gathered({-1}).empty());
    CHECK(gathered({2}) == Lines{"shape_mismatch at n"});
}

TEST_CASE("check: windows and masks that are kept in 32 bits", "[check]")
{
    const auto sliced = [](const std::string& mask, bool areStridesKnown) {
        const std::string attrs =
            isFloat +
            "attr { key: 'Index' value { type: DT_INT32 } } attr { key: 'begin_mask' "
            "value { i: " +
            mask + " } } ";
        return found(input("x", {5}) + numbers("b", {0}) +
                     (areStridesKnown ? numbers("s", {1}) : input("s", {1}, "DT_INT32")) +
                     node("n", "StridedSlice", {"x", "b", "b", "s"}, attrs));
    };
    CHECK(sliced("1", true).empty());
    CHECK(sliced("4294967296", true) == Lines{"shape_mismatch at n"});
    CHECK(sliced("4294967296", false).empty()); // TensorFlow does not get that far
    const auto pooled = [](const std::string& size) {
        return found(input("x", {1, 8, 8, 3}) +
                     node("n", "AvgPool", {"x"},
                          isFloat + "attr { key: 'ksize' value { list { i: 1 i: " + size +
                              " i: 2 i: 1 } } } attr { key: 'strides' value { list { i: 1 i: 1 "
                              "i: 1 i: 1 } } } attr { key: 'padding' value { s: 'VALID' } } "));
    };
    CHECK(pooled("2").empty());
    CHECK(pooled("2147483648") == Lines{"wrong_attr_value at n"});
}

TEST_CASE("check: lists and variables that shapes say do not fit", "[check]")
{
    const std::string isElement = "attr { key: 'element_dtype' value { type: DT_FLOAT } } ";
    const auto joined = [&](const std::vector<int>& a, const std::vector<int>& b) {
        return found(input("a", a, "DT_VARIANT") + input("b", b, "DT_VARIANT") +
                     node("n", "TensorListConcatLists", {"a", "b"}, isElement));
    };
    CHECK(joined({2}, {-1}).empty());
    CHECK(joined({2}, {3}) == Lines{"shape_mismatch at n"});
    const auto pushed = [&](int lists, int elements) {
        return found(input("a", {lists}, "DT_VARIANT") + input("b", {elements, 4}) +
                     node("n", "TensorListPushBackBatch", {"a", "b"}, isElement));
    };
    CHECK(pushed(3, 3).empty());
    CHECK(pushed(3, 2) == Lines{"shape_mismatch at n"});
    const std::string limit = "attr { key: 'limit' value { i: 3 } } "
                              "attr { key: 'T' value { type: DT_INT32 } } ";
    CHECK(found(input("v", {}, "DT_RESOURCE") + node("n", "ResourceCountUpTo", {"v"}, limit)) ==
          Lines{"shape_mismatch at n"});
    const auto received = [](int size) {
        return found(node("n", "XlaRecv", {},
                          "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: "
                          "'tensor_name' value { s: 't' } } attr { key: 'shape' value { shape { " +
                              dims({size}) + "} } } "));
    };
    CHECK(received(2).empty());
    CHECK(received(-1) == Lines{"shape_mismatch at n"});
}

} // namespace lapidary::imported
