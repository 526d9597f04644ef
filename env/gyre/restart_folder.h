#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file/lock.h"
#include "env/gyre/modes/orthogonal_state.h"
#include "env/gyre/options.h"

namespace tidewise::gyre {

/// The progress of a gyre's computation, and the state from which it continues.
struct Checkpoint {
  OrthogonalState state;
  std::int32_t stretches_done = 0;  ///< number of intervals of the lead done
  std::int32_t levels_done = 0;     ///< a multiple of segments; `state` is that of the last level
  double velocity_scale = 0;        ///< U [m/s]; 0: not known yet
};

/// The folder of unfinished work next to an environment (`OUT.restart`): the options, the spun-up
/// flow, the solver's state (double precision) and the finished levels, in segments that are small
/// environments. Files are complete or absent, and only one process at a time holds the folder
/// (flock), so a process may end at any moment. Every file is sealed for the options (seal_file()):
/// files that are damaged or belong to other options are refused.
///
/// Errors: InputError if the folder belongs to other options or to another process, or is not such
/// a folder; RunError if a file cannot be written. A folder without a flow may be used for any
/// options.
class RestartFolder {
 public:
  /// Opens the folder of the environment `out`; creates it if it is missing.
  RestartFolder(const std::filesystem::path& out, const NamedOptions& options, Restart restart);
  RestartFolder(const RestartFolder&) = delete;
  RestartFolder& operator=(const RestartFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// The spun-up flow; nullopt if it is not done.
  std::optional<VelocityField> spun_up(const StaggeredGrid& grid) const;
  /// Stores the spun-up flow.
  void keep_spun_up(const VelocityField& velocity) const;

  /// The last checkpoint; nullopt if there is none.
  std::optional<Checkpoint> checkpoint(const StaggeredGrid& grid) const;
  /// Stores a checkpoint in place of the last one.
  void keep(const Checkpoint& checkpoint) const;

  /// The path of segment n.
  std::filesystem::path segment(std::int32_t n) const;
  /// Seals segment n after it is written. To be called before a checkpoint counts its levels.
  void keep_segment(std::int32_t n) const;
  /// The path of segment n, whose levels a checkpoint counts. Errors: InputError if the file is not
  /// as it was sealed.
  std::filesystem::path kept_segment(std::int32_t n) const;

  /// Deletes the folder with its content. If the process is killed meanwhile, the rest is still a
  /// valid folder.
  void remove();

 private:
  void take_lock();
  void validate_content(Restart restart, const NamedOptions& options) const;
  void refuse_foreign() const;
  void clear() const;

  std::filesystem::path path_;
  std::string purpose_;  // the options as text, for which files are sealed
  std::optional<FileLock> lock_;
};

/// The path of the restart folder of the environment `out`.
std::filesystem::path restart_path(const std::filesystem::path& out);

/// The progress of unfinished work.
struct RestartProgress {
  bool spun_up = false;
  std::int32_t levels_done = 0;
};
/// Reads the progress of the work for these options, without changing anything; nullopt if there is
/// no folder. Errors: InputError if it belongs to other options.
std::optional<RestartProgress> find_progress(const std::filesystem::path& out,
                                             const NamedOptions& options);

}  // namespace tidewise::gyre
