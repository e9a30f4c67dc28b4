// set_device
//
//   before:  conv on no device        after (device="/cpu:0"):  conv on /cpu:0
//
// With if_default only nodes without a device are changed.
#include "transforms/pass/node_edits.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "device", .type = "string", .help = "the device, as in \"/cpu:0\""},
    ParameterSpec{.name = "if_default",
                  .type = "bool",
                  .defaultText = "false",
                  .help = "change only nodes that have no device"},
};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto device = args.parameters.oneString("device", "");
    if (!device)
        return device.error();
    const auto ifDefault = args.parameters.oneBool("if_default", false);
    if (!ifDefault)
        return ifDefault.error();
    const auto moves = [&](const Node& node) {
        return node.device() != device.value() && (!ifDefault.value() || node.device().empty());
    };
    return editFields(graph, job, moves, {.device = device.value()});
}

} // namespace

const Pass passes::setDevice{
    .name = "set_device",
    .summary = "Puts nodes on a device.",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
