// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Helpers for the operators of ai.onnx.ml, which are models of other kinds than networks.
namespace lapidary {

// The names or the numbers of classes, of keys, or of categories.
struct LabelList {
    DType dtype = DType::Invalid; // Int64, String or Float
    std::vector<std::int64_t> numbers = {};
    std::vector<std::string> texts = {};
    std::vector<float> reals = {};

    std::size_t size() const { return numbers.size() + texts.size() + reals.size(); }
};

// Reads the first of these attributes that the node has; nothing if it has none.
std::optional<LabelList> labelsOf(const LiftDraft& draft, std::string_view numbers,
                                  std::string_view texts, std::string_view reals = {});
// Make a constant of labels, and one of texts.
std::string labelConstant(LiftDraft& draft, const LabelList& labels);
std::string textList(LiftDraft& draft, const LiftDraft::Ints& dims,
                     const std::vector<std::string>& texts);

// Returns features as floats; empty if no kernel of a runtime accepts their type.
std::string featuresOf(LiftDraft& draft, std::size_t slot);

// Transforms the scores of a model by its attribute post_transform; empty if that is not lifted.
std::string scoresAfter(LiftDraft& draft, const std::string& scores);

// The way runtimes compute the scores of two classes from one.
enum class ScorePair : std::uint8_t {
    Opposite, // -score, score
    Rest,     // 1 - score, score
    Apart,    // 0, score; each transformed by itself
};

// The scores of a classifier: [rows, classes], or [rows, 1] for the second of two classes.
struct ClassScores {
    std::string tensor;
    std::size_t columns = 0;
    float threshold = 0; // for one column: above it the second class is chosen
    ScorePair pair = ScorePair::Rest;
};

// Sets the labels and the scores [rows, classes] as outputs of a classifier. Returns false if the
// scores do not fit the labels, or if their transform is not lifted.
bool giveClasses(LiftDraft& draft, const LabelList& labels, const ClassScores& scores);

} // namespace lapidary
