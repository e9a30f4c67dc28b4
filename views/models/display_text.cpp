// SPDX-License-Identifier: Apache-2.0
#include "views/models/display_text.h"

#include "graph_model/base/utf8.h"

#include <array>
#include <cmath>

namespace lapidary {
namespace {

using namespace Qt::Literals::StringLiterals;

// Writes three significant digits and a unit: 12.3, 123, 1.23.
QString threeDigits(double value)
{
    const double size = std::abs(value);
    return QString::number(value, 'f', size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

template <std::size_t N>
QString scaled(double value, const std::array<const char16_t*, N>& units)
{
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < N) {
        value /= 1000;
        ++unit;
    }
    return threeDigits(value) + u' ' + QString::fromUtf16(units[unit]);
}

void appendEscaped(QString& out, QChar c)
{
    if (c == u'\n')
        out += "\\n"_L1;
    else if (c == u'\t')
        out += "\\t"_L1;
    else if (c.unicode() < 0x20 || c.unicode() == 0x7F)
        out += u"\\x%1"_s.arg(uint(c.unicode()), 2, 16, QLatin1Char('0'));
    else if (c.category() == QChar::Other_Format || c == QChar::LineSeparator ||
             c == QChar::ParagraphSeparator)
        out += u"\\u%1"_s.arg(uint(c.unicode()), 4, 16, QLatin1Char('0'));
    else
        out += c;
}

} // namespace

QString plainText(std::string_view bytes)
{
    const QString direct = QString::fromUtf8(bytes.data(), qsizetype(bytes.size()));
    const bool isPlain = !direct.contains(QChar::ReplacementCharacter);
    QString out;
    out.reserve(direct.size());
    if (isPlain) {
        for (const QChar c : direct)
            appendEscaped(out, c);
        return out;
    }
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = utf8Length(bytes.substr(at));
        if (length == 0) {
            out += u"\\x%1"_s.arg(uint(std::uint8_t(bytes[at])), 2, 16, QLatin1Char('0'));
            ++at;
            continue;
        }
        for (const QChar c : QString::fromUtf8(bytes.data() + at, qsizetype(length)))
            appendEscaped(out, c);
        at += length;
    }
    return out;
}

QString lastPathPart(std::string_view name)
{
    const std::size_t slash = name.find_last_of('/');
    return plainText(slash == std::string_view::npos || slash + 1 == name.size()
                         ? name
                         : name.substr(slash + 1));
}

QString countText(std::int64_t count)
{
    static constexpr std::array<const char16_t*, 5> units{u"", u"k", u"M", u"G", u"T"};
    if (count < 1000)
        return QString::number(count);
    return scaled(double(count), units);
}

QString bytesText(std::uint64_t bytes)
{
    static constexpr std::array<const char16_t*, 5> units{u"B", u"kB", u"MB", u"GB", u"TB"};
    if (bytes < 1000)
        return QString::number(bytes) + u" B"_s;
    return scaled(double(bytes), units);
}

QString durationText(double milliseconds)
{
    if (milliseconds >= 999.5)
        return threeDigits(milliseconds / 1000) + u" s"_s;
    return (milliseconds < 10 ? QString::number(milliseconds, 'f', 1) : threeDigits(milliseconds)) +
           u" ms"_s;
}

QString exactText(std::int64_t count)
{
    QString digits = QString::number(count);
    for (qsizetype at = digits.size() - 3; at > (count < 0 ? 1 : 0); at -= 3)
        digits.insert(at, QChar(0x202F)); // narrow no-break space
    return digits;
}

QString valueText(double value, int digits)
{
    if (std::isnan(value))
        return u"nan"_s;
    if (std::isinf(value))
        return value > 0 ? u"inf"_s : u"-inf"_s;
    QString text = QString::number(value, 'g', digits);
    text.replace(u'-', QChar(0x2212));
    return text;
}

QString counted(std::int64_t count, const QString& noun, const QString& plural)
{
    const QString many = plural.isEmpty() ? noun + u's' : plural;
    return exactText(count) + u' ' + (count == 1 ? noun : many);
}

} // namespace lapidary
