// Tests of 'env wind-driven-gyre': whole runs, invalid options, and resumption after a kill or an
// interruption.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>

#include "base/hdf5/file.h"
#include "support/campaign.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class WindDrivenGyre : public test::ProgramFixture {
 protected:
  // One thread is faster for such a small gyre than several that wait for each other.
  WindDrivenGyre() { ::setenv("OMP_NUM_THREADS", "1", 1); }
  ~WindDrivenGyre() override { ::unsetenv("OMP_NUM_THREADS"); }

  /// Returns the arguments for a small gyre in `out`, with more options.
  static Words gyre_arguments(const std::string& out, const Words& options = {},
                              const Words& size = {"--nx", "24", "--ny", "20"}) {
    Words arguments{"env",
                    "wind-driven-gyre",
                    "--out",
                    out,
                    "--modes",
                    "3",
                    "--realizations",
                    "50",
                    "--reynolds",
                    "20",
                    "--spin-up",
                    "0.05",
                    "--lead",
                    "0.004",
                    "--perturbations",
                    "30"};
    arguments.insert(arguments.end(), size.begin(), size.end());
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
};

TEST_F(WindDrivenGyre, MakesAnEnvironmentForPlanning) {
  const auto result =
      run(gyre_arguments("ocean.h5", {"--nt", "6", "--speed", "1.5", "--obstacle", "none"}));
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("strongest flow 1.5 m/s at level 0"));
  EXPECT_THAT(result.output,
              HasSubstr("does not resolve the western boundary layer, 0.037 L wide"));
  EXPECT_THAT(result.errors, HasSubstr("solving: 6 levels in"));
  EXPECT_FALSE(fs::exists(folder_ / "ocean.h5.restart"));
  const auto info = run({"env", "info", "ocean.h5", "-q"});
  EXPECT_THAT(info.output, HasSubstr("24 × 20 cells"));
  EXPECT_THAT(info.output, HasSubstr("surface downwelling shortwave radiation [W m-2]"));
  EXPECT_THAT(info.output, HasSubstr("--speed 1.5"));
  std::ofstream(folder_ / "m.toml") << R"([environment]
file = "ocean.h5"
[vehicle]
speeds = [10.0]
headings = 8
[mission]
start = [500000.0, 300000.0]
target = [500000.0, 500000.0]
[planner]
backend = "cpu"
)";
  const auto plan = run({"plan", "m.toml", "--out", "run", "-q"});
  EXPECT_EQ(plan.status, 0) << plan.errors;
  EXPECT_TRUE(fs::exists(folder_ / "run" / "summary.json"));
}

TEST_F(WindDrivenGyre, IsTheSameForAnyNumberOfThreads) {
  const Words large{"--nx", "72", "--ny", "64"};  // so that threads share the work of a row
  run(gyre_arguments("one.h5", {"--nt", "3", "-q"}, large));
  ::setenv("OMP_NUM_THREADS", "3", 1);
  run(gyre_arguments("three.h5", {"--nt", "3", "-q"}, large));
  EXPECT_EQ(test::bytes_of(folder_ / "one.h5"), test::bytes_of(folder_ / "three.h5"));
}

TEST_F(WindDrivenGyre, RefusesInvalidOptions) {
  EXPECT_THAT(refused(gyre_arguments("o.h5", {"--nt", "1"})),
              test::has_code("env_option_outside_range", "--nt"));
  EXPECT_THAT(refused(gyre_arguments("o.h5", {"--beta", "nan"})),
              test::has_code("env_option_outside_range", "--beta"));
  EXPECT_THAT(refused(gyre_arguments("o.h5", {"--step", "soon"})),
              test::has_code("quantity_invalid", "--step"));
  EXPECT_THAT(refused(gyre_arguments("o.h5", {"--obstacle", "3,0.5"})),
              test::has_code("number_list_invalid", "--obstacle"));
  EXPECT_THAT(refused(gyre_arguments("o.h5", {"--seed", "-1"})),
              test::has_code("command_line_invalid", "-1"));
  EXPECT_THAT(refused(gyre_arguments("/dev/null/o.h5")),
              test::has_code("output_folder_not_folder"));
  EXPECT_THAT(refused(gyre_arguments("")),
              test::has_code("command_line_invalid", "--out: its value is empty"));
  EXPECT_THAT(refused(gyre_arguments("o.h5", {"--beta", "0"})),
              test::has_code("env_option_outside_range", "--beta"));
  EXPECT_THAT(refused(gyre_arguments("o.h5", {"--correlation-length", "3"})),
              test::has_code("env_option_outside_range", "--correlation-length"));
  EXPECT_THAT(refused({"env", "wind-driven-gyre"}),
              test::has_code("command_line_invalid", "--out"));
}

