#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Learns from TensorFlow 1.15.5 what an op's inputs and attributes say of the shapes of its outputs:
#   output_shapes.py SEED CASES OP... > resources/ops/output_shapes.tsv
# Each op is drawn as in shapes_by_chance.py; of an output the simplest statement is printed that
# equals what TensorFlow inferred each time, and a size is left out (?) where none does. A row is the
# op and a statement for each output argument (for each tensor of a list):
#   ?              nothing is known          =x  the shape of input x    =x|y  what both have in common
#   =:a            the attribute a           []  a scalar                [?,3]  sizes
# where a size is a number, ?, x.0 (of input x), x.0|y.1 (known by either), :a (an attribute) or $x
# (the value of a scalar input).
import itertools
import os
import sys

import tensorflow as tf
from tensorflow.python.framework import op_def_registry, tensor_util

import shapes_by_chance as chance

FEWEST = 6      # cases from which something is learned
KNOWN = 3       # of them those in which TensorFlow knew the size or the rank
HOPELESS = 150  # attempts after which an op that takes none is left out


class Case:
    """What is known of a node that TensorFlow accepted; sizes are -1 where unknown."""

    def __init__(self, op, graph_def):
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(graph_def, name="")
            node = graph.get_operation_by_name("op")
            inputs = by_argument(node.node_def, op.input_arg, node.inputs)
            outputs = by_argument(node.node_def, op.output_arg, node.outputs)
            names = single_inputs(op)
            self.inputs = {name: chance.shape_of(inputs[name][0]) for name in names}
            self.values = {name: scalar(inputs[name][0]) for name in names}
            self.outputs = {name: [chance.shape_of(tensor) for tensor in tensors]
                            for name, tensors in outputs.items()}
            self.numbers = {}
            self.shapes = {}
            for spec in op.attr:
                if spec.type == "int":
                    self.numbers[spec.name] = node.get_attr(spec.name)
                if spec.type == "shape":
                    shape = tf.TensorShape(node.get_attr(spec.name))
                    self.shapes[spec.name] = None if shape.ndims is None else [
                        -1 if size is None else size for size in shape.as_list()]


def by_argument(node, arguments, tensors):
    """The tensors of each argument, of which a list has several."""
    rest = list(tensors)
    return {argument.name: [rest.pop(0) for _ in chance.types_of(node, argument)]
            for argument in arguments}


def single_inputs(op):
    return [argument.name for argument in op.input_arg
            if not argument.number_attr and not argument.type_list_attr]


def scalar(tensor):
    if tensor.dtype.base_dtype not in (tf.int32, tf.int64):
        return -1
    value = tensor_util.constant_value(tensor)
    return int(value) if value is not None and value.ndim == 0 and value >= 0 else -1


def size(case, name, axis):
    shape = case.inputs[name]
    return shape[axis] if shape is not None and axis < len(shape) else -1


def either(a, b):
    return a if a >= 0 else b


def merged(a, b):
    if a is None or b is None:
        return b if a is None else a
    return [either(x, y) for x, y in zip(a, b)] if len(a) == len(b) else a


def sizes(op):
    """(text, function of a case), the simplest first."""
    names = single_inputs(op)
    places = [(name, axis) for axis in range(4) for name in names]
    for name, axis in places:
        yield "%s.%d" % (name, axis), lambda case, n=name, a=axis: size(case, n, a)
    for spec in op.attr:
        if spec.type == "int":
            yield ":" + spec.name, lambda case, n=spec.name: case.numbers[n]
    for name in names:
        yield "$" + name, lambda case, n=name: case.values[n]
    for (n, a), (m, b) in itertools.combinations(places, 2):
        yield ("%s.%d|%s.%d" % (n, a, m, b),
               lambda case, n=n, a=a, m=m, b=b: either(size(case, n, a), size(case, m, b)))


def learned_size(op, samples, axis):
    found = [shape[axis] for _, shape in samples]
    if all(each == -1 for each in found):
        return "?"
    if found[0] >= 0 and len(set(found)) == 1:
        return str(found[0])
    if sum(each >= 0 for each in found) < KNOWN:
        return "?"
    for text, function in sizes(op):
        if [function(case) for case, _ in samples] == found:
            return text
    return "?"


def learned_shape(op, samples):
    """What is said of an output, of which there are pairs of a case and its shape."""
    cases = [case for case, _ in samples]
    found = [shape for _, shape in samples]
    ranks = {None if shape is None else len(shape) for shape in found}
    names = single_inputs(op)
    if ranks == {0}:
        return "[]"
    if sum(shape is not None for shape in found) < KNOWN:
        return "?"
    for name in names:
        if [case.inputs[name] for case in cases] == found:
            return "=" + name
    for spec in op.attr:
        if spec.type == "shape" and [case.shapes[spec.name] for case in cases] == found:
            return "=:" + spec.name
    for a, b in itertools.combinations(names, 2):
        if [merged(case.inputs[a], case.inputs[b]) for case in cases] == found:
            return "=%s|%s" % (a, b)
    if len(ranks) != 1 or None in ranks:
        return "?"
    return "[%s]" % ",".join(learned_size(op, samples, axis) for axis in range(ranks.pop()))


def drawn(op, seed, count):
    cases = []
    for i in range(count * chance.ATTEMPTS):
        chance.draw.seed("%s:%s:%d" % (seed, op.name, i))
        try:
            graph = chance.a_graph(op)
            if graph is not None:
                cases.append(Case(op, graph))
        except (ValueError, IndexError, TypeError, tf.errors.OpError):
            continue
        if len(cases) == count or (i > HOPELESS and not cases):
            break
    return cases


def learn(op, seed, count):
    if not op.output_arg:
        return
    cases = drawn(op, seed, count)
    if len(cases) < FEWEST:
        print("%s: %d cases" % (op.name, len(cases)), file=sys.stderr)
        return
    shapes = [learned_shape(op, [(case, shape) for case in cases
                                 for shape in case.outputs[argument.name]])
              for argument in op.output_arg]
    if set(shapes) != {"?"}:
        print("\t".join([op.name] + shapes), flush=True)


def main(seed, count, names):
    registered = op_def_registry.get_registered_ops()
    for name in names:
        if name not in registered:
            continue
        child = os.fork()
        if child == 0:
            chance.signal.alarm(chance.SECONDS)
            learn(registered[name], seed, int(count))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            print(name, "ended by a signal", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
