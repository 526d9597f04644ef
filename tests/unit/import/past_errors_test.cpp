// Errors of earlier forecasts, and of persistence in a series of analyses, as realizations.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "env/file/reader.h"
#include "env/import/import_forecast.h"
#include "support/error_code.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::SmallForecast;
using ::testing::Contains;
using ::testing::HasSubstr;

/// Returns the true flow [m/s], which is the same everywhere and has no period or trend.
double true_flow(double hour) { return 0.3 * std::sin(0.01 * hour * hour); }
/// Returns the error per hour of lead time [m/s/h] of a forecast issued at hour `issue`.
double growth(double issue) { return 0.01 * std::sin(1 + 0.7 * issue * issue); }

std::vector<double> hours(double first, double last, double step = 6) {
  std::vector<double> times;
  for (double hour = first; hour <= last; hour += step) times.push_back(hour);
  return times;
}

/// A forecast of 18 h whose first time is hour 240.
class ImportOfPastErrors : public ::testing::Test {
 protected:
  ImportOfPastErrors() {
    options.files = {folder / "forecast.nc"};
    options.out = folder / "env.h5";
    options.spacing = 20000;
    options.variance = 1;
    options.sample = Sampling::begin;
    write("forecast.nc", hours(240, 258), [](double) { return 0.1; });
  }

  void write(const std::string& name, std::vector<double> times,
             const std::function<double(double)>& u) {
    forecast.members = 0;
    forecast.hour = std::move(times);
    forecast.u = [u](double, double, double hour, int) { return u(hour); };
    forecast.v = [u](double, double, double hour, int) { return -2 * u(hour); };
    forecast.write(folder / name);
  }

  void write_series(const std::string& name, double first, double last) {
    write(name, hours(first, last), true_flow);
    options.past.push_back(folder / name);
  }

  /// Writes forecasts issued every `interval` hours, each with a different growth of the error.
  void write_forecasts(double first, double last, double interval) {
    for (const double issue : hours(first, last, interval)) {
      const std::string name = "issued_" + std::to_string(int(issue)) + ".nc";
      write(name, hours(issue, issue + 24),
            [issue](double hour) { return true_flow(hour) + growth(issue) * (hour - issue); });
      options.past.push_back(folder / name);
    }
  }

  ImportReport run() const {
    SilentProgress progress;
    return import_forecast(options, progress);
  }