TEST_F(WindDrivenGyre, ResumesToTheSameResultAfterKills) {
  const Words levels{"--nt", test::is_night() ? "47" : "27", "-q"};
  const auto begin = std::chrono::steady_clock::now();
  run(gyre_arguments("undisturbed.h5", levels));
  const std::chrono::duration<double> undisturbed = std::chrono::steady_clock::now() - begin;
  const std::string expected = test::bytes_of(folder_ / "undisturbed.h5");

  std::mt19937 random(5);
  // Late kills must also occur, because the final assembly has no checkpoint.
  std::uniform_real_distribution<double> moment(0.0, undisturbed.count());
  int kills = 0;
  while (kills < (test::is_night() ? 15 : 4)) {
    for (bool killed = true; killed;) {
      const auto delay = std::chrono::milliseconds(static_cast<int>(1000 * moment(random)));
      const auto result =
          test::kill_tidewise(gyre_arguments("ocean.h5", levels), folder_.path(), delay);
      killed = result.status == 128 + SIGKILL;
      ASSERT_TRUE(killed || result.status == 0) << result.status << result.errors;
      kills += killed ? 1 : 0;
      // A file has its final name only when it is complete.
      if (killed && fs::exists(folder_ / "ocean.h5")) break;
    }
    if (fs::exists(folder_ / "ocean.h5.restart")) run(gyre_arguments("ocean.h5", levels));
    EXPECT_EQ(test::bytes_of(folder_ / "ocean.h5"), expected) << kills;
    EXPECT_FALSE(fs::exists(folder_ / "ocean.h5.restart"));
    fs::remove(folder_ / "ocean.h5");
  }
}

TEST_F(WindDrivenGyre, ResumesOnlyWithTheSameOptions) {
  const Words levels{"--nt", "200"};
  const fs::path first_segment = folder_ / "ocean.h5.restart/levels_000000.h5";
  const auto stopped = test::interrupt_tidewise(gyre_arguments("ocean.h5", levels), folder_.path(),
                                                [&] { return fs::exists(first_segment); });
  ASSERT_EQ(stopped.status, 1) << stopped.errors;
  EXPECT_THAT(stopped.errors, HasSubstr("the same command goes on from it"));
  EXPECT_FALSE(fs::exists(folder_ / "ocean.h5"));

  EXPECT_THAT(refused(gyre_arguments("ocean.h5", {"--nt", "48"})),
              test::has_code("restart_of_other_options", "stored: --nt 200, given: --nt 48"));
  const auto resumed = run(gyre_arguments("ocean.h5", levels));
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_THAT(resumed.errors, HasSubstr("ocean.h5.restart: goes on from level"));
  run(gyre_arguments("again.h5", {"--nt", "200", "-q"}));
  EXPECT_EQ(test::bytes_of(folder_ / "ocean.h5"), test::bytes_of(folder_ / "again.h5"));
}

TEST_F(WindDrivenGyre, ResumesAfterAFullDisk) {
  const Words levels{"--nt", "20", "-q"};
  // Checkpoints fit, levels do not.
  const auto stopped =
      test::run_tidewise_on_full_disk(gyre_arguments("ocean.h5", levels), folder_.path(), 100'000);
  EXPECT_EQ(stopped.status, 1);
  EXPECT_EQ(std::count(stopped.errors.begin(), stopped.errors.end(), '\n'), 1) << stopped.errors;
  EXPECT_FALSE(fs::exists(folder_ / "ocean.h5"));
  EXPECT_FALSE(fs::exists(folder_ / "ocean.h5.restart/levels_000000.h5"));
  ASSERT_TRUE(fs::exists(folder_ / "ocean.h5.restart/checkpoint.h5"));
  run(gyre_arguments("ocean.h5", levels));
  run(gyre_arguments("again.h5", levels));
  EXPECT_EQ(test::bytes_of(folder_ / "ocean.h5"), test::bytes_of(folder_ / "again.h5"));
}

TEST_F(WindDrivenGyre, RestartsOnRequest) {
  const fs::path checkpoint = folder_ / "ocean.h5.restart/checkpoint.h5";
  const auto stopped =
      test::interrupt_tidewise(gyre_arguments("ocean.h5", {"--nt", "200"}), folder_.path(),
                               [&] { return fs::exists(checkpoint); });
  ASSERT_EQ(stopped.status, 1) << stopped.errors;
  run(gyre_arguments("ocean.h5", {"--nt", "3", "--overwrite", "-q"}));
  EXPECT_FALSE(fs::exists(folder_ / "ocean.h5.restart"));
  EXPECT_EQ(Hdf5File::open(folder_ / "ocean.h5").shape("time"), Extents{3});
}

}  // namespace
}  // namespace tidewise
