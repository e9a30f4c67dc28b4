// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/setup/prepare_run.h"
#include "runner/setup/run_plan.h"
#include "transforms/classify/labeling.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Returns a plan that fetches the labeling's output. The labeling's input is fed with one picture
// after the other, other inputs as in the plan.
RunPlan pictureRunPlan(RunPlan plan, const Labeling& labeling);

// Computes the scores of labeling.image, with the variables of a graph that was read from `path`.
Result<Value> scorePicture(const GraphEntry& entry, const std::string& path,
                           const Labeling& labeling, const Job& job);

// A picture and the class that it shows.
struct Sample {
    std::string path;
    std::string file;        // its name in the folder
    std::int64_t truth = -1; // -1: not known
};
using Truths = std::map<std::string, std::string>; // label by file

// Reads a file with "FILE tab LABEL" on each line. Errors name the line.
Result<Truths> readTruths(const std::string& path);
// Returns the pictures of a folder, sorted. Their class comes from `truths` or, if that is empty,
// is the part of the file's name after the first "_", without the extension. Errors name the file:
// no picture at all, no class, or one that is not among the labels.
Result<std::vector<Sample>> readSamples(const std::string& folder, const Truths& truths,
                                        const std::vector<std::string>& labels);

// Returns the pictures of a folder, sorted, without classes.
Result<std::vector<Sample>> readUnlabeledSamples(const std::string& folder);

// A picture that was left out because it cannot be read.
struct UnreadPicture {
    std::size_t sample = 0; // its index among the samples to read
    std::string why;        // names the file
};
using UnreadPictures = std::vector<UnreadPicture>;

// The answers of a classifier for all samples that can be read.
struct Evaluated {
    std::vector<ScoredLabel> best; // by sample, without those in `unread`
    UnreadPictures unread;
    std::optional<double> top1; // shares; absent if the samples have no classes
    std::optional<double> top5;
    double secondsPerSample = 0; // of the runs alone
    std::string printed;         // what the graph printed, run by run
};
// The progress of an evaluation.
struct RunningScore {
    std::size_t done = 0; // pictures
    std::size_t right = 0;
};
using HearScore = std::function<void(const RunningScore&)>;

// Returns whether a run can go on without a picture that could not be read: not if it was
// cancelled, or is out of memory.
bool isFaultOfPicture(const Error& error);
// Returns an error if there are pictures, `count`, and none of them could be read.
Status someRead(const UnreadPictures& unread, std::size_t count);

// Evaluates a graph that was prepared with pictureRunPlan(). `hear`, unless empty, is called after
// each picture. It is an error if no picture can be read.
Result<Evaluated> evaluateSamples(PreparedRun& prepared, Labeling labeling,
                                  const std::vector<Sample>& samples,
                                  const std::vector<std::string>& labels, const Job& job,
                                  const HearScore& hear = {});

// Returns the share of samples for which both have the same best class.
double agreement(const Evaluated& a, const Evaluated& b);

// Returns part / whole; 0 if `whole` is 0.
double shareOf(std::size_t part, std::size_t whole);

} // namespace lapidary
