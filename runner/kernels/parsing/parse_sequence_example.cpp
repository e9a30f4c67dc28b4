// SPDX-License-Identifier: Apache-2.0
// ParseSequenceExample, ParseSingleSequenceExample: features of serialized tf.SequenceExamples:
// those of the context as ParseExample gives them, and lists of features with an axis for their
// steps, dense (shorter ones filled up with zeros) or sparse.
#include "runner/guard/run_guard.h"
#include "runner/kernels/parsing/example.h"
#include "runner/kernels/parsing/feature_tensors.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>
#include <array>
#include <span>

namespace lapidary {
namespace {

struct SequenceRequest {
    FeatureRequest context;
    std::vector<std::string> sparseKeys; // of the lists
    std::vector<DType> sparseTypes;
    std::vector<std::string> denseKeys;
    std::vector<DType> denseTypes;
    std::vector<Shape> denseShapes;
    std::vector<std::string> missingAllowed; // keys of lists that are empty if they are missing

    bool isSingle() const { return context.isSingle; }
    std::size_t firstOutput() const
    {
        return 3 * context.sparseKeys.size() + context.denseKeys.size();
    }
};

std::vector<std::string> keyAttr(const KernelContext& context, std::string_view name)
{
    std::vector<std::string> keys;
    for (const std::string_view key : context.attr(name).strings())
        keys.emplace_back(key);
    return keys;
}

// ParseSingleSequenceExample: each key is an input.
Status readSequenceKeys(const KernelContext& context, SequenceRequest& request)
{
    const Value& missing = context.input(1);
    request.missingAllowed.assign(missing.strings().begin(), missing.strings().end());
    const std::array lists{&request.context.sparseKeys, &request.context.denseKeys,
                           &request.sparseKeys, &request.denseKeys};
    constexpr std::array counts{"Ncontext_sparse", "Ncontext_dense", "Nfeature_list_sparse",
                                "Nfeature_list_dense"};
    std::size_t at = 2;
    for (std::size_t list = 0; list < lists.size(); ++list) {
        const auto count = std::size_t(std::max<std::int64_t>(context.intAttr(counts[list]), 0));
        for (std::size_t i = 0; i < count; ++i, ++at) {
            if (at >= context.inputCount() || !context.input(at).isScalar() ||
                context.input(at).strings().empty())
                return context.error("its keys must be single strings");
            lists[list]->push_back(context.input(at).strings()[0]);
        }
    }
    request.context.firstDefault = at;
    return Done{};
}

// ParseSequenceExample: keys are attributes.
void readSequenceKeyAttrs(const KernelContext& context, SequenceRequest& request)
{
    request.missingAllowed = keyAttr(context, "feature_list_dense_missing_assumed_empty");
    request.context.sparseKeys = keyAttr(context, "context_sparse_keys");
    request.context.denseKeys = keyAttr(context, "context_dense_keys");
    request.sparseKeys = keyAttr(context, "feature_list_sparse_keys");
    request.denseKeys = keyAttr(context, "feature_list_dense_keys");
    request.context.firstDefault = 2;
}

bool fitsNode(const SequenceRequest& request, const KernelContext& context)
{
    const FeatureRequest& whole = request.context;
    const std::size_t dense = request.denseKeys.size();
    const std::size_t inputs = whole.firstDefault + whole.denseKeys.size();
    return whole.sparseTypes.size() == whole.sparseKeys.size() &&
           whole.denseTypes.size() == whole.denseKeys.size() &&
           whole.denseShapes.size() == whole.denseKeys.size() &&
           request.sparseTypes.size() == request.sparseKeys.size() &&
           request.denseTypes.size() == dense && request.denseShapes.size() == dense &&
           context.inputCount() == inputs + (whole.isSingle ? 1 : 0) &&
           context.outputCount() == request.firstOutput() + 3 * request.sparseKeys.size() +
                                        (whole.isSingle ? 1 : 2) * dense;
}

Result<SequenceRequest> sequenceRequest(const KernelContext& context)
{
    SequenceRequest request;
    request.context.isSingle = context.node().op() == "ParseSingleSequenceExample";
    request.context.sparseTypes = context.attr("context_sparse_types").types();
    request.context.denseTypes = context.attr("Tcontext_dense").types();
    request.context.denseShapes = context.attr("context_dense_shapes").shapes();
    request.sparseTypes = context.attr("feature_list_sparse_types").types();
    request.denseTypes = context.attr("feature_list_dense_types").types();
    request.denseShapes = context.attr("feature_list_dense_shapes").shapes();
    if (request.isSingle()) {
        RETURN_IF_ERROR(readSequenceKeys(context, request));
    } else {
        readSequenceKeyAttrs(context, request);
    }
    if (!fitsNode(request, context))
        return context.error("its keys, types and shapes differ in number");
    return request;
}

using Steps = std::span<const ExampleFeature>;

class ListParser {
public:
    ListParser(KernelContext& context, const SequenceRequest& request,
               const std::vector<SequenceExample>& examples)
        : m_context(context)
        , m_request(request)
        , m_examples(examples)
    {
    }

