// SPDX-License-Identifier: Apache-2.0
// Every fuzz target with its corpus, undamaged and damaged at random. LAPIDARY_FUZZ_SECONDS sets
// the duration of each, LAPIDARY_FUZZ_SEED another seed than that of every build, and
// LAPIDARY_FUZZ_KEEP names a file that has the input when the process ends.
#include "tests/catch.h"
#include "tests/fuzz/asked.h"
#include "tests/fuzz/targets/targets.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

namespace lapidary::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int leastOfTarget = 300; // rounds

std::vector<std::string> corpusOf(const Target& target)
{
    std::vector<std::filesystem::path> files;
    const auto folder = sourceFolder() / "tests/fuzz/corpus" / target.name;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<std::string> all;
    for (const auto& file : files) {
        std::ifstream stream(file, std::ios::binary);
        all.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    return all;
}

void runKept(const Target& target, const std::string& bytes)
{
    if (const char* path = std::getenv("LAPIDARY_FUZZ_KEEP")) // NOLINT(concurrency-mt-unsafe)
        std::ofstream(path, std::ios::binary) << bytes;
    target.run(bytes);
}

// Flips bits, inserts bytes of another seed, and cuts or repeats a part.
std::string damaged(std::string bytes, const std::string& other, std::mt19937& random)
{
    const auto below = [&](std::size_t bound) {
        return random() % std::max<std::size_t>(bound, 1);
    };
    for (std::size_t times = 1 + below(4); times > 0; --times) {
        if (bytes.empty())
            return other;
        const std::size_t at = below(bytes.size());
        const std::size_t length = 1 + below(std::min<std::size_t>(bytes.size() - at, 64));
        switch (below(5)) {
        case 0: bytes[at] = char(bytes[at] ^ char(1U << below(8))); break;
        case 1: bytes[at] = char(random()); break;
        case 2: bytes.erase(at, length); break;
        case 3: bytes.insert(at, bytes.substr(at, length)); break;
        default: bytes.insert(at, other.substr(below(other.size()), length)); break;
        }
    }
    return bytes;
}

} // namespace

TEST_CASE("fuzz: every target takes its corpus, whole and damaged", "[fuzz][targets]")
{
    for (const Target& target : allTargets()) {
        INFO(target.name);
        const std::vector<std::string> corpus = corpusOf(target);
        REQUIRE(!corpus.empty());
        for (const std::string& seed : corpus)
            runKept(target, seed);
        std::mt19937 random = askedRandom(7);
        const auto end = Clock::now() + std::chrono::duration<double>(askedSeconds());
        int rounds = 0;
        while (rounds++ < leastOfTarget || Clock::now() < end)
            runKept(target, damaged(corpus[random() % corpus.size()],
                                    corpus[random() % corpus.size()], random));
        std::cout << target.name << ": " << corpus.size() << " seeds, " << rounds << " damaged\n";
    }
}

} // namespace lapidary::fuzz
