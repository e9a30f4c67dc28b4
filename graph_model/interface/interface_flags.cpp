// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/interface_flags.h"

#include "graph_model/base/text.h"

#include <algorithm>
#include <charconv>

namespace lapidary {
namespace {

template <class Item, class Text>
std::string joined(const std::vector<Item>& items, std::string_view separator, Text text)
{
    std::string out;
    for (std::size_t i = 0; i < items.size(); ++i)
        out += (i > 0 ? std::string(separator) : std::string()) + text(items[i]);
    return out;
}

bool isPlainWord(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               std::string_view("_-./:,=+@%").find(char(c)) != std::string_view::npos;
    });
}

std::string shellWord(const std::string& text)
{
    if (isPlainWord(text))
        return text;
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string flag(const std::string& name, const std::string& value)
{
    return "--" + name + "=" + shellWord(value);
}

std::string names(const std::vector<ChosenTensor>& tensors)
{
    return joined(tensors, ",", [](const ChosenTensor& t) { return tensorAsFlag(t.tensor); });
}

// Returns sizes separated by commas, as benchmark_model reads them. Unknown sizes are -1, as in the
// original's own suggestion; a scalar is an empty word.
std::string benchmarkShape(const Shape& shape)
{
    return joined(shape.dims, ",", [](std::int64_t dim) { return std::to_string(dim); });
}

std::string transformGraph(const InterfaceChoice& choice, const std::string& path)
{
    return flag("in_graph", path) + " " + flag("out_graph", "out.pb") + " " +
           flag("inputs", names(choice.inputs)) + " " + flag("outputs", names(choice.outputs));
}

std::string benchmarkModel(const InterfaceChoice& choice, const std::string& path)
{
    const auto dtype = [](const ChosenTensor& t) { return dtypeName(withoutReference(t.dtype)); };
    const auto shape = [](const ChosenTensor& t) { return benchmarkShape(t.shape); };
    return flag("graph", path) + " " + flag("input_layer", names(choice.inputs)) + " " +
           flag("input_layer_type", joined(choice.inputs, ",", dtype)) + " " +
           flag("input_layer_shape", joined(choice.inputs, ":", shape)) + " " +
           flag("output_layer", names(choice.outputs));
}

std::string freezeGraph(const InterfaceChoice& choice, const std::string& path)
{
    const auto node = [](const ChosenTensor& t) { return t.tensor.substr(0, t.tensor.rfind(':')); };
    return flag("input_graph", path) + " --input_binary=true " +
           flag("input_checkpoint", "model.ckpt") + " " + flag("output_graph", "frozen.pb") + " " +
           flag("output_node_names", joined(choice.outputs, ",", node));
}

std::string pythonText(std::string_view text)
{
    static constexpr std::string_view hex = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (byte < 0x20)
            out += std::string("\\x") + hex[byte >> 4] + hex[byte & 15];
        else
            out += c;
    }
    return out + "\"";
}

std::string pythonTensor(const ChosenTensor& t)
{
    std::string shape = "None";
    if (!t.shape.unknownRank) {
        shape = "[" +
                joined(t.shape.dims, ", ",
                       [](std::int64_t dim) {
                           return dim < 0 ? std::string("None") : std::to_string(dim);
                       }) +
                "]";
    }
    return "    " + pythonText(t.tensor) + ",  # " + dtypeName(withoutReference(t.dtype)) + " " +
           shape + "\n";
}

std::string python(const InterfaceChoice& choice)
{
    return "inputs = [\n" + joined(choice.inputs, "", pythonTensor) + "]\noutputs = [\n" +
           joined(choice.outputs, "", pythonTensor) + "]\n";
}

// Replaces all usual separators by commas.
std::string withCommas(std::string_view text)
{
    static constexpr std::string_view times = "\xC3\x97";
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, times.size()) == times) {
            out += ',';
            ++i;
        } else {
            out += text[i] == 'x' || text[i] == 'X' || text[i] == '*' ? ',' : text[i];
        }
    }
    return out;
}

Result<std::int64_t> parseSize(std::string_view word)
{
    if (word == "?" || word == "-1" || word == "None")
        return std::int64_t(-1);
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
    if (error != std::errc() || end != word.data() + word.size() || size < 0)
        return Error{ErrorCode::InvalidArgument,
                     "\"" + std::string(word) +
                         "\" is not a size; write a number, or ? if unknown"};
    return size;
}

} // namespace

std::string tensorAsFlag(std::string_view tensor)
{
    return std::string(tensor.ends_with(":0") ? tensor.substr(0, tensor.size() - 2) : tensor);
}

std::vector<std::string> tensorsAsFlags(const std::vector<ChosenTensor>& tensors)
{
    std::vector<std::string> flags;
    for (const ChosenTensor& tensor : tensors)
        flags.push_back(tensorAsFlag(tensor.tensor));
    return flags;
}

std::string interfaceFlags(const InterfaceChoice& choice, FlagStyle style, std::string_view path)
{
    switch (style) {
    case FlagStyle::TransformGraph: return transformGraph(choice, std::string(path));
    case FlagStyle::BenchmarkModel: return benchmarkModel(choice, std::string(path));
    case FlagStyle::FreezeGraph: return freezeGraph(choice, std::string(path));
    case FlagStyle::Python: return python(choice);
    }
    return {};
}

Result<Shape> parseShape(std::string_view text)
{
    text = trimmed(text);
    if (text == "unknown" || text == "<unknown>" || text.empty())
        return Shape{.dims = {}, .unknownRank = true};
    if (text == "scalar")
        return Shape{};
    if ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')'))
        text = trimmed(text.substr(1, text.size() - 2));
    Shape shape;
    std::string rest = withCommas(text);
    if (rest.ends_with(','))
        rest.pop_back(); // a Python tuple with one element
    for (std::string_view left = rest; !left.empty();) {
        const std::size_t comma = left.find(',');
        ASSIGN_OR_RETURN(const auto size, parseSize(trimmed(left.substr(0, comma))));
        shape.dims.push_back(size);
        left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
    }
    if (const std::string fault = partialShapeFault(shape); !fault.empty())
        return Error{ErrorCode::InvalidArgument, fault};
    return shape;
}

std::string typedShape(const Shape& shape)
{
    if (shape.dims.empty())
        return "scalar";
    std::string text;
    for (const std::int64_t size : shape.dims)
        text += (text.empty() ? "" : ",") + std::to_string(size);
    return text;
}

} // namespace lapidary
