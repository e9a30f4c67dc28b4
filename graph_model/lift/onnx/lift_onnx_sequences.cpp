// SPDX-License-Identifier: Apache-2.0
// Sequences of known lengths: readers get their elements.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"
#include "graph_model/onnx/onnx_model.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

constexpr std::int64_t mostInSequence = 4096; // each becomes a tensor of the graph

// Keeps the operator for readers of the sequence itself, which is not a tensor.
bool hold(LiftDraft& d, LiftedSequence sequence)
{
    if (!d.sequences().add(d.node().name(), std::move(sequence)))
        return false;
    d.refuse();
    return true;
}

const LiftedSequence* sequenceAt(LiftDraft& d, std::size_t slot)
{
    return d.sequences().find(d.stored(slot));
}

// Returns the index in a slot; a negative one counts from the end, and the default is the last one.
std::optional<std::int64_t> placeAt(const LiftDraft& d, std::size_t slot, std::size_t count,
                                    bool isNew)
{
    const auto size = std::int64_t(count);
    if (!d.has(slot))
        return isNew ? size : size - 1;
    const auto given = d.ints(slot);
    if (!given || given->size() != 1)
        return std::nullopt;
    const std::int64_t place = given->front() < 0 ? given->front() + size : given->front();
    const bool isWithin = place >= 0 && (place < size || (isNew && place == size));
    return isWithin ? std::optional(place) : std::nullopt;
}

bool holdEmpty(LiftDraft& d)
{
    constexpr std::int64_t floatOfOnnx = 1;
    return hold(d, {{}, dtypeOfOnnx(std::int32_t(d.intAttr("dtype", floatOfOnnx)))});
}

bool holdAll(LiftDraft& d)
{
    LiftedSequence made{{}, d.state(0).dtype};
    for (std::size_t slot = 0; slot < d.slots(); ++slot)
        made.elements.push_back(d.stored(slot));
    return hold(d, std::move(made));
}

bool holdInserted(LiftDraft& d)
{
    const LiftedSequence* before = sequenceAt(d, 0);
    const auto place =
        before == nullptr ? std::nullopt : placeAt(d, 2, before->elements.size(), true);
    if (!place || !d.sequences().hasRoom(*before))
        return false;
    LiftedSequence made = *before;
    made.elements.insert(made.elements.begin() + *place, d.stored(1));
    if (made.elements.size() == 1)
        made.dtype = d.state(1).dtype;
    return hold(d, std::move(made));
}

bool holdErased(LiftDraft& d)
{
    const LiftedSequence* before = sequenceAt(d, 0);
    const auto place =
        before == nullptr ? std::nullopt : placeAt(d, 1, before->elements.size(), false);
    if (!place || !d.sequences().hasRoom(*before))
        return false;
    LiftedSequence made = *before;
    made.elements.erase(made.elements.begin() + *place);
    return hold(d, std::move(made));
}

// Returns the length of each part of an axis: given, or equal lengths with a remainder.
std::optional<Ints> partsOf(const LiftDraft& d, std::int64_t size)
{
    const auto given = d.has(1) ? d.ints(1) : std::optional(Ints{1});
    if (!given)
        return std::nullopt;
    const auto shape = d.has(1) ? d.shape(1) : std::optional(Shape{});
    if (!shape)
        return std::nullopt;
    if (!shape->dims.empty())
        return std::accumulate(given->begin(), given->end(), std::int64_t(0)) == size
                   ? given
                   : std::nullopt;
    if (given->size() != 1 || given->front() < 1 || size / given->front() >= mostInSequence)
        return std::nullopt;
    Ints parts(std::size_t(size / given->front()), given->front());
    if (const std::int64_t rest = size % given->front(); rest > 0)
        parts.push_back(rest);
    return parts;
}

bool holdParts(LiftDraft& d)
{
    const auto shape = d.shape(0);
    if (!shape || shape->dims.empty())
        return false;
    const auto rank = std::int64_t(shape->dims.size());
    const std::int64_t given = d.intAttr("axis", 0);
    const std::int64_t axis = given < 0 ? given + rank : given;
    if (axis < 0 || axis >= rank || shape->dims[std::size_t(axis)] < 0)
        return false;
    const auto parts = partsOf(d, shape->dims[std::size_t(axis)]);
    if (!parts || parts->empty())
        return false;
    const DType dtype = d.state(0).dtype;
    const auto count = std::int64_t(parts->size());
    const std::string made = d.step("SplitV", {d.stored(0), d.intList(*parts), d.oneInt(axis)},
                                    {typeAttr("T", dtype),
                                     typeAttr("Tlen", DType::Int32),
                                     {"num_split", attr::fromInt(count)}});
    LiftedSequence sequence{steps::ports(made, parts->size()), dtype};
    if (!d.has(1) && d.intAttr("keepdims", 1) == 0)
        for (std::string& element : sequence.elements)
            element = d.step("Squeeze", {element},
                             {typeAttr("T", dtype), {"squeeze_dims", attr::fromInts({axis})}});
    return hold(d, std::move(sequence));
}

bool liftElement(LiftDraft& d)
{
    const LiftedSequence* all = sequenceAt(d, 0);
    const auto place = all == nullptr ? std::nullopt : placeAt(d, 1, all->elements.size(), false);
    if (!place)
        return false;
    d.give({steps::one(d, "Identity", all->elements[std::size_t(*place)], all->dtype)});
    return true;
}

bool liftLength(LiftDraft& d)
{
    const LiftedSequence* all = sequenceAt(d, 0);
    if (all == nullptr)
        return false;
    d.give({d.oneInt64(std::int64_t(all->elements.size()))});
    return true;
}

bool liftJoined(LiftDraft& d)
{
    const LiftedSequence* all = sequenceAt(d, 0);
    if (all == nullptr || all->elements.empty() || !d.sequences().take(*all))
        return false;
    const std::int64_t axis = d.intAttr("axis", 0);
    const auto count = std::int64_t(all->elements.size());
    if (d.intAttr("new_axis", 0) != 0)
        d.give({d.step("Pack", all->elements,
                       {typeAttr("T", all->dtype),
                        {"N", attr::fromInt(count)},
                        {"axis", attr::fromInt(axis)}})});
    else if (count == 1)
        d.give({steps::one(d, "Identity", all->elements.front(), all->dtype)});
    else
        d.give({steps::concat(d, all->elements, axis, all->dtype)});
    return true;
}

constexpr std::array sequences = std::to_array<OnnxLift>({
    {"ConcatFromSequence", liftJoined},
    {"SequenceAt", liftElement},
    {"SequenceConstruct", holdAll},
    {"SequenceEmpty", holdEmpty},
    {"SequenceErase", holdErased},
    {"SequenceInsert", holdInserted},
    {"SequenceLength", liftLength},
    {"SplitToSequence", holdParts},
});

} // namespace

bool liftOnnxSequence(LiftDraft& draft)
{
    return liftFrom(sequences, draft);
}

} // namespace lapidary
