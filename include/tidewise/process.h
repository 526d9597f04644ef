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

/// Finite Markov decision processes, made from arrays or read from files, and their solution. Link
/// Tidewise::mdp. Example: examples/library/solve.cpp.
namespace tidewise::mdp {

/// A finite Markov decision process in compressed sparse rows. Row number: state · action_count +
/// action.
///
/// An empty row is an action that the state does not have. A state without actions is terminal.
struct ProcessArrays {
  std::int32_t state_count = 0;         ///< number of states S
  std::int32_t action_count = 0;        ///< largest number of actions of a state
  std::vector<std::int64_t> row_begin;  ///< first entry of each row, and the end, (row + 1)
  std::vector<std::int32_t> successor;  ///< state, ascending within a row, each once, (entry)
  std::vector<double> probability;      ///< sums to 1 within a row, (entry)
  std::vector<double> reward;           ///< expected immediate reward, (row)
  /// Values of terminal states, and initial guesses for the other states, (state); empty: 0.
  std::vector<double> initial_value = {};
  double discount = 1;                        ///< γ, in [0, 1]
  Direction direction = Direction::maximize;  ///< maximize or minimize the total reward
};

/// As ProcessArrays, with arrays that the caller owns, such as a program in another language. They
/// are not copied: they must stay in place and unchanged while a process made from them exists.
/// Each solve validates them again.
struct ProcessViews {
  /// See ProcessArrays for the members.
  std::int32_t state_count = 0;
  std::int32_t action_count = 0;
  std::span<const std::int64_t> row_begin;
  std::span<const std::int32_t> successor;
  std::span<const double> probability;
  std::span<const double> reward;
  std::span<const double> initial_value = {};  ///< copied
  double discount = 1;
  Direction direction = Direction::maximize;
  std::shared_ptr<const void> owner;  ///< released with the last process that reads the arrays
};

/// The quantity to optimize in a model from a file.
enum class Goal {
  reward,  ///< the total reward, until a target state is reached if there is a target
  /// The probability of reaching a target state. The file's rewards and discount are ignored.
  probability
};

/// Options of reading a model file.
struct ReadRequest {
  /// Replaces the discount of the file; without either it is 1.
  std::optional<double> discount = {};
  /// Terminal states: labels of the file and numbers of states, separated by commas, such as
  /// "finished, 7" (docs/mdp/formats.md). Empty: none.
  std::string target = {};
  Goal goal = Goal::reward;                   ///< the quantity to optimize
  Direction direction = Direction::maximize;  ///< maximize or minimize it
};

/// A process that passed validation. Copies share the data.
class Process {
 public:
  /// Takes the arrays. Errors: InputError with state and action if the arrays do not fit each
  /// other, a row does not sum to one or is not ascending, names a state twice or a state that does
  /// not exist, or a number is out of range.
  explicit Process(ProcessArrays arrays);
  /// Refers to the caller's arrays. Errors: as above; InputError without an owner.
  explicit Process(const ProcessViews& arrays);
  /// Reads a model in any format of docs/mdp/formats.md. `progress` may be null. Errors: InputError
  /// with file and line, or for a request that the file cannot fulfil; exceptions of `progress`.
  static Process read(const std::filesystem::path& path, const ReadRequest& request = {},
                      Progress* progress = nullptr);
  /// Writes the process in the format of the file's ending, as 'tidewise research solve' reads it;
  /// complete or not at all. The direction is not stored. Errors: InputError for another ending or
  /// for data that the format cannot store, RunError when writing fails.
  void write(const std::filesystem::path& path) const;

  /// Number of states.
  std::int32_t state_count() const;
  /// Largest number of actions of a state.
  std::int32_t action_count() const;
  /// Number of entries of all rows.
  std::int64_t transition_count() const;
  /// Discount factor γ.
  double discount() const;
  /// Maximize or minimize.
  Direction direction() const;
  /// The arrays of the process, valid while it exists; see ProcessArrays.
  std::span<const std::int64_t> row_begin() const;
  std::span<const std::int32_t> successor() const;
  std::span<const double> probability() const;
  /// A copy of the expected immediate rewards, (row).
  std::vector<double> reward() const;
  /// 16 hexadecimal digits: a hash of states, transitions, rewards, direction and values of
  /// terminal states. The discount is not included.
  std::string fingerprint() const;

