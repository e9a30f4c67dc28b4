#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Records what TensorFlow 1.15.5 computes for nodes drawn by chance: every op that the definition
# allows one to draw, with attributes, types, shapes and values at random.
#   by_chance.py FOLDER SEED CASES OP...     writes FOLDER/goldens/ops/OP.jsonl
# LAPIDARY_SHARED=FOLDER golden_tests "ops compute what was recorded" then compares. Needs Python 3.7
# with tensorflow 1.15.5. A kernel may end the process: each op is drawn in a process of its own.
import base64
import json
import os
import random
import re
import signal
import sys

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import node_def_pb2, types_pb2
from tensorflow.python.framework import dtypes, op_def_registry

PLAIN = {"float": np.float32, "double": np.float64, "half": np.float16, "bool": np.bool_,
         "bfloat16": dtypes.bfloat16.as_numpy_dtype, "string": object,
         "qint8": np.int8, "quint8": np.uint8, "qint16": np.int16, "quint16": np.uint16,
         "qint32": np.int32}
TYPES = dict(PLAIN, **{name: np.dtype(name).type for name in (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "complex64",
    "complex128")})
USUAL = ["float", "float", "int32", "int64", "double", "bool", "string", "uint8", "half",
         "complex64", "int8", "int16", "bfloat16"]
ATTEMPTS = 40  # for each case: most draws do not fit together
ERRORS = 2     # cases of each op that end with an error
SECONDS = 40   # for each op
draw = random.Random()


def enum(name):
    return getattr(types_pb2, "DT_" + name.upper())


def type_name(number):
    return types_pb2.DataType.Name(number)[3:].lower()


def a_shape():
    return [draw.choice([1, 2, 3, 4, 5]) if draw.random() > 0.02 else 0
            for _ in range(draw.choice([0, 1, 1, 2, 2, 2, 3, 4, 4]))]


def like(shape):
    """The shape, or one that broadcasts, or one that does not fit."""
    chance = draw.random()
    if chance < 0.55 or not shape:
        return list(shape)
    return draw.choice([[], shape[:1], shape[1:], shape[:-1], a_shape(),
                        [draw.choice([1, d]) for d in shape]])


def numbers(name, count):
    kind = draw.random()
    if name in ("float", "double", "half", "bfloat16"):
        if kind < 0.4:
            return [draw.uniform(-3, 3) for _ in range(count)]
        if kind < 0.6:
            return [draw.uniform(0, 1) for _ in range(count)]
        if kind < 0.8:
            return [float(draw.randint(-3, 4)) for _ in range(count)]
        return [draw.choice([0.0, -0.0, 1.0, -1.0, 2.5, 1e-30, 1e20, float("inf"), float("-inf"),
                             float("nan")]) for _ in range(count)]
    info = np.iinfo(TYPES[name])
    if kind < 0.7:
        values = [draw.randint(-2 if kind < 0.3 else 0, 4) for _ in range(count)]
    elif kind < 0.9:
        values = sorted(draw.randint(0, 4) for _ in range(count))
    else:
        values = [draw.choice([info.max, info.min, 0, 1, 100]) for _ in range(count)]
    return [min(max(value, info.min), info.max) for value in values]


def array(name, shape):
    count = int(np.prod(shape))
    if name == "string":
        words = [b"", b"a", b"abc", b"1", b"-2.5", b"b,c", b"caf\xc3\xa9", b"x y", b"\xff\x00"]
        return np.array([draw.choice(words) for _ in range(count)], object).reshape(shape)
    if name == "bool":
        return np.array([draw.random() < 0.5 for _ in range(count)], bool).reshape(shape)
    if name.startswith("complex"):
        values = [complex(draw.uniform(-2, 2), draw.uniform(-2, 2)) for _ in range(count)]
    else:
        values = numbers(name, count)
    return np.array(values).astype(TYPES[name]).reshape(shape)