    Status sparse(std::size_t i) const
    {
        const std::string& key = m_request.sparseKeys[i];
        const DType dtype = m_request.sparseTypes[i];
        std::int64_t count = 0;
        Dims shape{std::int64_t(m_examples.size()), 0, 0};
        for (std::size_t row = 0; row < m_examples.size(); ++row) {
            ASSIGN_OR_RETURN(const auto steps, stepsOf(key, row, dtype));
            shape[1] = std::max(shape[1], std::int64_t(steps.size()));
            for (const ExampleFeature& step : steps) {
                count += std::int64_t(step.size());
                shape[2] = std::max(shape[2], std::int64_t(step.size()));
            }
        }
        if (m_request.isSingle())
            shape.erase(shape.begin());
        const std::size_t kinds = m_request.sparseKeys.size();
        const std::size_t first = m_request.firstOutput() + i;
        const auto rank = std::int64_t(shape.size());
        ASSIGN_OR_RETURN(auto indices, m_context.makeOutput(first, DType::Int64, {count, rank}));
        ASSIGN_OR_RETURN(auto values, m_context.makeOutput(first + kinds, dtype, {count}));
        ASSIGN_OR_RETURN(auto sizes, m_context.makeOutput(first + 2 * kinds, DType::Int64, {rank}));
        std::ranges::copy(shape, sizes.mutableAs<std::int64_t>().begin());
        fillSparse(key, dtype, indices, values);
        return Done{};
    }

    Status dense(std::size_t i) const
    {
        const std::string& key = m_request.denseKeys[i];
        const Shape& shape = m_request.denseShapes[i];
        std::int64_t each = 1;
        for (const std::int64_t dim : shape.dims)
            if (dim < 0 || __builtin_mul_overflow(each, dim, &each))
                each = -1;
        if (shape.unknownRank || each < 0)
            return m_context.error("the shape of feature list " + key + " is not fully defined");
        std::vector<Steps> rows;
        std::size_t longest = 0;
        for (std::size_t row = 0; row < m_examples.size(); ++row) {
            ASSIGN_OR_RETURN(const auto steps, denseSteps(i, row, std::size_t(each)));
            longest = std::max(longest, steps.size());
            rows.push_back(steps);
        }
        Dims dims{std::int64_t(longest)};
        if (!m_request.isSingle())
            dims.insert(dims.begin(), std::int64_t(m_examples.size()));
        dims.insert(dims.end(), shape.dims.begin(), shape.dims.end());
        const std::size_t first = m_request.firstOutput() + 3 * m_request.sparseKeys.size() + i;
        ASSIGN_OR_RETURN(auto values, zerosOf(m_context, m_request.denseTypes[i], dims));
        RETURN_IF_ERROR(m_context.setOutput(first, values));
        const std::size_t stride = longest * std::size_t(each);
        for (std::size_t row = 0; row < rows.size(); ++row)
            for (std::size_t step = 0; step < rows[row].size(); ++step) {
                stopPoint();
                copyFeature(rows[row][step], values, row * stride + step * std::size_t(each));
            }
        return m_request.isSingle() ? Status(Done{})
                                    : giveLengths(first + m_request.denseKeys.size(), rows);
    }

private:
    // Returns the steps of a list; none if it is missing. Fails if one has another type.
    Result<Steps> stepsOf(const std::string& key, std::size_t row, DType dtype) const
    {
        const auto& lists = m_examples[row].lists;
        const auto found = lists.find(key);
        if (found == lists.end())
            return Steps();
        for (const ExampleFeature& step : found->second)
            if (step.dtype != DType::Invalid && step.dtype != dtype)
                return m_context.error("feature list " + key + " of example " +
                                       std::to_string(row) + " has a step of type " +
                                       dtypeName(step.dtype) + ", not " + dtypeName(dtype));
        return Steps(found->second);
    }

