// SPDX-License-Identifier: Apache-2.0
#include "transforms/classify/labeling.h"

#include "graph_model/base/mapped_file.h"
#include "graph_model/interface/input_setting.h"
#include "graph_model/interface/likely_choice.h"
#include "graph_model/interface/no_outputs.h"
#include "runner/feeds/feed.h"
#include "runner/feeds/picture_feed.h"
#include "runner/setup/model_interface.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

namespace lapidary {
namespace {

Error inFile(const std::string& path, const Error& error)
{
    return error.within(path);
}

// NaN sorts last, so that there is an order.
bool isBetter(float a, float b)
{
    return std::isnan(b) ? !std::isnan(a) : a > b;
}

// Returns whether an input may be a picture: they are fed as floats, and inputs that control
// training are none.
bool mayBePicture(const Graph& graph, const FeedTarget& target)
{
    const Input tensor = parseInput(target.tensor);
    return (target.dtype == DType::Float || target.dtype == DType::Invalid) &&
           (target.shape.unknownRank || target.shape.dims.size() == 4) &&
           !inputSetting(graph, {graph.find(tensor.node), tensor.port});
}

// Returns the first likely input that a picture fits, or nothing if there are no likely inputs.
Result<std::string> likelyPicture(const Graph& graph, const InterfaceChoice& choice)
{
    const auto found = std::ranges::find_if(choice.inputs, [&](const auto& input) {
        return mayBePicture(graph, feedTarget(graph, input.tensor));
    });
    if (found != choice.inputs.end())
        return found->tensor;
    if (choice.inputs.empty())
        return std::string();
    const FeedTarget first = feedTarget(graph, choice.inputs.front().tensor);
    return Error{ErrorCode::InvalidArgument,
                 "the input " + first.tensor + " takes " + dtypeName(first.dtype) + " " +
                     shapeText(first.shape) + ", and a picture is float [?,height,width,channels]",
                 ErrorReason::NoOutputs};
}

} // namespace

Status completeLabeling(Labeling& labeling, const GraphEntry& entry)
{
    if (labeling.input.empty() || labeling.output.empty()) {
        const InterfaceChoice choice = likelyChoice(*entry.graph, guessInterface(entry));
        if (labeling.input.empty()) {
            ASSIGN_OR_RETURN(labeling.input, likelyPicture(*entry.graph, choice));
        }
        if (labeling.output.empty() && !choice.outputs.empty())
            labeling.output = choice.outputs.front().tensor;
    }
    if (labeling.input.empty() || labeling.output.empty())
        return noOutputs(*entry.graph,
                         "the input for the picture and the output with the scores are not known");
    const Shape shape = feedTarget(*entry.graph, labeling.input).shape;
    const bool isImage = !shape.unknownRank && shape.dims.size() == 4;
    const auto known = [&](std::size_t axis, std::int64_t fallback) {
        return isImage && shape.dims[axis] > 0 ? shape.dims[axis] : fallback;
    };
    constexpr std::int64_t usualSize = 299;
    ImageFeed& feed = labeling.feed;
    feed.isChannelsFirst = takesChannelsFirst(shape);
    const std::size_t sizes = feed.isChannelsFirst ? 2 : 1;
    if (feed.height == 0)
        feed.height = known(sizes, usualSize);
    if (feed.width == 0)
        feed.width = known(sizes + 1, usualSize);
    if (known(feed.isChannelsFirst ? 1 : 3, 3) == 1)
        feed.channels = 1;
    return Done{};
}

Result<Value> readImage(const Labeling& labeling, Session& session, const Job& job)
{
    ASSIGN_OR_RETURN(const auto bytes, openFile(labeling.image));
    auto image = imageFeed(bytes->bytes(), labeling.feed, session.pool(), job);
    if (!image)
        return inFile(labeling.image, image.error());
    return image;
}

Result<Value> scoreImage(const GraphPtr& graph, const Labeling& labeling, const Job& job)
{
    SessionOptions options;
    options.backEnd = labeling.backEnd;
    Session session(graph, std::move(options));
    ASSIGN_OR_RETURN(auto image, readImage(labeling, session, job));
    return scoreImage(session, withImage({}, labeling, std::move(image)), job);
}

RunRequest withImage(RunRequest request, const Labeling& labeling, Value image)
{
    std::erase_if(request.feeds, [&](const auto& feed) {
        return withPort(feed.first) == withPort(labeling.input);
    });
    request.feeds.emplace_back(labeling.input, std::move(image));
    request.fetches = {labeling.output};
    return request;
}

Result<Value> scoreImage(Session& session, RunRequest request, const Job& job)
{
    auto scores = session.run(request, job);
    RETURN_IF_ERROR(scores);
    const Value& value = scores->front();
    if (value.dtype() != DType::Float || value.rank() == 0 || value.elements() == 0)
        return Error{ErrorCode::Unsupported,
                     request.fetches.front() + " is " + dtypeName(value.dtype()) + " " +
                         dimsText(value.dims()) + ", not a list of float scores"};
    return value;
}

std::vector<ScoredLabel> bestLabels(const Value& scores, const std::vector<std::string>& labels,
                                    std::size_t count)
{
    const auto row = scores.as<float>().first(std::size_t(scores.dims().back()));
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto best = order.begin() + std::ptrdiff_t(std::min(count, order.size()));
    std::partial_sort(order.begin(), best, order.end(), [&](std::size_t a, std::size_t b) {
        return isBetter(row[a], row[b]) || (!isBetter(row[b], row[a]) && a < b);
    });
    std::vector<ScoredLabel> found;
    for (auto i = order.begin(); i != best; ++i)
        found.push_back({*i < labels.size() ? labels[*i] : "", std::int64_t(*i), row[*i]});
    return found;
}

std::string labeline(const ScoredLabel& label)
{
    std::ostringstream line;
    line.imbue(std::locale::classic());
    line << label.label << " (" << label.index << "): " << label.score;
    return line.str();
}

} // namespace lapidary
