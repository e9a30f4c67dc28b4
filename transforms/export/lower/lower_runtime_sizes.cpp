// SPDX-License-Identifier: Apache-2.0
// Ops whose outputs have sizes that are known only in a run, ops that ask for sizes, and random
// numbers.
#include "transforms/export/lower/lowering.h"

#include <array>
#include <limits>

namespace lapidary {
namespace {

using Kind = PortableKind;

Status shape(LowerNode& n)
{
    n.emit(Kind::Shape, {n.input(0)});
    return Done{};
}

Status size(LowerNode& n)
{
    const TensorIndex sizes = n.between("sizes", n.outputType(), {n.rank(0)});
    n.emit(Kind::Shape, {n.input(0)}, {sizes});
    n.emit(Kind::ReduceProd, {sizes}).parameters.axes = {0};
    return Done{};
}

Status range(LowerNode& n)
{
    n.emit(Kind::Range, n.inputs(0, 3));
    return Done{};
}

Result<float> oneFloat(LowerNode& n, std::size_t slot, std::string_view what)
{
    ASSIGN_OR_RETURN(const std::vector<float> values, n.floats(slot, what));
    if (values.size() != 1)
        return Error{ErrorCode::Unsupported,
                     "its " + std::string(what) + " is not a single number"};
    return values.front();
}

// Later versions take limits as inputs: the overlap from V2 on, the least score from V3 on, the
// sigma from V5 on.
Status suppress(LowerNode& n)
{
    if (n.tensor(n.input(0)).dtype != DType::Float)
        return Error{ErrorCode::Unsupported, "its boxes are not float"};
    PortableParameters p;
    ASSIGN_OR_RETURN(p.count, n.oneInt(2, "number of boxes"));
    p.overlap = n.floatAttr("iou_threshold", 0.5F);
    p.leastScore = std::numeric_limits<float>::lowest();
    if (n.inputCount() > 3) {
        ASSIGN_OR_RETURN(p.overlap, oneFloat(n, 3, "overlap"));
    }
    if (n.inputCount() > 4) {
        ASSIGN_OR_RETURN(p.leastScore, oneFloat(n, 4, "least score"));
    }
    if (n.inputCount() > 5) {
        ASSIGN_OR_RETURN(p.sigma, oneFloat(n, 5, "sigma"));
    }
    if (p.sigma != 0 && n.target() == ExportTarget::Onnx)
        return Error{ErrorCode::Unsupported,
                     "it lowers the scores of boxes that overlap (soft_nms_sigma), ONNX does not"};
    p.padsToCount = n.boolAttr("pad_to_max_output_size", false);
    std::vector<TensorIndex> outputs;
    for (std::size_t port = 0; port < n.outputCount(); ++port)
        outputs.push_back(n.output(port));
    n.emit(Kind::NonMaxSuppression, n.inputs(0, 2), std::move(outputs)).parameters = p;
    return Done{};
}

template <Kind kind>
Status random(LowerNode& n)
{
    if (n.outputType() != DType::Float)
        return Error{ErrorCode::Unsupported, "it makes " + dtypeName(n.outputType()) +
                                                 ", and the formats have it for float only"};
    n.emit(kind, {n.input(0)});
    return Done{};
}

Status where(LowerNode& n)
{
    if (n.rank(0) == 0)
        return Error{ErrorCode::Unsupported, "it looks for places in a single number"};
    n.emit(Kind::Where, {n.input(0)});
    return Done{};
}

// Lowers the op that graphs of detectors get for TFLite, which has it as a custom operator.
Status detect(LowerNode& n)
{
    if (n.target() == ExportTarget::Onnx)
        return Error{ErrorCode::Unsupported, "it is a custom operator of TFLite, ONNX has none; "
                                             "take the boxes and scores in front of it"};
    PortableParameters p;
    p.count = n.intAttr("max_detections", 0);
    p.leastScore = n.floatAttr("nms_score_threshold", 0);
    p.overlap = n.floatAttr("nms_iou_threshold", 0);
    p.detection = {.classesOf = n.intAttr("max_classes_per_detection", 1),
                   .perClass = n.intAttr("detections_per_class", 100),
                   .classes = n.intAttr("num_classes", 0),
                   .isByClass = n.boolAttr("use_regular_nms", false),
                   .scales = {n.floatAttr("y_scale", 1), n.floatAttr("x_scale", 1),
                              n.floatAttr("h_scale", 1), n.floatAttr("w_scale", 1)}};
    std::vector<TensorIndex> outputs;
    for (std::size_t port = 0; port < n.outputCount(); ++port)
        outputs.push_back(n.output(port));
    n.emit(Kind::DetectionPostProcess, n.inputs(0, 3), std::move(outputs)).parameters = p;
    return Done{};
}

constexpr std::string_view constantLimits = "constant limits, float";

constexpr std::array rows{
    forAnySize({"NonMaxSuppression", suppress, "NonMaxSuppression", constantLimits}),
    forAnySize({"NonMaxSuppressionV2", suppress, "NonMaxSuppression", constantLimits}),
    forAnySize({"NonMaxSuppressionV3", suppress, "NonMaxSuppression", constantLimits}),
    forAnySize({"NonMaxSuppressionV4", suppress, "NonMaxSuppression", constantLimits}),
    forAnySize({"NonMaxSuppressionV5", suppress, "NonMaxSuppression",
                "constant limits, float; ONNX: no sigma"}),
    LowerRow{"RandomStandardNormal", random<Kind::RandomNormal>, "RandomNormal",
             "float, constant sizes; other numbers"},
    LowerRow{"RandomUniform", random<Kind::RandomUniform>, "RandomUniform",
             "float, constant sizes; other numbers"},
    forAnySize({"Range", range, "Range"}),
    forAnySize({"Shape", shape, "Shape"}),
    forAnySize({"Size", size, "Shape, ReduceProd"}),
    LowerRow{"TFLite_Detection_PostProcess", detect, "DetectionPostProcess", "TFLite only"},
    forAnySize({"Where", where, "Where"}),
};

} // namespace

std::span<const LowerRow> lowerRuntimeSizeRows()
{
    return rows;
}

} // namespace lapidary
