// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/int8/measure_ranges.h"

#include "graph_model/base/clamped_cast.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/tensor/shape.h"
#include "runner/feeds/picture_feed.h"
#include "runner/feeds/picture_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace lapidary {
namespace {

// Returns how the pictures are fed into the only input.
Result<ImageFeed> feedOf(const PortableModel& model, const RangeSource& source)
{
    const std::string wanted = tensorAsFlag(source.input);
    if (model.inputs.size() != 1 || (!wanted.empty() && model.at(model.inputs[0]).name != wanted))
        return Error{
            ErrorCode::Unsupported,
            "pictures can be fed where the only input is " +
                (wanted.empty() ? "a picture" : wanted) + "; the file has " +
                std::to_string(model.inputs.size()) + " inputs" +
                (model.inputs.empty() ? "" : ", the first one " + model.at(model.inputs[0]).name)};
    const PortableTensor& input = model.at(model.inputs[0]);
    constexpr std::size_t pictureRank = 4; // batch, height, width, channels, or channels second
    if (input.dims.size() != pictureRank)
        return Error{ErrorCode::Unsupported,
                     input.name + " is " + shapeText({input.dims, false}) +
                         " and takes no pictures; take the ranges of a log"};
    ImageFeed feed = source.feed;
    feed.isChannelsFirst = takesChannelsFirst({input.dims, false});
    const std::size_t first = feed.isChannelsFirst ? 2 : 1;
    if (feed.height == 0)
        feed.height = input.dims[first];
    if (feed.width == 0)
        feed.width = input.dims[first + 1];
    if (input.dims[feed.isChannelsFirst ? 1 : 3] == 1)
        feed.channels = 1;
    if (input.dtype == DType::UInt8) { // it takes pixels unchanged
        feed.mean = 0;
        feed.std = 1;
    }
    return feed;
}

// Returns a picture as the input takes it.
Result<Value> fed(std::string_view bytes, const PortableModel& model, const ImageFeed& feed,
                  MemoryPool& pool, const Job& job)
{
    auto picture = imageFeed(bytes, feed, pool, job);
    if (!picture || model.at(model.inputs[0]).dtype != DType::UInt8)
        return picture;
    ASSIGN_OR_RETURN(auto pixels, Value::make(DType::UInt8, picture->dims(), pool));
    std::ranges::transform(picture->as<float>(), pixels.mutableAs<std::uint8_t>().begin(),
                           [](float pixel) { return clampedTo<std::uint8_t>(std::round(pixel)); });
    return pixels;
}

Result<TensorRanges> rangesOfPictures(const PortableModel& model, const RangeSource& source,
                                      const Job& job)
{
    ASSIGN_OR_RETURN(const ImageFeed feed, feedOf(model, source));
    ASSIGN_OR_RETURN(const auto pictures, picturesIn(source.pictures));
    ASSIGN_OR_RETURN(RangeObserver observer, RangeObserver::make(model));
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const std::string path = (std::filesystem::path(source.pictures) / pictures[i]).string();
        ASSIGN_OR_RETURN(const BufferPtr bytes, openFile(path));
        auto picture = fed(bytes->bytes(), model, feed, observer.session().pool(), job);
        if (!picture)
            return picture.error().within(path);
        std::vector<Value> inputs;
        inputs.push_back(*std::move(picture));
        if (const Status added = observer.add(std::move(inputs), job); !added)
            return added.error().within(path);
        job.progress(double(i + 1) / double(pictures.size()));
    }
    return observer.ranges();
}

Result<TensorRanges> rangesOfFile(const PortableModel& model, const RangeSource& source)
{
    ASSIGN_OR_RETURN(const FrozenRanges log, frozenRanges(source.log, RangeChoice{0, 0, 0}));
    std::map<std::string, FrozenRange> inputs;
    for (const TensorIndex input : model.inputs)
        inputs[model.at(input).name] = source.pixelRange();
    return rangesOfLog(model, log, inputs);
}

} // namespace

FrozenRange RangeSource::pixelRange() const
{
    constexpr float brightest = 255;
    return {(0 - feed.mean) / feed.std, (brightest - feed.mean) / feed.std};
}

Result<TensorRanges> measureRanges(const PortableModel& model, const RangeSource& source,
                                   const Job& job)
{
    return source.log.empty() ? rangesOfPictures(model, source, job) : rangesOfFile(model, source);
}

} // namespace lapidary
