#include "planner/outputs/outputs.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/same_file.h"
#include "planner/error/codes.h"
#include "planner/folder/run_folder.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

bool is_present(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// A rollout's folder holds no policy, and a policy may have been copied without its summary.
bool holds_run(const fs::path& folder) {
  return is_present(folder / "policy.h5") ||
         (is_present(folder / "summary.json") && is_present(folder / "trajectories.nc"));
}

fs::path folder_of(const fs::path& file) { return fs::absolute(file).parent_path(); }

void refuse_file_of_run(const std::string& option, const fs::path& out) {
  const fs::path folder = folder_of(out);
  const bool is_of_run = same_file(out, folder / own_forecast) ||
                         std::any_of(run_files.begin(), run_files.end(), [&](const char* name) {
                           return same_file(out, folder / name);
                         });
  if (!is_of_run || !holds_run(folder)) return;
  throw input_error(errors::output_in_run, option, out.string(),
                    folder.lexically_proximate(fs::current_path()).string());
}

void refuse_other_kind(const std::string& option, const fs::path& out, const FileKind& kind) {
  std::error_code ignored;
  const bool has_content = fs::is_regular_file(out, ignored) && fs::file_size(out, ignored) > 0;
  if (!has_content || kind.fits(out)) return;
  throw input_error(errors::output_kind_differs, option, out.string(), kind.name);
}

}  // namespace

void Outputs::add_input(const fs::path& file) {
  if (!file.empty()) inputs_.push_back(file);
}

void Outputs::add_inputs(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) add_input(file);
}

void Outputs::add_mission_inputs(const MissionFile& mission) {
  add_input(mission.environment);
  add_input(mission.goal.follow);
}

void Outputs::add_run_inputs(const fs::path& policy, const MissionFile& mission) {
  add_input(policy);
  for (const char* name : run_files) add_input(folder_of(policy) / name);
  add_mission_inputs(mission);
}

void Outputs::add_output(const std::string& option, const fs::path& file, FileKind kind) {
  if (!file.empty()) outputs_.push_back({option, file, std::move(kind)});
}

void Outputs::validate(const Output& output) const {
  const auto& [option, path, kind] = output;
  (void)AtomicFile(path);  // refuses a place where no file can be made
  refuse_overwriting(option, path, inputs_);
  for (const Output& other : outputs_) {
    if (&other == &output) break;
    if (!same_file(path, other.path)) continue;
    throw input_error(errors::output_named_twice, option, path.string(), other.option);
  }
  refuse_file_of_run(option, path);
  if (overwrite_ == Overwrite::refused) refuse_other_kind(option, path, kind);
}

void Outputs::validate_run(const fs::path& folder) const {
  for (const char* name : run_files) refuse_overwriting("--out", folder / name, inputs_);
  require_no_run(folder, overwrite_);
}

void Outputs::validate() const {
  for (const Output& output : outputs_) validate(output);
  for (const fs::path& folder : runs_) validate_run(folder);
}

void require_no_run(const fs::path& folder, Overwrite overwrite) {
  if (overwrite == Overwrite::asked) return;
  RunFolder::clear_stale(folder);  // a killed process may have put the run aside
  for (const char* name : run_files) {
    if (!is_present(folder / name)) continue;
    throw input_error(errors::run_exists, folder.string(), name);
  }
}

}  // namespace tidewise
