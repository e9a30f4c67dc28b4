// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"
#include "views/canvas/camera.h"
#include "views/canvas/picture_state.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lapidary {

class ArchitectureStrip;
class Document;

// Keeps a strip up to date with a document: its stages, what the search found in them, what differs
// from another graph, their colors, and which of them holds the selection.
class StripFollower : public QObject {
    Q_OBJECT
public:
    // Both must outlive it.
    StripFollower(const Document& document, ArchitectureStrip& strip, QObject* parent);

    // Sets the differences of the stages that are shown, in their order; empty: nothing is
    // compared.
    void setDifferences(std::vector<DifferenceCounts> differences);

signals:
    void chosen(lapidary::ItemId item); // go there

private:
    void renewStages();
    void renewMarks();
    void renewCurrent();

    const Document& m_document;
    ArchitectureStrip& m_strip;
    std::vector<DifferenceCounts> m_differences;
};

// The camera that shows a box as the place one went to: in the middle and large enough to be read;
// of one that is larger than the view, the beginning.
Camera arrivalAt(const Rect& box, const Camera& from, QSizeF view);

} // namespace lapidary
