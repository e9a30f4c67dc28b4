// SPDX-License-Identifier: Apache-2.0
#pragma once

// graph_model/precompiled.h and the headers that nearly every kernel includes.
#include "graph_model/precompiled.h"
#include "runner/kernels/kernel.h"

#include <complex>
#include <random>
