// SPDX-License-Identifier: Apache-2.0
// Checks that inputs exist, and that their number and dtypes are those of the op.
#include "graph_model/binding/node_signature.h"
#include "graph_model/check/check_context.h"

#include <algorithm>

namespace lapidary {
namespace {

// The outputs of producers. Dtypes of nodes whose outputs are a list of types are cached, because a
// node with thousands of outputs has thousands of readers.
class OutputDtypes {
public:
    explicit OutputDtypes(const CheckContext& context)
        : m_context(context)
    {
    }

    // Returns nothing if the op or its attributes do not determine the number of outputs.
    std::optional<std::int64_t> length(NodeId id)
    {
        const OpSpec* spec = m_context.specs[id.value];
        if (spec == nullptr)
            return std::nullopt;
        if (const std::vector<DType>* listed = listOf(id, *spec); listed && !listed->empty())
            return std::int64_t(listed->size());
        return outputLength(m_context.graph.node(id), *spec);
    }

    DType at(NodeId id, std::int64_t port)
    {
        const OpSpec* spec = m_context.specs[id.value];
        if (spec == nullptr)
            return DType::Invalid;
        const std::vector<DType>* listed = listOf(id, *spec);
        if (listed == nullptr || listed->empty())
            return outputDtype(m_context.graph.node(id), *spec, port);
        return std::size_t(port) < listed->size() ? (*listed)[std::size_t(port)] : DType::Invalid;
    }

private:
    // Returns null if no output is a list of types.
    const std::vector<DType>* listOf(NodeId id, const OpSpec& spec)
    {
        if (std::ranges::none_of(spec.outputs,
                                 [](const ArgSpec& arg) { return !arg.typeListAttr.empty(); }))
            return nullptr;
        const auto [at, isNew] = m_lists.try_emplace(id);
        if (isNew)
            at->second = outputDtypes(m_context.graph.node(id), spec);
        return &at->second;
    }

