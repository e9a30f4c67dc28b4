// SPDX-License-Identifier: Apache-2.0
#include "graph_model/targets/kernel_classes.h"
#include "graph_model/targets/selective_header.h"
#include "tests/catch.h"

namespace lapidary {
namespace {

NodePtr node(const char* op, const std::vector<std::pair<std::string, AttrBytes>>& attrs,
             const char* device = "")
{
    NodeDraft draft;
    draft.name = "n";
    draft.op = op;
    draft.device = device;
    draft.attrs = attrs;
    return draft.finish();
}

AttrBytes type(DType dtype)
{
    return attr::fromType(dtype);
}

} // namespace

TEST_CASE("a node's kernel is that of its types, label and device", "[targets]")
{
    const KernelClasses kernels;
    CHECK(kernels.size() > 6000);
    const auto name = [&](const NodePtr& of) {
        const KernelClass* kernel = kernels.kernelOf(*of);
        return kernel == nullptr ? std::string("none") : std::string(kernel->name);
    };
    CHECK(name(node("MatMul", {{"T", type(DType::Double)}})) ==
          "MatMulOp<CPUDevice, double, false >");
    CHECK(name(node("MatMul", {{"T", type(DType::String)}})) == "none");
    CHECK(name(node("MatMul", {{"T", type(DType::Float)}}, "/device:GPU:0")) == "none");
    CHECK(name(node("MatMul", {{"T", type(DType::Float)}}, "/job:w/task:1/cpu:0")) ==
          "MatMulOp<CPUDevice, float, false >");
    CHECK(name(node("Placeholder", {{"dtype", type(DType::Float)}}, "/gpu:0")) == "PlaceholderOp");
    CHECK(name(node("MatMul", {{"T", type(DType::Float)},
                               {"_kernel", attr::fromString("no such label")}})) == "none");
    CHECK(name(node("Max", {{"T", type(DType::Float)}})) ==
          "ReductionOp<CPUDevice, float, int32, Eigen::internal::MaxReducer<float>>"); // Tidx
    CHECK(name(node("NoSuchOp", {})) == "none");
}

TEST_CASE("kernels that are named must be pairs", "[targets]")
{
    NeededKernels needed;
    CHECK(addNamedKernels(defaultKernels, needed).ok());
    CHECK(needed.pairs.size() == 3);
    const Status alone = addNamedKernels("NoOp", needed);
    REQUIRE_FALSE(alone.ok());
    CHECK(alone.error().message == "'NoOp' is not an op and its kernel; write OP:KERNEL");
}

TEST_CASE("devices tell their type", "[targets]")
{
    CHECK(deviceType("") == "CPU");
    CHECK(deviceType("/cpu:0") == "CPU");
    CHECK(deviceType("/device:GPU:1") == "GPU");
    CHECK(deviceType("/job:worker/replica:0/task:3/device:TPU:0") == "TPU");
    CHECK(deviceType("/job:worker") == "CPU");
}

} // namespace lapidary
