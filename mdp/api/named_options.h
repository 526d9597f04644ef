#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tidewise/process.h"

namespace tidewise::mdp {

/// Parsed options of reading and solving a process.
struct NamedRequest {
  ReadRequest read = {};
  SolverOptions solver = {.backend = BackendChoice::automatic};
  /// NamedOption::name of the options that were set, in order.
  std::vector<std::string_view> given = {};
};

/// The group of an option.
enum class OptionUse {
  reading,  ///< the model and the first values
  method,   ///< an option of 'tidewise research solve'
  machine,  ///< backend, threads and precision
  setting   ///< METHOD.KEY of 'tidewise research solve --set'
};

/// An option of 'tidewise research solve', by its name without dashes. The command, Python and C
/// share this list.
struct NamedOption {
  std::string_view name;
  OptionUse use;
  std::string kind;                     ///< placeholder of its value, "INT"; empty: one of `words`
  std::vector<std::string_view> words;  ///< allowed values; empty: a number or a text
  std::string_view description;
  /// Stores the value. Returns the error of an invalid value, or "".
  std::function<std::string(std::string_view value, NamedRequest& request)> take;
  std::string default_value = {};  ///< for the help; empty: none
};

/// All options.
const std::vector<NamedOption>& named_options();

/// Sets an option; `use` restricts the group. Errors: InputError for an unknown name, with the
/// known ones, and for an invalid value.
void set_option(NamedRequest& request, std::string_view name, std::string_view value,
                std::optional<OptionUse> use = {});

/// Refuses options of another method than the chosen one. Resolves the automatic method: fused if a
/// layout was given, policy iteration if StoppingRule::policy was. Errors: InputError.
void settle_method(NamedRequest& request);

}  // namespace tidewise::mdp
