// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/example_form.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lapidary {

// A JPEG file of 224 by 224 pixels in color.
struct EncodedPicture {};
// A WAV file of 16,000 samples a second.
struct EncodedSound {
    std::int64_t samples = 16'000; // of each channel
    std::int64_t channels = 1;
};

// The form that the op that parses the texts of an input requires: examples with these features, or
// files. The first alternative: any text is accepted.
using TextForm =
    std::variant<std::monostate, std::vector<RequiredFeature>, EncodedPicture, EncodedSound>;

struct ReadText {
    TextForm form;
    bool isOne = false; // the op takes one text, a scalar, and the input itself goes to it
};

// Follows a text input through nodes that only move it, into map_fn's loop and into functions, to
// the op that parses its texts. Returns plain words if there is none.
ReadText readTextOf(const Graph& graph, NodeId input);

// Returns a text of a form in which each feature, sample and byte of a pixel is `number`; empty for
// plain words.
Result<std::string> constantText(const TextForm& form, double number, MemoryPool& pool);
// Like constantText(), with the numbers and words of a RandomFeed; `place` is the index of the text
// among several. Samples are from -1 to 1, and bytes from 0 to 255, unless the feed has a range.
Result<std::string> randomText(const TextForm& form, const RandomFeed& source, std::size_t place,
                               MemoryPool& pool);

// The words for a text of a form; empty for plain words.
struct TextFormWords {
    std::string_view one;  // "a sound"
    std::string_view many; // "sounds"
    std::string_view text; // "the contents of a WAV file"
};
TextFormWords textFormWords(const TextForm& form);

inline bool isPlain(const TextForm& form)
{
    return std::holds_alternative<std::monostate>(form);
}

} // namespace lapidary
