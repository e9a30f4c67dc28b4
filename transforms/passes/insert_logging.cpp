// SPDX-License-Identifier: Apache-2.0
// insert_logging
//
// Every node that is read, or those of the given ops and name prefixes, gets a Print behind it that
// writes its outputs to stderr: "[message][values]". freeze_requantization_ranges reads such logs.
// Only outputs that are read over data edges are printed.
#include "graph_model/base/wire.h"
#include "graph_model/ops/node_signature.h"
#include "transforms/constants/const_node.h"
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
                  .help = "only nodes whose name begins with this",
                  .isRepeated = true},
    ParameterSpec{.name = "show_op",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "begin the message with the op"},
    ParameterSpec{.name = "show_name",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "begin the message with the node's name"},
    ParameterSpec{
        .name = "message", .type = ParameterType::String, .help = "text in front of the values"},
    ParameterSpec{.name = "first_n",
                  .type = ParameterType::Int32,
                  .defaultText = "-1",
                  .help = "print only the first times; -1: always"},
    ParameterSpec{.name = "summarize",
                  .type = ParameterType::Int32,
                  .defaultText = "1024",
                  .help = "how many values are printed"},
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
        draft.inputs.push_back(name + ":" + std::to_string(port));
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

Status log(GraphEdit& edit, const Graph& graph, NodeId id, const Logging& logging)
{
    const Node& node = graph.node(id);
    std::set<std::int32_t> ports;
    for (const Consumer& consumer : graph.consumers(id))
        if (!consumer.isControl())
            ports.insert(consumer.port);
    if (ports.empty() || !isSelected(node, logging))
        return Done{};
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return Error{ErrorCode::NotFound, std::string(node.name()) + ": no op " +
                                              std::string(node.op()) + " is registered"};
    const std::vector<DType> types = outputDtypes(node, *op);
    if (types.empty() || *ports.rbegin() >= std::int32_t(types.size()) ||
        std::ranges::find(types, DType::Invalid) != types.end())
        return Error{ErrorCode::InvalidArgument,
                     std::string(node.name()) + ": the types of its outputs cannot be told"};
    if (graph.find(std::string(node.name()) + "__print__").isValid())
        return Done{};
    edit.moveTo(id, id);
    edit.addAt(id, printNode(node, ports, types, logging), {id});
    edit.redirect(node.name(), std::string(node.name()) + "__print__:0");
    return Done{};
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto logging, readArguments(args.parameters));
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        RETURN_IF_ERROR(log(edit, *graph, NodeId{i}, logging));
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::insertLogging{
    .name = "insert_logging",
    .summary = "Prints the values of nodes whenever they are computed.",
    .before = "b = Relu(a)",
    .after = "a__print__ = Print(a, a)\n"
             "b = Relu(a__print__)",
    .declines = "Nodes that are only waited for, outputs that nobody reads, and nodes that have "
                "their Print already.",
    .differences = "Only outputs that are read are printed; the original makes nodes that cannot "
                   "be imported, or two of one name.",
    .parameters = parameters,
    .run = run,
    .repeats = true,
};

} // namespace lapidary
