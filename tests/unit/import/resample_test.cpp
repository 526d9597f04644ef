// Resampling to other steps and cells: hand calculations for every realization, and flights.

#include "env/resample/resample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "env/file/extras.h"
#include "env/file/writer.h"
#include "env/points.h"
#include "env/resample/level_mixture.h"
#include "env/resample/stand_ins.h"
#include "env/tools/double_gyre.h"
#include "solver/flight/realized_flow.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/environment_fields.h"
#include "support/ocean/random_case.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using ingest::Sampling;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::pair<int, double>> as_pairs(const std::vector<LevelPart>& parts) {
  std::vector<std::pair<int, double>> list;
  list.reserve(parts.size());
  for (const LevelPart& part : parts) list.emplace_back(part.level, part.weight);
  return list;
}

using Parts = std::vector<std::pair<int, double>>;

TEST(LevelMixture, InterpolatesBetweenTheTimesOfFlows) {
  // Levels at 100, 104, 108, 112.
  const TimeAxis time{4, 100, 4};
  const LevelMixture begin(time, Sampling::begin);
  EXPECT_EQ(as_pairs(begin.flow_at({104})), (Parts{{1, 1}}));
  EXPECT_EQ(as_pairs(begin.flow_at({105})), (Parts{{1, 0.75}, {2, 0.25}}));
  EXPECT_EQ(as_pairs(begin.flow_at({102, 106})), (Parts{{0, 0.25}, {1, 0.5}, {2, 0.25}}));
  // The flows of the steps are those of 102, 106, 110 and 112.
  const LevelMixture means(time, Sampling::mean);
  EXPECT_EQ(as_pairs(means.flow_at({102})), (Parts{{0, 1}}));
  EXPECT_EQ(as_pairs(means.flow_at({101})), (Parts{{0, 1}})) << "nothing is known before";
  EXPECT_EQ(as_pairs(means.flow_at({103})), (Parts{{0, 0.75}, {1, 0.25}}));
  EXPECT_EQ(as_pairs(means.flow_at({111})), (Parts{{2, 0.5}, {3, 0.5}}));
  EXPECT_EQ(as_pairs(means.flow_at({112})), (Parts{{3, 1}}));
  EXPECT_EQ(as_pairs(means.flow_at({102, 106})), (Parts{{0, 0.5}, {1, 0.5}}));
  EXPECT_EQ(as_pairs(means.state_at(105)), (Parts{{1, 0.75}, {2, 0.25}}));
  // An obstacle of the level at 104 closes cells from 100 to 108 only.
  EXPECT_EQ(means.closing(104, 105), (IndexRange{1, 1}));
  EXPECT_EQ(means.closing(105, 106), (IndexRange{1, 2}));
  EXPECT_EQ(means.closing(100, 108), (IndexRange{0, 1}));
  EXPECT_EQ(means.closing(112, 112), (IndexRange{3, 3}));
}

TEST(LevelMixture, ReadsTheSamplingFromTheHistory) {
  EXPECT_EQ(held_by_levels("tidewise env import a.nc --step 3600"), Sampling::mean);
  EXPECT_EQ(held_by_levels("tidewise env import a.nc --sample begin"), Sampling::begin);
  EXPECT_EQ(held_by_levels("tidewise env double-gyre --nx 20"), Sampling::begin);
  EXPECT_EQ(held_by_levels("tidewise env double-gyre --nx 20\ntidewise env resample a --out b"),
            Sampling::mean);
  EXPECT_EQ(held_by_levels(""), Sampling::mean);
}

