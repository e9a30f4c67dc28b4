// SPDX-License-Identifier: Apache-2.0
// Ops that take parts out of pictures.
#include "transforms/export/lower/lowering.h"

#include <array>
#include <limits>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Ints = std::vector<std::int64_t>;

// Makes the intermediate tensors of one crop.
class Cropping {
public:
    explicit Cropping(LowerNode& node)
        : m_node(node)
        , m_boxes(node.dims(1)[0])
        , m_out(node.outputDims())
    {
    }

    Status emit()
    {
        const TensorIndex picture = asFloat(m_node.input(0));
        const Axis y = axis(0);
        const Axis x = axis(1);
        const Ints plane{m_boxes, m_out[1], m_out[2]};
        const TensorIndex isIn = made(Kind::And, {y.isIn, x.isIn}, plane, DType::Bool);
        TensorIndex value = noTensor;
        if (m_node.textAttr("method", "bilinear") == "nearest") {
            value = elements(picture, rounded(y), rounded(x));
        } else {
            const TensorIndex top = mixed(elements(picture, floor(y), floor(x)),
                                          elements(picture, floor(y), ceil(x)), x);
            const TensorIndex bottom =
                mixed(elements(picture, ceil(y), floor(x)), elements(picture, ceil(y), ceil(x)), x);
            value = mixed(top, bottom, y);
        }
        const TensorIndex mask = reshaped(isIn, {m_boxes, m_out[1], m_out[2], 1}, DType::Bool);
        const TensorIndex rest = m_node.constant("extrapolation", {1, 1, 1, 1},
                                                 {m_node.floatAttr("extrapolation_value", 0)});
        m_node.emit(Kind::Select, {mask, value, rest});
        return Done{};
    }

private:
    // The coordinates of a crop's elements along an axis of the picture, one for each box.
    struct Axis {
        TensorIndex at = noTensor;
        TensorIndex isIn = noTensor;
        Ints dims; // of `at`: [boxes, size, 1] or [boxes, 1, size]
        std::int64_t last = 0;
    };

    TensorIndex made(Kind kind, std::vector<TensorIndex> inputs, Ints dims,
                     DType dtype = DType::Float)
    {
        const TensorIndex output = m_node.between("crop", dtype, std::move(dims));
        m_node.emit(kind, std::move(inputs), {output});
        return output;
    }
    TensorIndex reshaped(TensorIndex x, Ints dims, DType dtype)
    {
        return made(Kind::Reshape, {x}, std::move(dims), dtype);
    }
    TensorIndex number(float value) { return m_node.constant("number", {}, {value}); }

    TensorIndex asFloat(TensorIndex x)
    {
        const PortableTensor& tensor = m_node.tensor(x);
        return tensor.dtype == DType::Float ? x : made(Kind::Cast, {x}, tensor.dims);
    }

    // Returns a column of the boxes, [boxes, 1].
    TensorIndex corner(std::int64_t column)
    {
        const TensorIndex output = m_node.between("corner", DType::Float, {m_boxes, 1});
        PortableParameters& p =
            m_node.emit(Kind::StridedSlice, {m_node.input(1)}, {output}).parameters;
        p.begin = {0, column};
        p.end = {m_boxes < 0 ? std::numeric_limits<std::int32_t>::max() : m_boxes, column + 1};
        p.step = {1, 1};
        p.shrink = {false, false};
        return output;
    }

    // Returns coordinates from one corner to the other in equal steps; a crop of one element has
    // the middle.
    Axis axis(std::size_t number)
    {
        const std::int64_t size = m_out[number + 1];
        Axis result;
        result.last = m_node.dims(0)[number + 1] - 1;
        result.dims = number == 0 ? Ints{m_boxes, size, 1} : Ints{m_boxes, 1, size};
        const TensorIndex first = corner(std::int64_t(number));
        const TensorIndex end = corner(std::int64_t(number) + 2);
        const Ints column{m_boxes, 1};
        const Ints all{m_boxes, size};
        const TensorIndex last = this->number(float(result.last));
        TensorIndex at = noTensor;
        if (size > 1) {
            const TensorIndex begin = made(Kind::Mul, {first, last}, column);
            TensorIndex step = made(Kind::Sub, {end, first}, column);
            step = made(Kind::Mul, {step, last}, column);
            step = made(Kind::Div, {step, this->number(float(size - 1))}, column);
            std::vector<float> counted;
            for (std::int64_t i = 0; i < size; ++i)
                counted.push_back(float(i));
            const TensorIndex steps =
                made(Kind::Mul, {step, m_node.constant("counted", {1, size}, counted)}, all);
            at = made(Kind::Add, {begin, steps}, all);
        } else {
            const TensorIndex both = made(Kind::Add, {first, end}, column);
            at = made(Kind::Mul, {both, this->number(0.5F * float(result.last))}, column);
        }
        result.at = reshaped(at, result.dims, DType::Float);
        const TensorIndex begins =
            made(Kind::GreaterEqual, {result.at, this->number(0)}, result.dims, DType::Bool);
        const TensorIndex ends = made(Kind::LessEqual, {result.at, last}, result.dims, DType::Bool);
        result.isIn = made(Kind::And, {begins, ends}, result.dims, DType::Bool);
        return result;
    }

