// The file of a wind-driven gyre contains the solver's results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "env/file/reader.h"
#include "env/gyre/environment.h"
#include "env/gyre/flow/spin_up.h"
#include "env/gyre/integration.h"
#include "env/gyre/scaling.h"
#include "support/error_code.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise::gyre {
namespace {

namespace fs = std::filesystem;
using testing::ThrowsMessage;

EnvironmentOptions small_options() {
  EnvironmentOptions options;
  options.nx = 24;
  options.ny = 20;
  options.level_count = 4;
  options.mode_count = 3;
  options.realization_count = 40;
  options.numbers.reynolds = 20;
  options.spin_up = 0.05;
  options.lead = 0.004;  // two intervals of 0.002
  options.uncertainty.perturbation_count = 30;
  return options;
}

/// One file for all tests, because they only read it.
class GyreEnvironment : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    SilentProgress progress;
    report_ = make_environment(path(), small_options(), Restart::go_on, progress);
  }
  static void TearDownTestSuite() { delete folder_; }
  static fs::path path() { return *folder_ / "ocean.h5"; }

  static test::TemporaryFolder* folder_;
  static EnvironmentReport report_;
};
test::TemporaryFolder* GyreEnvironment::folder_ = nullptr;
EnvironmentReport GyreEnvironment::report_;

TEST_F(GyreEnvironment, IsMetricOnCellCentres) {
  const EnvironmentReader reader(path());
  const EnvironmentInfo& info = reader.info();
  EXPECT_EQ(info.units, Units::metric);
  EXPECT_DOUBLE_EQ(info.grid.x(0), 0.5e6 / 24);
  EXPECT_DOUBLE_EQ(info.grid.y(19), 1e6 - 0.5e6 / 20);
  EXPECT_EQ(info.time.level_count, 4);
  EXPECT_DOUBLE_EQ(info.time.step, 6220.8);
  EXPECT_EQ(info.time_units, "s");
  EXPECT_EQ(info.obstacles, Obstacles::moving);
  EXPECT_EQ(info.scalar_units, "W m-2");
  const Hdf5File file = Hdf5File::open(path());
  EXPECT_EQ(file.text_attribute("scalar_mean", "standard_name"),
            "surface_downwelling_shortwave_flux_in_air");
  EXPECT_FALSE(fs::exists(path().string() + ".restart"));
}

/// Stops the computation just before the segments of levels are joined.
class StopsBeforeAssembling final : public Progress {
 public:
  void begin(std::string_view stage, std::int64_t, std::string_view) override {
    if (stage == "assembling") throw RunError("stopped");
  }
  void advance_to(std::int64_t) override {}
  void end() override {}
};

TEST_F(GyreEnvironment, RefusesChangedSegments) {
  const test::TemporaryFolder folder;
  const fs::path out = folder / "ocean.h5";
  StopsBeforeAssembling stopping;
  EXPECT_THROW(make_environment(out, small_options(), Restart::go_on, stopping), RunError);
  const fs::path segment = out.string() + ".restart/levels_000000.h5";
  const std::string original = test::bytes_of(segment);
  SilentProgress progress;
  const auto write = [&](const std::string& bytes) {
    std::ofstream(segment, std::ios::binary) << bytes;
  };
  for (std::size_t n = 1; n < 12; ++n) {
    std::string damaged = original;
    char& byte = damaged[n * original.size() / 12];
    byte = static_cast<char>(byte ^ 1);
    write(damaged);
    EXPECT_THAT([&] { make_environment(out, small_options(), Restart::go_on, progress); },
                ThrowsMessage<InputError>(test::has_code("checkpoint_damaged")));
    EXPECT_FALSE(fs::exists(out));
  }
  write(original);
  make_environment(out, small_options(), Restart::go_on, progress);
  EXPECT_EQ(test::bytes_of(out), test::bytes_of(path()));
}

TEST_F(GyreEnvironment, ContainsTheSolversRealizations) {
  // Repeats the computation: spin-up, ensemble, two intervals of lead, then levels.
  const EnvironmentOptions options = small_options();
  const StaggeredGrid grid{24, 20};
  SilentProgress progress;
  OrthogonalState state = make_initial_ensemble(
      spin_up(grid, options.numbers, options.spin_up, progress, options.first_eddy),
      options.uncertainty, 3, 40);
  turn_to_principal_axes(state);
  const Integration integration(grid, options.numbers);
  for (int interval = 0; interval < 2; ++interval) integration.advance(state, 0.002);

  const EnvironmentReader reader(path());
  const EnvironmentInfo& info = reader.info();
  LevelFields<> fields(info);
  for (TimeLevel k(0); k.value < 4; ++k.value) {
    if (k.value > 0) integration.advance(state, 6220.8 * report_.velocity_scale / 1e6);
    reader.read_level(k, fields);
    for (const std::size_t r : {0, 17, 39}) {
      const VelocityField velocity = realization_of(state, r);
      for (int j = 0; j < 20; ++j) {
        for (int i = 0; i < 24; ++i) {
          const auto cell = static_cast<std::size_t>(info.grid.cell(i, j).value);
          double u = fields.u_mean[cell];
          double v = fields.v_mean[cell];
          for (std::size_t m = 0; m < 3; ++m) {
            u += double(fields.coefficient[m * 40 + r]) * fields.u_mode[m * 480 + cell];
            v += double(fields.coefficient[m * 40 + r]) * fields.v_mode[m * 480 + cell];
          }
          const double scale = 0.5 * report_.velocity_scale;
          EXPECT_NEAR(u, scale * (velocity.u(j, i) + velocity.u(j, i + 1)), 1e-6);
          EXPECT_NEAR(v, scale * (velocity.v(j, i) + velocity.v(j + 1, i)), 1e-6);
        }
      }
    }
  }
}

