"""'tidewise observe' corrects an ensemble as iterative_ensemble_smoother does."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

smoother = pytest.importorskip("iterative_ensemble_smoother")

LEVELS, MODES, MEMBERS = 20, 3, 200
FIXES = [(2, 5.0, 7.0), (3, 6.2, 7.4), (4, 7.9, 7.1), (5, 8.3, 8.8), (6, 8.0, 10.6)]  # time, x, y
OBSERVED = [(0.3, 0.5), (0.1, 0.4), (-0.4, 0.3), (-0.2, 0.6)]  # u, v on the legs between them
ERROR, REPRESENTATION = 0.1, 0.05  # standard deviations
EXACT = ["--localisation", 0, "--inflation", 1, "--reject-beyond", 0, "--fix-error", 0]


@pytest.fixture(scope="module")
def folder(run, tmp_path_factory):
    """An ensemble and a track."""
    folder = tmp_path_factory.mktemp("smoother")
    run(
        folder, "env", "double-gyre", "--nx", 20, "--ny", 20, "--nt", LEVELS, "--modes", MODES,
        "--realizations", MEMBERS, "--out", "gyre.h5",
    )  # fmt: skip
    rows = ["time,x,y,u,v"]
    # A row has the current of the leg that ends at its fix.
    for fix, current in zip(FIXES, [(0, 0), *OBSERVED], strict=True):
        rows.append(",".join(map(str, [*fix, *current])))
    (folder / "track.csv").write_text("\n".join(rows) + "\n")
    return folder


def corrected(run, folder, method):
    """Return the posterior of the program: a mean flow, and coefficients around it."""
    options = ["--track", "track.csv", "--method", method, "--error", ERROR]
    options += ["--representation", REPRESENTATION, *EXACT, "--out", f"{method}.h5"]
    run(folder, "observe", "gyre.h5", *options)
    return h5py.File(folder / f"{method}.h5")


@pytest.fixture(scope="module")
def prior(folder):
    with h5py.File(folder / "gyre.h5") as file:
        return {name: file[name][:].astype(float) for name in file}


@pytest.fixture(scope="module")
def parameters(prior):
    """The coefficients: (level and mode, member)."""
    return prior["coefficient"].reshape(LEVELS * MODES, MEMBERS)


@pytest.fixture(scope="module")
def responses(prior):
    """The mean flow along each leg: (component of a leg, member).

    A leg is straight, and cut into parts of a quarter of a cell. The flow is bilinear in the middle
    of each part, at the level at which the leg begins.
    """
    rows = []
    for (level, *begin), (_, *end) in zip(FIXES, FIXES[1:], strict=False):
        path = np.subtract(end, begin)
        parts = int(np.ceil(4 * np.hypot(*path)))
        places = begin + (np.arange(parts)[:, None] + 0.5) / parts * path
        for name in ("u", "v"):
            fields = np.concatenate(
                [prior[f"{name}_mean"][level][None], prior[f"{name}_mode"][level]]
            )
            axes = prior["y"], prior["x"]
            flow = RegularGridInterpolator(axes, np.moveaxis(fields, 0, -1))(places[:, ::-1])
            mean, modes = flow.mean(axis=0)[0], flow.mean(axis=0)[1:]
            rows.append(mean + modes @ prior["coefficient"][level])
    return np.array(rows)


@pytest.fixture(scope="module")
def referee(parameters, responses):
    """A function from perturbations, (observation, member), to the library's posterior."""
    observations = np.array(OBSERVED).ravel()
    covariance = np.full(len(observations), ERROR**2 + REPRESENTATION**2)

    def assimilate(perturbations):
        update = smoother.ESMDA(covariance, observations, alpha=1)
        update.prepare_assimilation(
            Y=responses, truncation=1.0, observation_perturbations=perturbations
        )
        return update.assimilate_batch(X=parameters)

    return assimilate


def anomalies(ensemble):
    return ensemble - ensemble.mean(axis=1, keepdims=True)


@pytest.mark.parametrize("method", ["square-root", "perturbed"])
def test_means_are_equal(run, folder, prior, parameters, responses, referee, method):
    with corrected(run, folder, method) as posterior:
        forecast = np.column_stack([posterior[f"observed_{name}_forecast"][:] for name in "uv"])
        np.testing.assert_allclose(forecast.ravel(), responses.mean(axis=1), atol=1e-6)
        # The posterior's mean is in its mean flow; its coefficients are around 0.
        mean = referee(np.zeros_like(responses)).mean(axis=1)
        assert np.abs(mean - parameters.mean(axis=1)).max() > 0.1
        coefficients = mean.reshape(LEVELS, MODES)
        for name in ("u", "v"):
            expected = np.einsum("km,kmyx->kyx", coefficients, prior[f"{name}_mode"])
            change = posterior[f"{name}_mean"][:] - prior[f"{name}_mean"]
            np.testing.assert_allclose(change, expected, atol=2e-6)


def test_members_are_equal_for_equal_perturbations(
    run, folder, parameters, responses, referee
):
    with corrected(run, folder, "perturbed") as posterior:
        members = posterior["coefficient"][:].reshape(parameters.shape).astype(float)
    without = anomalies(referee(np.zeros_like(responses)))
    # The perturbations are not in the file. A unit perturbation of a member returns the gain.
    unit = np.zeros_like(responses)
    unit[:, : len(unit)] = np.eye(len(unit))
    gain = (referee(unit) - referee(np.zeros_like(responses)))[:, : len(unit)]
    perturbations = np.linalg.lstsq(gain, anomalies(members) - without, rcond=None)[0]
    np.testing.assert_allclose(anomalies(referee(perturbations)), anomalies(members), atol=5e-6)
    error = np.hypot(ERROR, REPRESENTATION)
    np.testing.assert_allclose(perturbations.mean(axis=1), 0, atol=1e-3 * error)
    np.testing.assert_allclose(perturbations.std(axis=1), error, rtol=0.2)
    assert np.abs(np.corrcoef(perturbations) - np.eye(len(unit))).max() < 4 / np.sqrt(MEMBERS)


def test_square_root_method_has_the_same_covariance(run, folder, parameters, responses, referee):
    with corrected(run, folder, "square-root") as posterior:
        members = posterior["coefficient"][:].reshape(parameters.shape).astype(float)
    # Perturbations of exactly the errors' covariance, without correlation with the ensemble.
    ensemble = np.vstack([np.ones(MEMBERS), parameters, responses])
    basis = np.linalg.svd(ensemble, full_matrices=False)
    spanned = basis.Vh[basis.S > 1e-9 * basis.S[0]]
    draws = np.random.default_rng(1).standard_normal(responses.shape)
    draws -= draws @ spanned.T @ spanned
    white = np.linalg.qr(draws.T)[0].T * np.sqrt(MEMBERS - 1)
    expected = np.cov(referee(np.hypot(ERROR, REPRESENTATION) * white))
    np.testing.assert_allclose(np.cov(members), expected, atol=2e-6 * np.cov(parameters).max())
    assert np.trace(expected) < 0.9 * np.trace(np.cov(parameters))
