// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <optional>
#include <string>

// Codes of 8 bits and the numbers that they represent.
namespace lapidary {

bool isByte(DType dtype);
std::string asFloat(LiftDraft& draft, std::size_t slot);
// Codes of a type of 8 bits, from what is scaled already; `zero` may be empty.
std::string rounded(LiftDraft& draft, const std::string& scaled, const std::string& zero,
                    DType codes);
// Returns the numbers that the codes in a slot represent; the scale and the zero point, which may
// be left out, follow.
std::string meaningOf(LiftDraft& draft, std::size_t slot);
// Gives numbers as codes of the scale in that slot and the zero point after it, which determines
// their type if present. Returns false if that is not a type of 8 bits.
bool giveCodes(LiftDraft& draft, const std::string& made, std::size_t scale, DType codes);
// Codes of 0 to 255 of input 0, by its own range, and their scale and zero point. Nothing if its
// rank is unknown.
struct DynamicCodes {
    std::string codes;
    std::string scale;
    std::string zero;
};
std::optional<DynamicCodes> dynamicCodes(LiftDraft& draft);

} // namespace lapidary
