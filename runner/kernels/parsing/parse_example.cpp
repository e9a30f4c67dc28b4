// SPDX-License-Identifier: Apache-2.0
// ParseExample, ParseExampleV2, ParseSingleExample: features of serialized tf.Examples as dense
// tensors, as sparse ones (indices, values, shape), or as ragged ones (values, splits). A missing
// dense feature gets its default.
#include "runner/kernels/kernel.h"
#include "runner/kernels/parsing/example.h"
#include "runner/kernels/parsing/feature_tensors.h"

#include <algorithm>
#include <cstdint>

namespace lapidary {
namespace {

bool fits(const FeatureRequest& request, const KernelContext& context)
{
    const std::size_t dense = request.denseKeys.size();
    const std::size_t ragged = request.raggedKeys.size();
    return request.sparseTypes.size() == request.sparseKeys.size() &&
           request.denseTypes.size() == dense && request.denseShapes.size() == dense &&
           request.raggedTypes.size() == ragged && request.splitTypes.size() == ragged &&
           context.inputCount() == request.firstDefault + dense &&
           context.outputCount() == 3 * request.sparseKeys.size() + dense + 2 * ragged;
}

// ParseSingleExample: keys are attributes.
void readKeyAttrs(const KernelContext& context, FeatureRequest& request)
{
    for (const std::string_view key : context.attr("sparse_keys").strings())
        request.sparseKeys.emplace_back(key);
    for (const std::string_view key : context.attr("dense_keys").strings())
        request.denseKeys.emplace_back(key);
    request.firstDefault = 1;
}

// ParseExample: each key is an input.
Status readKeyInputs(const KernelContext& context, FeatureRequest& request)
{
    const auto sparse = std::size_t(std::max<std::int64_t>(context.intAttr("Nsparse"), 0));
    const auto dense = std::size_t(std::max<std::int64_t>(context.intAttr("Ndense"), 0));
    request.firstDefault = 2 + sparse + dense;
    if (context.inputCount() < request.firstDefault)
        return context.error("it has too few inputs");
    for (std::size_t i = 2; i < request.firstDefault; ++i) {
        if (!context.input(i).isScalar())
            return context.error("its keys must be scalars");
        (i < 2 + sparse ? request.sparseKeys : request.denseKeys)
            .push_back(context.input(i).strings()[0]);
    }
    return Done{};
}

// ParseExampleV2: the keys of each kind are one input.
void readKeyLists(const KernelContext& context, FeatureRequest& request)
{
    const auto keysOf = [&](std::size_t input) {
        const auto keys = context.input(input).strings();
        return std::vector<std::string>(keys.begin(), keys.end());
    };
    request.sparseKeys = keysOf(2);
    request.denseKeys = keysOf(3);
    request.raggedKeys = keysOf(4);
    request.raggedTypes = context.attr("ragged_value_types").types();
    request.splitTypes = context.attr("ragged_split_types").types();
    request.firstDefault = 5;
    request.isSingle = context.input(0).isScalar();
}

Result<FeatureRequest> readRequest(const KernelContext& context)
{
    FeatureRequest request;
    const std::string_view op = context.node().op();
    request.sparseTypes = context.attr("sparse_types").types();
    request.denseTypes = context.attr("Tdense").types();
    request.denseShapes = context.attr("dense_shapes").shapes();
    if (op == "ParseSingleExample") {
        request.isSingle = true;
        readKeyAttrs(context, request);
    } else if (op == "ParseExample") {
        RETURN_IF_ERROR(readKeyInputs(context, request));
    } else {
        readKeyLists(context, request);
    }
    if (!fits(request, context))
        return context.error("its keys, types and shapes differ in number");
    if (request.isSingle && !request.raggedKeys.empty())
        return context.error("ragged features need a batch of examples, but this is one alone; "
                             "feed a vector of them");
    return request;
}

Status runParseExample(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto request, readRequest(context));
    const Value& serialized = context.input(0);
    if (serialized.rank() != (request.isSingle ? 0 : 1))
        return context.error("serialized has shape " + dimsText(serialized.dims()));
    std::vector<Example> examples;
    for (const std::string& text : serialized.strings()) {
        auto example = parseExample(text);
        if (!example)
            return context.error("example " + std::to_string(examples.size()) +
                                 " is not a serialized tf.Example");
        examples.push_back(std::move(*example));
    }
    return giveFeatures(context, request, examples);
}

} // namespace

LAPIDARY_KERNEL(ParseExample, runParseExample);
LAPIDARY_KERNEL(ParseExampleV2, runParseExample,
                .ranks = {Rank::Any, Rank::Any, Rank::Vector, Rank::Vector, Rank::Vector});
LAPIDARY_KERNEL(ParseSingleExample, runParseExample);

} // namespace lapidary
