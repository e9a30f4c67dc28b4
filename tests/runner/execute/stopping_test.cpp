// SPDX-License-Identifier: Apache-2.0
// Kernels that would take minutes end soon after their job was cancelled.
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <chrono>
#include <cmath>
#include <stop_token>
#include <thread>

namespace lapidary {
namespace {

using namespace std::chrono_literals;

struct Long {
    std::string op;
    std::vector<Value> inputs;
    NodeAttrs attrs = {};
};

NodeAttrs floats(NodeAttrs attrs = {})
{
    attrs.emplace_back("T", attr::fromType(DType::Float));
    return attrs;
}

// Boxes that all overlap less than the limit: each is compared with all that were chosen.
Value boxes(std::int64_t count)
{
    Value value = emptyValue(DType::Float, {count, 4});
    const auto all = value.mutableAs<float>();
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t k = 0; k < 4; ++k)
            all[std::size_t(4 * i + k)] = float(2 * i) + (k < 2 ? 0.0F : 1.0F);
    return value;
}

// A matrix far from singular.
Value diagonalHeavy(std::int64_t size)
{
    Value value = rampOf<double>({size, size}, 0, 1e-7);
    for (std::int64_t i = 0; i < size; ++i)
        value.mutableAs<double>()[std::size_t(i * size + i)] += 10;
    return value;
}

// Each takes more than ten seconds on any machine of these years.
std::vector<Long> longOnes()
{
    const NodeAttrs doubles{{"T", attr::fromType(DType::Double)}};
    std::vector<Long> all;
    all.push_back({"MatrixInverse", {diagonalHeavy(4000)}, doubles});
    all.push_back({"Cholesky", {diagonalHeavy(5000)}, doubles});
    all.push_back({"MatMul",
                   {rampOf<float>({16000, 8000}, 0, 1e-6), rampOf<float>({8000, 16000}, 0, 1e-6)},
                   floats()});
    all.push_back({"NonMaxSuppression",
                   {boxes(400'000), rampOf<float>({400'000}), scalarOf<std::int32_t>(400'000)},
                   {{"iou_threshold", attr::fromFloat(0.9F)}}});
    all.push_back({"CTCBeamSearchDecoder",
                   {rampOf<float>({300, 1, 3000}, 0, 1e-5), valueOf<std::int32_t>({1}, {300})},
                   {{"beam_width", attr::fromInt(1'000'000)}, {"top_paths", attr::fromInt(1)}}});
    return all;
}

} // namespace

TEST_CASE("a cancelled job leaves long kernels", "[stopping]")
{
    for (const Long& one : longOnes()) {
        INFO(one.op);
        Graph::Parts parts;
        RunRequest request;
        NodeDraft node;
        node.name = "y";
        node.op = one.op;
        for (const auto& [name, value] : one.attrs)
            node.setAttr(name, value);
        for (std::size_t i = 0; i < one.inputs.size(); ++i) {
            NodeDraft source;
            source.name = "x" + std::to_string(i);
            source.op = "Placeholder";
            source.setAttr("dtype", attr::fromType(one.inputs[i].dtype()));
            parts.nodes.push_back(source.finish());
            node.inputs.push_back(source.name);
            request.feeds.emplace_back(source.name, one.inputs[i]);
        }
        parts.nodes.push_back(node.finish());
        request.targets.emplace_back("y");
        Session session(Graph::make(std::move(parts)), {.memoryLimit = std::uint64_t(8) << 30});
        std::stop_source source;
        std::chrono::steady_clock::time_point asked;
        const std::jthread canceller([&] {
            std::this_thread::sleep_for(200ms);
            asked = std::chrono::steady_clock::now();
            source.request_stop();
        });
        const auto answer = session.run(request, Job(source.get_token()));
        REQUIRE_FALSE(answer);
        INFO(answer.error().message);
        CHECK(answer.error().code == ErrorCode::Cancelled);
        // Loaded machines and sanitizers are slow; without the looks it would be ten seconds more.
        CHECK(std::chrono::steady_clock::now() - asked < 5s);
    }
}

} // namespace lapidary
