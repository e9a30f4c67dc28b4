// SPDX-License-Identifier: Apache-2.0
// Running a memory-mapped package allocates no memory for the weights.
#include "graph_model/read/model_file.h"
#include "graph_model/write/memmapped_source.h"
#include "graph_model/write/write_model.h"
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/goldens/golden_data.h"
#include "transforms/constants/const_node.h"

#include <fstream>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool countsMemory = false; // the sanitizers' shadow memory hides the allocations
#else
constexpr bool countsMemory = true;
#endif

namespace lapidary::goldens {
namespace {

constexpr std::int64_t rows = 4096;
constexpr std::int64_t columns = 4096; // 64 MB

// Returns the kilobytes of memory that are not mapped from a file.
long anonymousMemory()
{
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == "RssAnon:") {
            long kilobytes = 0;
            status >> kilobytes;
            return kilobytes;
        }
    return 0;
}

GraphPtr largeNetwork()
{
    Graph::Parts parts;
    NodeDraft input = newNode("x", "Placeholder");
    input.setAttr("dtype", attr::fromType(DType::Float));
    input.setAttr("shape", attr::fromShape({{1, columns}, false}));
    const std::vector<float> values(std::size_t(rows * columns), 0.5F);
    const std::int32_t all[] = {0, 1};
    NodeDraft total = newNode("z", "Max", {"w", "axes"});
    total.setAttr("T", attr::fromType(DType::Float));
    total.setAttr("Tidx", attr::fromType(DType::Int32));
    total.setAttr("keep_dims", attr::fromBool(false));
    parts.nodes = {input.finish(), floatConst("w", {rows, columns}, values).finish(),
                   intConst("axes", {2}, all).finish(), total.finish()};
    return Graph::make(std::move(parts));
}

} // namespace

TEST_CASE("weights of a memory-mapped package stay in the file while it runs", "[memmapped]")
{
    const WorkingFolder work;
    {
        const auto package = makeMemmapped(largeNetwork(), 10000, Job());
        REQUIRE(package.ok());
        REQUIRE(package->regions.size() == 1);
        REQUIRE(writeFileAtomically("net.mmap", memmappedSource(*package)).ok());
    }
    const long before = anonymousMemory();
    const auto model = readModel("net.mmap", Job());
    REQUIRE(model.ok());
    REQUIRE(model->graphs.size() == 1);
    Session session(model->graphs[0].graph, {});
    const auto values = session.run({{}, {"z:0"}, {}}, Job());
    REQUIRE(values.ok());
    CHECK((*values)[0].as<float>()[0] == 0.5F);
    const long kilobytes = anonymousMemory() - before;
    INFO(kilobytes);
    if (countsMemory)
        CHECK(kilobytes < 16 * 1024);
}

} // namespace lapidary::goldens
