// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/tensor_picture.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace lapidary {
namespace {

// The sizes of one picture, for each of the three forms of the tensor.
struct Form {
    std::int64_t pictures = 1;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 1;
};

Form formOf(const Shape& shape, bool isChannelsFirst)
{
    const std::vector<std::int64_t>& dims = shape.dims;
    Form form;
    if (dims.size() < 2 || dims.size() > 4)
        return form;
    const std::size_t first = dims.size() == 4 ? 1 : 0;
    form.pictures = first == 1 ? dims[0] : 1;
    const bool hasChannels = dims.size() > 2;
    const std::size_t height = first + (hasChannels && isChannelsFirst ? 1 : 0);
    form.height = dims[height];
    form.width = dims[height + 1];
    form.channels = !hasChannels ? 1 : isChannelsFirst ? dims[first] : dims.back();
    return form;
}

// Reorders the numbers of [channels, height, width] to [height, width, channels].
std::vector<double> channelsLast(const Form& form, const std::vector<double>& values)
{
    const auto channels = std::size_t(form.channels);
    const std::size_t plane = values.size() / channels;
    std::vector<double> ordered(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        ordered[i % plane * channels + i / plane] = values[i];
    return ordered;
}

struct Range {
    double low = 0;
    double high = 0;
    bool isEmpty = true;

    void add(double value)
    {
        if (!std::isfinite(value))
            return;
        low = isEmpty ? value : std::min(low, value);
        high = isEmpty ? value : std::max(high, value);
        isEmpty = false;
    }
    // Halving keeps the difference of the largest doubles finite.
    std::uint8_t gray(double value) const
    {
        if (!std::isfinite(value))
            return 0;
        const double width = high / 2 - low / 2;
        const double share = width > 0 ? (value / 2 - low / 2) / width : 0.5;
        return std::uint8_t(std::lround(255 * std::clamp(share, 0.0, 1.0)));
    }
};

// The numbers of one picture, with the range of each channel.
struct Pixels {
    Form form;
    std::vector<double> values;
    std::vector<Range> ranges; // by channel
    Range common;

    double at(std::int64_t y, std::int64_t x, std::int64_t channel) const
    {
        return values[std::size_t((y * form.width + x) * form.channels + channel)];
    }
};

Pixels ranged(const Form& form, std::vector<double> values)
{
    Pixels pixels{form, std::move(values), std::vector<Range>(std::size_t(form.channels)), {}};
    for (std::size_t i = 0; i < pixels.values.size(); ++i) {
        pixels.ranges[i % std::size_t(form.channels)].add(pixels.values[i]);
        pixels.common.add(pixels.values[i]);
    }
    return pixels;
}

// Returns the number of tiles in a row that makes the picture about as wide as high.
int tilesAcross(const Form& form, std::int64_t tiles)
{
    const double across =
        std::sqrt(double(tiles) * double(form.height + 1) / double(form.width + 1));
    return int(std::clamp<std::int64_t>(std::llround(std::ceil(across)), 1, tiles));
}

void drawColor(const Pixels& from, TensorPicture& picture)
{
    const Form& form = from.form;
    picture.channels = 3;
    picture.width = int(form.width);
    picture.height = int(form.height);
    picture.pixels.reserve(std::size_t(form.width * form.height) * 3);
    for (std::int64_t y = 0; y < form.height; ++y)
        for (std::int64_t x = 0; x < form.width; ++x)
            for (std::int64_t channel = 0; channel < 3; ++channel)
                picture.pixels.push_back(from.common.gray(from.at(y, x, channel)));
}

void drawTiles(const Pixels& from, PictureScale scale, std::int64_t most, TensorPicture& picture)
{
    const Form& form = from.form;
    const std::int64_t tilePixels = (form.width + 1) * (form.height + 1);
    const std::int64_t tiles = std::clamp<std::int64_t>(most / tilePixels, 1, form.channels);
    const int across = tilesAcross(form, tiles);
    const int down = int((tiles + across - 1) / across);
    picture.channels = int(tiles);
    picture.width = int(across * (form.width + 1) - 1);
    picture.height = int(down * (form.height + 1) - 1);
    picture.pixels.assign(std::size_t(picture.width) * std::size_t(picture.height) * 3, 0);
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const Range& range =
            scale == PictureScale::Each ? from.ranges[std::size_t(tile)] : from.common;
        const std::int64_t left = tile % across * (form.width + 1);
        const std::int64_t top = tile / across * (form.height + 1);
        for (std::int64_t y = 0; y < form.height; ++y)
            for (std::int64_t x = 0; x < form.width; ++x)
                std::fill_n(picture.pixels.begin() + ((top + y) * picture.width + left + x) * 3, 3,
                            range.gray(from.at(y, x, tile)));
    }
}

} // namespace

bool isPictureShape(const Shape& shape, bool isChannelsFirst)
{
    const Form form = formOf(shape, isChannelsFirst);
    return !shape.unknownRank && form.height >= 2 && form.width >= 2 && form.channels >= 1 &&
           form.pictures >= 1;
}

PictureMode usualMode(const Shape& shape, bool isChannelsFirst)
{
    return isPictureShape(shape, isChannelsFirst) && formOf(shape, isChannelsFirst).channels == 3
               ? PictureMode::Color
               : PictureMode::Channels;
}

Result<TensorPicture> tensorPicture(const Tensor& tensor, const PictureChoice& choice,
                                    std::int64_t mostPixels, const Job& job)
{
    const Form form = formOf(tensor.shape(), choice.isChannelsFirst);
    const std::string name = "a tensor of shape " + shapeText(tensor.shape());
    if (!isPictureShape(tensor.shape(), choice.isChannelsFirst))
        return Error{ErrorCode::InvalidArgument, name + " is not a picture"};
    if (choice.picture < 0 || choice.picture >= form.pictures)
        return Error{ErrorCode::InvalidArgument,
                     name + " has no picture " + std::to_string(choice.picture)};
    if (form.width > mostPixels || form.height > mostPixels / form.width)
        return Error{ErrorCode::Unsupported, name + " is too large for a picture",
                     ErrorReason::PictureSize};
    const std::int64_t size = form.height * form.width * form.channels;
    ASSIGN_OR_RETURN(auto values,
                     tensor.numbers(choice.picture * size, (choice.picture + 1) * size));
    if (job.cancelled())
        return cancelledError();
    if (choice.isChannelsFirst)
        values = channelsLast(form, values);
    const Pixels pixels = ranged(form, std::move(values));
    TensorPicture picture;
    picture.low = pixels.common.low;
    picture.high = pixels.common.high;
    picture.allChannels = form.channels;
    picture.pictures = form.pictures;
    picture.tileWidth = int(form.width);
    picture.tileHeight = int(form.height);
    if (choice.mode == PictureMode::Color && form.channels == 3)
        drawColor(pixels, picture);
    else
        drawTiles(pixels, choice.scale, mostPixels, picture);
    return picture;
}

} // namespace lapidary
