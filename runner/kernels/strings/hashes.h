// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

// Returns FarmHash's Fingerprint64, which is the same on every machine and never changes.
std::uint64_t fingerprint64(std::string_view text);
// Returns MurmurHash 64A with TensorFlow's seed.
std::uint64_t murmur64(std::string_view text);
// Returns SipHash-2-4 with a secret key.
std::uint64_t sipHash(std::string_view text, std::uint64_t key0, std::uint64_t key1);

} // namespace lapidary
