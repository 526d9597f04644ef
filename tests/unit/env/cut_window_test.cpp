// Boxes and windows of time that are cut out of an environment.

#include "env/tools/cut_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "env/file/writer.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

/// A metric environment of 9 × 7 cells of 1000 × 500 m and 6 levels of an hour, with longitudes and
/// latitudes across 180°.
class WindowOfEnvironment : public testing::Test {
 protected:
  WindowOfEnvironment() {
    EnvironmentInfo info = test::plain_info(9, 7, 6);
    info.grid = {9, 7, 1000, -500, 1000, 500};
    info.time = {6, 7200, 3600};
    info.units = Units::metric;
    info.coordinates = Coordinates::geographic;
    info.time_units = "seconds since 2024-10-28 00:00:00";
    EnvironmentWriter writer(path(), info);
    std::vector<double> longitude, latitude;
    for (int cell = 0; cell < 63; ++cell) {
      const double east = 179.96 + 0.01 * (cell % 9);
      longitude.push_back(east > 180 ? east - 360 : east);
      latitude.push_back(0.005 * (cell / 9) + 0.0001 * (cell % 9));
    }
    writer.write_longitude_latitude(longitude, latitude);
    const LevelFields<> fields = test::still_level(info);
    for (int k = 0; k < 6; ++k) writer.write_level(TimeLevel(k), fields);
    writer.finish();
  }

  std::filesystem::path path() const { return folder_ / "rich.h5"; }
  CutWindow window(const CutRequest& request) const {
    return choose_window(EnvironmentReader(path()), request);
  }

  const test::TemporaryFolder folder_;
};

TEST_F(WindowOfEnvironment, BoundsIncludeCentres) {
  CutRequest request;
  request.x = CutRequest::Bounds{2500, 6000};  // the last centre is the bound
  request.y = CutRequest::Bounds{0, 1400};
  request.first = 1;
  request.last = 4;
  const CutWindow cut = window(request);
  EXPECT_EQ(cut.columns, (IndexRange{2, 5}));
  EXPECT_EQ(cut.rows, (IndexRange{1, 3}));
  EXPECT_EQ(cut.levels, (IndexRange{1, 4}));
}

TEST_F(WindowOfEnvironment, BoxesOfDegreesMayCrossTheSeam) {
  CutRequest request;
  request.box = BoundingBox{179.975, 0.004, -179.985, 0.0201};  // columns 2 … 5
  const CutWindow cut = window(request);
  EXPECT_EQ(cut.columns, (IndexRange{2, 5}));
  EXPECT_EQ(cut.rows, (IndexRange{1, 3}));  // row 4 begins at 0.02 + 0.0002 in column 2
  EXPECT_EQ(cut.levels, (IndexRange{0, 5}));
  request.box = BoundingBox{179.975, 0.004, 180.015, 0.0201};  // the same box in other numbers
  EXPECT_EQ(window(request).columns, (IndexRange{2, 5}));
}

TEST_F(WindowOfEnvironment, TimesAreLevelsOrDates) {
  CutRequest request;
  request.first = 3;
  EXPECT_EQ(window(request).levels, (IndexRange{3, 5}));
  request = {};
  request.from = 1730088000;  // 2024-10-28 04:00
  EXPECT_EQ(window(request).levels, (IndexRange{2, 5}));
  request.to = 1730088000 + 3600;
  EXPECT_EQ(window(request).levels, (IndexRange{2, 3}));
}

TEST_F(WindowOfEnvironment, RefusesFewerThanTwoColumnsRowsOrLevels) {
  const auto refusal_of = [&](const CutRequest& request) {
    return refusal([&] { window(request); });
  };
  CutRequest request;
  request.x = CutRequest::Bounds{2500, 3100};
  EXPECT_THAT(refusal_of(request), test::has_code("window_too_narrow", "columns"));
  request = {};
  request.y = CutRequest::Bounds{1e300, 2e300};
  EXPECT_THAT(refusal_of(request), test::has_code("window_too_narrow", "rows"));
  request = {};
  request.first = request.last = 2;
  EXPECT_THAT(refusal_of(request), test::has_code("window_levels_invalid", "--from 2 --to 2"));
  request.last = 6;
  EXPECT_THAT(refusal_of(request), test::has_code("window_levels_invalid", "5"));
  request = {};
  request.box = BoundingBox{10, 0, 11, 1};
  EXPECT_THAT(refusal_of(request), test::has_code("window_box_too_small", "--bbox 10,0,11,1"));
  request = {};
  request.from = 2e9;
  EXPECT_THAT(refusal_of(request), test::has_code("window_too_narrow", "--from"));
}

}  // namespace
}  // namespace tidewise
