// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "transforms/classify/classified_pictures.h"

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Pictures to evaluate a classifier on.
struct PictureFolder {
    std::string images; // a folder
    std::string labels; // a text file with one class a line; empty: no class is known
    std::string truth;  // a file for readTruths(); empty: classes are in the names of pictures
};

struct Classes {
    std::vector<std::string> labels;
    std::vector<Sample> samples;
    std::vector<std::string> unread = {}; // why pictures were left out, each with its file
};
// Reads the labels and finds the pictures. Errors name the file.
Result<Classes> readClasses(const PictureFolder& folder);

// Fails if a picture could not be read. Used for a graph that is compared with one that could read
// all pictures.
Status allRead(const Evaluated& evaluated);

// How to classify with a graph.
struct ClassifyPlan {
    Labeling labeling; // completed for the graph
    RunPlan run;       // the feeds of other inputs; its fetches and `otherInputs` are ignored
    std::string name;  // the graph's name in errors
    std::optional<FeedSource> rest = {}; // for inputs without a feed; not set: they are an error
};
// Moves samples that could not be read to those that were left out: later evaluations have an
// answer for each sample.
void leaveOut(Classes& classes, const UnreadPictures& unread);

// Computes the answers for all samples, with a graph that was read from `path`.
Result<Evaluated> evaluateGraph(const GraphEntry& entry, const std::string& path, ClassifyPlan plan,
                                const Classes& classes, const Job& job, const HearScore& hear = {});

// A folder of pictures, and the one or two graphs that classify it.
struct EvaluateTask {
    PictureFolder folder;
    ClassifyPlan plan;
    GraphPtr other = nullptr;    // evaluated on the same pictures after the first; null: none
    std::string otherInput = {}; // tensors of that graph
    std::string otherOutput = {};
};
// A pixel x becomes (x - mean) / std.
struct PixelScale {
    float mean = 0;
    float std = 255;

    bool operator==(const PixelScale&) const = default;
};
// A scaling of pixels that gives more right answers than that of a plan.
struct BetterPixels {
    std::size_t pictures = 0; // on which both were tried
    double taken = 0;         // share of right answers with the scaling of the plan
    double share = 0;         // with `scale`
    PixelScale scale;
};
struct FolderEvaluation {
    Classes classes;
    Evaluated first;
    std::optional<BetterPixels> better = {};
    std::optional<Evaluated> other;
};
// Where answers are wrong, tries other scalings of pixels than the default one of a plan, which
// nobody may have chosen.
Result<FolderEvaluation> evaluateFolder(const GraphEntry& entry, const std::string& path,
                                        const EvaluateTask& task, const Job& job,
                                        const HearScore& hear = {});

// The confusion matrix: one row for each class that a picture has or a graph answered, in the order
// of the labels.
struct Confusion {
    std::vector<std::int64_t> classes; // by row and by column
    std::vector<std::size_t> counts;   // [truth][answer]

    std::size_t count(std::size_t truth, std::size_t answer) const
    {
        return counts[truth * classes.size() + answer];
    }
};
// Samples without a class are left out.
Confusion confusionOf(const std::vector<Sample>& samples, const Evaluated& evaluated);

} // namespace lapidary
