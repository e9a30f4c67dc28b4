// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_tree.h"
#include "views/canvas/camera/camera.h"
#include "views/canvas/paint/picture_state.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lapidary {

class ArchitectureStrip;
class Document;

// Keeps a strip up to date with a document: its stages, the hits of the search in them, their
// differences from another graph, their colors, and the stage of the selection.
class StripFollower : public QObject {
    Q_OBJECT
public:
    // Both must outlive it.
    StripFollower(const Document& document, ArchitectureStrip& strip, QObject* parent);

    // Sets the differences of the stages that are shown, in their order; empty: no
    // comparison.
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

// Returns the camera for a jump to a box: the box is in the middle and large enough to be read. If
// it is larger than the view, its beginning is shown.
Camera arrivalAt(const Rect& box, const Camera& from, QSizeF view);

} // namespace lapidary
