// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "runner/feeds/image_feed.h"
#include "transforms/export/int8/tensor_ranges.h"

#include <string>

namespace lapidary {

// The source of the ranges of a model's tensors: either pictures or a log.
struct RangeSource {
    std::string pictures; // a folder of pictures that represent the data
    std::string log;      // the log of an 8-bit graph of the model (observe --log)
    ImageFeed feed;       // how pixels become numbers; a size of 0: that of the input
    std::string input;    // the tensor that takes the pictures; empty: the only input

    // Returns the range of the numbers that pixels, 0 to 255, become.
    FrozenRange pixelRange() const;
};

// Errors name the input that takes no pictures, and the file that cannot be read.
Result<TensorRanges> measureRanges(const PortableModel& model, const RangeSource& source,
                                   const Job& job);

} // namespace lapidary