TEST_F(GyreEnvironment, HasPrincipalAxes) {
  const EnvironmentReader reader(path());
  LevelFields<> fields(reader.info());
  for (TimeLevel k(0); k.value < 4; ++k.value) {
    reader.read_level(k, fields);
    double previous = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < 3; ++m) {
      double sum = 0;
      double squares = 0;
      for (std::size_t r = 0; r < 40; ++r) {
        sum += fields.coefficient[m * 40 + r];
        squares += std::pow(fields.coefficient[m * 40 + r], 2);
      }
      EXPECT_NEAR(sum, 0, 1e-5 * std::sqrt(squares));
      EXPECT_LE(squares, previous * (1 + 1e-6));
      previous = squares;
      double norm = 0;
      for (std::size_t cell = 0; cell < 480; ++cell) {
        norm +=
            std::pow(fields.u_mode[m * 480 + cell], 2) + std::pow(fields.v_mode[m * 480 + cell], 2);
      }
      // The norm is 1 on faces; averages at centres have a little less.
      EXPECT_LE(norm / 480, 1 + 1e-6);
      EXPECT_GE(norm / 480, 0.8);
    }
  }
}

TEST_F(GyreEnvironment, RecordsItsInvariants) {
  const Hdf5File file = Hdf5File::open(path());
  const auto strongest = file.read_all<double>("strongest_flow");
  ASSERT_EQ(strongest.size(), 4U);
  EXPECT_NEAR(strongest[0], 2, 1e-5);  // the value of --speed
  EXPECT_EQ(file.number_attribute("/", "strongest_flow_m_s"),
            *std::max_element(strongest.begin(), strongest.end()));
  for (const double error : file.read_all<double>("orthonormality_error")) EXPECT_LE(error, 1e-10);
  for (const double divergence : file.read_all<double>("divergence")) EXPECT_LE(divergence, 1e-10);
  for (const double residual : file.read_all<double>("energy_residual")) EXPECT_LE(residual, 1e-4);
  for (const double energy : file.read_all<double>("energy_of_variance")) EXPECT_GT(energy, 0);
  EXPECT_EQ(file.number_attribute("/", "reynolds_number"), 20);
  const double velocity = *file.number_attribute("/", "velocity_scale_m_s");
  EXPECT_DOUBLE_EQ(*file.number_attribute("/", "time_scale_s"), 1e6 / velocity);
  EXPECT_EQ(file.dimensions("energy_residual"), std::vector<std::string>{"time"});
}

TEST(GyreOptions, RefusesInvalidOptionsWithoutOutput) {
  const test::TemporaryFolder folder;
  const auto refusal = [&](auto change) {
    EnvironmentOptions options = small_options();
    change(options);
    SilentProgress progress;
    try {
      make_environment(folder / "ocean.h5", options, Restart::go_on, progress);
    } catch (const InputError& error) {
      EXPECT_TRUE(fs::is_empty(folder.path()));
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  using Options = EnvironmentOptions;
  EXPECT_THAT(refusal([](Options& o) { o.nx = 3; }),
              test::has_code("env_option_outside_range", "--nx"));
  EXPECT_THAT(refusal([](Options& o) { o.level_count = 1; }),
              test::has_code("env_option_outside_range", "--nt"));
  EXPECT_THAT(refusal([](Options& o) { o.realization_count = 4; }),
              test::has_code("env_option_outside_range", "--realizations"));
  EXPECT_THAT(refusal([](Options& o) { o.numbers.reynolds = std::nan(""); }),
              test::has_code("env_option_outside_range", "--reynolds"));
  EXPECT_THAT(refusal([](Options& o) {
                o.surroundings.obstacles = {{0, 2, 0}};
              }),
              test::has_code("env_option_outside_range", "southern edge"));
}

TEST(GyreOptions, RefusesAFileInPlaceOfAFolder) {
  SilentProgress progress;
  EXPECT_THAT(
      [&] { make_environment("/dev/null/ocean.h5", small_options(), Restart::go_on, progress); },
      ThrowsMessage<InputError>(test::has_code("output_folder_not_folder")));
}

}  // namespace
}  // namespace tidewise::gyre
