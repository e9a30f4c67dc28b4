// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/onnx/onnx_classes.h"

#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"

#include <cstring>

namespace lapidary {

std::optional<LabelList> labelsOf(const LiftDraft& d, std::string_view numbers,
                                  std::string_view texts, std::string_view reals)
{
    const Node& node = d.node();
    LabelList labels;
    if (node.hasAttr(numbers) && !node.attr(numbers).ints().empty()) {
        labels.dtype = DType::Int64;
        labels.numbers = node.attr(numbers).ints();
    } else if (node.hasAttr(texts) && !node.attr(texts).strings().empty()) {
        labels.dtype = DType::String;
        for (const std::string_view text : node.attr(texts).strings())
            labels.texts.emplace_back(text);
    } else if (!reals.empty() && node.hasAttr(reals)) {
        labels.dtype = DType::Float;
        labels.reals = node.attr(reals).floats();
    }
    return labels.size() > 0 ? std::optional(std::move(labels)) : std::nullopt;
}

std::string textList(LiftDraft& d, const LiftDraft::Ints& dims,
                     const std::vector<std::string>& texts)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(DType::String));
    writer.bytes(2, encodeShape({dims, false}));
    for (const std::string& text : texts)
        writer.bytes(8, text);
    return d.step("Const", {},
                  {typeAttr("dtype", DType::String), {"value", attr::fromTensorProto(proto)}});
}

std::string labelConstant(LiftDraft& d, const LabelList& labels)
{
    const LiftDraft::Ints dims{std::int64_t(labels.size())};
    if (labels.dtype == DType::Int64)
        return d.longList(labels.numbers);
    return labels.dtype == DType::String ? textList(d, dims, labels.texts)
                                         : d.floatList(dims, labels.reals);
}

std::string featuresOf(LiftDraft& d, std::size_t slot)
{
    const DType dtype = d.type(slot);
    if (dtype != DType::Float && dtype != DType::Int32 && dtype != DType::Int64)
        return {};
    return steps::cast(d, d.in(slot), dtype, DType::Float);
}

std::string scoresAfter(LiftDraft& d, const std::string& scores)
{
    const std::string_view how = d.textAttr("post_transform");
    if (how.empty() || how == "NONE")
        return scores;
    if (how == "SOFTMAX")
        return steps::one(d, "Softmax", scores);
    return how == "LOGISTIC" ? steps::one(d, "Sigmoid", scores) : std::string();
}

namespace {

// Computes the scores of both classes from that of one; empty if the transform is not lifted.
std::string pairOf(LiftDraft& d, const std::string& score, ScorePair pair)
{
    const std::string_view how = d.textAttr("post_transform");
    if (how == "PROBIT")
        return {};
    if (pair == ScorePair::Apart)
        return scoresAfter(
            d, steps::concat(d, {steps::one(d, "ZerosLike", score), score}, 1, DType::Float));
    std::string other = steps::one(d, "Neg", score);
    if (how == "LOGISTIC")
        return scoresAfter(d, steps::concat(d, {other, score}, 1, DType::Float));
    if (pair == ScorePair::Rest)
        other = steps::both(d, "AddV2", d.oneFloat(1), other);
    return steps::concat(d, {other, score}, 1, DType::Float);
}

} // namespace

bool giveClasses(LiftDraft& d, const LabelList& labels, const ClassScores& scores)
{
    std::string places;
    std::string made;
    if (scores.columns == 1 && labels.size() == 2) {
        const std::string isSecond =
            steps::both(d, "Greater", scores.tensor, d.oneFloat(scores.threshold));
        const std::string second =
            d.step("Squeeze", {isSecond},
                   {typeAttr("T", DType::Bool), {"squeeze_dims", attr::fromInts({1})}});
        places = steps::cast(d, second, DType::Bool, DType::Int64);
        made = pairOf(d, scores.tensor, scores.pair);
    } else if (scores.columns == labels.size()) {
        places = d.step("ArgMax", {scores.tensor, d.oneInt(1)},
                        {typeAttr("T", DType::Float), typeAttr("Tidx", DType::Int32),
                         typeAttr("output_type", DType::Int64)});
        made = scoresAfter(d, scores.tensor);
    }
    if (made.empty())
        return false;
    const std::string chosen =
        steps::gather(d, labelConstant(d, labels), labels.dtype, places, DType::Int64, 0);
    d.give({chosen, made});
    return true;
}

} // namespace lapidary