TEST(StandIns, AreFewAndCombineToEveryRealization) {
  // The third mode is a multiple of the first, so that realizations differ in two modes. The last
  // realization has no weight and lies beyond all others.
  const std::vector<double> share{0.5, 0.25, 0.125, 0.125, 0};
  std::vector<double> coefficient{1, -2, 3, 0, 50, 4, 4, -1, 7, -90};
  for (int r = 0; r < 5; ++r) coefficient.push_back(-3 * coefficient[static_cast<std::size_t>(r)]);
  const StandIns stand_ins = find_stand_ins(coefficient, share, {2, 100, 0.5});
  ASSERT_EQ(stand_ins.count, 3U);
  for (std::size_t m = 0; m < 3; ++m) {
    double mean = 0;
    double mean_of_stand_ins = 0;
    for (std::size_t n = 0; n < 3; ++n) mean_of_stand_ins += stand_ins.coefficient[m * 3 + n] / 3;
    for (std::size_t r = 0; r < 5; ++r) {
      double mixed = 0;
      for (std::size_t n = 0; n < 3; ++n) {
        mixed += stand_ins.weight[r * 3 + n] * stand_ins.coefficient[m * 3 + n];
      }
      EXPECT_NEAR(mixed, coefficient[m * 5 + r], 1e-10) << m << " " << r;
      mean += share[r] * coefficient[m * 5 + r];
    }
    EXPECT_NEAR(mean_of_stand_ins, mean, 1e-12);
  }
  EXPECT_EQ(find_stand_ins({0, 0, 0, 0, 0}, share, {0}).count, 1U) << "nothing differs";
}

/// Writes files and resamples them.
class Resample : public testing::Test {
 protected:
  ResampleReport run(const ResampleOptions& options, const std::string& from = "in.h5",
                     const std::string& to = "out.h5") const {
    SilentProgress progress;
    return resample_environment(EnvironmentReader(folder_ / from), options,
                                {folder_ / to, "tidewise env resample"}, progress);
  }

  std::string refusal(const ResampleOptions& options) const {
    try {
      run(options);
    } catch (const InputError& error) {
      EXPECT_FALSE(std::filesystem::exists(folder_ / "out.h5"));
      return error.what();
    }
    return "nothing was refused";
  }

  static ResampleOptions options_for(std::optional<double> step,
                                     std::optional<double> spacing = {}) {
    ResampleOptions options;
    options.step = step;
    options.spacing = spacing;
    options.variance = 1;
    return options;
  }

  /// Returns u of each realization in each cell: (realization, cell).
  std::vector<double> flows(const std::string& file, int k) const {
    const EnvironmentReader reader(folder_ / file);
    const EnvironmentInfo& info = reader.info();
    LevelFields<> fields(info);
    reader.read_level(TimeLevel(k), fields);
    std::vector<double> values;
    const auto count = static_cast<std::size_t>(info.realization_count);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t cell = 0; cell < fields.u_mean.size(); ++cell) {
        double u = fields.u_mean[cell];
        for (int m = 0; m < info.mode_count; ++m) {
          u += double(fields.u_modes()[static_cast<std::size_t>(m) * fields.u_mean.size() + cell]) *
               fields.coefficient[static_cast<std::size_t>(m) * count + r];
        }
        values.push_back(u);
      }
    }
    return values;
  }

  test::TemporaryFolder folder_;
};

TEST_F(Resample, KeepsModesFixedInTime) {
  EnvironmentInfo info = test::plain_info(8, 7, 3, 3, 5);
  info.obstacles = Obstacles::none;
  info.has_fixed_modes = true;
  test::write_random_environment(folder_ / "in.h5", info, 0.5F);
  test::repeat_modes(folder_ / "in.h5", folder_ / "own.h5");
  for (const auto& [step, spacing] : {std::pair{0.5, 1.0}, {1.0, 0.5}, {0.5, 0.5}}) {
    run(options_for(step, spacing));
    run(options_for(step, spacing), "own.h5", "own_out.h5");
    const EnvironmentInfo resampled = EnvironmentReader(folder_ / "out.h5").info();
    EXPECT_TRUE(resampled.has_fixed_modes);
    EXPECT_EQ(resampled.mode_count, 3);
    for (std::int32_t k = 0; k < resampled.time.level_count; ++k) {
      const auto fixed = flows("out.h5", k);
      const auto repeated = flows("own_out.h5", k);
      ASSERT_EQ(fixed.size(), repeated.size());
      for (std::size_t n = 0; n < repeated.size(); ++n) ASSERT_NEAR(fixed[n], repeated[n], 1e-5);
    }
  }
}

