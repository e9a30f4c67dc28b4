// SPDX-License-Identifier: Apache-2.0
// The cases that a pass declares beside its own tests, so that the tests of all passes try it.
#pragma once

#include "tests/transforms/pass_testing.h"

#include <map>
#include <string>
#include <vector>

namespace lapidary {

class TestFolder;

// A small graph in which a pass finds what it looks for, and others in which it does not.
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
    double tolerance = 1e-5; // of the results, as a part of the largest
    bool runs = true;        // there are kernels for it before and after
    bool keepsControls = true;
    bool endsAtOnce = true; // a second run on the changed graphs finds nothing more to do
};
using PatternCases = std::vector<PatternCase>;

// A step that leaves weights where they are on a graph that has two of them, the equal constants
// "w" and "twin" with an attribute "_note", on a device and waiting for "first". "read" copies "w"
// for "conv", "again" reads "twin" and is added to "conv" for y, and "dead" is read by none.
struct SharingStep {
    std::string step;
    bool remakes = false; // the node that holds the weights is made anew
};

struct PassCases {
    // Every pass has one, but those that are asked for nodes by name. Steps may name files, which
    // it writes into the folder.
    PatternCases (*patterns)(const TestFolder& folder) = nullptr;
    // Every pass that is asked for nodes by name and has no pattern has one, and every pass that
    // changes structure only.
    std::vector<SharingStep> sharing;
};

// Declares the cases of a pass; an object of this class is in NAME_test.cpp, in an anonymous
// namespace:
//     const CasesOf removeDeviceCases("remove_device", {.patterns = removeDevicePatterns});
class CasesOf {
public:
    CasesOf(const char* pass, PassCases cases);
};

// By the name of the pass.
using AllPassCases = std::multimap<std::string, PassCases>;
const AllPassCases& passCases();
PatternCases allPatternCases(const TestFolder& folder);

// The name of the pass of a step: "remove_nodes".
std::string passOf(const std::string& step);
// Whether it runs here; the others only keep their name.
bool isAvailable(const Pass& pass);
// Whether it looks for no pattern: the nodes are asked for by name, and have to be there.
bool namesNodes(const Pass& pass);

} // namespace lapidary