    const CheckContext& m_context;
    std::unordered_map<NodeId, std::vector<DType>> m_lists;
};

bool isArgument(const Node& node)
{
    return node.isSynthetic() && node.op() == "_Arg";
}

// Returns whether an input refers to no node, or to one that cannot be read.
bool leadsNowhere(const CheckContext& context, const Endpoint& from)
{
    if (!from.node.isValid())
        return true;
    const Node& producer = context.graph.node(from.node);
    return producer.isSynthetic() && !isArgument(producer);
}

// Returns whether an input is "^a:0" for an argument "a", which functions accept as the argument
// itself.
bool isArgumentByNumber(const CheckContext& context, const Input& input)
{
    if (!context.place.namesOutputs || !input.isControl() || !input.node.ends_with(":0"))
        return false;
    const NodeId id = context.graph.find(input.node.substr(0, input.node.size() - 2));
    return id.isValid() && isArgument(context.graph.node(id));
}

void reportDangling(CheckContext& context, NodeId id, const Input& input)
{
    const std::size_t colon = input.node.find(':');
    if (isArgumentByNumber(context, input))
        return;
    if (input.isControl() && colon != std::string_view::npos &&
        context.graph.find(input.node.substr(0, colon)).isValid()) {
        context.report("bad_port", Severity::Error, id,
                       "Its control input " + quote(input.text) +
                           " names an output; control inputs name only the node");
        return;
    }
    context.report("dangling_input", Severity::Error, id,
                   "Its input " + quote(input.text) + " leads nowhere: no node has that name");
}

// Checks an input that is an argument of the function: one tensor, or an element of a list by its
// number. Arguments have no output names.
void checkArgumentName(CheckContext& context, NodeId id, const Input& input, NodeId from)
{
    const std::size_t colon = input.text.find(':');
    const bool isOfOne =
        context.graph.node(from).attr("T").asType().value_or(DType::Invalid) != DType::Invalid;
    if (!input.output.empty() || input.text.ends_with(':') ||
        (context.place.namesOutputs && isOfOne && colon != std::string_view::npos &&
         input.text.substr(colon) != ":0"))
        context.report("bad_port", Severity::Error, id,
                       "Its input " + quote(input.text) + " asks for an output of " +
                           quote(input.node) + ", which is an argument of the function and has " +
                           "none of that name");
}

// Returns the flattened output to which a data input of an existing producer refers; nothing if it
// is wrong.
std::optional<std::int64_t> portOf(CheckContext& context, OutputDtypes& outputs, NodeId id,
                                   const Input& input, NodeId from)
{
    const Node& producer = context.graph.node(from);
    const OpSpec* spec = context.specs[from.value];
    const bool isCut = input.text.ends_with(':');
    if ((isCut || !input.output.empty()) && !context.place.isBody) {
        context.report("bad_port", Severity::Error, id,
                       "Its input " + quote(input.text) + " does not name an output of " +
                           quote(producer.name()) + ": a number is expected after the colon");
        return std::nullopt;
    }
    if (spec == nullptr)
        return std::nullopt;
    if (context.place.namesOutputs && input.output.empty()) {
        context.report("bad_port", Severity::Error, id,
                       "Its input " + quote(input.text) + " does not say which output of " +
                           quote(producer.name()) +
                           " it means; functions name it, as in 'node:output:0'");
        return std::nullopt;
    }
    const auto length = outputs.length(from);
    if (!length)
        return std::nullopt;
    std::optional<std::int64_t> port = input.port;
    if (!input.output.empty())
        port = outputPort(producer, *spec, input.output, input.port);
    if (port && *port < *length)
        return port;
    context.report("bad_port", context.againstSignature(from), id,
                   "Its input " + quote(input.text) + " asks for an output that " +
                       quote(producer.name()) + " does not have: " + std::string(producer.op()) +
                       " has " + std::to_string(*length));
    return std::nullopt;
}

struct DataInput {
    std::size_t slot = 0;
    DType dtype = DType::Invalid; // Invalid: unknown
};

void checkAgainstSignature(CheckContext& context, NodeId id, const std::vector<DataInput>& given)
{
    const Node& node = context.graph.node(id);
    const OpSpec& spec = *context.specs[id.value];
    if (!inputLength(node, spec))
        return;
    std::vector<DType> dtypes;
    dtypes.reserve(given.size());
    for (const DataInput& input : given)
        dtypes.push_back(input.dtype);
    std::vector<BindFault> faults;
    bindInputs(node, spec, dtypes, faults);
    for (const BindFault& fault : faults) {
        if (fault.input < 0) {
            context.report(id, spec, fault, "It " + fault.text);
            continue;
        }
        const std::size_t slot = given[std::size_t(fault.input)].slot;
        context.report(id, spec, fault,
                       "Its input " + quote(node.inputs()[slot].text) + " is " +
                           dtypeName(fault.dtype) + ", but " + std::string(node.op()) + " takes " +
                           dtypeName(inputDtype(node, spec, fault.input)) + " there");
    }
}

void checkNode(CheckContext& context, OutputDtypes& outputs, NodeId id,
               std::vector<DataInput>& given)
{
    const Node& node = context.graph.node(id);
    const auto endpoints = context.graph.inputs(id);
    bool controlSeen = false;
    bool orderReported = false;
    given.clear();
    for (std::size_t slot = 0; slot < node.inputs().size(); ++slot) {
        const Input& input = node.inputs()[slot];
        if (!input.isControl())
            given.push_back({slot});
        if (controlSeen && !input.isControl() && !orderReported) {
            orderReported = true;
            context.report("control_before_data", Severity::Error, id,
                           "Its data input " + quote(input.text) +
                               " comes after a control input; control inputs come last");
        }
        controlSeen = controlSeen || input.isControl();
        if (leadsNowhere(context, endpoints[slot])) {
            reportDangling(context, id, input);
            continue;
        }
        if (input.isControl())
            continue;
        if (const Node& from = context.graph.node(endpoints[slot].node); isArgument(from)) {
            checkArgumentName(context, id, input, endpoints[slot].node);
            given.back().dtype = from.attr("T").asType().value_or(DType::Invalid);
            continue;
        }
        const auto port = portOf(context, outputs, id, input, endpoints[slot].node);
        if (port)
            given.back().dtype = outputs.at(endpoints[slot].node, *port);
    }
    if (context.specs[id.value] != nullptr)
        checkAgainstSignature(context, id, given);
}

} // namespace

void checkInputs(CheckContext& context)
{
    OutputDtypes outputs(context);
    std::vector<DataInput> given;
    for (std::uint32_t i = 0; i < context.graph.size(); ++i) {
        if ((i & 0xFFF) == 0 && context.job.cancelled())
            return;
        if (!context.graph.node(NodeId{i}).isSynthetic())
            checkNode(context, outputs, NodeId{i}, given);
    }
}

} // namespace lapidary