/// A mode that reverses and another one: modes and coefficients must not be mixed separately.
class TwoLevels : public Resample {
 protected:
  TwoLevels() {
    EnvironmentInfo info = test::plain_info(2, 2, 2, 1, 3);
    info.time.step = 2;
    info.has_scalar = true;
    info.realization_weight = {1u << 23, 1u << 22, 1u << 22};
    test::write_environment(folder_ / "in.h5", info, [](TimeLevel k, LevelFields<>& fields) {
      const bool first = k.value == 0;
      for (std::size_t cell = 0; cell < 4; ++cell) {
        const auto position = static_cast<float>(cell);
        fields.u_mean[cell] = first ? 1 : 3;
        fields.u_mode[cell] = first ? position : -position + (cell == 3 ? 5 : 0);
        fields.v_mode[cell] = first ? 1 : 2;
        fields.scalar[cell] = first ? 4 : 8;
      }
      const float coefficients[2][3] = {{-1, 1, 1}, {1, -1, 5}};
      std::copy_n(coefficients[first ? 0 : 1], 3, fields.coefficient.begin());
    });
  }
};

TEST_F(TwoLevels, AreMixedForEachRealization) {
  ResampleOptions options = options_for(1);
  options.sample = Sampling::begin;
  const ResampleReport report = run(options);
  EXPECT_EQ(report.info.time.level_count, 3);
  EXPECT_EQ(report.info.mode_count, 2);
  const auto before = flows("in.h5", 0);
  const auto after = flows("in.h5", 1);
  // The middles of the steps lie at a quarter and three quarters of the interval.
  for (const auto& [level, share] : {std::pair{0, 0.25}, {1, 0.75}, {2, 1.0}}) {
    const auto mixed = flows("out.h5", level);
    for (std::size_t n = 0; n < mixed.size(); ++n) {
      EXPECT_NEAR(mixed[n], (1 - share) * before[n] + share * after[n], 1e-5) << level << " " << n;
    }
  }
  LevelFields<> fields(report.info);
  const EnvironmentReader reader(folder_ / "out.h5");
  reader.read_level(TimeLevel(1), fields);
  EXPECT_EQ(fields.scalar[0], 6) << "at the level's own time";
  // The mean is the weighted mean of realizations, so that coefficients have the mean 0.
  for (std::size_t m = 0; m < 2; ++m) {
    const float* c = fields.coefficient.data() + m * 3;
    EXPECT_NEAR(c[0] / 2 + c[1] / 4 + c[2] / 4, 0, 1e-6);
  }
  EXPECT_EQ(reader.info().realization_weight,
            EnvironmentReader(folder_ / "in.h5").info().realization_weight);
}

TEST_F(TwoLevels, BecomeMeansOfTheSameSteps) {
  ResampleOptions options = options_for(2);
  options.sample = Sampling::begin;
  EXPECT_EQ(run(options).info.time.level_count, 2);
  const auto first = flows("out.h5", 0);
  const auto last = flows("out.h5", 1);
  for (std::size_t n = 0; n < first.size(); ++n) {
    EXPECT_NEAR(first[n], (flows("in.h5", 0)[n] + flows("in.h5", 1)[n]) / 2, 1e-5);
    EXPECT_NEAR(last[n], flows("in.h5", 1)[n], 1e-5);
  }
}

TEST_F(TwoLevels, KeepTheModesThatTheVarianceNeeds) {
  ResampleOptions options = options_for(1);
  options.sample = Sampling::begin;
  options.variance = 0.5;
  const ResampleReport report = run(options);
  EXPECT_EQ(report.info.mode_count, 1) << "as many as there were, at least";
  EXPECT_THAT(report.lines.back(), HasSubstr("modes: 1 keep "));
  EXPECT_THAT(report.lines.back(), HasSubstr("there were 1, and 2 would keep all"));
}

