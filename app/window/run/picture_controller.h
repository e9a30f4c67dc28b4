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

// Connects the evaluation of the current document's graph on a folder of pictures to its panel.
class PictureController : public QObject {
    Q_OBJECT
public:
    explicit PictureController(const WindowParts& parts);

    void show();
    bool isShown() const;
    QString whyNotRun() const; // and what to do; empty: it can be run
    bool canRun() const;       // the shown graph can be run on pictures
    void evaluate();
    void observe(const QString& log); // and freezes the ranges in the recipe
    void askToObserve();              // asks for the log file first
    void goToNextWrong();
    void setFolder(const PictureFolder& folder);
    void chooseImages();
    void chooseLabels();
    void chooseTruth();

private:
    void setDocument(Document* document); // null: no file is open
    void connectPanel();
    void showAll();
    void showRemark();
    void showPeers();
    void showBeside(); // the feeds of the other inputs
    void followFeed();
    void takeFields();
    void feed(const QString& path);
    void choose(const QString& title, const QString& filters, QString PictureFields::*field,
                QFileDialog::FileMode mode = QFileDialog::ExistingFile);

    const WindowParts& m_parts;
    QPointer<Document> m_document;
    PicturesPanel* m_panel;
    // Mean and deviation of the last picture that was fed.
    std::optional<std::pair<float, float>> m_followed;
};

} // namespace lapidary
