#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "runner/values/value.h"

#include <string>
#include <string_view>

namespace lapidary {

// What an input takes.
struct FeedTarget {
    std::string tensor;           // "x:0"
    DType dtype = DType::Invalid; // Invalid: whatever the source has
    Shape shape;                  // unknown rank: whatever the source has
};

// A value for one input from a source as it is written on the command line:
//   zeros, ones            every element; strings are empty
//   random[:SEED[:LOW:HIGH]]   seededValue() in usualRange() or [LOW, HIGH)
//   image:FILE, image:FILE:MEAN:STD   pictureFeed()
//   FILE                   .npy; .npz, whose entry "x:0" or "x" or only one is taken; anything else
//                          is raw: the elements' bytes, or the one string of a string input
// An unknown first size of the input is 1 where the source has no shape of its own. Errors name the
// input, what it takes and what the source has.
Result<Value> makeFeed(const FeedTarget& target, std::string_view source, MemoryPool& pool,
                       const Job& job);

// The value as the target takes it: the same type and a shape that fits. NumPy's double and int64
// become float and int32 where every value fits.
Result<Value> fitFeed(const FeedTarget& target, Value value, std::string_view source,
                      MemoryPool& pool);

// What is known of a tensor by its node alone: dtype and shape.
FeedTarget feedTarget(const Graph& graph, const std::string& tensor);

} // namespace lapidary
