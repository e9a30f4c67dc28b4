// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/weight_traffic.h"

#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <set>

#include <sys/mman.h>

namespace lapidary::testing {
namespace {

constexpr std::size_t largeValue = 4096; // bytes
constexpr std::size_t pieceSize = 128 << 10;

struct Piece {
    std::string_view read;
    std::size_t at = 0; // position in the new pages
    std::size_t written = 0;
};

std::vector<Piece> piecesOf(const std::vector<WeightMove>& moves)
{
    std::vector<Piece> pieces;
    std::size_t at = 0;
    for (const WeightMove& move : moves) {
        const std::size_t count = move.read.size() / pieceSize + 1;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t begin = move.read.size() * i / count;
            const std::size_t end = move.read.size() * (i + 1) / count;
            const std::size_t to =
                std::size_t(move.written) * (i + 1) / count - std::size_t(move.written) * i / count;
            pieces.push_back({move.read.substr(begin, end - begin), at, to});
            at += to;
        }
    }
    return pieces;
}

std::uint64_t sumOf(std::string_view bytes)
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + sizeof(sum) <= bytes.size(); i += sizeof(sum)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, sizeof(word));
        sum ^= word;
    }
    return sum;
}

void move(const Piece& piece, char* pages)
{
    if (piece.read.size() == piece.written)
        std::memcpy(pages + piece.at, piece.read.data(), piece.written);
    else
        std::memset(pages + piece.at, int(sumOf(piece.read) & 0xFFU), piece.written);
}

} // namespace

std::vector<WeightMove> weightMoves(const Graph& before, const EditResult& edit)
{
    std::set<const char*> known;
    for (const NodePtr& node : before.nodes())
        known.insert(node->attr("value").encoded().data());
    std::vector<WeightMove> moves;
    for (std::uint32_t i = 0; i < edit.graph->size(); ++i) {
        const std::string_view value = edit.graph->node(NodeId{i}).attr("value").encoded();
        if (value.size() < largeValue || known.contains(value.data()))
            continue;
        WeightMove made{{}, value.size()};
        for (const NodeId origin : edit.lineage.origins[i]) {
            const std::string_view from = before.node(origin).attr("value").encoded();
            made.read = from.size() > made.read.size() ? from : made.read;
        }
        moves.push_back(made);
    }
    return moves;
}

double secondsToMove(const std::vector<WeightMove>& moves)
{
    const std::vector<Piece> pieces = piecesOf(moves);
    if (pieces.empty())
        return 0;
    const std::size_t size = std::max<std::size_t>(pieces.back().at + pieces.back().written, 1);
    const auto begin = std::chrono::steady_clock::now();
    void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return 0;
    parallelFor(std::int64_t(pieces.size()), pieceSize / 8,
                [&](std::int64_t from, std::int64_t to) {
                    for (std::int64_t i = from; i < to; ++i)
                        move(pieces[std::size_t(i)], static_cast<char*>(pages));
                });
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    munmap(pages, size);
    return taken.count();
}

} // namespace lapidary::testing
