// SPDX-License-Identifier: Apache-2.0
#include "views/strip/strip_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace lapidary {
namespace {

// Names are cut to the first of these with which the row fits.
constexpr std::array mostOfName{168, 120, 100, 64};

using Widths = std::vector<int>;

Widths cutTo(std::span<const CellWish> wishes, int most, bool isWhole)
{
    Widths widths;
    for (const CellWish& wish : wishes)
        widths.push_back(std::max(
            std::min(wish.name, most) + wish.beside + (isWhole ? wish.more : 0), wish.least));
    return widths;
}

int sumOf(const Widths& widths)
{
    const int gaps = cellGap * std::max(int(widths.size()) - 1, 0);
    return std::accumulate(widths.begin(), widths.end(), gaps);
}

// Widens the stages that are narrower than their share; the width comes from the remaining space,
// evenly by need.
void widenByShare(Widths& widths, const std::vector<double>& shares, int room)
{
    const int left = room - sumOf(widths);
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (left <= 0 || all <= 0)
        return;
    double whole = left;
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (shares[i] > 0)
            whole += widths[i];
    std::vector<double> needs(widths.size());
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (shares[i] > 0)
            needs[i] = std::max(0.0, whole * shares[i] / all - widths[i]);
    const double need = std::accumulate(needs.begin(), needs.end(), 0.0);
    for (std::size_t i = 0; i < widths.size() && need > 0; ++i)
        widths[i] += int(std::floor(left * needs[i] / need));
}

struct Run {
    std::size_t first = 0;
    std::size_t count = 0;
};

// Returns the run of stages with the smallest share that frees `excess` pixels; of equal ones, the
// one nearest to the middle. Returns all stages of `among` if none frees enough.
Run lightestRun(std::span<const CellWish> wishes, const Widths& widths, int excess, Run among)
{
    Run best = among;
    double least = 2;
    double nearest = 0;
    const std::size_t end = among.first + among.count;
    for (std::size_t i = among.first; i < end; ++i) {
        int freed = 0;
        double share = 0;
        for (std::size_t j = i; j < end; ++j) {
            freed += widths[j] + cellGap;
            share += wishes[j].share;
            if (freed < excess || j == i)
                continue;
            const double middle = std::abs(double(i + j + 1) - double(wishes.size()));
            if (share < least - 1e-9 || (share < least + 1e-9 && middle < nearest)) {
                best = {i, j - i + 1};
                least = share;
                nearest = middle;
            }
            break;
        }
    }
    return best;
}

// The inputs and outputs are kept, and the first and the last stage if possible.
Run runToFold(std::span<const CellWish> wishes, const Widths& widths, int rest, int room)
{
    std::size_t begin = 0;
    std::size_t end = wishes.size();
    while (begin < end && wishes[begin].isEnd)
        ++begin;
    while (end > begin && wishes[end - 1].isEnd)
        --end;
    const int excess = sumOf(widths) + rest + cellGap - room;
    if (end - begin > 3) {
        int inner = 0;
        for (std::size_t i = begin + 1; i + 1 < end; ++i)
            inner += widths[i] + cellGap;
        if (inner >= excess)
            return lightestRun(wishes, widths, excess, {begin + 1, end - begin - 2});
    }
    return lightestRun(wishes, widths, excess, {begin, end - begin});
}

// Scales down a row that is still too wide.
void squeeze(Widths& widths, int room)
{
    const int gaps = cellGap * std::max(int(widths.size()) - 1, 0);
    const int all = sumOf(widths) - gaps;
    const double factor = all > 0 ? std::max(room - gaps, 0) / double(all) : 1;
    for (int& width : widths)
        width = factor < 1 ? int(width * factor) : width;
}

std::vector<StripCell> placed(std::vector<StripCell> cells, const Widths& widths)
{
    int x = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i].x = x;
        cells[i].width = widths[i];
        x += widths[i] + cellGap;
    }
    return cells;
}

} // namespace

std::vector<StripCell> layOutStrip(std::span<const CellWish> wishes, int rest, int room)
{
    Widths widths = cutTo(wishes, mostOfName.front(), true);
    for (const int most : mostOfName)
        if (sumOf(widths) > room)
            widths = cutTo(wishes, most, false);
    Run fold;
    if (sumOf(widths) > room) {
        // The names of the remaining stages are readable.
        widths = cutTo(wishes, mostOfName[2], false);
        fold = runToFold(wishes, widths, rest, room);
    }
    std::vector<StripCell> cells;
    Widths kept;
    std::vector<double> shares;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        const bool isFolded = fold.count > 1 && i >= fold.first && i < fold.first + fold.count;
        if (isFolded && i > fold.first)
            continue;
        cells.push_back({i, isFolded ? fold.count : 1, 0, 0});
        kept.push_back(isFolded ? rest : widths[i]);
        shares.push_back(isFolded ? 0 : wishes[i].share);
    }
    squeeze(kept, room);
    widenByShare(kept, shares, room);
    return placed(std::move(cells), kept);
}

} // namespace lapidary
