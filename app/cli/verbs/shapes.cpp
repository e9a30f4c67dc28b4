// SPDX-License-Identifier: Apache-2.0
// shapes: prints the shape and dtype of every tensor, and the cost of a run.
#include "app/base/drawn_network.h"
#include "app/base/exit_codes.h"
#include "app/cli/each_file.h"
#include "graph_model/base/printable.h"
#include "graph_model/graph/function.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/summary/number_text.h"
#include "runner/cost/graph_cost.h"
#include "runner/shapes/infer_shapes.h"

#include <algorithm>
#include <ostream>

namespace lapidary {
namespace {

// A graph with the functions that it calls inlined, and its cost.
struct OpenedCost {
    GraphPtr graph;
    std::string title; // "serving_default"
    GraphCost cost;
};

struct ShapesAnswer {
    InferredShapes shapes;
    std::vector<Endpoint> given; // tensors whose shape the user gave
    std::optional<GraphCost> cost;
    std::optional<OpenedCost> opened; // if the graph calls functions

    std::string_view sourceOf(Endpoint tensor) const
    {
        return std::ranges::find(given, tensor) != given.end()
                   ? "given"
                   : labelSourceName(shapes.find(tensor)->source);
    }
};

Result<std::pair<Endpoint, Shape>> readShape(const Graph& graph, const std::string& text)
{
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos)
        return Error{ErrorCode::InvalidArgument, "--shape " + text + ": write NAME=1,224,224,3"};
    const auto shape = parseShape(std::string_view(text).substr(equals + 1));
    if (!shape)
        return Error{ErrorCode::InvalidArgument, "--shape " + text + ": " + shape.error().message};
    const std::string name = text.substr(0, equals);
    const Input tensor = parseInput(name);
    const NodeId node = graph.find(tensor.node);
    if (!node.isValid() || tensor.isControl())
        return Error{ErrorCode::InvalidArgument,
                     "--shape " + text + ": the graph has no tensor of that name"};
    return std::pair{Endpoint{node, tensor.port}, *shape};
}

Json tensorsJson(const Graph& graph, const ShapesAnswer& answer)
{
    const InferredShapes& shapes = answer.shapes;
    Json tensors = Json::object();
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        for (std::size_t port = 0; port < shapes.outputCount(NodeId{i}); ++port) {
            const TensorLabel& label = *shapes.find({NodeId{i}, std::int32_t(port)});
            const bool isTyped = label.dtype != DType::Invalid;
            tensors[tensorName(graph, {NodeId{i}, std::int32_t(port)})] = {
                {"dtype", isTyped ? Json(dtypeName(label.dtype)) : Json(nullptr)},
                {"shape", shapeJson(label.shape)},
                {"source", answer.sourceOf({NodeId{i}, std::int32_t(port)})}};
        }
    }
    return tensors;
}

Json costJson(const NodeCost& cost)
{
    return {{"flops", cost.flops},
            {"parameters", cost.parameters},
            {"output_bytes", cost.outputBytes},
            {"certain", cost.isCertain}};
}

Json costsJson(const Graph& graph, const GraphCost& cost)
{
    Json nodes = Json::object();
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        nodes[std::string(graph.node(NodeId{i}).name())] = costJson(cost.nodes[i]);
    Json scopes = Json::object();
    for (const auto& [name, sum] : cost.scopes)
        scopes[name] = costJson(sum);
    const bool hasPeak = cost.peakNode.isValid();
    return {
        {"flops", cost.flops},
        {"parameters", cost.parameters},
        {"parameter_bytes", cost.parameterBytes},
        {"activation_peak_bytes", cost.activationPeak},
        {"activation_peak_at", hasPeak ? Json(graph.node(cost.peakNode).name()) : Json(nullptr)},
        {"uncertain_nodes", cost.uncertainNodes},
        {"nodes", std::move(nodes)},
        {"scopes", std::move(scopes)}};
}

