// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lapidary {

// The position of the class that means "no object", which SSD and DETR have among their classes.
enum class NoObject { None, First, Last };

// The function that makes probabilities of scores.
enum class ScoreKind {
    Plain,   // they are probabilities
    Sigmoid, // of each score alone
    Softmax, // of all scores of a box
};

struct BoxScore {
    double score = 0;
    std::int64_t ofClass = 0;
};

// The scores of the boxes of one element of a batch: [.., boxes], or with one for each class
// [.., boxes, classes] or [.., classes, boxes].
class ScoreReader {
public:
    // Returns whether scores of this shape fit so many boxes.
    static bool fits(const Shape& shape, std::int64_t boxes);
    // Errors: a shape that does not fit, and types without numbers. Scores outside of 0 and 1 are
    // taken for logits. Where the first or last class is sure of more than half of many boxes, it
    // means "no object", because most of a picture holds none. `chosen` overrides that.
    static Result<ScoreReader> make(const Tensor& tensor, std::int64_t boxes,
                                    std::optional<NoObject> chosen);

    BoxScore best(std::int64_t box) const; // of all classes but "no object"
    std::int64_t classes() const { return m_classes; }
    NoObject noObject() const { return m_noObject; }
    ScoreKind kind() const { return m_kind; }
    // Returns whether there is one score for each box, the best first: the detector has selected
    // the boxes itself.
    bool areSorted() const;

private:
    double at(std::int64_t box, std::int64_t ofClass) const;
    void makeProbable(ScoreKind kind);
    NoObject classOfNothing() const;

    std::vector<double> m_numbers;
    std::int64_t m_boxes = 0;
    std::int64_t m_classes = 1;
    std::int64_t m_boxStep = 1;
    std::int64_t m_classStep = 1;
    NoObject m_noObject = NoObject::None;
    ScoreKind m_kind = ScoreKind::Plain;
};

} // namespace lapidary
