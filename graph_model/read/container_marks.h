// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// These functions recognize TensorFlow's containers by marks, without examining their content.

// A record starts with its length (eight bytes) and the checksum of the length.
bool startsWithRecord(std::string_view bytes);
// The first record of an event file begins with "brain.Event:<version>".
bool isEventFile(std::string_view bytes);
// Gzip or zlib around records; unpacks only the first few bytes.
bool isCompressedRecords(std::string_view bytes);
// Sorted tables of the two checkpoint formats.
bool isCheckpointV1(std::string_view bytes);
bool isCheckpointV2(std::string_view bytes);
// A memory-mapped package ends with the offset of its directory.
bool isMemmappedPackage(std::string_view bytes);
// A memory-mapped package with a damaged end; only called if the bytes fit no other format.
bool holdsRegionNames(std::string_view bytes);

} // namespace lapidary
