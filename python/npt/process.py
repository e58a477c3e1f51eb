"""Gaussian process regression."""

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular
from sklearn.base import RegressorMixin, clone
from sklearn.gaussian_process import kernels as gp
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .base import KernelEstimator, seed_of, written
from .kernels import Kernel, as_kernel
from .targets import as_numbers

__all__ = ["GaussianProcessRegressor"]


class GaussianProcessRegressor(RegressorMixin, KernelEstimator):
    """Gaussian process regression: means with standard deviations.

    Parameters
    ----------
    kernel : sklearn.gaussian_process.kernels.Kernel, str, npt.Kernel or None, default=None
        A kernel of scikit-learn's, whose ``WhiteKernel`` is noise, or one of the catalogue. ``None`` is 1.0 * RBF(1.0), which is not
        optimized.
    alpha : float, default=1e-10
        The variance of the noise; beside a ``WhiteKernel`` it is added to that. Of a kernel of the catalogue it is optimized, too.
    optimizer : "fmin_l_bfgs_b" or None, default="fmin_l_bfgs_b"
        Whether the kernel's parameters are those of the largest marginal likelihood, which L-BFGS finds, or those that are given. Bounds
        that are not "fixed" are those of npt.
    n_restarts_optimizer : int, default=0
        The number of searches from random parameters, besides the one from those that are given.
    normalize_y : bool, default=False
        Whether targets are divided by their standard deviation, after their mean is taken away.
    copy_X_train
        Taken as scikit-learn has it, and without effect.
    random_state : int, RandomState or None, default=None
        The seed of the restarts; ``None`` is 0.
    max_seconds : float or None, default=None
        The time after which a fit ends with ``TimeoutError``.

    Attributes
    ----------
    kernel_ : kernel
        With the parameters that were found, of the type of ``kernel``.
    noise_ : float
        The variance of the noise that was found.
    log_marginal_likelihood_value_ : float
    X_train_, y_train_ : ndarray
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.gaussian_process.kernels import RBF, WhiteKernel
    >>> from npt import GaussianProcessRegressor
    >>> x = np.linspace(0, 6, 30).reshape(-1, 1)
    >>> y = np.sin(x[:, 0]) + 0.1 * np.sin(50 * x[:, 0])
    >>> process = GaussianProcessRegressor(1.0 * RBF(1.0) + WhiteKernel(0.1)).fit(x, y)
    >>> mean, deviation = process.predict([[3.0]], return_std=True)
    >>> bool(abs(mean[0] - np.sin(3.0)) < 3 * deviation[0] < 0.5)
    True
    """

    def __init__(self, kernel=None, *, alpha=1e-10, optimizer="fmin_l_bfgs_b", n_restarts_optimizer=0, normalize_y=False,
                 copy_X_train=True, random_state=None, max_seconds=None):
        self.kernel = kernel
        self.alpha = alpha
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.normalize_y = normalize_y
        self.copy_X_train = copy_X_train
        self.random_state = random_state
        self.max_seconds = max_seconds

    def fit(self, X, y):
        """Fits the process to samples and numbers."""
        X, y = self._checked_with(X, y, y_numeric=True)
        self._mean, self._scale = (float(y.mean()), float(y.std()) or 1.0) if self.normalize_y else (0.0, 1.0)
        translated = Translated(self.kernel, getattr(X, "shape", (0, 0))[1])
        self.X_train_, self.y_train_ = X, (y - self._mean) / self._scale
        noise = float(self.alpha) + translated.noise
        if self.optimizer not in (None, "fmin_l_bfgs_b"):
            raise ValueError(f"optimizer is {self.optimizer!r}; it must be 'fmin_l_bfgs_b' or None")
        if self.optimizer is None or self.kernel is None:
            method = written("gaussian_process", noise=[noise])
        else:
            keep = ", ".join(translated.fixed) or None
            method = written("optimized_gaussian_process", noise=noise, restarts=self.n_restarts_optimizer,
                             seed=seed_of(self.random_state), keep=keep)
        self._fit_model(method, X, as_numbers(self.y_train_), kernel=translated.kernel)
        learned = self.model_.learned
        self.noise_ = learned["noise"]
        self.log_marginal_likelihood_value_ = learned["log_marginal_likelihood"]
        found = as_kernel(self.model_.kernel)
        self._white = max(self.noise_ - float(self.alpha), 0.0) if translated.has_white else 0.0
        self.kernel_ = translated.back(found, self._white)
        return self

    def predict(self, X, return_std=False, return_cov=False):
        """Means, and with ``return_std`` the standard deviations of what a new target would be, the noise of a ``WhiteKernel`` included;
        with ``return_cov`` their covariances, of kernels of scikit-learn's."""
        check_is_fitted(self, "model_")
        if return_std and return_cov:
            raise RuntimeError("At most one of return_std or return_cov can be requested.")
        if return_cov:
            return self.predict(X), self._covariances(X)
        if not return_std:
            return self._ask("predict", X).ravel() * self._scale + self._mean
        means, variances = self._ask("predict_with_variance", X)
        return means * self._scale + self._mean, np.sqrt(variances + self._white) * self._scale

    def sample_y(self, X, n_samples=1, random_state=0):
        """Functions drawn from the process at these samples, one column each; of kernels of scikit-learn's."""
        means, covariances = self.predict(X, return_cov=True)
        return check_random_state(random_state).multivariate_normal(means, covariances, n_samples).T

    def log_marginal_likelihood(self, theta=None, eval_gradient=False, clone_kernel=True):
        """The logarithm of the marginal likelihood of the targets of the fit; with ``theta`` for other parameters of a kernel of
        scikit-learn's, as logarithms, and with its derivatives by these."""
        check_is_fitted(self, "model_")
        if theta is None:
            if eval_gradient:
                raise ValueError("Gradient can only be evaluated for theta!=None")
            return self.log_marginal_likelihood_value_
        kernel = self._of_scikit_learn("log_marginal_likelihood with theta")
        if clone_kernel:
            kernel = kernel.clone_with_theta(theta)
        else:
            kernel.theta = theta
        values = kernel(self.X_train_, eval_gradient=eval_gradient)
        matrix, derivatives = values if eval_gradient else (values, None)
        lower, solved = self._factor(matrix)
        # C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, MIT Press 2006, equations 5.8 and 5.9.
        count = len(solved)
        value = -0.5 * self.y_train_ @ solved - np.log(np.diag(lower)).sum() - 0.5 * count * np.log(2 * np.pi)
        if not eval_gradient:
            return value
        inverse = cho_solve((lower, True), np.eye(count))
        return value, 0.5 * np.einsum("ij,ijk->k", np.outer(solved, solved) - inverse, derivatives)

    def _of_scikit_learn(self, what):
        if not isinstance(self.kernel_, gp.Kernel):
            raise ValueError(f"{what} takes a kernel of sklearn.gaussian_process.kernels, and this process has {self.kernel_}")
        return self.kernel_

    def _factor(self, matrix):
        """L with LLᵀ = K + αI, and its solution for the targets."""
        matrix = matrix + float(self.alpha) * np.eye(len(matrix))
        lower = cholesky(matrix, lower=True)
        return lower, cho_solve((lower, True), self.y_train_)

    def _covariances(self, X):
        kernel = self._of_scikit_learn("return_cov")
        X = self._checked(X, reset=False)
        lower, _ = self._factor(kernel(self.X_train_))
        half = solve_triangular(lower, kernel(self.X_train_, X), lower=True)
        return (kernel(X) - half.T @ half) * self._scale**2


