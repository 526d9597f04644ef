#include "env/row_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "env/file/reader.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/random_case.h"
#include "support/ocean/raw_environment.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

TEST(RowWindow, DividesAllRowsOnce) {
  for (const std::int32_t parts : {1, 2, 3, 5}) {
    const auto windows = divide_rows(23, parts, parts == 1 ? 0 : 4);
    EXPECT_EQ(windows.front().begin, 0);
    EXPECT_EQ(windows.back().end, 23);
    for (std::size_t n = 1; n < windows.size(); ++n) {
      EXPECT_EQ(windows[n].begin, windows[n - 1].end);
      EXPECT_EQ(windows[n].south_halo(), 4);
      EXPECT_GE(windows[n].known_begin,
                windows[n - 1].begin);  // the halo lies in the adjacent band
    }
    EXPECT_EQ(windows.front().south_halo(), 0);
    EXPECT_EQ(windows.back().north_halo(), 0);
  }
  EXPECT_THROW(divide_rows(23, 5, 5), std::invalid_argument);
}

TEST(RowWindow, HasAGridOfItsRows) {
  const Grid grid{8, 20, 1, 100, 2, 0.1};
  const Grid part = window_grid(grid, {5, 9, 3, 12});
  EXPECT_EQ(part.ny, 9);
  EXPECT_EQ(part.nx, 8);
  EXPECT_EQ(part.first_row, 3);
  for (std::int32_t j = 0; j < part.ny; ++j) EXPECT_NEAR(part.y(j), grid.y(j + 3), 1e-12);
  EXPECT_THROW(window_grid(grid, {5, 9, 3, 21}), std::invalid_argument);
}

/// Expects that rows [begin, end) of a window's field equal those of the whole field.
template <class T>
void expect_rows(const Array<T>& part, const Array<T>& whole, const Grid& grid,
                 const RowWindow& window, std::int32_t begin, std::int32_t end) {
  const auto nx = static_cast<std::size_t>(grid.nx);
  const auto known = static_cast<std::size_t>(window.known_size()) * nx;
  const auto all = static_cast<std::size_t>(grid.cell_count());
  ASSERT_EQ(part.size() / known, whole.size() / all);
  for (std::size_t plane = 0; plane < whole.size() / all; ++plane) {
    for (std::int32_t row = begin; row < end; ++row) {
      const T* actual = part.data() + plane * known + std::size_t(row - window.known_begin) * nx;
      const T* expected = whole.data() + plane * all + std::size_t(row) * nx;
      ASSERT_TRUE(std::equal(actual, actual + nx, expected)) << "plane " << plane << " row " << row;
    }
  }
}

TEST(RowWindow, ReadsTheRowsOfAWholeLevel) {
  const test::TemporaryFolder folder;
  for (const Obstacles obstacles : {Obstacles::none, Obstacles::fixed, Obstacles::moving}) {
    EnvironmentInfo info = test::plain_info(40, 23, 3, 3, 7);
    info.obstacles = obstacles;
    info.has_scalar = obstacles != Obstacles::none;
    test::write_random_environment(folder / "env.h5", info, 1);
    const EnvironmentReader whole(folder / "env.h5");
    LevelFields<> all(whole.info());
    for (const RowWindow& window : divide_rows(23, 3, 5)) {
      const EnvironmentReader reader(folder / "env.h5", {}, window);
      EXPECT_EQ(reader.window(), window);
      EXPECT_EQ(reader.info().grid.ny, window.known_size());
      LevelFields<> part(reader.info());
      const Grid& grid = whole.info().grid;
      const auto expect_known_rows = [&](const auto& a, const auto& b) {
        expect_rows(a, b, grid, window, window.known_begin, window.known_end);
      };
      const auto expect_own_rows = [&](const auto& a, const auto& b) {
        expect_rows(a, b, grid, window, window.begin, window.end);
      };
      for (const std::int32_t k : {2, 0, 1}) {
        whole.read_level(TimeLevel(k), all);
        std::fill(part.u_mode.begin(), part.u_mode.end(), 77.0F);  // memory used before
        reader.read_level(TimeLevel(k), part);
        expect_known_rows(part.masked, all.masked);
        expect_known_rows(part.scalar, all.scalar);
        expect_own_rows(part.u_mean, all.u_mean);
        expect_own_rows(part.v_mean, all.v_mean);
        expect_own_rows(part.u_mode, all.u_mode);
        expect_own_rows(part.v_mode, all.v_mode);
        expect_own_rows(part.dry, all.dry);
        EXPECT_TRUE(std::equal(all.coefficient.begin(), all.coefficient.end(),
                               part.coefficient.begin(), part.coefficient.end()));
        if (window.south_halo() > 0) {
          EXPECT_EQ(part.u_mode[0], 0.0F);
        }
        const auto masked = reader.read_masked(TimeLevel(k));
        EXPECT_TRUE(std::equal(masked.begin(), masked.end(), part.masked.begin()));
      }
    }
  }
}

std::string refusal_to_read(const EnvironmentReader& reader) {
  LevelFields<> fields(reader.info());
  try {
    reader.read_level(TimeLevel(1), fields);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RowWindow, ReportsErrorsWithTheFilesRowNumbers) {
  const test::TemporaryFolder folder;
  test::RawEnvironment raw;
  raw.variables["v_mode"].values[(1 * 2 + 1) * 48 + 4 * 8 + 2] = std::nan("");
  raw.write(folder / "a.h5");
  const std::string whole = refusal_to_read(EnvironmentReader(folder / "a.h5"));
  EXPECT_THAT(whole, test::has_code("field_not_finite", "row 4, column 2"));
  EXPECT_EQ(refusal_to_read({folder / "a.h5", {}, RowWindow{4, 6, 2, 6}}), whole);
  EXPECT_EQ(refusal_to_read({folder / "a.h5", {}, RowWindow{2, 4, 0, 6}}), "");  // in the halo
}

TEST(RowWindow, AllowsZeroAsAFillValue) {
  const test::TemporaryFolder folder;
  test::RawEnvironment raw;
  for (double& value : raw.variables["v_mean"].values) value = 0.5;
  raw.write(folder / "a.h5");
  {
    const Hdf5Handle file(H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const Hdf5Handle dataset(H5Dopen2(file.id(), "v_mean", H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle attribute(H5Acreate2(dataset.id(), "_FillValue", H5T_NATIVE_FLOAT, space.id(),
                                          H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose);
    const float zero = 0;
    EXPECT_GE(H5Awrite(attribute.id(), H5T_NATIVE_FLOAT, &zero), 0);
  }
  EXPECT_EQ(refusal_to_read({folder / "a.h5", {}, RowWindow{2, 4, 1, 6}}), "");
}

}  // namespace
}  // namespace tidewise
