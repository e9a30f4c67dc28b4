# SPDX-License-Identifier: Apache-2.0
"""Asks TensorFlow 1.15.5 which ranks each input of an op may have: record_ranks.py > input_ranks.tsv

Every registered op is asked for. For each input argument alone, with all other inputs of
unknown rank, the importer is asked for ranks 0 to 6; a rank counts as allowed where any of several
values of the other attributes allows it. Prints, for each op that forbids one, a mask for each
argument: bit r is set where rank r is allowed, bit 7 for more than 6 dimensions.
"""
import itertools
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import tensorflow as tf
from tensorflow.core.framework import op_def_pb2
from tensorflow.python import pywrap_tensorflow as c_api
from tensorflow.python.framework import c_api_util, errors

RANKS = [0, 1, 2, 3, 4, 5, 6, 8]


def imports(graph_def):
    graph = c_api_util.ScopedTFGraph()
    with c_api_util.tf_buffer(graph_def.SerializeToString()) as buffer:
        options = c_api_util.ScopedTFImportGraphDefOptions()
        try:
            c_api.TF_GraphImportGraphDefWithResults(graph.graph, buffer, options.options)
        except errors.OpError:
            return False
    return True


def variants(attr):
    """Values worth trying for one attribute, the likeliest first."""
    kind, allowed = attr.type, attr.allowed_values.list
    if kind == "type":
        return [{"type": t} for t in (list(allowed.type) or [1])[:3]]
    if kind == "string":
        return [{"s": s} for s in (list(allowed.s) or [attr.default_value.s, b"a"])[:3]]
    if kind == "int":
        low = attr.minimum if attr.has_minimum else 0
        return [{"i": i} for i in sorted({max(low, 1), max(low, 0), low + 1, low + 2, 3})]
    if kind == "float":
        return [{"f": 0.5}]
    if kind == "bool":
        return [{"b": False}, {"b": True}]
    if kind == "shape":
        return ["unknown", [], [2], [2, 3], [2, 3, 4]]
    if kind == "tensor":
        return [{"tensor": tf.compat.v1.make_tensor_proto(1.0)}]
    if kind == "func":
        return ["func"]
    if kind.startswith("list("):
        low = max(attr.minimum if attr.has_minimum else 1, 1)
        return [(kind[5:-1], n, attr) for n in (low, low + 1, 4, 5)]
    return []


def put(value, variant):
    value.Clear()
    if variant == "unknown":
        value.shape.unknown_rank = True
    elif variant == "func":
        value.func.name = "f"
    elif isinstance(variant, list):
        value.shape.SetInParent()
        for size in variant:
            value.shape.dim.add(size=size)
    elif isinstance(variant, tuple):
        kind, count, attr = variant
        allowed = attr.allowed_values.list
        value.list.SetInParent()
        for _ in range(count):
            if kind == "type":
                value.list.type.append((list(allowed.type) or [1])[0])
            elif kind == "string":
                value.list.s.append((list(allowed.s) or [b"a"])[0])
            elif kind == "shape":
                value.list.shape.add().unknown_rank = True
            elif kind == "func":
                value.list.func.add().name = "f"
            elif kind in ("int", "float", "bool"):
                getattr(value.list, {"int": "i", "float": "f", "bool": "b"}[kind]).append(1)
    else:
        for field, content in variant.items():
            if field == "tensor":
                value.tensor.CopyFrom(content)
            else:
                setattr(value, field, content)


def settings(op):
    """Several ways to set the attributes: the first of each, then each other one alone."""
    choices = [(a, variants(a)) for a in op.attr]
    base = {a.name: v[0] for a, v in choices if v and not a.HasField("default_value")}
    yield base
    for attr, values in choices:
        for value in values:
            if base.get(attr.name) != value:
                yield dict(base, **{attr.name: value})


def count_of(op, arg, node):
    if arg.number_attr:
        return node.attr[arg.number_attr].i
    if arg.type_list_attr:
        return len(node.attr[arg.type_list_attr].list.type)
    return 1


def graph_of(op, setting, which, rank):
    graph = tf.compat.v1.GraphDef()
    graph.versions.producer = max(1, op.deprecation.version - 1) if op.HasField("deprecation") else 134
    node = tf.compat.v1.NodeDef(name="n", op=op.name)
    for attr in op.attr:
        if attr.name in setting:
            put(node.attr[attr.name], setting[attr.name])
        elif attr.HasField("default_value"):
            node.attr[attr.name].CopyFrom(attr.default_value)
    for a, arg in enumerate(op.input_arg):
        for k in range(count_of(op, arg, node)):
            dtype = arg.type
            if arg.type_attr:
                dtype = node.attr[arg.type_attr].type
            elif arg.type_list_attr:
                dtype = node.attr[arg.type_list_attr].list.type[k]
            source = graph.node.add(name="x%d_%d" % (a, k))
            source.op = "VariableV2" if arg.is_ref else "Placeholder"
            source.attr["dtype"].type = dtype
            shape = source.attr["shape"].shape
            if a == which and rank is not None:
                shape.SetInParent()
                for _ in range(rank):
                    shape.dim.add(size=-1)
            else:
                shape.unknown_rank = True
            node.input.append(source.name)
    graph.node.add().CopyFrom(node)
    return graph


def is_taken(op, which, rank):
    """Whether any setting that imports with unknown ranks imports with this one too."""
    return any(imports(graph_of(op, setting, None, None)) and imports(graph_of(op, setting, which, rank))
               for setting in itertools.islice(settings(op), 24))


def mask_of(op, which):
    mask = 0
    for setting in itertools.islice(settings(op), 24):
        if not imports(graph_of(op, setting, None, None)):
            continue
        for bit, rank in enumerate(RANKS):
            if not mask >> bit & 1 and imports(graph_of(op, setting, which, rank)):
                mask |= 1 << bit
        if mask == 255:
            break
    return mask or 255


def in_child(function):
    """The byte that `function` returns, or None where it kills its process."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(write, bytes([function()]))
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return answer[0] if answer else None


def safe_mask_of(op, which):
    """As mask_of(); a rank that kills the importer is one that it does not take."""
    mask = in_child(lambda: mask_of(op, which))
    if mask is None:
        bits = [in_child(lambda: is_taken(op, which, rank)) or 0 for rank in RANKS]
        mask = sum(bit << i for i, bit in enumerate(bits)) or 255
    return mask


def main():
    with c_api_util.tf_buffer() as buffer:
        pass
    every = op_def_pb2.OpList()
    data = c_api.TF_GetAllOpList()
    every.ParseFromString(c_api.TF_GetBuffer(data))
    for op in sorted(every.op, key=lambda op: op.name):
        text = ".".join("%02x" % safe_mask_of(op, i) for i in range(len(op.input_arg)))
        if text.strip("f."):
            print(op.name + "\t" + text, flush=True)


main()
