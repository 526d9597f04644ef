#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "env/file/reader.h"
#include "env/file/uncertainty_words.h"
#include "env/file/writer.h"
#include "env/levels/level_stream.h"
#include "env/tools/double_gyre.h"
#include "env/weights.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/raw_environment.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

DoubleGyreOptions small_gyre() {
  DoubleGyreOptions options;
  options.nx = 24;
  options.ny = 20;
  options.level_count = 7;
  options.mode_count = 3;
  options.realization_count = 50;
  return options;
}

void write_gyre(const std::filesystem::path& path, const DoubleGyreOptions& options) {
  SilentProgress progress;
  write_double_gyre(path, options, progress);
}

TEST(DoubleGyre, WritesTheSameBytesForTheSameSeed) {
  const test::TemporaryFolder folder;
  write_gyre(folder / "a.h5", small_gyre());
  write_gyre(folder / "b.h5", small_gyre());
  auto other = small_gyre();
  other.seed = 2;
  write_gyre(folder / "c.h5", other);
  EXPECT_EQ(test::bytes_of(folder / "a.h5"), test::bytes_of(folder / "b.h5"));
  EXPECT_NE(test::bytes_of(folder / "a.h5"), test::bytes_of(folder / "c.h5"));
}

TEST(DoubleGyre, IsDivergenceFreeBoundedAndCentred) {
  const test::TemporaryFolder folder;
  const auto options = small_gyre();
  write_gyre(folder / "a.h5", options);
  const EnvironmentReader reader(folder / "a.h5");
  const auto& info = reader.info();
  EXPECT_EQ(info.obstacles, Obstacles::moving);
  EXPECT_TRUE(info.has_scalar);
  LevelFields<> fields(info);
  const int nx = info.grid.nx;
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  for (std::int32_t k = 0; k < options.level_count; ++k) {
    reader.read_level(TimeLevel(k), fields);
    const auto check = [&](const float* u, const float* v) {
      for (int j = 1; j + 1 < info.grid.ny; ++j) {
        for (int i = 1; i + 1 < nx; ++i) {
          const double divergence = (double(u[j * nx + i + 1]) - u[j * nx + i - 1] +
                                     double(v[(j + 1) * nx + i]) - v[(j - 1) * nx + i]) /
                                    2;
          ASSERT_NEAR(divergence, 0, 1e-6);
        }
      }
    };
    check(fields.u_mean.data(), fields.v_mean.data());
    for (std::size_t m = 0; m < 3; ++m) {
      check(fields.u_mode.data() + m * cells, fields.v_mode.data() + m * cells);
    }
    double max = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      for (std::size_t r = 0; r < 50; ++r) {
        double u = fields.u_mean[cell];
        double v = fields.v_mean[cell];
        for (std::size_t m = 0; m < 3; ++m) {
          u += double(fields.coefficient[m * 50 + r]) * fields.u_mode[m * cells + cell];
          v += double(fields.coefficient[m * 50 + r]) * fields.v_mode[m * cells + cell];
        }
        max = std::max(max, std::hypot(u, v));
      }
    }
    EXPECT_LT(max, 2.6);
    EXPECT_GT(max, 1.5);
    for (std::size_t m = 0; m < 3; ++m) {
      double sum = 0;
      for (std::size_t r = 0; r < 50; ++r) sum += fields.coefficient[m * 50 + r];
      EXPECT_NEAR(sum / 50, 0, 1e-6);
    }
  }
}

/// Returns the sum of a field over each column. (x)
template <class Field>
std::vector<double> column_sums(const Field& field, const Grid& grid) {
  std::vector<double> sums(static_cast<std::size_t>(grid.nx), 0.0);
  for (std::int32_t c = 0; c < grid.cell_count(); ++c) {
    sums[static_cast<std::size_t>(grid.column(CellIndex(c)))] += field[static_cast<std::size_t>(c)];
  }
  return sums;
}

