#include "app/run_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <system_error>

#include "base/error.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// In the order in which they may appear: who finds a summary finds the rest.
constexpr std::array<const char*, 3> run_files{"policy.h5", "trajectories.nc", "summary.json"};

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw InputError(
      fmt::format("{}: cannot hold a run ({}); choose another folder with --out or "
                  "output.directory",
                  path.string(), why));
}

fs::path without_last_slash(const fs::path& path) {
  const fs::path plain = fs::absolute(path).lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

}  // namespace

void RunFolder::judge(const fs::path& path) {
  std::error_code ignored;
  fs::path existing = without_last_slash(path);
  while (!fs::exists(existing, ignored) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  if (!fs::is_directory(existing, ignored)) {
    refuse(path, fmt::format("{} is not a folder", existing.string()));
  }
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    refuse(path, fmt::format("no permission to write in {}", existing.string()));
  }
}

RunFolder::RunFolder(const fs::path& path) : path_(without_last_slash(path)) {
  judge(path_);
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path folder = path_; !fs::exists(folder, error); folder = folder.parent_path()) {
    missing.insert(missing.begin(), folder);
  }
  staging_ = path_ / fmt::format(".run.{}.tmp", ::getpid());
  missing.push_back(staging_);
  for (const auto& folder : missing) {
    if (fs::create_directory(folder, error)) made_.push_back(folder);
    if (error) {
      const std::string reason = error.message();
      for (auto made = made_.rbegin(); made != made_.rend(); ++made) fs::remove(*made, error);
      refuse(path_, fmt::format("{} cannot be made: {}", folder.string(), reason));
    }
  }
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
  if (state_ == State::committed) return;
  // Innermost first; a folder that somebody else put a file into meanwhile is not empty and stays.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) fs::remove(*folder, ignored);
}

void RunFolder::commit() {
  std::error_code error;
  fs::remove(path_ / run_files.back(), error);
  for (const char* name : run_files) {
    const fs::path staged = staging_ / name;
    if (!fs::exists(staged, error)) {
      fs::remove(path_ / name, error);
      continue;
    }
    fs::rename(staged, path_ / name, error);
    if (error) {
      throw RunError(fmt::format("{}: could not be given its final name ({}); check the folder",
                                 (path_ / name).string(), error.message()));
    }
  }
  state_ = State::committed;
}

}  // namespace tidewise
