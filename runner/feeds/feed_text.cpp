// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/feed_text.h"

#include "graph_model/base/digits.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace lapidary {
namespace {

// Removes the number before the next `end`, and the `end`, from the front. Returns false if it is
// not a number.
template <class Number>
bool takeFront(std::string_view& text, Number& number, char end = ':')
{
    const std::string_view word = text.substr(0, text.find(end));
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    return read.ec == std::errc() && read.ptr == word.data() + word.size();
}

// Removes ":WORD" from the end and returns WORD; nothing if there is no colon.
std::optional<std::string_view> takeBack(std::string_view& text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos)
        return {};
    const std::string_view word = text.substr(colon + 1);
    text = text.substr(0, colon);
    return word;
}

// `arguments`: "", "SEED" or "SEED:LOW:HIGH".
Result<FeedSource> parseRandom(std::string_view arguments)
{
    RandomFeed random;
    bool isGood = arguments.empty() || takeFront(arguments, random.seed);
    if (isGood && !arguments.empty()) {
        SeededRange range;
        isGood = takeFront(arguments, range.low) && takeFront(arguments, range.high) &&
                 arguments.empty();
        random.range = range;
    }
    if (!isGood)
        return Error{ErrorCode::InvalidArgument,
                     "write random, random:SEED or random:SEED:LOW:HIGH"};
    return FeedSource(random);
}

// "MEAN", or "RED,GREEN,BLUE".
bool parseMean(std::string_view text, PictureFeed& picture)
{
    if (text.find(',') == std::string_view::npos)
        return takeFront(text, picture.mean) && text.empty();
    std::array<float, 3> means{};
    const bool isGood = takeFront(text, means[0], ',') && takeFront(text, means[1], ',') &&
                        takeFront(text, means[2], ',') && text.empty();
    picture.means = means;
    return isGood;
}

// If a file has the whole text as its name, colons are part of the name.
PictureFeed parsePicture(std::string_view text)
{
    std::error_code ignored;
    const PictureFeed whole{.path = std::string(text)};
    if (std::filesystem::exists(whole.path, ignored))
        return whole;
    PictureFeed picture;
    std::string_view path = text;
    if (path.ends_with(":bgr")) {
        picture.isBgr = true;
        path.remove_suffix(4);
    }
    picture.path = path;
    auto std = takeBack(path);
    const auto mean = std ? takeBack(path) : std::nullopt;
    PictureFeed scaled = picture;
    if (!mean || !takeFront(*std, scaled.std) || !std->empty() || !parseMean(*mean, scaled))
        return picture;
    scaled.path = path;
    return scaled;
}

Result<FeedSource> checkedPicture(PictureFeed picture)
{
    if (picture.std != 0 && std::isfinite(picture.std))
        return FeedSource(std::move(picture));
    return Error{ErrorCode::InvalidArgument,
                 "image:" + picture.path + ": pixels cannot be divided by " +
                     shortestDigits(picture.std) + "; give another STD than 0"};
}

struct Writer {
    std::string operator()(const ConstantFeed& source) const
    {
        if (source.number == 0 || source.number == 1)
            return source.number == 0 ? "zeros" : "ones";
        return "value:" + shortestDigits(source.number);
    }
    std::string operator()(const RandomFeed& source) const
    {
        const std::string text = "random:" + std::to_string(source.seed);
        return source.range ? text + ':' + shortestDigits(source.range->low) + ':' +
                                  shortestDigits(source.range->high)
                            : text;
    }
    std::string operator()(const FileFeed& source) const { return source.path; }
    std::string operator()(const PictureFeed& source) const
    {
        std::string text = "image:" + source.path + ':';
        if (source.means)
            text += shortestDigits((*source.means)[0]) + ',' + shortestDigits((*source.means)[1]) +
                    ',' + shortestDigits((*source.means)[2]);
        else
            text += shortestDigits(source.mean);
        return text + ':' + shortestDigits(source.std) + (source.isBgr ? ":bgr" : "");
    }
    std::string operator()(const WrittenFeed& source) const { return "value:" + source.text; }
    std::string operator()(const Value& /*source*/) const { return {}; }
    std::string operator()(const FedLater& /*source*/) const { return {}; }
};

} // namespace

Result<FeedSource> parseFeedSource(std::string_view text)
{
    if (text == "zeros" || text == "ones")
        return FeedSource(ConstantFeed{text == "ones" ? 1.0 : 0.0});
    if (text == "random" || text.starts_with("random:"))
        return parseRandom(text.substr(std::min<std::size_t>(text.size(), 7)));
    if (text.starts_with("image:"))
        return checkedPicture(parsePicture(text.substr(6)));
    if (text.starts_with("value:"))
        return FeedSource(WrittenFeed{std::string(text.substr(6))});
    return FeedSource(FileFeed{std::string(text)});
}

std::string feedSourceText(const FeedSource& source)
{
    return std::visit(Writer{}, source);
}

} // namespace lapidary
