// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/message_kind.h"

#include "graph_model/base/utf8.h"
#include "graph_model/read/file_formats.h"
#include "graph_model/read/wire_check.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace lapidary {
namespace {

constexpr int maxLooks = 4000;   // limit of fields in all
constexpr int maxOfOneKind = 64; // limit of outermost fields examined, for each field number

// Evidence for and against a message type. A known field of the right type with a plausible value
// is one point; one of another type costs several, so that accidental matches do not count. Unknown
// fields may come from a later schema.
struct Evidence {
    int good = 0;
    int bad = 0;
    int unknown = 0;

    bool isConvincing() const
    {
        const bool isKnown = unknown == 0 || (good >= 4 && 4 * good >= unknown);
        return good > 0 && good > 2 * bad && isKnown;
    }
    int score() const { return 4 * good - 16 * bad - unknown; }

    // A type that fits all fields is better than one that some fields contradict, even if the other
    // fits more fields: a long list of texts gives each reading the same evidence.
    bool isBetterThan(const Evidence& other) const
    {
        const bool isWhole = bad == 0 && unknown == 0;
        const bool isOtherWhole = other.bad == 0 && other.unknown == 0;
        return isWhole != isOtherWhole ? isWhole : score() > other.score();
    }
};

bool isSensibleText(std::string_view text)
{
    const auto isControl = [](unsigned char c) { return c < 0x20 && c != '\n' && c != '\t'; };
    return isValidUtf8(text) && std::ranges::none_of(text, isControl);
}

struct Level {
    WireCursor cursor;
    const MessageSpec* spec;
};

class Judge {
public:
    explicit Judge(std::string_view bytes)
        : m_end(bytes.data() + bytes.size())
    {
    }

    Evidence judge(std::string_view bytes, MessageId type)
    {
        m_stack.assign(1, {WireCursor(bytes), &messageSpec(type)});
        std::array<int, 64> seen{};
        WireField field;
        for (int looks = 0; looks < maxLooks && !m_stack.empty(); ++looks) {
            if (!m_stack.back().cursor.next(field)) {
                endLevel(field);
                continue;
            }
            const bool isOutermost = m_stack.size() == 1;
            if (isOutermost && field.field < seen.size() && ++seen[field.field] > maxOfOneKind)
                continue;
            judgeField(field);
        }
        return m_evidence;
    }

private:
    void endLevel(const WireField& field)
    {
        const WireCursor cursor = m_stack.back().cursor;
        const MessageSpec* spec = m_stack.back().spec;
        m_stack.pop_back();
        if (!cursor.failed())
            return;
        const bool isCut = cursor.ranOut() &&
                           cursor.fault() == std::string_view("overlong_length") &&
                           field.number <= INT32_MAX;
        const FieldSpec* known = isCut ? spec->field(field.field) : nullptr;
        if (known == nullptr || wireTypeOf(known->type) != WireType::Bytes)
            m_evidence.bad += cursor.ranOut() || m_evidence.good >= 2 ? 0 : 1;
        else if (known->type == FieldType::Message && m_stack.size() < 6)
            m_stack.push_back({WireCursor({field.payload, std::size_t(m_end - field.payload)}),
                               &messageSpec(known->message())});
    }

    void judgeField(const WireField& field)
    {
        const FieldSpec* known = m_stack.back().spec->field(field.field);
        const bool isPacked =
            known != nullptr && known->isRepeated() && field.type == WireType::Bytes;
        if (known == nullptr) {
            ++m_evidence.unknown;
            return;
        }
        if (field.type != wireTypeOf(known->type) && !isPacked) {
            ++m_evidence.bad;
            return;
        }
        if (known->type == FieldType::Message) {
            if (m_stack.size() < 6)
                m_stack.push_back({WireCursor(field.bytes()), &messageSpec(known->message())});
        } else if (known->type == FieldType::String && !isSensibleText(field.bytes())) {
            ++m_evidence.bad;
        } else {
            ++m_evidence.good;
        }
    }

    const char* m_end;
    std::vector<Level> m_stack;
    Evidence m_evidence;
};

} // namespace

FileFormat guessMessage(std::string_view bytes)
{
    FileFormat best = FileFormat::Unknown;
    std::optional<Evidence> bestEvidence;
    for (const FileFormatRow& row : fileFormats()) {
        if (!row.message || row.isText)
            continue;
        const Evidence evidence = Judge(bytes).judge(bytes, *row.message);
        if (!evidence.isConvincing() || (bestEvidence && !evidence.isBetterThan(*bestEvidence)))
            continue;
        best = row.format;
        bestEvidence = evidence;
    }
    // This is the remainder of a graph that was cut off at the very beginning.
    if (best == FileFormat::Unknown && bytes.size() <= 4 && bytes[0] == '\x0a')
        return FileFormat::GraphDefBinary;
    return best;
}

} // namespace lapidary