def by_role(argument, name, shape):
    """What an input of that name usually holds, or None."""
    rank = len(shape)
    if name not in ("int32", "int64") or draw.random() > 0.9:
        return None
    axis = draw.randint(-rank, max(rank - 1, 0))
    roles = {
        "axis": axis, "dimension": axis, "concat_dim": axis, "split_dim": axis,
        "reduction_indices": draw.sample(range(rank), draw.randint(0, rank)),
        "paddings": [[draw.randint(0, 2), draw.randint(0, 2)] for _ in range(rank)],
        "multiples": [draw.randint(0, 3) for _ in range(rank)],
        "perm": draw.sample(range(rank), rank),
        "shape": draw.choice([shape, [int(np.prod(shape))], [-1]]),
        "begin": [draw.randint(-2, 2) for _ in range(rank)],
        "end": [draw.randint(-1, 5) for _ in range(rank)],
        "strides": [draw.choice([1, 1, 2, -1]) for _ in range(rank)],
        "size": [draw.choice([1, 2, 3, 5, 7]) for _ in range(2)],
        "segment_ids": sorted(draw.randint(0, 3) for _ in range(shape[0] if shape else 1)),
        "num_segments": draw.choice([1, 3, 5]), "depth": draw.choice([0, 1, 3]),
        "k": draw.choice([0, 1, 2, 3]),
    }
    value = roles.get(argument)
    return None if value is None else np.array(value, TYPES[name])


def an_attribute(node, spec, shape):
    """Sets one attribute; False where nothing can be drawn for it."""
    value = node.attr[spec.name]
    default = spec.default_value if spec.HasField("default_value") else None
    usual = default is not None and draw.random() < 0.5
    if spec.type == "type":
        allowed = [type_name(t) for t in spec.allowed_values.list.type] or USUAL
        allowed = [name for name in allowed if name in TYPES]
        value.type = default.type if usual else enum(draw.choice(allowed or USUAL))
    elif spec.type == "list(type)":
        allowed = [type_name(t) for t in spec.allowed_values.list.type] or USUAL
        value.list.type.extend(enum(draw.choice(allowed)) for _ in range(draw.randint(1, 3)))
    elif spec.type == "int":
        least = spec.minimum if spec.has_minimum else -1
        value.i = default.i if usual else max(least, draw.choice([least, least + 1, 1, 2, 3]))
    elif spec.type == "float":
        value.f = default.f if usual else draw.choice([0, 0.5, 1, -1, 6, 1e-3])
    elif spec.type == "bool":
        value.b = draw.random() < 0.5
    elif spec.type == "string":
        allowed = list(spec.allowed_values.list.s)
        value.s = draw.choice(allowed) if allowed else default.s if default else b""
    elif spec.type == "shape":
        for size in like(shape):
            value.shape.dim.add().size = size
    elif spec.type == "list(int)":
        step = draw.choice([1, 2, 3])
        drawn = [1, step, draw.choice([step, 1]), 1]
        value.list.i.extend(list(default.list.i) if usual else drawn)
        value.list.SetInParent()
    elif spec.type == "list(float)":
        value.list.f.extend(sorted(draw.uniform(-2, 2) for _ in range(3)))
    else:
        return False
    return True


def base_shape(op):
    """Pictures for what has windows, else anything."""
    if any(spec.name in ("data_format", "strides", "ksize", "ksizes") for spec in op.attr):
        spatial = 3 if "3D" in op.name else 2
        return ([draw.choice([1, 2])] + [draw.choice([2, 3, 4, 5, 6]) for _ in range(spatial)] +
                [draw.choice([1, 2, 3, 4])])
    return a_shape()


def an_input(argument, name, shape, is_first):
    if argument.name in ("filter", "filters") and len(shape) > 2:
        sides = [draw.choice([1, 2, 3]) for _ in shape[2:]]
        return array(name, sides + [shape[-1], draw.choice([1, 2, 3])])
    if argument.name in ("bias", "scale", "offset", "mean", "variance") and shape:
        return array(name, shape[-1:])
    value = by_role(argument.name, name, shape)
    return array(name, shape if is_first else like(shape)) if value is None else value


