// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/packed_boxes.h"

#include "graph_model/tensor/make_tensor.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

constexpr std::int64_t coordinates = 4;
constexpr std::int64_t mostPacked = 100'000;
constexpr std::int64_t chosenNumbers = 6; // corners, score and class
constexpr int firstStride = 4;
constexpr int lastStride = 128;
constexpr std::int64_t mostAtPlace = 9;
constexpr double someClass = 0.1; // the least score of the class of a box

// Reads the numbers of the first element of a batch by box and number.
class PackedNumbers {
public:
    static Result<PackedNumbers> read(const Tensor& tensor)
    {
        PackedNumbers read;
        read.m_shape = packedShape(tensor.shape()).value_or(PackedShape());
        ASSIGN_OR_RETURN(read.m_numbers,
                         tensor.numbers(0, read.m_shape.boxes * read.m_shape.numbers));
        return read;
    }
    double at(std::int64_t box, std::int64_t number) const
    {
        return m_numbers[std::size_t(m_shape.areRows ? box * m_shape.numbers + number
                                                     : number * m_shape.boxes + box)];
    }
    std::int64_t boxes() const { return m_shape.boxes; }
    std::int64_t numbers() const { return m_shape.numbers; }

    void makeProbable()
    {
        const auto isLogit = [this](std::int64_t box) {
            for (std::int64_t i = coordinates; i < numbers(); ++i)
                if (const double x = at(box, i); std::isfinite(x) && (x < 0 || x > 1))
                    return true;
            return false;
        };
        std::int64_t box = 0;
        while (box < boxes() && !isLogit(box))
            ++box;
        if (box == boxes())
            return;
        for (box = 0; box < boxes(); ++box)
            for (std::int64_t i = coordinates; i < numbers(); ++i) {
                double& x = m_numbers[std::size_t(m_shape.areRows ? box * numbers() + i
                                                                  : i * boxes() + box)];
                x = 1 / (1 + std::exp(-x));
            }
    }

    bool areChosen() const
    {
        if (numbers() != chosenNumbers || !m_shape.areRows)
            return false;
        for (std::int64_t box = 0; box < boxes(); ++box) {
            const double score = at(box, coordinates);
            const double ofClass = at(box, coordinates + 1);
            if (!(score >= 0 && score <= 1) || !(ofClass >= 0 && ofClass == std::floor(ofClass)) ||
                (box > 0 && score > at(box - 1, coordinates)))
                return false;
        }
        return at(0, coordinates) > at(boxes() - 1, coordinates);
    }

    // Returns whether most boxes have a class after their first score.
    bool haveMostSomeClass() const
    {
        std::int64_t with = 0;
        for (std::int64_t box = 0; box < boxes(); ++box) {
            double best = 0;
            for (std::int64_t i = coordinates + 1; i < numbers(); ++i)
                best = std::max(best, at(box, i));
            with += best >= someClass ? 1 : 0;
        }
        return 2 * with > boxes();
    }

private:
    PackedShape m_shape;
    std::vector<double> m_numbers;
};

Result<Tensor> floatsOf(std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    return makeTensor(
        DType::Float, {std::move(dims), false},
        {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

Result<Tensor> columnsOf(const PackedNumbers& packed, std::int64_t first, std::int64_t end,
                         std::optional<std::int64_t> factor, const Job& job)
{
    std::vector<float> values;
    values.reserve(std::size_t(packed.boxes() * (end - first)));
    for (std::int64_t box = 0; box < packed.boxes(); ++box) {
        if (box % 4096 == 0 && job.cancelled())
            return cancelledError();
        for (std::int64_t i = first; i < end; ++i)
            values.push_back(float(packed.at(box, i) * (factor ? packed.at(box, *factor) : 1)));
    }
    return floatsOf({packed.boxes(), end - first}, values);
}

} // namespace

std::optional<PackedShape> packedShape(const Shape& shape)
{
    if (shape.unknownRank || shape.dims.size() != 3 || shape.dims[0] < 1)
        return {};
    const bool areRows = shape.dims[1] > shape.dims[2];
    const PackedShape packed{.boxes = shape.dims[areRows ? 1 : 2],
                             .numbers = shape.dims[areRows ? 2 : 1],
                             .areRows = areRows};
    const bool fits =
        packed.numbers > coordinates && packed.boxes > packed.numbers && packed.boxes <= mostPacked;
    return fits ? std::optional(packed) : std::nullopt;
}

bool isGridOf(std::int64_t boxes, PixelSize picture)
{
    if (picture.width < lastStride / 4 || picture.height < lastStride / 4)
        return false;
    for (int first = firstStride; first <= lastStride; first *= 2) {
        std::int64_t places = 0;
        for (int stride = first; stride <= lastStride; stride *= 2) {
            places += std::int64_t((picture.width + stride - 1) / stride) *
                      ((picture.height + stride - 1) / stride);
            // A single grid proves nothing: any layer may have one.
            if (stride > first && boxes % places == 0 && boxes / places <= mostAtPlace)
                return true;
        }
    }
    return false;
}

bool areChosenBoxes(const Tensor& tensor)
{
    const auto packed = packedShape(tensor.shape());
    if (!packed || packed->numbers != chosenNumbers)
        return false;
    const auto numbers = PackedNumbers::read(tensor);
    return numbers && numbers->areChosen();
}

Result<UnpackedBoxes> unpackedBoxes(const Tensor& tensor, std::optional<bool> hasObjectness,
                                    const Job& job)
{
    ASSIGN_OR_RETURN(auto packed, PackedNumbers::read(tensor));
    UnpackedBoxes unpacked;
    ASSIGN_OR_RETURN(unpacked.boxes, columnsOf(packed, 0, coordinates, {}, job));
    if (!hasObjectness && packed.areChosen()) {
        unpacked.usualOrder = BoxOrder::LeftTopRightBottom;
        ASSIGN_OR_RETURN(unpacked.scores, columnsOf(packed, coordinates, coordinates + 1, {}, job));
        ASSIGN_OR_RETURN(auto classes, columnsOf(packed, coordinates + 1, chosenNumbers, {}, job));
        unpacked.classes = std::move(classes);
        return unpacked;
    }
    packed.makeProbable();
    const bool canHave = packed.numbers() > coordinates + 1;
    unpacked.hasObjectness = canHave && hasObjectness.value_or(packed.haveMostSomeClass());
    const std::int64_t first = coordinates + (unpacked.hasObjectness ? 1 : 0);
    ASSIGN_OR_RETURN(unpacked.scores,
                     columnsOf(packed, first, packed.numbers(),
                               unpacked.hasObjectness ? std::optional(coordinates) : std::nullopt,
                               job));
    return unpacked;
}

} // namespace lapidary