  std::string error_message() const {
    try {
      run();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  /// Returns u and v minus the mean of the realizations at an open cell and a level.
  std::vector<std::pair<double, double>> errors_at(std::int32_t level) const {
    const EnvironmentReader reader(options.out);
    const EnvironmentInfo& info = reader.info();
    LevelFields<> fields(info);
    reader.read_level(TimeLevel(level), fields);
    const auto cells = static_cast<std::size_t>(info.grid.cell_count());
    const auto realizations = static_cast<std::size_t>(info.realization_count);
    std::size_t cell = cells / 2;
    while (fields.masked[cell] != 0) ++cell;
    std::vector<std::pair<double, double>> errors(realizations);
    for (std::size_t r = 0; r < realizations; ++r) {
      for (std::size_t m = 0; m < static_cast<std::size_t>(info.mode_count); ++m) {
        const double c = fields.coefficient[m * realizations + r];
        errors[r].first += c * fields.u_modes()[m * cells + cell];
        errors[r].second += c * fields.v_modes()[m * cells + cell];
      }
    }
    mean_u = fields.u_mean[cell];
    return errors;
  }

  /// Requires the realizations of a level to have `expected` in u, with both signs, and -2 times
  /// it in v.
  void expect_errors(std::int32_t level, const std::vector<double>& expected) const {
    const auto errors = errors_at(level);
    EXPECT_NEAR(mean_u, 0.1, 1e-6);
    ASSERT_EQ(errors.size(), 2 * expected.size());
    for (std::size_t n = 0; n < expected.size(); ++n) {
      EXPECT_NEAR(errors[2 * n].first, expected[n], 2e-5) << level << " " << n;
      EXPECT_NEAR(errors[2 * n].second, -2 * expected[n], 4e-5);
      EXPECT_NEAR(errors[2 * n + 1].first, -expected[n], 2e-5);
    }
  }

  const test::TemporaryFolder folder;
  SmallForecast forecast;
  ImportOptions options;
  mutable double mean_u = 0;
};

TEST_F(ImportOfPastErrors, PersistenceErrorsAreChangesOfTheSeries) {
  write_series("first.nc", 120, 168);
  write_series("second.nc", 174, 240);
  const ImportReport report = run();
  const EnvironmentInfo info = EnvironmentReader(options.out).info();
  EXPECT_EQ(info.uncertainty, ForecastUncertainty::error_model);
  EXPECT_FALSE(info.has_fixed_modes);
  EXPECT_THAT(info.history, HasSubstr("--past first.nc second.nc"));
  double square = 0;
  for (std::int32_t level = 0; level < 4; ++level) {
    std::vector<double> expected;
    for (const double date : hours(120, 222)) {
      expected.push_back(true_flow(date + 6 * level) - true_flow(date));
      if (level == 3) square += 2.5 * expected.back() * expected.back();
    }
    expect_errors(level, expected);
  }
  const std::string rms =
      fmt::format("{:.2f} m/s per component after 0, 6 and 18 h", std::sqrt(square / 18));
  EXPECT_THAT(report.lines, Contains(::testing::AllOf(HasSubstr("persistence on 18 earlier dates"),
                                                      HasSubstr("rms 0.00, "), HasSubstr(rms))));
}

TEST_F(ImportOfPastErrors, EarlierForecastsAreDifferencesFromTheNewestLaterOne) {
  write_forecasts(150, 240, 6);
  std::reverse(options.past.begin(), options.past.end());
  const ImportReport report = run();
  for (std::int32_t level = 0; level < 4; ++level) {
    std::vector<double> expected;
    for (const double issue : hours(150, 222)) expected.push_back(growth(issue) * 6 * level);
    expect_errors(level, expected);
  }
  EXPECT_THAT(report.lines, Contains(HasSubstr("compared with later ones at most 0 h old")));
}

TEST_F(ImportOfPastErrors, EarlierForecastsGrowUntilALaterOneBegins) {
  write_forecasts(60, 240, 12);
  run();
  std::vector<double> first;
  std::vector<double> third;
  for (const double issue : hours(60, 216, 12)) {
    first.push_back(growth(issue) * 12 / 2);  // at 6 h: half of that at 12 h
    third.push_back(growth(issue) * 18 - growth(issue + 12) * 6);
  }
  expect_errors(1, first);
  expect_errors(3, third);
}

TEST_F(ImportOfPastErrors, SeriesEndsWhereTheForecastBegins) {
  write_series("series.nc", 120, 240);
  run();
  const auto expected = errors_at(3);
  write("series.nc", hours(120, 300), [](double hour) { return hour > 240 ? 9 : true_flow(hour); });
  run();
  EXPECT_EQ(errors_at(3), expected);
}

TEST_F(ImportOfPastErrors, PersistenceSkipsWindowsWithGaps) {
  std::vector<double> times = hours(0, 240);
  std::erase_if(times, [](double hour) { return hour > 60 && hour < 90; });
  write("series.nc", times, true_flow);
  options.past = {folder / "series.nc"};
  run();
  // Windows of 18 h that end by hour 60, or begin at 90 or later: 8 and 23.
  EXPECT_EQ(EnvironmentReader(options.out).info().realization_count, 62);
}

TEST_F(ImportOfPastErrors, FewerRealizationsUseEvenlySpacedDates) {
  write_series("series.nc", 120, 240);
  options.realizations = 6;
  run();
  std::vector<double> expected;
  for (const double date : {138.0, 174.0, 210.0}) {
    expected.push_back(true_flow(date + 18) - true_flow(date));
  }
  expect_errors(3, expected);
}

TEST_F(ImportOfPastErrors, ErrorsOfDivesAreThoseOfMeanVelocities) {
  forecast.depth = {0, 50};
  options.dives.profiles = {parse_profile("dive=0:50")};
  options.dives.shallowest = 11;
  write("forecast.nc", hours(240, 258), [](double) { return 0.1; });
  write_series("series.nc", 120, 240);
  run();
  const auto errors = errors_at(3);
  ASSERT_EQ(errors.size(), 36u);
  // Deeper water is faster by the same amount everywhere, which is not an error.
  EXPECT_NEAR(mean_u, 0.1 + 5, 1e-5);
  EXPECT_NEAR(errors[0].first, true_flow(138) - true_flow(120), 2e-5);
}

TEST_F(ImportOfPastErrors, ErrorsOfASteadyFieldAreThoseOfItsLeadTimes) {
  write("forecast.nc", {240}, [](double) { return 0.1; });
  write_series("series.nc", 120, 240);
  options.steady = 18 * 3600;
  options.step = 6 * 3600;
  run();
  std::vector<double> expected;
  for (const double date : hours(120, 222))
    expected.push_back(true_flow(date + 12) - true_flow(date));
  expect_errors(2, expected);
}

TEST_F(ImportOfPastErrors, TooFewDatesAreRefused) {
  write_series("series.nc", 174, 240);  // nine windows of 18 h
  const std::string line = error_message();
  EXPECT_THAT(line, test::has_code("past_dates_too_few"));
  EXPECT_THAT(line, HasSubstr("--past has 9 earlier dates"));
  options.to = 1730073600 + 252 * 3600;  // 2024-10-28, and 252 h
  EXPECT_EQ(error_message(), "accepted");
}

TEST_F(ImportOfPastErrors, OneForecastCannotBeComparedWithItself) {
  write_forecasts(222, 222, 6);
  EXPECT_THAT(error_message(), test::has_code("past_dates_too_few"));
}

TEST_F(ImportOfPastErrors, MoreRealizationsThanDatesGiveAreRefused) {
  write_series("series.nc", 120, 240);
  options.realizations = 37;
  EXPECT_THAT(error_message(), test::has_code("past_realizations_too_many"));
}

TEST_F(ImportOfPastErrors, FilesWithMembersAreRefused) {
  forecast.members = 3;
  forecast.hour = hours(120, 240);
  forecast.write(folder / "ensemble.nc");
  options.past = {folder / "ensemble.nc"};
  EXPECT_THAT(error_message(), test::has_code("past_with_members"));
}

TEST_F(ImportOfPastErrors, FilesOfAnotherAreaAreRefused) {
  forecast.latitude = {50, 51, 52, 53};
  write_series("series.nc", 120, 240);
  EXPECT_THAT(error_message(), test::has_code("past_elsewhere"));
}

TEST_F(ImportOfPastErrors, PartsOfTheWaterWithoutErrorsAreReported) {
  forecast.longitude = {-10, -9, -8};
  write_series("series.nc", 120, 240);
  EXPECT_THAT(run().lines, Contains(HasSubstr("% of the water has no errors")));
}

TEST_F(ImportOfPastErrors, AdditionalErrorsOfAModelAreRefused) {
  write_series("series.nc", 120, 240);
  options.forecast_error = default_forecast_error;
  EXPECT_THAT(error_message(), test::has_code("forecast_error_given_twice"));
  options.forecast_error.clear();
  options.error_rms = 0.1;
  EXPECT_THAT(error_message(), test::has_code("forecast_error_given_twice"));
  options.error_rms.reset();
  options.lagged = 1;
  EXPECT_THAT(error_message(), test::has_code("forecast_error_with_lagged"));
}

TEST_F(ImportOfPastErrors, SeveralFilesAreAcceptedByTheCommand) {
  write_series("first.nc", 120, 168);
  write_series("second.nc", 174, 240);
  const auto result = test::run_tidewise({"env", "import", "forecast.nc", "--past", "first.nc",
                                          "second.nc", "--out", "made.h5", "--spacing", "20km"},
                                         folder.path());
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("36 realizations with errors of earlier forecasts"));
  const auto info = test::run_tidewise({"env", "info", "made.h5"}, folder.path());
  EXPECT_THAT(info.output, HasSubstr("error_model"));
}

}  // namespace
}  // namespace tidewise::ingest
