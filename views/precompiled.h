// SPDX-License-Identifier: Apache-2.0
#pragma once

// graph_model/precompiled.h, with the parts of Qt that most widgets use.
#include "graph_model/precompiled.h"

#include <QAbstractScrollArea>
#include <QAbstractTableModel>
#include <QApplication>
#include <QBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QString>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QWidget>
