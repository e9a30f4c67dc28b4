// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "transforms/export/recurrent/affine_form.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lapidary {

// One step of an LSTM, a GRU or a plain cell, recognized by what it computes and not by names.
// Weights have the layout of PortableKind::Lstm, Gru and Rnn.
struct RecurrentCell {
    PortableKind kind = PortableKind::Lstm;
    TensorIndex x = noTensor; // the input of the step
    TensorIndex h = noTensor; // the states before it; only an Lstm has c
    TensorIndex c = noTensor;
    TensorIndex nextH = noTensor;
    TensorIndex nextC = noTensor;
    std::int64_t inputs = 0;
    std::int64_t units = 0;
    std::vector<float> weights;   // [inputs, gates * units]
    std::vector<float> recurrent; // [units, gates * units]
    std::vector<float> bias;
    std::vector<float> peepholes; // empty: it has none
    // [units, columns]: h is the output of the cell times this matrix, which `recurrent` already
    // includes. Empty: h is the output itself.
    std::vector<float> projection;
    std::vector<PortableGate> gates;
    bool resetsAfter = false;
};

// Where to look for a cell: in the body of a loop, whose states are inputs, or among unrolled
// steps, where the step before computes them.
enum class CellPlace : std::uint8_t { Loop, Chain };

// Finds the cell whose state `h` becomes `nextH`. Returns nothing if it is not such a cell; an
// error, with the reason, if it is one that no runtime has as an operator.
Result<std::optional<RecurrentCell>> findRecurrentCell(AffineForms& forms, TensorIndex h,
                                                       TensorIndex nextH,
                                                       CellPlace place = CellPlace::Loop);

// Returns "an LSTM", for example.
std::string_view recurrentName(PortableKind kind);
// Returns an error, with the reason, if no operator of TFLite computes that cell.
Status checkTfliteCell(const RecurrentCell& cell);

} // namespace lapidary
