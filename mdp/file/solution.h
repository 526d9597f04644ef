#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mdp/process/solution.h"
#include "mdp/text/byte_stream.h"

namespace tidewise::mdp {

/// How a solution came about, for its file.
struct SolutionOrigin {
  std::string model;    ///< the model's file
  std::string method;   ///< as the command line has it
  std::string backend;  ///< "cpu" or "cuda"
  double discount = 1;
  double tolerance = 0;
  std::string history;
  /// Without a discount: "sure" or "free", which policies were compared (Endings); else empty.
  std::string policies = {};
  std::string model_fingerprint = {};  ///< mdp/process/fingerprint.h; empty: not known
};

/// What goes with a solution in .h5 alone; what is empty is left out.
struct SolutionTables {
  std::int32_t action_count = 0;  ///< the most that a state has
  std::vector<double> q = {};  ///< what actions are worth, (state, action); NaN: does not have it
  std::vector<std::string> state_names = {};   ///< (state)
  std::vector<std::string> action_names = {};  ///< (action), or (state, action) as rows are
};

/// Writes policy and value of all states; atomic. .txt: two lines, "Optimal policy: …" and "Optimal
/// value: …", numbers with spaces between, −1 for the action of a terminal state, values with the
/// digits that read back to the same bits. .h5: the variables value and action, (state), and what
/// else there is to know as root attributes; without it where unbounded: error_lower, error_upper;
/// and, where each state has bounds of its own, the variables lower and upper, (state).
/// Backward induction's value is exact but for rounding, and has none of these and no residual.
/// `tables`: the variables q, (state, action), state_name and action_name of .h5. A solution that
/// did not converge is marked so by its attribute `converged`, which .txt has no place for. Errors:
/// InputError for another ending, RunError when writing fails.
template <class Real>
void write_solution(const std::filesystem::path& path, const ProcessSolution<Real>& solution,
                    const SolutionOrigin& origin, const SolutionTables& tables = {});

/// A solution's file as it is read: of .txt value and action alone, the rest as it is by default.
struct StoredSolution {
  ProcessSolution<double> solution;
  SolutionOrigin origin;
  std::string precision;  ///< "float" or "double"
};

/// Whether a file is a solution, by its ending .txt or by what a file .h5 holds.
bool is_solution_file(const std::filesystem::path& path);
/// Reads either. Errors: InputError with file and line, or variable.
StoredSolution read_solution(const std::filesystem::path& path);
/// Reads the two lines.
StoredSolution read_solution_text(ByteStream& bytes);

}  // namespace tidewise::mdp
