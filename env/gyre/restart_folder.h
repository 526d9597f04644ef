#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file/lock.h"
#include "env/gyre/modes/orthogonal_state.h"
#include "env/gyre/options.h"

namespace tidewise::gyre {

/// How far a gyre's making has come, and all that it goes on from.
struct Checkpoint {
  OrthogonalState state;
  std::int32_t stretches_done = 0;  ///< of the lead
  std::int32_t levels_done = 0;     ///< in whole segments; the state is that of the last of them
  double velocity_scale = 0;        ///< U [m/s]; 0: not known yet
};

/// The folder beside an environment that is being made (`OUT.restart`): what was asked for, the
/// spun-up flow, the solver's state (double precision) and the levels done, in segments that are
/// small environments. Every file appears whole or not at all, and one process has the folder at a
/// time (flock), so that a process may end at any moment. Every file is sealed for the options
/// (seal_file()): what was damaged since, or was brought from elsewhere, is refused.
///
/// Errors: InputError where the folder belongs to other options, to another process or is no such
/// folder; RunError where a file cannot be written. A folder without a flow in it is anybody's.
class RestartFolder {
 public:
  /// Makes the folder where it is missing.
  RestartFolder(const std::filesystem::path& out, const NamedOptions& options, Restart restart);
  RestartFolder(const RestartFolder&) = delete;
  RestartFolder& operator=(const RestartFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::optional<VelocityField> spun_up(const StaggeredGrid& grid) const;
  void keep_spun_up(const VelocityField& velocity) const;

  std::optional<Checkpoint> checkpoint(const StaggeredGrid& grid) const;
  void keep(const Checkpoint& checkpoint) const;

  /// Where segment n belongs.
  std::filesystem::path segment(std::int32_t n) const;
  /// Seals segment n, which is written; before a checkpoint counts its levels.
  void keep_segment(std::int32_t n) const;
  /// Segment n, whose levels a checkpoint counts. Errors: InputError where it is not as it was
  /// kept.
  std::filesystem::path kept_segment(std::int32_t n) const;

  /// Takes the folder away with all that is in it; what a process that is killed meanwhile leaves
  /// is still a folder to go on from.
  void remove();

 private:
  void take_lock();
  void validate_content(Restart restart, const NamedOptions& options) const;
  void refuse_strangers() const;
  void clear() const;

  std::filesystem::path path_;
  std::string purpose_;  // the options, as text
  std::optional<FileLock> lock_;
};

/// The folder's name.
std::filesystem::path restart_path(const std::filesystem::path& out);

/// Reads, without changing anything, how far the making of these options has come; nothing where
/// there is no such folder. Errors: InputError where it belongs to other options.
struct Standing {
  bool spun_up = false;
  std::int32_t levels_done = 0;
};
std::optional<Standing> find_standing(const std::filesystem::path& out,
                                      const NamedOptions& options);

}  // namespace tidewise::gyre
