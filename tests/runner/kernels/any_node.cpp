// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/kernels/any_node.h"

#include "graph_model/graph/attr_lists.h"
#include "runner/execute/exec_graph.h"
#include "runner/kernels/state/variable.h"
#include "tests/runner/kernels/known_nodes.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <limits>

namespace lapidary {
namespace {

constexpr double extremes[] = {0,     1,    2,       3,         -1,        -2,     0.5,   127,
                               -1e30, 1e30, 1 << 20, INT32_MAX, INT32_MIN, 9.3e18, 1e-40, 255};
constexpr auto stringReference = DType(int(DType::String) + 100);
constexpr double notNumbers[] = {NAN, INFINITY, -INFINITY, -0.0};

double anyExtreme(Dice& dice)
{
    const std::size_t choice = dice.below(std::size(extremes) + std::size(notNumbers));
    return choice < std::size(extremes) ? extremes[choice]
                                        : notNumbers[choice - std::size(extremes)];
}

template <class T>
void fill(Value& value, Dice& dice, bool small)
{
    for (T& element : value.mutableAs<T>()) {
        const double number = small ? double(dice.below(4)) : anyExtreme(dice);
        if constexpr (std::is_integral_v<T>)
            element = std::isnan(number)
                          ? std::numeric_limits<T>::min()
                          : T(std::int64_t(std::min(std::max(number, -9.2e18), 9.2e18)));
        else
            element = T(float(number));
    }
}

// Bools are only 0 and 1; of other types, any bytes are numbers.
void fillBytes(Value& value, Dice& dice, bool small)
{
    const std::span bytes(value.mutableAs<char>().data(), value.byteCount());
    const auto common = char(dice.below(2));
    for (char& byte : bytes)
        byte = small ? common : char(dice.below(256));
}

Value stringsWith(const Dims& dims, std::size_t count, Dice& dice)
{
    std::vector<std::string> all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(
            dice.of<std::string>({"", "1", "a,b,c", "-9e99", "\xff\xfe\x80", "[a-", "%s%n",
                                  std::string("\0\1", 2), std::string(300, '1'), "../../../x"}));
    return stringsOf(dims, std::move(all));
}

DType anyType(Dice& dice)
{
    return dice.of({DType::Float, DType::Float, DType::Float, DType::Int32, DType::Int32,
                    DType::Int64, DType::String, DType::Bool, DType::Double, DType::Half,
                    DType::UInt8, DType::Complex64});
}

// Returns one of the types in a text such as "DT_FLOAT|DT_HALF".
std::string_view anyListed(std::string_view allowed, Dice& dice)
{
    const auto bars = std::size_t(std::ranges::count(allowed, '|'));
    for (std::size_t skip = dice.below(bars + 1); skip > 0; --skip)
        allowed.remove_prefix(allowed.find('|') + 1);
    return allowed.substr(0, allowed.find('|'));
}

DType typeNamed(std::string_view registryName)
{
    std::string name(registryName.substr(std::min<std::size_t>(3, registryName.size()))); // DT_
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    for (int type = 1; type <= int(DType::UInt64); ++type)
        if (dtypeName(DType(type)) == name)
            return DType(type);
    return DType::Float;
}

// As long as the registry requires, or as most lists of numbers are.
bool setAllowedList(NodeDraft& node, const AttrSpec& spec, Dice& dice)
{
    const auto least = std::size_t(spec.hasMinimum ? spec.minimum : 0);
    const std::size_t usual = std::max<std::size_t>(least, dice.below(3));
    if (spec.kind == "list(int)")
        node.setAttr(spec.name, attr::fromInts(std::vector<std::int64_t>(
                                    least > 0 ? least : dice.of<std::size_t>({0, 2, 4}), 1)));
    else if (spec.kind == "list(type)")
        node.setAttr(spec.name, attr::fromTypes(std::vector<DType>(
                                    usual, spec.allowedText.empty()
                                               ? anyType(dice)
                                               : typeNamed(anyListed(spec.allowedText, dice)))));
    else
        node.setAttr(spec.name, std::string("\x0a\0", 2)); // an empty list of any kind
    return true;
}

// Sets a value that the registry allows; returns false if it says nothing about the kind.
bool setAllowedAttr(NodeDraft& node, const AttrSpec& spec, Dice& dice)
{
    const std::string_view listed =
        spec.allowedText.empty() ? std::string_view() : anyListed(spec.allowedText, dice);
    if (spec.kind == "type" && !listed.empty())
        node.setAttr(spec.name, attr::fromType(typeNamed(listed)));
    else if (spec.kind == "string" && listed.size() >= 2)
        node.setAttr(spec.name, attr::fromString(listed.substr(1, listed.size() - 2)));
    else if (spec.kind == "int")
        node.setAttr(spec.name, attr::fromInt((spec.hasMinimum ? spec.minimum : 0) +
                                              std::int64_t(dice.below(3))));
    else if (spec.kind.starts_with("list("))
        return setAllowedList(node, spec, dice);
    else
        return false;
    return true;
}

} // namespace

Value anyValue(DType dtype, const Dims& dims, Dice& dice)
{
    if (isReference(dtype) || dtype == DType::Resource || dtype == DType::Variant)
        return Value::ofResource(
            dtype, dice.below(2) == 0
                       ? nullptr
                       : std::make_shared<Variable>("v", DType::Float, Shape{{2}, false}));
    std::size_t count = 1;
    for (const std::int64_t dim : dims)
        count *= std::size_t(dim);
    if (dtype == DType::String)
        return stringsWith(dims, count, dice);
    Value value = count == 0 ? emptyValue(dtype, {0}).reshaped(dims) : emptyValue(dtype, dims);
    const bool small = dice.below(2) == 0;
    switch (dtype) {
    case DType::Float: fill<float>(value, dice, small); break;
    case DType::Double: fill<double>(value, dice, small); break;
    case DType::Int32: fill<std::int32_t>(value, dice, small); break;
    case DType::Int64: fill<std::int64_t>(value, dice, small); break;
    default: fillBytes(value, dice, small || dtype == DType::Bool);
    }
    return value;
}

Dims squareDims(Rank wanted, std::size_t usual, std::int64_t side)
{
    switch (wanted) {
    case Rank::Any: return Dims(usual, side);
    case Rank::Scalar:
    case Rank::One: return {};
    case Rank::Vector: return {side};
    case Rank::Matrix: return Dims(2, side);
    case Rank::Three: return Dims(3, side);
    case Rank::Four: return Dims(4, side);
    case Rank::Five: return Dims(5, side);
    }
    return {};
}

Rank rankOf(const OpSpec& spec, std::size_t input)
{
    const Kernel* const kernel = findKernel(spec.name);
    return kernel != nullptr && input < kernel->ranks.size() ? kernel->ranks[input] : Rank::Any;
}

Dims vastDims(std::size_t rank, Dice& dice)
{
    Dims dims(rank, 1);
    if (dims.empty())
        return dims;
    const std::size_t zero = dice.of({std::size_t(0), dice.below(rank)});
    // The sizes before the 0 are multiplied by others, and their product must fit.
    for (std::size_t i = zero < 2 ? 0 : zero; i < rank; ++i)
        dims[i] = dice.of({std::int64_t(1), std::int64_t(1) << 11, std::int64_t(1) << 20,
                           std::int64_t(INT32_MAX), std::int64_t(1) << 40, std::int64_t(1) << 62,
                           INT64_MAX});
    dims[zero] = 0;
    return dims;
}

Dims anyDims(Dice& dice)
{
    return dice.of<Dims>({{},
                          {},
                          {0},
                          {1},
                          {2},
                          {3},
                          {4},
                          {2, 3},
                          {0, 3},
                          {1, 1},
                          {3, 3, 2},
                          {1, 5, 4, 2},
                          {2, 3, 3, 1},
                          {1, 0, 2, 2},
                          {1, 2, 2, 2, 1}});
}

// Mostly values that the registry allows.
void setAnyAttr(NodeDraft& node, const AttrSpec& spec, Dice& dice)
{
    const std::string_view kind = spec.kind;
    if (dice.below(8) != 0 && setAllowedAttr(node, spec, dice))
        return;
    if (kind == "type")
        node.setAttr(spec.name, attr::fromType(anyType(dice)));
    else if (kind == "int")
        node.setAttr(spec.name,
                     attr::fromInt(dice.of<std::int64_t>({0, 1, 2, 3, -1, INT64_MAX, INT64_MIN})));
    else if (kind == "float")
        node.setAttr(spec.name, attr::fromFloat(dice.of({0.0F, 0.5F, -1.0F, 1e30F, NAN})));
    else if (kind == "bool")
        node.setAttr(spec.name, attr::fromBool(dice.below(2) == 0));
    else if (kind == "string")
        node.setAttr(spec.name,
                     attr::fromString(dice.of<std::string_view>(
                         {"SAME", "VALID", "NHWC", "NCHW", "", "\xff", "EXPLICIT", "x=%s"})));
    else if (kind == "shape")
        node.setAttr(spec.name, attr::fromShape(dice.of<Shape>({{{}, false},
                                                                {{}, true},
                                                                {{2, 3}, false},
                                                                {{-1, 0}, false},
                                                                {{INT64_MAX, 16}, false}})));
    else if (kind == "list(int)")
        node.setAttr(spec.name, attr::fromInts(dice.of<std::vector<std::int64_t>>(
                                    {{}, {1}, {1, 1, 1, 1}, {1, 2, 2, 1}, {0, -1, INT64_MAX, 5}})));
    else if (kind == "list(type)")
        node.setAttr(spec.name, attr::fromTypes(std::vector<DType>(dice.below(4), anyType(dice))));
}

NodeDraft anyNode(const OpSpec& spec, Dice& dice)
{
    NodeDraft node;
    node.name = "culprit";
    node.op = spec.name;
    for (const AttrSpec& attr : spec.attrs)
        if (!attr.hasDefault || dice.below(4) == 0)
            setAnyAttr(node, attr, dice);
    return node;
}

// Adds the nodes that make the input, once for all inputs of one setting.
void addSetting(const Setting& setting, NodeDraft& node, Graph::Parts& parts, RunRequest& request)
{
    for (const NodeDraft& made : setting.nodes) {
        parts.nodes.push_back(made.finish());
        if (made.op != "Placeholder")
            node.inputs.push_back("^" + made.name);
    }
    request.feeds.insert(request.feeds.end(), setting.feeds.begin(), setting.feeds.end());
}

// Wires the inputs; the settings come last, since they add control inputs.
void addInputs(const std::vector<Value>& inputs, NodeDraft& node, Graph::Parts& parts,
               RunRequest& request)
{
    std::vector<std::shared_ptr<MadeInput>> made;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (auto one = inputs[i].resource<MadeInput>()) {
            node.inputs.push_back(one->source());
            made.push_back(std::move(one));
            continue;
        }
        node.inputs.push_back("x" + std::to_string(i));
        NodeDraft source;
        source.name = node.inputs.back();
        source.op = "Placeholder";
        source.setAttr("dtype", attr::fromType(inputs[i].dtype()));
        parts.nodes.push_back(source.finish());
        request.feeds.emplace_back(source.name, inputs[i]);
    }
    if (!made.empty()) // all belong to one setting
        addSetting(made.front()->setting(), node, parts, request);
}

