"""Gaussian process regression."""

import copy

import numpy as np
from scipy import sparse
from scipy.linalg import cho_solve, cholesky, solve_triangular
from scipy.optimize import minimize
from sklearn.base import MultiOutputMixin, RegressorMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process import kernels as gp
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import _num_samples, check_is_fitted

from .base import KernelEstimator, seed_of, written
from .kernels import Kernel, as_kernel
from .targets import as_numbers

__all__ = ["GaussianProcessRegressor"]


class GaussianProcessRegressor(MultiOutputMixin, RegressorMixin, KernelEstimator):
    """Gaussian process regression: means with standard deviations.

    Parameters
    ----------
    kernel : sklearn.gaussian_process.kernels.Kernel, str, npt.Kernel or None, default=None
        A kernel of scikit-learn's, whose ``WhiteKernel`` is noise, or one of the catalogue. ``None`` is ``ConstantKernel() * RBF()``.
    alpha : float or ndarray of shape (n_samples,), default=1e-10
        The variance of the noise, of all samples or of each. It is added to the noise of a ``WhiteKernel``. With a kernel of the
        catalogue it is one number, which is optimized, too.
    optimizer : "fmin_l_bfgs_b", callable or None, default="fmin_l_bfgs_b"
        The way to the kernel's parameters: ``"fmin_l_bfgs_b"`` finds those of the largest marginal likelihood by L-BFGS, ``None`` keeps
        those that are given. A function ``optimizer(objective, theta, bounds)`` returns the parameters and the value of a minimum.
    n_restarts_optimizer : int, default=0
        The number of searches from random parameters, besides the one from those that are given.
    normalize_y : bool, default=False
        Whether targets are divided by their standard deviation, after their mean is taken away.
    copy_X_train : bool, default=True
        Whether the samples of the fit are copied.
    n_targets : int or None, default=None
        The number of targets; before a fit, ``None`` is one.
    random_state : int, RandomState or None, default=None
        The seed of the restarts; ``None`` is 0.
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None
        The time after which a fit ends with ``TimeoutError``.

    Attributes
    ----------
    kernel_ : kernel
        The kernel with the parameters that were found, of the type of ``kernel``.
    noise_ : float or ndarray of shape (n_samples,)
        The variance of the noise that was found. For a fit from matrices it is ``alpha``, and the noise of a ``WhiteKernel`` is in
        ``kernel_``.
    log_marginal_likelihood_value_ : float
    X_train_, y_train_ : ndarray
    L_, alpha_ : ndarray
        For a kernel of scikit-learn: the lower factor of the kernel matrix with the noise ``alpha``, and its solution for the targets.
    model_ : npt.Model
        The model, for one target, one number ``alpha`` above 0, and a kernel of the catalogue or one that has its like there.

    Notes
    -----
    A fit is computed here from matrices, as in scikit-learn, if the kernel has none like it in the catalogue, or if there are several
    targets, an ``alpha`` for each sample, or an optimizer of one's own. All other fits are the work of the Rust half. If its search ends
    beyond the bounds of a parameter, another search is made within the bounds, from matrices.

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

    _takes_kernel_matrices = False

    def __init__(self, kernel=None, *, alpha=1e-10, optimizer="fmin_l_bfgs_b", n_restarts_optimizer=0, normalize_y=False,
                 copy_X_train=True, n_targets=None, random_state=None, verbose=False, max_seconds=None):
        self.kernel = kernel
        self.alpha = alpha
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.normalize_y = normalize_y
        self.copy_X_train = copy_X_train
        self.n_targets = n_targets
        self.random_state = random_state
        self.verbose = verbose
        self.max_seconds = max_seconds

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # Before a fit a process predicts by its kernel alone.
        tags.requires_fit = False
        return tags

    def _takes_objects(self):
        of_objects = isinstance(self.kernel, gp.Kernel) and not self.kernel.requires_vector_input
        return of_objects or super()._takes_objects()

    def fit(self, X, y):
        """Fits the process to samples and numbers."""
        if self.optimizer not in (None, "fmin_l_bfgs_b") and not callable(self.optimizer):
            raise ValueError(f"optimizer is {self.optimizer!r}; it must be 'fmin_l_bfgs_b', a function or None")
        X, y = self._checked_with(X, y, y_numeric=True, multi_output=True)
        targets = y.shape[1] if y.ndim > 1 else 1
        if self.n_targets is not None and self.n_targets != targets:
            raise ValueError(f"The number of targets seen in `y` is {targets}, and n_targets is {self.n_targets}")
        self._noise = self._checked_alpha(len(y))
        self._y_train_mean, self._y_train_std = np.zeros(y.shape[1:]), np.ones(y.shape[1:])
        if self.normalize_y:
            deviations = y.std(axis=0)
            self._y_train_mean, self._y_train_std = y.mean(axis=0), np.where(deviations > 0, deviations, 1.0)
        self.X_train_ = copy.copy(X) if self.copy_X_train else X
        self.y_train_ = (y - self._y_train_mean) / self._y_train_std
        for name in ("model_", "_factors"):
            self.__dict__.pop(name, None)
        try:
            if self.kernel is None or isinstance(self.kernel, gp.Kernel):
                self._fit_kernel_of_scikit_learn(gp.ConstantKernel() * gp.RBF() if self.kernel is None else self.kernel)
            else:
                self._fit_kernel_of_catalogue()
        except BaseException:
            # Without these attributes the process is not fitted.
            del self.X_train_, self.y_train_
            raise
        return self

    def _checked_alpha(self, count):
        """The variance of the noise: a number, or an array of one number a sample."""
        alpha = np.asarray(self.alpha, dtype=float)
        if alpha.shape not in ((), (1,), (count,)):
            raise ValueError(f"alpha must be a scalar or an array with same number of entries as y: {alpha.shape} and {count}")
        if not np.all(alpha >= 0):
            raise ValueError(f"alpha is {self.alpha!r}; it must be at least 0")
        return float(alpha.ravel()[0]) if alpha.size == 1 else alpha

    def _fit_kernel_of_catalogue(self):
        if callable(self.optimizer) or np.ndim(self._noise) or self.y_train_.size != len(self.y_train_):
            raise ValueError("a kernel of the catalogue takes one target, one number alpha and no function as optimizer; a kernel of "
                             "sklearn.gaussian_process.kernels takes all three")
        self._fit_by_model(Translated(self.kernel, 0), self.optimizer is not None)

    def _fit_kernel_of_scikit_learn(self, kernel):
        self.kernel_ = clone(kernel)
        searched = self.optimizer is not None and kernel.n_dims > 0
        translated = self._translated()
        inside = False
        if translated and not callable(self.optimizer):
            self._fit_by_model(translated, searched)
            inside = not searched or put_inside(self.kernel_)
        if not inside:
            if searched:
                self._search(kernel)
                translated = self._translated()
            if translated:
                self._fit_by_model(translated, False)
            else:
                self._fit_by_matrices()
        if searched:
            self.kernel_._check_bounds_params()

    def _fit_by_matrices(self):
        self.noise_ = self._noise
        self.log_marginal_likelihood_value_ = self.log_marginal_likelihood(self.kernel_.theta)
        if np.isinf(self.log_marginal_likelihood_value_):
            raise np.linalg.LinAlgError(
                f"The kernel, {self.kernel_}, is not returning a positive definite matrix. Try gradually increasing the 'alpha' "
                "parameter of your GaussianProcessRegressor estimator."
            )

    def _translated(self):
        """The kernel as one of the catalogue; ``None`` if the Rust half cannot fit it."""
        if np.ndim(self._noise) or self.y_train_.size != len(self.y_train_) or not self.kernel_.requires_vector_input:
            return None
        try:
            translated = Translated(self.kernel_, getattr(self.X_train_, "shape", (0, 0))[1])
        except NoKernelHere:
            return None
        return translated if self._noise + translated.noise > 0 else None

    def _fit_by_model(self, translated, searched):
        noise = self._noise + translated.noise
        if searched:
            keep = ", ".join(translated.fixed) or None
            method = written("optimized_gaussian_process", noise=noise, restarts=self.n_restarts_optimizer,
                             seed=seed_of(self.random_state), keep=keep)
        else:
            method = written("gaussian_process", noise=[noise])
        self._fit_model(method, self.X_train_, as_numbers(self.y_train_), kernel=translated.kernel)
        learned = self.model_.learned
        self.noise_ = learned["noise"]
        self.log_marginal_likelihood_value_ = learned["log_marginal_likelihood"]
        self._white = max(self.noise_ - self._noise, 0.0) if translated.has_white else 0.0
        self.kernel_ = translated.back(as_kernel(self.model_.kernel), self._white)

    def _search(self, kernel):
        """Finds the parameters of the largest marginal likelihood within their bounds, from those given and from random ones."""

        def objective(theta, eval_gradient=True):
            if not eval_gradient:
                return -self.log_marginal_likelihood(theta)
            value, gradient = self.log_marginal_likelihood(theta, eval_gradient=True)
            return -value, -gradient

        bounds, starts = kernel.bounds, [kernel.theta]
        if self.n_restarts_optimizer > 0:
            if not np.all(np.isfinite(bounds)):
                raise ValueError("Searching from random parameters (n_restarts_optimizer > 0) requires that all bounds are finite.")
            rng = np.random.RandomState(seed_of(self.random_state))
            starts += list(rng.uniform(bounds[:, 0], bounds[:, 1], size=(self.n_restarts_optimizer, len(bounds))))
        self.__dict__.pop("model_", None)
        self.kernel_ = clone(kernel)
        ends = []
        for start in starts:
            if callable(self.optimizer):
                ends.append(self.optimizer(objective, start, bounds=bounds))
            else:
                found = minimize(in_time(objective, self._progress), start, method="L-BFGS-B", jac=True, bounds=bounds)
                ends.append((found.x, found.fun))
        self.kernel_.theta = min(ends, key=lambda end: end[1])[0]

    def predict(self, X, return_std=False, return_cov=False):
        """Means, and with ``return_std`` the standard deviations of new targets, the noise of a ``WhiteKernel`` included; with
        ``return_cov``, for kernels of scikit-learn, the covariances. Before a fit they are those of the kernel alone."""
        if return_std and return_cov:
            raise RuntimeError("At most one of return_std or return_cov can be requested.")
        if not hasattr(self, "X_train_"):
            return self._predict_before_fit(X, return_std, return_cov)
        if return_cov:
            return self.predict(X), self._of_targets(self._covariances(X), 2)
        if not hasattr(self, "model_"):
            return self._predict_by_matrices(X, return_std)
        if not return_std:
            return self._of_units(self._ask("predict", X).ravel())
        means, variances = self._ask("predict_with_variance", X)
        return self._of_units(means), np.sqrt(self._of_targets(variances + self._white, 1))

    def _predict_by_matrices(self, X, return_std):
        """Means and standard deviations by algorithm 2.1 of Rasmussen and Williams (see :meth:`log_marginal_likelihood`)."""
        X = dense(self._checked(X, reset=False))
        cross = self.kernel_(X, dense(self.X_train_))
        means = self._of_units(cross @ self.alpha_)
        if not return_std:
            return means
        half = solve_triangular(self.L_, cross.T, lower=True)
        variances = np.maximum(self.kernel_.diag(X) - (half**2).sum(axis=0), 0.0)
        return means, np.sqrt(self._of_targets(variances, 1))

    def _predict_before_fit(self, X, return_std, return_cov):
        kernel = gp.ConstantKernel() * gp.RBF() if self.kernel is None else self.kernel
        if not isinstance(kernel, gp.Kernel):
            raise NotFittedError("this process is not fitted yet; with a kernel of the catalogue it predicts after fit alone")
        X = check_array(X) if kernel.requires_vector_input else dense(X)
        shape = () if self.n_targets in (None, 1) else (self.n_targets,)
        means = np.zeros((_num_samples(X), *shape))
        if not (return_std or return_cov):
            return means
        spread = kernel(X) if return_cov else np.sqrt(kernel.diag(X))
        return means, np.multiply.outer(spread, np.ones(shape))

    def _of_units(self, means):
        """Means in the units of the targets; for one target without an axis of targets."""
        means = (means * self._y_train_std + self._y_train_mean).astype(means.dtype, copy=False)
        return means[:, 0] if means.ndim > 1 and means.shape[1] == 1 else means

    def _of_targets(self, variances, axes):
        """Variances, or covariances, in the units of each target; for one target without an axis of targets."""
        variances = np.multiply.outer(variances, self._y_train_std**2)
        return variances[..., 0] if variances.ndim > axes and variances.shape[-1] == 1 else variances

    def sample_y(self, X, n_samples=1, random_state=0):
        """Functions drawn from the process at these samples, one column each; for kernels of scikit-learn."""
        means, covariances = self.predict(X, return_cov=True)
        rng = check_random_state(random_state)
        if means.ndim == 1:
            return rng.multivariate_normal(means, covariances, n_samples).T
        drawn = [rng.multivariate_normal(means[:, target], covariances[..., target], n_samples).T for target in range(means.shape[1])]
        return np.stack(drawn, axis=1)

    def log_marginal_likelihood(self, theta=None, eval_gradient=False, clone_kernel=True):
        """The logarithm of the marginal likelihood of the targets of the fit. ``theta`` are other parameters of a kernel of scikit-learn, as
        logarithms; ``eval_gradient`` adds the derivatives by these. For several targets it is the sum of their logarithms."""
        check_is_fitted(self, "X_train_")
        if theta is None:
            if eval_gradient:
                raise ValueError("Gradient can only be evaluated for theta!=None")
            return self.log_marginal_likelihood_value_
        kernel = self._of_scikit_learn("log_marginal_likelihood with theta")
        if clone_kernel:
            kernel = kernel.clone_with_theta(theta)
        else:
            kernel.theta = theta
        values = kernel(dense(self.X_train_), eval_gradient=eval_gradient)
        matrix, derivatives = values if eval_gradient else (values, None)
        try:
            lower, solved = self._factor(matrix)
        except np.linalg.LinAlgError:
            return (-np.inf, np.zeros_like(theta)) if eval_gradient else -np.inf
        # C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, MIT Press 2006, equations 5.8 and 5.9.
        count, solved = len(solved), as_numbers(solved)
        targets = solved.shape[1]
        value = -0.5 * np.sum(as_numbers(self.y_train_) * solved) - targets * (np.log(np.diag(lower)).sum() + 0.5 * count * np.log(2 * np.pi))
        if not eval_gradient:
            return value
        inverse = cho_solve((lower, True), np.eye(count))
        return value, 0.5 * np.einsum("ij,ijk->k", solved @ solved.T - targets * inverse, derivatives)

    @property
    def L_(self):
        """The lower factor of the kernel matrix with the noise ``alpha``, for kernels of scikit-learn."""
        return self._factored()[0]

    @property
    def alpha_(self):
        """The solution of the kernel matrix with the noise ``alpha`` for the targets, for kernels of scikit-learn."""
        return self._factored()[1]

    def _factored(self):
        check_is_fitted(self, "X_train_")
        if not hasattr(self, "_factors"):
            self._factors = self._factor(self._of_scikit_learn("L_")(dense(self.X_train_)))
        return self._factors

    def _of_scikit_learn(self, what):
        if not isinstance(self.kernel_, gp.Kernel):
            raise ValueError(f"{what} takes a kernel of sklearn.gaussian_process.kernels, and this process has {self.kernel_}")
        return self.kernel_

    def _factor(self, matrix):
        """L with LLᵀ = K + αI, and its solution for the targets."""
        matrix = matrix + np.diag(np.broadcast_to(self._noise, len(matrix)))
        lower = cholesky(matrix, lower=True)
        return lower, cho_solve((lower, True), self.y_train_)

    def _covariances(self, X):
        kernel = self._of_scikit_learn("return_cov")
        X = dense(self._checked(X, reset=False))
        half = solve_triangular(self.L_, kernel(dense(self.X_train_), X), lower=True)
        return kernel(X) - half.T @ half

    def _the_model(self):
        check_is_fitted(self, "X_train_")
        if not hasattr(self, "model_"):
            raise ValueError("this process cannot be saved as a model: that takes one target, one number alpha above 0, and a kernel "
                             "that the catalogue has; pickle keeps every process")
        return self.model_


def dense(X):
    """Samples as kernels of scikit-learn take them: an array, which has a row for each object."""
    if isinstance(X, list):
        return np.fromiter(X, dtype=object, count=len(X))
    return X.toarray() if sparse.issparse(X) else X


def put_inside(kernel):
    """Returns whether the parameters of a kernel of scikit-learn are within their bounds; puts those beyond by rounding on the bounds."""
    theta, bounds = kernel.theta, kernel.bounds
    inside = np.clip(theta, bounds[:, 0], bounds[:, 1])
    if not np.allclose(theta, inside, rtol=0, atol=1e-9):
        return False
    if np.any(theta != inside):
        kernel.theta = inside
    return True


def in_time(objective, progress):
    """The objective, which ends a search by ``TimeoutError`` when the time of the fit is over."""

    def timed(theta):
        if progress.seconds_left() == 0:
            raise TimeoutError("the search was not done within max_seconds")
        return objective(theta)

    return timed


class NoKernelHere(ValueError):
    """A kernel of scikit-learn that the catalogue does not have."""


class Translated:
    """A kernel of scikit-learn as one of the catalogue and noise, and the way back."""

    def __init__(self, kernel, features):
        self.features = features
        self.noise, self.fixed, self.has_white = 0.0, [], False
        if isinstance(kernel, gp.Kernel):
            self.given = kernel
            self.kernel, self.noise = self._there(kernel, "", True)
            if self.kernel is None:
                raise NoKernelHere(f"{kernel} is noise alone")
            if not self.has_white:
                self.fixed.append("noise")
        else:
            self.given = None
            self.kernel = as_kernel(kernel)

    def _there(self, kernel, path, in_sums=False):
        """The kernel of the catalogue, or ``None`` for noise alone, and the noise. Parameters that are fixed are noted by their path."""
        if isinstance(kernel, gp.WhiteKernel):
            if not in_sums or self.has_white:
                raise NoKernelHere("the catalogue's noise is one, and stands in sums alone")
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
            # The constant is all there is: with so small a gamma, inner products vanish to the last bit.
            note(kernel.hyperparameter_constant_value, "constant")
            self.fixed.append(path + "gamma")
            return Kernel("polynomial", degree=1, gamma=1e-250, constant=float(kernel.constant_value))
        if isinstance(kernel, gp.DotProduct):
            note(kernel.hyperparameter_sigma_0, "constant")
            self.fixed.append(path + "gamma")
            return Kernel("polynomial", degree=1, gamma=1.0, constant=float(kernel.sigma_0) ** 2)
        raise NoKernelHere(f"{kernel} has none like it in the catalogue")

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
