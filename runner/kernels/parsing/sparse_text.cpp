// SPDX-License-Identifier: Apache-2.0
// SerializeSparse, SerializeManySparse: a sparse tensor, or each of its rows, as three encoded
// TensorProtos: indices, values, shape. DeserializeSparse, DeserializeManySparse join them again,
// with the axes of the input before those of the tensors. Only strings are supported, not variants.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/parsing/tensor_text.h"
#include "runner/kernels/sparse/sparse_tensor.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

Status checkStrings(const KernelContext& context, std::string_view attr)
{
    const DType dtype = context.typeAttr(attr, DType::String);
    if (dtype == DType::String)
        return Done{};
    return context.error("serializes to strings only, not to " + dtypeName(dtype));
}

Status runSerializeSparse(KernelContext& context)
{
    RETURN_IF_ERROR(checkStrings(context, "out_type"));
    RETURN_IF_ERROR(sparseTensor(context, 0));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 3; ++i) {
        ASSIGN_OR_RETURN(auto text,
                         serializedTensor(context, context.input(i), StringsAs::Content));
        texts.push_back(std::move(text));
    }
    return context.setOutput(0, Value::ofStrings({3}, std::move(texts)));
}

// Appends the entries [begin, end) of a tensor, without their first index, as texts.
Status appendRow(KernelContext& context, const SparseTensor& tensor, std::int64_t begin,
                 std::int64_t end, std::vector<std::string>& texts)
{
    const auto rank = std::int64_t(tensor.rank()) - 1;
    ASSIGN_OR_RETURN(auto indices, context.allocate(DType::Int64, {end - begin, rank}));
    ASSIGN_OR_RETURN(auto values, context.allocate(tensor.values->dtype(), {end - begin}));
    ASSIGN_OR_RETURN(auto shape, context.allocate(DType::Int64, {rank}));
    auto to = indices.mutableAs<std::int64_t>().begin();
    for (std::int64_t i = begin; i < end; ++i)
        to = std::ranges::copy(tensor.index(i).subspan(1), to).out;
    dispatchBySize(values.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto from = readElements<T>(*tensor.values);
        std::copy(from.begin() + begin, from.begin() + end, writeElements<T>(values).begin());
    });
    std::copy(tensor.shape.begin() + 1, tensor.shape.end(),
              shape.mutableAs<std::int64_t>().begin());
    for (const Value* each : {&indices, &values, &shape}) {
        ASSIGN_OR_RETURN(auto text, serializedTensor(context, *each, StringsAs::Content));
        texts.push_back(std::move(text));
    }
    return Done{};
}

Status runSerializeManySparse(KernelContext& context)
{
    RETURN_IF_ERROR(checkStrings(context, "out_type"));
    ASSIGN_OR_RETURN(const auto tensor, sparseTensor(context, 0));
    if (tensor.rank() < 2)
        return context.error("needs a sparse tensor of at least two axes, but its shape is " +
                             dimsText(tensor.shape));
    const std::int64_t rows = tensor.shape[0];
    constexpr std::uint64_t least = 3 * sizeof(std::string); // bytes of a row
    if (std::uint64_t(rows) > context.session().pool.limitBytes() / least)
        return context.error("a batch of " + std::to_string(rows) +
                             " rows is larger than the memory limit");
    std::vector<std::string> texts;
    std::int64_t at = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        if (context.job().cancelled())
            return cancelledError();
        const std::int64_t begin = at;
        while (at < tensor.count() && tensor.index(at)[0] == row)
            ++at;
        RETURN_IF_ERROR(appendRow(context, tensor, begin, at, texts));
    }
    if (at < tensor.count())
        return context.error("entry " + std::to_string(at) + " has the row " +
                             std::to_string(tensor.index(at)[0]) +
                             ": rows must ascend and be below " + std::to_string(rows));
    return context.setOutput(0, Value::ofStrings({rows, 3}, std::move(texts)));
}

// A tensor from a text.
struct SparsePart {
    Value indices;
    Value values;
    Dims shape;
};

