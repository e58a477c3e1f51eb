"""scikit-learn's own tests, run against the classes here by import swap.

    python python/benches/swapped.py [table.md]

The test files of the installed scikit-learn are copied into a folder that is deleted afterwards, in which the names of its classes mean
those of ``npt.sklearn``. Tests that use none of them are left out. It prints a table of what passed, and the first line of what each other
test said.
"""

import ast
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import sklearn

# The test files, the module in which each has its classes, and the classes.
FILES = {
    "svm/tests/test_svm.py": ("sklearn.svm", ["SVC", "SVR", "NuSVC", "NuSVR", "OneClassSVM"]),
    "decomposition/tests/test_kernel_pca.py": ("sklearn.decomposition", ["KernelPCA"]),
    "gaussian_process/tests/test_gpr.py": ("sklearn.gaussian_process", ["GaussianProcessRegressor"]),
    "tests/test_kernel_ridge.py": ("sklearn.kernel_ridge", ["KernelRidge"]),
    "tests/test_kernel_approximation.py": ("sklearn.kernel_approximation", ["Nystroem", "RBFSampler", "PolynomialCountSketch"]),
}

# What scikit-learn's own configuration gives its tests.
FIXTURES = """import numpy as np
import pytest

@pytest.fixture
def global_random_seed():
    return 42

@pytest.fixture
def global_dtype():
    return np.float64

"""


def of_classes(source, classes):
    """The names of the tests that use one of the classes."""
    tree = ast.parse(source)
    word = re.compile(r"\b(" + "|".join(classes) + r")\b")
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return [node.name for node in functions if word.search(ast.get_source_segment(source, node))
            or any(word.search(ast.get_source_segment(source, decorator)) for decorator in node.decorator_list)]


def run(path, module, classes):
    """The results of one file: a pair of the test's name and what it said, ``None`` of one that passed."""
    source = (Path(sklearn.__file__).parent / path).read_text()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        swap = "\n".join(f"module.{name} = ours.{name}" for name in classes)
        (folder / "conftest.py").write_text(f"{FIXTURES}import {module} as module\nimport npt.sklearn as ours\n{swap}\n")
        (folder / "test_swapped.py").write_text(source)
        names = [f"{folder / 'test_swapped.py'}::{name}" for name in of_classes(source, classes)]
        report = folder / "report.xml"
        options = ["-q", "-p", "no:cacheprovider", f"--junitxml={report}", "-W", "ignore"]
        subprocess.run([sys.executable, "-m", "pytest", *options, *names], cwd=folder, capture_output=True, timeout=900, check=False)
        results = []
        for case in ElementTree.parse(report).iter("testcase"):
            fault = case.find("failure") if case.find("failure") is not None else case.find("error")
            if case.find("skipped") is None:
                said = None if fault is None else fault.get("message", "").strip().splitlines()
                results.append((case.get("name"), None if said is None else (said or ["no message"])[0][:160]))
        return results


def main():
    lines = [
        "# scikit-learn's own tests on these classes",
        "",
        "For whoever asks how alike the Python classes are to scikit-learn's: its tests of version",
        f"{sklearn.__version__}, run on ours.",
        "",
        "| file | passed | of |",
        "|---|---|---|",
    ]
    failed = []
    for path, (module, classes) in FILES.items():
        results = run(path, module, classes)
        passed = sum(said is None for _, said in results)
        lines.append(f"| `{path}` | {passed} | {len(results)} |")
        failed += [(path, name, said) for name, said in results if said is not None]
    lines += ["", "| test | what it said |", "|---|---|"]
    lines += [f"| `{name}` | {said.replace('|', chr(92) + '|')} |" for _, name, said in failed]
    text = "\n".join(lines) + "\n"
    print(text)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text)


if __name__ == "__main__":
    main()
