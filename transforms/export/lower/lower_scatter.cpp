// SPDX-License-Identifier: Apache-2.0
// Ops that write rows at indices. If the indices are constant, the source of each row of the result
// is known: all rows are joined, and gathered in that order.
#include "transforms/export/lower/lower_steps.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>

namespace lapidary {
namespace {

using Kind = PortableKind;
using Ints = std::vector<std::int64_t>;

constexpr std::int64_t mostPlaces = 1 << 22; // elements of an order that becomes a constant

std::int64_t countOf(std::span<const std::int64_t> dims)
{
    return std::accumulate(dims.begin(), dims.end(), std::int64_t(1), std::multiplies());
}

TensorIndex int32s(LowerNode& n, std::string_view what, Ints dims, const Ints& values)
{
    const std::vector<std::int32_t> narrow(values.begin(), values.end());
    return n.constantOf(what, DType::Int32, std::move(dims),
                        {reinterpret_cast<const char*>(narrow.data()), narrow.size() * 4});
}

TensorIndex made(LowerNode& n, Kind kind, std::vector<TensorIndex> inputs, std::string_view what,
                 Ints dims, DType dtype = DType::Float)
{
    const TensorIndex output = n.between(what, dtype, std::move(dims));
    n.emit(kind, std::move(inputs), {output});
    return output;
}

// Collects rows of equal length from several tensors.
class Rows {
public:
    Rows(LowerNode& node, std::int64_t width)
        : m_node(node)
        , m_width(width)
    {
    }

    // Adds the rows of a tensor; returns the index of the first of them.
    std::int64_t add(TensorIndex tensor)
    {
        const std::int64_t first = m_count;
        const std::int64_t rows =
            m_node.tensor(tensor).elements() / std::max<std::int64_t>(m_width, 1);
        m_parts.push_back(
            made(m_node, Kind::Reshape, {tensor}, "rows", {rows, m_width}, m_node.outputType()));
        m_firsts.push_back(first);
        m_count += rows;
        return first;
    }
    std::int64_t addZeros()
    {
        const auto bytes = std::size_t(m_width) * dtypeSize(m_node.outputType());
        m_parts.push_back(m_node.constantOf("empty_row", m_node.outputType(), {1, m_width},
                                            std::string(bytes, '\0')));
        m_firsts.push_back(m_count);
        return m_count++;
    }
    // Makes the rows in that order output 0 of the node.
    void giveInOrder(const Ints& order)
    {
        if (const auto whole = partInOrder(order)) {
            m_node.emit(Kind::Reshape, {*whole});
            return;
        }
        TensorIndex all = m_parts.front();
        if (m_parts.size() > 1) {
            all = m_node.between("all_rows", m_node.outputType(), {m_count, m_width});
            m_node.emit(Kind::Concat, m_parts, {all}).parameters.axis = 0;
        }
        const auto count = std::int64_t(order.size());
        const TensorIndex places = int32s(m_node, "order", {count}, order);
        const TensorIndex chosen = made(m_node, Kind::Gather, {all, places}, "chosen",
                                        {count, m_width}, m_node.outputType());
        m_node.emit(Kind::Reshape, {chosen});
    }

private:
    // Returns the tensor that consists of exactly these rows; nothing if there is none.
    std::optional<TensorIndex> partInOrder(const Ints& order) const
    {
        const auto first = std::ranges::find(m_firsts, order.empty() ? -1 : order.front());
        if (first == m_firsts.end())
            return std::nullopt;
        const std::int64_t end = std::next(first) == m_firsts.end() ? m_count : *std::next(first);
        const bool isNext = std::ranges::adjacent_find(order, [](std::int64_t a, std::int64_t b) {
                                return b != a + 1;
                            }) == order.end();
        return isNext && end - *first == std::int64_t(order.size())
                   ? std::optional(m_parts[std::size_t(first - m_firsts.begin())])
                   : std::nullopt;
    }

