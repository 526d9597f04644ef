#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/progress.h"
#include "env/level_fields.h"

namespace tidewise {

/// Options of a kinematic stochastic double gyre: prescribed, not computed from dynamics. Lengths
/// are in cells and times in steps, so a velocity of 1 is one cell per step.
struct DoubleGyreOptions {
  std::int32_t nx = 200;
  std::int32_t ny = 200;
  std::int32_t level_count = 200;
  std::int32_t mode_count = 10;
  std::int32_t realization_count = 5000;
  std::uint64_t seed = 1;
  double greatest_speed = 2.5;  ///< [cells/step] of any realization; a usual vehicle has 1
};

/// Writes the environment; the same options give the same bytes at any path.
///
/// - Mean: stream function A sin(πX) sin(2πY') on the unit square, an eastward jet between two
///   gyres; Y' swings with time. Modes: sin(kπX') sin(lπY), X' drifting with time, of unit root
///   mean square. Velocities are centred differences of the stream function, so their centred
///   divergence is 0 to round-off.
/// - Coefficients: for each mode a mixture of two Gaussians that separate with time (non-Gaussian
///   from the start, two bands at the end), with zero sample mean and variance that falls from mode
///   to mode.
/// - Scalar: radiation, 2 in the sun, with a cloud that moves west.
/// - Obstacles: two squares of a tenth of the side that move east at 1 cell per step.
///
/// Errors: InputError for sizes out of range.
void write_double_gyre(const std::filesystem::path& path, const DoubleGyreOptions& options,
                       Progress& progress);

/// One level of the environment in memory, with its info.
struct DoubleGyreLevel {
  EnvironmentInfo info;
  LevelFields<> fields;
};
/// Computes level k of the environment that write_double_gyre() writes. For benchmarks. Errors:
/// those of write_double_gyre().
DoubleGyreLevel make_double_gyre_level(const DoubleGyreOptions& options, TimeLevel k);

/// Computes many levels of that environment in memory. Random draws and scaling, which take longer
/// than a level, are done once. For benchmarks. Errors: those of write_double_gyre().
class DoubleGyreSource {
 public:
  explicit DoubleGyreSource(const DoubleGyreOptions& options);
  ~DoubleGyreSource();
  const EnvironmentInfo& info() const { return info_; }
  /// Fills `fields`, which have the sizes of info(), with level k.
  void fill(TimeLevel k, LevelFields<>& fields) const;

 private:
  class Implementation;
  EnvironmentInfo info_;
  std::unique_ptr<const Implementation> implementation_;
};

}  // namespace tidewise
