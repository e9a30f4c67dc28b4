// SPDX-License-Identifier: Apache-2.0
// insert_logging
//
// Every node that is read, or those of the given ops and name prefixes, gets a Print after it that
// writes its outputs to stderr: "[message][values]". freeze_requantization_ranges reads such logs.
// Only outputs that are read over data edges are printed. No Print is put between NextIteration and
// Merge: TensorFlow recognizes a loop by that edge.
#include "graph_model/base/wire.h"
#include "graph_model/binding/node_signature.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/constants/const_node.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <set>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "op",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .help = "only nodes of this op",
                  .isRepeated = true},
    ParameterSpec{.name = "prefix",
                  .type = ParameterType::String,
                  .help = "only nodes whose name starts with this",
                  .isRepeated = true},
    ParameterSpec{.name = "show_op",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "start the message with the op"},
    ParameterSpec{.name = "show_name",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "start the message with the name of the node"},
    ParameterSpec{.name = "message",
                  .type = ParameterType::String,
                  .help = "text to print before the values"},
    ParameterSpec{.name = "first_n",
                  .type = ParameterType::Int32,
                  .defaultText = "-1",
                  .help = "print only the first n times; -1: always"},
    ParameterSpec{.name = "summarize",
                  .type = ParameterType::Int32,
                  .defaultText = "1024",
                  .help = "how many values to print"},
};

struct Logging {
    std::vector<std::string> ops;
    std::vector<std::string> prefixes;
    bool showOp = false;
    bool showName = false;
    std::string message;
    std::int32_t firstN = -1;
    std::int32_t summarize = 1024;
};

Result<Logging> readArguments(const Parameters& given)
{
    const auto showOp = given.oneBool("show_op", false);
    const auto showName = given.oneBool("show_name", false);
    const auto message = given.oneString("message", "");
    const auto firstN = given.oneInt32("first_n", -1);
    const auto summarize = given.oneInt32("summarize", 1024);
    for (const Error* fault :
         {showOp ? nullptr : &showOp.error(), showName ? nullptr : &showName.error(),
          message ? nullptr : &message.error(), firstN ? nullptr : &firstN.error(),
          summarize ? nullptr : &summarize.error()})
        if (fault != nullptr)
            return *fault;
    return Logging{given.all("op"), given.all("prefix"), showOp.value(),   showName.value(),
                   message.value(), firstN.value(),      summarize.value()};
}

bool isSelected(const Node& node, const Logging& logging)
{
    const bool opFits =
        logging.ops.empty() || std::ranges::find(logging.ops, node.op()) != logging.ops.end();
    return opFits && (logging.prefixes.empty() ||
                      std::ranges::any_of(logging.prefixes, [&](const std::string& prefix) {
                          return node.name().starts_with(prefix);
                      }));
}

std::string typeList(const std::vector<DType>& types)
{
    std::string packed;
    for (const DType type : types)
        appendVarint(packed, std::uint64_t(type));
    std::string list;
    WireWriter(list).bytes(6, packed);
    std::string value;
    WireWriter(value).bytes(1, list);
    return value;
}

NodeDraft printNode(const Node& node, const std::set<std::int32_t>& ports,
                    const std::vector<DType>& types, const Logging& logging)
{
    const std::string name(node.name());
    NodeDraft draft = newNode(name + "__print__", "Print", {name + ":0"});
    std::vector<DType> printed;
    for (const std::int32_t port : ports) {
        draft.inputs.push_back(tensorName(name, std::int32_t(port)));
        printed.push_back(types[std::size_t(port)]);
    }
    std::string message;
    if (logging.showOp)
        message += ";" + std::string(node.op()) + ";";
    if (logging.showName)
        message += ";" + draft.name + ";";
    draft.setAttr("message", attr::fromString(message + logging.message));
    draft.setAttr("first_n", attr::fromInt(logging.firstN));
    draft.setAttr("summarize", attr::fromInt(logging.summarize));
    draft.setAttr("T", attr::fromType(types.front()));
    draft.setAttr("U", typeList(printed));
    return draft;
}

// The logging of one node.
struct Logged {
    std::set<std::int32_t> ports; // ports that are printed; none: the node has nothing to print
    std::vector<DType> types;     // of all its outputs
    std::string why;              // why the node is left alone; empty: a Print is inserted
};

std::string reasonToSkip(const Graph& graph, const Node& node, const Logged& logged)
{
    // Only a NextIteration itself may lead back to a Merge.
    if (isNextIteration(node.op()))
        return "it closes a loop";
    // A Print that reads both would never run.
    if (isSwitch(node.op()) && logged.ports.size() > 1)
        return "only one of its outputs has a value";
    for (const std::int32_t port : logged.ports)
        if (withoutReference(logged.types[std::size_t(port)]) != logged.types[std::size_t(port)])
            return "it gives a reference, which a Print would copy";
    if (graph.find(std::string(node.name()) + "__print__").isValid())
        return "it has its Print already";
    return "";
}

Result<Logged> examine(const Graph& graph, NodeId id, const Logging& logging)
{
    const Node& node = graph.node(id);
    Logged logged;
    for (const Consumer& consumer : graph.consumers(id))
        if (!consumer.isControl())
            logged.ports.insert(consumer.port);
    if (logged.ports.empty() || !isSelected(node, logging))
        return Logged{};
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return Error{ErrorCode::NotFound, std::string(node.name()) + ": no op " +
                                              std::string(node.op()) + " is registered"};
    logged.types = outputDtypes(node, *op);
    if (logged.types.empty() || *logged.ports.rbegin() >= std::int32_t(logged.types.size()) ||
        std::ranges::find(logged.types, DType::Invalid) != logged.types.end())
        return Error{ErrorCode::InvalidArgument,
                     std::string(node.name()) + ": the types of its outputs cannot be told"};
    logged.why = reasonToSkip(graph, node, logged);
    return logged;
}

Result<EditResult> convert(const GraphPtr& graph, const PassArgs& args, const Job& job,
                           Findings* findings)
{
    ASSIGN_OR_RETURN(const auto logging, readArguments(args.parameters));
    GraphEdit edit(graph);
    edit.countPlaces(0);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        const NodeId id{i};
        ASSIGN_OR_RETURN(const auto logged, examine(*graph, id, logging));
        if (logged.ports.empty())
            continue;
        if (findings != nullptr)
            findings->push_back({{id}, logged.why});
        if (findings != nullptr || !logged.why.empty())
            continue;
        const Node& node = graph->node(id);
        edit.countPlaces(1);
        edit.moveTo(id, id);
        edit.addAt(id, printNode(node, logged.ports, logged.types, logging), {id});
        edit.redirect(node.name(), std::string(node.name()) + "__print__:0");
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::insertLogging{
    .name = "insert_logging",
    .summary = "Inserts Print nodes that log values whenever they are computed.",
    .before = "b = Relu(a)",
    .after = "a__print__ = Print(a, a)\n"
             "b = Relu(a__print__)",
    .declines = "Nodes with only control consumers, outputs without consumers, references, the "
                "NextIteration of a loop, a Switch with both outputs read, and nodes that already "
                "have a Print.",
    .differences = "Only outputs that are read are printed; the original makes nodes that cannot "
                   "be imported, cycles in the place of loops, or two nodes of one name.",
    .parameters = parameters,
    .find = OneWalk<convert>::find,
    .run = OneWalk<convert>::run,
    .repeats = true,
};

} // namespace lapidary
