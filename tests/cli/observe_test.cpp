// Corrects a forecast by observations with the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Observe : public test::SmallGyreFixture {
 protected:
  Observe() {
    make_gyre("gyre.h5");
    write_mission("gyre.h5", "flow", 2);
    run({"plan", "m.toml", "-q", "--baselines", "none"});
  }
  /// Writes the track of a simulated flight through one realization, for a number of steps after
  /// its departure.
  void write_track(int realization, std::size_t steps) const {
    const Hdf5File flights = Hdf5File::open(folder_ / "flow" / "trajectories.nc");
    const std::uint64_t points = flights.shape("x")[1];
    const auto row = [&](const char* variable) {
      std::vector<double> values(points);
      flights.read(variable, {static_cast<std::uint64_t>(realization), 0}, {1, points},
                   values.data());
      return values;
    };
    const auto time = row("time");
    const auto x = row("x");
    const auto y = row("y");
    const auto heading = row("heading");
    const auto speed = row("speed");
    std::ofstream file(folder_ / "track.csv");
    file.precision(9);
    file << "time,x,y,heading,speed\n";
    for (std::size_t n = 0; n <= steps && n < points && std::isfinite(x[n]); ++n) {
      file << time[n] << ',' << x[n] << ',' << y[n] << ',' << heading[n] << ',' << speed[n] << '\n';
    }
  }
  /// Returns the root mean square difference between the mean flow of a file and a realization of
  /// gyre.h5.
  double error_of(const std::string& file, std::uint64_t level, std::uint64_t truth) const {
    const Hdf5File gyre = Hdf5File::open(folder_ / "gyre.h5");
    const Hdf5File other = Hdf5File::open(folder_ / file);
    const Extents extents = gyre.shape("u_mode");
    const std::uint64_t modes = extents[1];
    const std::uint64_t cells = extents[2] * extents[3];
    const std::uint64_t members = gyre.shape("coefficient")[2];
    double sum = 0;
    for (const auto& [mean_name, mode_name] :
         {std::pair{"u_mean", "u_mode"}, std::pair{"v_mean", "v_mode"}}) {
      std::vector<double> mode(modes * cells);
      std::vector<double> mean(cells);
      std::vector<double> file_mean(cells);
      std::vector<double> coefficient(modes * members);
      gyre.read(mode_name, {level, 0, 0, 0}, {1, modes, extents[2], extents[3]}, mode.data());
      gyre.read(mean_name, {level, 0, 0}, {1, extents[2], extents[3]}, mean.data());
      other.read(mean_name, {level, 0, 0}, {1, extents[2], extents[3]}, file_mean.data());
      gyre.read("coefficient", {level, 0, 0}, {1, modes, members}, coefficient.data());
      for (std::uint64_t n = 0; n < cells; ++n) {
        double flow = mean[n];
        for (std::uint64_t m = 0; m < modes; ++m) {
          flow += coefficient[m * members + truth] * mode[m * cells + n];
        }
        sum += (file_mean[n] - flow) * (file_mean[n] - flow);
      }
    }
    return std::sqrt(sum / static_cast<double>(cells));
  }
};

TEST_F(Observe, MovesTheForecastTowardObservations) {
  write_track(7, 12);
  const std::vector<std::string> words{"observe", "flow", "--track", "track.csv",
                                       "--error", "0.05", "--out",   "post.h5"};
  const auto result = run(words);
  EXPECT_THAT(
      result.output,
      AllOf(HasSubstr("post.h5"), HasSubstr("13 fixes, 12 legs of fixes, speed and heading"),
            HasSubstr("heading is heading"), HasSubstr("consistency: chi-square"),
            HasSubstr("while it was observed, levels 2 to 13:")));
  double before = 0;
  double after = 0;
  for (std::uint64_t level = 2; level < 20; ++level) {
    before += error_of("gyre.h5", level, 7);
    after += error_of("post.h5", level, 7);
  }
  EXPECT_LT(after, 0.5 * before);
  // All commands accept the posterior as an environment.
  EXPECT_THAT(run({"env", "info", "post.h5"}).output, HasSubstr("realizations    60"));
  run({"check", "--details", "m.toml", "--set", "environment.file=\"post.h5\""});
  run({"plan", "m.toml", "--set", "environment.file=\"post.h5\"", "--out", "again", "-q"});
  run({"rollout", "flow", "--environment", "post.h5", "-q"});
  // Other options give other bytes, and the same options give the same bytes.
  run({"observe", "flow", "--track", "track.csv", "--error", "0.05", "--out", "post2.h5", "-q",
       "--method", "perturbed", "--localisation", "12"});
  EXPECT_FALSE(test::bytes_of(folder_ / "post2.h5") == test::bytes_of(folder_ / "post.h5"));
  const std::string first = test::bytes_of(folder_ / "post.h5");
  run(words);
  EXPECT_TRUE(test::bytes_of(folder_ / "post.h5") == first);
}

