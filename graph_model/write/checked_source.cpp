// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/checked_source.h"

#include "graph_model/base/crc32c.h"
#include "graph_model/base/mapped_file.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lapidary {
namespace {

// Computes the checksums of pieces that pass through.
class Checker {
public:
    explicit Checker(const std::vector<UncheckedBytes>& unchecked)
    {
        for (const UncheckedBytes& part : unchecked)
            m_parts.push_back({&part, 0, 0});
        std::ranges::sort(m_parts, std::less<>(), &Part::begin);
    }

    void see(std::string_view piece)
    {
        auto part = std::ranges::upper_bound(m_parts, piece.data(), std::less<>(), &Part::end);
        for (; part != m_parts.end() && std::less<>()(part->begin(), endOf(piece)); ++part)
            part->see(piece);
    }

    // Reads the parts that did not pass through completely.
    Status finish()
    {
        for (Part& part : m_parts) {
            const std::string_view rest = part.unchecked->bytes.substr(part.seen);
            part.see(rest);
            releasePages(*part.unchecked->holder, rest);
            if (maskedCrc32c(part.crc) != part.unchecked->checksum)
                return Error{ErrorCode::BadFile, "a checksum does not match"};
        }
        return Done{};
    }

private:
    static const char* endOf(std::string_view bytes) { return bytes.data() + bytes.size(); }

    struct Part {
        const UncheckedBytes* unchecked;
        std::size_t seen; // bytes read so far
        std::uint32_t crc;

        const char* begin() const { return unchecked->bytes.data(); }
        const char* end() const { return endOf(unchecked->bytes); }
        // Adds the next bytes of the part if they are in the piece.
        void see(std::string_view piece)
        {
            const std::less_equal<> isNotAfter;
            const char* const next = begin() + seen;
            const char* const last = std::min(end(), endOf(piece), std::less<>());
            if (!isNotAfter(piece.data(), next) || isNotAfter(last, next))
                return;
            crc = crc32c({next, std::size_t(last - next)}, crc);
            seen = std::size_t(last - begin());
        }
    };

    std::vector<Part> m_parts; // by address
};

} // namespace

ByteSource checkedSource(ByteSource source, std::vector<UncheckedBytes> unchecked)
{
    return [source = std::move(source),
            unchecked = std::move(unchecked)](const ByteSink& sink) -> Status {
        Checker checker(unchecked);
        RETURN_IF_ERROR(source([&](std::string_view piece) {
            checker.see(piece);
            return sink(piece);
        }));
        return checker.finish();
    };
}

} // namespace lapidary
