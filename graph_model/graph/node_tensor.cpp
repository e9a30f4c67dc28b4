// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/node.h"

namespace lapidary {

Result<Tensor> Node::tensor(std::string_view name) const
{
    const auto proto = attr(name).asTensorProto();
    if (!proto)
        return Error{ErrorCode::NotFound, std::string(m_name) + ": no attribute '" +
                                              std::string(name) + "' that holds a tensor"};
    auto tensor = Tensor::decode(*proto, holderOf(*proto));
    if (!tensor)
        return Error{tensor.error().code, std::string(m_name) + ": " + tensor.error().message};
    return tensor;
}

} // namespace lapidary
