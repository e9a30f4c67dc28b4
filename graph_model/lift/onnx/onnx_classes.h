// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Helpers for the operators of ai.onnx.ml, which hold models of other kinds than networks.
namespace lapidary {

// The names or the numbers of classes, of keys, or of categories.
struct LabelList {
    DType dtype = DType::Invalid; // Int64, String or Float
    std::vector<std::int64_t> numbers = {};
    std::vector<std::string> texts = {};
    std::vector<float> reals = {};

    std::size_t size() const { return numbers.size() + texts.size() + reals.size(); }
};

// Reads the first of these attributes that the node has; nothing where it has none.
std::optional<LabelList> labelsOf(const LiftDraft& draft, std::string_view numbers,
                                  std::string_view texts, std::string_view reals = {});
// Makes a constant of labels, and one of texts.
std::string labelConstant(LiftDraft& draft, const LabelList& labels);
std::string textList(LiftDraft& draft, const LiftDraft::Ints& dims,
                     const std::vector<std::string>& texts);

// Returns features as floats; empty where no kernel of a runtime takes their type.
std::string featuresOf(LiftDraft& draft, std::size_t slot);

// Transforms the scores of a model as its attribute post_transform says; empty where that is not
// lifted.
std::string scoresAfter(LiftDraft& draft, const std::string& scores);

// How the scores of two classes are made of one, as runtimes make them.
enum class ScorePair : std::uint8_t {
    Opposite, // -score, score
    Rest,     // 1 - score, score
    Apart,    // 0, score; each transformed by itself
};

// The scores of a classifier: [rows, classes], or [rows, 1] of the second of two classes.
struct ClassScores {
    std::string tensor;
    std::size_t columns = 0;
    float threshold = 0; // of one column: above it the second class is chosen
    ScorePair pair = ScorePair::Rest;
};

// Gives the labels and the scores [rows, classes] of a classifier. Returns false where the scores
// do not fit the labels, or their transform is not lifted.
bool giveClasses(LiftDraft& draft, const LabelList& labels, const ClassScores& scores);

} // namespace lapidary
