// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/diff/diff_session.h"
#include "app/document/document.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace lapidary {

class DocumentView;
class PaneGrid;

// Two to four views in one tab. The others follow the selection and the camera of the one that the
// user acts on. The first view is the reference: every other one shows its differences from it.
// Owned by the host, which is the view of the tab; the guests exist only for the comparison.
class ComparedViews : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t mostPanes = 4;

    ComparedViews(DocumentView* host, PaneGrid* grid);
    ~ComparedViews() override;

    // Adds a view, which is deleted with this object. `name` describes it. If `isBefore`, it is
    // placed to the left of the host, otherwise at the end.
    void add(DocumentView* guest, const QString& name, bool isBefore);
    void close(DocumentView* guest); // if there are several
    bool isFull() const { return m_panes.size() >= mostPanes; }
    std::size_t count() const { return m_panes.size(); }
    DocumentView* pane(std::size_t at) const { return m_panes[at].view; } // from the left
    bool shows(const GraphPtr& graph) const;

    // Returns the session of the two whose differences are listed: the reference, and the pane that
    // the user acts on or acted on last.
    DiffSession& session() const { return *m_panes[listed()].session; }
    DocumentView* guest() const; // the first one that is not the host
    QString guestName() const;   // if there are several, their number
    DocumentView* active() const { return m_active; }
    void setActive(DocumentView* view);
    DocumentView* next() const; // after the active one; wraps around
    bool isIdle() const;

signals:
    void activeChanged();
    void changed(); // another list, or the start or end of work
    void closeRequested(lapidary::DocumentView* guest);
    void endRequested();
    void listRequested(); // the table of differences

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Pane {
        DocumentView* view = nullptr;
        QString name;                         // of a guest
        std::unique_ptr<DiffSession> session; // comparison with the first pane; null for that one
    };
    std::size_t indexOf(const DocumentView* view) const;
    std::size_t listed() const;
    void connectView(DocumentView* view);
    void letGo(DocumentView* view);
    static void discard(DocumentView* guest);
    void compareAll();
    void connectSession(DiffSession* session);
    void arrange();
    void lead();
    void showBeginnings();
    void follow();
    void linkUnknown();
    std::vector<ItemId> relatedItems(ItemId item, const Document& to) const;
    void showDrawn();
    void showCaptions();
    void showSummary();
    void goToCurrent(const DiffSession& session);

    DocumentView* m_host;
    PaneGrid* m_grid;
    std::vector<Pane> m_panes; // from the left
    DocumentView* m_active;
    QTimer m_follow;                  // after another pane was resized
    DocumentView* m_listed = nullptr; // the one that the user acted on last, except the reference
};

} // namespace lapidary
