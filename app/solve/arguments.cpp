#include "app/solve/arguments.h"

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "app/cli/common_options.h"
#include "app/error/codes.h"
#include "base/error.h"
#include "mdp/api/named_options.h"
#include "planner/error/codes.h"

namespace tidewise {
namespace {

std::string dashed(std::string_view name) { return fmt::format("--{}", name); }

/// The error message for a value, or "" if it is valid.
std::string value_error(const mdp::NamedOption& option, const std::string& text) {
  mdp::NamedRequest request;
  return option.take(text, request);
}

}  // namespace

void add_method_options(Command command, SolveArguments& arguments) {
  for (const mdp::NamedOption& named : mdp::named_options()) {
    if (named.use != mdp::OptionUse::method) continue;
    const Option option = command.add_option(dashed(named.name), arguments.named[named.name],
                                             std::string(named.description));
    if (named.words.empty()) {
      option.type_name(named.kind).check([&named](const std::string& text) {
        return value_error(named, text);
      });
    } else {
      option.one_of({named.words.begin(), named.words.end()});
    }
    if (!named.default_value.empty()) option.show_default(named.default_value);
  }
}

void take_method_options(Command command, SolveArguments& arguments) {
  mdp::NamedRequest request;
  for (const auto& [name, text] : arguments.named) {
    if (command.option(dashed(name)).given()) mdp::set_option(request, name, text);
  }
  for (const std::string& setting : arguments.settings) {
    const std::size_t sign = setting.find('=');
    if (sign == std::string::npos) {
      throw input_error(errors::setting_without_value, "--set " + setting);
    }
    mdp::set_option(request, std::string_view(setting).substr(0, sign),
                    std::string_view(setting).substr(sign + 1), mdp::OptionUse::setting);
  }
  mdp::settle_method(request);
  arguments.options = mdp::SolveOptions(std::move(request.solver));
}

mdp::SolveOptions validate_method_options(const SolveArguments& arguments, const Backend& backend) {
  mdp::SolveOptions options = arguments.options;
  const auto require_at_least = [](const char* option, std::int64_t value, std::int64_t min) {
    if (value >= min) return;
    throw input_error(errors::count_too_small, option, value, min, "");
  };
  require_at_least("--max-sweeps", options.max_sweeps, 1);
  require_at_least("--horizon", options.horizon, 0);
  require_at_least("--agents", options.q_learning.agents, 1);
  require_at_least("--steps", options.q_learning.steps, 1);
  options.threads = backend.threads;
  mdp::settle_endings(options, options.endings, !arguments.target.empty(), arguments.direction);
  options.backend = backend.kind == BackendKind::cuda ? BackendChoice::cuda : BackendChoice::cpu;
  return options;
}

}  // namespace tidewise
