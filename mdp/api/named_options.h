#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tidewise/process.h"

namespace tidewise::mdp {

/// What is asked of reading and solving a process, and the options that were given.
struct NamedRequest {
  ReadRequest read = {};
  SolverOptions solver = {.backend = BackendChoice::automatic};
  std::vector<std::string_view> given = {};  ///< NamedOption::name, in the order of the calls
};

/// What an option belongs to.
enum class OptionUse {
  reading,  ///< the model and the first values
  method,   ///< an option of 'tidewise research solve'
  machine,  ///< backend, threads and precision
  setting   ///< METHOD.KEY of 'tidewise research solve --set'
};

/// An option of 'tidewise research solve' by its name there, without dashes. The command, Python
/// and C take options from this list.
struct NamedOption {
  std::string_view name;
  OptionUse use;
  std::string kind;                     ///< of its value, "INT"; empty: one of `words`
  std::vector<std::string_view> words;  ///< empty: a number or a text
  std::string_view description;
  /// Stores the value. Returns what is wrong with it, or "".
  std::function<std::string(std::string_view value, NamedRequest& request)> take;
  std::string default_value = {};  ///< empty: none to be shown
};

const std::vector<NamedOption>& named_options();

/// `use`: of these options only. Errors: InputError for a name that there is not, with those that
/// there are, and for a value that the option does not take.
void set_option(NamedRequest& request, std::string_view name, std::string_view value,
                std::optional<OptionUse> use = {});

/// Refuses options that were given and belong to another method than the chosen one. The automatic
/// method becomes fused where a layout was given, policy iteration where a stable policy is to end
/// it. Errors: InputError.
void settle_method(NamedRequest& request);

}  // namespace tidewise::mdp
