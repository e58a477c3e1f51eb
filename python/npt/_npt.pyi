"""
Samples, estimators, sums and models by name, and work that can be interrupted.
"""

from _typeshed import Incomplete, SupportsGetItem
from os import PathLike
from typing import Any, SupportsFloat, SupportsIndex, final

__all__ = ["Estimator", "Model", "Samples", "Sums", "Work", "describe_kernel", "kernel_diagonal", "kernel_matrix", "kernel_weights", "kernels", "merge_parts", "methods", "pre_images", "precompute", "set_threads", "spaces", "threads"]

@final
class Estimator:
    """
    An estimator by name: a method, a kernel, a space and a way to pre-images.
    """
    def __new__(cls, /, method: str, kernel: str, *, space: str | None = None, pre_image: str | None = None) -> Estimator: ...
    def __str__(self, /) -> str: ...
    def fit(self, /, samples: Samples, targets: Samples | Incomplete | SupportsGetItem[int, str] | None = None, work: Work | None = None, landmarks: Samples | None = None) -> Model:
        """
        Fits the estimator to samples and targets, in the space of the landmarks if these are given, and returns the model.
        """
    def sums(self, /, landmarks: Samples, second: Samples | None = None, work: Work | None = None) -> Sums:
        """
        Returns sums without samples, in the space of the landmarks; a method of two views takes landmarks of each.
        """

@final
class Model:
    """
    A fitted estimator of any kind.
    """
    def __str__(self, /) -> str: ...
    def abilities(self, /) -> list[str]:
        """
        The names of the questions that the model answers.
        """
    def classes(self, /) -> Any:
        """
        The classes, in the order of the columns of probabilities.
        """
    def columns(self, /) -> list[str]:
        """
        The names of the columns that the model takes.
        """
    def decision_function(self, /, samples: Samples, work: Work | None = None) -> Incomplete:
        """
        The values by which the model decides, one row a sample.
        """
    @staticmethod
    def from_bytes(bytes: bytes) -> Model:
        """
        Reads a model from the bytes of a file.
        """
    def inverse_transform(self, /, components: Incomplete, work: Work | None = None) -> Incomplete:
        """
        Inputs that have these components, as nearly as possible.
        """
    def kernel(self, /) -> str:
        """
        The kernel as it is written.
        """
    def learned(self, /) -> dict:
        """
        The values that the fit learned, by name: numbers, arrays, and positions of training samples.
        """
    @staticmethod
    def load(path: str | PathLike[str]) -> Model:
        """
        Loads the model of a file, whichever language saved it.
        """
    def predict(self, /, samples: Samples, work: Work | None = None) -> Any:
        """
        Predicts labels as an array or a list of texts, numbers as a matrix, clusters as integers, or novelty as booleans.
        """
    def predict_probabilities(self, /, samples: Samples, work: Work | None = None) -> Incomplete:
        """
        The probabilities of the classes, one row a sample.
        """
    def predict_with_variance(self, /, samples: Samples, work: Work | None = None) -> tuple[Incomplete, Incomplete]:
        """
        Means and variances, one a sample.
        """
    def reconstruct(self, /, samples: Samples, work: Work | None = None) -> Incomplete:
        """
        The samples without the part that the components do not explain.
        """
    def residuals(self, /, samples: Samples, work: Work | None = None) -> Incomplete:
        """
        The squared distances of the samples from the space, one a sample.
        """
    def save(self, /, path: str | PathLike[str]) -> None:
        """
        Saves the model in a file, and replaces a file that is there.
        """
    def to_bytes(self, /) -> bytes:
        """
        The model as bytes of a file.
        """
    def to_libsvm(self, /) -> str:
        """
        The model as a text of LIBSVM.
        """
    def to_onnx(self, /) -> bytes:
        """
        The model as bytes of ONNX.
        """
    def transform(self, /, samples: Samples, work: Work | None = None) -> Incomplete:
        """
        The components of the samples, one row a sample.
        """
    def transform_second(self, /, samples: Samples, work: Work | None = None) -> Incomplete:
        """
        The components of samples of the second view, one row a sample.
        """

@final
class Samples:
    """
    Samples of one of the types for which there are kernels by name.
    """
    def __len__(self, /) -> int: ...
    @staticmethod
    def dense(matrix: Incomplete, columns: SupportsGetItem[int, str] | None = None) -> Samples:
        """
        Dense vectors, one row a sample. A matrix in C order is used where it is; only a fit copies it.
        """
    @staticmethod
    def dense_single(matrix: Incomplete, columns: SupportsGetItem[int, str] | None = None) -> Samples:
        """
        Dense vectors, which stay in single precision.
        """
    @staticmethod
    def kernel_matrix(matrix: Incomplete) -> Samples:
        """
        The training samples of a kernel matrix.
        """
    @staticmethod
    def kernel_rows(cross: Incomplete, self_values: Incomplete | None = None) -> Samples:
        """
        New samples by their kernel values with the training samples, one row a sample, and with themselves, if these values are known.
        """
    def rows(self, /, rows: Incomplete) -> Samples:
        """
        The samples of these positions.
        """
    @staticmethod
    def sets(sets: SupportsGetItem[int, set[str]]) -> Samples:
        """
        Sets of texts.
        """
    @staticmethod
    def sparse(starts: Incomplete, columns: Incomplete, values: Incomplete, width: SupportsIndex) -> Samples:
        """
        Sparse vectors: a matrix of compressed rows, as in scipy.sparse; `width` is the number of columns.
        """
    @staticmethod
    def texts(texts: SupportsGetItem[int, str]) -> Samples:
        """
        Texts.
        """
    def with_weights(self, /, weights: Incomplete) -> Samples:
        """
        Samples with weights, one a sample.
        """

