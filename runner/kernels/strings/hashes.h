// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

// FarmHash's Fingerprint64: the same on every machine, for ever.
std::uint64_t fingerprint64(std::string_view text);
// MurmurHash 64A with the seed that TensorFlow gives it.
std::uint64_t murmur64(std::string_view text);
// SipHash-2-4 under a secret key.
std::uint64_t sipHash(std::string_view text, std::uint64_t key0, std::uint64_t key1);

} // namespace lapidary
