#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "golden/checksums.h"
#include "mdp/process/options.h"
#include "mdp/worlds/gridworld.h"

namespace tidewise::test {

/// A decision process whose values and actions have checksums in processes.txt. No mathematical
/// library is involved, so that probabilities and rewards are the same on every machine.
struct GoldenProcess {
  std::string name;
  mdp::GridworldOptions world;
};

/// Returns the processes:
/// - slip_walls: a slip world of 64 × 64 cells, a fifth of them walls, with obstacles and a goal.
/// - rewired: a wet floor of 64 × 64 cells, a twentieth of whose transitions lead to random cells.
std::vector<GoldenProcess> golden_processes();

/// A method with its options. Methods whose results must be bit-identical share `checksum_name`.
struct GoldenMethod {
  std::string name;
  std::string checksum_name;
  mdp::SolveOptions options;
};

inline std::ostream& operator<<(std::ostream& stream, const GoldenProcess& process) {
  return stream << process.name;
}
inline std::ostream& operator<<(std::ostream& stream, const GoldenMethod& method) {
  return stream << method.name;
}

/// Returns all methods whose results are bit-identical for any number of threads and on a device.
std::vector<GoldenMethod> golden_methods();

/// Returns the checksums of a process, in float and double.
Checksums sum_process(const GoldenProcess& process);
/// Returns the checksums of values, actions and the number of sweeps, in float and double. Errors:
/// RunError if the method does not finish.
Checksums sum_solutions(const GoldenProcess& process, const GoldenMethod& method,
                        BackendChoice backend);

}  // namespace tidewise::test
