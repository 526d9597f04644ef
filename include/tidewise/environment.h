#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tidewise/error.h"

namespace tidewise {

/// Size of an environment and position of its cells and levels.
struct EnvironmentAxes {
  std::int32_t nx = 0;            ///< columns of cells
  std::int32_t ny = 0;            ///< rows of cells
  double x_first = 0;             ///< centre of column 0 [m or 1]
  double y_first = 0;             ///< centre of row 0 [m or 1]
  double dx = 1;                  ///< width of a cell [m or 1], > 0
  double dy = 1;                  ///< height of a cell [m or 1], > 0
  std::int32_t levels = 0;        ///< number of levels Nt ≥ 2
  double time_first = 0;          ///< time of level 0 [s or 1]
  double time_step = 1;           ///< from a level to the next [s or 1], > 0
  std::int32_t modes = 0;         ///< number of modes, ≥ 1
  std::int32_t realizations = 0;  ///< number of realizations, ≥ 1
  bool metric = false;            ///< true: metres and seconds; false: numbers without units
};

/// Names of the variables in an environment file. A mission can change them in [environment.names].
struct EnvironmentNames {
  std::string x = "x";
  std::string y = "y";
  std::string time = "time";
  std::string u_mean = "u_mean";
  std::string v_mean = "v_mean";
  std::string u_mode = "u_mode";
  std::string v_mode = "v_mode";
  std::string coefficient = "coefficient";
  std::string scalar_mean = "scalar_mean";
  std::string obstacle_mask = "obstacle_mask";
  std::string realization_weight = "realization_weight";
  std::string lon = "lon";
  std::string lat = "lat";
};

/// A forecast in reduced-order form: realization r of the velocity at a level is the mean plus Σ
/// coefficient(mode, r) · mode. Array dimensions are in parentheses; the last one varies fastest.
struct EnvironmentArrays {
  /// Grid and levels; the arrays must have these sizes.
  EnvironmentAxes axes;
  std::vector<float> u_mean;  ///< [m s-1 or 1] along x, (time, y, x)
  std::vector<float> v_mean;  ///< [m s-1 or 1] along y, (time, y, x)
  /// [m s-1 or 1] along x, (time, mode, y, x); (mode, y, x) if the modes are constant in time.
  std::vector<float> u_mode;
  std::vector<float> v_mode;       ///< as u_mode, along y
  std::vector<float> coefficient;  ///< factor of each mode, (time, mode, realization)
  std::vector<float> scalar = {};  ///< scalar field to harvest from, (time, y, x); empty: none
  /// 0: open water, 1: land or obstacle, 2: outside the forecast, also closed; (time, y, x). Empty:
  /// all open.
  std::vector<std::uint8_t> masked = {};
};

/// Parameters of a kinematic double gyre, a synthetic environment for examples and tests. Lengths
/// are in cells, times in steps, velocities in cells per step.
struct DoubleGyreRequest {
  std::int32_t nx = 50;             ///< columns of cells
  std::int32_t ny = 50;             ///< rows of cells
  std::int32_t levels = 60;         ///< ≥ 2
  std::int32_t modes = 2;           ///< ≥ 1
  std::int32_t realizations = 100;  ///< ≥ 1
  std::uint64_t seed = 1;           ///< seed of the random coefficients
};

/// The currents in which missions are planned: a file, read level by level, so that it may be
/// larger than memory. Copies share it.
class Environment {
 public:
  /// Opens an environment file (docs/forecast/environments.md). Errors: InputError with file,
  /// variable and remedy.
  static Environment open(const std::filesystem::path& file, const EnvironmentNames& names = {});
  /// Opens an environment file and takes ownership of it: the file is deleted with the last copy of
  /// this object. Errors: those of open(); RunError if the file cannot be moved.
  static Environment take(const std::filesystem::path& file);
  /// Writes the arrays into a temporary file, which is deleted with the last copy of this object. A
  /// file is needed because all engines read levels from files. Errors: InputError if the arrays do
  /// not fit the axes or hold a velocity that is not finite, RunError if the disk is full.
  static Environment from(const EnvironmentArrays& arrays);
  /// Writes a double gyre into a temporary file, which is deleted with the last copy of this
  /// object. Errors: InputError for sizes out of range, RunError if the disk is full.
  static Environment double_gyre(const DoubleGyreRequest& request = {});

  /// Grid and levels.
  const EnvironmentAxes& axes() const;
  /// Absolute path of the file.
  const std::filesystem::path& file() const;
  /// Names of its variables.
  const EnvironmentNames& names() const;
  /// True if the file is deleted with the last copy of this object.
  bool is_temporary() const;
  /// Copies the environment to `file`. Errors: RunError.
  void save(const std::filesystem::path& file) const;

 private:
  struct Content;  ///< internal
  explicit Environment(std::shared_ptr<const Content> content);

  std::shared_ptr<const Content> content_;
};

}  // namespace tidewise
