// SPDX-License-Identifier: Apache-2.0
#include "graph_model/portable/encoded_model.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lapidary {

EncodedModel::EncodedModel(BufferPtr frame, std::vector<Gap> gaps)
    : m_frame(std::move(frame))
    , m_gaps(std::move(gaps))
{
}

ConstantBytes EncodedModel::filledIn(const ConstantBytes& read) const
{
    const std::string_view frame = m_frame->bytes();
    const std::less<> isBefore;
    const char* const begin = read.view().data();
    if (isBefore(begin, frame.data()) || !isBefore(begin, frame.data() + frame.size()))
        return read;
    const auto offset = std::uint64_t(begin - frame.data());
    const auto found = std::ranges::lower_bound(m_gaps, offset, {}, &Gap::offset);
    const bool isGap =
        found != m_gaps.end() && found->offset == offset && found->constant.size() == read.size();
    return isGap ? found->constant : read;
}

ByteSource EncodedModel::source() const
{
    return [file = *this](const ByteSink& sink) -> Status {
        const std::string_view frame = file.m_frame->bytes();
        std::uint64_t done = 0;
        for (const Gap& gap : file.m_gaps) {
            RETURN_IF_ERROR(sink(frame.substr(done, gap.offset - done)));
            RETURN_IF_ERROR(gap.constant.intact());
            RETURN_IF_ERROR(sink(gap.constant.read().view()));
            gap.constant.release();
            done = gap.offset + gap.constant.size();
        }
        return sink(frame.substr(done));
    };
}

Result<std::string> EncodedModel::bytes() const
{
    std::string whole;
    whole.reserve(size());
    RETURN_IF_ERROR(source()([&](std::string_view piece) -> Status {
        whole += piece;
        return Done{};
    }));
    return whole;
}

} // namespace lapidary