@final
class Sums:
    """
    A fit whose samples come in parts.
    """
    def add(self, /, samples: Samples, targets: Samples | Incomplete | SupportsGetItem[int, str] | None = None, work: Work | None = None) -> None:
        """
        Adds samples with their targets.
        """
    def count(self, /) -> int:
        """
        The number of samples so far.
        """
    def fingerprint(self, /) -> int:
        """
        The number that sums of one space, method and division into folds have in common.
        """
    def fit(self, /, values: dict[str, bool | SupportsIndex | SupportsFloat | str | SupportsGetItem[int, SupportsFloat | SupportsIndex]] = ..., work: Work | None = None) -> Model:
        """
        Fits the model of all samples so far, with these values of the method's parameters.
        """
    @staticmethod
    def from_bytes(bytes: bytes) -> Sums:
        """
        Reads sums from the bytes of a file.
        """
    def merge(self, /, part: bytes) -> None:
        """
        Adds sums over other samples, as the bytes of a part.
        """
    def part(self, /) -> bytes:
        """
        The sums so far, without the space, as bytes.
        """
    def rank(self, /) -> int:
        """
        The number of coordinates.
        """
    def to_bytes(self, /) -> bytes:
        """
        The sums and their space as bytes of a file.
        """
    def with_folds(self, /, folds: SupportsIndex) -> Sums:
        """
        Returns a copy of the sums that is divided into this number of folds; refused once samples were added.
        """

@final
class Work:
    """
    A piece of work: the time that it may take, the function that is told how far it is, and the iterations that ended early.
    """
    def __new__(cls, /, max_seconds: SupportsFloat | SupportsIndex | None = None, tell: Any | None = None, max_iterations: SupportsIndex | None = None) -> Work:
        """
        Work that is cancelled after `max_seconds`, and whose iterations end with the best that they have after `max_iterations`, if these are
        given. While it goes on, `tell(stage, done, total, measure, value)` is called; where it returns `True`, iterations end, too.
        """
    def iterations(self, /) -> list[tuple[str, int]]:
        """
        The stages that iterated, each with its name and the largest number of iterations of its runs.
        """
    def unfinished(self, /) -> list[tuple[str, int, str, float]]:
        """
        Iterations that ended early: stage, iterations, measure, value.
        """

def describe_kernel(text: str) -> tuple[str, dict, list[tuple[str, Any]]]:
    """
    Describes the kernel of a text, whatever its type of samples: name, parameters, and the kernels that it is made of.
    """

def kernel_diagonal(kernel: str, samples: Samples, work: Work | None = None) -> Incomplete:
    """
    The values of a kernel of each sample with itself.
    """

def kernel_matrix(kernel: str, samples: Samples, others: Samples | None = None, work: Work | None = None) -> Incomplete:
    """
    The values of a kernel between the samples, or between the samples and others, one row a sample.
    """

def kernel_weights(method: str, kernels: SupportsGetItem[int, str], samples: Samples, targets: Samples | Incomplete | SupportsGetItem[int, str], work: Work | None = None) -> Incomplete:
    """
    The weights of kernels in their sum, learned from targets.
    """

def kernels(samples: str) -> list[dict]:
    """
    All kernels on samples of a type: vectors, sparse, texts, sets, graphs, precomputed.
    """

def merge_parts(parts: SupportsGetItem[int, SupportsGetItem[int, SupportsIndex]]) -> bytes:
    """
    Merges the bytes of one or more parts into the bytes of the sums over all their samples.
    """

def methods() -> list[dict]:
    """
    All methods: name, summary and parameters.
    """

def pre_images() -> list[dict]:
    """
    All ways to pre-images: name, summary and parameters.
    """

def precompute(kernel: str, samples: Samples, work: Work | None = None) -> tuple[Samples, str]:
    """
    Returns the samples as rows of their kernel matrix, and the kernel that looks their values up.
    """

def set_threads(threads: SupportsIndex) -> None:
    """
    Sets the number of threads of all work that begins from now on.
    """

def spaces() -> list[dict]:
    """
    All spaces: name, summary and parameters.
    """

def threads() -> int:
    """
    The number of threads of work.
    """
