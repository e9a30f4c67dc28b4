// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/speech/wav.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lapidary {
namespace {

Error invalid(const std::string& why)
{
    return {ErrorCode::InvalidArgument, "invalid WAV data: " + why};
}

// Reads little-endian numbers and words from the front.
class Cursor {
public:
    explicit Cursor(std::string_view bytes)
        : m_left(bytes)
    {
    }

    std::optional<std::string_view> take(std::size_t count)
    {
        if (count > m_left.size())
            return std::nullopt;
        const std::string_view taken = m_left.substr(0, count);
        m_left.remove_prefix(count);
        return taken;
    }
    // Returns 0 if too few bytes are left; then isShort() is true.
    template <class T>
    T number()
    {
        T value = 0;
        if (const auto bytes = take(sizeof(T)))
            std::memcpy(&value, bytes->data(), sizeof(T));
        else
            m_isShort = true;
        return value;
    }
    bool expect(std::string_view word)
    {
        const auto taken = take(word.size());
        return taken && *taken == word;
    }
    bool atEnd() const { return m_left.empty(); }
    bool isShort() const { return m_isShort; }

private:
    bool m_isShort = false;
    std::string_view m_left;
};

struct Format {
    std::uint16_t kind;
    std::uint16_t channels;
    std::uint32_t rate;
    std::uint32_t bytesPerSecond;
    std::uint16_t bytesPerMoment;
    std::uint16_t bits;
};

std::string faultOf(const Format& format)
{
    if (format.kind != 1)
        return "its format is " + std::to_string(format.kind) + ", only 1 (PCM) is supported";
    if (format.bits != 16)
        return "it has " + std::to_string(format.bits) + " bits a sample, only 16 are supported";
    if (format.channels == 0)
        return "it has no channels";
    if (format.rate > std::uint32_t(std::numeric_limits<std::int32_t>::max()))
        return "its sample rate is out of range";
    if (format.bytesPerMoment != 2 * format.channels)
        return "its bytes per sample do not fit its channels";
    if (format.bytesPerSecond != std::uint32_t(format.bytesPerMoment) * format.rate)
        return "its bytes per second do not fit its sample rate";
    return {};
}

Result<Format> readFormat(Cursor& cursor)
{
    if (!cursor.expect("RIFF"))
        return invalid("it does not begin with RIFF");
    cursor.number<std::uint32_t>(); // the file's size, often wrong
    if (!cursor.expect("WAVE") || !cursor.expect("fmt "))
        return invalid("it has no format");
    const auto size = cursor.number<std::uint32_t>();
    if (size != 16 && size != 18)
        return invalid("its format has " + std::to_string(size) + " bytes, not 16 or 18");
    Format format{};
    format.kind = cursor.number<std::uint16_t>();
    format.channels = cursor.number<std::uint16_t>();
    format.rate = cursor.number<std::uint32_t>();
    format.bytesPerSecond = cursor.number<std::uint32_t>();
    format.bytesPerMoment = cursor.number<std::uint16_t>();
    format.bits = cursor.number<std::uint16_t>();
    if (size == 18)
        cursor.number<std::uint16_t>();
    const std::string fault = faultOf(format);
    if (!fault.empty())
        return invalid(fault);
    return format;
}

template <class T>
void append(std::string& bytes, T number)
{
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(T));
}

} // namespace

bool isWav(std::string_view bytes)
{
    return bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WAVE");
}

Result<WavFile> readWav(std::string_view bytes)
{
    Cursor cursor(bytes);
    ASSIGN_OR_RETURN(const auto format, readFormat(cursor));
    WavFile file;
    file.rate = std::int32_t(format.rate);
    file.channels = format.channels;
    bool isFound = false;
    while (!cursor.atEnd()) {
        const auto name = cursor.take(4);
        const auto size = cursor.number<std::uint32_t>();
        const auto content = name ? cursor.take(size) : std::nullopt;
        if (!content || cursor.isShort())
            return invalid("it ends early");
        if (*name != "data")
            continue;
        if (isFound)
            return invalid("it has two blocks of samples");
        isFound = true;
        file.length = size / format.bytesPerMoment;
        file.samples = content->substr(0, std::size_t(file.length) * format.bytesPerMoment);
    }
    if (!isFound)
        return invalid("it has no samples");
    return file;
}

Result<std::string> writeWav(std::span<const float> samples, std::int64_t channels,
                             std::int32_t rate)
{
    constexpr std::size_t headerSize = 44;
    constexpr std::int64_t mostChannels = std::numeric_limits<std::uint16_t>::max() / 2;
    const std::size_t size = samples.size() * 2;
    if (channels > mostChannels || size > std::numeric_limits<std::uint32_t>::max() - headerSize ||
        std::int64_t(rate) * channels * 2 > std::numeric_limits<std::uint32_t>::max())
        return invalid("there are too many samples or channels for this format");
    std::string bytes("RIFF");
    append(bytes, std::uint32_t(size + headerSize - 8));
    bytes += "WAVEfmt ";
    append(bytes, std::uint32_t(16));
    append(bytes, std::uint16_t(1));
    append(bytes, std::uint16_t(channels));
    append(bytes, std::uint32_t(rate));
    append(bytes, std::uint32_t(rate * channels * 2));
    append(bytes, std::uint16_t(channels * 2));
    append(bytes, std::uint16_t(16));
    bytes += "data";
    append(bytes, std::uint32_t(size));
    for (const float sample : samples) {
        const float scaled = std::isnan(sample) ? 0.0F : std::round(sample * 32768.0F);
        append(bytes, std::int16_t(std::clamp(scaled, -32768.0F, 32767.0F)));
    }
    return bytes;
}

} // namespace lapidary
