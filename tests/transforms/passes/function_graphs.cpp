// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/passes/function_graphs.h"

#include "graph_model/read/model_file.h"
#include "tests/catch.h"

#include <algorithm>

namespace lapidary {
namespace {

std::string trimmed(std::string text)
{
    text.erase(0, text.find_first_not_of(' '));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::vector<std::string> splitAt(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.push_back(trimmed(text.substr(start, end - start)));
        start = end + 1;
    }
    return parts;
}

std::string argument(const std::string& text)
{
    const auto parts = splitAt(text, ':');
    return "{ name: '" + parts[0] + "' type: " + (parts.size() > 1 ? parts[1] : "DT_FLOAT") + " } ";
}

// "name = Op(inputs) attr={value} other={value}"
std::string node(const std::string& line)
{
    const std::size_t equals = line.find(" = ");
    const std::size_t open = line.find('(');
    const std::size_t close = line.find(')', open);
    std::string text = "{ name: '" + line.substr(0, equals) + "' op: '" +
                       line.substr(equals + 3, open - equals - 3) + "' ";
    for (const std::string& input : splitAt(line.substr(open + 1, close - open - 1), ','))
        text += "input: '" + input + "' ";
    std::size_t at = close + 1;
    while ((at = line.find_first_not_of(' ', at)) != std::string::npos) {
        const std::size_t value = line.find('=', at);
        std::size_t end = value + 1;
        int depth = 0;
        do {
            depth += line[end] == '{' ? 1 : line[end] == '}' ? -1 : 0;
            ++end;
        } while (depth > 0);
        text += "attr { key: '" + line.substr(at, value - at) + "' value " +
                line.substr(value + 1, end - value - 1) + " } ";
        at = end;
    }
    return text + "} ";
}

std::string function(const FunctionSketch& sketch)
{
    std::string text = "function { signature { name: '" + sketch.name + "' ";
    for (const std::string& arg : sketch.arguments)
        text += "input_arg " + argument(arg);
    for (const std::string& result : sketch.results)
        text += "output_arg " + argument(splitAt(result, '=')[0]);
    for (const std::string& name : sketch.controlResults)
        text += "control_output: '" + name + "' ";
    text += "} ";
    for (const std::string& line : sketch.nodes)
        text += "node_def " + node(line);
    for (const std::string& result : sketch.results) {
        const auto sides = splitAt(result, '=');
        text += "ret { key: '" + splitAt(sides[0], ':')[0] + "' value: '" + sides[1] + "' } ";
    }
    for (const std::string& name : sketch.controlResults)
        text += "control_ret { key: '" + name + "' value: '" + name + "' } ";
    return text + "} ";
}

std::string types(int count)
{
    std::string text = "{ list { ";
    for (int i = 0; i < count; ++i)
        text += "type: DT_FLOAT ";
    return text + "} }";
}

} // namespace

FunctionSketch unarySketch(const std::string& name, const std::string& op)
{
    return {.name = name,
            .arguments = {"a"},
            .results = {"y = r:y:0"},
            .nodes = {"r = " + op + "(a)" + floatT},
            .controlResults = {}};
}

GraphPtr graphWith(const std::vector<FunctionSketch>& functions,
                   const std::vector<std::string>& nodes)
{
    std::string text;
    for (const std::string& line : nodes)
        text += "node " + node(line);
    text += "library { ";
    for (const FunctionSketch& sketch : functions)
        text += function(sketch);
    text += "} versions { producer: 134 }";
    const auto model = readModelBytes(text, "test.pbtxt", Job());
    REQUIRE(model.ok());
    REQUIRE(model->graphs.size() == 1);
    return model->graphs.front().graph;
}

std::string callOf(const std::string& function, int inputs, int outputs)
{
    return " f={ func { name: '" + function + "' } } Tin=" + types(inputs) +
           " Tout=" + types(outputs);
}

std::string floatConstant(float value)
{
    return " dtype={ type: DT_FLOAT } value={ tensor { dtype: DT_FLOAT tensor_shape { } "
           "float_val: " +
           std::to_string(value) + " } }";
}

} // namespace lapidary
