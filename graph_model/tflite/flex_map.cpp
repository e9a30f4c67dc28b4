// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tflite/flex_map.h"

#include <cstring>
#include <optional>

#include <flatbuffers/flexbuffers.h>

namespace lapidary {
namespace {

// The numbers of the format's types.
enum class FlexType : std::uint8_t {
    Null = 0,
    Int = 1,
    UInt = 2,
    Float = 3,
    String = 5,
    IndirectInt = 6,
    IndirectUInt = 7,
    IndirectFloat = 8,
    Map = 9,
    Vector = 10,
    Bool = 26
};

// Reads untrusted bytes: values beyond their end are absent.
class FlexReader {
public:
    explicit FlexReader(std::string_view bytes)
        : m_bytes(bytes)
        , m_textLeft(bytes.size() * 4)
    {
    }

    FlexMap read()
    {
        const auto map = root(FlexType::Map);
        return map ? entries(map->at, map->width) : FlexMap();
    }

    // Returns the texts of a list, without the elements of other types.
    std::vector<std::string> texts()
    {
        std::vector<std::string> found;
        const auto list = root(FlexType::Vector);
        if (!list || list->at < list->width)
            return found;
        const auto [at, width] = *list;
        const auto count = number(at - width, width);
        if (!count || *count > (m_bytes.size() - at) / (width + 1))
            return found;
        for (std::size_t i = 0; i < *count; ++i) {
            auto value =
                valueAt(at + i * width, width, std::uint8_t(m_bytes[at + *count * width + i]));
            if (auto* text = value ? std::get_if<std::string>(&*value) : nullptr)
                found.push_back(std::move(*text));
        }
        return found;
    }

private:
    struct Place {
        std::size_t at = 0;
        std::size_t width = 0; // size in bytes of the numbers there
    };

    // Returns the position of the root if it has this type.
    std::optional<Place> root(FlexType wanted) const
    {
        constexpr std::size_t trailer = 2; // the root's type and its width
        if (m_bytes.size() < trailer + 1)
            return std::nullopt;
        const std::size_t width = std::uint8_t(m_bytes.back());
        const auto type = std::uint8_t(m_bytes[m_bytes.size() - trailer]);
        if (FlexType(type >> 2) != wanted || width > m_bytes.size() - trailer)
            return std::nullopt;
        const auto at = target(m_bytes.size() - trailer - width, width);
        return at ? std::optional(Place{*at, std::size_t(1) << (type & 3)}) : std::nullopt;
    }

    // Reads a number of 1, 2, 4 or 8 bytes.
    std::optional<std::uint64_t> number(std::size_t at, std::size_t width) const
    {
        std::uint64_t value = 0;
        if ((width != 1 && width != 2 && width != 4 && width != 8) || at > m_bytes.size() ||
            width > m_bytes.size() - at)
            return std::nullopt;
        std::memcpy(&value, m_bytes.data() + at, width);
        return value;
    }

    std::optional<std::int64_t> signedNumber(std::size_t at, std::size_t width) const
    {
        const auto value = number(at, width);
        if (!value)
            return std::nullopt;
        const std::size_t unused = 64 - 8 * width;
        return std::int64_t(*value << unused) >> unused;
    }

    std::optional<double> real(std::size_t at, std::size_t width) const
    {
        const auto bits = number(at, width);
        if (bits && width == sizeof(float)) {
            float value = 0;
            std::memcpy(&value, m_bytes.data() + at, sizeof(value));
            return double(value);
        }
        if (bits && width == sizeof(double)) {
            double value = 0;
            std::memcpy(&value, m_bytes.data() + at, sizeof(value));
            return value;
        }
        return std::nullopt;
    }

    // Returns the target of an offset, which always points towards the start.
    std::optional<std::size_t> target(std::size_t at, std::size_t width) const
    {
        const auto offset = number(at, width);
        return offset && *offset <= at ? std::optional(at - std::size_t(*offset)) : std::nullopt;
    }

