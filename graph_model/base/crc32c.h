// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

// Computes CRC-32C (Castagnoli), as record files and checkpoints use it. `previous` is the checksum
// of the bytes before these, so that data can be added piece by piece.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t previous = 0);
// Computes the same without special instructions, for processors that have none.
std::uint32_t crc32cByTable(std::string_view bytes, std::uint32_t previous = 0);

// Returns the stored form: rotated and offset, so that the checksum of bytes that contain a
// checksum is sound.
std::uint32_t maskedCrc32c(std::string_view bytes);
std::uint32_t maskedCrc32c(std::uint32_t crc);

} // namespace lapidary
