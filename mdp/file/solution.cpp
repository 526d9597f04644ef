#include "mdp/file/solution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/cf_conventions.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/hdf5/file.h"
#include "base/progress.h"
#include "mdp/error/codes.h"
#include "mdp/file/hdf5_vector.h"
#include "mdp/process/options.h"
#include "mdp/text/file_text.h"
#include "mdp/text/text_output.h"

namespace tidewise::mdp {
namespace {

/// True if the value's only error is rounding (backward induction): no residual, no bounds.
bool is_exact(std::string_view method) { return method == name_of_backward; }

constexpr std::string_view policy_words = "Optimal policy:";
constexpr std::string_view value_words = "Optimal value:";

template <class Real>
void write_text(const std::filesystem::path& path, const ProcessSolution<Real>& solution) {
  TextOutput text(path);
  text.put("{}", policy_words);
  for (const std::int32_t action : solution.action) text.put(" {}", action);
  text.put("\n{}", value_words);
  for (const Real value : solution.value) text.put(" {}", value);
  text.put("\n");
  text.finish();
}

/// Writes the tables. Requires the dimension `state`. The dimension of actions is `choice`, because
/// `action` is a variable.
void write_tables(Hdf5File& file, std::uint64_t states, const SolutionTables& tables) {
  write_names(file, "state_name", "state", tables.state_names, "name of a state");
  const auto choices = static_cast<std::uint64_t>(tables.action_count);
  const bool are_row_names = tables.action_names.size() != choices;
  if (!tables.q.empty() || (!tables.action_names.empty() && !are_row_names)) {
    file.define_dimension("choice", choices);
  }
  if (!tables.action_names.empty() && are_row_names) file.define_dimension("row", states * choices);
  write_names(
      file, "action_name", are_row_names ? "row" : "choice", tables.action_names,
      are_row_names ? "name of an action, of row = state * choices + action" : "name of an action");
  if (tables.q.empty()) return;
  constexpr std::uint64_t chunk_elements = 1 << 20;
  const std::uint64_t rows = std::clamp<std::uint64_t>(chunk_elements / choices, 1, states);
  file.define_variable("q", NumberType::float64, {"state", "choice"},
                       {.chunk = {rows, choices}, .fill = std::nan("")});
  file.set_attribute("q", "long_name",
                     "what an action is worth; not a number where a state does not have it");
  for (std::uint64_t first = 0; first < states; first += rows) {
    const std::uint64_t count = std::min(rows, states - first);
    file.write("q", {first, 0}, {count, choices}, tables.q.data() + first * choices);
  }
}

template <class Real>
void write_hdf5(const std::filesystem::path& path, const ProcessSolution<Real>& solution,
                const SolutionOrigin& origin, const SolutionTables& tables) {
  AtomicFile atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary_path());
  const auto set = [&](const char* name, const auto& value) {
    file.set_attribute("/", name, value);
  };
  set("Conventions", cf_conventions);
  set("title", "Solution of a Markov decision process");
  set("tidewise_mdp_solution", std::int32_t{1});
  set("history", origin.history);
  set("model", origin.model);
  if (!origin.model_fingerprint.empty()) set("model_fingerprint", origin.model_fingerprint);
  set("method", origin.method);
  set("backend", origin.backend);
  set("precision", std::is_same_v<Real, float> ? "float" : "double");
  set("discount", origin.discount);
  set("tolerance", origin.tolerance);
  set("outcome", name_of(solution.outcome));
  set("converged", std::int32_t{solution.converged});
  set("sweeps", static_cast<double>(solution.sweeps));
  set("improvements", static_cast<double>(solution.improvements));
  if (!is_exact(origin.method)) {
    set("residual", solution.residual);
    if (std::isfinite(solution.bounds.lower)) set("error_lower", solution.bounds.lower);
    if (std::isfinite(solution.bounds.upper)) set("error_upper", solution.bounds.upper);
  }
  set("rounding", solution.rounding);
  if (!origin.policies.empty()) set("policies", origin.policies);
  set("seconds", solution.seconds);
  set("sweep_seconds", solution.sweep_seconds);
  set("seconds_per_sweep", solution.seconds_per_sweep());
  file.define_dimension("state", solution.value.size());
  write_vector(file, "value", "state", solution.value, "expected total discounted reward");
  write_vector(file, "action", "state", solution.action,
               "best action; -1 in states without actions and where the value is infinite");
  write_vector(file, "lower", "state", solution.lower, "the optimal value is no less");
  write_vector(file, "upper", "state", solution.upper, "the optimal value is no greater");
  write_tables(file, solution.value.size(), tables);
  file.close();
  atomic.commit();
}

/// The outcome with this name. Files of earlier versions have none.
Outcome read_outcome(std::string_view name, bool converged) {
  for (const Outcome outcome : {Outcome::within_tolerance, Outcome::limited_by_rounding,
                                Outcome::gave_up, Outcome::endless}) {
    if (name_of(outcome) == name) return outcome;
  }
  return converged ? Outcome::within_tolerance : Outcome::gave_up;
}

StoredSolution read_hdf5(const std::filesystem::path& path) {
  const Hdf5File file = Hdf5File::open(path);
  if (!file.number_attribute("/", "tidewise_mdp_solution")) {
    throw input_error(errors::not_a_solution, path.string());
  }
  const auto text = [&](const char* name) { return file.text_attribute("/", name).value_or(""); };
  const auto number = [&](const char* name, double default_value) {
    return file.number_attribute("/", name).value_or(default_value);
  };
  const auto count = [&](const char* name) {
    constexpr double max = 9e15;
    const double value = number(name, 0);
    return value >= 0 && value <= max ? static_cast<std::int64_t>(value) : 0;
  };
  StoredSolution stored;
  ProcessSolution<double>& solution = stored.solution;
  solution.value = read_vector<double>(file, "value");
  solution.action = read_vector<std::int32_t>(file, "action", {solution.value.size()});
  if (file.has("lower"))
    solution.lower = read_vector<double>(file, "lower", {solution.value.size()});
  if (file.has("upper"))
    solution.upper = read_vector<double>(file, "upper", {solution.value.size()});
  solution.converged = number("converged", 0) != 0;
  solution.outcome = read_outcome(text("outcome"), solution.converged);
  solution.sweeps = count("sweeps");
  solution.improvements = count("improvements");
  solution.residual = number("residual", 0);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double default_bound = is_exact(text("method")) ? 0 : infinity;
  solution.bounds = {number("error_lower", -default_bound), number("error_upper", default_bound)};
  solution.rounding = number("rounding", 0);
  solution.seconds = number("seconds", 0);
  solution.sweep_seconds = number("sweep_seconds", 0);
  stored.origin = {text("model"),         text("method"),           text("backend"),
                   number("discount", 1), number("tolerance", 0),   text("history"),
                   text("policies"),      text("model_fingerprint")};
  stored.precision = text("precision");
  return stored;
}

/// Reads the words of the two lines, which may be too long to hold as text.
class SolutionWords {
 public:
  explicit SolutionWords(ByteStream& bytes) : bytes_(bytes) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: line {}: {}", bytes_.name(), line_, why));
  }

