// SPDX-License-Identifier: Apache-2.0
// Usual words in the names of inputs and outputs. A hint only decides between two candidates that
// are otherwise equal.
#include "graph_model/interface/name_hints.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace lapidary {
namespace {

std::string lastWord(std::string_view name)
{
    std::string word(name.substr(name.rfind('/') + 1));
    std::ranges::transform(word, word.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return word;
}

bool hasAny(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(
        words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool isIn(std::string_view name, std::initializer_list<std::string_view> scopes)
{
    return std::ranges::any_of(scopes,
                               [&](std::string_view scope) { return name.starts_with(scope); });
}

} // namespace

double inputHint(std::string_view name)
{
    const std::string word = lastWord(name);
    if (hasAny(word, {"keep_prob", "is_training", "dropout", "learning_rate", "phase", "step"}))
        return -1;
    if (isIn(name, {"save/", "init/"}))
        return -1;
    return hasAny(word, {"input", "image", "feature"}) ? 1 : 0;
}

bool isCalledOutput(std::string_view name)
{
    const std::string word = lastWord(name);
    return name.size() == word.size() &&
           (word == "output" || word == "outputs" || word == "prediction" || word == "predictions");
}

double outputHint(std::string_view name)
{
    const std::string word = lastWord(name);
    if (isIn(name, {"save/", "gradients/", "train/", "init/", "report_uninitialized", "training",
                    "metric"}))
        return -1;
    if (hasAny(word, {"loss", "accuracy", "global_step", "learning_rate", "initial", "switch_t",
                      "switch_f", "moving_", "metric"}))
        return -1;
    return hasAny(word, {"output", "pred", "prob", "softmax", "score", "label", "logit", "detect",
                         "boxes", "classes", "result", "retval", "landmark", "mask"}) ||
                   word == "out"
               ? 1
               : 0;
}

} // namespace lapidary
