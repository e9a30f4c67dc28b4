// SPDX-License-Identifier: Apache-2.0
// Every pass on a graph of its own, and on each graph that a reader, a control edge or an output
// more at a node of the pattern makes of it: what the outputs compute stays, nothing that has to be
// waited for is lost, and nothing dangles.
#include "graph_model/binding/node_signature.h"
#include "graph_model/ops/op_registry.h"
#include "tests/catch.h"
#include "tests/test_folder.h"
#include "tests/transforms/pass_testing.h"
#include "tests/transforms/passes/pass_cases.h"
#include "transforms/constants/const_node.h"
#include "transforms/recipe/recipe.h"
#include "transforms/recipe/step_check.h"

#include <algorithm>
#include <set>

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;

const Strings inputs{"x"};

struct Mutant {
    std::string what;
    GraphPtr graph;
    Strings outputs;
};

GraphPtr changed(const Graph& graph, const std::vector<NodeDraft>& added,
                 std::string_view waiting = {})
{
    Graph::Parts parts;
    parts.functions = graph.sharedFunctions();
    for (const NodePtr& node : graph.nodes()) {
        NodeDraft draft = NodeDraft::of(*node);
        if (node->name() == waiting)
            draft.inputs.emplace_back("^first");
        parts.nodes.push_back(draft.finish());
    }
    for (const NodeDraft& draft : added)
        parts.nodes.push_back(draft.finish());
    return Graph::make(std::move(parts));
}

NodeDraft copyOf(const std::string& name, const std::string& from, DType dtype,
                 const std::string& control = {})
{
    NodeDraft draft = newNode(name, "Identity", {from});
    if (!control.empty())
        draft.inputs.push_back("^" + control);
    draft.setAttr("T", attr::fromType(dtype));
    return draft;
}

// Returns the type of a node's first output, if it has a meaningful value.
std::optional<DType> fetchedType(const Node& node)
{
    const OpSpec* op = findOp(node.op());
    const std::vector<DType> types = op == nullptr ? std::vector<DType>() : outputDtypes(node, *op);
    const bool isHandle = node.op().starts_with("TensorArray") && node.name() != "got";
    if (types.empty() || types.front() == DType::Resource || isHandle)
        return std::nullopt;
    return types.front();
}

std::vector<Mutant> mutantsOf(const PatternCase& original, const std::string& name)
{
    const Graph& graph = *original.graph;
    const DType xType = graph.node(graph.find("x")).attr("dtype").asType().value_or(DType::Float);
    Strings outputs = original.outputs;
    const auto with = [&](const char* more) {
        Strings all = original.outputs;
        all.emplace_back(more);
        return all;
    };
    std::vector<Mutant> mutants;
    if (const auto dtype = fetchedType(graph.node(graph.find(name)))) {
        mutants.push_back(
            {"read by another", changed(graph, {copyOf("also", name, *dtype)}), with("also")});
        mutants.push_back(
            {"read by what is dead", changed(graph, {copyOf("also", name, *dtype)}), outputs});
        mutants.push_back({"an output", original.graph, with(name.c_str())});
    }
    NodeDraft truth = constNode("truth", DType::Bool, {}, std::string(1, '\1'));
    NodeDraft first = newNode("first", "Assert", {"truth", "x"});
    first.setAttr("T", std::string("\x0A\x03\x32\x01", 4) + char(xType)); // a list of one type
    mutants.push_back({"waits", changed(graph, {truth, first}, name), outputs});
    mutants.push_back(
        {"is waited for", changed(graph, {copyOf("late", "x", xType, name)}), with("late")});
    mutants.push_back({"waits and is waited for",
                       changed(graph, {truth, first, copyOf("late", "x", xType, name)}, name),
                       with("late")});
    return mutants;
}

// Returns whether an output waits for the Assert, even if it was renamed.
bool waits(const Graph& graph, const std::string& output)
{
    std::set<NodeId> seen;
    std::vector<NodeId> open{graph.find(output)};
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (!id.isValid() || !seen.insert(id).second)
            continue;
        const Node& node = graph.node(id);
        if (node.op() == "Assert")
            return true;
        for (const Endpoint& from : graph.inputs(id))
            open.push_back(from.node);
    }
    return false;
}

// Returns a node for which an output had to wait and no longer does.
std::string lostControl(const Graph& before, const Graph& after, const Strings& outputs)
{
    for (const std::string& output : outputs)
        if (waits(before, output) && !waits(after, output))
            return output + " waits no longer";
    return "";
}

void checkMutant(const PatternCase& original, const Mutant& mutant)
{
    const auto edit = applyPass(original.step, mutant.graph, inputs, mutant.outputs);
    INFO((edit.ok() ? std::string() : edit.error().message));
    REQUIRE(edit.ok());
    const GraphPtr& after = edit->graph;
    CHECK(stepFault(*mutant.graph, *after, Job()) == "");
    for (const std::string& name : mutant.outputs)
        CHECK(hasNode(after, name));
    CHECK(hasNode(after, "x"));
    if (original.keepsControls)
        CHECK(lostControl(*mutant.graph, *after, mutant.outputs) == "");
    if (original.runs)
        CHECK(computesOther(mutant.graph, after, mutant.outputs, original.tolerance) == "");
    if (original.endsAtOnce && !findPass(passOf(original.step))->repeats)
        CHECK(passed(original.step, after, inputs, mutant.outputs) == after);
}

} // namespace

TEST_CASE("every pass has a graph in which it finds its pattern", "[patterns]")
{
    const TestFolder folder;
    std::set<std::string> tried;
    for (const PatternCase& original : allPatternCases(folder)) {
        INFO(original.step);
        tried.insert(passOf(original.step));
        CHECK(passed(original.step, original.graph, inputs, original.outputs) != original.graph);
        checkMutant(original, {"as it is", original.graph, original.outputs});
        for (const std::string& name : original.pattern)
            CHECK(hasNode(original.graph, name));
    }
    for (const Pass* pass : allPasses()) {
        if (!isAvailable(*pass) || namesNodes(*pass))
            continue;
        const std::string name(pass->name);
        INFO("tests/transforms/passes/" << name << "_test.cpp declares no graph in which " << name
                                        << " finds its pattern: see CasesOf in pass_cases.h");
        CHECK(tried.contains(name));
    }
}

TEST_CASE("near misses are left alone", "[patterns]")
{
    const TestFolder folder;
    for (const PatternCase& original : allPatternCases(folder)) {
        for (const PatternCase::NearMiss& miss : original.nearMisses) {
            INFO(original.step << ", " << miss.what);
            const Pass* pass = findPass(passOf(original.step));
            const GraphPtr after = passed(original.step, miss.graph, inputs, original.outputs);
            CHECK((after == miss.graph || pass->name == "fold_constants"));
        }
    }
}

TEST_CASE("readers, control edges and outputs at every node of a pattern", "[patterns]")
{
    const TestFolder folder;
    for (const PatternCase& original : allPatternCases(folder)) {
        for (const std::string& name : original.pattern) {
            for (const Mutant& mutant : mutantsOf(original, name)) {
                INFO(original.step << ", " << name << ": " << mutant.what);
                checkMutant(original, mutant);
            }
        }
    }
}

} // namespace lapidary
