#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "golden/checksums.h"
#include "mdp/process/options.h"
#include "mdp/worlds/gridworld.h"

namespace tidewise::test {

/// A decision process whose values and actions are kept as checksums, in processes.txt. Nothing of
/// it comes from a mathematical library: probabilities and rewards are the same everywhere.
struct GoldenProcess {
  std::string name;
  mdp::GridworldOptions world;
};

/// - slip_walls: a slip world of 64 × 64 cells, a fifth of them walls, with obstacles and a goal.
/// - rewired: a wet floor of 64 × 64 cells, a twentieth of its transitions to anywhere.
std::vector<GoldenProcess> golden_processes();

/// A method. Methods that must give the same bits share the name of their checksums.
struct GoldenMethod {
  std::string name;
  std::string kept_as;
  mdp::SolveOptions options;
};

inline std::ostream& operator<<(std::ostream& stream, const GoldenProcess& process) {
  return stream << process.name;
}
inline std::ostream& operator<<(std::ostream& stream, const GoldenMethod& method) {
  return stream << method.name;
}

/// Every method that gives the same bits on the host by any number of threads and on a device.
std::vector<GoldenMethod> golden_methods();

/// The process itself, in float and double.
Checksums sum_process(const GoldenProcess& process);
/// Values, actions and the number of sweeps, in float and double. Errors: RunError if the method
/// does not finish.
Checksums sum_solutions(const GoldenProcess& process, const GoldenMethod& method,
                        BackendChoice backend);

}  // namespace tidewise::test
