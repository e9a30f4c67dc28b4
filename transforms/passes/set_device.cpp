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

struct Moving {
    std::string device;
    bool onlyUnplaced = false;

    bool operator()(const Node& node) const
    {
        return node.device() != device && (!onlyUnplaced || node.device().empty());
    }
};

Result<Moving> movingOf(const Parameters& given)
{
    Moving moving;
    ASSIGN_OR_RETURN(moving.device, given.oneString("device", ""));
    ASSIGN_OR_RETURN(moving.onlyUnplaced, given.oneBool("if_default", false));
    return moving;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto moving, movingOf(args.parameters));
    return findNodes(graph, job, moving);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto moving, movingOf(args.parameters));
    return editFields(graph, job, moving, {.device = moving.device});
}

} // namespace

const Pass passes::setDevice{
    .name = "set_device",
    .summary = "Places nodes on a device.",
    .before = "conv on no device",
    .after = "conv on /cpu:0, with device=\"/cpu:0\"",
    .declines = "With if_default=true, nodes that have a device.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