TEST(DoubleGyre, ObstaclesMoveEastAndTheCloudWest) {
  DoubleGyreOptions options;
  options.nx = options.ny = 40;
  options.level_count = 16;
  options.mode_count = 1;
  options.realization_count = 4;
  const auto first = make_double_gyre_level(options, TimeLevel(0));
  const auto later = make_double_gyre_level(options, TimeLevel(15));
  const Grid& grid = first.info.grid;
  const auto closed_first = column_sums(first.fields.masked, grid);
  const auto closed_later = column_sums(later.fields.masked, grid);
  // Two squares of a tenth of the side: 2 × 4 × 4 cells, later 15 cells further east.
  EXPECT_EQ(std::accumulate(closed_first.begin(), closed_first.end(), 0.0), 32);
  for (std::size_t i = 0; i + 15 < 40; ++i) EXPECT_EQ(closed_later[i + 15], closed_first[i]) << i;
  const auto darkest = [&](const DoubleGyreLevel& level) {
    const auto sums = column_sums(level.fields.scalar, grid);
    return std::min_element(sums.begin(), sums.end()) - sums.begin();
  };
  EXPECT_LT(darkest(later), darkest(first));
}

TEST(DoubleGyre, CoefficientsSeparateIntoTwoGroups) {
  DoubleGyreOptions options;
  options.nx = options.ny = 20;
  options.level_count = 41;
  options.mode_count = 2;
  options.realization_count = 4000;
  const auto kurtosis = [&](std::int32_t k) {
    const auto level = make_double_gyre_level(options, TimeLevel(k));
    double second = 0;
    double fourth = 0;
    for (std::size_t r = 0; r < 4000; ++r) {  // the first mode; its mean is 0
      const double square = std::pow(level.fields.coefficient[r], 2);
      second += square / 4000;
      fourth += square * square / 4000;
    }
    return fourth / (second * second);
  };
  // A Gaussian has kurtosis 3. Two groups have less, which decreases as they separate.
  EXPECT_NEAR(kurtosis(0), 3, 0.3);
  EXPECT_LT(kurtosis(40), 2.4);
}

TEST(LevelStream, ReadsTheNextLevelIntoOtherMemory) {
  const test::TemporaryFolder folder;
  write_gyre(folder / "a.h5", small_gyre());
  const EnvironmentReader reader(folder / "a.h5");
  LevelStream stream(reader, levels_between(TimeLevel(0), TimeLevel(4)));
  const LevelFields<>* first = &stream.next();
  EXPECT_NE(&stream.next(), first);
}

TEST(LevelStream, ReturnsLevelsInTheRequestedOrder) {
  const test::TemporaryFolder folder;
  write_gyre(folder / "a.h5", small_gyre());
  const EnvironmentReader reader(folder / "a.h5");
  LevelFields<> expected(reader.info());
  LevelStream stream(reader, levels_between(TimeLevel(6), TimeLevel(0)));
  for (std::int32_t k = 6; k >= 0; --k) {
    reader.read_level(TimeLevel(k), expected);
    const auto& fields = stream.next();
    ASSERT_TRUE(std::equal(expected.u_mode.begin(), expected.u_mode.end(), fields.u_mode.begin()));
    ASSERT_TRUE(std::equal(expected.masked.begin(), expected.masked.end(), fields.masked.begin()));
  }
}

TEST(Environment, KeepsGapsAsNaNAndReadsThemAsZero) {
  const test::TemporaryFolder folder;
  EnvironmentInfo info;
  info.grid = {3, 2, 0.5, 0.5, 1, 1};
  info.time = {2, 0, 1};
  info.mode_count = 1;
  info.realization_count = 2;
  info.obstacles = Obstacles::fixed;
  LevelFields<> fields(info);
  for (auto* array :
       {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode, &fields.coefficient}) {
    std::fill(array->begin(), array->end(), 0.25F);
  }
  std::fill(fields.masked.begin(), fields.masked.end(), std::uint8_t{0});
  std::fill(fields.dry.begin(), fields.dry.end(), std::uint8_t{0});
  fields.masked[4] = fields.dry[4] = 1;
  {
    EnvironmentWriter writer(folder / "a.h5", info);
    writer.write_level(TimeLevel(0), fields);
    writer.write_level(TimeLevel(1), fields);
    writer.finish();
  }
  EXPECT_TRUE(std::isnan(Hdf5File::open(folder / "a.h5").read_all<float>("u_mean")[4]));
  const EnvironmentReader reader(folder / "a.h5");
  LevelFields<> read(reader.info());
  reader.read_level(TimeLevel(1), read);
  EXPECT_EQ(read.u_mean[4], 0.0F);
  EXPECT_EQ(read.dry[4], 1);
  EXPECT_EQ(read.u_mean[3], 0.25F);
}

