#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidewise/error.h"
#include "tidewise/progress.h"
#include "tidewise/solving.h"

/// Any finite Markov decision process: made of arrays or read from a file, and solved. Link
/// Tidewise::mdp. Example: examples/library/solve.cpp.
namespace tidewise::mdp {

/// A finite Markov decision process as compressed sparse rows over rows state · action_count +
/// action.
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
  Direction direction = Direction::greatest;
};

/// The same where somebody else holds the arrays, such as a program in another language: they are
/// read where they lie. They must stay and not change while a process made of them is there; each
/// solve looks anew whether they are sound.
struct ProcessViews {
  std::int32_t state_count = 0;
  std::int32_t action_count = 0;
  std::span<const std::int64_t> row_begin;
  std::span<const std::int32_t> successor;
  std::span<const double> probability;
  std::span<const double> reward;
  std::span<const double> initial_value = {};  ///< copied
  double discount = 1;
  Direction direction = Direction::greatest;
  std::shared_ptr<const void> owner;  ///< goes with the last process that reads them
};

/// What of a model in a file counts.
enum class Goal {
  reward,      ///< the total reward, until a target state is reached where there is a target
  probability  ///< the probability of reaching a target state; the file's rewards and discount do
               ///< not count
};

/// What a model's file is read for.
struct ReadRequest {
  std::optional<double> discount = {};  ///< in place of the file's; without either it is 1
  /// Labels of the file and numbers of states, separated by commas, such as "finished, 7": the
  /// states where it ends (docs/mdp/formats.md). Empty: none.
  std::string target = {};
  Goal goal = Goal::reward;
  Direction direction = Direction::greatest;
};

/// A process that has been found sound. Copies share what they hold.
class Process {
 public:
  /// Errors: InputError naming state and action where the arrays do not fit each other, a row does
  /// not sum to one, descends, names a state twice or one that does not exist, or a number cannot
  /// be.
  explicit Process(ProcessArrays arrays);
  /// Errors: as above; InputError without an owner.
  explicit Process(const ProcessViews& arrays);
  /// Reads a model in any of the forms of docs/mdp/formats.md. Errors: InputError with file and
  /// line, or what the request asks for and the file does not have; what `progress`, which may be
  /// null, throws.
  static Process read(const std::filesystem::path& path, const ReadRequest& request = {},
                      Progress* progress = nullptr);
  /// Writes it in the form that the ending names, as 'tidewise research solve' reads it; complete
  /// or not at all. The direction has no place in a file. Errors: InputError for another ending or
  /// what the form has no place for, RunError when writing fails.
  void write(const std::filesystem::path& path) const;

  std::int32_t state_count() const;
  std::int32_t action_count() const;      ///< the most that a state has
  std::int64_t transition_count() const;  ///< entries of all rows
  double discount() const;
  Direction direction() const;
  /// The arrays as they lie in the process; they hold as long as it does.
  std::span<const std::int64_t> row_begin() const;
  std::span<const std::int32_t> successor() const;
  std::span<const double> probability() const;
  std::vector<double> reward() const;  ///< a copy, (row)
  /// 16 hexadecimal digits, the same where states, transitions, rewards, direction and the worth of
  /// terminal states are; the discount does not count.
  std::string fingerprint() const;

  struct Content;  ///< the library's own
  const Content& content() const { return *content_; }

 private:
  explicit Process(std::shared_ptr<const Content> content);

  std::shared_ptr<const Content> content_;
};

/// The optimum of a process.
struct Solution : SolveFigures {
  /// Of each state; of Method::backward at the first step, (state). Infinite where no policy is
  /// that counts (Endings).
  std::vector<double> value;
  /// The best action; −1 in terminal states, and where the value is infinite, (state).
  std::vector<std::int32_t> policy;
  double lower = 0;  ///< the optimal value less `value` lies from here where that is finite …
  double upper = 0;  ///< … to here, rounding included; infinite where nothing is known
  std::string shortfall;  ///< why it has not converged, and what to do, in a line; else empty
  double tolerance = 0;   ///< that was asked for
  /// With a discount of 1 "sure" or "free", the policies that were compared; else empty.
  std::string_view policies;
  /// That was taken, as the command line calls it: also "policy-iteration" where
  /// Method::automatic solved policies directly and swept nothing.
  std::string_view method;
  BackendChoice backend = BackendChoice::cpu;  ///< that it was found by, cpu or cuda
  /// Where the optimum of each state lies, (state); of Method::backward that of the first step.
  std::vector<double> least_value;
  std::vector<double> greatest_value;
  /// The looks of the method at its sweeps where options ask for them: at each sweep of most
  /// methods, at some of others; none of Method::backward.
  std::vector<SweepRecord> history;
  /// What states are worth with step + 1 … horizon steps to go and what to do then,
  /// (horizon, state), the first step first; where the options ask for them.
  std::vector<double> step_value;
  std::vector<std::int32_t> step_policy;
};

/// The method of this name, "value-iteration" and so on; "auto" is automatic. Errors: InputError
/// with the names that there are.
Method method_of(std::string_view name);

/// Finds the best policy and what it is worth. The same process and options give the same bits
/// whatever the number of threads. Errors: InputError for options that do not go together, with a
/// discount of 1 where from some state no policy ends (but see Endings), and for
/// BackendChoice::cuda where there is no such GPU; RunError when the GPU fails or values leave the
/// range of double precision; what `progress`, which may be null, throws: it is told of sweeps by
/// the thread that called.
Solution solve(const Process& process, const SolverOptions& options = {},
               Progress* progress = nullptr);

/// Q(s, a) = R(s, a) + γ Σ P(s'|s, a) V(s') of values V, (state): what each action is worth,
/// (state, action); no number (NaN) where a state does not have the action. With the optimum's
/// value the least or greatest of a state is that value again, but for the value's error. Errors:
/// InputError for values that are not one a state.
std::vector<double> action_values(const Process& process, std::span<const double> value,
                                  std::int32_t threads = 0);

/// Writes a solution as 'tidewise research solve' does: .h5, or .txt of two lines
/// (docs/mdp/formats.md); complete or not at all. `with_action_values`: of .h5 also q, (state,
/// action), of the solution's value. `state_count`: the first states alone, where the last ones are
/// somebody's own; 0: all. Errors: InputError for another ending, a solution of another process,
/// action values in .txt or of Method::backward, whose value is not that of a next step; RunError
/// when writing fails.
void write_solution(const std::filesystem::path& path, const Process& process,
                    const Solution& solution, bool with_action_values = false,
                    std::int32_t state_count = 0);

/// The values of a solution's file, as SolverOptions::first_value takes them.
struct StoredValues {
  std::vector<double> value;      ///< (state)
  std::string model_fingerprint;  ///< Process::fingerprint() of its process; empty: not known
};

/// Reads them, of a solution that did not converge too. Errors: InputError with file and line, or
/// variable.
StoredValues read_solution_values(const std::filesystem::path& path);

}  // namespace tidewise::mdp
