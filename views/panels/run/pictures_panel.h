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

// The answers of a classifier for a folder of pictures: the classes that it confuses, and each
// picture with its answer.
class PicturesPanel : public HeadedPanel {
    Q_OBJECT
public:
    explicit PicturesPanel(QWidget* parent = nullptr);

    PictureForm& form() const { return *m_form; }
    void setFound(const FolderEvaluationPtr& found); // null: no evaluation
    void setObstacle(const QString& why);            // why nothing can be run; empty: it can
    // Makes the next picture with a wrong answer, or with different answers of two states, the
    // current one. Returns false if there is none.
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
    QString m_cellName; // of the chosen cell
    ConfusionView* m_matrix;
    PanelTable* m_table = nullptr;
    QComboBox* m_kind = nullptr;
    QLabel* m_count = nullptr;
    QPushButton* m_evaluate = nullptr;
    QPushButton* m_observe = nullptr;
};

} // namespace lapidary
