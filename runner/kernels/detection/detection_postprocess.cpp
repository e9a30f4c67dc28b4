// SPDX-License-Identifier: Apache-2.0
// The custom operator TFLite_Detection_PostProcess, with which detectors for devices end: decodes
// boxes by their anchors and selects them, as TFLite's kernel does. A frozen graph that was made
// for the conversion has it as an op with the same attributes.
#include "runner/kernels/detection/suppression.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t coordinates = 4;
constexpr std::int64_t standardPerClass = 100;

struct Options {
    std::int64_t most = 0;      // largest number of detections
    std::int64_t classesOf = 0; // largest number of classes of one box
    std::int64_t perClass = 0;
    std::int64_t classes = 0;
    bool isByClass = false;
    float score = 0;
    float overlap = 0;
    std::array<float, coordinates> scales{}; // y, x, h, w
};

struct Found {
    std::size_t box = 0;
    std::size_t label = 0;
    float score = 0;
};

Result<Options> optionsOf(const KernelContext& context)
{
    constexpr std::int64_t most = 1 << 20;
    Options o{.most = context.intAttr("max_detections"),
              .classesOf = context.intAttr("max_classes_per_detection"),
              .perClass = context.intAttr("detections_per_class", standardPerClass),
              .classes = context.intAttr("num_classes"),
              .isByClass = context.boolAttr("use_regular_nms"),
              .score = context.floatAttr("nms_score_threshold"),
              .overlap = context.floatAttr("nms_iou_threshold"),
              .scales = {context.floatAttr("y_scale"), context.floatAttr("x_scale"),
                         context.floatAttr("h_scale"), context.floatAttr("w_scale")}};
    const auto isCount = [](std::int64_t count) { return count >= 1 && count <= most; };
    if (!isCount(o.most) || !isCount(o.classesOf) || !isCount(o.perClass) || !isCount(o.classes) ||
        o.most * o.classesOf > most)
        return context.error("max_detections, max_classes_per_detection, detections_per_class and "
                             "num_classes must be between 1 and " +
                             std::to_string(most));
    if (!(o.overlap > 0 && o.overlap <= 1))
        return context.error("nms_iou_threshold must be above 0 and not above 1");
    return o;
}

std::string faultOf(const KernelContext& context, const Options& o)
{
    const Value& boxes = context.input(0);
    const Value& scores = context.input(1);
    const Value& anchors = context.input(2);
    if (boxes.rank() != 3 || boxes.dim(0) != 1 || boxes.dim(2) < std::int64_t(coordinates))
        return "boxes must be [1, boxes, 4 or more], got shape " + dimsText(boxes.dims());
    const std::int64_t count = boxes.dim(1);
    if (scores.rank() != 3 || scores.dim(0) != 1 || scores.dim(1) != count ||
        scores.dim(2) < o.classes || scores.dim(2) > o.classes + 1)
        return "scores must be [1, " + std::to_string(count) + ", " + std::to_string(o.classes) +
               " or one more], got shape " + dimsText(scores.dims());
    if (anchors.rank() != 2 || anchors.dim(0) != count || anchors.dim(1) != 4)
        return "anchors must be [" + std::to_string(count) + ", 4], got shape " +
               dimsText(anchors.dims());
    return {};
}

// Returns the corners of the boxes, which are given as offsets from the anchors' centers and
// logarithms of sizes.
std::vector<float> decoded(const Value& boxes, const Value& anchors, const Options& o)
{
    const auto count = std::size_t(boxes.dim(1));
    const auto step = std::size_t(boxes.dim(2));
    const auto given = boxes.as<float>();
    const auto origin = anchors.as<float>();
    std::vector<float> corners(count * coordinates);
    for (std::size_t box = 0; box < count; ++box)
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const double size = double(origin[box * coordinates + axis + 2]);
            const auto center =
                float(double(given[box * step + axis]) / double(o.scales[axis]) * size +
                      double(origin[box * coordinates + axis]));
            const auto half = float(
                0.5 * std::exp(double(given[box * step + axis + 2]) / double(o.scales[axis + 2])) *
                size);
            corners[box * coordinates + axis] = center - half;
            corners[box * coordinates + axis + 2] = center + half;
        }
    return corners;
}

class Detector {
public:
    Detector(std::span<const float> corners, const Value& scores, const Options& o, const Job& job)
        : m_corners(corners)
        , m_options(o)
        , m_job(job)
        , m_columns(std::size_t(scores.dim(2)))
        , m_first(m_columns - std::size_t(o.classes)) // the first class after the background
        , m_scores(scores.as<float>())
    {
    }

