// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lapidary {

// The class that stands for nothing at all: of scores for every class, as SSD and DETR have them.
enum class NoObject { None, First, Last };

// What scores are.
enum class ScoreKind {
    Plain,   // as they are shown
    Sigmoid, // each alone goes through a sigmoid
    Softmax, // those of a box together
};

struct BoxScore {
    double score = 0;
    std::int64_t ofClass = 0;
};

// The scores of the boxes of one element of a batch: [.., boxes], or with one for each class
// [.., boxes, classes] or [.., classes, boxes].
class ScoreReader {
public:
    // Whether scores of this shape fit so many boxes.
    static bool fits(const Shape& shape, std::int64_t boxes);
    // Errors: a shape that does not fit, and types without numbers. Scores outside of 0 and 1 are
    // taken for logits. Where a first or last class is sure of more than half of the boxes, and
    // there are many, it stands for nothing: most places of a picture hold no object. `chosen` is
    // what it is instead.
    static Result<ScoreReader> make(const Tensor& tensor, std::int64_t boxes,
                                    std::optional<NoObject> chosen);

    BoxScore best(std::int64_t box) const; // of all classes but that of nothing
    std::int64_t classes() const { return m_classes; }
    NoObject noObject() const { return m_noObject; }
    ScoreKind kind() const { return m_kind; }
    bool areSorted() const; // one for each box, the best first: the detector has chosen among them

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
