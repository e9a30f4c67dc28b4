// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/diff/scene_link.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <cstdint>

namespace lapidary {

class Document;

// The comparison of two documents side by side: the differences, found in the background; the
// selection and open scopes, which both share; and the current difference.
class DiffSession : public QObject {
    Q_OBJECT
public:
    // Both must outlive it.
    DiffSession(Document& before, Document& after, QObject* parent = nullptr);

    Document& before() const { return m_before; }
    Document& after() const { return m_after; }
    // Null until both graphs are ready and compared.
    const DifferenceListPtr& list() const { return m_list; }
    const QString& failure() const { return m_failure; }
    bool isBusy() const { return m_diffJob.isRunning() || m_linkJob.isRunning(); }
    bool isComparing() const { return m_diffJob.isRunning(); }

    // The kinds that are listed and stepped through, as bits of DifferenceKind.
    std::uint16_t shownKinds() const { return m_shownKinds; }
    void setShownKinds(std::uint16_t kinds);
    bool isShown(int number) const;
    int shownCount() const;
    int current() const { return m_current; } // index into list()->steps; -1: none yet
    void setCurrent(int number);
    void step(int by); // among the shown ones; wraps around

    // The side that the user acts on. The other side follows its scopes and its camera.
    bool leadsBefore() const { return m_leadsBefore; }
    void setLeadsBefore(bool isBefore) { m_leadsBefore = isBefore; }

    // Returns the marks drawn on a side; null until they are known.
    const std::shared_ptr<const DifferenceMarks>& marks(bool isBefore) const
    {
        return isBefore ? m_drawn.before : m_drawn.after;
    }
    const SceneLink& link() const { return m_drawn.link; }
    bool isLinkedSelection() const { return m_isLinking; } // the selection came from the other side
    // While it is held, a selection on one side is not copied to the other.
    void holdSelection(bool isHeld) { m_isLinking = isHeld; }

signals:
    void changed();        // another list, or a failure
    void kindsChanged();   // other kinds are shown
    void currentChanged(); // the picture should show it
    void drawnChanged();   // other marks, another link
    void busyChanged();

private:
    struct Drawn {
        std::shared_ptr<const DifferenceMarks> before;
        std::shared_ptr<const DifferenceMarks> after;
        SceneLink link;
    };
    Document& document(bool isBefore) const { return isBefore ? m_before : m_after; }
    ComparedSide side(bool isBefore) const;
    bool isCurrent() const; // the list is for the graphs that are shown
    void connectSide(bool isBefore);
    void compare();
    void linkSelection(bool fromBefore);
    void linkGroups(bool fromBefore);
    void renewDrawn();

    Document& m_before;
    Document& m_after;
    DifferenceListPtr m_list;
    QString m_failure;
    Drawn m_drawn;
    int m_current = -1;
    std::uint16_t m_shownKinds = UINT16_MAX;
    bool m_leadsBefore = true;
    bool m_isLinking = false;
    LatestJob m_diffJob;
    LatestJob m_linkJob;
};

} // namespace lapidary
