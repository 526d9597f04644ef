#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "mdp/savings/problem.h"
#include "mdp/savings/view.h"

namespace tidewise::mdp {

enum class SavingsMethod {
  on_grid,  ///< a' is one of the assets, found by the policy's monotonicity
  off_grid  ///< a' lies anywhere between the limits, found by golden section
};

struct SavingsOptions {
  SavingsMethod method = SavingsMethod::off_grid;
  Interpolation interpolation = Interpolation::cubic;  ///< of the value, off the grid
  double tolerance = 1e-8;   ///< on the value: stop when it is known to be that close
  std::int32_t steps = 42;   ///< of golden section, off the grid
  std::int32_t follow = 30;  ///< times that a policy is followed before it is improved again
  std::int32_t most_improvements = 10000;
  std::int32_t threads = 1;  ///< ≥ 1, on the CPU; the result does not depend on it
  /// On a device, off the grid: blocks copy the rows of a productivity to shared memory where these
  /// fit. The result does not depend on it.
  bool uses_shared_memory = true;
};

/// Whether `uses_shared_memory` has an effect on a problem of this size: the assets and two rows
/// fit the 48 KiB that each block of each device has.
inline bool fits_shared_memory(const SavingsProblem& problem) {
  constexpr std::size_t bytes = 48 * 1024;
  constexpr std::size_t max_rows = 65'535;  // of a grid of blocks
  return 3 * problem.assets.size() * sizeof(double) <= bytes &&
         problem.productivity.count() <= max_rows;
}

/// What a method found; arrays are (productivity, asset), the asset innermost.
struct SavingsSolution {
  std::vector<double> value;
  std::vector<double> saving;       ///< a'
  std::vector<double> consumption;  ///< (1 + r) a + w ε − a'
  std::int32_t improvements = 0;    ///< sweeps that choose anew …
  std::int32_t sweeps = 0;          ///< … and all sweeps
  double change = 0;                ///< greatest change of a value in the last improvement
  double error_bound = 0;  ///< β/(1 − β) · change: how far the value can be from its limit
  double seconds = 0;
};

/// Value iteration with Howard's acceleration, by options.threads. Off the grid the bound on the
/// error speaks of the problem with interpolated values. Errors: InputError as judge_savings() has
/// it and for options that cannot be; RunError where most_improvements do not reach the tolerance.
SavingsSolution solve_savings(const SavingsProblem& problem, const SavingsOptions& options,
                              Progress& progress);

/// The same on the current device: the same bits. Errors: RunError in a build without CUDA, too.
SavingsSolution solve_savings_on_device(const SavingsProblem& problem,
                                        const SavingsOptions& options, Progress& progress);

}  // namespace tidewise::mdp
