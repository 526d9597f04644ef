#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "mdp/savings/problem.h"
#include "mdp/savings/view.h"

namespace tidewise::mdp {

/// Choice of the next assets a'.
enum class SavingsMethod {
  on_grid,  ///< a' is one of the assets, found by monotonicity of the policy
  off_grid  ///< a' is anywhere between the limits, found by golden section
};

/// Options of solve_savings().
struct SavingsOptions {
  SavingsMethod method = SavingsMethod::off_grid;
  Interpolation interpolation =
      Interpolation::cubic;  ///< interpolation of the value between grid points
  double tolerance = 1e-8;   ///< bound of the value's error at which iteration stops
  std::int32_t steps = 42;   ///< golden-section steps, off the grid
  std::int32_t follow = 30;  ///< evaluation sweeps between improvements
  std::int32_t max_improvements = 10000;
  std::int32_t threads = 1;  ///< CPU threads, ≥ 1; the result does not depend on it
  /// On a device, off the grid: blocks copy the rows of a productivity to shared memory if they
  /// fit. The result does not depend on it.
  bool uses_shared_memory = true;
};

/// True if `uses_shared_memory` has an effect for this size: the assets and two rows fit 48 KiB,
/// which every block of every device has.
inline bool fits_shared_memory(const SavingsProblem& problem) {
  constexpr std::size_t bytes = 48 * 1024;
  constexpr std::size_t max_rows = 65'535;  // maximum rows of a grid of blocks
  return 3 * problem.assets.size() * sizeof(double) <= bytes &&
         problem.productivity.count() <= max_rows;
}

/// A solution; arrays are (productivity, asset), asset innermost.
struct SavingsSolution {
  std::vector<double> value;
  std::vector<double> saving;       ///< a'
  std::vector<double> consumption;  ///< (1 + r) a + w ε − a'
  std::int32_t improvements = 0;    ///< sweeps that choose new savings
  std::int32_t sweeps = 0;          ///< all sweeps
  double change = 0;                ///< greatest change of a value in the last improvement
  double error_bound = 0;  ///< β/(1 − β) · change: bound of the value's distance from its limit
  double seconds = 0;
};

/// Value iteration with Howard's acceleration on options.threads. Off the grid the error bound
/// applies to the problem with interpolated values. Errors: InputError of validate_savings() and
/// for invalid options; RunError if max_improvements do not reach the tolerance.
SavingsSolution solve_savings(const SavingsProblem& problem, const SavingsOptions& options,
                              Progress& progress);

/// As solve_savings(), on the current device, with the same bits. Errors: also RunError in a build
/// without CUDA.
SavingsSolution solve_savings_on_device(const SavingsProblem& problem,
                                        const SavingsOptions& options, Progress& progress);

}  // namespace tidewise::mdp
