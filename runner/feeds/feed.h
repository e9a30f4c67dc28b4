// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "runner/feeds/feed_source.h"
#include "runner/feeds/text_form.h"
#include "runner/values/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// An input, with the type and shape of the values that it takes.
struct FeedTarget {
    std::string tensor;           // "x:0"
    DType dtype = DType::Invalid; // Invalid: the source decides
    Shape shape;                  // unknown rank: the source decides
    // The form of each text if an op parses the texts and the source is neither a file nor a value.
    TextForm form = {};
};

// Makes the value of one input from its source. Files: .npy; .npz, of which the entry "x:0" or "x"
// or the only entry is read; WAV for numbers (sound_feed.h); any other file is raw: the elements'
// bytes, or the one string of a string input. A source without sizes of its own has the input's; an
// unknown first size (the batch) is then 1, any other one is an error with
// ErrorReason::MissingSize. Errors name the input, its type and shape, and the type and shape of
// the source. FedLater gives a value that is not set.
Result<Value> makeFeed(const FeedTarget& target, const FeedSource& source, MemoryPool& pool,
                       const Job& job);

// Returns the value if its type and shape fit the target, else an error "SOURCE has ...". NumPy's
// double and int64 become float and int32 if every value fits.
Result<Value> fitFeed(const FeedTarget& target, Value value, std::string_view source,
                      MemoryPool& pool);

// Returns whether a value of these sizes fits the wanted shape, whose unknown sizes fit any.
bool shapeFits(const Dims& dims, const Shape& wanted);
// Returns the error "input x:0 takes float [1,3], but FILE has ..."; `has` is its end.
Error misfit(const FeedTarget& target, const std::string& has);

// Returns the dtype and shape that the node itself declares for a tensor, and the form of its
// texts.
FeedTarget feedTarget(const Graph& graph, const std::string& tensor);

} // namespace lapidary