    Axis floor(const Axis& axis)
    {
        Axis result = axis;
        result.at = made(Kind::Floor, {axis.at}, axis.dims);
        return result;
    }
    Axis ceil(const Axis& axis)
    {
        Axis result = axis;
        result.at = made(Kind::Ceil, {axis.at}, axis.dims);
        return result;
    }
    // Rounds coordinates. Halves are rounded up: floor(x + 0.5), because coordinates that matter
    // are not negative.
    Axis rounded(const Axis& axis)
    {
        Axis result = axis;
        result.at = made(Kind::Add, {axis.at, number(0.5F)}, axis.dims);
        return floor(result);
    }

    // Converts coordinates along one axis to integers for the plane of all positions.
    TensorIndex places(const Axis& axis)
    {
        TensorIndex at = made(Kind::Maximum, {axis.at, number(0)}, axis.dims);
        at = made(Kind::Minimum, {at, number(float(axis.last))}, axis.dims);
        return spread(made(Kind::Cast, {at}, axis.dims, DType::Int32));
    }
    TensorIndex spread(TensorIndex x)
    {
        const Ints plane{1, m_out[1], m_out[2]};
        const std::string zeros(std::size_t(plane[1] * plane[2]) * 4, '\0');
        return made(Kind::Add, {x, m_node.constantOf("plane", DType::Int32, plane, zeros)},
                    {m_boxes, m_out[1], m_out[2]}, DType::Int32);
    }

    // Returns the picture's elements at such coordinates, [boxes, height, width, channels].
    TensorIndex elements(TensorIndex picture, const Axis& y, const Axis& x)
    {
        if (m_pictures == noTensor)
            m_pictures = spread(reshaped(m_node.input(2), {m_boxes, 1, 1}, DType::Int32));
        const Ints dims{m_boxes, m_out[1], m_out[2], 3};
        const TensorIndex output = m_node.between("places", DType::Int32, dims);
        m_node.emit(Kind::Pack, {m_pictures, places(y), places(x)}, {output}).parameters.axis = 3;
        return made(Kind::GatherNd, {picture, output}, m_out);
    }

    // Computes first + (second - first) * the fraction of the coordinate.
    TensorIndex mixed(TensorIndex first, TensorIndex second, const Axis& axis)
    {
        const TensorIndex below = made(Kind::Floor, {axis.at}, axis.dims);
        const TensorIndex rest = made(Kind::Sub, {axis.at, below}, axis.dims);
        Ints dims = axis.dims;
        dims.push_back(1);
        const TensorIndex share = reshaped(rest, dims, DType::Float);
        const TensorIndex difference = made(Kind::Sub, {second, first}, m_out);
        return made(Kind::Add, {first, made(Kind::Mul, {difference, share}, m_out)}, m_out);
    }

    LowerNode& m_node;
    std::int64_t m_boxes;
    Ints m_out;
    TensorIndex m_pictures = noTensor; // the picture's index for each position
};

Status cropAndResize(LowerNode& n)
{
    RETURN_IF_ERROR(n.ints(3, "size"));
    const Ints dims = n.outputDims();
    const Ints picture = n.dims(0);
    constexpr std::int64_t most = 4096; // along an axis
    if (n.rank(1) != 2 || dims.size() != 4 || picture.size() != 4 || picture[1] < 1 ||
        picture[2] < 1 || picture[3] < 1 || dims[1] < 1 || dims[2] < 1 || dims[1] > most ||
        dims[2] > most)
        return Error{ErrorCode::Unsupported, "the sizes of its picture or its crops are not known"};
    return Cropping(n).emit();
}

// A convolution that copies each element of a window to a separate channel.
Status windows(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const Ints size = n.listAttr("ksizes");
    const Ints stride = n.listAttr("strides");
    const Ints rates = n.listAttr("rates");
    const std::int64_t channels = n.dims(0).back();
    constexpr std::int64_t most = 2048; // channels of the result
    if (size.size() != 4 || stride.size() != 4 || rates.size() != 4 || size[1] < 1 || size[2] < 1 ||
        size[1] > most || size[2] > most || channels < 1 || channels > most ||
        size[1] * size[2] * channels > most)
        return Error{ErrorCode::Unsupported, "its windows have too many elements"};
    const std::int64_t outputs = size[1] * size[2] * channels;
    std::vector<float> weights(std::size_t(outputs * outputs), 0);
    for (std::int64_t i = 0; i < outputs; ++i)
        weights[std::size_t(i * outputs + i)] = 1;
    const TensorIndex filter = n.constant("copies", {size[1], size[2], channels, outputs}, weights);
    PortableParameters& p = n.emit(Kind::Conv2D, {n.input(0), filter, noTensor}).parameters;
    p.padding =
        n.textAttr("padding", "VALID") == "SAME" ? PortablePadding::Same : PortablePadding::Valid;
    p.stride = {stride[1], stride[2]};
    p.dilation = {rates[1], rates[2]};
    p.window = {size[1], size[2]};
    return Done{};
}

constexpr std::array cropRows{
    forAnySize({"CropAndResize", cropAndResize, "GatherNd, Mul, Add, Select",
                "constant size, picture of known size"}),
    LowerRow{"ExtractImagePatches", windows, "Conv2D", "float"},
};

} // namespace

std::span<const LowerRow> lowerCropRows()
{
    return cropRows;
}

} // namespace lapidary