    // Selects boxes class by class, and then the best of all.
    Result<std::vector<Found>> byClass() const
    {
        std::vector<Found> found;
        std::vector<float> own(boxes());
        for (std::size_t label = 0; label < std::size_t(m_options.classes); ++label) {
            for (std::size_t box = 0; box < own.size(); ++box)
                own[box] = score(box, label);
            ASSIGN_OR_RETURN(const auto kept,
                             staying(own, std::min(m_options.perClass, m_options.most)));
            const auto middle = std::ptrdiff_t(found.size());
            for (const std::size_t box : kept)
                found.push_back({box, label, own[box]});
            std::inplace_merge(found.begin(), found.begin() + middle, found.end(),
                               [](const Found& a, const Found& b) { return a.score > b.score; });
            found.resize(std::min(found.size(), std::size_t(m_options.most)));
        }
        return found;
    }

    // Selects boxes by their best class, and then gives each its best classes.
    Result<std::vector<Found>> byBox() const
    {
        std::vector<float> best(boxes());
        for (std::size_t box = 0; box < best.size(); ++box)
            best[box] = score(box, labelsOf(box, 1).front());
        ASSIGN_OR_RETURN(const auto kept, staying(best, m_options.most));
        std::vector<Found> found;
        for (const std::size_t box : kept)
            for (const std::size_t label : labelsOf(box, labels()))
                found.push_back({box, label, score(box, label)});
        return found;
    }

    // Returns the number of labels that one box may get.
    std::size_t labels() const
    {
        return std::size_t(std::min(m_options.classesOf, m_options.classes));
    }

private:
    std::size_t boxes() const { return m_corners.size() / coordinates; }
    float score(std::size_t box, std::size_t label) const
    {
        return m_scores[box * m_columns + m_first + label];
    }

    std::vector<std::size_t> labelsOf(std::size_t box, std::size_t count) const
    {
        std::vector<std::size_t> labels(std::size_t(m_options.classes));
        std::iota(labels.begin(), labels.end(), std::size_t(0));
        const auto isBetter = [&](auto a, auto b) { return score(box, a) > score(box, b); };
        if (count == 1)
            return {*std::ranges::min_element(labels, isBetter)};
        std::partial_sort(labels.begin(), labels.begin() + std::ptrdiff_t(count), labels.end(),
                          isBetter);
        labels.resize(count);
        return labels;
    }

    Result<std::vector<std::size_t>> staying(const std::vector<float>& scores,
                                             std::int64_t most) const
    {
        std::vector<std::size_t> order;
        for (std::size_t box = 0; box < scores.size(); ++box)
            if (scores[box] >= m_options.score)
                order.push_back(box);
        return bestApart(m_corners, scores, std::move(order), m_options.overlap, most, m_job);
    }

    std::span<const float> m_corners;
    const Options& m_options;
    const Job& m_job;
    std::size_t m_columns;
    std::size_t m_first;
    std::span<const float> m_scores;
};

Status runDetectionPostProcess(KernelContext& context)
{
    ASSIGN_OR_RETURN(const Options o, optionsOf(context));
    const std::string fault = faultOf(context, o);
    if (!fault.empty())
        return context.error(fault);
    const std::vector<float> corners = decoded(context.input(0), context.input(2), o);
    for (std::size_t at = 0; at < corners.size(); at += coordinates)
        if (corners[at] > corners[at + 2] || corners[at + 1] > corners[at + 3])
            return context.error("the box " + std::to_string(at / coordinates) +
                                 " ends before it begins: its anchor has a size below 0");
    const Detector detector(corners, context.input(1), o, context.job());
    ASSIGN_OR_RETURN(const auto found, o.isByClass ? detector.byClass() : detector.byBox());
    const std::int64_t length = o.most * o.classesOf;
    ASSIGN_OR_RETURN(auto boxes, context.makeOutput(0, DType::Float, {1, length, 4}));
    ASSIGN_OR_RETURN(auto labels, context.makeOutput(1, DType::Float, {1, length}));
    ASSIGN_OR_RETURN(auto scores, context.makeOutput(2, DType::Float, {1, length}));
    ASSIGN_OR_RETURN(auto count, context.makeOutput(3, DType::Float, {1}));
    for (Value* value : {&boxes, &labels, &scores})
        std::ranges::fill(value->mutableAs<float>(), 0.0F);
    // If a box may have several classes, entries are reserved for as many as it may have.
    const std::size_t together = o.isByClass ? 1 : detector.labels();
    const std::size_t apart = o.isByClass ? 1 : std::size_t(o.classesOf);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t at = i / together * apart + i % together;
        std::ranges::copy(std::span(corners).subspan(found[i].box * coordinates, coordinates),
                          boxes.mutableAs<float>().begin() + std::ptrdiff_t(at * coordinates));
        labels.mutableAs<float>()[at] = float(found[i].label);
        scores.mutableAs<float>()[at] = found[i].score;
    }
    const std::size_t detections = found.size() / together;
    count.mutableAs<float>()[0] = float(detections);
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(TFLite_Detection_PostProcess, runDetectionPostProcess);

} // namespace lapidary