    Result<Steps> denseSteps(std::size_t i, std::size_t row, std::size_t each) const
    {
        const std::string& key = m_request.denseKeys[i];
        if (!m_examples[row].lists.contains(key) &&
            std::ranges::count(m_request.missingAllowed, key) == 0)
            return m_context.error("feature list " + key + " of example " + std::to_string(row) +
                                   " is missing");
        auto steps = stepsOf(key, row, m_request.denseTypes[i]);
        if (!steps)
            return steps;
        for (const ExampleFeature& step : *steps)
            if (step.size() != each || step.dtype == DType::Invalid)
                return m_context.error("feature list " + key + " of example " +
                                       std::to_string(row) + " has a step of " +
                                       std::to_string(step.size()) + " values, not " +
                                       std::to_string(each));
        return steps;
    }

    void fillSparse(const std::string& key, DType dtype, Value& indices, Value& values) const
    {
        const auto place = indices.mutableAs<std::int64_t>();
        std::size_t at = 0;
        std::size_t index = 0;
        for (std::size_t row = 0; row < m_examples.size(); ++row) {
            const auto steps = stepsOf(key, row, dtype).value();
            for (std::size_t step = 0; step < steps.size(); ++step) {
                copyFeature(steps[step], values, at);
                at += steps[step].size();
                for (std::size_t k = 0; k < steps[step].size(); ++k) {
                    stopPoint();
                    if (!m_request.isSingle())
                        place[index++] = std::int64_t(row);
                    place[index++] = std::int64_t(step);
                    place[index++] = std::int64_t(k);
                }
            }
        }
    }

    Status giveLengths(std::size_t output, const std::vector<Steps>& rows) const
    {
        ASSIGN_OR_RETURN(auto lengths,
                         m_context.makeOutput(output, DType::Int64, {std::int64_t(rows.size())}));
        std::ranges::transform(rows, lengths.mutableAs<std::int64_t>().begin(),
                               [](const Steps& steps) { return std::int64_t(steps.size()); });
        return Done{};
    }

    KernelContext& m_context;
    const SequenceRequest& m_request;
    const std::vector<SequenceExample>& m_examples;
};

Status runParseSequenceExample(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto request, sequenceRequest(context));
    const Value& serialized = context.input(0);
    if (serialized.rank() != (request.isSingle() ? 0 : 1))
        return context.error("serialized has shape " + dimsText(serialized.dims()));
    std::vector<SequenceExample> examples;
    std::vector<Example> contexts;
    for (const std::string& text : serialized.strings()) {
        auto example = parseSequenceExample(text);
        if (!example)
            return context.error("example " + std::to_string(examples.size()) +
                                 " is not a serialized tf.SequenceExample");
        contexts.push_back(std::move(example->context));
        examples.push_back(std::move(*example));
    }
    RETURN_IF_ERROR(giveFeatures(context, request.context, contexts));
    const ListParser parser(context, request, examples);
    for (std::size_t i = 0; i < request.sparseKeys.size(); ++i)
        RETURN_IF_ERROR(parser.sparse(i));
    for (std::size_t i = 0; i < request.denseKeys.size(); ++i)
        RETURN_IF_ERROR(parser.dense(i));
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(ParseSequenceExample, runParseSequenceExample);
LAPIDARY_KERNEL(ParseSingleSequenceExample, runParseSequenceExample);

} // namespace lapidary
