// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/read/model_file.h"

#include <string>
#include <vector>

namespace lapidary {

struct Candidate {
    NodeId node;
    std::string tensor; // "name:port"
    DType dtype = DType::Invalid;
    Shape shape;                      // as declared; unknown rank if the file declares nothing
    double score = 0;                 // 0..1, best first
    std::vector<std::string> reasons; // each a short phrase: "no node reads it", "after Softmax"
    bool isServed = false;            // named by the signature that is used by default
    bool isEnd = false;               // an output that only losses and the like read
    bool isMeasure = false;           // a loss or the like
    bool isOfSaver = false;           // serves to save, restore or initialize
};
// The upper bound for the score of a guess; a declaration in a file outweighs any guess.
inline constexpr double bestGuess = 0.95;

struct InterfaceGuess {
    std::vector<Candidate> inputs;  // sorted, best first
    std::vector<Candidate> outputs; // sorted, best first
};

// Returns ranked guesses of the inputs to feed and the outputs to fetch; those of signatures come
// first.
InterfaceGuess guessInterface(const GraphEntry& entry);

} // namespace lapidary