Json answerJson(const Graph& graph, const ShapesAnswer& answer)
{
    Json conflicts = Json::array();
    for (const ShapeConflict& conflict : answer.shapes.conflicts())
        conflicts.push_back(
            {{"node", graph.node(conflict.node).name()}, {"message", conflict.message}});
    Json withoutRule = Json::object();
    for (const auto& [op, nodes] : answer.shapes.withoutRule()) {
        Json names = Json::array();
        for (const NodeId id : nodes)
            names.push_back(graph.node(id).name());
        withoutRule[op] = std::move(names);
    }
    const InferredShapes::Edges edges = answer.shapes.countEdges(graph);
    Json document = {
        {"tensors", tensorsJson(graph, answer)},
        {"conflicts", std::move(conflicts)},
        {"ops_without_rule", std::move(withoutRule)},
        {"edges",
         {{"data", edges.data}, {"labeled", edges.ranked}, {"fully_known", edges.labeled}}}};
    if (answer.opened) {
        document["cost"] = costsJson(*answer.opened->graph, answer.opened->cost);
        document["cost"]["opened"] = answer.opened->title;
    } else if (answer.cost) {
        document["cost"] = costsJson(graph, *answer.cost);
    }
    return document;
}

// Prints columns as wide as necessary, up to a limit that one long name may exceed.
void printTable(const std::vector<std::vector<std::string>>& rows, std::size_t rightFrom,
                std::ostream& out)
{
    constexpr std::size_t widest = 60;
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), i + 1));
            widths[i] = std::max(widths[i], std::min(row[i].size(), widest));
        }
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string pad(widths[i] - std::min(widths[i], row[i].size()), ' ');
            line += i == 0 ? "" : "  ";
            line += i >= rightFrom ? pad + row[i] : row[i] + pad;
        }
        out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    }
}

std::string countText(std::int64_t count)
{
    return count == 0 ? "-" : humanReadableNumber(count);
}

void addCost(std::vector<std::string>& row, const NodeCost& cost, bool isCall = false)
{
    const bool isKnown = !isCall && cost.isCertain;
    row.push_back(isKnown || cost.flops > 0 ? countText(cost.flops) : "?");
    row.push_back(countText(cost.parameters));
    row.push_back(cost.isCertain || cost.outputBytes > 0 ? countText(cost.outputBytes) : "?");
}

void printTensors(const Graph& graph, const ShapesAnswer& answer, std::ostream& out)
{
    std::vector<std::vector<std::string>> rows{{"tensor", "op", "dtype", "shape", "source"}};
    if (answer.cost)
        rows[0].insert(rows[0].end(), {"FLOPs", "parameters", "bytes"});
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.node(NodeId{i});
        for (std::size_t port = 0; port < answer.shapes.outputCount(NodeId{i}); ++port) {
            const TensorLabel& label = *answer.shapes.find({NodeId{i}, std::int32_t(port)});
            const bool isTyped = label.dtype != DType::Invalid;
            rows.push_back({printable(tensorName(graph, {NodeId{i}, std::int32_t(port)})),
                            printable(std::string(node.op())),
                            isTyped ? dtypeName(label.dtype) : "?", shapeText(label.shape),
                            label.shape.unknownRank
                                ? "-"
                                : std::string(answer.sourceOf({NodeId{i}, std::int32_t(port)}))});
            if (answer.cost && port == 0)
                addCost(rows.back(), answer.cost->nodes[i], isFunctionCall(graph, node.op()));
        }
    }
    printTable(rows, 5, out);
}

void printCosts(const Graph& graph, const GraphCost& cost, std::ostream& out)
{
    std::vector<std::vector<std::string>> rows{{"scope", "FLOPs", "parameters", "bytes"}};
    for (const auto& [name, sum] : cost.scopes) {
        rows.push_back({printable(name)});
        addCost(rows.back(), sum);
    }
    if (rows.size() > 1) {
        out << '\n';
        printTable(rows, 1, out);
    }
    const std::string_view bound = cost.uncertainNodes > 0 ? "at least " : "";
    out << "\nFLOPs " << bound << humanReadableNumber(cost.flops) << ", parameters "
        << humanReadableNumber(cost.parameters) << " (" << humanReadableNumber(cost.parameterBytes)
        << " bytes), activations " << bound << humanReadableNumber(cost.activationPeak) << " bytes";
    if (cost.peakNode.isValid())
        out << " at " << printable(std::string(graph.node(cost.peakNode).name()));
    out << '\n';
    if (cost.uncertainNodes > 0)
        out << cost.uncertainNodes << (cost.uncertainNodes == 1 ? " node is" : " nodes are")
            << " of unknown size and not counted in full; --shape says the inputs'\n";
}

