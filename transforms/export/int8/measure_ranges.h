// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "runner/feeds/image_feed.h"
#include "transforms/export/int8/tensor_ranges.h"

#include <string>

namespace lapidary {

// Says where the ranges of a model's tensors come from: from one of both.
struct RangeSource {
    std::string pictures; // a folder of pictures that represent the data
    std::string log;      // what an 8-bit graph of the model logged (observe --log)
    ImageFeed feed;       // how pixels become numbers; sizes of 0 are those of the input
    std::string input;    // the tensor that takes the pictures; empty: the only input

    // The numbers that a picture's pixels, 0 to 255, become.
    FrozenRange pixelRange() const;
};

// Errors name the input that takes no pictures, and the file that cannot be read.
Result<TensorRanges> measureRanges(const PortableModel& model, const RangeSource& source,
                                   const Job& job);

} // namespace lapidary
