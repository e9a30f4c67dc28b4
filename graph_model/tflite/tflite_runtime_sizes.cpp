// SPDX-License-Identifier: Apache-2.0
// Operators whose outputs have sizes that are only known in a run, and random numbers.
#include "graph_model/tflite/tflite_draft.h"
#include "graph_model/tflite/tflite_schema.h"

#include <vector>

namespace lapidary {
namespace {

using Kind = PortableKind;

std::int32_t oneFloat(TfliteDraft& draft, const PortableOperation& o, std::string_view what,
                      float value)
{
    PortableTensor like;
    like.name = besides(draft, o, what);
    return draft.addConstant(like, {}, bytesOf({value}));
}

// The count is a single number, given or computed.
void appendTopK(TfliteDraft& draft, const PortableOperation& o)
{
    const std::int32_t count = o.input(1) == noTensor
                                   ? draft.addInt(besides(draft, o, "count"), o.parameters.count)
                                   : draft.place(o.inputs[1]);
    draft.append({.code = 48,
                  .optionsType = 34,
                  .inputs = {draft.place(o.inputs[0]), count},
                  .outputs = draft.places(o.outputs)});
}

// Appends a slice of the first `count` elements of `padded`.
void appendFirst(TfliteDraft& draft, const PortableOperation& o, std::int32_t padded,
                 std::int32_t count, TensorIndex output)
{
    PortableTensor number;
    number.dtype = DType::Int32;
    const std::int32_t size = draft.addComputed(number, besides(draft, o, "size"), {1});
    draft.append({.code = 22,
                  .inputs = {count, draft.addInts(besides(draft, o, "one_number"), {1})},
                  .outputs = {size}});
    draft.append({.code = 65,
                  .optionsType = 48,
                  .inputs = {padded, draft.addInts(besides(draft, o, "begin"), {0}), size},
                  .outputs = {draft.place(output)}});
}

// The operator pads up to the maximum number of indices, and returns their actual number.
void appendSuppression(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const bool hasScores = o.outputs.size() == 3;
    std::vector<std::int32_t> inputs = draft.places(o.inputs);
    inputs.push_back(draft.addInt(besides(draft, o, "most"), p.count));
    inputs.push_back(oneFloat(draft, o, "overlap", p.overlap));
    inputs.push_back(oneFloat(draft, o, "least_score", p.leastScore));
    if (hasScores)
        inputs.push_back(oneFloat(draft, o, "sigma", p.sigma));
    std::vector<std::int32_t> outputs;
    const std::size_t lists = hasScores ? 2 : 1;
    for (std::size_t port = 0; port < lists; ++port)
        outputs.push_back(p.padsToCount
                              ? draft.place(o.outputs[port])
                              : draft.addComputed(draft.portable(o.outputs[port]),
                                                  draft.portable(o.outputs[port]).name + "/padded",
                                                  {p.count}));
    if (o.outputs.size() > 1) {
        outputs.push_back(draft.place(o.outputs.back()));
    } else {
        PortableTensor number;
        number.dtype = DType::Int32;
        outputs.push_back(draft.addComputed(number, besides(draft, o, "found"), {}));
    }
    draft.append({.code = hasScores ? 121 : 120,
                  .optionsType = std::uint8_t(hasScores ? 96 : 95),
                  .inputs = std::move(inputs),
                  .outputs = outputs});
    for (std::size_t port = 0; port < lists && !p.padsToCount; ++port)
        appendFirst(draft, o, outputs[port], outputs.back(), o.outputs[port]);
}

// This is a custom operator whose options are a map.
void appendDetection(TfliteDraft& draft, const PortableOperation& o)
{
    const PortableParameters& p = o.parameters;
    const PortableDetection& detection = p.detection;
    TfliteOperator op{.code = tflite_schema::customBuiltin,
                      .customCode = "TFLite_Detection_PostProcess"};
    op.customOptions = {{"detections_per_class", detection.perClass},
                        {"h_scale", double(detection.scales[2])},
                        {"max_classes_per_detection", detection.classesOf},
                        {"max_detections", p.count},
                        {"nms_iou_threshold", double(p.overlap)},
                        {"nms_score_threshold", double(p.leastScore)},
                        {"num_classes", detection.classes},
                        {"use_regular_nms", detection.isByClass},
                        {"w_scale", double(detection.scales[3])},
                        {"x_scale", double(detection.scales[1])},
                        {"y_scale", double(detection.scales[0])}};
    op.inputs = draft.places(o.inputs);
    op.outputs = draft.places(o.outputs);
    draft.append(std::move(op));
}

void appendPlain(TfliteDraft& draft, const PortableOperation& o, TfliteOperator op)
{
    op.inputs = draft.places(o.inputs);
    op.outputs = draft.places(o.outputs);
    draft.append(std::move(op));
}

} // namespace

void appendTfliteRuntimeSize(TfliteDraft& draft, const PortableOperation& o)
{
    switch (o.kind) {
    case Kind::TopK: appendTopK(draft, o); break;
    case Kind::NonMaxSuppression: appendSuppression(draft, o); break;
    case Kind::DetectionPostProcess: appendDetection(draft, o); break;
    case Kind::Fill: appendPlain(draft, o, {.code = 94, .optionsType = 68}); break;
    case Kind::Range: appendPlain(draft, o, {.code = 96, .optionsType = 73}); break;
    case Kind::RandomNormal: appendPlain(draft, o, {.code = 146, .optionsType = 114}); break;
    case Kind::Where: appendPlain(draft, o, {.code = 109, .optionsType = 85}); break;
    case Kind::RandomUniform: appendPlain(draft, o, {.code = 148, .optionsType = 114}); break;
    default:
        appendPlain(draft, o,
                    {.code = 77,
                     .optionsType = 55,
                     .options = {byteOption(
                         0, tfliteType(draft.portable(o.outputs[0]).dtype).value_or(0))}});
    }
}

} // namespace lapidary
