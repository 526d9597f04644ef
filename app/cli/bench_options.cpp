#include "app/cli/bench_options.h"

#include <fmt/core.h>

#include "app/error/codes.h"
#include "base/error.h"

namespace tidewise {

void require_within(const std::string& option, std::int32_t value, Bounds bounds) {
  if (value < bounds.min || (bounds.max != Bounds::none && value > bounds.max)) {
    throw input_error(errors::option_value_invalid, option, value,
                      bounds.max == Bounds::none
                          ? fmt::format("be {} or more", bounds.min)
                          : fmt::format("lie between {} and {}", bounds.min, bounds.max));
  }
}

void validate_figures_output(const std::string& json, Overwrite overwrite) {
  Outputs outputs(overwrite);
  outputs.add_output(
      "--json", json,
      text_kind("benchmark's JSON", {"\"title\":", "\"comparison\":", "\"along\":"}));
  outputs.validate();
}

}  // namespace tidewise
