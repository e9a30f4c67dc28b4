// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <optional>
#include <string>

// Helpers for codes of 8 bits and the numbers that they represent.
namespace lapidary {

bool isByte(DType dtype);
std::string asFloat(LiftDraft& draft, std::size_t slot);
// Rounds scaled numbers to codes of an 8-bit type; `zero` may be empty.
std::string rounded(LiftDraft& draft, const std::string& scaled, const std::string& zero,
                    DType codes);
// Returns the numbers of the codes in a slot; the next slots have the scale and the zero point,
// which may be omitted.
std::string meaningOf(LiftDraft& draft, std::size_t slot);
// Sets numbers as the output, as codes with the scale in that slot and the zero point after it,
// which determines their type if present. Returns false if that is not a type of 8 bits.
bool giveCodes(LiftDraft& draft, const std::string& made, std::size_t scale, DType codes);
// Input 0 as codes of 0 to 255 in its own range, with scale and zero point. Nothing if its rank is
// unknown.
struct DynamicCodes {
    std::string codes;
    std::string scale;
    std::string zero;
};
std::optional<DynamicCodes> dynamicCodes(LiftDraft& draft);

} // namespace lapidary
