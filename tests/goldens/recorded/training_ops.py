# SPDX-License-Identifier: Apache-2.0
# Cases of record.py: steps of training and gradients of layers.
import numpy as np
import tensorflow as tf

R = tf.raw_ops
BYTES_OF_AN_OP = 1800  # of the choice in the repository

# Variables beside the one that is trained, and numbers in the order of the op's inputs, where
# "grad" and "indices" stand where they do.
STEPS = {
    "Adadelta": (2, ["lr", "rho", "epsilon", "grad"]),
    "Adagrad": (1, ["lr", "grad"]),
    "AdagradV2": (1, ["lr", "epsilon", "grad"]),
    "AdagradDA": (2, ["grad", "lr", "l1", "l2", "global_step"]),
    "ProximalAdagrad": (1, ["lr", "l1", "l2", "grad"]),
    "ProximalGradientDescent": (0, ["alpha", "l1", "l2", "delta"]),
    "Ftrl": (2, ["grad", "lr", "l1", "l2", "lr_power"]),
    "FtrlV2": (2, ["grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power"]),
    "RMSProp": (2, ["lr", "rho", "momentum", "epsilon", "grad"]),
    "CenteredRMSProp": (3, ["lr", "rho", "momentum", "epsilon", "grad"]),
    "AdaMax": (2, ["beta1_power", "lr", "beta1", "beta2", "epsilon", "grad"]),
    "AddSign": (1, ["lr", "alpha", "sign_decay", "beta", "grad"]),
    "PowerSign": (1, ["lr", "logbase", "sign_decay", "beta", "grad"]),
    "AdamWithAmsgrad": (3, ["beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon",
                            "grad"]),
    "Momentum": (1, ["lr", "grad", "momentum"]),
    "KerasMomentum": (1, ["lr", "grad", "momentum"]),
}
NUMBERS = {"lr": 0.3, "alpha": 0.4, "rho": 0.8, "epsilon": 0.01, "l1": 0.05, "l2": 0.2,
           "l2_shrinkage": 0.1, "momentum": 0.7, "beta1_power": 0.9, "beta2_power": 0.95,
           "beta1": 0.9, "beta2": 0.99, "sign_decay": 0.9, "beta": 0.8, "logbase": 1.2}
NOT_HALF = ("AdagradDA", "ProximalAdagrad", "ProximalGradientDescent")


def variable(x, value, is_resource):
    shape = value.shape
    if is_resource:
        handle = R.VarHandleOp(dtype=x.dtype, shape=shape, shared_name="v%d" % id(value))
        return handle, R.AssignVariableOp(resource=handle, value=x)
    ref = R.VariableV2(shape=shape, dtype=x.dtype, shared_name="v%d" % id(value))
    return ref, R.Assign(ref=ref, value=x).op


