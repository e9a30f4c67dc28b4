// SPDX-License-Identifier: Apache-2.0
#pragma once

// Headers that most sources around the window include, parsed once; see graph_model/precompiled.h.
// It does not include headers of app itself: a change of one would rebuild everything.
#include "graph_model/interface/interface.h"
#include "graph_model/read/model_file.h"
#include "graph_model/scopes/prepared_scope.h"
#include "graph_model/shapes/known_tensor.h"
#include "runner/profile/profile_sums.h"
#include "runner/setup/profile_run.h"
#include "transforms/pass/pass.h"
#include "transforms/recipe/recipe.h"
#include "transforms/verify/verify_runs.h"
#include "views/canvas/graph_canvas.h"
#include "views/canvas/paint/scene_index.h"
#include "views/layout/scene.h"
#include "views/models/latest_job.h"
#include "views/models/op_table_model.h"
#include "views/precompiled.h"

#include <QDockWidget>
#include <QFileSystemWatcher>
#include <QLineEdit>
#include <QMainWindow>
#include <QPointer>
#include <QTimer>
#include <QToolBar>