/// Writes a gyre whose attribute "uncertainty" is `word`, and returns its info.
EnvironmentInfo read_with_uncertainty(const std::string& word) {
  const test::TemporaryFolder folder;
  write_gyre(folder / "a.h5", small_gyre());
  EnvironmentInfo info = EnvironmentReader(folder / "a.h5").info();
  LevelFields<> fields(info);
  EnvironmentWriter writer(folder / "b.h5", info);
  writer.set_attribute("uncertainty", word);
  for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
    EnvironmentReader(folder / "a.h5").read_level(k, fields);
    writer.write_level(k, fields);
  }
  writer.finish();
  return EnvironmentReader(folder / "b.h5").info();
}

TEST(EnvironmentUncertainty, IsReadFromTheFile) {
  for (const auto& [word, uncertainty] : uncertainty_words) {
    EXPECT_EQ(read_with_uncertainty(std::string(word)).uncertainty, uncertainty) << word;
  }
  EXPECT_THAT(([] {
                try {
                  (void)read_with_uncertainty("some");
                } catch (const InputError& error) {
                  return std::string(error.what());
                }
                return std::string();
              }()),
              test::has_code("uncertainty_unknown", "some"));
}

TEST(EnvironmentUncertainty, FollowsRealizationsIfNotStated) {
  const test::TemporaryFolder folder;
  test::RawEnvironment raw;
  raw.write(folder / "three.h5");
  raw.dimensions["realization"] = 1;
  raw.variables["coefficient"].values.assign(std::size_t{4} * 2, 0.0);
  raw.write(folder / "one.h5");
  EXPECT_EQ(EnvironmentReader(folder / "three.h5").info().uncertainty,
            ForecastUncertainty::ensemble);
  EXPECT_EQ(EnvironmentReader(folder / "one.h5").info().uncertainty, ForecastUncertainty::none);
}

TEST(EnvironmentUncertainty, IsNoneForOneRealization) {
  const test::TemporaryFolder folder;
  DoubleGyreOptions options = small_gyre();
  write_gyre(folder / "many.h5", options);
  options.realization_count = 1;
  write_gyre(folder / "one.h5", options);
  EXPECT_EQ(Hdf5File::open(folder / "many.h5").text_attribute("/", "uncertainty"), "ensemble");
  EXPECT_EQ(Hdf5File::open(folder / "one.h5").text_attribute("/", "uncertainty"), "none");
}