    LowerNode& m_node;
    std::int64_t m_width;
    std::int64_t m_count = 0;
    std::vector<TensorIndex> m_parts;
    std::vector<std::int64_t> m_firsts; // the first row of each part
};

// Converts rows of indices [..., depth] into the first sizes of a tensor to flat indices, row after
// row.
Result<Ints> flatPlaces(const Ints& indices, std::int64_t depth, const Ints& dims)
{
    if (depth < 0 || depth > std::int64_t(dims.size()))
        return unsuited("its places have more parts than the result has axes");
    Ints flat;
    const std::int64_t count = depth == 0 ? 1 : std::int64_t(indices.size()) / depth;
    for (std::int64_t row = 0; row < count; ++row) {
        std::int64_t place = 0;
        for (std::int64_t axis = 0; axis < depth; ++axis) {
            const std::int64_t at = indices[std::size_t(row * depth + axis)];
            if (at < 0 || at >= dims[std::size_t(axis)])
                return unsuited("it has an index outside of the result");
            place = place * dims[std::size_t(axis)] + at;
        }
        flat.push_back(place);
    }
    return flat;
}

// Writes updates into `base`, or into zeros if there is none.
Status scatterRows(LowerNode& n, TensorIndex base, std::size_t indicesSlot, TensorIndex updates,
                   bool mayRepeat)
{
    const Ints dims = n.outputDims();
    const Ints ofIndices = n.dims(indicesSlot);
    ASSIGN_OR_RETURN(const Ints indices, n.ints(indicesSlot, "list of places"));
    const std::int64_t depth = ofIndices.empty() ? 1 : ofIndices.back();
    ASSIGN_OR_RETURN(const Ints places, flatPlaces(indices, depth, dims));
    const auto split = dims.begin() + std::ptrdiff_t(depth);
    const std::int64_t width = countOf({split, dims.end()});
    const std::int64_t count = countOf({dims.begin(), split});
    if (count > mostPlaces || width < 1)
        return unsuited("the order of its rows is too long for a constant");
    Rows rows(n, width);
    Ints order(std::size_t(count), 0);
    if (base == noTensor)
        std::ranges::fill(order, rows.addZeros());
    else
        std::iota(order.begin(), order.end(), rows.add(base));
    std::vector<bool> isTaken(order.size(), false);
    const std::int64_t first = rows.add(updates);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (isTaken[std::size_t(places[i])] && !mayRepeat)
            return unsuited("it adds up values at the same index");
        isTaken[std::size_t(places[i])] = true;
        order[std::size_t(places[i])] = first + std::int64_t(i);
    }
    rows.giveInOrder(order);
    return Done{};
}

Status scatterNd(LowerNode& n)
{
    return scatterRows(n, noTensor, 0, n.input(1), false);
}

// Updates one row at a computed index, like a write to a TensorArray, or rows at constant ones.
Status updateRows(LowerNode& n)
{
    if (n.isConstant(1))
        return scatterRows(n, n.input(0), 1, n.input(2), true);
    if (n.dims(1) != Ints{1, 1})
        return unsuited("it changes more than one row at a time, at places that are computed");
    n.emit(Kind::UpdateRow, n.inputs(0, 3));
    return Done{};
}

// Writes one value, or one for each index; the other elements get the default value.
Status sparseToDense(LowerNode& n)
{
    const Ints dims = n.outputDims();
    ASSIGN_OR_RETURN(const Ints indices, n.ints(0, "list of places"));
    ASSIGN_OR_RETURN(const Ints places,
                     flatPlaces(indices, n.rank(0) < 2 ? 1 : n.dims(0).back(), dims));
    if (countOf(dims) > mostPlaces)
        return unsuited("the order of its elements is too long for a constant");
    Rows rows(n, 1);
    Ints order(std::size_t(countOf(dims)), rows.add(n.input(3)));
    const std::int64_t first = rows.add(n.input(2));
    const bool isOne = n.tensor(n.input(2)).elements() == 1;
    for (std::size_t i = 0; i < places.size(); ++i)
        order[std::size_t(places[i])] = first + (isOne ? 0 : std::int64_t(i));
    rows.giveInOrder(order);
    return Done{};
}

// Joins data by indices; the inputs are lists of indices, then the data for them.
Status stitch(LowerNode& n)
{
    const std::size_t count = n.inputCount() / 2;
    const Ints dims = n.outputDims();
    if (count == 0 || dims.empty() || dims[0] > mostPlaces)
        return unsuited("the order of its rows is too long for a constant");
    Rows rows(n, countOf({dims.begin() + 1, dims.end()}));
    Ints order = Ints(std::size_t(dims[0]), -1);
    for (std::size_t i = 0; i < count; ++i) {
        ASSIGN_OR_RETURN(const Ints indices, n.ints(i, "list of places"));
        ASSIGN_OR_RETURN(const Ints places, flatPlaces(indices, 1, dims));
        const std::int64_t first = rows.add(n.input(count + i));
        for (std::size_t row = 0; row < places.size(); ++row)
            order[std::size_t(places[row])] = first + std::int64_t(row);
    }
    if (std::ranges::count(order, -1) > 0)
        return unsuited("it leaves places of the result open");
    rows.giveInOrder(order);
    return Done{};
}

Status roll(LowerNode& n)
{
    ASSIGN_OR_RETURN(const Ints shifts, n.ints(1, "shift"));
    ASSIGN_OR_RETURN(const Ints axes, n.ints(2, "axis"));
    if (shifts.size() != axes.size() || shifts.empty())
        return unsuited("it has as many shifts as axes");
    TensorIndex x = n.input(0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t axis = axes[i] < 0 ? axes[i] + n.rank(0) : axes[i];
        const std::int64_t size = n.outputDims()[std::size_t(axis)];
        Ints order(std::size_t(size), 0);
        for (std::int64_t at = 0; at < size; ++at)
            order[std::size_t(at)] = ((at - shifts[i] % size) % size + size) % size;
        const TensorIndex output =
            i + 1 == axes.size() ? n.output() : n.between("rolled", n.outputType(), n.outputDims());
        n.emit(Kind::Gather, {x, int32s(n, "order", {size}, order)}, {output}).parameters.axis =
            axis;
        x = output;
    }
    return Done{};
}

// Finds the index of each number, as the largest element of a row of comparisons.
Status invert(LowerNode& n)
{
    if (n.outputType() != DType::Int32)
        return unsuited("it inverts " + dtypeName(n.outputType()));
    const std::int64_t size = n.outputDims().front();
    Ints numbers(std::size_t(size), 0);
    std::iota(numbers.begin(), numbers.end(), 0);
    const TensorIndex rows = made(n, Kind::Reshape, {n.input(0)}, "rows", {size, 1}, DType::Int32);
    const TensorIndex isThere =
        made(n, Kind::Equal, {rows, int32s(n, "numbers", {1, size}, numbers)}, "is_there",
             {size, size}, DType::Bool);
    const TensorIndex asFloat = made(n, Kind::Cast, {isThere}, "as_float", {size, size});
    n.emit(Kind::ArgMax, {asFloat}).parameters.axis = 0;
    return Done{};
}

// Keeps a band of the last two axes; 0 elsewhere.
Status bandPart(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    ASSIGN_OR_RETURN(const std::int64_t lower, n.oneInt(1, "number of diagonals below"));
    ASSIGN_OR_RETURN(const std::int64_t upper, n.oneInt(2, "number of diagonals above"));
    const Ints dims = n.outputDims();
    if (dims.size() < 2 || dims.back() > mostPlaces / std::max<std::int64_t>(dims.end()[-2], 1))
        return unsuited("its matrices are too large");
    std::string isIn;
    for (std::int64_t row = 0; row < dims.end()[-2]; ++row)
        for (std::int64_t column = 0; column < dims.back(); ++column)
            isIn +=
                char((lower < 0 || row - column <= lower) && (upper < 0 || column - row <= upper));
    const TensorIndex mask =
        n.constantOf("band", DType::Bool, {dims.end()[-2], dims.back()}, std::move(isIn));
    n.emit(Kind::Select, {mask, n.input(0), n.constant("zero", {1, 1}, {0})});
    return Done{};
}

// Makes a mask of the diagonal of one matrix.
TensorIndex diagonalMask(LowerNode& n, std::int64_t height, std::int64_t width)
{
    std::string isIn;
    for (std::int64_t place = 0; place < height * width; ++place)
        isIn += char(place / width == place % width);
    return n.constantOf("diagonal", DType::Bool, {height, width}, std::move(isIn));
}

Status diagonal(LowerNode& n)
{
    RETURN_IF_ERROR(needFloat(n));
    const Ints dims = n.dims(0);
    if (dims.empty() || dims.back() * dims.back() > mostPlaces)
        return unsuited("its matrices are too large");
    const TensorIndex mask = diagonalMask(n, dims.back(), dims.back());
    Ints columns = dims;
    columns.push_back(1);
    const TensorIndex x = made(n, Kind::Reshape, {n.input(0)}, "columns", columns);
    n.emit(Kind::Select, {mask, x, n.constant("zero", {1, 1}, {0})});
    return Done{};
}

Status needMatrices(const Ints& dims)
{
    if (dims.size() < 2 || dims.end()[-2] < 1 || dims.back() < 1 ||
        dims.back() > mostPlaces / dims.end()[-2])
        return unsuited("its matrices are empty, or too large");
    return Done{};
}

// Selects elements that are one row and one column apart, of consecutive rows.
Status diagonalPart(LowerNode& n)
{
    const Ints dims = n.dims(0);
    RETURN_IF_ERROR(needMatrices(dims));
    const std::int64_t width = dims.back();
    const std::int64_t size = n.outputDims().back();
    Ints flat(dims.begin(), dims.end() - 2);
    flat.push_back(dims.end()[-2] * width);
    const TensorIndex rows = made(n, Kind::Reshape, {n.input(0)}, "flat", flat, n.outputType());
    Ints order;
    for (std::int64_t i = 0; i < size; ++i)
        order.push_back(i * (width + 1));
    n.emit(Kind::Gather, {rows, int32s(n, "order", {size}, order)}).parameters.axis =
        std::int64_t(flat.size()) - 1;
    return Done{};
}

Status setDiagonal(LowerNode& n)
{
    const Ints dims = n.dims(0);
    RETURN_IF_ERROR(needMatrices(dims));
    Ints columns(dims);
    columns.back() = 1;
    TensorIndex given = n.input(1);
    const std::int64_t size = n.dims(1).empty() ? 0 : n.dims(1).back();
    if (size != dims.end()[-2]) { // a high matrix: rows below have no diagonal element
        if (size > dims.end()[-2])
            return unsuited("its diagonal is longer than its matrix");
        Ints order;
        for (std::int64_t i = 0; i < dims.end()[-2]; ++i)
            order.push_back(std::min(i, size - 1));
        Ints longer = n.dims(1);
        longer.back() = dims.end()[-2];
        const TensorIndex all = n.between("longer", n.outputType(), longer);
        n.emit(Kind::Gather, {given, int32s(n, "order", {dims.end()[-2]}, order)}, {all})
            .parameters.axis = std::int64_t(longer.size()) - 1;
        given = all;
    }
    const TensorIndex column = made(n, Kind::Reshape, {given}, "columns", columns, n.outputType());
    n.emit(Kind::Select, {diagonalMask(n, dims.end()[-2], dims.back()), column, n.input(0)});
    return Done{};
}

constexpr std::string_view constantPlaces = "constant places";
constexpr std::string_view gathered = "Concat, Gather";

constexpr std::array placeRows{
    LowerRow{"DynamicStitch", stitch, gathered, constantPlaces},
    LowerRow{"InvertPermutation", invert, "Equal, ArgMax", "int32"},
    LowerRow{"MatrixBandPart", bandPart, "Select", "constant bounds, float"},
    LowerRow{"MatrixDiag", diagonal, "Select", "float"},
    LowerRow{"MatrixDiagPart", diagonalPart, "Reshape, Gather", "known sizes"},
    LowerRow{"MatrixSetDiag", setDiagonal, "Reshape, Select", "known sizes"},
    LowerRow{"Roll", roll, "Gather", "constant shifts"},
    LowerRow{"ScatterNd", scatterNd, gathered, "constant places, no two the same"},
    LowerRow{"SparseToDense", sparseToDense, gathered, constantPlaces},
    LowerRow{"TensorScatterUpdate", updateRows, "Concat, Gather; UpdateRow",
             "constant places; one row"},
};

} // namespace

std::span<const LowerRow> lowerPlaceRows()
{
    return placeRows;
}

} // namespace lapidary
