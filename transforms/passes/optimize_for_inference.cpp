// SPDX-License-Identifier: Apache-2.0
// optimize_for_inference
//
// TensorFlow's Python tool of that name as a chain of passes: strip_unused, remove_training_nodes,
// folding of batch normalization, and the fusion of resizes and paddings into convolutions.
#include "transforms/edits/dangling_input.h"
#include "transforms/pass/edit_chain.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <array>
#include <set>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "type",
                  .type = ParameterType::Dtype,
                  .help =
                      "the dtype of the inputs, one for all or one for each; default: their own",
                  .isRepeated = true},
    ParameterSpec{.name = "toco_compatible",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "do not fuse convolutions; converters and phones lack the fused ops"},
};

Status checkNames(const Graph& graph)
{
    std::set<std::string_view> names;
    for (const NodePtr& node : graph.nodes())
        if (!names.insert(node->name()).second)
            return Error{ErrorCode::InvalidArgument,
                         "two nodes are named " + std::string(node->name())};
    if (std::string fault = danglingInput(graph); !fault.empty())
        return Error{ErrorCode::InvalidArgument, std::move(fault)};
    return Done{};
}

PassArgs without(const PassArgs& args, std::string_view parameter)
{
    PassArgs rest = args;
    rest.parameters = {};
    for (const auto& [name, value] : args.parameters.entries())
        if (name != parameter)
            rest.parameters.add(name, value);
    return rest;
}

// `findings`, unless null, get the nodes that are rewritten.
Result<EditResult> optimize(const GraphPtr& graph, const PassArgs& args, const Job& job,
                            Findings* findings)
{
    ASSIGN_OR_RETURN(const auto tocoCompatible, args.parameters.oneBool("toco_compatible", false));
    RETURN_IF_ERROR(checkNames(*graph));
    const std::array steps{&passes::stripUnused,       &passes::removeTrainingNodes,
                           &passes::foldOldBatchNorms, &passes::fuseResizePadAndConv,
                           &passes::fuseResizeAndConv, &passes::fusePadAndConv};
    constexpr std::size_t stepsWithoutFusion = 3;
    const PassArgs typed = without(args, "toco_compatible");
    const PassArgs plain = without(typed, "type");
    EditChain chain(graph);
    for (std::size_t i = 0; i < (tocoCompatible ? stepsWithoutFusion : steps.size()); ++i) {
        const PassArgs& own = i == 0 ? typed : plain;
        if (findings != nullptr) {
            ASSIGN_OR_RETURN(auto found, steps[i]->find(chain.graph(), own, job));
            std::erase_if(found, [](const Finding& finding) { return !finding.why.empty(); });
            for (Finding& finding : chain.inBase(std::move(found)))
                findings->push_back(std::move(finding));
        }
        RETURN_IF_ERROR(chain.apply(steps[i]->run(chain.graph(), own, job)));
    }
    return std::move(chain).finish();
}

} // namespace

const Pass passes::optimizeForInference{
    .name = "optimize_for_inference",
    .summary = "Strips unused nodes, removes training-only nodes, folds batch norms and fuses "
               "convolutions.",
    .before = "c = CheckNumerics(x)\n"
              "d = Conv2D(c, w)\n"
              "y = FusedBatchNorm(d, gamma, beta, mean, variance)\n"
              "loss = Loss(y)",
    .after = "d = Conv2D(x, w * factor)\n"
             "y = BiasAdd(d, offset), with input x and output y",
    .declines = "What strip_unused, remove_training_nodes, fold_old_batch_norms and the fuse_* "
                "passes leave alone. With toco_compatible nothing is fused.",
    .differences = "TensorFlow has no such transform, but a Python tool of that name. It fuses a "
                   "resize or padding that others read too, which is then computed twice.",
    .parameters = parameters,
    .find = OneWalk<optimize>::find,
    .run = OneWalk<optimize>::run,
};

} // namespace lapidary
