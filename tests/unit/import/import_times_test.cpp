// Times of forecasts: means and their intervals, rounded axes, calendars and units.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"
#include "env/file/reader.h"
#include "env/import/file/cell_methods.h"
#include "env/import/import_forecast.h"
#include "env/import/source/forecast_source.h"
#include "env/import/time/usual_step.h"
#include "env/units/calendar_time.h"
#include "support/error_code.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::NetcdfFixture;
using test::SmallForecast;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Variable = NetcdfFixture::Variable;

constexpr double hour = 3600;              // [s]
constexpr double first_time = 1730073600;  // [s] 2024-10-28T00:00:00Z, by `date -d … +%s`

class ImportTimes : public ::testing::Test {
 protected:
  ImportTimes() {
    forecast.members = 0;
    forecast.v = [](double, double, double, int) { return 0.1; };
  }

  /// Returns fields at `hours` with `bounds` (time, 2) in hours.
  NetcdfFixture with_bounds(const std::vector<double>& hours, const std::vector<double>& bounds,
                            const std::string& cell_methods = "time: mean") {
    forecast.hour = hours;
    NetcdfFixture fixture = forecast.fixture();
    fixture.dimensions.emplace_back("bnds", 2);
    fixture.variables.push_back({"time_bnds", NC_DOUBLE, {"time", "bnds"}, bounds, {}, {}});
    fixture.variable("time").texts.emplace_back("bounds", "time_bnds");
    for (const char* name : {"uo", "vo"}) {
      if (cell_methods.empty()) continue;
      fixture.variable(name).texts.emplace_back("cell_methods", cell_methods);
    }
    return fixture;
  }
  /// Hours since first_time, and the source's notes.
  struct ReadTimes {
    std::vector<double> hours;
    std::vector<std::string> notes;
    double step = 0;  // [h]
  };
  ReadTimes read(const NetcdfFixture& fixture, const SourceNames& names = {}) const {
    fixture.write(folder / "a.nc");
    const ForecastSource source({{folder / "a.nc"}, {{"uo"}, {"vo"}}, names, {}, {}});
    ReadTimes result{source.times(), source.notes(), source.time_step() / hour};
    for (double& time : result.hours) time = (time - first_time) / hour;
    return result;
  }
  std::string refusal(const NetcdfFixture& fixture) const {
    try {
      read(fixture);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  ImportReport import(
      const NetcdfFixture& fixture,
      const std::function<void(ImportOptions&)>& change = [](ImportOptions&) {}) {
    fixture.write(folder / "a.nc");
    ImportOptions options;
    options.files = {folder / "a.nc"};
    options.out = folder / "env.h5";
    options.spacing = 50000;
    options.sample = Sampling::begin;
    change(options);
    SilentProgress progress;
    return import_forecast(options, progress);
  }
  /// Returns the eastward speed in the middle of the area, by level.
  std::vector<double> speeds() const {
    const EnvironmentReader reader(folder / "env.h5");
    LevelFields<> fields(reader.info());
    const Grid& grid = reader.info().grid;
    const CellIndex middle = grid.cell(grid.column_at(0), grid.row_at(0));
    std::vector<double> values;
    for (std::int32_t k = 0; k < reader.info().time.level_count; ++k) {
      reader.read_level(TimeLevel(k), fields);
      values.push_back(fields.u_mean[static_cast<std::size_t>(middle.value)]);
    }
    return values;
  }

  const test::TemporaryFolder folder;
  SmallForecast forecast;
};

TEST_F(ImportTimes, PlaceMeansAtTheMiddleOfTheirIntervals) {
  // Daily means are stamped at their beginning; the flow is 0.001 m/s times the hours.
  forecast.u = [](double, double, double hours, int) { return 0.001 * (hours + 12); };
  const NetcdfFixture daily =
      with_bounds({0, 24, 48, 72}, {0, 24, 24, 48, 48, 72, 72, 96}, "area: mean time: mean");
  const ImportReport report =
      import(daily, [](ImportOptions& options) { options.step = 12 * hour; });
  EXPECT_EQ(report.info.time_units, "seconds since 2024-10-28T12:00:00");
  EXPECT_THAT(
      report.lines,
      Contains("time: each field is a mean over 24 h (bounds time_bnds), placed at the middle of "
               "its interval, 12 h after its time"));
  const auto speed = speeds();
  ASSERT_EQ(speed.size(), 7u);
  for (std::size_t k = 0; k < speed.size(); ++k)
    EXPECT_NEAR(speed[k], 0.001 * (12 + 12.0 * k), 1e-6);

  // Means of six hours are stamped at their end; their bounds are in descending order.
  const ReadTimes ended = read(with_bounds({6, 12, 18}, {6, 0, 12, 6, 18, 12}));
  EXPECT_THAT(ended.hours, ElementsAre(3, 9, 15));
  EXPECT_THAT(ended.notes, Contains(HasSubstr("mean over 6 h (bounds time_bnds), placed at the "
                                              "middle of its interval, 3 h before its time")));
}

TEST_F(ImportTimes, PlaceMeansOfMonthsAtTheirOwnMiddles) {
  // November, December, January and February from 2024-11-01, 96 h after the first time.
  const std::vector<double> begin{96, 96 + 720, 96 + 1464, 96 + 2208};
  const NetcdfFixture monthly = with_bounds(begin, {begin[0], begin[1], begin[1], begin[2],
                                                    begin[2], begin[3], begin[3], begin[3] + 672});
  const ReadTimes months = read(monthly);
  EXPECT_THAT(months.hours,
              ElementsAre(96 + 360, 96 + 720 + 372, 96 + 1464 + 372, 96 + 2208 + 336));
  EXPECT_THAT(months.notes, Contains(HasSubstr("a mean over 672 h to 744 h")));
  EXPECT_THAT(months.notes, Contains(HasSubstr("336 h to 372 h after its time")));
}

TEST_F(ImportTimes, LeaveMeansThatAreStampedInTheMiddle) {
  const ReadTimes centred = read(with_bounds({12, 36, 60}, {0, 24, 24, 48, 48, 72}));
  EXPECT_THAT(centred.hours, ElementsAre(12, 36, 60));
  EXPECT_THAT(centred.notes, Contains(HasSubstr("middle of its interval, where its time is")));
}

TEST_F(ImportTimes, ReadBoundsInUnitsOfTheirOwn) {
  NetcdfFixture daily = with_bounds({0, 24, 48}, {-1, 0, 0, 1, 1, 2});
  daily.variable("time_bnds").texts = {{"units", "days since 2024-10-29"}};
  EXPECT_THAT(read(daily).hours, ElementsAre(12, 36, 60));
  // Corrected units also hold for bounds without units or with the same wrong units.
  daily = with_bounds({0, 24, 48}, {0, 24, 24, 48, 48, 72});
  for (const char* bounds_units : {"", "hours since 1800-01-01"}) {
    daily.variable("time").texts = {{"units", "hours since 1800-01-01"}, {"bounds", "time_bnds"}};
    daily.variable("time_bnds").texts = {{"units", bounds_units}};
    const ReadTimes corrected = read(daily, {.time_units = "hours since 2024-10-28"});
    EXPECT_THAT(corrected.hours, ElementsAre(12, 36, 60)) << bounds_units;
  }
}

TEST_F(ImportTimes, TreatBoundsWithoutCellMethodsAsThoseOfMeans) {
  const ReadTimes daily = read(with_bounds({0, 24, 48}, {0, 24, 24, 48, 48, 72}, ""));
  EXPECT_THAT(daily.hours, ElementsAre(12, 36, 60));
  EXPECT_THAT(daily.notes, Contains(HasSubstr("time_bnds; no cell_methods")));
  // Bounds of zero length mark instants.
  const ReadTimes instants = read(with_bounds({0, 6, 12}, {0, 0, 6, 6, 12, 12}, ""));
  EXPECT_THAT(instants.hours, ElementsAre(0, 6, 12));
  EXPECT_THAT(instants.notes, Each(Not(HasSubstr("bounds"))));
}

TEST_F(ImportTimes, LeaveInstantsAtTheirTimes) {
  const ReadTimes point = read(with_bounds({0, 6, 12}, {0, 6, 6, 12, 12, 18}, "time: point"));
  EXPECT_THAT(point.hours, ElementsAre(0, 6, 12));
  EXPECT_THAT(point.notes, Contains(HasSubstr("so the bounds time_bnds are not used")));
  EXPECT_THAT(read(forecast.fixture()).notes, Each(Not(HasSubstr("time:"))));
}

TEST_F(ImportTimes, ReportMeansOfUnknownIntervals) {
  NetcdfFixture daily = with_bounds({0, 24, 48}, {0, 24, 24, 48, 48, 72});
  std::erase_if(daily.variables,
                [](const Variable& variable) { return variable.name == "time_bnds"; });
  const ReadTimes missing = read(daily);
  EXPECT_THAT(missing.hours, ElementsAre(0, 24, 48));
  EXPECT_THAT(missing.notes, Contains(HasSubstr("the bounds time_bnds are not in the file, so the "
                                                "interval is unknown")));
  daily.variable("time").texts.pop_back();
  EXPECT_THAT(read(daily).notes,
              Contains(HasSubstr("time has no bounds, so the interval is unknown")));
}

TEST_F(ImportTimes, PlaceASingleMeanByItsBounds) {
  NetcdfFixture single = with_bounds({0}, {0, 24});
  single.variable("time").dimensions.clear();
  single.variable("time_bnds").dimensions = {"bnds"};
  for (const char* name : {"uo", "vo"}) single.variable(name).dimensions = {"lat", "lon"};
  const ImportReport report =
      import(single, [](ImportOptions& options) { options.steady = 86400; });
  EXPECT_EQ(report.info.time_units, "seconds since 2024-10-28T12:00:00");
}

TEST_F(ImportTimes, AllowForTheRoundingOfBounds) {
  // Bounds of hours that begin at their times, as days since 1900 in single precision.
  NetcdfFixture hourly = with_bounds({0, 1, 2, 3}, std::vector<double>(8));
  Variable& bounds = hourly.variable("time_bnds");
  bounds.type = NC_FLOAT;
  bounds.texts = {{"units", "days since 1900-01-01"}};
  for (std::size_t n = 0; n < 8; ++n) {
    const std::size_t edge = (n + 1) / 2;
    bounds.values[n] = 45591 + static_cast<double>(edge) / 24;  // 2024-10-28
  }
  const std::vector<double> hours = read(hourly).hours;
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(hours[n], static_cast<double>(n) + 0.5, 0.05);
}

TEST_F(ImportTimes, RefuseBoundsThatDoNotEncloseTheirTimes) {
  const std::string outside = refusal(with_bounds({0, 24, 48}, {0, 24, 48, 72, 72, 96}));
  EXPECT_THAT(outside,
              testing::AllOf(test::has_code("time_bounds_wrong", "a.nc: variable time_bnds"),
                             testing::HasSubstr("2024-10-30T00:00:00")));
  NetcdfFixture flat = with_bounds({0, 24, 48}, {0, 24, 48});
  flat.variable("time_bnds").dimensions = {"time"};
  EXPECT_THAT(refusal(flat), test::has_code("time_bounds_shape", "time = 3"));
}

TEST_F(ImportTimes, RefuseClimatologies) {
  NetcdfFixture months = with_bounds({0, 24}, {0, 24, 24, 48});
  months.variable("time").texts.back() = {"climatology", "time_bnds"};
  EXPECT_THAT(refusal(months),
              test::has_code("time_is_climatology", "attribute climatology of time"));
  EXPECT_THAT(
      refusal(with_bounds({0, 24}, {0, 24, 24, 48}, "time: mean within days time: mean over days")),
      test::has_code("time_is_climatology", "cell_methods \"time: mean within days"));
}

TEST(CellMethods, ReadsTheMethodAlongADimension) {
  const auto name = [](const char* text) {
    const auto method = cell_method_along(text, {"time", "t"});
    return method ? method->name : "none";
  };
  EXPECT_EQ(name("time: mean"), "mean");
  EXPECT_EQ(name("area: mean time: Point"), "point");
  EXPECT_EQ(name("time:mean (interval: 1 hour comment: of steps) depth: point"), "mean");
  EXPECT_EQ(name("time: lat: lon: mean"), "mean");
  EXPECT_EQ(name("lat: lon: T: maximum"), "maximum");
  EXPECT_EQ(name("time: maximum time: mean"), "mean");
  EXPECT_EQ(name("area: mean where sea"), "none");
  EXPECT_EQ(name("longitude: point (time: mean)"), "none");
  EXPECT_EQ(name(""), "none");
  EXPECT_TRUE(cell_method_along("t: mean over years", {"t"})->is_climatology);
  EXPECT_FALSE(cell_method_along("t: mean area: mean within boxes", {"t"})->is_climatology);
}

TEST(UsualStep, MatchesARegularAxisWithRounding) {
  const auto step = [](const std::vector<double>& times) { return usual_step(times).seconds; };
  EXPECT_EQ(step({}), 0);
  EXPECT_EQ(step({5}), 0);
  EXPECT_EQ(step({0, 10800, 21600}), 10800);
  EXPECT_EQ(step({0, 10800, 21601}), 10800);
  EXPECT_EQ(step({0, 10799, 21599, 32400}), 10800);
  EXPECT_EQ(step({0, 900, 1799, 2700}), 900);
  EXPECT_DOUBLE_EQ(step({0, 6220.8, 2 * 6220.8, 3 * 6220.8}), 6220.8);
  EXPECT_EQ(step({0, 10750, 21500}), 10750);
  // With a gap, and closer fields at the end, the step is that of most fields.
  EXPECT_EQ(step({0, 3600, 7200, 36000, 39600}), 3600);
  for (const double first : {45500.0, 45500.3, 40100.7}) {
    std::vector<double> days(168);  // hours of a week as days since 1900 in single precision
    for (std::size_t n = 0; n < days.size(); ++n) {
      const auto day = static_cast<float>(first + static_cast<double>(n) / 24);
      days[n] = std::round(86400.0 * day);
    }
    EXPECT_EQ(step(days), 3600) << first;
    EXPECT_GT(usual_step(days).slack, 100) << first;
  }
}

TEST(UsualStep, HasTheSlackOfItsRounding) {
  EXPECT_EQ(usual_step({0, 10800, 21600}).slack, 1);
  EXPECT_EQ(usual_step({0, 3600, 36000}).slack, 1);
  EXPECT_EQ(usual_step({0, 10800, 21500}).slack, 100);
  const double day = 24 * hour;  // months are not rounded
  EXPECT_EQ(usual_step({0, 31 * day, 59 * day}).slack, 1);
  EXPECT_EQ(usual_step({0, 31 * day, 59 * day}).seconds, 31 * day);
  EXPECT_TRUE(are_same_times({0, 10800, 21600}, {0, 10799, 21601}));
  EXPECT_FALSE(are_same_times({0, 10800, 21600}, {60, 10860, 21660}));
  EXPECT_FALSE(are_same_times({0, 10800, 21600}, {0, 10800}));
}

TEST_F(ImportTimes, KeepTheLastStepOfRoundedTimes) {
  forecast.u = [](double, double, double hours, int) { return 0.01 * hours; };
  const double second = 1 / hour;
  for (const double offset : {0.0, second, -second, -100 * second}) {
    for (const std::vector<double>& hours : {std::vector<double>{0, 3, 6 + offset},
                                             std::vector<double>{0, 1, 2, 3, 4, 5, 6 + offset}}) {
      forecast.hour = hours;
      const ImportReport report = import(forecast.fixture());
      EXPECT_EQ(report.info.time.level_count, static_cast<std::int32_t>(hours.size())) << offset;
      EXPECT_EQ(report.info.time.step, 6 / static_cast<double>(hours.size() - 1) * hour) << offset;
      EXPECT_NEAR(speeds().back(), 0.01 * std::min(6.0, 6 + offset), 1e-6) << offset;
      const std::string seconds = offset == -second ? "1 s" : "100 s";
      const auto note = Contains(HasSubstr("the source's last field is " + seconds));
      EXPECT_THAT(report.lines, ::testing::Conditional(offset < 0, note, Not(note))) << offset;
    }
  }
}

TEST_F(ImportTimes, AllowAWindowUpToARoundedEnd) {
  forecast.hour = {0, 3, 6, 9, 12 - 1 / hour};
  const ImportReport report = import(
      forecast.fixture(), [](ImportOptions& options) { options.to = first_time + 12 * hour; });
  EXPECT_EQ(report.info.time.level_count, 5);
  EXPECT_THROW(import(forecast.fixture(),
                      [](ImportOptions& options) { options.to = first_time + 13 * hour; }),
               InputError);
}

TEST_F(ImportTimes, MayBeRoundedDifferentlyForBothComponents) {
  forecast.hour = {0, 3, 6, 9};
  NetcdfFixture u = forecast.fixture();
  std::erase_if(u.variables, [](const Variable& variable) { return variable.name == "vo"; });
  u.write(folder / "u.nc");
  forecast.hour = {0, 3 - 1 / hour, 6, 9 + 1 / hour};
  NetcdfFixture v = forecast.fixture();
  std::erase_if(v.variables, [](const Variable& variable) { return variable.name == "uo"; });
  v.write(folder / "v.nc");
  const ForecastSource source({{folder / "u.nc", folder / "v.nc"}, {{"uo"}, {"vo"}}, {}, {}, {}});
  EXPECT_EQ(source.times().size(), 4u);
}

/// Expected dates are those of cftime 1.6.
TEST(CalendarTime, FollowsTheYearZeroOfEachCalendar) {
  const auto date = [](const char* units, const char* calendar, double value) {
    return format_iso_time(TimeUnits(units, calendar).to_seconds(value));
  };
  const char* julian_days = "days since -4713-01-01 12:00:00";
  EXPECT_EQ(date(julian_days, "", 2460735.5), "2025-03-01T00:00:00");
  EXPECT_EQ(date(julian_days, "gregorian", 2440587.5), "1970-01-01T00:00:00");
  EXPECT_EQ(date(julian_days, "julian", 2460735.5), "2025-03-01T00:00:00");  // 16 February, Julian
  EXPECT_EQ(date("days since -4713-11-24 12:00:00", "proleptic_gregorian", 2460735.5),
            "2025-03-01T00:00:00");
  EXPECT_EQ(date("days since -4712-11-24 12:00:00", "proleptic_gregorian", 2460735.5 - 366),
            "2025-03-01T00:00:00");
  // The day after 31 December -1 is 1 January 1, where there is no year 0.
  EXPECT_EQ(TimeUnits("days since -1-12-31", "standard").to_seconds(1),
            TimeUnits("days since 1-1-1", "standard").to_seconds(0));
  EXPECT_EQ(TimeUnits("days since -1-12-31", "proleptic_gregorian").to_seconds(367),
            TimeUnits("days since 1-1-1", "proleptic_gregorian").to_seconds(0));
  EXPECT_EQ(TimeUnits("days since -5-02-29", "julian").to_seconds(0),
            TimeUnits("days since -5-02-28", "julian").to_seconds(1));
  EXPECT_EQ(TimeUnits("days since 1582-10-04", "standard").to_seconds(1),
            TimeUnits("days since 1582-10-15", "standard").to_seconds(0));
  for (const char* invalid : {"0000-01-01", "1582-10-10", "-0004-02-29"}) {
    EXPECT_THROW(TimeUnits("days since " + std::string(invalid), "standard"), InputError)
        << invalid;
  }
  try {
    TimeUnits("days since 0000-01-01", "julian");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code("date_not_in_calendar", "the year before 1 is -1"));
  }
}

TEST(CalendarTime, ReadsUnitsInTheirUsualSpellings) {
  const auto seconds = [](const std::string& unit) {
    return TimeUnits(unit + " since 1970-01-01", "standard").to_seconds(3e9) / 3e9;
  };
  for (const char* unit : {"s", "sec", "secs", "second", "Seconds"})
    EXPECT_EQ(seconds(unit), 1) << unit;
  for (const char* unit : {"ms", "msec", "millisecs", "milliseconds"}) {
    EXPECT_EQ(seconds(unit), 1e-3) << unit;
  }
  for (const char* unit : {"us", "µs", "usec", "microsec", "microseconds"}) {
    EXPECT_EQ(seconds(unit), 1e-6) << unit;
  }
  for (const char* unit : {"ns", "nanosecond", "nanoseconds"})
    EXPECT_EQ(seconds(unit), 1e-9) << unit;
  EXPECT_EQ(TimeUnits("weeks since 1970-01-01", "").to_seconds(2), 14 * 24 * hour);
  EXPECT_EQ(TimeUnits("nanoseconds since 1970-01-01", "").to_seconds(1730073600e9), first_time);
  for (const char* invalid : {"months", "years", "common_years", "yr", "a", "parsecs", ""}) {
    EXPECT_THROW(seconds(invalid), InputError) << invalid;
  }
}

TEST(CalendarTime, ReadsZonesAfterADateOrATime) {
  const auto start = [](const std::string& date) {
    return (TimeUnits("days since " + date, "standard").to_seconds(0) - first_time) / hour;
  };
  EXPECT_EQ(start("2024-10-28 00:00:00 -6:00"), 6);
  EXPECT_EQ(start("2024-10-28 00:00:00 -06:00"), 6);
  EXPECT_EQ(start("2024-10-28 00:00:00.0 +0530"), -5.5);
  EXPECT_EQ(start("2024-10-28T00:00:00+5"), -5);
  EXPECT_EQ(start("2024-10-28 -6:00"), 6);
  EXPECT_EQ(start("2024-10-28 06:30 utc"), 6.5);
  EXPECT_EQ(start("2024-10-28 6"), 6);
  for (const char* wrong : {"2024-10-28 -6:0:0", "2024-10-28 00:00 +25", "2024-10-28 24:30",
                            "2024-10-28 -", "2024-10-28T"}) {
    EXPECT_THROW(start(wrong), InputError) << wrong;
  }
}

}  // namespace
}  // namespace tidewise::ingest
