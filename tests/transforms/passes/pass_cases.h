// SPDX-License-Identifier: Apache-2.0
// Test cases that a pass declares beside its own tests, and that the tests of all passes use.
#pragma once

#include "tests/transforms/pass_testing.h"

#include <map>
#include <string>
#include <vector>

namespace lapidary {

class TestFolder;

// A small graph in which a pass finds its pattern, and others in which it does not.
struct PatternCase {
    struct NearMiss {
        std::string what;
        GraphPtr graph;
    };
    std::string step; // "remove_nodes(op=Identity)"
    GraphPtr graph;
    std::vector<std::string> pattern; // the nodes that match
    std::vector<NearMiss> nearMisses; // the pass has nothing to do
    std::vector<std::string> outputs{"y"};
    double tolerance = 1e-5; // of the results, relative to the largest one
    bool runs = true;        // it can run before and after
    bool keepsControls = true;
    bool endsAtOnce = true; // a second run on the changed graphs finds no match
};
using PatternCases = std::vector<PatternCase>;

// A step that must not copy unchanged weights, tried on a graph that has two of them: the equal
// constants "w" and "twin" with an attribute "_note", on a device and waiting for "first". "read"
// copies "w" for "conv", "again" reads "twin" and is added to "conv" for y, and nothing reads
// "dead".
struct SharingStep {
    std::string step;
    bool remakes = false; // the node that holds the weights is made anew
};

struct PassCases {
    // Every pass has one, except passes whose parameters name nodes. Steps may name files, which
    // the function writes into the folder.
    PatternCases (*patterns)(const TestFolder& folder) = nullptr;
    // Required for every pass that only changes structure, and for every pass whose parameters name
    // nodes and that has no pattern.
    std::vector<SharingStep> sharing;
};

// Declares the cases of a pass; an object of this class is in NAME_test.cpp, in an anonymous
// namespace:
//     const CasesOf removeDeviceCases("remove_device", {.patterns = removeDevicePatterns});
class CasesOf {
public:
    CasesOf(const char* pass, PassCases cases);
};

// Cases by the name of their pass.
using AllPassCases = std::multimap<std::string, PassCases>;
const AllPassCases& passCases();
PatternCases allPatternCases(const TestFolder& folder);

// Returns the name of the pass of a step: "remove_nodes".
std::string passOf(const std::string& step);
// Returns whether the pass runs here; unavailable passes only keep their name.
bool isAvailable(const Pass& pass);
// Returns whether the pass has no pattern: its parameters name the nodes, which must exist.
bool namesNodes(const Pass& pass);

} // namespace lapidary
