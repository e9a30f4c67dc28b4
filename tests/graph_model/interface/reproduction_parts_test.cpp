// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/node_parts.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <string>
#include <vector>

namespace lapidary {
namespace {

std::string partIn(const Graph& graph, const NodeParts& parts, std::string_view name)
{
    return std::string(partName(parts.of[graph.find(name).value]));
}

} // namespace

TEST_CASE("a reproduction is compared with its input, whatever labels there are", "[parts]")
{
    const GraphPtr coder = graph(R"(
        x = Placeholder()
        w = VariableV2()
        w/read = Identity(w)
        y = MatMul(x, w/read)
        unknown = Equal(x, zero)
        zero = Const()
        blank = ZerosLike(y)
        rated = Select(unknown, blank, y)
        gap = Sub(rated, x)
        cost = Square(gap)
        all = Const()
        loss = Mean(cost, all)
        tested = Placeholder()
        truth = Placeholder()
        z = MatMul(tested, w/read)
        error = SquaredDifference(z, truth)
        score = Mean(error, all)
        gradients/shape = Shape(loss)
        gradients/seed = Const()
        gradients/loss = Fill(gradients/shape, gradients/seed)
        gradients/gap = Mul(gradients/loss, gap)
        gradients/w = MatMul(x, gradients/gap)
        rate = Const()
        train = ApplyGradientDescent(w, rate, gradients/w)
    )");
    const NodeParts parts = nodeParts(*coder, {});
    for (const char* name : {"w/read", "y", "z"}) {
        INFO(name);
        CHECK(partIn(*coder, parts, name) == partName(Part::Network));
    }
    for (const char* name : {"unknown", "rated", "gap", "cost", "loss", "error", "score"}) {
        INFO(name);
        CHECK(partIn(*coder, parts, name) == partName(Part::Loss));
    }
}

TEST_CASE("a difference from the input that is compared with a label is a result", "[parts]")
{
    const GraphPtr denoiser = graph(R"(
        noisy = Placeholder()
        clean = Placeholder()
        w = VariableV2()
        noise = Conv2D(noisy, w)
        result = Sub(noisy, noise)
        error = SquaredDifference(result, clean)
        all = Const()
        loss = Mean(error, all)
        gradients/seed = Const()
        gradients/error = Mul(gradients/seed, error)
        gradients/w = Conv2DBackpropFilter(noisy, all, gradients/error)
        rate = Const()
        train = ApplyGradientDescent(w, rate, gradients/w)
    )");
    const std::vector<NodeId> results{denoiser->find("result")};
    const NodeParts parts = nodeParts(*denoiser, results);
    CHECK(partIn(*denoiser, parts, "result") == partName(Part::Network));
    CHECK(partIn(*denoiser, parts, "error") == partName(Part::Loss));
}

TEST_CASE("an activation without readers judges nothing", "[parts]")
{
    const GraphPtr served = graph(R"(
        x = Placeholder()
        w = VarHandleOp()
        w/read = ReadVariableOp(w)
        y = MatMul(x, w/read)
        unused = LeakyRelu(y)
        mean = VarHandleOp()
        now = Mean(y, all)
        all = Const()
        update = AssignSubVariableOp(mean, now)
    )");
    const std::vector<NodeId> results{served->find("y")};
    const NodeParts parts = nodeParts(*served, results);
    CHECK(partIn(*served, parts, "unused") == partName(Part::Network));
}

} // namespace lapidary
