// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "views/panels/run/picture_form.h"

#include <QFileDialog>
#include <QObject>
#include <QPointer>

#include <optional>
#include <utility>

namespace lapidary {

class PicturesPanel;
struct WindowParts;

// Ties what the current document's graph makes of a folder of pictures to its panel.
class PictureController : public QObject {
    Q_OBJECT
public:
    explicit PictureController(const WindowParts& parts);

    void show();
    bool isShown() const;
    QString whyNotRun() const; // and what to do; empty: it can be
    bool canRun() const;       // the graph that is shown, on pictures
    void evaluate();
    void observe(const QString& log); // and freezes the ranges in the recipe
    void askToObserve();              // asks for the log
    void goToNextWrong();
    void setFolder(const PictureFolder& folder);
    void chooseImages();
    void chooseLabels();
    void chooseTruth();

private:
    void setDocument(Document* document); // null: nothing is open
    void connectPanel();
    void showAll();
    void showRemark();
    void showPeers();
    void showBeside(); // what other inputs are fed
    void followFeed();
    void takeFields();
    void feed(const QString& path);
    void choose(const QString& title, const QString& filters, QString PictureFields::*field,
                QFileDialog::FileMode mode = QFileDialog::ExistingFile);

    const WindowParts& m_parts;
    QPointer<Document> m_document;
    PicturesPanel* m_panel;
    std::optional<std::pair<float, float>> m_followed; // mean and deviation of what was fed last
};

} // namespace lapidary