Result<SparsePart> parsedPart(const KernelContext& context, std::span<const std::string> texts)
{
    SparsePart part;
    ASSIGN_OR_RETURN(part.indices, parsedTensor(context, texts[0], DType::Int64));
    ASSIGN_OR_RETURN(part.values, parsedTensor(context, texts[1], context.typeAttr("dtype")));
    ASSIGN_OR_RETURN(const auto shape, parsedTensor(context, texts[2], DType::Int64));
    if (part.indices.rank() != 2 || !part.values.isVector() || !shape.isVector() ||
        part.indices.dim(0) != part.values.dim(0) || part.indices.dim(1) != shape.dim(0))
        return context.error("indices " + dimsText(part.indices.dims()) + ", values " +
                             dimsText(part.values.dims()) + " and shape " + dimsText(shape.dims()) +
                             " in its texts are not a sparse tensor");
    part.shape = shape.integers();
    return part;
}

// Returns the largest size along each axis. Fails if ranks differ.
Result<Dims> commonShape(const KernelContext& context, const std::vector<SparsePart>& parts)
{
    Dims shape = parts[0].shape;
    for (const SparsePart& part : parts) {
        if (part.shape.size() != shape.size())
            return context.error("its texts are sparse tensors of ranks " +
                                 std::to_string(shape.size()) + " and " +
                                 std::to_string(part.shape.size()));
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            shape[axis] = std::max(shape[axis], part.shape[axis]);
    }
    return shape;
}

void writeIndices(const std::vector<SparsePart>& parts, const Dims& front, Value& made)
{
    auto to = made.mutableAs<std::int64_t>().begin();
    for (std::size_t number = 0; number < parts.size(); ++number) {
        const auto from = parts[number].indices.as<std::int64_t>();
        const std::size_t rank = parts[number].shape.size();
        for (std::int64_t i = 0; i < parts[number].indices.dim(0); ++i) {
            stopPoint();
            auto rest = std::int64_t(number);
            for (std::size_t axis = front.size(); axis-- > 0; rest /= front[axis])
                to[std::ptrdiff_t(axis)] = rest % front[axis];
            to += std::ptrdiff_t(front.size());
            to = std::ranges::copy(from.subspan(std::size_t(i) * rank, rank), to).out;
        }
    }
}

// The axes of the input come before those of the tensors, except the last one, which has the three
// texts.
Status runDeserializeSparse(KernelContext& context)
{
    const Value& input = context.input(0);
    RETURN_IF_ERROR(checkStrings(context, "Tserialized"));
    if (input.rank() < 1 || input.dims().back() != 3)
        return context.error("the last axis of its input must have 3 texts, but its shape is " +
                             dimsText(input.dims()));
    if (input.elements() == 0)
        return context.error("needs at least one sparse tensor, but its shape is " +
                             dimsText(input.dims()));
    const Dims front(input.dims().begin(), input.dims().end() - 1);
    std::vector<SparsePart> parts;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < input.strings().size(); i += 3) {
        if (context.job().cancelled())
            return cancelledError();
        ASSIGN_OR_RETURN(auto part, parsedPart(context, input.strings().subspan(i, 3)));
        count += part.values.elements();
        parts.push_back(std::move(part));
    }
    ASSIGN_OR_RETURN(auto shape, commonShape(context, parts));
    shape.insert(shape.begin(), front.begin(), front.end());
    ASSIGN_OR_RETURN(auto indices,
                     context.makeOutput(0, DType::Int64, {count, std::int64_t(shape.size())}));
    writeIndices(parts, front, indices);
    ASSIGN_OR_RETURN(auto values, context.makeOutput(1, context.typeAttr("dtype"), {count}));
    const bool known = dispatchBySize(values.dtype(), [&](auto zero) {
        using T = decltype(zero);
        auto to = writeElements<T>(values).begin();
        for (const SparsePart& part : parts)
            to = std::ranges::copy(readElements<T>(part.values), to).out;
    });
    return known ? giveShape(context, 2, shape)
                 : Status(context.error("cannot move " + dtypeName(values.dtype())));
}

} // namespace

LAPIDARY_KERNEL(DeserializeManySparse, runDeserializeSparse, .ranks = {Rank::Matrix});
LAPIDARY_KERNEL(DeserializeSparse, runDeserializeSparse);
LAPIDARY_KERNEL(SerializeManySparse, runSerializeManySparse);
LAPIDARY_KERNEL(SerializeSparse, runSerializeSparse);

} // namespace lapidary
