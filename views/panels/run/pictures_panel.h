// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/picture_list_model.h"
#include "views/panels/base/headed_panel.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;

namespace lapidary {

class ConfusionModel;
class ConfusionView;
class PanelTable;
class PictureForm;

// How a classifier does on a folder of pictures: which classes it mixes up, and each picture with
// what it was taken for.
class PicturesPanel : public HeadedPanel {
    Q_OBJECT
public:
    explicit PicturesPanel(QWidget* parent = nullptr);

    PictureForm& form() const { return *m_form; }
    void setFound(const FolderEvaluationPtr& found); // null: nothing is evaluated
    void setObstacle(const QString& why);            // to a run; empty: there is none
    // Makes the next picture of the list that went wrong, or on which two states differ, the
    // current one, and says whether there is one.
    bool goToNextWrong();
    QString currentPicture() const; // its path; empty: none

signals:
    void pictureChosen(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHead();
    QWidget* buildList();
    void choose(const QModelIndex& index);
    void chooseCell(const QModelIndex& cell);
    void chooseKind(int kind);
    void showCount();
    void arrange();
    void fitList(int room);

    PictureForm* m_form;
    QSplitter* m_parts; // the matrix, and the list at its right
    QPushButton* m_wishes = nullptr;
    QWidget* m_list = nullptr;
    PictureListModel* m_model;
    PictureFilter* m_listed;
    ConfusionModel* m_confusion;
    QString m_cellName; // of the chosen one
    ConfusionView* m_matrix;
    PanelTable* m_table = nullptr;
    QComboBox* m_kind = nullptr;
    QLabel* m_count = nullptr;
    QPushButton* m_evaluate = nullptr;
    QPushButton* m_observe = nullptr;
};

} // namespace lapidary
