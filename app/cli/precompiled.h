// SPDX-License-Identifier: Apache-2.0
#pragma once

// graph_model/precompiled.h, with the two large headers of the command line.
#include "graph_model/precompiled.h"

#include <iostream>
#include <sstream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
