#include "env/gyre/restart_folder.h"

#include <fmt/format.h>

#include <sstream>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/fingerprint.h"
#include "base/file/made_folders.h"
#include "base/file/text_file.h"
#include "env/error/codes.h"
#include "env/gyre/checkpoint_file.h"

namespace tidewise::gyre {
namespace fs = std::filesystem;

namespace {

constexpr const char* options_name = "options.txt";
constexpr const char* lock_name = ".lock";
constexpr const char* spun_up_name = "spun_up.h5";
constexpr const char* checkpoint_name = "checkpoint.h5";
constexpr const char* segment_prefix = "levels_";

// Version of the solution. Raise it when the same options give different numbers.
constexpr const char* solver_version = "1";

NamedOptions with_version(NamedOptions options) {
  options.emplace_back("solver", solver_version);
  return options;
}

/// One line per option: name, a space, value.
std::string to_text(const NamedOptions& options) {
  std::string text;
  for (const auto& [name, value] : options) text += name + " " + value + "\n";
  return text;
}

/// Describes the first line in which the stored and the given list of options differ. One list may
/// be shorter.
std::string first_difference(const std::string& stored, const std::string& given) {
  std::istringstream a(stored);
  std::istringstream b(given);
  std::string x;
  std::string y;
  while (true) {
    const bool more_stored = static_cast<bool>(std::getline(a, x));
    const bool more_given = static_cast<bool>(std::getline(b, y));
    if (!more_stored && !more_given) return {};
    if (!more_stored) x = "no more options";
    if (!more_given) y = "no more options";
    if (x != y) return fmt::format("stored: {}, given: {}", x, y);
  }
}

/// True if the folder holds work to continue.
bool holds_work(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / spun_up_name, ignored) ||
         fs::exists(folder / checkpoint_name, ignored);
}

/// Returns true if the folder has these options, and false if it has none or no work. Errors:
/// InputError for work with other options.
bool has_options(const fs::path& folder, const NamedOptions& options) {
  std::error_code ignored;
  if (!fs::exists(folder / options_name, ignored)) return false;
  const std::string stored = read_text_file(folder / options_name, text_format::options);
  const std::string given = to_text(with_version(options));
  if (stored == given) return true;
  // A spin-up that failed or was interrupted leaves only its options, which may be replaced.
  const bool is_option_list = stored.starts_with(options.front().first + " ");
  if (is_option_list && !holds_work(folder)) return false;
  throw input_error(errors::restart_of_other_options, folder.string(),
                    first_difference(stored, given));
}

}  // namespace

fs::path restart_path(const fs::path& out) {
  fs::path path = out;
  path += ".restart";
  return path;
}

std::optional<RestartProgress> find_progress(const fs::path& out, const NamedOptions& options) {
  const fs::path folder = restart_path(out);
  if (!has_options(folder, options)) return std::nullopt;
  RestartProgress progress;
  std::error_code ignored;
  progress.spun_up = fs::exists(folder / spun_up_name, ignored);
  if (fs::exists(folder / checkpoint_name, ignored)) {
    progress.levels_done =
        read_levels_done(folder / checkpoint_name, to_text(with_version(options)));
  }
  return progress;
}

RestartFolder::RestartFolder(const fs::path& out, const NamedOptions& options, Restart restart)
    : path_(restart_path(out)), purpose_(to_text(with_version(options))) {
  MadeFolders parents;
  parents.make(fs::absolute(path_).parent_path());
  std::error_code error;
  fs::create_directory(path_, error);
  // Through a link, files in another folder would be written and deleted.
  if (error || fs::symlink_status(path_).type() != fs::file_type::directory) {
    throw input_error(errors::restart_folder_not_created, path_.string(),
                      error ? error.message() : "the name is taken by a file or a link");
  }
  parents.keep();
  take_lock();
  validate_content(restart, options);
}

void RestartFolder::take_lock() {
  const fs::path lock = path_ / lock_name;
  try {
    lock_ = FileLock::take(lock);
  } catch (const fs::filesystem_error& error) {
    throw input_error(errors::restart_folder_not_lockable, lock.string(), error.code().message());
  }
  if (lock_) {
    (void)lock_->sign();
    return;
  }
  throw input_error(errors::restart_folder_in_use, path_.string());
}

void RestartFolder::validate_content(Restart restart, const NamedOptions& options) const {
  if (!fs::exists(path_ / options_name)) refuse_foreign();
  if (restart == Restart::go_on && has_options(path_, options)) return;
  clear();
  write_text_file(path_ / options_name, purpose_);
}

/// Refuses a folder without options as foreign, unless it holds only what clear() leaves.
void RestartFolder::refuse_foreign() const {
  for (const auto& entry : fs::directory_iterator(path_)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.')) continue;
    throw input_error(errors::restart_folder_foreign, path_.string(), name);
  }
}

void RestartFolder::clear() const {
  // The options are removed last, so that the folder stays identifiable if this is interrupted.
  fs::remove(path_ / checkpoint_name);
  fs::remove(path_ / spun_up_name);
  for (const auto& entry : fs::directory_iterator(path_)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(segment_prefix)) fs::remove(entry.path());
  }
  fs::remove(path_ / options_name);
}

std::optional<VelocityField> RestartFolder::spun_up(const StaggeredGrid& grid) const {
  if (!fs::exists(path_ / spun_up_name)) return std::nullopt;
  return read_velocity(path_ / spun_up_name, purpose_, grid);
}

void RestartFolder::keep_spun_up(const VelocityField& velocity) const {
  write_velocity(path_ / spun_up_name, purpose_, velocity);
}

std::optional<Checkpoint> RestartFolder::checkpoint(const StaggeredGrid& grid) const {
  if (!fs::exists(path_ / checkpoint_name)) return std::nullopt;
  return read_checkpoint(path_ / checkpoint_name, purpose_, grid);
}

void RestartFolder::keep(const Checkpoint& checkpoint) const {
  write_checkpoint(path_ / checkpoint_name, purpose_, checkpoint);
}

fs::path RestartFolder::segment(std::int32_t n) const {
  return path_ / fmt::format("{}{:06}.h5", segment_prefix, n);
}

void RestartFolder::keep_segment(std::int32_t n) const { seal_file(segment(n), purpose_); }

fs::path RestartFolder::kept_segment(std::int32_t n) const {
  require_seal(segment(n), purpose_);
  return segment(n);
}

void RestartFolder::remove() {
  clear();
  std::error_code ignored;  // a remaining folder does no harm
  remove_left_temporaries(path_);
  // The lock is removed last, because this admits other processes.
  fs::remove(path_ / lock_name, ignored);
  fs::remove(path_, ignored);
}

}  // namespace tidewise::gyre
