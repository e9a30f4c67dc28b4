// EncodeBase64, DecodeBase64: the web-safe alphabet ('-' and '_'), padding optional.
#include "runner/kernels/strings/kernels.h"
#include "runner/kernels/strings/string_tools.h"

#include <array>
#include <optional>

namespace lapidary {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encoded(std::string_view bytes, bool pads)
{
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t k = 0; k < 3; ++k)
            word = word << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            if (k <= count)
                out += alphabet[word >> (18 - 6 * k) & 63U];
            else if (pads)
                out += '=';
    }
    return out;
}

std::optional<std::string> decoded(std::string_view text)
{
    for (int i = 0; i < 2 && text.ends_with('=') && text.size() % 4 == (i == 0 ? 0U : 3U); ++i)
        text.remove_suffix(1);
    if (text.size() % 4 == 1)
        return std::nullopt;
    std::string out;
    std::uint32_t word = 0;
    unsigned bits = 0;
    for (const char c : text) {
        const std::size_t digit = alphabet.find(c);
        if (digit == alphabet.npos)
            return std::nullopt;
        word = word << 6U | std::uint32_t(digit);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out += char(word >> bits & 0xFFU);
        }
    }
    return out;
}

Status runEncode(KernelContext& context)
{
    const bool pads = context.boolAttr("pad", false);
    return mapStrings(context, [&](const std::string& text) { return encoded(text, pads); });
}

Status runDecode(KernelContext& context)
{
    bool isValid = true;
    const Status status = mapStrings(context, [&](const std::string& text) {
        auto bytes = decoded(text);
        isValid = isValid && bytes.has_value();
        return bytes.value_or("");
    });
    return isValid ? status : Status(context.error("its input is not valid web-safe base64"));
}

} // namespace

const Kernel kernels::encodeBase64{.op = "EncodeBase64", .run = runEncode};
const Kernel kernels::decodeBase64{.op = "DecodeBase64", .run = runDecode};

} // namespace lapidary
