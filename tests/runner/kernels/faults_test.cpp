// SPDX-License-Identifier: Apache-2.0
// Nodes that no program would write: every op with a kernel, with inputs that are missing, of other
// types, of odd shapes and full of extreme numbers. Each must run or fail with an error that names
// the node; under the sanitizers, nothing else may happen either.
#include "graph_model/ops/op_traits.h"
#include "tests/catch.h"
#include "tests/runner/kernels/any_node.h"
#include "tests/runner/kernels/known_nodes.h"

namespace lapidary {

TEST_CASE("every op refuses inputs that are missing", "[kernels][faults]")
{
    forEachOp([](const OpSpec& spec, Dice& dice) {
        for (int turn = 0; turn < 3; ++turn) {
            const NodeDraft node = anyNode(spec, dice);
            std::vector<Value> inputs = fittingInputs(node, spec, dice);
            while (!inputs.empty()) {
                inputs.pop_back();
                expectAnswerOrError(node, inputs, true);
            }
        }
    });
}

TEST_CASE("every op refuses inputs of types that are not its own", "[kernels][faults]")
{
    forEachOp([](const OpSpec& spec, Dice& dice) {
        if (controlFlow(spec.name) == ControlFlow::Merge)
            return; // passes its first input on, and reads nothing else
        const NodeDraft node = anyNode(spec, dice);
        const std::vector<Value> fitting = fittingInputs(node, spec, dice);
        for (std::size_t i = 0; i < fitting.size(); ++i) {
            std::vector<Value> inputs = fitting;
            for (const DType other : {DType::Complex128, DType::String, DType::Resource}) {
                if (withoutReference(fitting[i].dtype()) == other)
                    continue;
                inputs[i] = anyValue(other, {}, dice);
                expectAnswerOrError(node, inputs, true);
            }
        }
    });
}

TEST_CASE("every op survives shapes and numbers of any kind", "[kernels][faults]")
{
    forEachOp([](const OpSpec& spec, Dice& dice) {
        for (int turn = 0; turn < 120; ++turn) {
            const NodeDraft node = anyNode(spec, dice);
            expectAnswerOrError(node, fittingInputs(node, spec, dice));
        }
    });
}

// The named node has the op, or is one that it needs, such as its table.
TEST_CASE("every op whose memory ends names a node", "[kernels][faults]")
{
    for (const Kernel* kernel : allKernels()) {
        const auto known = knownNode(kernel->op);
        if (!known)
            continue;
        for (std::uint64_t limit = 64; limit <= (1 << 14); limit *= 2) {
            const auto answer =
                runCulprit(known->node, known->inputs, Job(), limit, knownFunctions());
            if (answer)
                continue;
            INFO(kernel->op << " within " << limit << " bytes: " << answer.error().message);
            CHECK(answer.error().message.find(": ") != std::string::npos);
        }
    }
}

} // namespace lapidary