TEST_F(Resample, KeepsAConstantField) {
  const EnvironmentInfo info = test::plain_info(6, 5, 4, 2, 5);
  test::write_environment(folder_ / "in.h5", info, [](TimeLevel, LevelFields<>& fields) {
    std::fill(fields.u_mean.begin(), fields.u_mean.end(), 0.3F);
    std::fill(fields.u_mode.begin(), fields.u_mode.end(), 0.7F);
    for (std::size_t n = 0; n < fields.coefficient.size(); ++n) {
      fields.coefficient[n] = static_cast<float>(n);
    }
  });
  const ResampleReport report = run(options_for(0.25, 0.4));
  EXPECT_EQ(report.info.grid.nx, 13);  // 5 / 0.4 and the first
  EXPECT_EQ(report.info.grid.ny, 11);
  EXPECT_EQ(report.info.time.level_count, 13);
  const auto before = flows("in.h5", 0);
  for (int k = 0; k < 13; ++k) {
    const auto after = flows("out.h5", k);
    for (std::size_t n = 0; n < after.size(); ++n) {
      EXPECT_NEAR(after[n], before[n / (13 * 11) * 30], 1e-5);
    }
  }
}

/// An environment of 1 km cells and half-hour steps with all optional variables, linear in space
/// and time.
class LinearFile : public Resample {
 protected:
  LinearFile() {
    EnvironmentInfo info = test::plain_info(7, 5, 9, 1, 2);
    info.grid = {7, 5, 500, 1000, 1000, 1000};
    info.time.step = 1800;
    info.units = Units::metric;
    info.time_units = "seconds since 2024-10-28 00:00:00";
    info.coordinates = Coordinates::geographic;
    info.variance_kept = 0.9;
    info.uncertainty = ForecastUncertainty::lagged;
    info.history = "made";
    EnvironmentWriter writer(folder_ / "in.h5", info);
    writer.set_attribute("institution", "somewhere");
    writer.write_variance_kept({0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8});
    writer.write_series({"battery", "1", "battery", {0, 1, 2, 3, 4, 5, 6, 7, 8}});
    std::vector<double> longitude;
    for (int cell = 0; cell < 35; ++cell) {
      const double east = 179.975 + 0.01 * (cell % 7);
      longitude.push_back(east > 180 ? east - 360 : east);
    }
    writer.write_longitude_latitude(longitude, std::vector<double>(35, 10));
    for (int k = 0; k < 9; ++k) {
      LevelFields<> fields = test::still_level(info);
      for (std::size_t cell = 0; cell < 35; ++cell) {
        const auto i = static_cast<float>(cell % 7);
        // The last level holds the flow of its own time, half a step after the one before.
        const float time = k < 8 ? static_cast<float>(k) + 0.5F : 8;
        fields.u_mean[cell] = 0.01F * i + 0.002F * time;
        fields.u_mode[cell] = 0.001F * i;
        fields.masked[cell] = k == 3 && cell == 9 ? 1 : 0;
      }
      fields.coefficient[0] = 1;
      fields.coefficient[1] = -1;
      writer.write_level(TimeLevel(k), fields);
    }
    writer.finish();
  }
};

TEST_F(LinearFile, KeepsLevelsThatFit) {
  const ResampleReport report = run({});
  EXPECT_THAT(test::differing_variables(folder_ / "in.h5", folder_ / "out.h5"), IsEmpty());
  EXPECT_THAT(report.lines.back(), HasSubstr("modes: 1, as they were"));
  const EnvironmentReader reader(folder_ / "out.h5");
  EXPECT_THAT(reader.info().history, HasSubstr("made\ntidewise env resample"));
  EXPECT_EQ(reader.info().uncertainty, ForecastUncertainty::lagged);
  EXPECT_EQ(reader.file().text_attribute("/", "institution"), "somewhere");
}

