// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lapidary {

// The position of the class "no object" among the classes of SSD and DETR.
enum class NoObject { None, First, Last };

// The function that turns scores into probabilities.
enum class ScoreKind {
    Plain,   // the scores are probabilities already
    Sigmoid, // for each score alone
    Softmax, // over all scores of a box
};

struct BoxScore {
    double score = 0;
    std::int64_t ofClass = 0;
};

// The scores of the boxes of one element of a batch: one for each box [.., boxes], or one for each
// class [.., boxes, classes] or [.., classes, boxes].
class ScoreReader {
public:
    // Returns whether the shape fits scores of this number of boxes.
    static bool fits(const Shape& shape, std::int64_t boxes);
    // Errors: a shape that does not fit, and types without numbers. If there are scores outside of
    // [0, 1], they are taken for logits. If there are many boxes and the first or last class has a
    // high probability in more than half of them, it means "no object", because most of a picture
    // contains none. `chosen` overrides that.
    static Result<ScoreReader> make(const Tensor& tensor, std::int64_t boxes,
                                    std::optional<NoObject> chosen);

    BoxScore best(std::int64_t box) const; // of all classes except "no object"
    std::int64_t classes() const { return m_classes; }
    NoObject noObject() const { return m_noObject; }
    ScoreKind kind() const { return m_kind; }
    // Returns whether there is one score for each box, sorted with the best first, as by a detector
    // that has selected the boxes itself.
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
