// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/strip/stage_marks.h"
#include "views/strip/strip_layout.h"

#include <QAbstractButton>

namespace lapidary {

struct FamilyColors;
struct Theme;

// The content of one cell of the strip.
struct StageFace {
    Stage::Kind kind = Stage::Kind::Work;
    bool isRest = false; // replaces several stages that do not fit
    QString name;
    QString suffix; // "×4"
    QString shape;
    OpFamily family = OpFamily::Unknown;
    StageMarks marks;
};

// One cell of the strip: a button with the colors of the part that it leads to.
class StageButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit StageButton(QWidget* parent);

    void setFace(StageFace face);
    const StageFace& face() const { return m_face; }
    void setCurrent(bool isCurrent); // the selection is in it
    bool isCurrent() const { return m_isCurrent; }
    QString shownName() const; // as it is painted: cut, or replaced by the shape
    bool showsShape() const;
    // Returns the width that a face asks for in the row, without its share. An input or output that
    // does not fit shows its tensor's shape, not its name.
    static CellWish wishOf(const StageFace& face);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    FamilyColors colors(const Theme& theme) const;
    int nameRoom() const;
    int tagsWidth() const;
    void paintShape(QPainter& painter, const FamilyColors& colors, const Theme& theme) const;
    void paintTags(QPainter& painter, const Theme& theme) const;
    void paintTexts(QPainter& painter, const FamilyColors& colors) const;

    StageFace m_face;
    bool m_isCurrent = false;
};

} // namespace lapidary