TEST_F(LinearFile, RoundTrips) {
  run(options_for(900, 500));
  const EnvironmentReader fine(folder_ / "out.h5");
  EXPECT_EQ(fine.info().grid.nx, 13);
  EXPECT_EQ(fine.info().time.level_count, 17);
  EXPECT_NEAR(*fine.info().variance_kept, 0.9, 1e-12);
  const auto extras = read_environment_extras(fine);
  EXPECT_EQ(extras.series[0].values[3], 1.5);
  EXPECT_NEAR(extras.variance_kept[15], 0.85, 1e-6) << "half of the last two";
  EXPECT_NEAR(std::abs(fine.read_longitude()[5]), 180, 1e-9) << "the shorter way round";
  EXPECT_NEAR(std::remainder(fine.read_longitude()[7] - -179.99, 360), 0, 1e-9);
  const auto middle = flows("out.h5", 7);  // from 3.5 to 4 steps
  EXPECT_NEAR(middle[5], 0.025 + 0.002 * 3.75 + 0.0025, 1e-6);
  run(options_for(1800, 1000), "out.h5", "again.h5");
  for (int k = 0; k < 9; ++k) {
    const auto before = flows("in.h5", k);
    const auto after = flows("again.h5", k);
    for (std::size_t n = 0; n < before.size(); ++n) {
      // Before the middle of the first step the flow is that of the middle.
      EXPECT_NEAR(after[n], before[n] + (k == 0 ? 0.00025 : 0), 1e-6) << k << " " << n;
    }
  }
}

TEST_F(LinearFile, ClosesCellsClosedAtAnyLevelOfAStep) {
  run(options_for(3 * 1800 + 1800));  // two steps of four: the obstacle of level 3 is in the first
  const auto closed = [&](int k) {
    const auto masked = EnvironmentReader(folder_ / "out.h5").read_masked(TimeLevel(k));
    return std::count(masked.begin(), masked.end(), std::uint8_t{0}) != std::ssize(masked);
  };
  EXPECT_TRUE(closed(0));
  EXPECT_FALSE(closed(1));
  run(options_for(900, 500));
  const auto masked = EnvironmentReader(folder_ / "out.h5").read_masked(TimeLevel(5));
  // Cell (2, 1) of the coarse grid is (4, 2) of the fine one.
  EXPECT_EQ(masked[2 * 13 + 4], 1);
  EXPECT_EQ(masked[2 * 13 + 3], 1) << "halfway from column 1, and the nearer is the later one";
  EXPECT_EQ(masked[2 * 13 + 5], 0);
  EXPECT_TRUE(closed(5) && closed(6) && closed(7));
  EXPECT_FALSE(closed(4) || closed(8));
}

TEST_F(LinearFile, IsRefusedInOneLine) {
  EXPECT_THAT(refusal(options_for(86400)), test::has_code("resample_step_too_long"));
  EXPECT_THAT(refusal(options_for(5 * 1800)), test::has_code("resample_step_does_not_fit"));
  EXPECT_THAT(refusal(options_for({}, 50000)), test::has_code("spacing_too_large"));
  EXPECT_THAT(refusal(options_for(0.01)), test::has_code("import_levels_too_many", "100000"));
  ResampleOptions options = options_for(900);
  options.variance = 2;
  EXPECT_THAT(refusal(options), test::has_code("resample_variance_invalid", "2"));
  options = options_for(900);
  options.vehicle_speed = -1;
  EXPECT_THAT(refusal(options), test::has_code("resample_vehicle_speed_invalid", "-1"));
  SilentProgress progress;
  EXPECT_THROW(resample_environment(EnvironmentReader(folder_ / "in.h5"), options_for(900),
                                    {folder_ / "in.h5", ""}, progress),
               InputError);
  test::write_environment(folder_ / "in.h5", test::plain_info(3, 3, 3));
  EXPECT_THAT(refusal({}), test::has_code("resample_without_units"));
}

