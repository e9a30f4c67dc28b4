// SPDX-License-Identifier: Apache-2.0
#pragma once

// Like graph_model/precompiled.h, with the test framework.
#include "graph_model/precompiled.h"
#include "tests/catch.h"

#include <fstream>
#include <random>
#include <sstream>

#include <nlohmann/json.hpp>
