// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the operators of ai.onnx.ml, which hold models of other kinds than networks, have in common.
namespace lapidary {

// The names or the numbers of classes, of keys, or of categories.
struct LabelList {
    DType dtype = DType::Invalid; // Int64, String or Float
    std::vector<std::int64_t> numbers = {};
    std::vector<std::string> texts = {};
    std::vector<float> reals = {};

    std::size_t size() const { return numbers.size() + texts.size() + reals.size(); }
};

// The attribute of those that the node has; nothing where it has none.
std::optional<LabelList> labelsOf(const LiftDraft& draft, std::string_view numbers,
                                  std::string_view texts, std::string_view reals = {});
// A constant of them.
std::string labelConstant(LiftDraft& draft, const LabelList& labels);
std::string textList(LiftDraft& draft, const LiftDraft::Ints& dims,
                     const std::vector<std::string>& texts);

// Features as floats; empty where no kernel of a runtime takes their type.
std::string featuresOf(LiftDraft& draft, std::size_t slot);

// What becomes of the scores of a model, as its attribute post_transform says; empty where that is
// not lifted.
std::string scoresAfter(LiftDraft& draft, const std::string& scores);

// How the scores of two classes are made of one, as runtimes make them.
enum class ScorePair : std::uint8_t {
    Opposite, // -score, score
    Rest,     // 1 - score, score
    Apart,    // 0, score; each transformed by itself
};

// Gives the labels and the scores [rows, classes] of a classifier. `scores`: [rows, classes], or
// [rows, 1] of the second of two classes, which is chosen above `threshold`. False where that is
// not lifted.
bool giveClasses(LiftDraft& draft, const LabelList& labels, const std::string& scores,
                 std::size_t columns, float threshold, ScorePair pair);

} // namespace lapidary
