#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "base/error.h"
#include "env/double_gyre.h"
#include "env/environment_reader.h"
#include "env/environment_writer.h"
#include "env/level_stream.h"
#include "env/weights.h"
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

void make(const std::filesystem::path& path, const DoubleGyreOptions& options) {
  SilentProgress progress;
  write_double_gyre(path, options, progress);
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(DoubleGyre, SameSeedSameBytes) {
  const test::TemporaryFolder folder;
  make(folder / "a.h5", small_gyre());
  make(folder / "b.h5", small_gyre());
  auto other = small_gyre();
  other.seed = 2;
  make(folder / "c.h5", other);
  EXPECT_EQ(bytes_of(folder / "a.h5"), bytes_of(folder / "b.h5"));
  EXPECT_NE(bytes_of(folder / "a.h5"), bytes_of(folder / "c.h5"));
}

TEST(DoubleGyre, IsDivergenceFreeBoundedAndCentred) {
  const test::TemporaryFolder folder;
  const auto options = small_gyre();
  make(folder / "a.h5", options);
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
    double greatest = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      for (std::size_t r = 0; r < 50; ++r) {
        double u = fields.u_mean[cell];
        double v = fields.v_mean[cell];
        for (std::size_t m = 0; m < 3; ++m) {
          u += double(fields.coefficient[m * 50 + r]) * fields.u_mode[m * cells + cell];
          v += double(fields.coefficient[m * 50 + r]) * fields.v_mode[m * cells + cell];
        }
        greatest = std::max(greatest, std::hypot(u, v));
      }
    }
    EXPECT_LT(greatest, 2.6);
    EXPECT_GT(greatest, 1.5);
    for (std::size_t m = 0; m < 3; ++m) {
      double sum = 0;
      for (std::size_t r = 0; r < 50; ++r) sum += fields.coefficient[m * 50 + r];
      EXPECT_NEAR(sum / 50, 0, 1e-6);
    }
  }
}

TEST(LevelStream, GivesLevelsInTheAskedOrder) {
  const test::TemporaryFolder folder;
  make(folder / "a.h5", small_gyre());
  const EnvironmentReader reader(folder / "a.h5");
  LevelFields<> expected(reader.info());
  LevelStream stream(reader, levels_between(TimeLevel(6), TimeLevel(0)));
  for (std::int32_t k = 6; k >= 0; --k) {
    reader.read_level(TimeLevel(k), expected);
    const auto& fields = stream.next();
    ASSERT_TRUE(std::equal(expected.u_mode.begin(), expected.u_mode.end(), fields.u_mode.begin()));
    ASSERT_TRUE(std::equal(expected.closed.begin(), expected.closed.end(), fields.closed.begin()));
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
  std::fill(fields.closed.begin(), fields.closed.end(), std::uint8_t{0});
  std::fill(fields.dry.begin(), fields.dry.end(), std::uint8_t{0});
  fields.closed[4] = fields.dry[4] = 1;
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

TEST(Grid, PutsWhatIsFarAwayOutside) {
  const Grid grid{8, 6, 0.5, 0.5, 1, 1};
  EXPECT_EQ(grid.column_at(7.9), 7);
  EXPECT_EQ(grid.row_at(-0.1), -1);
  for (const double far : {1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_GT(grid.column_at(far), 8);
    EXPECT_LT(grid.column_at(-far), 0);
    EXPECT_GT(grid.row_at(far), 6);
    EXPECT_LT(grid.row_at(-far), 0);
    // The way between them is a number too.
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
