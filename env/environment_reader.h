#pragma once

#include <filesystem>
#include <vector>

#include "base/hdf5_file.h"
#include "env/environment_info.h"
#include "env/environment_names.h"
#include "env/level_fields.h"

namespace tidewise {

/// An environment file (design section 4), read level by level. Opening judges everything but the
/// fields; read_level judges those. Errors: InputError naming file, variable and mend.
class EnvironmentReader {
 public:
  explicit EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names = {});

  const EnvironmentInfo& info() const { return info_; }
  const std::filesystem::path& path() const { return file_.path(); }
  const EnvironmentNames& names() const { return names_; }

  /// Fills `fields` (made of info()) with level k. Where a closed cell holds NaN the velocity reads
  /// 0 and `dry` is 1; a NaN anywhere else is refused.
  void read_level(TimeLevel k, LevelFields<>& fields) const;

  /// The closed cells of level k alone, (y, x).
  std::vector<std::uint8_t> read_closed(TimeLevel k) const;

  /// Longitude and latitude of the cell centres [degrees], (y, x). Requires
  /// Coordinates::geographic.
  std::vector<double> read_longitude() const;
  std::vector<double> read_latitude() const;

 private:
  void read_mask(TimeLevel k, View<std::uint8_t> closed) const;

  Hdf5File file_;
  EnvironmentNames names_;
  EnvironmentInfo info_;
};

}  // namespace tidewise
