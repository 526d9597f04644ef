#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/hdf5_file.h"
#include "env/environment_info.h"
#include "env/level_fields.h"

namespace tidewise {

/// Writes an environment file (design section 4) level by level. It takes its final name at
/// finish(); without that it leaves nothing. The same input gives the same bytes.
class EnvironmentWriter {
 public:
  /// `info` says everything but the fields; its texts become root attributes.
  EnvironmentWriter(const std::filesystem::path& path, const EnvironmentInfo& info);

  /// Longitude and latitude of the cell centres [degrees], (y, x). Requires
  /// Coordinates::geographic, and is required then.
  void write_longitude_latitude(const std::vector<double>& longitude,
                                const std::vector<double>& latitude);
  /// CF grid mapping attributes (name, value) of the projection; optional.
  void write_grid_mapping(const std::vector<std::pair<std::string, std::string>>& attributes);
  /// One level, in any order, each once. Cells whose `dry` is 1 are stored as NaN. A fixed mask is
  /// taken from level 0.
  void write_level(TimeLevel k, const LevelFields<>& fields);
  /// A further root attribute.
  void set_attribute(const std::string& name, std::string_view text);
  void finish();

 private:
  void define(const EnvironmentInfo& info);

  EnvironmentInfo info_;
  AtomicFile atomic_;
  Hdf5File file_;
};

}  // namespace tidewise