def training(op):
    is_resource = op.startswith("Resource")
    is_sparse = "Sparse" in op
    rule = op.replace("Resource", "").replace("Sparse", "").replace("Apply", "")
    slots, names = STEPS[rule]
    function = getattr(R, op)

    def cases(r):
        from tensorflow.python.framework import op_def_registry
        spec = op_def_registry.get_registered_ops()[op]
        inputs = [a.name for a in spec.input_arg]
        attrs = [a.name for a in spec.attr]
        for i in range(6):
            kinds = [np.float32, np.float64, np.float16]
            dtype = kinds[i % (2 if rule in NOT_HALF else 3)]
            shape = [[3], [2, 2], [4, 1, 2]][i // 2]
            rows = r.randint(0, shape[0] + (i == 5), size=3).astype([np.int32, np.int64][i % 2])
            values = []
            for name in inputs:
                k = len(values)
                if k <= slots:
                    value = np.abs(r.randn(*shape)) + 0.1 if k else r.randn(*shape)
                elif name in ("grad", "delta"):
                    value = r.randn(*([3] + shape[1:] if is_sparse else shape))
                elif name == "indices":
                    value = rows
                elif name == "global_step":
                    value = np.int64(3)
                elif name == "lr_power":
                    value = np.array([-0.5, -0.7][i % 2])
                else:
                    value = np.array(NUMBERS[name] * (0 if name == "l1" and i % 2 else 1))
                values.append(value if value.dtype.kind == "i" else value.astype(dtype))
            more = {}
            if "update_slots" in attrs:
                more["update_slots"] = i != 4
            if "use_nesterov" in attrs:
                more["use_nesterov"] = bool(i % 2)

            def call(*x, values=values, more=more):
                made = [variable(x[k], values[k], is_resource) for k in range(slots + 1)]
                with tf.control_dependencies([m[1] for m in made]):
                    given = [m[0] for m in made] + list(x[slots + 1:])
                    step = function(**dict(zip(inputs, given), **more))
                with tf.control_dependencies([step if is_resource else step.op]):
                    return [R.ReadVariableOp(resource=m[0], dtype=x[0].dtype) if is_resource
                            else R.Identity(input=m[0]) for m in made]
            yield call, values
    return cases


def training_names():
    registry = tf.raw_ops
    for rule in STEPS:
        for form in ("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply"):
            name = form + rule
            if hasattr(registry, name) and name not in (
                    "ApplyMomentum", "ResourceApplyMomentum", "ResourceApplyKerasMomentum"):
                yield name


def numbers(r, shape, dtype=np.float32):
    if np.dtype(dtype).kind in "iu":
        return np.array(r.randint(0, 9, size=shape), dtype)
    return np.array(r.randn(*shape), dtype)


def mirror_grad(r):
    for i in range(10):
        mode = ["REFLECT", "SYMMETRIC"][i % 2]
        dtype = [np.float32, np.int32, np.float64][i % 3]
        size = [int(s) for s in r.randint(2, 5, size=1 + i % 3)]
        pads = np.array([[r.randint(0, s + 1 - (i % 2 == 0)) for _ in range(2)] for s in size],
                        [np.int32, np.int64][i % 2])
        if i == 9:
            pads = pads + 3
        yield (lambda x, p, m=mode: R.MirrorPadGrad(input=x, paddings=p, mode=m)), \
            [numbers(r, [s + int(p.sum()) for s, p in zip(size, pads)] if i < 9 else size, dtype),
             pads]


def fake_quant(name, channels, ranges):
    def cases(r):
        for i in range(6):
            shape = [[5], [2, 3], [1, 2, 2, 3], [7]][i % 4]
            x, back = 4 * numbers(r, shape), numbers(r, shape)
            width = [shape[-1]] if channels else []
            low, high = -np.abs(numbers(r, width)), np.abs(numbers(r, width)) * (i != 5)
            if i == 5:
                low = low * np.float32(0)
            bits, narrow = [8, 4][i % 2], bool(i % 3 == 0)
            if ranges:
                yield (lambda a, b, c, d, n=bits, m=narrow: getattr(R, name)(
                    gradients=a, inputs=b, min=c, max=d, num_bits=n, narrow_range=m)), \
                    [back, x, np.array(low, np.float32), np.array(high, np.float32)]
            else:
                yield (lambda a, b, n=bits, m=narrow: getattr(R, name)(
                    gradients=a, inputs=b, min=-1.5, max=2, num_bits=n, narrow_range=m)), [back, x]
    return cases


def patches(r):
    for i in range(6):
        dtype = [np.float32, np.int32, np.uint8][i % 3]
        size = [int(s) for s in r.randint(2, 4, size=3)]
        k = [int(s) for s in r.randint(1, 3, size=3)]
        s = [int(s) for s in r.randint(1, 3, size=3)]
        yield (lambda x, k=k, s=s, p=["SAME", "VALID"][i % 2]: R.ExtractVolumePatches(
            input=x, ksizes=[1] + k + [1], strides=[1] + s + [1], padding=p)), \
            [numbers(r, [1] + size + [2], dtype)]


def glimpse(r):
    for i in range(10):
        size = np.array(r.randint(1, 4, size=2), np.int32)
        inside = i < 4
        scale = 0.2 if i % 2 == 0 else 1.5
        yield (lambda x, s, o, n=i % 2 == 0, c=i // 2 % 2 == 0, z=inside: R.ExtractGlimpse(
            input=x, size=s, offsets=o, normalized=n, centered=c, uniform_noise=False,
            noise="zero")), \
            [numbers(r, [2, 5, 6, 1]), size, np.array(r.randn(2, 2) * scale, np.float32)]


