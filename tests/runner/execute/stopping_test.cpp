// SPDX-License-Identifier: Apache-2.0
// Kernels that would take minutes return when their job is canceled.
#include "runner/guard/run_guard.h"
#include "runner/kernels/kernel.h"
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <any>
#include <stop_token>

namespace lapidary {
namespace {

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

// Boxes that overlap by less than the limit: each is compared with all chosen ones.
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

// Each kernel runs long enough to check its job.
std::vector<Long> longOnes()
{
    const NodeAttrs doubles{{"T", attr::fromType(DType::Double)}};
    std::vector<Long> all;
    all.push_back({"MatrixInverse", {diagonalHeavy(600)}, doubles});
    all.push_back({"Cholesky", {diagonalHeavy(600)}, doubles});
    all.push_back({"MatMul",
                   {rampOf<float>({2000, 2000}, 0, 1e-6), rampOf<float>({2000, 2000}, 0, 1e-6)},
                   floats()});
    all.push_back({"NonMaxSuppression",
                   {boxes(20'000), rampOf<float>({20'000}), scalarOf<std::int32_t>(20'000)},
                   {{"iou_threshold", attr::fromFloat(0.9F)}}});
    all.push_back({"CTCBeamSearchDecoder",
                   {rampOf<float>({30, 1, 1000}, 0, 1e-5), valueOf<std::int32_t>({1}, {30})},
                   {{"beam_width", attr::fromInt(1000)}, {"top_paths", attr::fromInt(1)}}});
    return all;
}

// Calls only the kernel, because the executor would check the job between nodes.
Status runCancelled(const Long& one)
{
    NodeDraft draft;
    draft.name = "y";
    draft.op = one.op;
    for (const auto& [name, value] : one.attrs)
        draft.setAttr(name, value);
    const NodePtr node = draft.finish();
    std::stop_source source;
    source.request_stop();
    const Job job(source.get_token());
    SessionState session(std::uint64_t(4) << 30);
    std::any state;
    const CallFunction noCalls;
    std::vector<Value> inputs = one.inputs;
    std::vector<Value> outputs(4);
    KernelContext context(*node, inputs, outputs, session, state, job, noCalls);
    const RunGuard guard(std::uint64_t(4) << 30, heap::bytesInUse(), job);
    return runChecked(*findKernel(one.op), context);
}

} // namespace

TEST_CASE("long kernels leave when their job is cancelled", "[stopping]")
{
    for (const Long& one : longOnes()) {
        INFO(one.op);
        const Status status = runCancelled(one);
        REQUIRE_FALSE(status);
        CHECK(status.error().code == ErrorCode::Cancelled);
    }
}

} // namespace lapidary