def a_node(op):
    """(GraphDef, feeds), or None."""
    shape = base_shape(op)
    node = node_def_pb2.NodeDef(name="op", op=op.name, device="/device:CPU:0")
    if not all(an_attribute(node, spec, shape) for spec in op.attr):
        return None
    feeds = {}
    for argument in op.input_arg:
        if argument.is_ref:
            return None
        kind = node.attr[argument.type_attr].type if argument.type_attr else argument.type
        kinds = [kind] * (node.attr[argument.number_attr].i if argument.number_attr else 1)
        if argument.type_list_attr:
            kinds = list(node.attr[argument.type_list_attr].list.type)
        for number in kinds[:12]:
            name = type_name(number)
            if name not in TYPES:
                return None
            holder = "x%d" % len(feeds)
            node.input.append(holder)
            feeds[holder] = (name, an_input(argument, name, shape, not feeds))
    graph = tf.GraphDef()
    graph.versions.producer = 134
    for holder, (name, _) in feeds.items():
        graph.node.add(name=holder, op="Placeholder").attr["dtype"].type = enum(name)
    graph.node.add().CopyFrom(node)
    return graph, feeds


def encoded(name, x):
    tensor = {"dtype": name, "shape": list(x.shape)}
    if name == "string":
        tensor["strings"] = [base64.b64encode(text).decode() for text in x.reshape(-1)]
    else:
        tensor["data"] = base64.b64encode(np.ascontiguousarray(x).tobytes()).decode()
    return tensor


def tolerance(names):
    is_short = any(name in ("half", "bfloat16") for name in names)
    return {"abs": 5e-3, "rel": 1e-2} if is_short else {"abs": 1e-6, "rel": 2e-5}


def run(graph_def, feeds, case):
    """Fills the case with what TensorFlow says; False where it has no such kernel."""
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
        outputs = graph.get_operation_by_name("op").outputs
        kinds = [type_name(t.dtype.as_datatype_enum) for t in outputs]
        if not outputs or any(kind not in TYPES for kind in kinds):
            return False
        case["fetches"] = [t.name for t in outputs]
        with tf.Session(graph=graph, config=config) as session:
            try:
                results = session.run(case["fetches"],
                                      {name + ":0": x for name, (_, x) in feeds.items()},
                                      options=tf.RunOptions(timeout_in_ms=4000))
            except (tf.errors.UnimplementedError, tf.errors.NotFoundError,
                    tf.errors.DeadlineExceededError):
                return False
            except tf.errors.OpError as error:
                where = re.sub(r"\[\[node op \(defined.*", "[[{{node op}}]]", error.message,
                               flags=re.S)
                case["error"] = {"code": type(error).__name__.replace("Error", ""),
                                 "message": where[:300]}
                return "No OpKernel" not in where
        case["expect"] = [encoded(kind, np.asarray(x, TYPES[kind]))
                          for kind, x in zip(kinds, results)]
        case["tol"] = tolerance([name for name, _ in feeds.values()] + kinds)
    return True


def record(op, seed, count, path):
    good = errors = 0
    with open(path, "w") as out:
        for i in range(count * ATTEMPTS):
            draw.seed("%s:%s:%d" % (seed, op.name, i))
            try:
                drawn = a_node(op)
                case = {"name": "%s_%d" % (op.name, i)}
                if drawn is None or not run(drawn[0], drawn[1], case):
                    continue
            except (ValueError, IndexError, TypeError):
                continue  # refused before it runs
            if "error" in case and errors == ERRORS:
                continue
            errors += "error" in case
            good += "expect" in case
            case["graph"] = base64.b64encode(drawn[0].SerializeToString()).decode()
            case["feeds"] = {name + ":0": encoded(*feed) for name, feed in drawn[1].items()}
            out.write(json.dumps(case, sort_keys=True) + "\n")
            out.flush()
            if good == count:
                break


def main(folder, seed, count, names):
    folder = os.path.join(folder, "goldens", "ops")
    os.makedirs(folder, exist_ok=True)
    registered = op_def_registry.get_registered_ops()
    for name in names:
        op = registered.get(name)
        if op is None or op.is_stateful:
            continue
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            record(op, seed, int(count), os.path.join(folder, name + ".jsonl"))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(name, "ended by a signal" if status else "recorded", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