def depthwise(name):
    def cases(r):
        for i in range(8):
            dtype = [np.float32, np.float64, np.float16][i % 3]
            padding = ["SAME", "VALID"][i % 2]
            stride = int(r.randint(1, 3))
            k = [int(s) for s in r.randint(1, 4, size=2)]
            size = [int(s) for s in r.randint(3, 5, size=2)]
            a, m = int(r.randint(1, 3)), int(r.randint(1, 3))
            out = [-(-s // stride) if padding == "SAME" else -(-(s - t + 1) // stride)
                   for s, t in zip(size, k)]
            x, f = numbers(r, [2] + size + [a], dtype), numbers(r, k + [a, m], dtype)
            g = numbers(r, [2] + out + [a * m], dtype)
            if name.endswith("Input"):
                yield (lambda s, f, g, st=stride, p=padding: R.DepthwiseConv2dNativeBackpropInput(
                    input_sizes=s, filter=f, out_backprop=g, strides=[1, st, st, 1], padding=p)), \
                    [np.array(x.shape, np.int32), f, g]
            else:
                yield (lambda x, s, g, st=stride, p=padding: R.DepthwiseConv2dNativeBackpropFilter(
                    input=x, filter_sizes=s, out_backprop=g, strides=[1, st, st, 1], padding=p)), \
                    [x, np.array(f.shape, np.int32), g]
    return cases


def conv3d_filter(r):
    for i in range(8):
        dtype = [np.float32, np.float64, np.float16][i % 3]
        padding = ["SAME", "VALID"][i % 2]
        stride = [int(s) for s in r.randint(1, 3, size=3)]
        k = [int(s) for s in r.randint(1, 3, size=3)]
        size = [int(s) for s in r.randint(2, 4, size=3)]
        a, b = int(r.randint(1, 3)), int(r.randint(1, 3))
        out = [-(-s // t) if padding == "SAME" else -(-(s - q + 1) // t)
               for s, q, t in zip(size, k, stride)]
        yield (lambda x, s, g, st=stride, p=padding: R.Conv3DBackpropFilterV2(
            input=x, filter_sizes=s, out_backprop=g, strides=[1] + st + [1], padding=p)), \
            [numbers(r, [2] + size + [a], dtype), np.array(k + [a, b], np.int32),
             numbers(r, [2] + out + [b], dtype)]


def resize_grad(bilinear):
    def cases(r):
        for i in range(10):
            size, back = r.randint(1, 5, size=2), r.randint(1, 6, size=2)
            more = [{}, {"align_corners": True}, {"half_pixel_centers": True}][i % 3]
            if bilinear:
                dtype = [np.float32, np.float64][i % 2]
                yield (lambda g, x, m=more: R.ResizeBilinearGrad(grads=g, original_image=x, **m)), \
                    [numbers(r, [2] + list(back) + [2]), numbers(r, [2] + list(size) + [2], dtype)]
            else:
                dtype = [np.float32, np.float64, np.int32, np.float16][i % 4]
                yield (lambda g, s, m=more: R.ResizeNearestNeighborGrad(grads=g, size=s, **m)), \
                    [numbers(r, [2] + list(back) + [2], dtype), np.array(size, np.int32)]
    return cases


def pool3d(name):
    def cases(r):
        for i in range(6):
            padding = ["SAME", "VALID"][i % 2]
            stride = [int(s) for s in r.randint(1, 3, size=3)]
            k = [int(s) for s in r.randint(1, 3, size=3)]
            size = [int(s) for s in r.randint(2, 5, size=3)]
            out = [-(-s // t) if padding == "SAME" else -(-(s - q + 1) // t)
                   for s, q, t in zip(size, k, stride)]
            attrs = dict(ksize=[1] + k + [1], strides=[1] + stride + [1], padding=padding)
            x, g = numbers(r, [1] + size + [2]), numbers(r, [1] + out + [2])
            if name == "AvgPool3DGrad":
                yield (lambda s, g, a=attrs: R.AvgPool3DGrad(orig_input_shape=s, grad=g, **a)), \
                    [np.array(x.shape, np.int32), g]
            else:
                x = np.round(x)

                def max_grad(x, g, a=attrs):
                    y = R.MaxPool3D(input=x, **a)
                    return R.MaxPool3DGrad(orig_input=x, orig_output=y, grad=g, **a)
                yield max_grad, [x, g]
    return cases


def lrn_grad(r):
    for i in range(5):
        shape = [1, 1, 2, 6]
        yield (lambda g, x, y, n=int(r.randint(0, 4)), b=[0.5, 1.0, 0.75][i % 3]: R.LRNGrad(
            input_grads=g, input_image=x, output_image=y, depth_radius=n, bias=1.5, alpha=0.3,
            beta=b)), [numbers(r, shape) for _ in range(3)]


def dilation_grad(name):
    def cases(r):
        for i in range(6):
            dtype = [np.float32, np.float64, np.int32][i % 3]
            padding, stride, rate = ["SAME", "VALID"][i % 2], 1 + i % 2, 1 + i % 3 // 2
            size, k = [int(s) for s in r.randint(4, 6, size=2)], [int(s) for s in
                                                                 r.randint(1, 3, size=2)]
            reach = [(q - 1) * rate + 1 for q in k]
            out = [-(-s // stride) if padding == "SAME" else -(-(s - q + 1) // stride)
                   for s, q in zip(size, reach)]
            yield (lambda x, f, g, s=stride, q=rate, p=padding: getattr(R, name)(
                input=x, filter=f, out_backprop=g, strides=[1, s, s, 1], rates=[1, q, q, 1],
                padding=p)), [numbers(r, [1] + size + [2], dtype), numbers(r, k + [2], dtype),
                              numbers(r, [1] + out + [2], dtype)]
    return cases


def strided_update(r):
    for i in range(6):
        x = numbers(r, [3, 4], [np.float32, np.int64][i % 2])
        begin, end, step = np.array([0, 1], np.int32), np.array([3, 4], np.int32), \
            np.array([[1, 2], [2, 1], [1, 1]][i % 3], np.int32)
        part = x[0:3:step[0], 1:4:step[1]]
        yield (lambda x, b, e, s, v: R.TensorStridedSliceUpdate(
            input=x, begin=b, end=e, strides=s, value=v)), [x, begin, end, step, part * 2]


def strided_assign(r):
    for i in range(6):
        x = numbers(r, [3, 4], [np.float32, np.int64][i % 2])
        part = x[2:0:-1, 1]
        if i == 5:
            part = part[:1]

        def call(x, b, e, s, v, value=x, is_resource=i % 3 == 0):
            made = variable(x, value, is_resource)
            with tf.control_dependencies([made[1]]):
                if is_resource:
                    step = R.ResourceStridedSliceAssign(ref=made[0], begin=b, end=e, strides=s,
                                                        value=v, shrink_axis_mask=2)
                    with tf.control_dependencies([step]):
                        return R.ReadVariableOp(resource=made[0], dtype=x.dtype)
                return R.StridedSliceAssign(ref=made[0], begin=b, end=e, strides=s, value=v,
                                            shrink_axis_mask=2)
        yield call, [x, np.array([2, 1], np.int32), np.array([0, 2], np.int32),
                     np.array([-1, 1], np.int32), part]


OPS = {name: training(name) for name in training_names()}
# The same functions as the forms of resources; not in the repository.
LEFT_OUT = [name for name in OPS if name.startswith(("Apply", "SparseApply"))]
OPS.update({
    "MirrorPadGrad": mirror_grad, "ExtractVolumePatches": patches, "ExtractGlimpse": glimpse,
    "FakeQuantWithMinMaxArgsGradient": fake_quant("FakeQuantWithMinMaxArgsGradient", False, False),
    "FakeQuantWithMinMaxVarsGradient": fake_quant("FakeQuantWithMinMaxVarsGradient", False, True),
    "FakeQuantWithMinMaxVarsPerChannelGradient": fake_quant(
        "FakeQuantWithMinMaxVarsPerChannelGradient", True, True),
    "DepthwiseConv2dNativeBackpropInput": depthwise("DepthwiseConv2dNativeBackpropInput"),
    "DepthwiseConv2dNativeBackpropFilter": depthwise("DepthwiseConv2dNativeBackpropFilter"),
    "Conv3DBackpropFilterV2": conv3d_filter, "ResizeBilinearGrad": resize_grad(True),
    "ResizeNearestNeighborGrad": resize_grad(False), "MaxPool3DGrad": pool3d("MaxPool3DGrad"),
    "AvgPool3DGrad": pool3d("AvgPool3DGrad"), "LRNGrad": lrn_grad,
    "Dilation2DBackpropInput": dilation_grad("Dilation2DBackpropInput"),
    "Dilation2DBackpropFilter": dilation_grad("Dilation2DBackpropFilter"),
    "TensorStridedSliceUpdate": strided_update, "StridedSliceAssign": strided_assign})
