// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/feed_model.h"

#include <QImage>
#include <QWidget>

#include <map>

class QTableView;

namespace lapidary {

class FeedForm;
class PanelHead;
class PanelTable;

// What a run is fed: a row for each input, and beside the rows the source of the current one.
class FeedPanel : public QWidget {
    Q_OBJECT
public:
    explicit FeedPanel(QWidget* parent = nullptr);

    // `pictures`: those that are fed, by input.
    void setInputs(std::vector<FeedRow> rows, std::map<QString, QImage> pictures);
    void setRemark(const QString& text, bool isProblem); // above the rows
    FeedModel& model() const { return *m_model; }
    FeedForm& form() const { return *m_form; }
    QTableView* table() const;

signals:
    void wordsEdited(const QString& tensor, const QString& words);
    void sizeEdited(const QString& tensor, const QString& size);
    void fileDropped(const QString& tensor, const QString& path);
    void actionRequested(const char* id);

private:
    void buildHead();
    void buildTable();
    void showCurrent();

    FeedModel* m_model;
    FeedForm* m_form;
    PanelTable* m_table = nullptr;
    PanelHead* m_head = nullptr;
    std::map<QString, QImage> m_pictures;
};

} // namespace lapidary
