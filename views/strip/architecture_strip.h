// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/strip/stage_marks.h"
#include "views/strip/strip_layout.h"

#include <QWidget>

#include <vector>

namespace lapidary {

class StageButton;

// The whole network as a row of stages, from its input to its output, each as wide as its share.
// The arrow keys move from stage to stage. Hidden if there are fewer than `leastStages`.
class ArchitectureStrip : public QWidget {
    Q_OBJECT
public:
    explicit ArchitectureStrip(QWidget* parent = nullptr);

    void setStages(StagesPtr stages); // null: none
    const StagesPtr& stages() const { return m_stages; }
    void setMarks(std::vector<StageMarks> marks); // one for each stage, or none
    void setCurrent(int stage);                   // the stage of the selection; -1: none
    void setWanted(bool isWanted);                // false: always hidden
    std::vector<StageButton*> buttons() const { return m_shown; } // from left to right
    const std::vector<StripCell>& cells() const { return m_cells; }

signals:
    void stageActivated(int stage); // index into stages()->row

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void layOut();
    void fill(StageButton& button, const StripCell& cell);
    void activate(std::size_t cell);
    void showRest(std::size_t cell);
    bool moveByKey(std::size_t from, int key);
    void focusCell(std::size_t cell);
    void showOrHide();
    const StageMarks& marksOf(std::size_t stage) const;

    StagesPtr m_stages;
    std::vector<StageMarks> m_marks;
    std::vector<StripCell> m_cells;
    std::vector<StageButton*> m_buttons; // some may be unused, from a longer row
    std::vector<StageButton*> m_shown;
    std::size_t m_focus = 0; // the cell that Tab leads to
    int m_current = -1;
    bool m_isWanted = true;
};

} // namespace lapidary
