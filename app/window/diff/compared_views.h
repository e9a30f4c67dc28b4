#pragma once

#include "app/document/diff/diff_session.h"
#include "app/document/document.h"

#include <QObject>

#include <memory>

namespace lapidary {

class DocumentView;

// Two views in one tab: the one that the user acts on leads, the other one follows its camera.
// Owned by the left one, which shows the graph before.
class ComparedViews : public QObject {
    Q_OBJECT
public:
    // `right` belongs to a layout of its own; it is deleted with this.
    ComparedViews(DocumentView* left, DocumentView* right);
    ~ComparedViews() override;

    DiffSession& session() { return *m_session; }
    const DiffSession& session() const { return *m_session; }
    DocumentView* right() const { return m_right; }
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
    std::unique_ptr<DiffSession> m_session;
};

} // namespace lapidary
