// SPDX-License-Identifier: Apache-2.0
// The painting itself is in app/window_verbs, which needs Qt.
#include "app/base/exit_codes.h"
#include "app/cli/verb_list.h"

namespace lapidary {
namespace {

int runRenderWithoutWindow(const Verb&, std::span<const std::string>, Console& console)
{
    console.complain("render: this build has no window and cannot paint; use a build with Qt, or "
                     "'lapidary dot FILE -o graph.dot'");
    return exit_code::wrongUse;
}

} // namespace

const Verb verbs::render{
    .name = "render",
    .synopsis = "render FILE -o PICTURE",
    .summary = "Draws a graph to a PNG, SVG or PDF file.",
    .example = "lapidary render model.pb -o model.png --expand resnet/block1 --theme dark",
    .run = runRenderWithoutWindow,
    .needsWindow = true,
};

} // namespace lapidary
