// The wind-driven gyre made by the program itself: end to end, wrong options, and what becomes of
// it when the program is killed or interrupted.

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
  // So small a gyre is made in less time by one thread than by several that wait for each other.
  WindDrivenGyre() { ::setenv("OMP_NUM_THREADS", "1", 1); }
  ~WindDrivenGyre() override { ::unsetenv("OMP_NUM_THREADS"); }

  /// A small gyre to `out`, with more options.
  static Words words(const std::string& out, const Words& more = {},
                     const Words& size = {"--nx", "24", "--ny", "20"}) {
    Words all{"env",
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
    all.insert(all.end(), size.begin(), size.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(WindDrivenGyre, MakesAnEnvironmentForPlanning) {
  const auto made = run(words("ocean.h5", {"--nt", "6", "--speed", "1.5", "--obstacle", "none"}));
  ASSERT_EQ(made.status, 0) << made.errors;
  EXPECT_THAT(made.output, HasSubstr("strongest flow 1.5 m/s at level 0"));
  EXPECT_THAT(made.output, HasSubstr("does not resolve the western boundary layer, 0.037 L wide"));
  EXPECT_THAT(made.errors, HasSubstr("solving: 6 levels in"));
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
  const Words large{"--nx", "72", "--ny", "64"};  // enough for threads to share a row's work
  run(words("one.h5", {"--nt", "3", "-q"}, large));
  ::setenv("OMP_NUM_THREADS", "3", 1);
  run(words("three.h5", {"--nt", "3", "-q"}, large));
  EXPECT_EQ(test::bytes_of(folder_ / "one.h5"), test::bytes_of(folder_ / "three.h5"));
}

TEST_F(WindDrivenGyre, RefusesWhatCannotBe) {
  EXPECT_THAT(refused(words("o.h5", {"--nt", "1"})),
              test::has_code("env_option_outside_range", "--nt"));
  EXPECT_THAT(refused(words("o.h5", {"--beta", "nan"})),
              test::has_code("env_option_outside_range", "--beta"));
  EXPECT_THAT(refused(words("o.h5", {"--step", "soon"})),
              test::has_code("quantity_invalid", "--step"));
  EXPECT_THAT(refused(words("o.h5", {"--obstacle", "3,0.5"})),
              test::has_code("number_list_invalid", "--obstacle"));
  EXPECT_THAT(refused(words("o.h5", {"--seed", "-1"})),
              test::has_code("command_line_invalid", "-1"));
  EXPECT_THAT(refused(words("/dev/null/o.h5")), test::has_code("output_folder_not_folder"));
  EXPECT_THAT(refused(words("")),
              test::has_code("command_line_invalid", "--out: its value is empty"));
  EXPECT_THAT(refused(words("o.h5", {"--beta", "0"})),
              test::has_code("env_option_outside_range", "--beta"));
  EXPECT_THAT(refused(words("o.h5", {"--correlation-length", "3"})),
              test::has_code("env_option_outside_range", "--correlation-length"));
  EXPECT_THAT(refused({"env", "wind-driven-gyre"}),
              test::has_code("command_line_invalid", "--out"));
}

TEST_F(WindDrivenGyre, ResumesToTheSameResultAfterKills) {
  const Words many{"--nt", test::is_night() ? "47" : "27", "-q"};
  const auto begin = std::chrono::steady_clock::now();
  run(words("undisturbed.h5", many));
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
  const std::string expected = test::bytes_of(folder_ / "undisturbed.h5");

  std::mt19937 random(5);
  // Late ones too: what is not kept, the assembling at the end, must get its turn.
  std::uniform_real_distribution<double> moment(0.0, whole.count());
  int kills = 0;
  while (kills < (test::is_night() ? 15 : 4)) {
    for (bool killed = true; killed;) {
      const auto after = std::chrono::milliseconds(static_cast<int>(1000 * moment(random)));
      const auto result = test::kill_tidewise(words("ocean.h5", many), folder_.path(), after);
      killed = result.status == 128 + SIGKILL;
      ASSERT_TRUE(killed || result.status == 0) << result.status << result.errors;
      kills += killed ? 1 : 0;
      // A file has its final name only when it is complete.
      if (killed && fs::exists(folder_ / "ocean.h5")) break;
    }
    if (fs::exists(folder_ / "ocean.h5.restart")) run(words("ocean.h5", many));
    EXPECT_EQ(test::bytes_of(folder_ / "ocean.h5"), expected) << kills;
    EXPECT_FALSE(fs::exists(folder_ / "ocean.h5.restart"));
    fs::remove(folder_ / "ocean.h5");
  }
}

TEST_F(WindDrivenGyre, ResumesOnlyWithTheSameOptions) {
  const Words many{"--nt", "200"};
  const fs::path first_segment = folder_ / "ocean.h5.restart/levels_000000.h5";
  const auto stopped = test::interrupt_tidewise(words("ocean.h5", many), folder_.path(),
                                                [&] { return fs::exists(first_segment); });
  ASSERT_EQ(stopped.status, 1) << stopped.errors;
  EXPECT_THAT(stopped.errors, HasSubstr("the same command goes on from it"));
  EXPECT_FALSE(fs::exists(folder_ / "ocean.h5"));

  EXPECT_THAT(refused(words("ocean.h5", {"--nt", "48"})),
              test::has_code("restart_of_other_options", "stored: --nt 200, given: --nt 48"));
  const auto resumed = run(words("ocean.h5", many));
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_THAT(resumed.errors, HasSubstr("ocean.h5.restart: goes on from level"));
  run(words("again.h5", {"--nt", "200", "-q"}));
  EXPECT_EQ(test::bytes_of(folder_ / "ocean.h5"), test::bytes_of(folder_ / "again.h5"));
}

TEST_F(WindDrivenGyre, ResumesAfterAFullDisk) {
  const Words many{"--nt", "20", "-q"};
  // Checkpoints fit, levels do not.
  const auto stopped =
      test::run_tidewise_on_full_disk(words("ocean.h5", many), folder_.path(), 100'000);
  EXPECT_EQ(stopped.status, 1);
  EXPECT_EQ(std::count(stopped.errors.begin(), stopped.errors.end(), '\n'), 1) << stopped.errors;
  EXPECT_FALSE(fs::exists(folder_ / "ocean.h5"));
  EXPECT_FALSE(fs::exists(folder_ / "ocean.h5.restart/levels_000000.h5"));
  ASSERT_TRUE(fs::exists(folder_ / "ocean.h5.restart/checkpoint.h5"));
  run(words("ocean.h5", many));
  run(words("again.h5", many));
  EXPECT_EQ(test::bytes_of(folder_ / "ocean.h5"), test::bytes_of(folder_ / "again.h5"));
}

TEST_F(WindDrivenGyre, RestartsOnRequest) {
  const fs::path checkpoint = folder_ / "ocean.h5.restart/checkpoint.h5";
  const auto stopped = test::interrupt_tidewise(words("ocean.h5", {"--nt", "200"}), folder_.path(),
                                                [&] { return fs::exists(checkpoint); });
  ASSERT_EQ(stopped.status, 1) << stopped.errors;
  run(words("ocean.h5", {"--nt", "3", "--overwrite", "-q"}));
  EXPECT_FALSE(fs::exists(folder_ / "ocean.h5.restart"));
  EXPECT_EQ(Hdf5File::open(folder_ / "ocean.h5").shape("time"), Extents{3});
}

}  // namespace
}  // namespace tidewise
