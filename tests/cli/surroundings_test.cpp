// Runs the program with few threads or open files, with closed streams, without its working folder,
// or in a shared folder. It must print one line, exit with the right status, and leave no files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "support/campaign.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Words = std::vector<std::string>;

class Surroundings : public test::ProgramFixture {
 protected:
  Surroundings() {
    make_once("surroundings", [&] {
      run({"env", "double-gyre", "--out", "g.h5", "--nx", "20", "--ny", "20", "--nt", "25",
           "--modes", "2", "--realizations", "20", "-q"});
      write("m.toml",
            "[environment]\nfile = \"g.h5\"\n[vehicle]\nspeeds = [0.8, 1.6]\nheadings = 8\n"
            "[mission]\nstart = [10.5, 4.5]\ntarget = [10.5, 16.5]\ntarget_radius = 1.5\n");
    });
  }

  /// Runs a shell line in which "$T" is the program, for at most a minute. Status 124 means that it
  /// hung.
  test::ProgramResult shell(const std::string& line) const {
    return test::run_command({"/usr/bin/env", "T=" + test::tidewise_program().string(), "timeout",
                              "-k", "1", "60", "/bin/bash", "-c", line},
                             folder_.path());
  }
  /// Runs a shell line with at most this number of additional threads.
  test::ProgramResult with_threads(int threads, const std::string& line) const {
    return shell("export TIDEWISE_TEST_THREADS=" + std::to_string(threads) +
                 "; LD_PRELOAD=" TIDEWISE_FEW_THREADS " " + line);
  }
  static void expect_one_line(const test::ProgramResult& result) {
    EXPECT_THAT(result.errors, testing::StartsWith("tidewise: error: "));
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  }
  Words folders_with_summary(const fs::path& in) const {
    Words folders;
    for (const auto& entry : fs::recursive_directory_iterator(in)) {
      if (entry.path().filename() != "summary.json") continue;
      folders.push_back(entry.path().parent_path().filename());
    }
    std::sort(folders.begin(), folders.end());
    return folders;
  }
};

TEST_F(Surroundings, StartsWithShortSpinsOfOpenMp) {
  const std::string without_openmp = "env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT ";
  EXPECT_EQ(shell(without_openmp + "$T --version").output, shell("$T --version").output);
  const std::string loader = "/lib64/ld-linux-x86-64.so.2";
  if (!fs::exists(loader)) return;
  const auto loaded = shell(without_openmp + loader + " $T --version");
  EXPECT_EQ(loaded.status, 0) << loaded.errors;
}

TEST_F(Surroundings, ReportsThreadsThatCannotBeStarted) {
  std::ofstream(folder_ / "b.toml") << R"([batch]
mission = "m.toml"
[vary]
mission.departure = [0, 2]
)";
  run({"research", "mdp", "gridworld", "--out", "w.h5", "--nx", "40", "-q"});
  int failures = 0;
  const std::vector<int> day_counts{0, 2, 7};
  for (const int threads :
       test::is_night() ? std::vector<int>{0, 1, 2, 3, 5, 7, 9, 11} : day_counts) {
    for (const std::string line :
         {"$T batch b.toml -q --out batch --threads 3", "$T plan m.toml -q --out run --threads 3",
          "$T solve w.h5 -q --out s.h5 --backend cpu --threads 3",
          "$T env double-gyre -q --out d.h5 --nx 20 --ny 20 --nt 4"}) {
      fs::remove_all(folder_ / "batch");
      fs::remove_all(folder_ / "run");
      const auto result = with_threads(threads, line);
      SCOPED_TRACE(line + " by " + std::to_string(threads));
      EXPECT_THAT(result.status, AnyOf(0, 1)) << result.errors;
      EXPECT_THAT(result.errors, Not(HasSubstr("libgomp")));
      if (result.status == 0) continue;
      ++failures;
      expect_one_line(result);
      EXPECT_THAT(result.errors, HasSubstr("could not be started"));
      EXPECT_FALSE(fs::exists(folder_ / "run"));
      if (!fs::exists(folder_ / "batch")) continue;
      // The lock is free again, and the batch continues.
      EXPECT_EQ(shell("$T batch b.toml -q --out batch --resume").status, 0);
    }
  }
  EXPECT_GT(failures, test::is_night() ? 10 : 4);
  EXPECT_EQ(with_threads(40, "$T batch b.toml -q --out enough --threads 3").status, 0);
}

