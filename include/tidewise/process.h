#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "tidewise/backend.h"
#include "tidewise/error.h"

/// Any finite Markov decision process: made of arrays or read from a file, and solved. Link
/// Tidewise::mdp. Example: examples/library/solve.cpp.
namespace tidewise::mdp {

/// A finite Markov decision process as compressed sparse rows over rows state · action_count +
/// action. Rewards are to be made as large as possible; costs are negative rewards.
///
/// An empty row is an action that the state does not have; a state without any action is terminal.
struct ProcessArrays {
  std::int32_t state_count = 0;
  std::int32_t action_count = 0;           ///< the most that a state has
  std::vector<std::int64_t> row_begin;     ///< first entry of each row, and the end, (row + 1)
  std::vector<std::int32_t> successor;     ///< state, ascending within a row, each once, (entry)
  std::vector<double> probability;         ///< a row's sum to 1, (entry)
  std::vector<double> reward;              ///< expected immediate reward, (row)
  std::vector<double> initial_value = {};  ///< of terminal states what they are worth, of others
                                           ///< what iteration begins with, (state); empty: 0
  double discount = 1;                     ///< γ, in [0, 1]
};

/// A process that has been found sound. Copies share what they hold.
class Process {
 public:
  /// Errors: InputError naming state and action where the arrays do not fit each other, a row does
  /// not sum to one, descends, names a state twice or one that does not exist, or a number cannot
  /// be.
  explicit Process(ProcessArrays arrays);
  /// Reads a model in any of the forms of docs/mdp/formats.md. Errors: InputError with file and
  /// line.
  static Process read(const std::filesystem::path& path);

  std::int32_t state_count() const;
  std::int32_t action_count() const;  ///< the most that a state has
  double discount() const;

  struct Content;  ///< the library's own
  const Content& content() const { return *content_; }

 private:
  explicit Process(std::shared_ptr<const Content> content);

  std::shared_ptr<const Content> content_;
};

/// How to find the optimum; docs/mdp/mdp.md has each.
enum class Method {
  automatic,  ///< what should be fastest for the process
  value_iteration,
  gauss_seidel,
  block_divided,
  result_divided,
  policy_iteration,  ///< modified
  inexact_policy_iteration,
  fused,    ///< value iteration over a layout that suits the machine
  backward  ///< of SolverOptions::horizon steps
};

struct SolverOptions {
  Method method = Method::automatic;
  BackendChoice backend = BackendChoice::cpu;
  std::int32_t device = 0;   ///< which GPU, where one is taken
  std::int32_t threads = 0;  ///< of the processor; 0: all cores that there are
  double tolerance = 1e-4;   ///< how far the value may be from the optimum
  std::int64_t most_sweeps = 1'000'000;
  std::int64_t horizon = 0;  ///< steps of Method::backward, ≥ 1
};

/// The optimum of a process.
struct Solution {
  std::vector<double> value;  ///< of each state; of Method::backward at the first step, (state)
  std::vector<std::int32_t> policy;  ///< the best action; −1 in terminal states, (state)
  double lower = 0;         ///< the optimal value less `value` lies from here, in every state …
  double upper = 0;         ///< … to here, rounding included
  bool converged = false;   ///< within the tolerance and the sweeps that were allowed
  std::int64_t sweeps = 0;  ///< backups of all states
  double seconds = 0;
  std::string_view method;  ///< that was taken, as the command line calls it
};

/// Finds the best policy and what it is worth. The same process and options give the same bits
/// whatever the number of threads. Errors: InputError for options that do not go together, with a
/// discount of 1 where from some state no policy ends, and for BackendChoice::cuda where
/// there is no such GPU; RunError when the GPU fails.
Solution solve(const Process& process, const SolverOptions& options = {});

}  // namespace tidewise::mdp
