// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/text_form.h"

#include "graph_model/graph/function.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "runner/feeds/seeded_value.h"
#include "runner/kernels/codecs/picture.h"
#include "runner/kernels/speech/wav.h"

#include <set>

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

// Returns whether the outputs of the op hold the texts themselves, or the TensorArray with them.
bool movesTexts(std::string_view op)
{
    return passesInputOn(op) || controlFlow(op) != ControlFlow::None ||
           (opFamily(op) == OpFamily::DataMovement && !asksForSize(op));
}

// A node of the graph, or of the body of a function, whose outputs hold the text.
struct TextPlace {
    const Graph* graph = nullptr;
    NodeId node;
    bool isInput = true; // it is the input itself, passed on only by calls

    auto operator<=>(const TextPlace&) const = default;
};

// Follows a text from an input to the op that parses it, also into functions that get it.
class TextWalk {
public:
    TextWalk(const Graph& graph, NodeId input)
        : m_library(graph.functions())
        , m_open{{&graph, input}}
        , m_seen(m_open.begin(), m_open.end())
    {
    }

    ReadText run()
    {
        for (std::size_t i = 0; i < m_open.size() && i < mostFollowed; ++i) {
            const TextPlace at = m_open[i];
            if (auto features = requiredFeatures(*at.graph, at.node); !features.empty())
                return {std::move(features)};
            for (const Consumer& reader : at.graph->consumers(at.node)) {
                if (reader.isControl())
                    continue;
                const Node& node = at.graph->node(reader.node);
                if (TextForm form = fileForm(node); reader.slot == 0 && !isPlain(form))
                    return {std::move(form), at.isInput};
                follow(at, reader);
            }
        }
        return {};
    }

private:
    void follow(const TextPlace& at, const Consumer& reader)
    {
        const Node& node = at.graph->node(reader.node);
        if (movesTexts(node.op()))
            reach({at.graph, reader.node, false});
        if (m_library == nullptr)
            return;
        // A branch is chosen by the first input; the others are the arguments.
        const std::uint32_t first = callKind(node.op()) == CallKind::Branch ? 1 : 0;
        if (reader.slot < first)
            return;
        const std::uint32_t argument = reader.slot - first;
        for (const FunctionPtr& function : calledFunctions(*at.graph, node, *m_library))
            if (function->body && argument < function->arguments.size())
                reach({function->body.get(), NodeId{argument}, at.isInput});
    }
    void reach(const TextPlace& place)
    {
        if (m_seen.insert(place).second)
            m_open.push_back(place);
    }

    const FunctionLibrary* m_library;
    std::vector<TextPlace> m_open;
    std::set<TextPlace> m_seen;
};

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
    TextWalk walk(graph, input);
    return walk.run();
}

Result<std::string> constantText(const TextForm& form, double number, MemoryPool& pool)
{
    const RandomFeed same{.seed = 0, .range = SeededRange{number, number}};
    if (const auto* features = std::get_if<std::vector<RequiredFeature>>(&form))
        return exampleOf(*features, number, pool);
    return randomText(form, same, 0, pool);
}

TextFormWords textFormWords(const TextForm& form)
{
    if (std::holds_alternative<EncodedPicture>(form))
        return {"a picture", "pictures", "the contents of a picture file"};
    if (std::holds_alternative<EncodedSound>(form))
        return {"a sound", "sounds", "the contents of a WAV file"};
    return isPlain(form) ? TextFormWords{}
                         : TextFormWords{"an example", "examples", "serialized examples"};
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
