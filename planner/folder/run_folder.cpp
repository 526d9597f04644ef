#include "planner/folder/run_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/open_file.h"
#include "planner/error/codes.h"
#include "planner/folder/exports.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw input_error(errors::run_folder_unusable, path.string(), why);
}

fs::path without_last_slash(const fs::path& path) {
  const fs::path plain = fs::absolute(path).lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

/// The folder within a run's folder in which its files are made. All processes use this name, so
/// that the owner of its lock owns the run's folder.
constexpr const char* staging_name = ".run.tmp";

/// Folders within the staging folder in which commit() keeps the previous run. Its files are moved
/// one by one into `leaving`, which is renamed to `left` before the new files are moved.
constexpr const char* leaving = "leaving";
constexpr const char* left = "left";
/// A folder that is made before the run's own forecast is moved. If the staging folder then holds
/// no forecast, the forecast was moved.
constexpr const char* entering = "entering";

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw RunError(fmt::format("{}: cannot take a run's place ({}); check the folder and run again",
                             path.string(), why));
}

/// Opens a folder in another one, and makes it if it is missing. Errors: RunError, also for a link
/// of that name.
OpenFolder make_folder(const OpenFolder& parent, const std::string& name) {
  try {
    parent.make_folder(name, 0777);
    return {parent, name};
  } catch (const fs::filesystem_error& error) {
    fail(parent.path() / name, error.code().message());
  }
}

/// Moves a file if `from` contains it. Errors: RunError, also for a folder, because a folder with
/// the name of a run's file is the user's.
void move_file(const OpenFolder& from, const OpenFolder& to, const std::string& name) {
  if (from.contains_folder(name)) fail(from.path() / name, "it is a folder");
  try {
    from.move(name, to, name);
  } catch (const fs::filesystem_error& error) {
    fail(to.path() / name, error.code().message());
  }
}

bool holds_run_file(const OpenFolder& folder) {
  return std::any_of(run_files.begin(), run_files.end(),
                     [&](const char* name) { return folder.contains(name); });
}

bool is_in_exports(const fs::path& file) { return file.has_parent_path(); }

/// Moves the previous run and its exports into the staging folder, the summary first.
void put_aside(const OpenFolder& folder, const OpenFolder& staging) {
  {
    const OpenFolder aside = make_folder(staging, leaving);
    const bool replaces = holds_run_file(folder);
    for (auto name = run_files.rbegin(); name != run_files.rend(); ++name) {
      move_file(folder, aside, *name);
    }
    const std::vector<fs::path> exports =
        replaces ? find_exports(folder.path()).ours : std::vector<fs::path>();
    for (const fs::path& file : exports) {
      if (!is_in_exports(file)) {
        move_file(folder, aside, file.string());
        continue;
      }
      move_file(OpenFolder(folder, exports_folder), make_folder(aside, exports_folder),
                file.filename().string());
    }
  }
  staging.move(leaving, staging, left);
}

/// Moves the run's own forecast. Must be called before the policy that was planned on it is moved.
void move_forecast(const OpenFolder& folder, const OpenFolder& staging) {
  if (!staging.contains(own_forecast)) return;
  if (folder.contains(own_forecast)) fail(folder.path() / own_forecast, "it is there");
  (void)make_folder(staging, entering);
  move_file(staging, folder, own_forecast);
}

/// Moves the run's routes. A route replaces no file, because such a file is not from Tidewise.
void move_exports(const OpenFolder& folder, const OpenFolder& staging) {
  if (!staging.contains_folder(exports_folder)) return;
  const OpenFolder from(staging, exports_folder);
  const OpenFolder to = make_folder(folder, exports_folder);
  for (const std::string& name : from.names()) {
    if (!to.contains(name)) move_file(from, to, name);
  }
}

/// Removes the routes that the new run brought.
void remove_exports(const OpenFolder& folder) {
  for (const fs::path& file : find_exports(folder.path()).ours) {
    if (!is_in_exports(file)) continue;
    OpenFolder(folder, exports_folder).remove_file(file.filename().string());
  }
}

/// Moves the exports of the previous run back.
void put_exports_back(const OpenFolder& folder, const OpenFolder& aside) {
  if (aside.contains_folder(exports_folder)) {
    const OpenFolder from(aside, exports_folder);
    const OpenFolder to = make_folder(folder, exports_folder);
    for (const std::string& name : from.names()) move_file(from, to, name);
  }
  for (const std::string& name : aside.names()) {
    const bool is_of_run = std::find(run_files.begin(), run_files.end(), name) != run_files.end();
    if (!is_of_run && !aside.contains_folder(name)) move_file(aside, folder, name);
  }
}

/// Moves the previous run back, its summary last, from any stage of commit(). Can be interrupted
/// and repeated.
void put_back(const OpenFolder& folder, const OpenFolder& staging) {
  if (staging.contains(entering) && !staging.contains(own_forecast)) {
    folder.remove_file(own_forecast);
  }
  if (staging.contains(left)) {
    const OpenFolder aside(staging, left);  // refuses a link before anything is removed
    for (auto name = run_files.rbegin(); name != run_files.rend(); ++name) {
      folder.remove_file(*name);
    }
    if (holds_run_file(aside)) remove_exports(folder);  // `aside` holds those of the earlier run
    staging.move(left, staging, leaving);
  }
  if (!staging.contains(leaving)) return;
  const OpenFolder aside(staging, leaving);
  put_exports_back(folder, aside);
  for (const char* name : run_files) move_file(aside, folder, name);
}

