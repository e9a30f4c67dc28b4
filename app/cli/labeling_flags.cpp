// SPDX-License-Identifier: Apache-2.0
#include "app/cli/labeling_flags.h"

#include "app/base/exit_codes.h"
#include "transforms/pass/number_values.h"

#include <cmath>

namespace lapidary {

namespace {

std::string asDivisor(const std::string& text)
{
    const auto number = floatValue(text);
    return !number || *number == 0 || !std::isfinite(*number)
               ? text + " cannot divide anything; give a number other than 0"
               : "";
}

} // namespace

void addPixelOptions(CLI::App& options, float& mean, float& std)
{
    options.add_option("--input-mean,--input_mean", mean,
                       "mean to subtract from each pixel value (0)");
    options
        .add_option("--input-std,--input_std", std,
                    "standard deviation to divide each pixel value by (255)")
        ->check(asDivisor);
}

void addLabelingOptions(CLI::App& options, Labeling& labeling)
{
    ImageFeed& feed = labeling.feed;
    options
        .add_option("--input-width,--input_width", feed.width,
                    "width to resize the image to; default: the input's size, or 299")
        ->check(CLI::Range(1, 1 << 24));
    options
        .add_option("--input-height,--input_height", feed.height,
                    "height to resize the image to; default: the input's size, or 299")
        ->check(CLI::Range(1, 1 << 24));
    addPixelOptions(options, feed.mean, feed.std);
    options.add_option("--input-layer,--input_layer", labeling.input,
                       "the input tensor for the image; default: the likely input");
    options.add_option("--output-layer,--output_layer", labeling.output,
                       "the output tensor with the scores; default: the likely output");
}

Error withLabelingFlags(Error error)
{
    if (error.reason != ErrorReason::NoOutputs)
        return error;
    error.message += "; name them with --input-layer and --output-layer";
    error.reason = ErrorReason::None;
    return error;
}

int sayUnread(const std::vector<std::string>& unread, Console& console)
{
    for (const std::string& why : unread)
        console.complain(why + "; the picture is left out");
    return unread.empty() ? exit_code::done : exit_code::found;
}

} // namespace lapidary
