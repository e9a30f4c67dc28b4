// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/gzip_size.h"

#include <algorithm>
#include <array>

#include <zlib.h>

namespace lapidary {
namespace {

constexpr std::size_t step = 1U << 18U; // bytes between two checks of the job
constexpr int level = 6;
constexpr int memoryLevel = 8;
constexpr int gzipFormat = 16 + MAX_WBITS;

class Deflater {
public:
    Deflater()
    {
        m_isReady = deflateInit2(&m_stream, level, Z_DEFLATED, gzipFormat, memoryLevel,
                                 Z_DEFAULT_STRATEGY) == Z_OK;
    }
    ~Deflater() { deflateEnd(&m_stream); }
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;

    bool isReady() const { return m_isReady; }

    // Returns the number of compressed bytes for this part of the input.
    std::uint64_t take(std::string_view part, bool isLast)
    {
        std::uint64_t made = 0;
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
        m_stream.avail_in = static_cast<uInt>(part.size());
        do {
            m_stream.next_out = m_room.data();
            m_stream.avail_out = static_cast<uInt>(m_room.size());
            deflate(&m_stream, isLast ? Z_FINISH : Z_NO_FLUSH);
            made += m_room.size() - m_stream.avail_out;
        } while (m_stream.avail_out == 0);
        return made;
    }

private:
    z_stream m_stream{};
    std::array<Bytef, 1U << 16U> m_room{};
    bool m_isReady = false;
};

} // namespace

Result<std::uint64_t> gzipSize(std::string_view bytes, const Job& job)
{
    return gzipSize([bytes](const ByteSink& sink) { return sink(bytes); }, job);
}

Result<std::uint64_t> gzipSize(const ByteSource& source, const Job& job)
{
    Deflater deflater;
    if (!deflater.isReady())
        return Error{ErrorCode::Internal, "zlib could not be started"};
    std::uint64_t size = 0;
    const Status taken = source([&](std::string_view bytes) -> Status {
        for (std::size_t at = 0; at < bytes.size(); at += step) {
            if (job.cancelled())
                return cancelledError();
            size += deflater.take(bytes.substr(at, step), false);
        }
        return Done{};
    });
    RETURN_IF_ERROR(taken);
    return size + deflater.take({}, true);
}

} // namespace lapidary
