// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <QFileDialog>
#include <QObject>
#include <QPointer>

namespace lapidary {

class AutopilotPanel;
struct WindowParts;

// Connects the search for smaller files of the current document's graph to its panel.
class AutopilotController : public QObject {
    Q_OBJECT
public:
    explicit AutopilotController(const WindowParts& parts);

    void show();
    bool isShown() const;
    QString whyNotSearch() const; // and what to do; empty: it is possible
    bool canSearch() const;
    void search();
    bool canUse() const; // for the file that is looked at
    void use();
    void look(std::size_t point); // at another file

private:
    void setDocument(Document* document); // null: no file is open
    void showForm();
    void showFound();
    void takeFields();
    void goToLayer(const QString& layer);
    void choosePictures(const QString& title, const QString& filters,
                        std::string PictureFolder::*field, QFileDialog::FileMode mode);
    QString remark() const;

    const WindowParts& m_parts;
    QPointer<Document> m_document;
    AutopilotPanel* m_panel;
    bool m_isShowingForm = false; // the form is being filled from the document
};

} // namespace lapidary
