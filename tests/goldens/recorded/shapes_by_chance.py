#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Records the shapes that TensorFlow 1.15.5 infers for nodes drawn by chance: every op whose inputs
# can be drawn, with attributes and types at random and shapes that are known, partly known or
# unknown; integer inputs are often constants, as shape functions read their values.
#   shapes_by_chance.py FOLDER SEED CASES [OP...]     writes FOLDER/goldens/shapes/chance.jsonl
# LAPIDARY_SHARED=FOLDER golden_tests "shapes are inferred as recorded" then compares. Nothing runs,
# so stateful ops are drawn, too. Needs Python 3.7 with tensorflow 1.15.5. A shape function may end
# the process: each op is drawn in a process of its own.
import base64
import json
import os
import signal
import sys

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import node_def_pb2, types_pb2
from tensorflow.python.framework import op_def_registry

import by_chance as chance

draw = chance.draw
ATTEMPTS = 30  # for each case
SECONDS = 30   # for each op


def partly_known(shape):
    """The shape as a placeholder states it: None for an unknown rank, -1 for an unknown size."""
    kind = draw.random()
    if kind < 0.5:
        return list(shape)
    if kind < 0.62:
        return None
    if kind < 0.72:
        return [-1] * len(shape)
    return [size if draw.random() < 0.5 else -1 for size in shape]


def set_shape(proto, shape):
    proto.SetInParent()
    if shape is None:
        proto.unknown_rank = True
    for size in shape or []:
        proto.dim.add().size = size


def add_source(graph, holder, name, argument, value, shape):
    """A node that gives one input of the type; False where none can."""
    if name == "resource":
        node = graph.node.add(name=holder, op="VarHandleOp")
        node.attr["dtype"].type = types_pb2.DT_FLOAT
        set_shape(node.attr["shape"].shape, partly_known(shape))
        return True
    if name == "variant":
        node = graph.node.add(name=holder, op="Placeholder")
        node.attr["dtype"].type = types_pb2.DT_VARIANT
        return True
    if argument.is_ref:
        node = graph.node.add(name=holder, op="VariableV2")
        node.attr["dtype"].type = chance.enum(name)
        set_shape(node.attr["shape"].shape, partly_known(value.shape))
        return True
    is_constant = name in ("int32", "int64") and value.ndim < 3 and draw.random() < 0.6
    if is_constant or (name in ("bool", "string", "float") and draw.random() < 0.1):
        node = graph.node.add(name=holder, op="Const")
        node.attr["dtype"].type = chance.enum(name)
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value, dtype=chance.enum(name)))
        return True
    node = graph.node.add(name=holder, op="Placeholder")
    node.attr["dtype"].type = chance.enum(name)
    set_shape(node.attr["shape"].shape, partly_known(value.shape))
    return True


def types_of(node, argument):
    if argument.type_list_attr:
        return list(node.attr[argument.type_list_attr].list.type)
    kind = node.attr[argument.type_attr].type if argument.type_attr else argument.type
    return [kind] * (node.attr[argument.number_attr].i if argument.number_attr else 1)


def set_shapes(node, spec, shape):
    """A list of shapes, as many as a list of types of the node may need."""
    for _ in range(draw.randint(1, 3)):
        set_shape(node.attr[spec.name].list.shape.add(), partly_known(chance.like(shape)))
    return True


def a_graph(op):
    """A GraphDef whose node `op` is drawn, or None."""
    shape = chance.base_shape(op)
    node = node_def_pb2.NodeDef(name="op", op=op.name)
    for spec in op.attr:
        if spec.type == "list(shape)":
            set_shapes(node, spec, shape)
        elif not chance.an_attribute(node, spec, shape):
            return None
    graph = tf.GraphDef()
    graph.versions.producer = 134
    for argument in op.input_arg:
        for number in types_of(node, argument)[:12]:
            name = chance.type_name(number)
            holder = "x%d" % len(node.input)
            value = None
            if name in chance.TYPES:
                value = chance.an_input(argument, name, shape, not node.input)
            elif name not in ("resource", "variant"):
                return None
            if not add_source(graph, holder, name, argument, value, shape):
                return None
            node.input.append(holder)
    graph.node.add().CopyFrom(node)
    return graph


def shape_of(tensor):
    shape = tensor.get_shape()
    return None if shape.ndims is None else [-1 if size is None else size
                                             for size in shape.as_list()]


def infer(graph_def, case):
    """Fills the case; False where the import fails before a shape function is asked."""
    with tf.Graph().as_default() as graph:
        try:
            tf.import_graph_def(graph_def, name="")
        except ValueError as error:
            text = str(error)
            if "for 'op' (op:" not in text:
                return False
            case["error"] = {"code": "InvalidArgument", "message": text[:300]}
            return True
        outputs = graph.get_operation_by_name("op").outputs
        if not outputs:
            return False
        case["infer"] = {tensor.name: shape_of(tensor) for tensor in outputs}
    return True


def record(op, seed, count, out):
    good = errors = 0
    for i in range(count * ATTEMPTS):
        draw.seed("%s:%s:%d" % (seed, op.name, i))
        case = {"name": "%s_%d" % (op.name, i)}
        try:
            graph = a_graph(op)
            if graph is None or not infer(graph, case):
                continue
        except (ValueError, IndexError, TypeError, tf.errors.OpError):
            continue
        if "error" in case and errors * 4 >= count:
            continue
        errors += "error" in case
        good += "infer" in case
        case["graph"] = base64.b64encode(graph.SerializeToString()).decode()
        out.write(json.dumps(case, sort_keys=True) + "\n")
        out.flush()
        if good == count:
            break


def main(folder, seed, count, names):
    folder = os.path.join(folder, "goldens", "shapes")
    os.makedirs(folder, exist_ok=True)
    registered = op_def_registry.get_registered_ops()
    with open(os.path.join(folder, "chance.jsonl"), "a") as out:
        for name in names or sorted(registered):
            child = os.fork()
            if child == 0:
                signal.alarm(SECONDS)
                record(registered[name], seed, int(count), out)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            if status:
                print(name, "ended by a signal", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