    // Reads a map: its size, the width of its keys and their offset precede the values, whose types
    // follow.
    FlexMap entries(std::size_t map, std::size_t width)
    {
        FlexMap found;
        if (map < 3 * width)
            return found;
        const auto count = number(map - width, width);
        const auto keyWidth = number(map - 2 * width, width);
        const auto keys = target(map - 3 * width, width);
        if (!count || !keyWidth || !keys || *count > (m_bytes.size() - map) / (width + 1))
            return found;
        for (std::size_t i = 0; i < *count; ++i) {
            const auto key = target(*keys + i * std::size_t(*keyWidth), std::size_t(*keyWidth));
            const auto type = std::uint8_t(m_bytes[map + *count * width + i]);
            auto value = valueAt(map + i * width, width, type);
            auto name = key && value ? textFrom(*key) : std::nullopt;
            if (name)
                found.emplace_back(*std::move(name), *std::move(value));
        }
        return found;
    }

    // Returns the text up to its final zero.
    std::optional<std::string> textFrom(std::size_t at)
    {
        const std::string_view rest = m_bytes.substr(at, m_textLeft);
        return taken(rest.substr(0, rest.find('\0')));
    }

    // Copies a text. Returns nothing if all texts together are much longer than the bytes, because
    // they overlap.
    std::optional<std::string> taken(std::string_view text)
    {
        if (text.size() >= m_textLeft)
            m_textLeft = 0;
        if (m_textLeft == 0)
            return std::nullopt;
        m_textLeft -= text.size();
        return std::string(text);
    }

    std::optional<FlexValue> valueAt(std::size_t at, std::size_t width, std::uint8_t type)
    {
        const std::size_t own = std::size_t(1) << (type & 3); // width of the target of an offset
        switch (FlexType(type >> 2)) {
        case FlexType::Int:
        case FlexType::UInt: return made(signedNumber(at, width));
        case FlexType::Float: return made(real(at, width));
        case FlexType::Bool: {
            const auto value = number(at, width);
            return value ? std::optional<FlexValue>(*value != 0) : std::nullopt;
        }
        case FlexType::IndirectInt:
        case FlexType::IndirectUInt: {
            const auto place = target(at, width);
            return place ? made(signedNumber(*place, own)) : std::nullopt;
        }
        case FlexType::IndirectFloat: {
            const auto place = target(at, width);
            return place ? made(real(*place, own)) : std::nullopt;
        }
        case FlexType::String: return text(at, width, own);
        default: return std::nullopt;
        }
    }

    template <class T>
    static std::optional<FlexValue> made(const std::optional<T>& value)
    {
        return value ? std::optional<FlexValue>(*value) : std::nullopt;
    }

    // Reads a text, which its length precedes.
    std::optional<FlexValue> text(std::size_t at, std::size_t width, std::size_t own)
    {
        const auto place = target(at, width);
        if (!place || *place < own)
            return std::nullopt;
        const auto size = number(*place - own, own);
        if (!size || *size > m_bytes.size() - *place)
            return std::nullopt;
        return made(taken(m_bytes.substr(*place, std::size_t(*size))));
    }

    std::string_view m_bytes;
    std::size_t m_textLeft; // limit of the text still to be copied
};

} // namespace

FlexMap readFlexMap(std::string_view bytes)
{
    return FlexReader(bytes).read();
}

FlexNode readFlexNode(std::string_view bytes)
{
    std::vector<std::string> texts = FlexReader(bytes).texts();
    return texts.size() == 2 ? FlexNode{std::move(texts[0]), std::move(texts[1])} : FlexNode();
}

std::string writeFlexNode(const FlexNode& node)
{
    flexbuffers::Builder out;
    const std::size_t start = out.StartVector();
    out.String(node.op);
    out.String(node.nodeDef);
    out.EndVector(start, false, false);
    out.Finish();
    const auto& bytes = out.GetBuffer();
    return {bytes.begin(), bytes.end()};
}

std::string writeFlexMap(const FlexMap& map)
{
    flexbuffers::Builder out;
    const std::size_t start = out.StartMap();
    for (const auto& [name, value] : map) {
        if (const auto* truth = std::get_if<bool>(&value))
            out.Bool(name.c_str(), *truth);
        else if (const auto* whole = std::get_if<std::int64_t>(&value))
            out.Int(name.c_str(), *whole);
        else if (const auto* real = std::get_if<double>(&value))
            out.Float(name.c_str(), float(*real));
        else
            out.String(name.c_str(), std::get<std::string>(value).c_str());
    }
    out.EndMap(start);
    out.Finish();
    const auto& bytes = out.GetBuffer();
    return {bytes.begin(), bytes.end()};
}

} // namespace lapidary
