#pragma once

#include "app/cli/labelling.h"

#include <map>
#include <string>
#include <vector>

namespace lapidary {

// A picture and the class that it shows.
struct Sample {
    std::string path;
    std::string file; // its name in the folder
    std::int64_t truth = 0;
};
using Truths = std::map<std::string, std::string>; // label by file

// "FILE tab LABEL" a line. Errors name the line.
Result<Truths> readTruths(const std::string& path);
// The names of the pictures in a folder, sorted; there is one at least.
Result<std::vector<std::string>> picturesIn(const std::string& folder);
// The pictures of a folder, sorted. Their class is what `truths` has; where it is empty, the part
// of the file's name behind the first "_", without the extension. Errors name the file: no picture
// at all, no class, or one that is not among the labels.
Result<std::vector<Sample>> readSamples(const std::string& folder, const Truths& truths,
                                        const std::vector<std::string>& labels);

// What a classifier made of all samples.
struct Evaluated {
    std::vector<ScoredLabel> best; // by sample
    double top1 = 0;               // shares
    double top5 = 0;
    double secondsPerSample = 0; // of the runs alone
    std::string printed;         // what the graph printed, run by run
};
Result<Evaluated> evaluateSamples(Session& session, Labelling labelling,
                                  const std::vector<Sample>& samples,
                                  const std::vector<std::string>& labels, const Job& job);

// The share of samples for which both have the same best class.
double agreement(const Evaluated& a, const Evaluated& b);

} // namespace lapidary
