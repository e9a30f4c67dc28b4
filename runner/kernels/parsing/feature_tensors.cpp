// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/parsing/feature_tensors.h"

#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>
#include <cstdint>

namespace lapidary {
namespace {

// Repeats or copies the default into [at, at + count).
void appendDefault(const Value& fallback, Value& out, std::size_t at, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t from = std::size_t(fallback.elements()) == count ? i : 0;
        if (fallback.dtype() == DType::Float)
            out.mutableAs<float>()[at + i] = fallback.as<float>()[from];
        else if (fallback.dtype() == DType::Int64)
            out.mutableAs<std::int64_t>()[at + i] = fallback.as<std::int64_t>()[from];
        else
            out.mutableStrings()[at + i] = fallback.strings()[from];
    }
}

class Parser {
public:
    Parser(KernelContext& context, const FeatureRequest& request,
           const std::vector<Example>& examples)
        : m_context(context)
        , m_request(request)
        , m_examples(examples)
    {
    }

    Status sparse(std::size_t i)
    {
        const std::string& key = m_request.sparseKeys[i];
        std::size_t count = 0;
        std::size_t widest = 0;
        for (std::size_t row = 0; row < m_examples.size(); ++row) {
            ASSIGN_OR_RETURN(const auto feature, find(key, row, m_request.sparseTypes[i]));
            const std::size_t size = feature ? feature->size() : 0;
            count += size;
            widest = std::max(widest, size);
        }
        const std::size_t kinds = m_request.sparseKeys.size();
        const std::int64_t columns = m_request.isSingle ? 1 : 2;
        auto indices = m_context.makeOutput(i, DType::Int64, {std::int64_t(count), columns});
        auto values =
            m_context.makeOutput(kinds + i, m_request.sparseTypes[i], {std::int64_t(count)});
        auto shape = m_context.makeOutput(2 * kinds + i, DType::Int64, {columns});
        if (!indices || !values || !shape)
            return m_context.error("has no memory for its sparse features");
        const auto place = indices.value().mutableAs<std::int64_t>();
        std::size_t at = 0;
        for (std::size_t row = 0; row < m_examples.size(); ++row) {
            const ExampleFeature* feature = find(key, row, m_request.sparseTypes[i]).value();
            if (feature == nullptr)
                continue;
            copyFeature(*feature, values.value(), at);
            for (std::size_t k = 0; k < feature->size(); ++k, ++at) {
                if (!m_request.isSingle)
                    place[2 * at] = std::int64_t(row);
                place[m_request.isSingle ? at : 2 * at + 1] = std::int64_t(k);
            }
        }
        const auto size = shape.value().mutableAs<std::int64_t>();
        if (!m_request.isSingle)
            size[0] = std::int64_t(m_examples.size());
        size[std::size_t(columns - 1)] = std::int64_t(widest);
        return Done{};
    }

    Status dense(std::size_t i)
    {
        Shape shape = m_request.denseShapes[i];
        const bool isVariable = !shape.unknownRank && !shape.dims.empty() && shape.dims[0] < 0;
        if (isVariable)
            shape.dims[0] = 1;
        if (!isFullyDefined(shape))
            return m_context.error("the shape of feature " + m_request.denseKeys[i] +
                                   " is not fully defined");
        std::int64_t elements = 1;
        for (const std::int64_t dim : shape.dims)
            if (__builtin_mul_overflow(elements, dim, &elements))
                return m_context.error("the shape of feature " + m_request.denseKeys[i] +
                                       " is too large");
        return isVariable ? variable(i, shape, std::size_t(elements))
                          : fixed(i, shape, std::size_t(elements));
    }

    // Sets the outputs of a ragged feature: the values of all rows one after the other, and their
    // splits, which are one more than the rows.
    Status ragged(std::size_t i)
    {
        const std::string& key = m_request.raggedKeys[i];
        std::vector<std::int64_t> splits{0};
        for (std::size_t row = 0; row < m_examples.size(); ++row) {
            ASSIGN_OR_RETURN(const auto feature, find(key, row, m_request.raggedTypes[i]));
            splits.push_back(splits.back() + std::int64_t(feature ? feature->size() : 0));
        }
        const std::size_t port = output(m_request.denseKeys.size()) + i;
        const DType splitType = m_request.splitTypes[i];
        if (splitType == DType::Int32 && splits.back() > INT32_MAX)
            return m_context.error("feature " + key + " has more values than int32 can count");
        ASSIGN_OR_RETURN(auto values,
                         m_context.makeOutput(port, m_request.raggedTypes[i], {splits.back()}));
        ASSIGN_OR_RETURN(auto rows, m_context.makeOutput(port + m_request.raggedKeys.size(),
                                                         splitType, {std::int64_t(splits.size())}));
        for (std::size_t row = 0; row < m_examples.size(); ++row)
            if (splits[row] < splits[row + 1])
                copyFeature(*find(key, row, m_request.raggedTypes[i]).value(), values,
                            std::size_t(splits[row]));
        if (splitType == DType::Int32)
            std::ranges::transform(splits, rows.mutableAs<std::int32_t>().begin(),
                                   [](std::int64_t split) { return std::int32_t(split); });
        else
            std::ranges::copy(splits, rows.mutableAs<std::int64_t>().begin());
        return Done{};
    }

private:
    // Returns the feature of a row, or null if it is missing. Fails if it has another type.
    Result<const ExampleFeature*> find(const std::string& key, std::size_t row, DType dtype) const
    {
        const auto found = m_examples[row].find(key);
        if (found == m_examples[row].end() || found->second.dtype == DType::Invalid)
            return static_cast<const ExampleFeature*>(nullptr);
        if (found->second.dtype != dtype)
            return m_context.error("feature " + key + " of example " + std::to_string(row) +
                                   " is " + dtypeName(found->second.dtype) + ", not " +
                                   dtypeName(dtype));
        return &found->second;
    }

