// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <string>
#include <vector>

namespace lapidary {

// An activation with its parameters: HardSigmoid is max(0, min(1, alpha x + beta)), LeakyRelu uses
// alpha; other ops use neither.
struct LiftedActivation {
    std::string op;
    float alpha = 0;
    float beta = 0;
    bool operator==(const LiftedActivation&) const = default;
};

// The kind of a recurrent cell. The gates of an Lstm are input, output, forget and candidate; those
// of a Gru update, reset and candidate; a Plain cell has only the candidate, which becomes h.
enum class LiftedCell { Lstm, Gru, Plain };

// A recurrent layer of one direction: the names of its tensors; the weights have a row for each
// gate and unit.
struct LiftedRecurrent {
    LiftedCell cell = LiftedCell::Lstm;
    std::string x;         // [steps, batch, in]
    std::string weights;   // [gates * units, in]
    std::string recurrent; // [gates * units, units]
    std::string bias;      // [gates * units], added to the products with x
    std::string ownBias;   // [gates * units], added to the products with h
    std::string h;         // [batch, units], the initial state
    std::string c;         // [batch, units], the initial state of the cell; only for an LSTM
    std::string lengths;   // int32 [batch]; empty: all steps of all rows
    std::vector<std::string> peepholes; // [units] of input, output, forget; empty: none
    // Those of the gates, of the candidate and of the output.
    std::vector<LiftedActivation> activations{{"Sigmoid"}, {"Tanh"}, {"Tanh"}};
    float clip = 0;           // for an LSTM: the largest magnitude of c; 0: no limit
    bool resetsAfter = false; // for a GRU: the reset gate scales the product with h, not h
};

// Appends a While that runs the layer. Returns the names of three tensors: h of every step, [steps,
// batch, units], the last h, and the last c, [batch, units]; for other cells than LSTMs, the third
// one is the initial h.
std::vector<std::string> liftRecurrent(LiftDraft& draft, const LiftedRecurrent& layer);

} // namespace lapidary
