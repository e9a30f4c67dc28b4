// SPDX-License-Identifier: Apache-2.0
//   before:  p = Placeholder float -> y
//   after:   p = Placeholder quint8 -> Dequantize p_eightbit/dequantize -> y
#include "transforms/constants/const_node.h"
#include "transforms/quantize/quantize_steps.h"
#include "transforms/quantize/quantized_node.h"

namespace lapidary {

Result<EditResult> quantizePlaceholders(const GraphPtr& graph, const FixedRange& range,
                                        const Job& job, Findings* findings)
{
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        const Node& node = graph->node(NodeId{i});
        if (node.op() != "Placeholder" || node.attr("dtype").asType() != DType::Float)
            continue;
        edit.countPlaces(1);
        if (findings != nullptr)
            findings->push_back({{NodeId{i}}, ""});
        const std::string name(node.name());
        const std::string base = name + "_eightbit/";
        NodeDraft codes = NodeDraft::of(node);
        codes.setAttr("dtype", attr::fromType(DType::QUInt8));
        edit.redirect(name, base + "dequantize");
        edit.replace(NodeId{i}, std::move(codes));
        edit.addAt(NodeId{i}, floatScalar(base + "min", range.min), {NodeId{i}});
        edit.addAt(NodeId{i}, floatScalar(base + "max", range.max), {NodeId{i}});
        edit.addAt(NodeId{i},
                   dequantizeNode(base + "dequantize", {name, base + "min", base + "max"}),
                   {NodeId{i}});
    }
    return std::move(edit).finish();
}

} // namespace lapidary