    std::size_t output(std::size_t i) const { return 3 * m_request.sparseKeys.size() + i; }
    const Value& fallback(std::size_t i) const
    {
        return m_context.input(m_request.firstDefault + i);
    }

    Status fixed(std::size_t i, const Shape& shape, std::size_t elements)
    {
        Dims dims = shape.dims;
        if (!m_request.isSingle)
            dims.insert(dims.begin(), std::int64_t(m_examples.size()));
        ASSIGN_OR_RETURN(auto made,
                         m_context.makeOutput(output(i), m_request.denseTypes[i], std::move(dims)));
        const std::string& key = m_request.denseKeys[i];
        for (std::size_t row = 0; row < m_examples.size(); ++row) {
            const auto feature = find(key, row, m_request.denseTypes[i]);
            RETURN_IF_ERROR(feature);
            if (*feature == nullptr) {
                const auto given = std::size_t(fallback(i).elements());
                if (elements > 0 && given != elements && given != 1)
                    return m_context.error("feature " + key + " of example " + std::to_string(row) +
                                           " is missing and has no default");
                appendDefault(fallback(i), made, row * elements, elements);
                continue;
            }
            if ((*feature)->size() != elements)
                return m_context.error("feature " + key + " of example " + std::to_string(row) +
                                       " has " + std::to_string((*feature)->size()) +
                                       " values, not " + std::to_string(elements));
            copyFeature(**feature, made, row * elements);
        }
        return Done{};
    }

    // Makes as many rows as the longest example has; the others are filled up with the default.
    Status variable(std::size_t i, const Shape& shape, std::size_t stride)
    {
        const std::string& key = m_request.denseKeys[i];
        std::size_t longest = 0;
        for (std::size_t row = 0; row < m_examples.size(); ++row) {
            const auto feature = find(key, row, m_request.denseTypes[i]);
            RETURN_IF_ERROR(feature);
            const std::size_t size = *feature ? (*feature)->size() : 0;
            if (stride == 0 || size % stride != 0)
                return m_context.error("feature " + key + " of example " + std::to_string(row) +
                                       " has " + std::to_string(size) +
                                       " values, which is not a multiple of " +
                                       std::to_string(stride));
            longest = std::max(longest, size);
        }
        Dims dims = shape.dims;
        dims[0] = stride == 0 ? 0 : std::int64_t(longest / stride);
        if (!m_request.isSingle)
            dims.insert(dims.begin(), std::int64_t(m_examples.size()));
        ASSIGN_OR_RETURN(auto made,
                         m_context.makeOutput(output(i), m_request.denseTypes[i], std::move(dims)));
        for (std::size_t row = 0; row < m_examples.size(); ++row) {
            const ExampleFeature* feature = find(key, row, m_request.denseTypes[i]).value();
            const std::size_t size = feature != nullptr ? feature->size() : 0;
            if (size > 0)
                copyFeature(*feature, made, row * longest);
            if (size < longest && fallback(i).elements() != 1)
                return m_context.error("the default of feature " + key + " must be one value");
            if (size < longest)
                for (std::size_t k = size; k < longest; ++k)
                    appendDefault(fallback(i), made, row * longest + k, 1);
        }
        return Done{};
    }

    KernelContext& m_context;
    const FeatureRequest& m_request;
    const std::vector<Example>& m_examples;
};

} // namespace

void copyFeature(const ExampleFeature& feature, Value& out, std::size_t at)
{
    if (feature.dtype == DType::Float)
        std::ranges::copy(feature.floats, out.mutableAs<float>().begin() + std::ptrdiff_t(at));
    else if (feature.dtype == DType::Int64)
        std::ranges::copy(feature.integers,
                          out.mutableAs<std::int64_t>().begin() + std::ptrdiff_t(at));
    else
        std::ranges::copy(feature.strings, out.mutableStrings().begin() + std::ptrdiff_t(at));
}

Status giveFeatures(KernelContext& context, const FeatureRequest& request,
                    const std::vector<Example>& examples)
{
    for (std::size_t i = 0; i < request.denseKeys.size(); ++i)
        if (context.input(request.firstDefault + i).dtype() != request.denseTypes[i])
            return context.error("a default has another type than its feature");
    Parser parser(context, request, examples);
    for (std::size_t i = 0; i < request.sparseKeys.size(); ++i)
        RETURN_IF_ERROR(parser.sparse(i));
    for (std::size_t i = 0; i < request.denseKeys.size(); ++i)
        RETURN_IF_ERROR(parser.dense(i));
    for (std::size_t i = 0; i < request.raggedKeys.size(); ++i)
        RETURN_IF_ERROR(parser.ragged(i));
    return Done{};
}

} // namespace lapidary