/// Clears the remains of a killed process from the staging folder. If the run's folder has no
/// summary, the process was killed while it replaced the earlier run, which is moved back.
void clear_staging(const OpenFolder& folder, const LockedFolder& staging) {
  try {
    if (!folder.contains(run_files.back())) put_back(folder, staging.folder());
    staging.clear();
  } catch (const fs::filesystem_error& error) {
    refuse_too_many_files(folder.path(), error.code());
    refuse(folder.path(), fmt::format("{} cannot be cleared: {}", staging.path().string(),
                                      error.code().message()));
  } catch (const std::exception& failure) {
    refuse(folder.path(), fmt::format("an earlier run in {} cannot be put back: {}",
                                      staging.path().string(), failure.what()));
  }
}

/// Returns the empty staging folder of a run in `folder`. Errors: InputError.
LockedFolder take_staging(const OpenFolder& folder) {
  const fs::path path = folder.path() / staging_name;
  try {
    auto staging = LockedFolder::take(path);
    if (!staging) {
      throw input_error(errors::run_folder_in_use, folder.path().string(),
                        holder_of(LockedFolder::lock_of(path)));
    }
    try {
      if (staging->was_left()) clear_staging(folder, *staging);
    } catch (...) {
      staging->leave();  // an earlier run may be in it
      throw;
    }
    return std::move(*staging);
  } catch (const fs::filesystem_error& error) {
    refuse_too_many_files(path, error.code());
    refuse(folder.path(), fmt::format("{}: {}", path.string(), error.code().message()));
  }
}

/// Errors: InputError where the path is no folder, or a link.
OpenFolder open_run_folder(const fs::path& path) {
  try {
    return {path, OpenFolder::Links::refused};
  } catch (const fs::filesystem_error& error) {
    refuse_too_many_files(path, error.code());
    refuse(path, error.code().message());
  }
}

}  // namespace

void RunFolder::validate(const fs::path& path) {
  std::error_code ignored;
  fs::path existing = without_last_slash(path);
  if (fs::is_symlink(existing, ignored)) {
    refuse(path, fmt::format("it is a link to {}, and links are not followed",
                             fs::read_symlink(existing, ignored).string()));
  }
  while (!fs::exists(existing, ignored) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  if (!fs::is_directory(existing, ignored)) {
    refuse(path, fmt::format("{} is not a folder", existing.string()));
  }
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    refuse(path, fmt::format("no permission to write in {}", existing.string()));
  }
  for (const char* name : run_files) {
    if (!fs::is_directory(path / name, ignored)) continue;
    refuse(path, fmt::format("{} is a folder", (path / name).string()));
  }
}

void RunFolder::clear_stale(const fs::path& path) {
  const fs::path folder = without_last_slash(path);
  std::error_code ignored;
  if (!fs::exists(folder / staging_name, ignored)) return;
  try {
    (void)take_staging(OpenFolder(folder, OpenFolder::Links::followed));
  } catch (const InputError&) {            // another process writes there, or the name is in use
  } catch (const fs::filesystem_error&) {  // the next run that is written there reports it
  }
}

fs::path RunFolder::first_free(const fs::path& prefix) {
  for (int n = 1;; ++n) {
    fs::path folder = prefix;
    folder += std::to_string(n);
    if (!fs::exists(folder)) return folder;
  }
}

std::unique_ptr<RunFolder> RunFolder::make_new(const fs::path& path) {
  std::error_code error;
  const bool is_new = fs::create_directory(path, error);
  if (error) refuse(path, error.message());
  if (!is_new) return nullptr;
  try {
    auto folder = std::make_unique<RunFolder>(path);
    folder->made_.insert(folder->made_.begin(), folder->path_);
    return folder;
  } catch (...) {
    fs::remove(path, error);
    throw;
  }
}

RunFolder::RunFolder(const fs::path& path) : path_(without_last_slash(path)) {
  validate(path_);
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path folder = path_; !fs::exists(folder, error); folder = folder.parent_path()) {
    missing.insert(missing.begin(), folder);
  }
  try {
    for (const auto& folder : missing) {
      if (fs::create_directory(folder, error)) made_.push_back(folder);
      if (error)
        refuse(path_, fmt::format("{} cannot be made: {}", folder.string(), error.message()));
    }
    folder_.emplace(open_run_folder(path_));
    staging_.emplace(take_staging(*folder_));
  } catch (...) {
    remove_made();
    throw;
  }
}

/// Removes the innermost folder first. A folder into which another process has put a file stays.
void RunFolder::remove_made() const {
  std::error_code ignored;
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) fs::remove(*folder, ignored);
}

RunFolder::~RunFolder() {
  if (state_ == State::torn) {  // the earlier run is in it
    staging_->leave();
    return;
  }
  staging_.reset();
  if (state_ == State::open) remove_made();
}

void RunFolder::commit() {
  const OpenFolder& staged = staging_->folder();
  if (!staged.is_in_place()) fail(staging(), "another folder has its name now");
  try {
    put_aside(*folder_, staged);
    move_forecast(*folder_, staged);
    for (const char* name : run_files) move_file(staged, *folder_, name);
    move_exports(*folder_, staged);
    flush_to_disk(path_);
  } catch (const std::exception& failure) {
    try {
      put_back(*folder_, staged);
    } catch (const std::exception&) {
      state_ = State::torn;
      throw RunError(
          fmt::format("{}; the earlier run is kept in {}, and the next run in this "
                      "folder puts it back",
                      failure.what(), staging().string()));
    }
    throw RunError(failure.what());
  }
  state_ = State::committed;
}

}  // namespace tidewise
