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
    Shape shape;                      // as declared; unknown rank where nothing is known
    double score = 0;                 // 0..1, best first
    std::vector<std::string> reasons; // each a short phrase: "nobody reads it", "after Softmax"
};
struct InterfaceGuess {
    std::vector<Candidate> inputs;  // best first
    std::vector<Candidate> outputs; // best first
};

// Ranked guesses at what to feed and what comes out (signatures first, where the entry has some).
InterfaceGuess guessInterface(const GraphEntry& entry);

} // namespace lapidary
