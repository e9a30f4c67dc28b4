// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// One kernel registration of TensorFlow 1.15.5.
struct KernelClass {
    std::string_view op;
    std::string_view label;  // chosen by the attribute _kernel; mostly empty
    std::string_view types;  // "T: float; Tidx: int32"; empty: all types
    std::string_view name;   // "MatMulOp<CPUDevice, float, false >"
    std::string_view source; // "matmul_op.cc"
    bool servesAllDevices = false;
};

// The kernels of TensorFlow 1.15.5's CPU build. About 5 ms to make; views point into it.
class KernelClasses {
public:
    KernelClasses();
    KernelClasses(const KernelClasses&) = delete;
    KernelClasses& operator=(const KernelClasses&) = delete;

    std::size_t size() const { return m_kernels.size(); }
    std::size_t ops() const { return m_byOp.size(); }
    std::span<const KernelClass> ofOp(std::string_view op) const;
    // Returns the kernel that runs the node on its device (by default the CPU). Null if there is
    // none, or if an attribute that decides is missing.
    const KernelClass* kernelOf(const Node& node) const;

private:
    std::string m_text;
    std::vector<KernelClass> m_kernels;
    std::map<std::string_view, std::span<const KernelClass>> m_byOp;
};

// Returns the type of a node's attribute, or of its op's default; several if it is a list. Empty if
// there is neither.
std::vector<DType> attrTypes(const Node& node, std::string_view attr);
// Returns whether the types of every attribute in "T: float double; Tidx: int32" are among those in
// this text.
bool fitsTypes(const Node& node, std::string_view lists);
// Returns the type of a device: "GPU" for "gpu:0"; "CPU" if there is none.
std::string deviceType(std::string_view device);

} // namespace lapidary
