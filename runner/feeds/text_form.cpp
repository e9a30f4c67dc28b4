// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/text_form.h"

#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "runner/feeds/seeded_value.h"
#include "runner/kernels/codecs/picture.h"
#include "runner/kernels/speech/wav.h"

#include <unordered_set>

namespace lapidary {
namespace {

constexpr std::int64_t pictureSide = 224;
constexpr std::int32_t soundRate = 16'000;
constexpr std::int64_t mostSamples = 1 << 24; // of all channels
constexpr std::size_t mostFollowed = 10'000;  // nodes that are followed from an input

TextForm soundOf(const Node& decoder)
{
    EncodedSound sound;
    const auto take = [&](const char* attr, std::int64_t& number) {
        const std::int64_t asked = decoder.attr(attr).asInt().value_or(-1);
        if (asked > 0)
            number = asked;
    };
    take("desired_channels", sound.channels);
    take("desired_samples", sound.samples);
    if (sound.channels > mostSamples || sound.samples > mostSamples / sound.channels)
        return {};
    return sound;
}

TextForm fileForm(const Node& reader)
{
    if (readsPictureFile(reader.op()))
        return EncodedPicture{};
    return reader.op() == "DecodeWav" ? soundOf(reader) : TextForm{};
}

// Whether the texts themselves, or the TensorArray that they went into, are in what the op makes.
bool movesTexts(std::string_view op)
{
    return passesInputOn(op) || controlFlow(op) != ControlFlow::None ||
           (opFamily(op) == OpFamily::DataMovement && !asksForSize(op));
}

Result<std::string> picture(const RandomFeed& source, MemoryPool& pool)
{
    const SeededRange range = source.range.value_or(usualRange(DType::UInt8));
    ASSIGN_OR_RETURN(const Value pixels, seededValue(DType::UInt8, {pictureSide, pictureSide, 3},
                                                     source.seed, range, pool));
    return encodeJpeg(pixels, {});
}

Result<std::string> sound(const EncodedSound& form, const RandomFeed& source, MemoryPool& pool)
{
    const SeededRange range = source.range.value_or(usualRange(DType::Float));
    ASSIGN_OR_RETURN(const Value samples, seededValue(DType::Float, {form.samples, form.channels},
                                                      source.seed, range, pool));
    return writeWav(samples.as<float>(), form.channels, soundRate);
}

} // namespace

ReadText readTextOf(const Graph& graph, NodeId input)
{
    if (auto features = requiredFeatures(graph, input); !features.empty())
        return {std::move(features)};
    std::vector<NodeId> open{input};
    std::unordered_set<std::uint32_t> seen{input.value};
    for (std::size_t i = 0; i < open.size() && i < mostFollowed; ++i)
        for (const Consumer& reader : graph.consumers(open[i])) {
            const Node& node = graph.node(reader.node);
            if (reader.isControl())
                continue;
            if (TextForm form = fileForm(node); reader.slot == 0 && !isPlain(form))
                return {std::move(form), open[i] == input};
            if (movesTexts(node.op()) && seen.insert(reader.node.value).second)
                open.push_back(reader.node);
        }
    return {};
}

Result<std::string> constantText(const TextForm& form, double number, MemoryPool& pool)
{
    const RandomFeed same{.seed = 0, .range = SeededRange{number, number}};
    if (const auto* features = std::get_if<std::vector<RequiredFeature>>(&form))
        return exampleOf(*features, number, pool);
    return randomText(form, same, 0, pool);
}

Result<std::string> randomText(const TextForm& form, const RandomFeed& source, std::size_t place,
                               MemoryPool& pool)
{
    RandomFeed each = source;
    each.seed += place;
    if (const auto* features = std::get_if<std::vector<RequiredFeature>>(&form)) {
        each.seed += place * features->size();
        return randomExample(*features, each, pool);
    }
    if (const auto* file = std::get_if<EncodedSound>(&form))
        return sound(*file, each, pool);
    return std::holds_alternative<EncodedPicture>(form) ? picture(each, pool) : std::string();
}

} // namespace lapidary
