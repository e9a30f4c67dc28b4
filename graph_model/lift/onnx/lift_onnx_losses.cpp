// SPDX-License-Identifier: Apache-2.0
// Losses for training: the distance of a network's result from the target classes.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <array>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;
using steps::both;

constexpr std::int64_t classAxis = 1;

// Returns [n, classes, ...] with 1 at the target class; 0 everywhere if that is not a class.
std::string wantedClasses(LiftDraft& d, const std::string& x, const std::string& target,
                          DType dtype)
{
    const std::string classes = steps::sizeAt(d, x, dtype, classAxis, DType::Int32);
    return d.step(
        "OneHot", {target, classes, steps::scalar(d, dtype, 1), steps::scalar(d, dtype, 0)},
        {typeAttr("T", dtype), typeAttr("TI", d.type(1)), {"axis", attr::fromInt(classAxis)}});
}

// Returns the weight of each element: by its class, and 0 for the ignored one.
std::string sharesOf(LiftDraft& d, const std::string& wanted, const std::string& target,
                     std::size_t rank, DType dtype)
{
    std::string counted = wanted;
    if (d.has(2)) {
        Ints dims(rank, 1);
        dims[classAxis] = -1;
        counted = both(d, "Mul", wanted, reshaped(d, d.in(2), dtype, dims), dtype);
    }
    const std::string shares = steps::reduce(d, "Sum", counted, dtype, {classAxis}, false);
    if (!d.node().hasAttr("ignore_index"))
        return shares;
    const std::string left = steps::scalar(d, d.type(1), double(d.intAttr("ignore_index", 0)));
    const std::string isLeft = both(d, "Equal", target, left, d.type(1));
    return steps::select(d, isLeft, steps::one(d, "ZerosLike", shares, dtype), shares, dtype);
}

// Computes the loss of logarithms of probabilities, [n, classes, ...], and classes [n, ...].
std::string lossOf(LiftDraft& d, const std::string& logs, std::size_t rank, DType dtype)
{
    const std::string target = d.in(1);
    const std::string wanted = wantedClasses(d, logs, target, dtype);
    const std::string isWanted =
        both(d, "Equal", wanted, steps::scalar(d, dtype, 1), dtype); // others may be infinite
    const std::string picked =
        steps::select(d, isWanted, logs, steps::one(d, "ZerosLike", logs, dtype), dtype);
    const std::string log = steps::reduce(d, "Sum", picked, dtype, {classAxis}, false);
    const std::string shares = sharesOf(d, wanted, target, rank, dtype);
    const std::string losses = both(d, "Mul", steps::one(d, "Neg", log, dtype), shares, dtype);
    const std::string_view reduction = d.textAttr("reduction");
    if (reduction == "none")
        return losses;
    Ints axes;
    for (std::size_t axis = 0; axis + 1 < rank; ++axis)
        axes.push_back(std::int64_t(axis));
    const std::string sum = steps::reduce(d, "Sum", losses, dtype, axes, false);
    if (reduction == "sum")
        return sum;
    return both(d, "Div", sum, steps::reduce(d, "Sum", shares, dtype, axes, false), dtype);
}

bool isLifted(const LiftDraft& d)
{
    const auto shape = d.shape(0);
    const DType target = d.type(1);
    return shape && shape->dims.size() > 1 &&
           (d.type(0) == DType::Float || d.type(0) == DType::Double) &&
           (target == DType::Int32 || target == DType::Int64);
}

bool liftLoss(LiftDraft& d)
{
    if (!isLifted(d))
        return false;
    d.give({lossOf(d, d.in(0), d.shape(0)->dims.size(), d.type(0))});
    return true;
}

bool liftSoftmaxLoss(LiftDraft& d)
{
    if (!isLifted(d))
        return false;
    const DType dtype = d.type(0);
    const std::string logs = softmaxAlong(d, "LogSoftmax", d.in(0), dtype, {classAxis});
    std::vector<std::string> outputs{lossOf(d, logs, d.shape(0)->dims.size(), dtype)};
    if (d.node().attr("_output_types").types().size() > 1)
        outputs.push_back(logs);
    d.give(std::move(outputs));
    return true;
}

constexpr std::array losses = std::to_array<OnnxLift>({
    {"NegativeLogLikelihoodLoss", liftLoss},
    {"SoftmaxCrossEntropyLoss", liftSoftmaxLoss},
});

} // namespace

bool liftOnnxLoss(LiftDraft& draft)
{
    return liftFrom(losses, draft);
}

} // namespace lapidary
