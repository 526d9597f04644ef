// Fits the error of a forecast to drifters by the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iomanip>

#include "env/file/forecast_error_file.h"
#include "support/error_code.h"
#include "support/program_fixture.h"
#include "unit/learning/coastal_forecast.h"

namespace tidewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Errors : public test::ProgramFixture {
 protected:
  static constexpr double error_u = 0.2;   // [m/s], of either sign
  static constexpr double error_v = 0.05;  // [m/s]
  static constexpr double noise = 0.05;    // [m/s], the value of --error

  Errors() {
    const test::CoastalForecast forecast;
    forecast.write(folder_ / "forecast.h5");
    std::ofstream file(folder_ / "drifters.csv");
    file << "ID,time,lon,lat\n" << std::fixed << std::setprecision(8);
    for (int id = 0; id < 6; ++id) {
      const double u = 0.1 + (id % 2 == 0 ? error_u : -error_u);  // the forecast is 0.1 m/s
      for (int hour = 0; hour < 12; ++hour) {
        const double seconds = 3600.0 * hour;
        const auto at = forecast.globe((id % 2 == 0 ? 3e3 : 15e3) + u * seconds,
                                       2e3 + 2e3 * id + error_v * seconds);
        file << id << ",2024-10-28T" << std::setfill('0') << std::setw(2) << hour << ":30Z,"
             << at.longitude << ',' << at.latitude << '\n';
      }
    }
  }
};

TEST_F(Errors, WritesFittedAndGivenFiguresAsModel) {
  const auto result = run({"errors", "forecast.h5", "--drifter", "drifters.csv", "--error", "0.05",
                           "--representation", "0", "--fix-error", "0", "--error-length", "20km",
                           "--error-time", "1d", "--out", "model.toml"});
  EXPECT_THAT(
      result.output,
      AllOf(HasSubstr("66 legs of 6 tracks"), HasSubstr("rms error, lead time 3 h"),
            HasSubstr("30 legs, 6 tracks"), HasSubstr("model.toml"), Not(HasSubstr("not fitted"))));
  const ForecastErrorModel model = read_forecast_error_model(folder_ / "model.toml");
  ASSERT_EQ(model.rms.size(), 2u);
  EXPECT_NEAR(model.rms[0].first, 3 * 3600, 1);
  EXPECT_NEAR(model.rms[1].first, 8.5 * 3600, 1);
  const double rms = std::sqrt(0.5 * (error_u * error_u + error_v * error_v) - noise * noise);
  for (const auto& point : model.rms) EXPECT_NEAR(point.second, rms, 1e-3);
  EXPECT_EQ(model.length, 20000);
  EXPECT_EQ(model.slow_share, 1);
  EXPECT_EQ(model.slow_time, 86400);
  EXPECT_EQ(model.source, "fit of forecast.h5 to drifters.csv (66 legs of 6 tracks)");
}

TEST_F(Errors, WritesNoModelWithoutAllFigures) {
  const std::vector<std::string> words{"errors", "forecast.h5", "--drifter", "drifters.csv"};
  EXPECT_THAT(run(words).output,
              AllOf(HasSubstr("rms error, lead time 3 h"), HasSubstr("not fitted: length: needs"),
                    HasSubstr("not fitted: correlation in time: needs")));
  auto with_output = words;
  with_output.insert(with_output.end(), {"--error-length", "20km", "--out", "model.toml", "-q"});
  EXPECT_THAT(refused(with_output), test::has_code("error_model_incomplete", "--error-time"));
}

TEST_F(Errors, RefusesWithoutObservationsOrUnits) {
  EXPECT_THAT(refused({"errors", "forecast.h5"}), test::has_code("errors_without_observations"));
  run({"env", "double-gyre", "--out", "gyre.h5", "--nx", "20", "--ny", "20", "--nt", "10",
       "--modes", "4", "--realizations", "10"});
  write("drifter.csv", "time,x,y\n1,10,10\n2,10.1,10.1\n3,10.2,10.1\n");
  EXPECT_THAT(refused({"errors", "gyre.h5", "--drifter", "drifter.csv", "--error", "0.1", "-q"}),
              test::has_code("error_fit_without_units", "gyre.h5"));
}

}  // namespace
}  // namespace tidewise
