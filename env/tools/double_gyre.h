#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/progress.h"
#include "env/level_fields.h"

namespace tidewise {

/// A kinematic stochastic double gyre: prescribed, not computed from dynamics. Lengths are in cells
/// and times in steps, so a velocity of 1 is one cell a step.
struct DoubleGyreOptions {
  std::int32_t nx = 200;
  std::int32_t ny = 200;
  std::int32_t level_count = 200;
  std::int32_t mode_count = 10;
  std::int32_t realization_count = 5000;
  std::uint64_t seed = 1;
  double greatest_speed = 2.5;  ///< [cells/step] of any realization; the vehicle of the case has 1
};

/// Writes the environment; the same options give the same bytes, whatever the path.
///
/// - Mean: stream function A sin(πX) sin(2πY') on the unit square, an eastward jet between two
///   gyres; Y' swings with time. Modes: sin(kπX') sin(lπY), X' drifting with time, of unit root
///   mean square. Velocities are centred differences of the stream function, so their centred
///   divergence is 0 to round-off.
/// - Coefficients: a mixture of two Gaussians a mode that part as time goes on (non-Gaussian from
///   the start, two bands in the end), of zero sample mean and falling variance.
/// - Scalar: radiation, 2 in the sun, with a cloud that moves west.
/// - Obstacles: two squares of a tenth of the side that move east at 1 cell a step.
///
/// Errors: InputError for sizes that cannot be.
void write_double_gyre(const std::filesystem::path& path, const DoubleGyreOptions& options,
                       Progress& progress);

/// One level of the same environment, in memory, and what describes it. For benchmarks.
struct DoubleGyreLevel {
  EnvironmentInfo info;
  LevelFields<> fields;
};
DoubleGyreLevel make_double_gyre_level(const DoubleGyreOptions& options, TimeLevel k);

/// Many levels of the same environment, in memory: draws and scaling, which take longer than a
/// level, are done once. For benchmarks. Errors: as write_double_gyre().
class DoubleGyreSource {
 public:
  explicit DoubleGyreSource(const DoubleGyreOptions& options);
  ~DoubleGyreSource();
  const EnvironmentInfo& info() const { return info_; }
  /// `fields` are of info()'s sizes.
  void fill(TimeLevel k, LevelFields<>& fields) const;

 private:
  class Implementation;
  EnvironmentInfo info_;
  std::unique_ptr<const Implementation> implementation_;
};

}  // namespace tidewise
