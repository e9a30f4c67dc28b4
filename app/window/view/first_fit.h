// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>

namespace lapidary {

class Document;
class GraphCanvas;

// Keeps a first picture fitted to its window: until the user moves the camera, selects or opens
// anything, a canvas of another shape gets the picture that it would have been opened with.
class FirstFit : public QObject {
    Q_OBJECT
public:
    // Both must outlive it.
    FirstFit(Document& document, GraphCanvas& canvas, QObject* parent);

    // Paused while graphs are side by side, so that their pictures stay alike.
    void setPaused(bool isPaused) { m_isPaused = isPaused; }
    bool isDue() const { return m_soon.isActive(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    double aspect() const;
    void refit();

    Document& m_document;
    GraphCanvas& m_canvas;
    QTimer m_soon;
    bool m_isPaused = false;
};

} // namespace lapidary
