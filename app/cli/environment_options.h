#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "base/file/file_kind.h"
#include "env/environment_names.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// Adds --name ROLE=VARIABLE, which may be repeated: what an environment that was made elsewhere
/// calls its variables.
void add_names_option(Command command, std::vector<std::string>& names);

/// Adds --nx, --ny, --nt, --modes and --realizations: the sizes of an environment that is made.
template <class Options>
void add_size_options(Command command, Options& options) {
  command.add_option("--nx", options.nx, "Columns").show_default();
  command.add_option("--ny", options.ny, "Rows").show_default();
  command.add_option("--nt", options.level_count, "Time levels").show_default();
  command.add_option("--modes", options.mode_count, "Modes").show_default();
  command.add_option("--realizations", options.realization_count, "Realizations").show_default();
}

FileKind environment_kind();

/// Refuses a place of an environment that is made of `inputs`. Errors: those of Outputs.
void validate_environment_output(const std::filesystem::path& out, Overwrite overwrite,
                                 const std::vector<std::filesystem::path>& inputs = {});

/// Errors: InputError for a role that there is none of, and for text of another form.
EnvironmentNames parse_names(const std::vector<std::string>& names);

}  // namespace tidewise