  void require_words(std::string_view words) {
    while (!bytes_.at_end() && is_white(bytes_.peek())) skip_character();
    for (const char c : words) {
      if (bytes_.at_end() || bytes_.peek() != c) {
        refuse(error_text(errors::solution_first_line_differs, words));
      }
      skip_character();
    }
  }
  /// The next word of the line; empty at its end.
  std::string_view next() {
    while (!bytes_.at_end() && is_white(bytes_.peek()) && bytes_.peek() != '\n') skip_character();
    word_.clear();
    while (!bytes_.at_end() && !is_white(bytes_.peek())) {
      word_ += bytes_.peek();
      skip_character();
      if (word_.size() > longest_word)
        refuse(error_text(errors::solution_number_invalid, in_quotes(word_)));
    }
    return word_;
  }
  void require_end() {
    while (!bytes_.at_end() && is_white(bytes_.peek())) skip_character();
    if (!bytes_.at_end()) refuse(error_text(errors::solution_too_long));
  }

 private:
  static constexpr std::size_t longest_word = 1000;
  static bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  void skip_character() {
    if (bytes_.peek() == '\n') ++line_;
    bytes_.skip();
  }

  ByteStream& bytes_;
  std::string word_;
  std::int64_t line_ = 1;
};

/// Parses a value, which may be infinite (Endings).
std::optional<double> to_value(std::string_view word) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (word == "inf") return infinity;
  if (word == "-inf") return -infinity;
  return to_number(word);
}

}  // namespace

StoredSolution read_solution_text(ByteStream& bytes) {
  SolutionWords words(bytes);
  StoredSolution stored;
  words.require_words(policy_words);
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    const auto action = to_integer(word);
    if (!action || *action < -1 || *action > std::numeric_limits<std::int32_t>::max()) {
      words.refuse(error_text(errors::solution_action_invalid, in_quotes(word)));
    }
    stored.solution.action.push_back(static_cast<std::int32_t>(*action));
  }
  words.require_words(value_words);
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    const auto value = to_value(word);
    if (!value) words.refuse(error_text(errors::solution_number_invalid, in_quotes(word)));
    stored.solution.value.push_back(*value);
  }
  if (stored.solution.value.size() != stored.solution.action.size()) {
    words.refuse(error_text(errors::solution_lines_differ, stored.solution.value.size(),
                            stored.solution.action.size()));
  }
  words.require_end();
  if (stored.solution.value.empty()) words.refuse(error_text(errors::solution_empty));
  return stored;
}

bool is_solution_file(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) return false;
  if (path.extension() == ".txt") return true;
  if (path.extension() != ".h5") return false;
  try {
    return Hdf5File::open(path).number_attribute("/", "tidewise_mdp_solution").has_value();
  } catch (const InputError&) {
    return false;
  }
}

StoredSolution read_solution(const std::filesystem::path& path) {
  if (path.extension() == ".h5") return read_hdf5(path);
  SilentProgress progress;
  ByteStream bytes(path, progress);
  return read_solution_text(bytes);
}

template <class Real>
void write_solution(const std::filesystem::path& path, const ProcessSolution<Real>& solution,
                    const SolutionOrigin& origin, const SolutionTables& tables) {
  if (path.extension() == ".txt") return write_text(path, solution);
  if (path.extension() == ".h5") return write_hdf5(path, solution, origin, tables);
  throw input_error(errors::solution_form_unknown, path.string());
}

template void write_solution(const std::filesystem::path&, const ProcessSolution<float>&,
                             const SolutionOrigin&, const SolutionTables&);
template void write_solution(const std::filesystem::path&, const ProcessSolution<double>&,
                             const SolutionOrigin&, const SolutionTables&);

}  // namespace tidewise::mdp
