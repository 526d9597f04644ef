#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/cell_closure.h"
#include "env/environment_info.h"
#include "env/environment_names.h"
#include "env/file/level_refusal.h"
#include "env/level_fields.h"
#include "env/missing_marks.h"
#include "env/row_window.h"

namespace tidewise {

/// The masks that a read of a level includes.
enum class MaskReading {
  always,
  moving  ///< only moving masks; a fixed mask is already in memory
};

/// A scalar field that a mission computes, in place of the file's.
struct ComputedScalar {
  std::string units;
  std::string long_name;
  /// Computes level k, (y, x), on a grid that may be a window of the file's.
  std::function<void(TimeLevel k, const Grid& grid, View<float> scalar)> fill;
};

/// An environment file (docs/forecast/environments.md), read level by level. The constructor
/// validates everything except the fields; read_level validates those. Errors: InputError naming
/// file, variable and remedy.
///
/// With a window the reader reads only the window's rows, and info().grid is the window's, as if
/// the environment were smaller. Mask and scalar field cover all known rows. Mean and modes are
/// read for the band only; in the halo they hold an arbitrary finite number.
class EnvironmentReader {
 public:
  /// Opens a file. `names`: the names of its variables.
  explicit EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names = {});
  /// Opens a window of a file. Requires that the window lies in the file's grid.
  EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names,
                    const RowWindow& window);
  /// Opens a window of an environment that is open without one; copies its closures.
  EnvironmentReader(const EnvironmentReader& whole, const RowWindow& window);

  /// Closes cells in addition to the file's mask, in all levels that are read later, and updates
  /// info().obstacles. Replaces the closures of an earlier call.
  void close(std::vector<CellClosure> closures);
  /// The closures of the last call of close().
  const std::vector<CellClosure>& closures() const { return closures_; }

  /// Replaces the file's scalar field, or adds one, in all levels that are read later; updates
  /// info().
  void replace_scalar(ComputedScalar scalar);

  /// Chooses the profiles to read, in this order; info() then lists only these. A file with several
  /// profiles needs this call before a level can be read. Errors: InputError for a name that the
  /// file lacks.
  void choose_profiles(const std::vector<std::string>& names);
  /// Chooses one profile by its number in the file.
  void choose_profile(std::size_t number);
  /// Makes all velocities that are read later means over a time of which `share`, 0 … 1, is spent
  /// in the profile "surface". Errors: InputError if the file has no such profile.
  void drift_at_surface(double share);
  /// Multiplies all coefficients that are read later by `factor`, for a forecast error of another
  /// size.
  void scale_coefficients(float factor) { coefficient_factor_ = factor; }
  /// Throws InputError if a profile still has to be chosen.
  void require_profile() const;

  /// The environment as it is read: with window, closures and chosen profiles.
  const EnvironmentInfo& info() const { return info_; }
  /// The file's rows that are read; all of them without a window.
  const RowWindow& window() const { return window_; }
  const std::filesystem::path& path() const { return file_.path(); }
  /// The file itself, for its other contents.
  const Hdf5File& file() const { return file_; }
  const EnvironmentNames& names() const { return names_; }

  /// Fills `fields` (constructed from info()) with level k. A value is missing if it is not finite,
  /// or equals its variable's _FillValue or missing_value. A closed cell where any of the
  /// velocity's fields is missing is `dry`, and all of them read 0 there, except shared modes that
  /// are not missing. A missing scalar in a closed cell reads 0. Any other missing value is
  /// refused. Shared modes are not copied: `fields` then refers to shared_modes() and has none of
  /// its own.
  void read_level(TimeLevel k, LevelFields<>& fields) const;

  /// The modes that all levels share, read once; null unless shares_modes(info()). Several threads
  /// may call it at once. Errors: InputError if the file cannot be read.
  std::shared_ptr<const SharedModes<>> shared_modes() const;

  /// The first half of read_level: copies the file's values, without checking them, to memory that
  /// the host can write, of the sizes that info() gives. Leaves `dry` and shared modes unchanged.
  void read_fields(TimeLevel k, const LevelFieldViews& fields,
                   MaskReading mask = MaskReading::always) const;
  /// The second half: validates and cleans the values (env/file/level_validation.h). With shared
  /// modes, `fields` includes SharedModes::missing.
  void validate_fields(TimeLevel k, const LevelFieldViews& fields) const;

  /// The values that mean "missing" in the file.
  const LevelMarks& marks() const { return marks_; }

  /// Reads only the mask of level k, (y, x).
  std::vector<std::uint8_t> read_masked(TimeLevel k) const;

  /// Longitude and latitude of the cell centres [degrees], (y, x); NaN where the file has none.
  /// Requires Coordinates::geographic. Errors: InputError for values out of range.
  std::vector<double> read_longitude() const;
  /// Latitude of the cell centres; as read_longitude().
  std::vector<double> read_latitude() const;

 private:
  bool has_profiles() const { return file_profiles_.size() > 1; }
  /// The start of a box in the `p`th chosen profile: `start` with an index of the profile
  /// dimension, if the file has one.
  Extents in_profile(std::int32_t p, Extents start, bool along_time = true) const;
  /// The start of a level's modes in their variables, without the profile dimension.
  Extents mode_start(TimeLevel k) const;
  void read_modes(std::int32_t p, const Extents& start, View<float> u, View<float> v) const;
  SharedModes<> read_shared_modes() const;
  Extents box_of(Extents box) const;
  MissingMarks find_marks(const std::string& variable) const;
  EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names,
                    std::optional<RowWindow> window);
  Hdf5Boxes open_planes(const std::string& variable) const;
  /// Boxes (…, row, x) of the band's rows; in memory they lie between the rows of the halo.
  Hdf5Boxes open_subdomain(const std::string& variable, Extents box) const;
  Hdf5Boxes open_mean(const std::string& variable) const;
  Hdf5Boxes open_modes(const std::string& variable) const;
  Hdf5Boxes open_coefficients() const;
  Hdf5Boxes open_mask() const;
  void read_coefficients(std::uint64_t level, View<float> coefficient) const;
  /// Reads the mask of level k and the `p`th chosen profile as numbers of type T, if there is one.
  template <class T>
  void read_flags(TimeLevel k, std::int32_t p, T* flags) const;
  /// Reads the mask with the closures. Errors: InputError for a value that uint8 cannot hold; later
  /// validation refuses other invalid values.
  void read_mask(TimeLevel k, std::int32_t p, View<std::uint8_t> masked) const;
  void read_file_mask(TimeLevel k, std::int32_t p, View<std::uint8_t> masked) const;
  /// Mixes the surface's share into a field that has been read. A missing value stays missing; a
  /// value that is missing only at the surface is taken as 0 there. `start`: in the variable,
  /// without the profile dimension.
  void add_drift(const Hdf5Boxes& variable, const Extents& start, const MissingMarks& missing,
                 View<float> field, bool along_time = true) const;
  /// Returns false if a value must be refused.
  bool validate_profile(const LevelFieldViews& fields) const;
  void refuse_profile(TimeLevel k, std::int32_t p, LevelFieldViews fields) const;
  LevelRefusal refusal(TimeLevel k, std::int32_t p) const;
  void fill_halo(const MissingMarks& missing, View<float> field) const;
  /// Reads positions (y, x) [degrees], NaN where missing. Errors: InputError for a value beyond
  /// ±limit.
  std::vector<double> read_positions(const std::string& variable, double limit) const;

  Hdf5File file_;
  EnvironmentNames names_;
  EnvironmentInfo info_;  ///< its grid is that of the known rows
  Obstacles file_obstacles_;
  std::vector<CellClosure> closures_;
  std::optional<ComputedScalar> computed_scalar_;
  std::vector<EnvironmentProfile> file_profiles_;
  std::vector<std::size_t> chosen_;  ///< numbers of the chosen profiles in the file
  struct Drift {
    std::size_t profile;  ///< number in the file
    float share;
  };
  std::optional<Drift> drift_;
  float coefficient_factor_ = 1;
  RowWindow window_;
  /// The result of shared_modes(); replaced when the profiles change.
  struct SharedModesCache {
    std::mutex mutex;
    std::shared_ptr<const SharedModes<>> modes;
  };
  std::shared_ptr<SharedModesCache> shared_modes_ = std::make_shared<SharedModesCache>();
  LevelMarks marks_;
  Hdf5Boxes u_mean_, v_mean_, u_mode_, v_mode_, coefficient_;
  Hdf5Boxes scalar_;  ///< closed without a scalar field
  Hdf5Boxes mask_;    ///< closed without a mask
};

}  // namespace tidewise