TEST_F(Observe, EstimatesTheVehiclesErrorsFromManyDives) {
  write_track(7, 12);
  std::vector<std::string> words{"observe", "flow",  "--track", "track.csv",    "--error",
                                 "0.05",    "--out", "post.h5", "--fit-vehicle"};
  // Simulated flights have no steering error, and the spread of the flow hides small ones.
  EXPECT_THAT(run(words).output,
              AllOf(HasSubstr("vehicle's errors by 12 legs"), HasSubstr("speed_error   rms"),
                    HasSubstr("heading_error rms"), HasSubstr("; not resolved")));
  write_track(7, 6);
  EXPECT_THAT(run(words).output, HasSubstr("not estimated: 6 of 6 legs"));
  words.pop_back();
  EXPECT_THAT(run(words).output, testing::Not(HasSubstr("vehicle's errors")));
}

TEST_F(Observe, RejectsBadInputInOneLine) {
  write_track(3, 6);
  const auto expect_refusal = [&](const std::vector<std::string>& options,
                                  const std::string& error) {
    std::vector<std::string> arguments{"observe", "gyre.h5", "--out", "post.h5", "-q"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_THAT(refused(arguments), test::has_code_of(error));
  };
  expect_refusal({}, "[observations_missing]");
  expect_refusal({"--track", "track.csv"}, "[track_error_missing]");
  EXPECT_THAT(refused({"observe", "gyre.h5", "--out", "post.h5", "--radar", "track.csv"}),
              AnyOf(test::has_code("radar_needs_dates_and_degrees", "track.csv"),
                    test::has_code("radar_not_built", "track.csv")));
  expect_refusal({"--track", "none.csv", "--error", "0.1"}, "[file_missing]");
  EXPECT_THAT(
      refused({"observe", "gyre.h5", "--out", "post.h5", "--track", "gyre.h5", "--error", "0.1"}),
      AnyOf(test::has_code("track_columns_missing"), test::has_code("netcdf_tracks_not_built")));
  expect_refusal({"--track", "m.toml", "--error", "0.1"}, "m.toml [csv_row_length]");
  expect_refusal({"--track", "track.csv", "--error", "-1"},
                 "--error -1 [track_option_not_positive]");
  expect_refusal({"--track", "track.csv", "--error", "0.1", "--add-mode", "soon"},
                 "--add-mode [quantity_invalid]");
  expect_refusal({"--track", "track.csv", "--error", "0.1", "--inflation", "0.5"},
                 "inflation [smoother_option_invalid]");
  expect_refusal({"--track", "track.csv", "--error", "0.1", "--localisation", "soon"},
                 "--localisation [quantity_invalid]");
  expect_refusal({"--track", "track.csv", "--error", "0.1", "--trajectory", "2"},
                 "[track_number_of_csv]");
  expect_refusal({"--track", "track.csv", "--error", "0.1", "--column", "speed=pace"},
                 "[column_missing]");
  EXPECT_THAT(
      refused({"observe", "gyre.h5", "--track", "track.csv", "--error", "0.1", "--out", "gyre.h5"}),
      test::has_code("output_is_input"));
  // No input file may be the output, even if it is not the first.
  for (const char* name : {"a.nc", "b.nc"}) std::ofstream(folder_ / name) << "seen";
  EXPECT_THAT(refused({"observe", "gyre.h5", "--track", "track.csv", "--radar", "a.nc", "--radar",
                       "b.nc", "--out", "b.nc"}),
              test::has_code("output_is_input", "--out"));
  EXPECT_THAT(refused({"observe", "nowhere.h5", "--track", "track.csv", "--out", "post.h5"}),
              test::has_code("file_missing", "nowhere.h5"));
  EXPECT_THAT(refused({"observe", "flow", "--name", "u_mean=u", "--track", "track.csv", "--error",
                       "0.1", "--out", "post.h5"}),
              test::has_code("names_with_run"));
  // A truncated file.
  fs::copy_file(folder_ / "gyre.h5", folder_ / "half.h5");
  fs::resize_file(folder_ / "half.h5", fs::file_size(folder_ / "half.h5") / 2);
  EXPECT_THAT(
      refused({"observe", "gyre.h5", "--out", "post.h5", "--track", "half.h5", "--error", "0.1"}),
      AnyOf(test::has_code("not_netcdf", "half.h5"),
            test::has_code("netcdf_tracks_not_built", "half.h5")));
}

TEST_F(Observe, LeavesNothingWhenKilled) {
  write_track(3, 12);
  const std::vector<std::string> words{"observe", "gyre.h5", "--track", "track.csv",
                                       "--error", "0.1",     "--out",   "killed.h5"};
  const auto begin = std::chrono::steady_clock::now();
  run(words);
  const auto duration = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  const std::string undisturbed = test::bytes_of(folder_ / "killed.h5");
  int killed = 0;
  for (int n = 0; n < 10; ++n) {
    fs::remove(folder_ / "killed.h5");
    const auto result = test::kill_tidewise(words, folder_.path(), duration * n / 10);
    if (result.status != 0) ++killed;
    // The file is complete or absent.
    const bool exists = fs::exists(folder_ / "killed.h5");
    EXPECT_TRUE(exists || result.status != 0);
    EXPECT_TRUE(!exists || test::bytes_of(folder_ / "killed.h5") == undisturbed);
  }
  EXPECT_GT(killed, 0);
  run(words);  // also removes the files of killed runs
  EXPECT_TRUE(test::bytes_of(folder_ / "killed.h5") == undisturbed);
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
  }
}

}  // namespace
}  // namespace tidewise
