// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/feed_model.h"
#include "views/panels/base/headed_panel.h"

#include <QImage>
#include <QStringList>

#include <map>

class QComboBox;
class QTableView;

namespace lapidary {

class FeedDelegate;
class FeedForm;
class OneLineLabel;
class PanelTable;
class PictureView;

// Shows the inputs of a run, a row for each, and beside the rows the source of the current one.
class FeedPanel : public HeadedPanel {
    Q_OBJECT
public:
    explicit FeedPanel(QWidget* parent = nullptr);

    // `pictures`: the pictures that are fed, by input.
    void setInputs(std::vector<FeedRow> rows, std::map<QString, QImage> pictures);
    void setSets(const QStringList& names, const QString& current);
    void editSetName();
    FeedModel& model() const { return *m_model; }
    FeedForm& form() const { return *m_form; }
    QTableView* table() const;

signals:
    void wordsEdited(const QString& tensor, const QString& words);
    void sizeEdited(const QString& tensor, const QString& size);
    void fileDropped(const QString& tensor, const QString& path);
    void setChosen(const QString& name);
    void setNamed(const QString& name); // to save the current feeds under this name

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHead();
    void buildTable();
    bool isNarrow() const; // too narrow for all columns
    void fitTable();       // two lines for each input if it is narrow
    QWidget* buildFed();
    void shareRoom();
    void showCurrent();

    FeedModel* m_model;
    FeedForm* m_form;
    PanelTable* m_table = nullptr;
    FeedDelegate* m_rows = nullptr;
    QComboBox* m_sets = nullptr;
    PictureView* m_picture = nullptr;
    OneLineLabel* m_says = nullptr; // the whole description of the current input's value
    std::map<QString, QImage> m_pictures;
};

} // namespace lapidary
