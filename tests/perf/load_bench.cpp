// SPDX-License-Identifier: Apache-2.0
// The cost of opening a graph compared with protobuf's own parse of the same bytes, each measured
// in a process of its own: medians of several runs and the resident memory afterwards.
#include "graph.pb.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_value.h"
#include "graph_model/graph/node.h"
#include "graph_model/read/model_file.h"
#include "graph_model/read/wire_check.h"
#include "tests/perf/figures.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace lapidary;
namespace fs = std::filesystem;

namespace {

constexpr int runs = 9;

struct Measurement {
    double milliseconds = 0;
    double residentMegabytes = 0;
    double nodes = 0;
};

double residentMegabytes()
{
    std::ifstream statm("/proc/self/statm");
    double total = 0;
    double resident = 0;
    statm >> total >> resident;
    return resident * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Runs the work in a child process, so that no run uses memory that another one has warmed.
Measurement measureOnce(const std::function<double()>& prepare, const std::function<double()>& work)
{
    int ends[2];
    if (pipe(ends) != 0)
        return {};
    const pid_t child = fork();
    if (child == 0) {
        prepare();
        const auto start = std::chrono::steady_clock::now();
        Measurement result;
        result.nodes = work();
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - start;
        result.milliseconds = time.count();
        result.residentMegabytes = residentMegabytes();
        const ssize_t written = write(ends[1], &result, sizeof(result));
        _exit(written == ssize_t(sizeof(result)) ? 0 : 1);
    }
    close(ends[1]);
    Measurement result;
    const ssize_t got = read(ends[0], &result, sizeof(result));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return got == ssize_t(sizeof(result)) ? result : Measurement{};
}

Measurement median(const std::function<double()>& prepare, const std::function<double()>& work)
{
    std::vector<Measurement> all;
    for (int i = 0; i < runs; ++i)
        all.push_back(measureOnce(prepare, work));
    std::ranges::sort(all, {}, &Measurement::milliseconds);
    return all[all.size() / 2];
}

std::string tensorAttr(std::int64_t elements)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, 1);
    writer.bytes(2, encodeShape(Shape{{elements}, false}));
    std::string content(std::size_t(elements) * 4, '\0');
    for (std::size_t i = 0; i < content.size(); ++i)
        content[i] = char(i * 131 >> 3);
    writer.bytes(4, content);
    return attr::fromTensorProto(proto);
}

void addNode(std::string& graph, const NodeDraft& node)
{
    WireWriter(graph).bytes(1, node.encode());
}

NodeDraft draft(std::string name, std::string op, std::vector<std::string> inputs)
{
    NodeDraft node;
    node.name = std::move(name);
    node.op = std::move(op);
    node.inputs = std::move(inputs);
    node.setAttr("T", attr::fromType(DType::Float));
    return node;
}

// Fifty layers of 2 MB of weights each.
std::string frozenGraph()
{
    std::string graph;
    std::string last = "input";
    NodeDraft input = draft("input", "Placeholder", {});
    input.attrs.clear();
    input.setAttr("dtype", attr::fromType(DType::Float));
    addNode(graph, input);
    const std::string weights = tensorAttr(524288);
    for (int i = 0; i < 50; ++i) {
        const std::string scope = "layer_" + std::to_string(i) + "/";
        NodeDraft constant = draft(scope + "weights", "Const", {});
        constant.attrs.clear();
        constant.setAttr("dtype", attr::fromType(DType::Float));
        constant.setAttr("value", weights);
        addNode(graph, constant);
        addNode(graph, draft(scope + "Mul", "Mul", {last, scope + "weights"}));
        addNode(graph, draft(scope + "Relu", "Relu", {scope + "Mul"}));
        last = scope + "Relu";
    }
    return graph;
}

std::string manyNodes(int count)
{
    std::string graph;
    for (int i = 0; i < count; ++i) {
        const std::string name = "block_" + std::to_string(i / 100) + "/unit_" +
                                 std::to_string(i / 10 % 10) + "/node_" + std::to_string(i);
        std::vector<std::string> inputs;
        for (const int back : {1, 7})
            if (i >= back)
                inputs.push_back("block_" + std::to_string((i - back) / 100) + "/unit_" +
                                 std::to_string((i - back) / 10 % 10) + "/node_" +
                                 std::to_string(i - back));
        if (i < 7)
            addNode(graph, draft(name, "Const", {}));
        else
            addNode(graph, draft(name, "AddV2", std::move(inputs)));
    }
    return graph;
}

double parseByProtobuf(const std::string& bytes)
{
    auto* graph = new wire::GraphDef; // kept, so that destroying it is not timed
    return graph->ParseFromString(bytes) ? graph->node_size() : -1;
}

double walk(const fs::path& path)
{
    const Result<BufferPtr> file = openFile(path);
    WireChecker checker;
    return file && checker.check((*file)->bytes(), MessageId::GraphDef, 0) ? 1 : -1;
}

double load(const fs::path& path, bool check)
{
    const Result<ModelFile> file = readModel(path, Job(), ReadOptions{.check = check});
    if (!file || file->isRefused())
        return -1;
    return double(file->graphs[0].graph->size());
}

void print(const char* what, const Measurement& ours, const Measurement& protobuf)
{
    std::printf("  %-34s %9.2f ms  %7.1f MB resident  %6.3f x protobuf\n", what, ours.milliseconds,
                ours.residentMegabytes, ours.milliseconds / protobuf.milliseconds);
}

void compare(const char* title, const fs::path& path)
{
    std::string bytes;
    const auto nothing = [] { return 0.0; };
    const auto readWhole = [&] {
        std::ifstream stream(path, std::ios::binary);
        bytes.resize(std::size_t(fs::file_size(path)));
        stream.read(bytes.data(), std::streamsize(bytes.size()));
        return 0.0;
    };
    std::printf("%s: %.1f MB, medians of %d\n", title, double(fs::file_size(path)) / (1 << 20),
                runs);
    const Measurement protobuf = median(readWhole, [&] { return parseByProtobuf(bytes); });
    const auto row = [&](const char* what, const Measurement& ours) {
        print(what, ours, protobuf);
        testing::recordFigure(std::string(title) + ": " + what, ours.milliseconds);
    };
    row("protobuf parse, bytes in memory", protobuf);
    row("protobuf parse with reading",
        median(nothing, [&] { return readWhole() + parseByProtobuf(bytes); }));
    row("wire walk of the file", median(nothing, [&] { return walk(path); }));
    row("load: Graph built", median(nothing, [&] { return load(path, false); }));
    row("load and check of the graph", median(nothing, [&] { return load(path, true); }));
}

} // namespace

int main()
{
    std::string name = (fs::temp_directory_path() / "lapidary-load-XXXXXX").string();
    const fs::path folder = mkdtemp(name.data());
    // The bytes are released before anything is measured.
    const auto write = [&](const char* file, std::string bytes) {
        std::ofstream(folder / file, std::ios::binary) << bytes;
        std::string().swap(bytes);
        return folder / file;
    };
    compare("frozen graph", write("frozen.pb", frozenGraph()));
    compare("100,000 small nodes", write("nodes.pb", manyNodes(100000)));
    fs::remove_all(folder);
    return 0;
}
