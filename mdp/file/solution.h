#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mdp/process/solution.h"
#include "mdp/text/byte_stream.h"

namespace tidewise::mdp {

/// Origin of a solution, for its file.
struct SolutionOrigin {
  std::string model;    ///< the model's file
  std::string method;   ///< as on the command line
  std::string backend;  ///< "cpu" or "cuda"
  double discount = 1;
  double tolerance = 0;
  std::string history;
  /// The policies that were compared, if γ = 1: "sure" or "free" (Endings); else empty.
  std::string policies = {};
  std::string model_fingerprint = {};  ///< mdp/process/fingerprint.h; empty: unknown
};

/// Further data of a solution, only for .h5; empty members are omitted.
struct SolutionTables {
  std::int32_t action_count = 0;  ///< largest number of actions of a state
  std::vector<double> q = {};     ///< action values, (state, action); NaN: no such action
  std::vector<std::string> state_names = {};   ///< (state)
  std::vector<std::string> action_names = {};  ///< (action), or (row)
};

/// Writes policy and value of all states; atomic. .txt: two lines, "Optimal policy: …" and "Optimal
/// value: …", numbers separated by spaces, −1 for the action of a terminal state, values with
/// enough digits to restore the same bits. .h5: the variables value and action, (state), and the
/// other figures as root attributes; error_lower and error_upper are absent if unbounded; with
/// bounds of each state the variables lower and upper, (state). The value of backward induction is
/// exact except for rounding, and has no bounds and no residual. `tables`: the variables q, (state,
/// action), state_name and action_name of .h5. A solution that did not converge has the attribute
/// `converged` 0, which .txt cannot store. Errors: InputError for another ending, RunError when
/// writing fails.
template <class Real>
void write_solution(const std::filesystem::path& path, const ProcessSolution<Real>& solution,
                    const SolutionOrigin& origin, const SolutionTables& tables = {});

/// The content of a solution file; from .txt only value and action, with defaults for the rest.
struct StoredSolution {
  ProcessSolution<double> solution;
  SolutionOrigin origin;
  std::string precision;  ///< "float" or "double"
};

/// True if the file is a solution, by the ending .txt or the content of an .h5.
bool is_solution_file(const std::filesystem::path& path);
/// Reads either format. Errors: InputError with file and line, or variable.
StoredSolution read_solution(const std::filesystem::path& path);
/// Reads the two lines of a .txt.
StoredSolution read_solution_text(ByteStream& bytes);

}  // namespace tidewise::mdp