TEST(Environment, RefusesAnotherVersion) {
  const test::TemporaryFolder folder;
  write_gyre(folder / "a.h5", small_gyre());
  {
    const Hdf5Handle file(H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const Hdf5Handle version(H5Aopen(file.id(), "tidewise_environment", H5P_DEFAULT), H5Aclose);
    const int other_version = 2;
    ASSERT_GE(H5Awrite(version.id(), H5T_NATIVE_INT, &other_version), 0);
  }
  EXPECT_THROW(EnvironmentReader(folder / "a.h5"), InputError);
}

/// Returns a raw environment with a scalar field.
test::RawEnvironment scalar_environment() {
  test::RawEnvironment raw;
  raw.variables["scalar_mean"] = raw.variables["u_mean"];
  return raw;
}

constexpr double fill = 9.96921e36;
constexpr std::size_t land = 3 * 8 + 5;

std::filesystem::path write_filled(const test::TemporaryFolder& folder,
                                   const test::RawEnvironment& raw, const char* attribute) {
  raw.write(folder / "a.h5");
  const Hdf5Handle file(H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  for (const char* name : {"u_mean", "v_mean", "u_mode", "v_mode", "coefficient", "scalar_mean"}) {
    const Hdf5Handle dataset(H5Dopen2(file.id(), name, H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle mark(
        H5Acreate2(dataset.id(), attribute, H5T_NATIVE_FLOAT, space.id(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    EXPECT_GE(H5Awrite(mark.id(), H5T_NATIVE_DOUBLE, &fill), 0);
  }
  return folder / "a.h5";
}

TEST(Environment, ReadsAFillValueOnLandAsDry) {
  for (const char* attribute : {"_FillValue", "missing_value"}) {
    for (const char* variable : {"u_mean", "v_mean", "u_mode", "v_mode"}) {
      const test::TemporaryFolder folder;
      auto raw = scalar_environment();
      auto& values = raw.variables[variable].values;
      values[values.size() - 48 + land] = fill;  // the last level, the last mode
      raw.variables["scalar_mean"].values[3 * 48 + land] = fill;
      const EnvironmentReader reader(write_filled(folder, raw, attribute));
      LevelFields<> fields(reader.info());
      reader.read_level(TimeLevel(2), fields);
      EXPECT_EQ(fields.dry[land], 0);
      EXPECT_EQ(fields.scalar[land], 0.25F);
      reader.read_level(TimeLevel(3), fields);
      EXPECT_EQ(std::count(fields.dry.begin(), fields.dry.end(), 1), 1);
      EXPECT_EQ(fields.dry[land], 1) << variable;
      for (const auto* field : {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode}) {
        for (std::size_t n = land; n < field->size(); n += 48) EXPECT_EQ((*field)[n], 0.0F);
      }
      EXPECT_EQ(fields.scalar[land], 0.0F);
      EXPECT_EQ(fields.u_mode[48 + land + 1], 0.5F);
    }
  }
}

TEST(Environment, ReadsAClosedCellWithANaNModeAsDry) {
  const test::TemporaryFolder folder;
  test::RawEnvironment raw;
  raw.variables["v_mode"].values[48 + land] = std::numeric_limits<double>::quiet_NaN();
  raw.write(folder / "a.h5");
  const EnvironmentReader reader(folder / "a.h5");
  LevelFields<> fields(reader.info());
  reader.read_level(TimeLevel(0), fields);
  EXPECT_EQ(fields.dry[land], 1);
  EXPECT_EQ(fields.u_mean[land], 0.0F);
}

TEST(Environment, RefusesAFillValueInTheWater) {
  for (const char* variable : {"u_mean", "v_mode", "scalar_mean", "coefficient"}) {
    const test::TemporaryFolder folder;
    auto raw = scalar_environment();
    raw.variables[variable].values[2] = fill;
    const EnvironmentReader reader(write_filled(folder, raw, "_FillValue"));
    LevelFields<> fields(reader.info());
    try {
      reader.read_level(TimeLevel(0), fields);
      ADD_FAILURE() << variable;
    } catch (const InputError& error) {
      const bool is_field = std::string(variable) != "coefficient";
      EXPECT_THAT(error.what(),
                  test::has_code(is_field ? "field_not_finite" : "coefficient_not_finite",
                                 "fill value 9.96921e+36"));
      EXPECT_THAT(error.what(), testing::HasSubstr(variable));
    }
  }
}

/// Writes an environment without values of its fields, of which only the layout can be read.
std::filesystem::path write_layout(const test::TemporaryFolder& folder, std::int32_t side,
                                   std::uint64_t modes, const std::vector<double>& time,
                                   NumberType time_type) {
  Hdf5File file = Hdf5File::create(folder / "a.h5");
  file.define_coordinate("x", axis_values(0, 1, side));
  file.define_coordinate("y", axis_values(0, 1, side));
  file.define_coordinate("time", time, time_type);
  file.define_dimension("mode", modes);
  file.define_dimension("realization", 2);
  for (const char* name : {"u_mean", "v_mean"}) {
    file.define_variable(name, NumberType::float32, {"time", "y", "x"});
  }
  for (const char* name : {"u_mode", "v_mode"}) {
    file.define_variable(name, NumberType::float32, {"time", "mode", "y", "x"});
  }
  file.define_variable("coefficient", NumberType::float32, {"time", "mode", "realization"});
  file.close();
  return folder / "a.h5";
}

std::string refusal_to_open(const std::filesystem::path& path) {
  try {
    const EnvironmentReader reader(path);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Environment, BoundsModesAndCells) {
  const test::TemporaryFolder folder;
  const auto refusal = [&](std::int32_t side, std::uint64_t modes) {
    return refusal_to_open(write_layout(folder, side, modes, {0, 1}, NumberType::float64));
  };
  EXPECT_EQ(refusal(4, 4096), "");
  EXPECT_THAT(refusal(4, 4097), test::has_code("too_many_modes", "4097"));
  // 32768² cells are allowed, but their values were not written.
  EXPECT_THAT(refusal(32768, 4),
              test::has_code("hdf5_variable_unreadable", "more than the file can hold"));
  EXPECT_THAT(refusal(32768, 5), test::has_code("mode_values_too_many"));
}

TEST(Environment, ChecksAnEpochAxisByItsStep) {
  const test::TemporaryFolder folder;
  const double epoch = 1.7e9;  // [s since 1970]
  const auto refusal = [&](const std::vector<double>& time, NumberType type) {
    return refusal_to_open(write_layout(folder, 4, 1, time, type));
  };
  const std::vector<double> even{epoch, epoch + 600, epoch + 1200, epoch + 1800};
  const std::vector<double> uneven{epoch, epoch + 900, epoch + 1200, epoch + 1800};
  EXPECT_EQ(refusal(even, NumberType::float64), "");
  EXPECT_EQ(refusal(even, NumberType::int64), "");
  EXPECT_THAT(refusal(uneven, NumberType::float64), test::has_code("axis_not_uniform"));
  EXPECT_THAT(refusal(uneven, NumberType::int64), test::has_code("axis_not_uniform"));
  EXPECT_THAT(refusal(even, NumberType::float32), test::has_code("axis_imprecise"));
  // Numbers near 1000 have a spacing of 6e-5 in float32.
  EXPECT_EQ(refusal(axis_values(1000, 0.1, 20), NumberType::float32), "");
  EXPECT_EQ(refusal(axis_values(1000, 0.01, 20), NumberType::float64), "");
}

/// Files of other programs must satisfy the rules of 'env import' for names and depths.
TEST(EnvironmentProfiles, AreRefusedWithInvalidNamesOrDepths) {
  const test::TemporaryFolder folder;
  const auto refusal = [&](std::vector<EnvironmentProfile> profiles) -> std::string {
    auto info = test::plain_info(8, 6, 3);
    info.profiles = std::move(profiles);
    test::write_environment(folder / "e.h5", info);
    try {
      const EnvironmentReader reader(folder / "e.h5");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const char* depths : {"0:50", "at:200", "0:50@0.4,50:100m@0.6", "", "dive.csv"}) {
    EXPECT_EQ(refusal({{"up", "0:50"}, {"Deep-2_b", depths}}), "") << depths;
    EXPECT_EQ(refusal({{"deep", depths}}), "") << depths;
  }
  EXPECT_EQ(refusal({{std::string(64, 'a'), "0:50"}}), "");
  for (const std::string& name : {std::string(65, 'a'), std::string("a/b"), std::string("a\x1b[2J"),
                                  std::string("d\xc3\xbc"), std::string("<b>")}) {
    for (const std::string& text :
         {refusal({{"up", "0:50"}, {name, "0:100"}}), refusal({{name, "0:100"}})}) {
      EXPECT_THAT(text, test::has_code("profile_name_invalid")) << name;
      EXPECT_EQ(text.find_first_of("\x1b\n"), std::string::npos) << name;
      EXPECT_LT(text.size(), 400u);
    }
  }
  for (const std::string& depths :
       {std::string("0:nan"), std::string("inf:inf"), std::string("100:50"), std::string("0:1e9"),
        std::string("at:-5"), std::string("0:50@0.4,50:100@0.4"), std::string("0:50@nan,50:100@1"),
        std::string("0:") + std::string(3000, '9'), std::string("x:\x1b")}) {
    for (const std::string& text :
         {refusal({{"up", "0:50"}, {"down", depths}}), refusal({{"down", depths}})}) {
      EXPECT_THAT(text, test::has_code("profile_depths_invalid")) << depths;
      EXPECT_LT(text.size(), 400u);
    }
  }
}

TEST(Grid, PutsFarPointsOutside) {
  const Grid grid{8, 6, 0.5, 0.5, 1, 1};
  EXPECT_EQ(grid.column_at(7.9), 7);
  EXPECT_EQ(grid.row_at(-0.1), -1);
  for (const double far : {1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_GT(grid.column_at(far), 8);
    EXPECT_LT(grid.column_at(-far), 0);
    EXPECT_GT(grid.row_at(far), 6);
    EXPECT_LT(grid.row_at(-far), 0);
    // The difference must not overflow.
    EXPECT_GT(grid.column_at(far) - grid.column_at(-far), 0);
  }
  EXPECT_LT(grid.column_at(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_LT(grid.row_at(std::numeric_limits<double>::quiet_NaN()), 0);
}

TEST(Weights, SumToTwoToTheTwentyFour) {
  const auto thirds = to_integer_weights({1, 1, 1});
  EXPECT_EQ(thirds, (std::vector<std::uint32_t>{5592406, 5592405, 5592405}));
  EXPECT_EQ(to_integer_weights({0, 1 << 24}), (std::vector<std::uint32_t>{0, 1u << 24}));
  EXPECT_THROW(to_integer_weights({0, 0}), InputError);
  EXPECT_THROW(to_integer_weights({1, -1}), InputError);
  EXPECT_THROW(to_integer_weights({1, std::numeric_limits<double>::quiet_NaN()}), InputError);
}

}  // namespace
}  // namespace tidewise
