// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <string>
#include <vector>

namespace lapidary {

// max(0, min(1, alpha x + beta)) is HardSigmoid, LeakyRelu reads alpha; other ops read neither.
struct LiftedActivation {
    std::string op;
    float alpha = 0;
    float beta = 0;
    bool operator==(const LiftedActivation&) const = default;
};

// An LSTM (gates: input, output, forget, candidate), a GRU (update, reset, candidate) or a plain
// cell of one direction; tensors by their names, weights with a row a gate and unit.
struct LiftedRecurrent {
    bool isLstm = true;
    bool isPlain = false;  // h becomes the candidate
    std::string x;         // [steps, batch, in]
    std::string weights;   // [gates * units, in]
    std::string recurrent; // [gates * units, units]
    std::string bias;      // [gates * units], of the products with x
    std::string ownBias;   // the same of the products with h
    std::string h;         // [batch, units], what the states begin with
    std::string c;
    std::string lengths;                // int32 [batch]; empty: all steps of all rows
    std::vector<std::string> peepholes; // [units] of input, output, forget; empty: none
    // Of the gates, of the candidate, of the output.
    std::vector<LiftedActivation> activations{{"Sigmoid"}, {"Tanh"}, {"Tanh"}};
    float clip = 0;           // of an LSTM: the largest size of c; 0: any
    bool resetsAfter = false; // of a GRU: the reset gate scales a product
};

// Appends a While that runs it; the names of h of every step, the last h, and the last c.
std::vector<std::string> liftRecurrent(LiftDraft& draft, const LiftedRecurrent& layer);

} // namespace lapidary