void printAnswer(const Graph& graph, const ShapesAnswer& answer, std::ostream& out)
{
    printTensors(graph, answer, out);
    if (answer.opened) {
        out << "\nwith the functions that it calls (" << printable(answer.opened->title) << "):\n";
        printCosts(*answer.opened->graph, answer.opened->cost, out);
    } else if (answer.cost) {
        printCosts(graph, *answer.cost, out);
    }
    const InferredShapes::Edges edges = answer.shapes.countEdges(graph);
    out << "\n"
        << edges.ranked << " of " << edges.data << " data edges have a shape, " << edges.labeled
        << " of them with every size\n";
    for (const auto& [op, nodes] : answer.shapes.withoutRule())
        out << "no rule for " << printable(op) << ": " << nodes.size()
            << (nodes.size() == 1 ? " node, " : " nodes, first ")
            << printable(std::string(graph.node(nodes.front()).name())) << '\n';
    for (const ShapeConflict& conflict : answer.shapes.conflicts())
        out << "conflict at " << printable(std::string(graph.node(conflict.node).name())) << ": "
            << printable(conflict.message) << '\n';
}

struct ShapesOptions {
    std::vector<std::string> files;
    std::vector<std::string> shapes;
    bool cost = false;
};

// Returns the cost of the functions that do the work of a graph. Tensors of known shape are found
// by name, because inputs keep theirs.
Result<std::optional<OpenedCost>> openedCost(const GraphEntry& entry, const ShapeOptions& known,
                                             const Job& job)
{
    const std::optional<GraphEntry> network = drawnNetwork(entry, job);
    if (!network)
        return std::optional<OpenedCost>();
    OpenedCost opened{.graph = network->graph, .title = network->title, .cost = {}};
    ShapeOptions options;
    for (const auto& [tensor, shape] : known.given)
        if (const NodeId id = opened.graph->find(entry.graph->node(tensor.node).name());
            id.isValid())
            options.given.push_back({{id, tensor.port}, shape});
    ASSIGN_OR_RETURN(const auto shapes, inferShapes(*opened.graph, options, job));
    ASSIGN_OR_RETURN(opened.cost, costOf(*opened.graph, shapes, job));
    return std::optional(std::move(opened));
}

int inferFile(const VerbCall& call, const ShapesOptions& wanted, Json& document, Console& console)
{
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const Graph& graph = *opened.entry->graph;
    ShapeOptions options;
    for (const std::string& text : wanted.shapes) {
        auto shape = readShape(graph, text);
        if (!shape)
            return call.wrongUse(shape.error().message);
        options.given.push_back(*std::move(shape));
    }
    auto shapes = inferShapes(graph, options, console.job);
    if (!shapes)
        return failWith(shapes.error(), console);
    ShapesAnswer answer{.shapes = *std::move(shapes), .given = {}, .cost = {}, .opened = {}};
    for (const auto& [tensor, shape] : options.given)
        answer.given.push_back(tensor);
    if (wanted.cost) {
        auto cost = costOf(graph, answer.shapes, console.job);
        if (!cost)
            return failWith(cost.error(), console);
        answer.cost = *std::move(cost);
        auto inside = openedCost(*opened.entry, options, console.job);
        if (!inside)
            return failWith(inside.error(), console);
        answer.opened = *std::move(inside);
    }
    if (wanted.files.size() > 1 && !call.wantsJson())
        console.out << shownPath(call.file()) << ":\n";
    if (call.wantsJson())
        document = answerJson(graph, answer);
    else
        printAnswer(graph, answer, console.out);
    return answer.shapes.conflicts().empty() ? exit_code::done : exit_code::found;
}

int runShapes(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    call.takeNetwork();
    ShapesOptions wanted;
    addFiles(call, wanted.files);
    call.options()
        .add_option("--shape", wanted.shapes,
                    "the shape of an input or other tensor: NAME=1,224,224,3")
        ->allow_extra_args(false);
    call.options().add_flag("--cost", wanted.cost,
                            "FLOPs, parameters and memory, by node and scope");
    call.addJson();
    if (const auto done = call.parse(arguments))
        return *done;
    return eachFile(call, wanted.files, console,
                    [&](Json& document) { return inferFile(call, wanted, document, console); });
}

} // namespace

const Verb verbs::shapes{
    .name = "shapes",
    .synopsis = "shapes FILE",
    .summary = "Infers the shape of every tensor, and reports conflicts and the cost of a run.",
    .example = "lapidary shapes model.pb --shape input=1,224,224,3 --cost",
    .run = runShapes,
    .chapter = "running",
};

} // namespace lapidary
