// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/lower/op_page.h"

#include "transforms/export/lower/lowering.h"
#include "transforms/export/lower/op_reasons.h"

namespace lapidary {

std::string exportOpsPage()
{
    std::string page = "# What is exported\n\n"
                       "`lapidary export` writes these of TensorFlow's ops to TFLite and ONNX. "
                       "This page is made\nfrom the program's own table. Ops that only pass their "
                       "input on\n(Identity, StopGradient, "
                       "CheckNumerics, ...) go; what does not depend on the inputs is computed\n"
                       "before. Nodes of other ops are refused with their names.\n\n"
                       "| op | becomes | condition |\n|---|---|---|\n";
    const auto row = [&](std::string_view a, std::string_view b, std::string_view c) {
        page += "| " + std::string(a) + " | " + std::string(b) + " | " + std::string(c) + " |\n";
    };
    for (const LowerRow& rule : allLowerRows())
        row(rule.op, rule.becomes, rule.condition);
    page +=
        "\nSwitch and Merge of a condition become Select: both sides are computed, and one is "
        "taken. If and Case of\nfunctions become If, with a body for each side. A loop (While, or "
        "Enter, Merge, NextIteration, Exit) becomes\nLstm or Gru where it runs such cells over a "
        "sequence; else it is written out, or becomes While.\n\n"
        "## What is refused by name\n\n| op | reason |\n|---|---|\n";
    for (const RefusedOp& refused : refusedOps())
        page += "| " + std::string(refused.op) + " | it " + std::string(refused.reason) + " |\n";
    page += "\nVariables are to be frozen first; gradients and optimizers belong to training; "
            "queues, readers and\ndata sets lie in front of the inputs.\n";
    return page;
}

} // namespace lapidary
