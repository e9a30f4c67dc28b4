// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "runner/guard/run_guard.h"
#include "runner/setup/prepare_run.h"
#include "tests/fuzz/targets/targets.h"
#include "tests/runner/kernels/any_node.h"
#include "transforms/pass/pass.h"

namespace lapidary::fuzz {
namespace {

constexpr std::size_t mostNodes = 2000; // larger graphs only make a try slower

std::optional<GraphEntry> graphOf(std::string_view bytes)
{
    auto file = readModelBytes(std::string(bytes), "fuzz", Job());
    if (!file || file->graphs.empty() || file->graphs[0].graph->size() > mostNodes)
        return std::nullopt;
    return std::move(file->graphs[0]);
}

std::vector<std::string> lastNodes(const Graph& graph, std::size_t most)
{
    std::vector<std::string> names;
    for (std::size_t i = graph.size(); i > 0 && names.size() < most; --i)
        names.emplace_back(graph.nodes()[i - 1]->name());
    return names;
}

} // namespace

// Runs with the inputs and outputs that the program guesses, then with every node as a target.
void runAnyGraph(std::string_view bytes)
{
    const auto entry = graphOf(bytes);
    if (!entry)
        return;
    RunPlan plan;
    plan.session.memoryLimit = memoryLimit;
    plan.session.maxNodeRuns = 1 << 14;
    plan.otherInputs = RandomFeed{};
    for (const bool fuse : {true, false}) {
        plan.session.fuse = fuse;
        auto prepared = prepareRun(*entry, "-", plan, Job());
        if (!prepared)
            promise(!prepared.error().message.empty(), "an error has a message");
        else if (const auto values = prepared->session.run(prepared->request, Job()))
            promise(values->size() == prepared->request.fetches.size(), "a value for each fetch");
        plan.targets = lastNodes(*entry->graph, 64);
    }
}

// The bytes choose an op, its attributes and its inputs.
void runAnyNode(std::string_view bytes)
{
    Dice dice(bytes);
    const auto kernels = allKernels();
    const Kernel& kernel = *kernels[dice.below(kernels.size())];
    const OpSpec* const spec = findOp(kernel.op);
    if (spec == nullptr)
        return;
    const NodeDraft node = anyNode(*spec, dice);
    const auto answer = runCulprit(node, fittingInputs(node, *spec, dice));
    promise(answer.ok() || answer.error().message.find("culprit") != std::string::npos,
            "an error names the node");
}

// The first byte chooses the pass, the second the number of last nodes that are outputs.
void applyAnyPass(std::string_view bytes)
{
    if (bytes.size() < 2)
        return;
    const auto passes = allPasses();
    const Pass& pass = *passes[static_cast<unsigned char>(bytes[0]) % passes.size()];
    const auto outputs = static_cast<unsigned char>(bytes[1]) % 4U;
    const auto entry = graphOf(bytes.substr(2));
    if (!entry)
        return;
    PassArgs args;
    args.outputs = lastNodes(*entry->graph, outputs);
    const Job job;
    const RunGuard guard(memoryLimit, heap::bytesInUse(), job);
    if (pass.find != nullptr)
        (void)pass.find(entry->graph, args, job);
    const auto edited = pass.run(entry->graph, args, job);
    promise(edited.ok() || !edited.error().message.empty(), "an error has a message");
}

} // namespace lapidary::fuzz
