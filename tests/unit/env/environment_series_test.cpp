// Series in an environment file, with one number per level.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "env/file/extras.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/raw_environment.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::ElementsAre;

class Series : public testing::Test {
 protected:
  // There are as many levels as realizations, because a series is identified by its dimension.
  Series() {
    const EnvironmentInfo info = test::plain_info(4, 3, 5, 2, 5);
    EnvironmentWriter writer(folder_ / "whole.h5", info);
    writer.write_series(energy_);
    const LevelFields<> fields = test::still_level(info);
    for (int k = 0; k < 5; ++k) writer.write_level(TimeLevel(k), fields);
    writer.finish();
  }

  std::vector<EnvironmentSeries> read(const std::string& name) const {
    return read_environment_extras(EnvironmentReader(folder_ / name)).series;
  }

  const test::TemporaryFolder folder_;
  const EnvironmentSeries energy_{"energy", "m2 s-2", "energy of it", {1, 2, 4, 8, 16}};
};

TEST_F(Series, RoundTrip) { EXPECT_THAT(read("whole.h5"), ElementsAre(energy_)); }

// A variable along an unlimited dimension may have been written only for the first levels.
TEST_F(Series, AreNanForLevelsNotWritten) {
  const auto path = folder_ / "whole.h5";
  test::add_along(path, "begun", "time", {1, 2});
  test::add_along(path, "empty", "time", {});
  test::add_along(path, "variance_kept", "time", {0.5});
  const auto is_nan = testing::ResultOf([](double value) { return std::isnan(value); }, true);
  const auto extras = read_environment_extras(EnvironmentReader(path));
  ASSERT_EQ(extras.series.size(), 3u);
  EXPECT_THAT(extras.series[0].values, ElementsAre(1, 2, is_nan, is_nan, is_nan));
  EXPECT_THAT(extras.series[1].values, ElementsAre(is_nan, is_nan, is_nan, is_nan, is_nan));
  EXPECT_THAT(extras.variance_kept, ElementsAre(0.5, is_nan, is_nan, is_nan, is_nan));
  test::add_along(path, "long", "time", {1, 2, 3, 4, 5, 6});
  try {
    read_environment_extras(EnvironmentReader(path));
    ADD_FAILURE() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code("extra_time_length", "long"));
  }
}

TEST_F(Series, AreReadFromAFileWithOtherNames) {
  // Its axis is named t, along a dimension named n.
  test::RawEnvironment raw;
  raw.dimensions["n"] = 4;
  for (auto& [name, variable] : raw.variables) {
    if (variable.dimensions.front() == "time") variable.dimensions.front() = "n";
  }
  raw.axes.erase("time");
  raw.variables["t"] = {{"n"}, {0, 1, 2, 3}};
  raw.units["t"] = "1";
  raw.variables["wind"] = {{"n"}, {4, 3, 2, 1}};
  raw.variables["depth"] = {{"mode"}, {4, 3}};
  raw.write(folder_ / "other.h5");
  EnvironmentNames names;
  names.time = "t";
  const auto series =
      read_environment_extras(EnvironmentReader(folder_ / "other.h5", names)).series;
  EXPECT_THAT(series, ElementsAre(EnvironmentSeries{"wind", "1", "wind", {4, 3, 2, 1}}));
}

}  // namespace
}  // namespace tidewise
