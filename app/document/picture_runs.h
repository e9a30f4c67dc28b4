// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// A state of a document's recipe; 0 steps: the original.
struct PeerState {
    std::size_t steps = 0;
    GraphPtr graph;
};
// Returns the states that were computed and are not shown.
std::vector<PeerState> peerStates(const Document& document);

// Evaluates the graph that is shown on the chosen pictures and, if `peer` is not null, that state
// as well.
void evaluatePictures(Document& document, const PeerState* peer);

// Measures the ranges of the graph that is shown on the chosen pictures and writes them to the file
// `log`.
void observePictures(Document& document, const std::string& log);
// Adds the steps that freeze these ranges after the state that is shown, and applies them.
void freezeObserved(Document& document, const std::string& log);

// Returns the input that is fed the pictures: the first one that takes them; empty if there is
// none.
std::string pictureInput(const Document& document);
// Returns the other inputs that the scores need; they are fed as in any other run.
std::vector<FedInput> fedBesidePictures(const Document& document);

// Returns the feed of that input if it is a picture.
std::optional<PictureFeed> fedPicture(const Document& document);
// Feeds a picture to that input, scaled as when it was evaluated.
void feedPicture(Document& document, const std::string& path);

} // namespace lapidary
