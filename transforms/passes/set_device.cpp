// SPDX-License-Identifier: Apache-2.0
// set_device
//
// With if_default only nodes without a device are changed.
#include "transforms/edits/node_edits.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "device",
                  .type = ParameterType::String,
                  .role = ParameterRole::Device,
                  .help = "the device, as in \"/cpu:0\""},
    ParameterSpec{.name = "if_default",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "change only nodes that have no device"},
};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto device, args.parameters.oneString("device", ""));
    ASSIGN_OR_RETURN(const auto ifDefault, args.parameters.oneBool("if_default", false));
    const auto moves = [&](const Node& node) {
        return node.device() != device && (!ifDefault || node.device().empty());
    };
    return editFields(graph, job, moves, {.device = device});
}

} // namespace

const Pass passes::setDevice{
    .name = "set_device",
    .summary = "Puts nodes on a device.",
    .before = "conv on no device",
    .after = "conv on /cpu:0, with device=\"/cpu:0\"",
    .declines = "With if_default=true, nodes that have a device.",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