TEST_F(Surroundings, RefusesMoreThreadsThanTheMachineCanUse) {
  for (const Words& words :
       {Words{"plan", "m.toml", "--threads", "100000"},
        Words{"check", "m.toml", "--threads", "100000"},
        Words{"plan", "m.toml", "--set", "planner.threads=2000000000"},
        Words{"research", "mdp", "gridworld", "--out", "w.h5", "--threads", "100000"}}) {
    EXPECT_THAT(refused(words), test::has_code("too_many_threads"));
  }
}

TEST_F(Surroundings, StackOf256KiBIsEnough) {
  for (const std::string line :
       {"plan m.toml -q --out run", "view run -q --out run.html", "check m.toml",
        "export run --format csv --plane -q --out run.csv", "departures run -q", "reach run -q",
        "refine run -q --out refined.h5", "bound run -q --realizations 2 --out bound",
        "build m.toml -q --out model.h5", "build m.toml -q --format process --out process.h5",
        "solve process.h5 -q --out s.h5", "mdp gridworld --out grid.h5 --nx 30 --ny 30 -q",
        "solve grid.h5 -q --out policy.h5"}) {
    const auto result = shell("ulimit -s 256; exec $T " + line);
    EXPECT_EQ(result.status, 0) << line << result.errors;
  }
}

TEST_F(Surroundings, SmallerStackIsReported) {
  for (const char* kibibytes : {"64", "200"}) {
    const auto result = shell(std::string("ulimit -s ") + kibibytes + "; exec $T check m.toml");
    EXPECT_EQ(result.status, 1);
    expect_one_line(result);
    EXPECT_THAT(result.errors, HasSubstr("ulimit -s"));
  }
}

TEST_F(Surroundings, ReportsFilesThatCannotBeOpened) {
  int failures = 0;
  const std::vector<int> day_counts{3, 5, 7, 10, 20};
  for (const int files :
       test::is_night() ? std::vector<int>{3, 4, 5, 6, 7, 8, 10, 13, 20} : day_counts) {
    const std::string limit = "ulimit -n " + std::to_string(files) + "; exec $T ";
    for (const std::string line : {"env info g.h5", "plan m.toml -q --out run", "check m.toml -q",
                                   "build m.toml --out model.h5 -q"}) {
      fs::remove_all(folder_ / "run");
      fs::remove(folder_ / "model.h5");
      const auto result = shell(limit + line);
      SCOPED_TRACE(limit + line + " " + result.errors);
      EXPECT_THAT(result.errors, Not(HasSubstr("HDF5")));
      if (result.status == 127) continue;  // the libraries cannot be opened
      EXPECT_THAT(result.status, AnyOf(0, 1));
      if (result.status == 0) continue;
      ++failures;
      expect_one_line(result);
      EXPECT_THAT(result.errors, AnyOf(HasSubstr("oo many open files"), HasSubstr("disk")));
      EXPECT_FALSE(fs::exists(folder_ / "run"));
      EXPECT_FALSE(fs::exists(folder_ / "model.h5"));
    }
  }
  EXPECT_GT(failures, 4);
}

/// A command, whether it prints results, and its exit status.
struct PrintingCommand {
  std::string line;
  bool prints = true;
  int status = 0;
};

