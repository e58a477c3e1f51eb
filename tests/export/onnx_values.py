"""Evaluates models of ONNX: for each folder in that of the argument, `model.onnx` at the rows of `x`. Prints all outputs as JSON."""

import json
import pathlib
import sys

import numpy as np
import onnxruntime

try:
    import onnx
except ImportError:
    onnx = None

values = {}
for folder in pathlib.Path(sys.argv[1]).iterdir():
    path = str(folder / "model.onnx")
    if onnx is not None:
        onnx.checker.check_model(path, full_check=True)
    columns, *numbers = np.fromfile(folder / "x")
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    outputs = session.run(names, {"x": np.array(numbers).reshape(-1, int(columns))})
    values[folder.name] = {name: output.tolist() for name, output in zip(names, outputs)}
json.dump(values, sys.stdout)
