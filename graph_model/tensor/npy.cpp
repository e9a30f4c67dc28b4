// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/npy.h"

#include "graph_model/tensor/npy_header.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace lapidary {
namespace {

std::string widenedBFloat16(std::string_view halves)
{
    std::string out;
    out.reserve(halves.size() * 2);
    for (std::size_t i = 0; i + 1 < halves.size(); i += 2)
        out.append({'\0', '\0', halves[i], halves[i + 1]});
    return out;
}

Result<std::string> encodeStrings(const Tensor& tensor)
{
    const auto strings = tensor.strings();
    RETURN_IF_ERROR(strings);
    std::size_t longest = 1;
    for (const std::string& text : *strings)
        longest = std::max(longest, text.size());
    if (longest > (std::size_t(1) << 32) / std::max<std::size_t>(strings->size(), 1))
        return Error{ErrorCode::Unsupported,
                     "the strings are too long for a .npy file of fixed-length elements"};
    std::string out = npyHeader("|S" + std::to_string(longest), tensor.shape());
    for (const std::string& text : *strings) {
        out += text;
        out.append(longest - text.size(), '\0');
    }
    return out;
}

} // namespace

Result<std::string> encodeNpy(const Tensor& tensor)
{
    if (withoutReference(tensor.dtype()) == DType::String)
        return encodeStrings(tensor);
    const std::string_view descr = numpyType(tensor.dtype());
    if (descr.empty())
        return Error{ErrorCode::Unsupported, "a tensor of type " + dtypeName(tensor.dtype()) +
                                                 " has no values that a .npy file could hold"};
    ASSIGN_OR_RETURN(auto values, tensor.values());
    const bool isBFloat16 = withoutReference(tensor.dtype()) == DType::BFloat16;
    return npyHeader(descr, tensor.shape()) +
           (isBFloat16 ? widenedBFloat16(values) : std::move(values));
}

} // namespace lapidary
