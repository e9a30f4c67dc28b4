// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstdint>
#include <string_view>

namespace lapidary {

// Returns bytes of a file as one line of plain text: invalid UTF-8 and control characters are
// spelled out ("\xff", "\n").
QString plainText(std::string_view bytes);
// Returns the part after the last "/".
QString lastPathPart(std::string_view name);

// Return rounded numbers for people: "812", "25.6 k", "25.6 M"; "97.5 MB", "812 B"; "12.3 ms",
// "1.20 s".
QString countText(std::int64_t count);
QString bytesText(std::uint64_t bytes);
QString durationText(double milliseconds);
// Returns all digits, in groups of three: "25 610 152".
QString exactText(std::int64_t count);
// Returns a value of a tensor: "-0.412", "1.2e-07", "nan"; a float has no more than the seven
// significant digits shown.
QString valueText(double value, int digits = 7);
// Returns "1 node", "3 nodes"; the plural is the noun with an s unless given.
QString counted(std::int64_t count, const QString& noun, const QString& plural = {});

} // namespace lapidary
