// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/kept_layers.h"

#include "graph_model/base/nearest_word.h"
#include "graph_model/base/printable.h"
#include "transforms/match/glob.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns all names by which a user may know a layer; its own comes first.
std::vector<std::string> namesOf(const Graph& original, const Graph& folded, const Layer& layer)
{
    std::vector<std::string> names{std::string(folded.node(layer.product).name()),
                                   std::string(folded.node(layer.weights).name())};
    const auto addReaders = [&](const auto& self, NodeId id) -> void {
        for (const NodeId reader : dataReaders(original, id)) {
            if (original.node(reader).op() == "Identity")
                self(self, reader);
            else
                names.emplace_back(original.node(reader).name());
        }
    };
    if (const NodeId weights = original.find(names[1]); weights.isValid())
        addReaders(addReaders, weights);
    return names;
}

std::string proposal(const std::string& glob, const std::vector<std::string>& names)
{
    std::vector<std::string> near;
    if (std::string word = nearestWord(glob, names); !word.empty())
        near.push_back(std::move(word));
    constexpr std::size_t most = 3;
    for (const std::string& name : names)
        if (near.size() < most && name.find(glob) != std::string::npos &&
            std::ranges::find(near, name) == near.end())
            near.push_back(name);
    std::string text = near.empty() ? "; layers are " : "; did you mean ";
    if (near.empty())
        near.assign(names.begin(), names.begin() + std::ptrdiff_t(std::min(most, names.size())));
    for (std::size_t i = 0; i < near.size(); ++i)
        text += (i == 0 ? "" : i + 1 == near.size() ? " or " : ", ") + printable(near[i]);
    return text + (text.starts_with("; did") ? "?" : ", for example");
}

Error unknownLayer(const Graph& original, const std::string& glob,
                   const std::vector<std::string>& names)
{
    const NodeId node = original.find(glob);
    const std::string what = node.isValid() ? " is a " + printable(original.node(node).op()) +
                                                  ", not a layer with compressible weights"
                                            : " names no layer";
    return {ErrorCode::InvalidArgument, printable(glob) + what + proposal(glob, names)};
}

} // namespace

Result<std::vector<std::string>> keptLayers(const Graph& original, const Graph& folded,
                                            const std::vector<std::string>& globs)
{
    std::vector<bool> isUsed(globs.size());
    std::vector<std::string> layers;
    std::vector<std::string> kept;
    for (const Layer& layer : layersOf(folded)) {
        const auto names = namesOf(original, folded, layer);
        layers.push_back(names.front());
        bool isKept = false;
        for (std::size_t i = 0; i < globs.size(); ++i)
            if (std::ranges::any_of(
                    names, [&](const std::string& name) { return fitsGlob(name, globs[i]); })) {
                isUsed[i] = true;
                isKept = true;
            }
        if (isKept)
            kept.push_back(names.front());
    }
    for (std::size_t i = 0; i < globs.size(); ++i)
        if (!isUsed[i])
            return unknownLayer(original, globs[i], layers);
    return kept;
}

std::string originalName(const Graph& original, const Graph& folded, const Layer& layer)
{
    const Node& product = folded.node(layer.product);
    for (const std::string& name : namesOf(original, folded, layer))
        if (const NodeId node = original.find(name);
            node.isValid() && original.node(node).op() == product.op())
            return name;
    return std::string(product.name());
}

} // namespace lapidary
