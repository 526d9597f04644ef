#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "base/file/file_kind.h"
#include "env/environment_names.h"
#include "planner/outputs/outputs.h"

namespace tidewise {

/// Adds --name ROLE=VARIABLE, which may be repeated: the names of variables in an environment file
/// that another program wrote.
void add_names_option(Command command, std::vector<std::string>& names);

/// Adds --nx, --ny, --nt, --modes and --realizations: the sizes of a synthetic environment.
template <class Options>
void add_size_options(Command command, Options& options) {
  command.add_option("--nx", options.nx, "Columns").show_default();
  command.add_option("--ny", options.ny, "Rows").show_default();
  command.add_option("--nt", options.level_count, "Time levels").show_default();
  command.add_option("--modes", options.mode_count, "Modes").show_default();
  command.add_option("--realizations", options.realization_count, "Realizations").show_default();
}

FileKind environment_kind();  ///< files of environments

/// Refuses an --out that an environment made from `inputs` cannot be written to. Errors: those of
/// Outputs.
void validate_environment_output(const std::filesystem::path& out, Overwrite overwrite,
                                 const std::vector<std::filesystem::path>& inputs = {});

/// Parses values of --name. Errors: InputError for an unknown role, and for text of another form.
EnvironmentNames parse_names(const std::vector<std::string>& names);

}  // namespace tidewise
