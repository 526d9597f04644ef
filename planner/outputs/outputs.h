#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file/file_kind.h"
#include "tidewise/mission_file.h"

namespace tidewise {

/// Permission to replace an existing run, or an existing file of another kind than the new one.
enum class Overwrite { refused, asked };

/// The files that a command reads and writes, validated before any work: an output is no input, no
/// other output and no file of a run, and replaces only a file of its own kind unless the user
/// allows others.
class Outputs {
 public:
  explicit Outputs(Overwrite overwrite) : overwrite_(overwrite) {}

  /// Adds a file that the command reads; ignores an empty path.
  void add_input(const std::filesystem::path& file);
  void add_inputs(const std::vector<std::filesystem::path>& files);
  /// Adds the files that a mission names.
  void add_mission_inputs(const MissionFile& mission);
  /// Adds the files of a run, or of flights in a separate folder, and those that its mission names.
  void add_run_inputs(const std::filesystem::path& policy, const MissionFile& mission);

  /// Adds a file that the command writes; ignores an empty path. `option`: the option that names
  /// it, such as "--out".
  void add_output(const std::string& option, const std::filesystem::path& file, FileKind kind);
  /// Adds a folder into which a run is written.
  void add_run_output(const std::filesystem::path& folder) { runs_.push_back(folder); }

  /// Errors: InputError, one line with the option, for the first output that cannot be written.
  void validate() const;

 private:
  struct Output {
    std::string option;
    std::filesystem::path path;
    FileKind kind;
  };

  void validate(const Output& output) const;
  void validate_run(const std::filesystem::path& folder) const;

  Overwrite overwrite_;
  std::vector<std::filesystem::path> inputs_;
  std::vector<Output> outputs_;
  std::vector<std::filesystem::path> runs_;
};

/// Refuses a folder that holds a run, or files of the same names, unless they may be replaced.
/// Errors: InputError.
void require_no_run(const std::filesystem::path& folder, Overwrite overwrite);

}  // namespace tidewise
