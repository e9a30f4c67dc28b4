// SPDX-License-Identifier: Apache-2.0
// How much of a model's own scopes is found again by wiring alone: names are taken away, nodes are
// shuffled, and each block that the names describe counts as found if one box has a Jaccard index
// of at least 0.9 with it. Prints a table; exit code 1 where the project's bars are missed.
//     structure_bench [FOLDER] [--only WORD] [--seed N] [--boxes] | --sizes [WORD]
#include "graph_model/read/model_file.h"
#include "graph_model/scopes/prepared_scope.h"
#include "tests/source_folder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include <re2/re2.h>

using namespace lapidary;

namespace {

// The blocks that a model's names describe: nodes of equal first capture are one block. With
// `steps`, an unrolled loop: each name's k-th occurrence belongs to step k * steps / occurrences.
struct Expected {
    const char* file;
    std::vector<const char*> patterns;
    int steps = 0;
};

std::vector<Expected> expectedBlocks()
{
    const char* whileLoop = "(.*while)/";
    return {
        {"made/resnet_v1_50.pb", {"resnet_v1_50/(block\\d/unit_\\d+)/"}},
        {"made/resnet_v2_50.pb", {"resnet_v2_50/(block\\d/unit_\\d+)/"}},
        {"made/inception_v3.pb", {"(?:InceptionV3/)+(Mixed_\\w+)/"}},
        {"made/inception_v3_2015.pb", {"(mixed(?:_\\d+)?)/"}},
        {"made/mobilenet_v2.pb", {"MobilenetV2/(expanded_conv(?:_\\d+)?)/"}},
        {"made/unet.pb", {"(down_\\d|up_\\d|merge_\\d|bottom)/"}},
        {"made/transformer_encoder.pb", {"bert/encoder/(layer_\\d+)/"}},
        {"made/lstm_dynamic.pb", {whileLoop}},
        {"made/lstm_static.pb", {"(rnn/basic_lstm_cell)/"}, 4},
        {"made/ssd_detector.pb",
         {"FeatureExtractor/(Conv2d_\\w+)/", "(BoxPredictor_\\d)/", whileLoop}},
        {"made/crnn_ctc.pb", {"(conv\\d)/", whileLoop}},
        {"made/seq2seq_greedy.pb", {whileLoop, "(decode)/"}},
        {"made/training_adam.meta", {".*?(clip_by_norm(?:_\\d+)?)(?:/|$)"}},
        {"real/keras_imagenet_main.pbtxt", {"(?:res|bn)(\\d[a-f])_branch"}},
        {"real/keras_imagenet_main_graph_mode.pbtxt", {"(?:res|bn)(\\d[a-f])_branch"}},
        {"real/t2o_lstm.pb", {"(model/rnn/basic_lstm_cell)/"}, 28},
        {"real/mtcnn.pb", {whileLoop, "(.*?cond)/", "(.*?boolean_mask(?:_\\d+)?)/"}},
        {"made/mobilenet_v1.pb", {".*(Conv2d_\\d+(?:_depthwise|_pointwise)?)/"}},
        {"made/densenet121.pb", {"(conv\\d_block\\d+)_"}},
        {"real/pose_mobilenet_v2_small_opt.pb",
         {"MobilenetV2/(expanded_conv(?:_\\d+)?)/", ".*(MConv_Stage\\d_L\\d_\\d)_"}},
        {"made/squeezenet.pb", {"SqueezeNet/(fire\\d)/"}},
        {"made/deeplab.pb", {"(entry(?:_1)?|atrous_\\d)/", "aspp/(image|aspp\\d|projection)/"}},
        {"made/style_transfer.pb", {"(conv\\d|residual\\d|expand\\d|contract)/"}},
        {"made/vgg_16.pb", {"vgg_16/(?:conv\\d/)?(conv\\d_\\d|fc\\d)/"}},
        {"made/ds_cnn.pb", {".*(conv_ds_\\d)/"}},
        {"real/kws_ds_cnn_s.pb", {".*(conv_ds_\\d)/"}},
        {"real/kws_ds_cnn_m.pb", {".*(conv_ds_\\d)/"}},
        {"real/kws_crnn_m.pb", {whileLoop}},
        {"real/kws_basic_lstm_s.pb", {whileLoop}},
        {"made/gru_dynamic.pb", {whileLoop}},
        {"real/max_lstm.pb", {whileLoop}},
        {"made/bidirectional_rnn.pb", {whileLoop}},
        {"real/rnn_bstack_d_b1_n3.pb", {whileLoop, "stack_bidirectional_rnn/(cell_\\d)/"}},
        {"made/scoped_1500.pb", {"(stage_\\d/block_\\d)/"}},
    };
}

using Blocks = std::map<std::string, std::vector<std::uint32_t>>;

void splitSteps(const Graph& graph, int steps, Blocks& blocks)
{
    Blocks result;
    for (const auto& [key, nodes] : blocks) {
        Blocks byBase;
        for (const std::uint32_t node : nodes) {
            std::string base(graph.node(NodeId{node}).name());
            RE2::GlobalReplace(&base, "_\\d+", "");
            byBase[base].push_back(node);
        }
        for (const auto& entry : byBase)
            if (entry.second.size() % std::size_t(steps) == 0)
                for (std::size_t i = 0; i < entry.second.size(); ++i)
                    result[key + std::to_string(i * std::size_t(steps) / entry.second.size())]
                        .push_back(entry.second[i]);
    }
    blocks = std::move(result);
}

Blocks findBlocks(const Graph& graph, const Expected& expected)
{
    Blocks blocks;
    for (std::size_t p = 0; p < expected.patterns.size(); ++p) {
        const RE2 pattern(std::string("^") + expected.patterns[p]);
        for (std::uint32_t i = 0; i < graph.size(); ++i) {
            std::string key;
            const std::string name(graph.node(NodeId{i}).name());
            if (RE2::PartialMatch(name, pattern, &key))
                blocks[std::to_string(p) + ":" + key].push_back(i);
        }
    }
    if (expected.steps > 0)
        splitSteps(graph, expected.steps, blocks);
    return blocks;
}

// Returns the same graph with other names and in another order; `newId` maps each old node.
GraphPtr withoutNames(const Graph& graph, unsigned seed, std::vector<std::uint32_t>& newId)
{
    std::vector<std::uint32_t> order(graph.size());
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    newId.resize(graph.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        newId[order[i]] = i;
    Graph::Parts parts;
    for (const std::uint32_t old : order) {
        NodeDraft draft = NodeDraft::of(graph.node(NodeId{old}));
        draft.name = "n" + std::to_string(newId[old]);
        const auto inputs = graph.inputs(NodeId{old});
        for (std::size_t slot = 0; slot < inputs.size(); ++slot) {
            if (!inputs[slot].node.isValid())
                continue;
            std::string& text = draft.inputs[slot];
            text = "n" + std::to_string(newId[inputs[slot].node.value]);
            if (inputs[slot].isControl())
                text = "^" + text;
            else if (inputs[slot].port > 0)
                text += ":" + std::to_string(inputs[slot].port);
        }
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

struct Row {
    std::size_t nodes = 0;
    std::size_t top = 0;
    std::size_t fan = 0;
    std::size_t depth = 0;
    std::size_t expected = 0;
    std::size_t found = 0;
    std::size_t nearly = 0;
    double ms = 0;
};

double bestJaccard(const Preparation& preparation, const std::vector<std::uint32_t>& block,
                   ItemId& bestItem)
{
    std::map<ItemId, std::size_t> shared; // number of the block's nodes in each box
    for (const std::uint32_t node : block) {
        if (preparation.hidden(NodeId{node}) != nullptr)
            ++shared[preparation.shownBy(NodeId{node})];
        else
            ++shared[ItemId::of(NodeId{node})];
        for (GroupId g = preparation.tree().parentOf(NodeId{node}); g.isValid();
             g = preparation.tree().group(g).parent)
            ++shared[ItemId::of(g)];
    }
    double best = 0;
    for (const auto& [item, count] : shared) {
        const std::size_t size =
            item.isNode() ? count : preparation.tree().group(item.group()).nodeCount;
        if (item.isNode() && count < block.size())
            continue; // a node with its constants: it counts only if it is the whole block
        const double jaccard = double(count) / double(size + block.size() - count);
        if (jaccard > best) {
            best = jaccard;
            bestItem = item;
        }
    }
    return best;
}

// Prints what the best box has too much and what it lacks, by the original names.
void printDifference(const Graph& named, const std::vector<std::uint32_t>& oldId,
                     const ScopeTree& tree, ItemId best, const std::vector<std::uint32_t>& block)
{
    if (best.isNode() || !best.isValid())
        return;
    const std::set<std::uint32_t> wanted(block.begin(), block.end());
    std::size_t printed = 0;
    for (std::uint32_t i = 0; i < oldId.size(); ++i) {
        const bool isIn = tree.childOf(best.group(), ItemId::of(NodeId{i})).isValid();
        if (isIn == wanted.contains(i) || ++printed > 24)
            continue;
        const Node& node = named.node(NodeId{oldId[i]});
        std::printf("      %c %s (%s)\n", isIn ? '+' : '-', std::string(node.name()).c_str(),
                    std::string(node.op()).c_str());
    }
}

Result<Row> measure(const Graph& named, const Expected& expected, bool printBoxes, unsigned seed)
{
    std::vector<std::uint32_t> newId;
    const GraphPtr graph = withoutNames(named, seed, newId);
    std::vector<std::uint32_t> oldId(newId.size());
    for (std::uint32_t i = 0; i < newId.size(); ++i)
        oldId[newId[i]] = i;
    Row row;
    row.nodes = graph->size();
    std::vector<double> times;
    ScopeTreePtr tree;
    for (int run = 0; run < 3; ++run) {
        const std::clock_t begin = std::clock();
        auto made = buildScopeTree(graph, {}, Job());
        times.push_back(1000.0 * double(std::clock() - begin) / CLOCKS_PER_SEC);
        RETURN_IF_ERROR(made);
        tree = *made;
    }
    std::sort(times.begin(), times.end());
    row.ms = times[1];
    ASSIGN_OR_RETURN(auto prepared, Preparation::make(graph, tree, {}, Job()));
    const Preparation& preparation = *prepared;
    row.top = preparation.scope(rootGroup).items.size();
    for (std::uint32_t g = 0; g < tree->size(); ++g) {
        row.fan = std::max(row.fan, preparation.scope(GroupId{g}).items.size());
        row.depth = std::max<std::size_t>(row.depth, tree->group(GroupId{g}).depth);
        if (printBoxes)
            std::printf("%*s%s [%u] %s\n", 2 * tree->group(GroupId{g}).depth, "",
                        tree->group(GroupId{g}).name.c_str(), tree->group(GroupId{g}).nodeCount,
                        tree->group(GroupId{g}).reason.c_str());
    }
    for (auto& [key, block] : findBlocks(named, expected)) {
        std::vector<std::uint32_t> renamed;
        for (const std::uint32_t node : block)
            renamed.push_back(newId[node]);
        ItemId best;
        const double jaccard = bestJaccard(preparation, renamed, best);
        if (printBoxes) {
            std::printf("  %-40s %zu nodes  %.2f\n", key.c_str(), block.size(), jaccard);
            printDifference(named, oldId, *tree, best, renamed);
        }
        ++row.expected;
        row.found += jaccard >= 0.9;
        row.nearly += jaccard >= 0.75;
    }
    return row;
}

void print(const char* name, const Row& row)
{
    std::printf("%-44s %7zu %5zu %5zu %5zu %9zu %6zu %6zu %9.1f\n", name, row.nodes, row.top,
                row.fan, row.depth, row.expected, row.found, row.nearly, row.ms);
}

// A chain of 10,000 nodes with random skips and meaningless names.
GraphPtr flatChain(std::size_t nodes)
{
    std::mt19937 random(5);
    Graph::Parts parts;
    static const char* const ops[] = {"Conv2D", "Relu", "BiasAdd", "MaxPool"};
    for (std::size_t i = 0; i < nodes; ++i) {
        NodeDraft draft;
        draft.name = "n" + std::to_string(i);
        const bool skips = i > 20 && random() % 10 == 0;
        draft.op = i == 0 ? "Placeholder" : skips ? "Add" : ops[i % 4];
        if (i > 0)
            draft.inputs.push_back("n" + std::to_string(i - 1));
        if (skips)
            draft.inputs.push_back("n" + std::to_string(i - 2 - random() % 15));
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

// Graphs of `n` nodes, each large in one way, flat and with meaningless names.
GraphPtr largeGraph(const std::string& shape, std::size_t n)
{
    std::mt19937 random(11);
    Graph::Parts parts;
    std::vector<std::string> names(n);
    for (std::size_t i = 0; i < n; ++i) {
        names[i] = "n" + std::to_string(i);
        if (shape == "scoped")
            names[i] = "net/stage_" + std::to_string(i / 5'000) + "/block_" +
                       std::to_string(i / 50) + "/unit_" + std::to_string(i / 10) + "/s" +
                       std::to_string(i / 2) + "/n" + std::to_string(i);
    }
    for (std::size_t i = 0; i < n; ++i) {
        NodeDraft draft;
        draft.name = names[i];
        draft.op = i == 0 ? "Placeholder" : i % 5 == 0 ? "Conv2D" : i % 5 == 4 ? "Add" : "Relu";
        const auto read = [&](std::size_t source) { draft.inputs.push_back(names[source]); };
        if (i > 0)
            read(shape == "random" ? random() % i : i - 1);
        if (i > 1 && shape == "random")
            read(random() % i);
        if (shape == "nested" && i > n / 2)
            read(n - i);
        if (shape == "blocks" && i % 5 == 4)
            read(i - 4);
        for (std::size_t k = 2; shape == "window" && k <= 8 && k <= i; ++k)
            read(i - k);
        parts.nodes.push_back(draft.finish());
    }
    return Graph::make(std::move(parts));
}

void printSizes(const std::string& only)
{
    const std::pair<const char*, std::size_t> shapes[] = {
        {"scoped", 100'000}, {"blocks", 10'000},  {"blocks", 100'000}, {"random", 100'000},
        {"nested", 100'000}, {"window", 100'000}, {"chain", 1'000'000}};
    std::printf("%-20s %9s %8s %8s %9s %9s %9s\n", "shape", "nodes", "groups", "top", "tree ms",
                "prep ms", "root ms");
    // Measures processor time, because the machine may be busy.
    const auto ms = [](std::clock_t since) {
        return 1000.0 * double(std::clock() - since) / CLOCKS_PER_SEC;
    };
    for (const auto& [shape, nodes] : shapes) {
        if (std::string(shape).find(only) == std::string::npos)
            continue;
        const GraphPtr graph = largeGraph(shape, nodes);
        std::clock_t begin = std::clock();
        const auto tree = buildScopeTree(graph, {}, Job());
        const double treeMs = ms(begin);
        begin = std::clock();
        const auto prepared = Preparation::make(graph, tree.value(), {}, Job());
        const double prepareMs = ms(begin);
        begin = std::clock();
        const PreparedScope root = prepared.value()->scope(rootGroup);
        std::printf("%-20s %9zu %8zu %8zu %9.1f %9.1f %9.1f\n", shape, nodes, tree.value()->size(),
                    root.items.size(), treeMs, prepareMs, ms(begin));
    }
}

} // namespace

int main(int argc, char** argv)
{
    const char* shared = std::getenv("LAPIDARY_SHARED");
    std::string folder = shared != nullptr ? std::string(shared) + "/models"
                                           : (sourceFolder() / "../shared/models").string();
    std::string only;
    bool printBoxes = false;
    unsigned seed = 7;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--sizes") == 0) {
            printSizes(i + 1 < argc ? argv[i + 1] : "");
            return 0;
        }
        if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = unsigned(std::strtoul(argv[++i], nullptr, 10));
        else if (std::strcmp(argv[i], "--boxes") == 0)
            printBoxes = true;
        else
            folder = argv[i];
    }
    std::printf("%-44s %7s %5s %5s %5s %9s %6s %6s %9s\n", "model, names removed", "nodes", "top",
                "fan", "depth", "expected", "found", ">=.75", "ms");
    Row sum;
    for (const Expected& expected : expectedBlocks()) {
        if (std::string(expected.file).find(only) == std::string::npos)
            continue;
        const auto file = readModel(folder + "/" + expected.file, Job(), {.check = false});
        if (!file || file.value().graphs.empty()) {
            std::printf("%-44s could not be read\n", expected.file);
            continue;
        }
        const auto row = measure(*file.value().graphs[0].graph, expected, printBoxes, seed);
        if (!row) {
            std::printf("%-44s %s\n", expected.file, row.error().message.c_str());
            return 1;
        }
        print(expected.file, *row);
        sum.expected += row->expected;
        sum.found += row->found;
        sum.nearly += row->nearly;
        sum.fan = std::max(sum.fan, row->fan);
    }
    if (only.empty()) {
        const auto chain = measure(*flatChain(10'000), {"", {}, 0}, false, seed);
        print("chain with random skips", chain.value());
        sum.ms = chain.value().ms;
        sum.fan = std::max(sum.fan, chain.value().fan);
    }
    const double share = sum.expected == 0 ? 0 : 100.0 * double(sum.found) / double(sum.expected);
    std::printf(
        "found %zu of %zu blocks, %.1f %% (bar: 80 %%); most children %zu (bar: 60); 10,000 "
        "nodes in %.0f ms (bar: 100 ms)\n",
        sum.found, sum.expected, share, sum.fan, sum.ms);
    return share >= 80.0 && sum.fan <= 60 && sum.ms <= 100.0 ? 0 : 1;
}
