// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/seeded_value.h"
#include "runner/values/value.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace lapidary {

// The sources of the value of an input. makeFeed() (feed.h) makes the value.

// Every element is this number; strings are empty.
struct ConstantFeed {
    double number = 0;
};
// seededValue() in `range`; without a range, in the usual one of the input's type.
struct RandomFeed {
    std::uint64_t seed = 1;
    std::optional<SeededRange> range = {};
};
// A .npy, .npz or raw file.
struct FileFeed {
    std::string path;
};
// A PNG, JPEG, BMP or GIF file. `mean` and `std` are label_image's: x becomes (x - mean) / std.
struct PictureFeed {
    std::string path;
    float mean = 0;
    float std = 255;
    std::optional<std::array<float, 3>> means = {}; // of red, green and blue, instead of `mean`
    bool isBgr = false;                             // blue first, as some networks were trained
};
// Numbers as a person writes them, or strings; see writtenValue().
struct WrittenFeed {
    std::string text;
};
// The caller puts a value into the request before each run.
struct FedLater {};

using FeedSource =
    std::variant<ConstantFeed, RandomFeed, FileFeed, PictureFeed, WrittenFeed, Value, FedLater>;

} // namespace lapidary