/// Eddies that a current of 0.5 m/s carries over cells of 8 km in steps of a day.
TEST_F(Resample, ChoosesStepsAndCellsFromTheFlow) {
  EnvironmentInfo info = test::plain_info(25, 25, 9);
  info.grid = {25, 25, 0, 0, 8000, 8000};
  info.time.step = 86400;
  info.units = Units::metric;
  info.time_units = "s";
  test::write_environment(folder_ / "in.h5", info, [&](TimeLevel k, LevelFields<>& fields) {
    for (std::int32_t cell = 0; cell < info.grid.cell_count(); ++cell) {
      const double phase = 2 * std::numbers::pi * (info.grid.column(CellIndex(cell)) - k.value) / 8;
      fields.u_mean[static_cast<std::size_t>(cell)] = 0.5F;
      fields.v_mean[static_cast<std::size_t>(cell)] = static_cast<float>(0.3 * std::sin(phase));
    }
  });
  const ResampleReport report = run({});
  EXPECT_LE(report.info.time.step, 6 * 3600);
  EXPECT_EQ(report.info.grid.dx, 4000);
  EXPECT_EQ(report.info.time.level_count, 8 * 86400 / report.info.time.step + 1);
  EXPECT_THAT(report.lines, testing::Contains(HasSubstr("linear between the source's 24 h")));
  EXPECT_THAT(report.lines, testing::Contains(HasSubstr("cells: 4 km, half of the 8 km")));
  // The first choice is kept: cells are halves of the points' spacing, which the file records.
  EXPECT_EQ(run({}, "out.h5", "again.h5").info.time.step, report.info.time.step);
  EXPECT_EQ(run({}, "out.h5", "again.h5").info.grid.dx, 4000);
}

/// Returns the end of a vehicle's path through a file's levels, whose flow is constant in a step.
PlanePoint fly(const EnvironmentReader& environment, std::int32_t realization, PlanePoint position,
               const Current& vehicle_velocity) {
  const EnvironmentInfo& info = environment.info();
  LevelFields<> fields(info);
  for (std::int32_t k = 0; k + 1 < info.time.level_count; ++k) {
    environment.read_level(TimeLevel(k), fields);
    const LevelView level = fields.view(info);
    RealizedFlow flow(level, info.grid, realization);
    constexpr int parts = 32;
    for (int part = 0; part < parts; ++part) {
      const Current displacement =
          flow.displacement(position.x, position.y, flow.at(position.x, position.y),
                            vehicle_velocity, info.time.step / parts);
      position = {position.x + displacement.u, position.y + displacement.v};
    }
  }
  return position;
}

TEST_F(Resample, ImprovesFlightsComparedWithTheCoarseFile) {
  DoubleGyreOptions options;
  options.nx = options.ny = 48;
  options.level_count = 25;
  options.mode_count = 3;
  options.realization_count = 40;
  options.greatest_speed = 1;
  SilentProgress progress;
  write_double_gyre(folder_ / "fine.h5", options, progress);
  const EnvironmentReader fine(folder_ / "fine.h5");
  // Every sixth level, which holds the flow of its own time.
  EnvironmentInfo info = fine.info();
  info.time.level_count = 5;
  info.time.step = 6;
  LevelFields<> fields(info);
  EnvironmentWriter writer(folder_ / "in.h5", info);
  for (std::int32_t k = 0; k < 5; ++k) {
    fine.read_level(TimeLevel(6 * k), fields);
    writer.write_level(TimeLevel(k), fields);
  }
  writer.finish();
  ResampleOptions resample_options = options_for(1);
  resample_options.variance = 0.99;
  EXPECT_LE(run(resample_options).info.mode_count, 6);
  const EnvironmentReader thinned(folder_ / "in.h5");
  const EnvironmentReader resampled(folder_ / "out.h5");
  double thinned_error = 0;
  double resampled_error = 0;
  for (std::int32_t r = 0; r < 40; r += 4) {
    const PlanePoint start{12.0 + 0.6 * r, 30};
    const Current vehicle_velocity{0.2, 0.3};
    const PlanePoint true_end = fly(fine, r, start, vehicle_velocity);
    const auto end_error = [&](const EnvironmentReader& environment) {
      const PlanePoint end = fly(environment, r, start, vehicle_velocity);
      return std::hypot(end.x - true_end.x, end.y - true_end.y);
    };
    thinned_error += end_error(thinned) / 10;
    resampled_error += end_error(resampled) / 10;
  }
  EXPECT_GT(thinned_error, 0.3) << "thinning does no harm, and nothing is shown";
  EXPECT_LT(resampled_error, thinned_error / 2);
}

}  // namespace
}  // namespace tidewise
