// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/kernels/known_nodes.h"

#include "graph_model/base/wire.h"
#include "graph_model/binding/node_signature.h"
#include "graph_model/graph/attr_lists.h"
#include "graph_model/read/model_file.h"
#include "graph_model/read/text_lexer.h"
#include "tests/catch.h"
#include "tests/source_folder.h"

#include <fstream>
#include <map>
#include <sstream>

namespace lapidary {
namespace {

// Splits a line at blanks outside of quotes.
std::vector<std::string_view> wordsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    bool isQuoted = false;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '"')
            isQuoted = !isQuoted;
        if (i < line.size() && (line[i] != ' ' || isQuoted))
            continue;
        if (i > start)
            words.push_back(line.substr(start, i - start));
        start = i + 1;
    }
    return words;
}

std::vector<std::string_view> splitAt(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

// "[1,2]" without its brackets.
std::string_view insideOf(std::string_view list)
{
    REQUIRE(list.size() >= 2);
    return list.substr(1, list.size() - 2);
}

std::string unquoted(std::string_view text)
{
    std::string plain;
    if (!text.starts_with('"'))
        return std::string(text);
    REQUIRE(unescapeText(text, plain) == nullptr);
    return plain;
}

Dims dimsOf(std::string_view list)
{
    Dims dims;
    for (const std::string_view one : splitAt(insideOf(list), ','))
        dims.push_back(std::stoll(std::string(one)));
    return dims;
}

template <class T>
Value numbers(DType dtype, const Dims& dims, const std::vector<std::string_view>& given)
{
    std::vector<T> elements;
    for (const std::string_view one : given)
        elements.push_back(T(float(std::stod(std::string(one)))));
    const Value value = valueOf<T>(dims, elements.empty() ? std::vector<T>{T(1.0F)} : elements);
    return value.dtype() == dtype ? value : value.reinterpreted(dtype, dims);
}

// Parses "f[2,3]=1,2"; returns an unset value for other words.
Value literalOf(std::string_view word)
{
    static const std::string_view codes = "fdhilLubsqQcyw";
    if (word.size() < 3 || word[1] != '[' || codes.find(word[0]) == std::string_view::npos)
        return {};
    const std::size_t end = word.find(']');
    const Dims dims = dimsOf(word.substr(1, end));
    const std::string_view rest = word.substr(std::min(end + 2, word.size()));
    const auto given = rest.starts_with('"') ? std::vector{rest} : splitAt(rest, ',');
    switch (word[0]) {
    case 'd': return numbers<double>(DType::Double, dims, given);
    case 'h': return numbers<Half>(DType::Half, dims, given);
    case 'i': return numbers<std::int32_t>(DType::Int32, dims, given);
    case 'l': return numbers<std::int64_t>(DType::Int64, dims, given);
    case 'L': return numbers<std::uint64_t>(DType::UInt64, dims, given);
    case 'u': return numbers<std::uint8_t>(DType::UInt8, dims, given);
    case 'b': return numbers<bool>(DType::Bool, dims, given);
    case 'q': return numbers<std::uint8_t>(DType::QUInt8, dims, given);
    case 'Q': return numbers<std::int32_t>(DType::QInt32, dims, given);
    case 'c': return numbers<Complex64>(DType::Complex64, dims, given);
    case 'y': return numbers<std::int8_t>(DType::Int8, dims, given);
    case 'w': return numbers<std::int16_t>(DType::Int16, dims, given);
    case 's': break;
    default: return numbers<float>(DType::Float, dims, given);
    }
    std::size_t count = 1;
    for (const std::int64_t dim : dims)
        count *= std::size_t(dim);
    std::vector<std::string> strings;
    for (std::size_t i = 0; i < count; ++i)
        strings.push_back(given.empty() ? "" : unquoted(given[std::min(i, given.size() - 1)]));
    return stringsOf(dims, std::move(strings));
}

std::string shapeAttr(std::string_view text)
{
    return attr::fromShape({dimsOf(text), false});
}

// One element of a ListValue.
void addElement(WireWriter& list, std::string_view kind, std::string_view element)
{
    if (kind == "string")
        list.bytes(2, unquoted(element));
    else if (kind == "int")
        list.varint(3, std::uint64_t(std::stoll(std::string(element))));
    else if (kind == "type")
        list.varint(6, std::uint64_t(parseDtype(element).value()));
    else if (kind == "shape")
        list.bytes(7, AttrValue(shapeAttr(element)).encoded().substr(2));
    else {
        std::string function;
        WireWriter(function).bytes(1, element);
        list.bytes(9, function);
    }
}

std::string encodedList(std::string_view kind, std::string_view text)
{
    std::string message;
    WireWriter list(message);
    std::string_view inside = insideOf(text);
    while (!inside.empty()) {
        const std::size_t from = inside.starts_with('[') ? inside.find(']') : 0;
        const std::size_t end = std::min(inside.find(',', from), inside.size());
        addElement(list, kind, inside.substr(0, end));
        inside.remove_prefix(std::min(end + 1, inside.size()));
    }
    std::string encoded;
    WireWriter(encoded).bytes(1, message);
    return encoded;
}

std::string encodedFloats(std::string_view text)
{
    std::vector<float> elements;
    for (const std::string_view one : splitAt(insideOf(text), ','))
        elements.push_back(std::stof(std::string(one)));
    return attr::fromFloats(elements);
}

std::string encodedAttr(std::string_view kind, std::string_view text)
{
    if (kind == "list(float)")
        return encodedFloats(text);
    if (kind.starts_with("list("))
        return encodedList(kind.substr(5, kind.size() - 6), text);
    if (kind == "type")
        return attr::fromType(parseDtype(text).value());
    if (kind == "int")
        return attr::fromInt(std::stoll(std::string(text)));
    if (kind == "float")
        return attr::fromFloat(std::stof(std::string(text)));
    if (kind == "bool")
        return attr::fromBool(text == "true");
    if (kind == "shape")
        return shapeAttr(text);
    if (kind == "tensor")
        return attr::fromTensorProto(unquoted(text));
    if (kind == "string")
        return attr::fromString(unquoted(text));
    std::string name; // a function
    WireWriter(name).bytes(1, text);
    std::string encoded;
    WireWriter(encoded).bytes(10, name);
    return encoded;
}

// Sets an attribute of the op if the word is "name=value". For an op without a definition, the word
// is "name:kind=value".
bool setAttrFrom(NodeDraft& node, const OpSpec* spec, std::string_view word)
{
    const std::size_t equals = word.find('=');
    const std::size_t colon = word.find(':');
    if (equals == std::string_view::npos)
        return false;
    if (spec == nullptr) {
        if (colon > equals)
            return false;
        node.setAttr(word.substr(0, colon), encodedAttr(word.substr(colon + 1, equals - colon - 1),
                                                        word.substr(equals + 1)));
        return true;
    }
    for (const AttrSpec& attr : spec->attrs)
        if (attr.name == word.substr(0, equals)) {
            node.setAttr(attr.name, encodedAttr(attr.kind, word.substr(equals + 1)));
            return true;
        }
    return false;
}

using Settings = std::map<std::string, std::shared_ptr<Setting>, std::less<>>;

// Returns the output "node:port" of a setting, as an input.
Value madeInput(const std::shared_ptr<const Setting>& setting, std::string_view source)
{
    const auto parts = splitAt(source, ':');
    const std::int64_t port = parts.size() > 1 ? std::stoll(std::string(parts[1])) : 0;
    const auto maker = std::ranges::find(setting->nodes, parts[0], &NodeDraft::name);
    REQUIRE(maker != setting->nodes.end());
    const DType dtype = outputDtype(*maker->finish(), *findOp(maker->op), port);
    return Value::ofResource(dtype, std::make_shared<MadeInput>(setting, std::string(source)));
}

// The content of the file, which is read once.
class KnownNodes {
public:
    KnownNodes()
    {
        std::ifstream file(sourceFolder() / "tests/runner/kernels/known_nodes.txt");
        REQUIRE(file);
        std::string setting;
        for (std::string line; std::getline(file, line);) {
            if (line.empty() || line[0] == '#')
                continue;
            INFO(line);
            const std::size_t colon = line.find(": ");
            if (line[0] == ' ')
                addNode(m_settings[setting], line);
            else if (colon == std::string::npos)
                m_settings[setting = line] = std::make_shared<Setting>();
            else
                for (const std::string_view op :
                     splitAt(std::string_view(line).substr(0, colon), ','))
                    m_nodes.emplace(op, line.substr(colon + 2));
        }
    }

    std::optional<KnownNode> of(std::string_view op) const
    {
        const auto found = m_nodes.find(op);
        const OpSpec* const spec = findOp(op);
        if (found == m_nodes.end())
            return std::nullopt;
        INFO(op);
        KnownNode known;
        known.node.name = "culprit";
        known.node.op = op;
        for (const std::string_view word : wordsOf(found->second)) {
            if (setAttrFrom(known.node, spec, word))
                continue;
            known.inputs.push_back(word[0] == '@' ? inputFrom(word.substr(1)) : literalOf(word));
            REQUIRE(known.inputs.back().isSet());
        }
        if (spec != nullptr)
            decideAttrs(known.node, *spec, known.inputs);
        return known;
    }

private:
    // "setting.node:port".
    Value inputFrom(std::string_view word) const
    {
        const auto parts = splitAt(word, '.');
        const auto setting = m_settings.find(parts[0]);
        REQUIRE((parts.size() == 2 && setting != m_settings.end()));
        return madeInput(setting->second, parts[1]);
    }

    static void addNode(const std::shared_ptr<Setting>& setting, std::string_view line)
    {
        const auto words = wordsOf(line);
        REQUIRE(words.size() >= 2);
        NodeDraft node;
        node.name = words[0];
        node.op = words[1];
        const OpSpec* const spec = findOp(node.op);
        REQUIRE(spec != nullptr);
        std::vector<Value> inputs;
        for (std::size_t i = 2; i < words.size(); ++i) {
            if (setAttrFrom(node, spec, words[i]))
                continue;
            const Value literal = literalOf(words[i]);
            inputs.push_back(literal.isSet() ? literal : madeInput(setting, words[i]));
            node.inputs.push_back(literal.isSet() ? addFeed(*setting, literal)
                                                  : std::string(words[i]));
        }
        decideAttrs(node, *spec, inputs);
        setting->nodes.push_back(std::move(node));
    }

    static std::string addFeed(Setting& setting, const Value& value)
    {
        NodeDraft source;
        source.name = "given" + std::to_string(setting.feeds.size());
        source.op = "Placeholder";
        source.setAttr("dtype", attr::fromType(value.dtype()));
        setting.feeds.emplace_back(source.name, value);
        setting.nodes.push_back(source);
        return source.name;
    }

    Settings m_settings;
    std::map<std::string, std::string, std::less<>> m_nodes;
};

const char* const functionsText = R"(library {
  function { signature { name: "F" input_arg { name: "x" type: DT_FLOAT }
      output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "a" op: "Add" input: "x" input: "x"
      attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "a:z:0" } }
  function { signature { name: "C" input_arg { name: "x" type: DT_FLOAT }
      output_arg { name: "y" type: DT_BOOL } }
    node_def { name: "n" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr {
      key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 9 } } } }
    node_def { name: "l" op: "Less" input: "x" input: "n:output:0"
      attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "i" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr {
      key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } }
      int_val: 0 } } } }
    node_def { name: "a" op: "All" input: "l:z:0" input: "i:output:0" }
    ret { key: "y" value: "a:output:0" } }
  function { signature { name: "B" input_arg { name: "i" type: DT_INT32 }
      input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "a" op: "Add" input: "x" input: "x"
      attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "a:z:0" } }
})";

} // namespace

std::optional<KnownNode> knownNode(std::string_view op)
{
    static const KnownNodes all;
    return all.of(op);
}

std::shared_ptr<const FunctionLibrary> knownFunctions()
{
    static const auto file = readModelBytes(functionsText, "functions.pbtxt", Job());
    return file.ok() ? file->graphs.front().graph->sharedFunctions() : nullptr;
}

} // namespace lapidary