class Translated:
    """A kernel of scikit-learn's as one of the catalogue and noise, and back."""

    def __init__(self, kernel, features):
        self.features = features
        self.noise, self.fixed, self.has_white = 0.0, [], False
        if kernel is None:
            kernel = gp.ConstantKernel(1.0, "fixed") * gp.RBF(1.0, "fixed")
        if isinstance(kernel, gp.Kernel):
            self.given = kernel
            self.kernel, self.noise = self._there(kernel, "", True)
            if self.kernel is None:
                raise ValueError(f"{kernel} is noise alone; it must have a kernel beside it")
            if not self.has_white:
                self.fixed.append("noise")
        else:
            self.given = None
            self.kernel = as_kernel(kernel)

    def _there(self, kernel, path, in_sums=False):
        """The kernel of the catalogue, ``None`` of noise alone, and the noise; parameters that are fixed are noted by their path."""
        if isinstance(kernel, gp.WhiteKernel):
            if not in_sums or self.has_white:
                raise ValueError("a kernel may have one WhiteKernel, which stands in sums alone")
            self.has_white = True
            if kernel.hyperparameter_noise_level.fixed:
                self.fixed.append("noise")
            return None, float(kernel.noise_level)
        if isinstance(kernel, gp.Sum):
            return self._sum(kernel, path, in_sums)
        if isinstance(kernel, gp.Product):
            return self._product(kernel, path), 0.0
        return self._single(kernel, path), 0.0

    def _sum(self, kernel, path, in_sums):
        white = [isinstance(part, gp.WhiteKernel) for part in (kernel.k1, kernel.k2)]
        if any(white):
            of_noise, other = (kernel.k1, kernel.k2) if white[0] else (kernel.k2, kernel.k1)
            _, noise = self._there(of_noise, path, in_sums)
            known, more = self._there(other, path, in_sums)
            return known, noise + more
        first, noise = self._there(kernel.k1, path + "first.", in_sums)
        second, more = self._there(kernel.k2, path + "second.", in_sums)
        return Kernel("sum", first=first, second=second), noise + more

    def _product(self, kernel, path):
        constant = [isinstance(part, gp.ConstantKernel) for part in (kernel.k1, kernel.k2)]
        if any(constant):
            factor, other = (kernel.k1, kernel.k2) if constant[0] else (kernel.k2, kernel.k1)
            if factor.hyperparameter_constant_value.fixed:
                self.fixed.append(path + "factor")
            inside, _ = self._there(other, path + "kernel.")
            return Kernel("scaled", factor=float(factor.constant_value), kernel=inside)
        first, _ = self._there(kernel.k1, path + "first.")
        second, _ = self._there(kernel.k2, path + "second.")
        return Kernel("product", first=first, second=second)

    def _single(self, kernel, path):
        def note(hyperparameter, *names):
            if hyperparameter.fixed:
                self.fixed.extend(path + name for name in names)

        if isinstance(kernel, gp.RBF) and (not isinstance(kernel, gp.Matern) or kernel.nu == np.inf):
            if kernel.anisotropic:
                note(kernel.hyperparameter_length_scale, "length_scales")
                self.fixed.append(path + "kernel.gamma")
                scales = [float(scale) for scale in kernel.length_scale]
                return Kernel("length_scales", length_scales=scales, kernel=Kernel("gaussian", gamma=0.5))
            note(kernel.hyperparameter_length_scale, "gamma")
            return Kernel("gaussian", gamma=0.5 / float(np.ravel(kernel.length_scale)[0]) ** 2)
        if isinstance(kernel, gp.Matern) and kernel.nu in (0.5, 1.5, 2.5):
            if kernel.anisotropic:
                note(kernel.hyperparameter_length_scale, "length_scales")
                self.fixed.append(path + "kernel.length_scale")
                scales = [float(scale) for scale in kernel.length_scale]
                inside = Kernel("matern", smoothness=float(kernel.nu), length_scale=1.0)
                return Kernel("length_scales", length_scales=scales, kernel=inside)
            note(kernel.hyperparameter_length_scale, "length_scale")
            return Kernel("matern", smoothness=float(kernel.nu), length_scale=float(np.ravel(kernel.length_scale)[0]))
        if isinstance(kernel, gp.RationalQuadratic):
            note(kernel.hyperparameter_length_scale, "length_scale")
            note(kernel.hyperparameter_alpha, "alpha")
            return Kernel("rational_quadratic", length_scale=float(kernel.length_scale), alpha=float(kernel.alpha))
        if isinstance(kernel, gp.ExpSineSquared) and self.features == 1:
            note(kernel.hyperparameter_length_scale, "length_scale")
            note(kernel.hyperparameter_periodicity, "period")
            return Kernel("periodic", length_scale=float(kernel.length_scale), period=float(kernel.periodicity))
        if isinstance(kernel, gp.ConstantKernel):
            # Beside it every inner product is nothing, to the last bit.
            note(kernel.hyperparameter_constant_value, "constant")
            self.fixed.append(path + "gamma")
            return Kernel("polynomial", degree=1, gamma=1e-250, constant=float(kernel.constant_value))
        if isinstance(kernel, gp.DotProduct):
            note(kernel.hyperparameter_sigma_0, "constant")
            self.fixed.append(path + "gamma")
            return Kernel("polynomial", degree=1, gamma=1.0, constant=float(kernel.sigma_0) ** 2)
        raise ValueError(
            f"{kernel} has no kernel here; there are RBF, Matern of nu 0.5, 1.5, 2.5 and inf, RationalQuadratic, DotProduct, ExpSineSquared "
            "of one feature, and their sums and products with each other and ConstantKernel, WhiteKernel in sums"
        )

    def back(self, found, white):
        """The kernel that was found, of the type that was given."""
        if self.given is None:
            return found
        return self._back(clone(self.given), found, white)

    def _back(self, kernel, found, white):
        parts = found.parameters
        if isinstance(kernel, gp.WhiteKernel):
            return kernel.set_params(noise_level=white)
        if isinstance(kernel, gp.Sum):
            if isinstance(kernel.k1, gp.WhiteKernel) or isinstance(kernel.k2, gp.WhiteKernel):
                return kernel.set_params(k1=self._back(kernel.k1, found, white), k2=self._back(kernel.k2, found, white))
            return kernel.set_params(k1=self._back(kernel.k1, parts["first"], white), k2=self._back(kernel.k2, parts["second"], white))
        if isinstance(kernel, gp.Product):
            if isinstance(kernel.k1, gp.ConstantKernel):
                kernel.k1.set_params(constant_value=parts["factor"])
                return kernel.set_params(k2=self._back(kernel.k2, parts["kernel"], white))
            if isinstance(kernel.k2, gp.ConstantKernel):
                kernel.k2.set_params(constant_value=parts["factor"])
                return kernel.set_params(k1=self._back(kernel.k1, parts["kernel"], white))
            return kernel.set_params(k1=self._back(kernel.k1, parts["first"], white), k2=self._back(kernel.k2, parts["second"], white))
        if isinstance(kernel, gp.ConstantKernel):
            return kernel.set_params(constant_value=parts["constant"])
        if found.name == "gaussian":
            return kernel.set_params(length_scale=(0.5 / parts["gamma"]) ** 0.5)
        if found.name == "length_scales":
            return kernel.set_params(length_scale=np.array(parts["length_scales"]))
        if found.name == "matern":
            return kernel.set_params(length_scale=parts["length_scale"])
        if found.name == "rational_quadratic":
            return kernel.set_params(length_scale=parts["length_scale"], alpha=parts["alpha"])
        if found.name == "periodic":
            return kernel.set_params(length_scale=parts["length_scale"], periodicity=parts["period"])
        return kernel.set_params(sigma_0=parts["constant"] ** 0.5)
