// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// A build or converter of TensorFlow in which a graph may have to run.
struct Target {
    std::string_view name;  // "ios_makefile_default"
    std::string_view title; // for people
    enum class Kind : std::uint8_t { Desktop, Mobile, Converter } kind = Kind::Mobile;
    // The table of a converter's own ops, if it falls back to TensorFlow's kernels.
    std::string_view otherwise = {};
    std::string_view version = "1.15"; // of TensorFlow
};
std::span<const Target> allTargets();
// Returns null if there is none.
const Target* findTarget(std::string_view name);

// The reason why a node does not run on a target, or may not.
enum class SupportFault : std::uint8_t {
    None,
    UnknownOp,      // an op that TensorFlow does not have
    NoKernel,       // no kernel for the op
    OtherTypes,     // only kernels for other types
    UnknownLabel,   // its attribute _kernel requests a missing kernel
    OnlyIfResolved, // only runs if the converter can remove it
    NotKnown,       // not in our tables
};
// Returns whether the node certainly does not run.
bool isMissing(SupportFault fault);

struct Support {
    SupportFault fault = SupportFault::None;
    std::string why;   // "its kernels there are for T: float int32"; empty if it runs
    std::string types; // of the attributes that the table lists: "T=int64"
};

// The ops that have kernels on each target, from the sources of TensorFlow 1.15.5 and, for
// converters, of 2.6. Takes about 5 ms to make; views point into it.
class OpSupport {
public:
    OpSupport();
    OpSupport(const OpSupport&) = delete;
    OpSupport& operator=(const OpSupport&) = delete;

    Support of(const Node& node, const Target& target) const;
    // Returns the entry of the table: "no", "yes", "T: float int32", ... ; empty for an unknown op.
    std::string_view cell(std::string_view op, std::string_view target) const;
    // Returns the number of ops with a kernel on the target.
    std::size_t opsIn(const Target& target) const;

private:
    struct Combination {
        std::string_view targets; // "android_full,pi_makefile_default"
        std::string_view attrs;   // "key_dtype,value_dtype"
        std::string_view tuples;  // "int32/float int64/string"
    };
    Support inTable(const Node& node, std::string_view target) const;
    bool isListedTuple(const Node& node, std::string_view target) const;
    std::string typesOf(const Node& node) const;

    std::string m_text;
    std::string m_combinationText;
    std::vector<std::string_view> m_columns;
    std::map<std::string_view, std::vector<std::string_view>> m_rows;
    std::map<std::string_view, Combination> m_combinations;
};

} // namespace lapidary
