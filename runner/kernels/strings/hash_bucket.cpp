// SPDX-License-Identifier: Apache-2.0
// StringToHashBucketFast, StringToHashBucket, StringToHashBucketStrong: each string's hash modulo
// num_buckets.
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/hashes.h"

namespace lapidary {
namespace {

template <class Hash>
Status giveBuckets(KernelContext& context, const Hash& hash)
{
    const std::int64_t buckets = context.intAttr("num_buckets");
    if (buckets < 1)
        return context.error("num_buckets must be at least 1, but it is " +
                             std::to_string(buckets));
    const Value& in = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Int64, in.dims()));
    const auto out = made.mutableAs<std::int64_t>();
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = std::int64_t(hash(in.strings()[i]) % std::uint64_t(buckets));
    return Done{};
}

Status runFast(KernelContext& context)
{
    return giveBuckets(context, fingerprint64);
}

Status runLegacy(KernelContext& context)
{
    return giveBuckets(context, murmur64);
}

Status runStrong(KernelContext& context)
{
    const std::vector<std::int64_t> key = context.attr("key").ints();
    if (key.size() != 2)
        return context.error("its key must have 2 numbers, not " + std::to_string(key.size()));
    return giveBuckets(context, [&](std::string_view text) {
        return sipHash(text, std::uint64_t(key[0]), std::uint64_t(key[1]));
    });
}

} // namespace

LAPIDARY_KERNEL(StringToHashBucket, runLegacy);
LAPIDARY_KERNEL(StringToHashBucketFast, runFast);
LAPIDARY_KERNEL(StringToHashBucketStrong, runStrong);

} // namespace lapidary
