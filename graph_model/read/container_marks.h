// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lapidary {

// The marks by which TensorFlow's containers are recognized, without a look at their content.

// A record starts with its length, eight bytes, and their checksum.
bool startsWithRecord(std::string_view bytes);
// An event file's first record says "brain.Event:<version>".
bool isEventFile(std::string_view bytes);
// Gzip or zlib around records: unpacks the first few bytes only.
bool isCompressedRecords(std::string_view bytes);
// The sorted tables of the two checkpoint formats.
bool isCheckpointV1(std::string_view bytes);
bool isCheckpointV2(std::string_view bytes);
// A memory-mapped package ends with the offset of its directory.
bool isMemmappedPackage(std::string_view bytes);
// A memory-mapped package with a damaged end; only asked if the bytes fit no other format.
bool holdsRegionNames(std::string_view bytes);

} // namespace lapidary
