// SPDX-License-Identifier: Apache-2.0
#include "runner/guard/running_node.h"
#include "tests/catch.h"

#include <csignal>
#include <new>
#include <string>
#include <thread>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lapidary {
namespace {

TEST_CASE("the running node is noted with its op, and long names are cut", "[guard]")
{
    RunningNode record;
    noteNodesIn(&record);
    CHECK(notedNode().empty());
    noteNode("a/b", "Relu");
    CHECK(notedNode(record) == "a/b (Relu)");
    noteNode(std::string(10000, 'x'), std::string(10000, 'O'));
    CHECK(notedNode().size() == 400 + 2 + 100 + 1);
    noteNoNode();
    CHECK(notedNode().empty());
    noteNodesIn(nullptr);
    noteNode("c", "Relu");
    CHECK(notedNode(record).empty());
    RunningNode::Slot& slot = record.slots.front();
    slot.length = 5000; // a value in a damaged record
    record.whole = 1;
    CHECK(notedNode(record).size() == slot.text.size());
    record.whole = 5000;
    CHECK(notedNode(record).empty());
}

// Records two nodes in turn until it is killed.
[[noreturn]] void noteForever(RunningNode& record)
{
    noteNodesIn(&record);
    for (;;) {
        noteNode("a_scope/of_a/long_name", "MatMul");
        noteNode("b", "Relu");
    }
}

TEST_CASE("the noted node of a process that was killed is a whole one", "[guard]")
{
    void* const page = mmap(nullptr, sizeof(RunningNode), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(page != MAP_FAILED);
    for (int i = 0; i < 100; ++i) {
        auto& record = *new (page) RunningNode;
        const pid_t child = fork();
        if (child == 0)
            noteForever(record);
        while (record.begun == 0)
            std::this_thread::yield();
        REQUIRE(kill(child, SIGKILL) == 0);
        REQUIRE(waitpid(child, nullptr, 0) == child);
        const std::string noted = notedNode(record);
        const bool isWhole =
            noted.empty() || noted == "a_scope/of_a/long_name (MatMul)" || noted == "b (Relu)";
        INFO(noted);
        CHECK(isWhole);
    }
    munmap(page, sizeof(RunningNode));
}

} // namespace
} // namespace lapidary
