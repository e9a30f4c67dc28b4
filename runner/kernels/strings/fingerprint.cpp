// SPDX-License-Identifier: Apache-2.0
// Fingerprint: FarmHash's 64 bits, as eight bytes, of each row of a tensor. For several strings in
// a row it is the fingerprint of their fingerprints.
#include "runner/guard/run_guard.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/hashes.h"

#include <bit>
#include <cstring>

namespace lapidary {
namespace {

constexpr std::size_t fingerprintBytes = 8;

void storeFingerprint(std::string_view bytes, std::uint8_t* to)
{
    static_assert(std::endian::native == std::endian::little);
    stopPoint();
    const std::uint64_t number = fingerprint64(bytes);
    std::memcpy(to, &number, fingerprintBytes);
}

// Returns the bytes whose fingerprint is that of the row.
std::string bytesOfRow(std::span<const std::string> row)
{
    if (row.size() == 1)
        return row[0];
    std::string bytes(row.size() * fingerprintBytes, '\0');
    for (std::size_t i = 0; i < row.size(); ++i)
        storeFingerprint(row[i],
                         reinterpret_cast<std::uint8_t*>(bytes.data()) + i * fingerprintBytes);
    return bytes;
}

Status runFingerprint(KernelContext& context)
{
    const Value& data = context.input(0);
    const auto method = context.input(1).strings();
    if (method.size() != 1 || method[0] != "farmhash64")
        return context.error("method must be farmhash64" +
                             (method.size() == 1 ? ", not '" + method[0] + "'" : std::string()));
    if (data.isScalar())
        return context.error("data must have at least one axis");
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::UInt8,
                                                   {data.dim(0), std::int64_t(fingerprintBytes)}));
    const auto rows = std::size_t(data.dim(0));
    if (data.dtype() != DType::String && dtypeSize(data.dtype()) == 0)
        return context.error("has no kernel for " + dtypeName(data.dtype()));
    const auto to = made.mutableAs<std::uint8_t>();
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t each = std::size_t(data.elements()) / rows;
        const std::size_t bytes = each * dtypeSize(data.dtype());
        std::uint8_t* const at = to.data() + row * fingerprintBytes;
        if (data.dtype() == DType::String)
            storeFingerprint(bytesOfRow(data.strings().subspan(row * each, each)), at);
        else
            storeFingerprint(data.bytes().substr(row * bytes, bytes), at);
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Fingerprint, runFingerprint);

} // namespace lapidary