TEST_F(Surroundings, ReportsClosedStreams) {
  std::ofstream(folder_ / "b.toml") << "[batch]\nmission = \"m.toml\"\n[vary]\n"
                                       "mission.departure = [0, 2]\n";
  run({"plan", "m.toml", "--out", "planned", "-q"});
  run({"research", "mdp", "gridworld", "--out", "w.h5", "--nx", "20", "-q"});
  const std::vector<PrintingCommand> commands{
      {"--help"},
      {"--version"},
      {"env double-gyre --out made.h5 --nx 20 --ny 20 --nt 4", false},
      {"env info g.h5"},
      {"env info g.h5 --json"},
      {"check m.toml"},
      {"plan m.toml --out run --overwrite"},
      {"rollout planned --out flown --overwrite"},
      {"refine planned"},
      {"build m.toml --out model.h5"},
      {"compare planned planned"},
      {"batch b.toml --out batch --dry-run"},
      {"mdp gridworld --out made.json --nx 8"},
      {"mdp mine-field --out field.h5"},
      {"mdp convert w.h5 --out w.json"},
      {"solve w.h5 --backend cpu --out s.h5"},
      {"solve w.h5 --backend cpu --out t.h5 --method no-such", false, 2},
      {"env info nothing.h5", false, 2},
      {"no-such-command", false, 2},
      {"plan", false, 2}};
  std::size_t turn = 0;
  for (const auto& [line, prints, status] : commands) {
    SCOPED_TRACE(line);
    const Words error_redirections{"2>&-", "2>/dev/full", "2> >(exit)", "2>&- <&-"};
    for (const std::string& redirection : test::sample_of(error_redirections, turn)) {
      EXPECT_EQ(shell("$T " + line + " " + redirection).status, status) << redirection;
    }
    for (const std::string& redirection : test::sample_of(Words{">/dev/full", ">&-"}, turn++)) {
      const auto result = shell("$T " + line + " " + redirection);
      EXPECT_EQ(result.status, prints ? 1 : status) << redirection << result.errors;
      if (!prints) continue;
      // The error is the last line, after those of progress.
      const auto begin = result.errors.rfind('\n', result.errors.size() - 2) + 1;
      EXPECT_THAT(result.errors.substr(begin),
                  testing::StartsWith("tidewise: error: the results could not be written to "
                                      "standard output"))
          << redirection;
    }
    EXPECT_EQ(shell("$T " + line + " >&- 2>&- <&-").status, prints ? 1 : status);
  }
  const auto piped = shell("$T env info g.h5 | exit 0; exit ${PIPESTATUS[0]}");
  EXPECT_THAT(piped.status, AnyOf(0, 1));  // the reader may end before or after
  run({"env", "info", "g.h5"});            // no file holds the output of a closed stream
}

TEST_F(Surroundings, AllowsSimultaneousRolloutsOfOneRun) {
  run({"plan", "m.toml", "--out", "planned", "-q"});
  const auto run_four = [&](const std::string& line) {
    const auto result = shell("for i in 1 2 3 4; do ($T " + line + "; echo $?) & done; wait");
    EXPECT_EQ(result.status, 0);
    std::istringstream stream(result.output);
    std::vector<int> statuses;
    for (int status = 0; stream >> status;) statuses.push_back(status);
    EXPECT_EQ(statuses.size(), 4u) << result.output << result.errors;
    return std::pair(statuses, result.errors);
  };
  const auto [separate, separate_errors] = run_four("rollout planned -q >/dev/null");
  EXPECT_THAT(separate, Each(0)) << separate_errors;
  EXPECT_THAT(folders_with_summary(folder_ / "planned"),
              testing::ElementsAre("planned", "rollout_1", "rollout_2", "rollout_3", "rollout_4"));
  const auto [shared, shared_errors] = run_four("rollout planned -q --out same >/dev/null");
  EXPECT_THAT(shared, Each(AnyOf(0, 2)));
  EXPECT_THAT(shared, testing::Contains(0));
  if (std::count(shared.begin(), shared.end(), 2) > 0) {
    // run_exists if the first rollout has already ended.
    EXPECT_THAT(shared_errors,
                AnyOf(test::has_code("run_folder_in_use"), test::has_code("run_exists")));
  }
  EXPECT_TRUE(fs::exists(folder_ / "same/summary.json"));
  EXPECT_FALSE(fs::exists(folder_ / "same/.run.tmp"));
}

TEST_F(Surroundings, ReportsAMissingWorkingFolder) {
  const std::string begin = "mkdir gone && cd gone && rmdir ../gone && ";
  for (const std::string line : {"plan m.toml", "check m.toml", "rollout planned"}) {
    const auto result = shell(begin + "$T " + line);
    EXPECT_THAT(result.status, AnyOf(1, 2));
    expect_one_line(result);
    EXPECT_THAT(result.errors, Not(HasSubstr("filesystem error"))) << result.errors;
  }
  EXPECT_EQ(shell(begin + "$T env info " + (folder_ / "g.h5").string()).status, 0);
}

TEST_F(Surroundings, PlansStepsLongerThanTheGrid) {
  run({"env", "double-gyre", "--out", "s.h5", "--nx", "12", "--ny", "12", "--nt", "10", "--modes",
       "2", "--realizations", "10", "-q"});
  std::ofstream(folder_ / "fast.toml") << "[environment]\nfile = \"s.h5\"\n[vehicle]\n"
                                          "speeds = [100.0]\nheadings = 8\n[mission]\n"
                                          "start = [5.5, 3.5]\ntarget = [8.5, 8.5]\n";
  for (const std::string engine : {"lattice", "direct"}) {
    EXPECT_EQ(shell("timeout 20 $T plan fast.toml -q --overwrite --out fast --set planner.engine=" +
                    engine)
                  .status,
              0);
  }
}

}  // namespace
}  // namespace tidewise
