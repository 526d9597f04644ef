#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tidewise/error.h"

namespace tidewise {

/// How large an environment is and where its cells and levels lie.
struct EnvironmentAxes {
  std::int32_t nx = 0;            ///< columns
  std::int32_t ny = 0;            ///< rows
  double x_first = 0;             ///< centre of column 0 [m or 1]
  double y_first = 0;             ///< centre of row 0 [m or 1]
  double dx = 1;                  ///< [m or 1], > 0
  double dy = 1;                  ///< [m or 1], > 0
  std::int32_t levels = 0;        ///< Nt ≥ 2
  double time_first = 0;          ///< [s or 1]
  double time_step = 1;           ///< [s or 1], > 0
  std::int32_t modes = 0;         ///< ≥ 1
  std::int32_t realizations = 0;  ///< ≥ 1
  bool metric = false;            ///< metres and seconds; else numbers without units
};

/// What an environment file calls its variables; a mission's [environment.names] may say otherwise.
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

/// A forecast in reduced-order form: realization r of the velocity at a level is the mean plus
/// Σ coefficient(mode, r) · mode. Index order: the last named runs fastest.
struct EnvironmentArrays {
  EnvironmentAxes axes;
  std::vector<float> u_mean;  ///< [m s-1 or 1] along x, (time, y, x)
  std::vector<float> v_mean;  ///< [m s-1 or 1] along y, (time, y, x)
  /// [m s-1 or 1], (time, mode, y, x); (mode, y, x) if the modes are fixed in time.
  std::vector<float> u_mode;
  std::vector<float> v_mode;       ///< as u_mode
  std::vector<float> coefficient;  ///< (time, mode, realization)
  std::vector<float> scalar = {};  ///< to harvest from, (time, y, x); empty: there is none
  /// 0: open water, 1: land or obstacle, 2: beyond the forecast, closed too; (time, y, x); empty:
  /// open
  std::vector<std::uint8_t> masked = {};
};

/// A kinematic double gyre to try things on: lengths in cells, times in steps, velocities in cells
/// a step.
struct DoubleGyreRequest {
  std::int32_t nx = 50;
  std::int32_t ny = 50;
  std::int32_t levels = 60;
  std::int32_t modes = 2;
  std::int32_t realizations = 100;
  std::uint64_t seed = 1;
};

/// The ocean that missions are planned in: a file that is read level by level, so that it may be
/// larger than memory. Copies share it.
class Environment {
 public:
  /// Opens an environment file (docs/forecast/environments.md). Errors: InputError naming file,
  /// variable and remedy.
  static Environment open(const std::filesystem::path& file, const EnvironmentNames& names = {});
  /// The same of a file that nobody else needs: it goes with the last copy of this object. Errors:
  /// also RunError where it cannot be moved.
  static Environment take(const std::filesystem::path& file);
  /// Writes the arrays into a temporary file, which goes with the last copy of this object: all
  /// engines read levels from files. Errors: InputError where they do not fit the axes or hold what
  /// is no velocity, RunError where the disk is full.
  static Environment from(const EnvironmentArrays& arrays);
  /// The same of a double gyre. Errors: InputError for sizes that cannot be.
  static Environment double_gyre(const DoubleGyreRequest& request = {});

  const EnvironmentAxes& axes() const;
  const std::filesystem::path& file() const;
  const EnvironmentNames& names() const;
  /// Whether the file goes with the last copy of this object.
  bool is_temporary() const;
  /// Copies the file. Errors: RunError.
  void save(const std::filesystem::path& file) const;

 private:
  struct Content;
  explicit Environment(std::shared_ptr<const Content> content);

  std::shared_ptr<const Content> content_;
};

}  // namespace tidewise
