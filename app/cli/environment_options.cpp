#include "app/cli/environment_options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "app/error/codes.h"
#include "base/error.h"
#include "base/hdf5/file_kind.h"

namespace tidewise {

void add_names_option(Command command, std::vector<std::string>& names) {
  command
      .add_option("--name", names,
                  "The file's name of a variable, e.g. u_mean=ubar (like [environment.names] of a "
                  "mission); repeatable")
      .type_name("ROLE=VARIABLE")
      .one_at_a_time();
}

FileKind environment_kind() { return hdf5_kind("environment", "tidewise_environment"); }

void validate_environment_output(const std::filesystem::path& out, Overwrite overwrite,
                                 const std::vector<std::filesystem::path>& inputs) {
  Outputs outputs(overwrite);
  outputs.add_inputs(inputs);
  outputs.add_output("--out", out, environment_kind());
  outputs.validate();
}

EnvironmentNames parse_names(const std::vector<std::string>& names) {
  EnvironmentNames parsed;
  for (const std::string& text : names) {
    const auto equals = text.find('=');
    bool known = false;
    std::vector<std::string> roles;
    for (const auto& [role, name] : environment_roles) {
      roles.emplace_back(role);
      if (equals == std::string::npos || text.substr(0, equals) != role) continue;
      known = equals + 1 < text.size();
      parsed.*name = text.substr(equals + 1);
    }
    if (!known) {
      throw input_error(errors::environment_name_invalid, text, fmt::join(roles, ", "));
    }
  }
  return parsed;
}

}  // namespace tidewise