  struct Content;  ///< internal
  const Content& content() const { return *content_; }

 private:
  explicit Process(std::shared_ptr<const Content> content);

  std::shared_ptr<const Content> content_;
};

/// The result of a solve.
struct Solution : SolveFigures {
  /// Optimal value of each state, (state); of Method::backward at the first step. Infinite in
  /// states from which no admissible policy exists (Endings).
  std::vector<double> value;
  /// The best action of each state; −1 in terminal states and where the value is infinite, (state).
  std::vector<std::int32_t> policy;
  /// Bounds of the optimal value less `value`, over states with a finite value, rounding included;
  /// infinite if unknown.
  double lower = 0;
  double upper = 0;
  /// Reason for not converging, and a remedy, in one line; empty if converged.
  std::string shortfall;
  double tolerance = 0;  ///< the requested tolerance
  /// With a discount of 1: "sure" or "free", the policies that were compared; else empty.
  std::string_view policies;
  /// Name of the method, as on the command line; "policy-iteration" also if Method::automatic
  /// solved policies directly, without sweeps.
  std::string_view method;
  BackendChoice backend = BackendChoice::cpu;  ///< the backend that was used, cpu or cuda
  /// Bounds of the optimal value of each state, (state); of Method::backward at the first step.
  std::vector<double> min_value;
  std::vector<double> max_value;
  /// Records of sweeps, if SolverOptions::keeps_history: most methods record each sweep, some only
  /// a few, Method::backward none.
  std::vector<SweepRecord> history;
  /// Value and best action with step + 1 … horizon steps to go, (horizon, state), first step first;
  /// if SolverOptions::keeps_steps.
  std::vector<double> step_value;
  std::vector<std::int32_t> step_policy;
};

/// The method with this name, such as "value-iteration"; "auto" is Method::automatic. Errors:
/// InputError with the known names.
Method method_of(std::string_view name);

/// Finds the best policy and its value. The same process and options give the same bits with any
/// number of threads. `progress` may be null; the calling thread reports sweeps to it. Errors:
/// InputError for options that cannot be combined, for a discount of 1 if no policy terminates from
/// some state (but see Endings), and for BackendChoice::cuda without a GPU; RunError when the GPU
/// fails or values leave the range of double precision; exceptions of `progress`.
Solution solve(const Process& process, const SolverOptions& options = {},
               Progress* progress = nullptr);

/// Action values Q(s, a) = R(s, a) + γ Σ P(s'|s, a) V(s') of the values V, (state): (state,
/// action), NaN for actions that the state does not have. With the optimal value, the best Q of a
/// state equals the value again, except for the error of the value. Errors: InputError if `value`
/// does not have state_count() elements.
std::vector<double> action_values(const Process& process, std::span<const double> value,
                                  std::int32_t threads = 0);

/// Writes a solution as 'tidewise research solve' does, as .h5, or as .txt of two lines
/// (docs/mdp/formats.md); complete or not at all. `with_action_values`: an .h5 file also has q,
/// (state, action), of the solution's value. `state_count`: writes only the first states, if the
/// caller appended states of its own; 0: all. Errors: InputError for another ending, for a solution
/// of another process, and for action values in .txt or of Method::backward, whose value is not
/// that of a next step; RunError when writing fails.
void write_solution(const std::filesystem::path& path, const Process& process,
                    const Solution& solution, bool with_action_values = false,
                    std::int32_t state_count = 0);

/// Values from a solution file, for SolverOptions::first_value.
struct StoredValues {
  std::vector<double> value;      ///< (state)
  std::string model_fingerprint;  ///< Process::fingerprint() of its process; empty if unknown
};

/// Reads the values, also of a solution that did not converge. Errors: InputError with file and
/// line, or variable.
StoredValues read_solution_values(const std::filesystem::path& path);

}  // namespace tidewise::mdp
