#pragma once

#include "app/document/diff/diff_session.h"
#include "app/document/document.h"

#include <QObject>

#include <memory>

namespace lapidary {

class DocumentView;

// Two views in one tab: the one that the user acts on leads, the other one follows its camera.
// Owned by the host, the view of the tab; the guest is there only to be compared. The graph before
// is at the left.
class ComparedViews : public QObject {
    Q_OBJECT
public:
    // `guest` belongs to a layout of its own; it is deleted with this. `name` says what it shows.
    ComparedViews(DocumentView* host, DocumentView* guest, bool isGuestBefore, QString name);
    ~ComparedViews() override;

    DiffSession& session() { return *m_session; }
    const DiffSession& session() const { return *m_session; }
    DocumentView* guest() const { return m_guest; }
    const QString& guestName() const { return m_guestName; }
    DocumentView* active() const { return m_session->leadsBefore() ? m_left : m_right; }
    void setActive(DocumentView* view);

signals:
    void activeChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectView(DocumentView* view);
    void follow();
    void showDrawn();
    void goToCurrent();

    DocumentView* m_left;
    DocumentView* m_right;
    DocumentView* m_guest; // one of the two
    QString m_guestName;
    std::unique_ptr<DiffSession> m_session;
};

} // namespace lapidary
