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

/// Which masks a read of a level brings in.
enum class MaskReading {
  always,
  moving  ///< one that does not change with time is left as the memory holds it
};

/// A scalar field that a mission makes for itself, in place of the file's.
struct MadeScalar {
  std::string units;
  std::string long_name;
  /// Fills in level k on a grid, which may be a window of the file's: (y, x).
  std::function<void(TimeLevel k, const Grid& grid, View<float> scalar)> fill;
};

/// An environment file (docs/forecast/environments.md), read level by level. Opening judges
/// everything but the fields; read_level judges those. Errors: InputError naming file, variable and
/// remedy.
///
/// With a window of its rows it reads no others, and info().grid is the window's: what works on it
/// finds a smaller environment. Mask and scalar field are those of all known rows; mean and modes
/// come for the band alone, and hold in the halo a number that means nothing.
class EnvironmentReader {
 public:
  explicit EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names = {});
  /// Requires that the window lies in the file's grid.
  EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names,
                    const RowWindow& window);
  /// A window of an environment that is open without one, with the closures of that.
  EnvironmentReader(const EnvironmentReader& whole, const RowWindow& window);

  /// Closes cells on top of what the file closes, for all that is read from now on. info() says
  /// from now on what obstacles there are.
  void close(std::vector<CellClosure> closures);
  const std::vector<CellClosure>& closures() const { return closures_; }

  /// Puts a scalar field in the place of the file's, or where it has none, for all that is read
  /// from now on; info() describes it.
  void replace_scalar(MadeScalar scalar);

  /// Of a file with several profiles, reads these from now on, in this order; info() names no
  /// other. Until then levels are refused. Errors: InputError where the file has none of that name.
  void choose_profiles(const std::vector<std::string>& names);
  /// The same of one, by its number in the file, for each of them in turn.
  void choose_profile(std::size_t number);
  /// From now on all velocities that are read are the mean over a time of which `share`, 0 … 1, is
  /// spent in the profile "surface". Errors: InputError where the file has none.
  void drift_at_surface(double share);
  /// From now on all coefficients are multiplied with `factor`, for a forecast error of another
  /// size.
  void scale_coefficients(float factor) { coefficient_factor_ = factor; }
  /// Errors: InputError where one has to be chosen.
  void require_profile() const;

  const EnvironmentInfo& info() const { return info_; }
  /// The rows that are read, of the file's; without a window all of them.
  const RowWindow& window() const { return window_; }
  const std::filesystem::path& path() const { return file_.path(); }
  /// The file itself, for what else it says.
  const Hdf5File& file() const { return file_; }
  const EnvironmentNames& names() const { return names_; }

  /// Fills `fields` (made of info()) with level k. Missing is what is not finite, or equals its
  /// variable's _FillValue or missing_value. A closed cell where any of the velocity's fields is
  /// missing is `dry`, and all of them read 0 there, except for shared modes that are not missing;
  /// a missing scalar in a closed cell reads 0. Anything missing elsewhere is refused. Modes that
  /// levels share are not copied: `fields` then has shared_modes() and none of its own.
  void read_level(TimeLevel k, LevelFields<>& fields) const;

  /// The modes of all levels, read once; null unless shares_modes(info()). Several threads may call
  /// it at once. Errors: InputError where the file cannot be read.
  std::shared_ptr<const SharedModes<>> shared_modes() const;

  /// The two halves of read_level. The first puts the file's values into memory that the host can
  /// write, of the sizes that info() asks for, and looks at none; `dry` is left alone, and so are
  /// shared modes. The second takes SharedModes::missing with the fields.
  void read_fields(TimeLevel k, const LevelFieldViews& fields,
                   MaskReading mask = MaskReading::always) const;
  /// The second judges and cleans them, by env/file/level_validation.h.
  void validate_fields(TimeLevel k, const LevelFieldViews& fields) const;

  /// What stands for "missing" in the file.
  const LevelMarks& marks() const { return marks_; }

  /// The closed cells of level k alone, (y, x).
  std::vector<std::uint8_t> read_masked(TimeLevel k) const;

  /// Longitude and latitude of the cell centres [degrees], (y, x); NaN where the file has none.
  /// Requires Coordinates::geographic. Errors: InputError for what is no longitude or latitude.
  std::vector<double> read_longitude() const;
  std::vector<double> read_latitude() const;

 private:
  bool has_profiles() const { return file_profiles_.size() > 1; }
  /// Of a variable of profiles: where the `p`th of those chosen begins, along the others from
  /// `start` on.
  Extents in_profile(std::int32_t p, Extents start, bool along_time = true) const;
  /// Where a level's modes begin in their variables, without the profile.
  Extents mode_start(TimeLevel k) const;
  void read_modes(std::int32_t p, const Extents& start, View<float> u, View<float> v) const;
  SharedModes<> read_shared_modes() const;
  Extents box_of(Extents box) const;
  MissingMarks find_marks(const std::string& variable) const;
  EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names,
                    std::optional<RowWindow> window);
  Hdf5Boxes open_planes(const std::string& variable) const;
  /// Boxes (…, row, x) of the band's rows, which lie between those of the halo in memory.
  Hdf5Boxes open_subdomain(const std::string& variable, Extents box) const;
  Hdf5Boxes open_mean(const std::string& variable) const;
  Hdf5Boxes open_modes(const std::string& variable) const;
  Hdf5Boxes open_coefficients() const;
  Hdf5Boxes open_mask() const;
  void read_coefficients(std::uint64_t level, View<float> coefficient) const;
  /// The mask of level k, of the `p`th profile that is read, as numbers of T, where there is one.
  template <class T>
  void read_flags(TimeLevel k, std::int32_t p, T* flags) const;
  /// Errors: InputError for a value that uint8 does not hold; others are for a judge.
  void read_mask(TimeLevel k, std::int32_t p, View<std::uint8_t> masked) const;
  void read_file_mask(TimeLevel k, std::int32_t p, View<std::uint8_t> masked) const;
  /// Brings the surface's share into a field whose profile has been read; what is missing in either
  /// adds nothing. `start`: of the variable, without the profile.
  void add_drift(const Hdf5Boxes& variable, const Extents& start, const MissingMarks& missing,
                 View<float> field, bool along_time = true) const;
  /// False where something must be refused.
  bool validate_profile(const LevelFieldViews& fields) const;
  void refuse_profile(TimeLevel k, std::int32_t p, LevelFieldViews own) const;
  LevelRefusal refusal(TimeLevel k, std::int32_t p) const;
  void fill_halo(const MissingMarks& missing, View<float> field) const;
  /// (y, x) [degrees], NaN where there are none. Errors: InputError for one beyond ±most.
  std::vector<double> read_positions(const std::string& variable, double most) const;

  Hdf5File file_;
  EnvironmentNames names_;
  EnvironmentInfo info_;  ///< of the known rows
  Obstacles file_obstacles_;
  std::vector<CellClosure> closures_;
  std::optional<MadeScalar> made_scalar_;
  std::vector<EnvironmentProfile> file_profiles_;
  std::vector<std::size_t> chosen_;  ///< of several profiles, numbers in the file
  struct Drift {
    std::size_t profile;  ///< number in the file
    float share;
  };
  std::optional<Drift> drift_;
  float coefficient_factor_ = 1;
  RowWindow window_;
  /// What shared_modes() gives; another one after a change of profiles.
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