Result<std::vector<Value>> runCulprit(const NodeDraft& draft, const std::vector<Value>& inputs,
                                      const Job& job, std::uint64_t memoryLimit,
                                      const std::shared_ptr<const FunctionLibrary>& functions)
{
    Graph::Parts parts;
    RunRequest request;
    NodeDraft node = draft;
    addInputs(inputs, node, parts, request);
    parts.functions = functions;
    parts.nodes.push_back(node.finish());
    const auto outputs = std::min<std::uint32_t>(outputCount(*parts.nodes.back()), 8);
    const OpSpec* const spec = findOp(node.op);
    for (std::uint32_t i = 0; i < outputs; ++i) // handles of old tables and queues cannot be fed
        if (spec == nullptr || outputDtype(*parts.nodes.back(), *spec, i) != stringReference)
            request.fetches.push_back("culprit:" + std::to_string(i));
    request.targets.emplace_back("culprit");
    SessionOptions options;
    options.memoryLimit = memoryLimit;
    options.maxNodeRuns = 1000; // some loops are endless
    Session session(Graph::make(std::move(parts)), options);
    return session.run(request, job);
}

std::vector<DType> wantedTypes(const NodeDraft& draft, const OpSpec& spec)
{
    // inputDtypes() returns at most as many types as the node has inputs, and the draft has none
    // yet.
    constexpr std::int64_t most = 64;
    const NodePtr node = draft.finish();
    const std::int64_t count = std::min(inputLength(*node, spec).value_or(0), most);
    std::vector<DType> types;
    for (std::int64_t i = 0; i < count; ++i)
        types.push_back(inputDtype(*node, spec, i));
    return types;
}

std::vector<Value> fittingInputs(const NodeDraft& draft, const OpSpec& spec, Dice& dice)
{
    const std::size_t form = dice.below(5);
    const std::size_t usual = dice.below(5);
    const auto side = std::int64_t(1 + dice.below(3));
    std::vector<Value> inputs;
    for (const DType type : wantedTypes(draft, spec)) {
        const Rank rank = rankOf(spec, inputs.size());
        const Dims dims = form < 2   ? squareDims(rank, usual, side)
                          : form < 4 ? anyDims(dice)
                                     : vastDims(squareDims(rank, usual, 1).size(), dice);
        inputs.push_back(anyValue(type == DType::Invalid ? anyType(dice) : type, dims, dice));
    }
    return inputs;
}

} // namespace lapidary
