// Tests every command that writes a file. An output must not be an input, another output or a file
// of a run, and replaces a file of another kind only with --overwrite (docs/plan/outputs.md).

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct Output {
  std::string option;
  std::string name;  ///< name of a file that the command may make
};

/// A command with outputs, and the files that it reads.
struct Command {
  Words words;
  std::vector<Output> outputs;
  std::vector<std::string> inputs = {};
  /// False if the command takes long or needs other files; then only its refusals are tested here.
  bool runs = true;
};

/// Commands whose output is a folder have separate tests below.
std::vector<Command> commands() {
  return {
      {{"reach", "run"},
       {{"--out", "r.nc"}, {"--out", "r.geojson"}},
       {"gyre.h5", "run/policy.h5", "run/trajectories.nc"}},
      {{"departures", "run", "--to", "3"},
       {{"--out", "d.csv"}, {"--out", "d.json"}},
       {"gyre.h5", "run/summary.json"}},
      {{"compare", "run", "other", "--cost", "none"},
       {{"--out", "c.nc"}, {"--out", "c.json"}},
       {"gyre.h5", "run/policy.h5", "other/policy.h5"}},
      {{"view", "run", "--with", "other"}, {{"--out", "v.html"}}, {"gyre.h5", "other/policy.h5"}},
      {{"research", "refine", "run", "--realizations", "2"}, {{"--out", "fine.h5"}}, {"gyre.h5"}},
      {{"export", "run", "--format", "csv", "--plane"}, {{"--out", "w.csv"}}, {"gyre.h5"}},
      {{"export", "run", "--format", "policy"}, {{"--out", "p.twp"}}, {"gyre.h5"}},
      {{"lookup", "run", "--at-xy", "15.5,6.5", "--time", "2"},
       {{"--out", "s.geojson"}},
       {"gyre.h5"},
       false},
      {{"rehearse", "run", "--source", "gyre.h5", "prof.csv"},
       {{"--out", "tracks.geojson"}},
       {"gyre.h5", "prof.csv"},
       false},
      {{"observe", "gyre.h5", "--error", "0.1", "--drifter", "t.csv"},
       {{"--out", "post.h5"}},
       {"gyre.h5", "t.csv"}},
      {{"research", "build", "m.toml"}, {{"--out", "model.h5"}}, {"m.toml", "gyre.h5"}},
      {{"env", "double-gyre", "--nx", "12", "--ny", "12", "--nt", "6", "--modes", "1"},
       {{"--out", "e.h5"}}},
      {{"env", "wind-driven-gyre"}, {{"--out", "g.h5"}}, {}, false},
      {{"env", "resample", "gyre.h5", "--step", "2"}, {{"--out", "e.h5"}}, {"gyre.h5"}, false},
      {{"env", "import", "gyre.h5", "--profile", "d=prof.csv", "--bathymetry", "t.csv:depth"},
       {{"--out", "e.h5"}},
       {"gyre.h5", "prof.csv", "t.csv"},
       false},
      {{"research", "solve", "w.json", "--backend", "cpu"}, {{"--out", "s.h5"}}, {"w.json"}},
      {{"research", "solve", "w.json", "--backend", "cpu"}, {{"--out", "s.txt"}}, {"w.json"}},
      {{"research", "mdp", "convert", "w.json"}, {{"--out", "w.xml"}}, {"w.json"}},
      {{"research", "mdp", "gridworld", "--nx", "6"}, {{"--out", "a.json"}}},
      {{"research", "mdp", "mine-field", "--nx", "6", "--ny", "6"}, {{"--out", "a.h5"}}},
      {{"research", "mdp", "sample", "--scale", "1e-5"}, {{"--out", "a.h5"}}},
      {{"research", "mdp", "savings", "--assets", "8,2"}, {{"--out", "a.h5"}}},
      {{"research", "bench", "learning", "--realizations", "20", "--modes", "2", "--steps", "8",
        "--repeats", "2"},
       {{"--json", "b.json"}}},
  };
}

/// True if the ending of an output sets its format.
bool writes_by_ending(const Command& command) {
  const std::string& name = command.words[0] == "research" ? command.words[1] : command.words[0];
  constexpr std::array names{"compare", "departures", "lookup", "mdp", "reach", "solve"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string line_of(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += word + " ";
  return line;
}

/// Returns a command with its outputs, of which output `index` goes to `place`.
Words words_of(const Command& command, std::size_t index, const std::string& place,
               const Words& options = {}) {
  Words words = command.words;
  for (std::size_t n = 0; n < command.outputs.size(); ++n) {
    words.insert(words.end(),
                 {command.outputs[n].option, n == index ? place : command.outputs[n].name});
  }
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("-q");
  return words;
}

class OutputsOfCommands : public test::SmallGyreFixture {
 protected:
  void SetUp() override {
    make_once("outputs", [&] {
      make_gyre("gyre.h5");
      write_mission("gyre.h5", "run", 3);
      run({"plan", "m.toml", "-q"});
      fs::copy(folder_ / "run", folder_ / "other");
      run({"research", "mdp", "gridworld", "--nx", "5", "--out", "w.json", "-q"});
    });
    write("t.csv", "time,x,y\n4,15.5,6.5\n5,15.9,7.6\n6,16.2,8.8\n");
    write("prof.csv", "from,to,share\n0,10,0.5\n10,20,0.5\n");
    write("notes.txt", "what I must not forget\n");
  }

  /// Calls `attempt` with each command and the index of each of its outputs.
  template <class Try>
  void for_each_output(const Try& attempt) const {
    for (const Command& command : commands()) {
      for (std::size_t n = 0; n < command.outputs.size(); ++n) {
        SCOPED_TRACE(line_of(words_of(command, n, command.outputs[n].name)));
        attempt(command, n);
      }
    }
  }
};

/// `sets_format`: the ending sets the format, and a wrong ending may be refused first.
void expect_code(const std::string& reason, const std::string& code, bool sets_format) {
  if (!sets_format) {
    EXPECT_THAT(reason, test::has_code(code));
    return;
  }
  EXPECT_THAT(
      reason,
      AnyOf(test::has_code(code), test::has_code("output_ending_unknown"),
            test::has_code("output_ending_twice"), test::has_code("process_ending_unknown"),
            test::has_code("savings_output_not_hdf5"), test::has_code("solution_ending_unknown")));
}

TEST_F(OutputsOfCommands, MustDifferFromInputs) {
  for_each_output([&](const Command& command, std::size_t n) {
    for (const std::string& input : command.inputs) {
      // Commands whose format is set by the ending may refuse the ending first.
      const std::string reason = refused(words_of(command, n, input));
      expect_code(reason, "output_is_input", writes_by_ending(command));
    }
  });
}

TEST_F(OutputsOfCommands, MustDifferFromInputsUnderOtherNames) {
  fs::create_directory_symlink(folder_.path(), folder_ / "here");
  fs::create_hard_link(folder_ / "gyre.h5", folder_ / "linked.nc");
  fs::create_symlink("gyre.h5", folder_ / "pointer.nc");
  for (const char* place : {"./run/../linked.nc", "here/linked.nc", "linked.nc", "pointer.nc"}) {
    EXPECT_THAT(refused({"reach", "run", "--out", place}), test::has_code("output_is_input"))
        << place;
    EXPECT_THAT(refused({"observe", "gyre.h5", "--track", "t.csv", "--out", place}),
                test::has_code("output_is_input"))
        << place;
  }
}

TEST_F(OutputsOfCommands, MustDifferFromTheFollowedTrack) {
  write("moving.csv", "time,x,y\n0,15.5,6.5\n20,17.5,10.5\n50,20.5,14.5\n");
  write("f.toml",
        "[environment]\nfile = \"gyre.h5\"\n[vehicle]\nspeeds = [0.8, 1.6]\nheadings = "
        "12\n[mission]\n"
        "objective = \"follow\"\nfollow = \"moving.csv\"\nstart = [15.5, 6.5]\n");
  run({"plan", "f.toml", "--out", "following", "-q"});
  for (const Words& words : {Words{"rehearse", "following", "--source", "gyre.h5"},
                             {"view", "following"},
                             {"export", "following", "--format", "csv", "--plane"}}) {
    Words arguments = words;
    arguments.insert(arguments.end(), {"--out", "moving.csv", "--overwrite"});
    EXPECT_THAT(refused(arguments), testing::AllOf(test::has_code("output_is_input", "moving.csv"),
                                                   testing::HasSubstr("--out")))
        << line_of(words);
  }
}

/// An environment may have the name of a file that the run writes.
TEST_F(OutputsOfCommands, InARunMustDifferFromInputs) {
  fs::create_directory(folder_ / "here");
  fs::copy(folder_ / "gyre.h5", folder_ / "here/trajectories.nc");
  EXPECT_THAT(refused({"plan", "m.toml", "--set", "environment.file=here/trajectories.nc", "--out",
                       "here", "--overwrite"}),
              test::has_code("output_is_input", "here/trajectories.nc"));
}

TEST_F(OutputsOfCommands, DifferFromEachOther) {
  fs::create_directory_symlink(folder_.path(), folder_ / "here");
  for (const Command& command : commands()) {
    if (command.outputs.size() < 2) continue;
    const std::string first = command.outputs[0].name;
    for (const std::string& path : {first, "./" + first, "here/" + first}) {
      EXPECT_THAT(refused(words_of(command, 1, path)),
                  AnyOf(test::has_code("output_ending_twice", first),
                        test::has_code("output_named_twice", first)))
          << line_of(command.words);
    }
    write(first, "");
    const std::string linked = "linked" + fs::path(command.outputs[1].name).extension().string();
    fs::create_symlink(first, folder_ / linked);
    EXPECT_THAT(refused(words_of(command, 1, linked)),
                test::has_code("output_named_twice", "--out"))
        << line_of(command.words);
    fs::remove(folder_ / linked);
  }
}

TEST_F(OutputsOfCommands, MustNotReplaceFilesOfRuns) {
  fs::copy(folder_ / "run", folder_ / "third");
  for_each_output([&](const Command& command, std::size_t n) {
    for (const char* file : {"policy.h5", "summary.json", "trajectories.nc", "posterior.h5"}) {
      const std::string reason =
          refused(words_of(command, n, std::string("third/") + file, {"--overwrite"}));
      expect_code(reason, "output_in_run", writes_by_ending(command));
    }
  });
}

TEST_F(OutputsOfCommands, ReplaceAnotherKindOnlyOnRequest) {
  for_each_output([&](const Command& command, std::size_t n) {
    const std::string name = command.outputs[n].name;
    write(name, "what I must not forget\n");
    EXPECT_THAT(refused(words_of(command, n, name)), test::has_code("output_kind_differs"));
    if (command.runs) {
      run(words_of(command, n, name, {"--overwrite"}));
      EXPECT_THAT(test::bytes_of(folder_ / name), Not(HasSubstr("what I must not forget")));
      run(words_of(command, n, name));  // a file of its own kind
    }
    fs::remove(folder_ / name);
  });
}

/// Kinds are distinguished by content: the names below have the new file's ending.
TEST_F(OutputsOfCommands, RecognizeTheirKindByContent) {
  fs::copy(folder_ / "gyre.h5", folder_ / "forecast.nc");
  fs::copy(folder_ / "gyre.h5", folder_ / "gyre_2.h5");
  EXPECT_THAT(refused({"reach", "run", "--out", "forecast.nc"}),
              test::has_code("output_kind_differs", "file of 'tidewise reach'"));
  EXPECT_THAT(refused({"research", "build", "m.toml", "--out", "gyre_2.h5"}),
              test::has_code("output_kind_differs", "explicit model"));
  EXPECT_THAT(refused({"env", "double-gyre", "--out", "other/policy.h5"}),
              test::has_code("output_in_run", "other"));
  fs::copy(folder_ / "other/policy.h5", folder_ / "kept.h5");
  EXPECT_THAT(refused({"env", "double-gyre", "--out", "kept.h5"}),
              test::has_code("output_kind_differs", "kept.h5"));
  write("zones.json", R"({"type": "FeatureCollection", "features": []})");
  EXPECT_THAT(refused({"departures", "run", "--out", "zones.json"}),
              test::has_code("output_kind_differs", "JSON of 'tidewise departures'"));
  EXPECT_THAT(refused({"departures", "run", "--out", "prof.csv"}),
              test::has_code("output_kind_differs", "prof.csv"));
  write("empty.csv", "");  // as mktemp leaves it
  run({"departures", "run", "--to", "3", "--out", "empty.csv", "-q"});
}

TEST_F(OutputsOfCommands, AppearTogetherOrNotAtAll) {
  run({"departures", "run", "--out", "d.csv", "--out", "d.json", "-q"});
  const auto size = [&](const char* name) { return fs::file_size(folder_ / name); };
  ASSERT_GT(size("d.json"), size("d.csv"));
  const std::uint64_t limit = (size("d.json") + size("d.csv")) / 2;
  for (const char* name : {"d.csv", "d.json"}) fs::remove(folder_ / name);
  const std::string before = test::listing(folder_.path());
  const auto result = test::run_tidewise_on_full_disk(
      {"departures", "run", "--out", "d.csv", "--out", "d.json", "-q"}, folder_.path(), limit);
  EXPECT_EQ(result.status, 1) << result.errors;
  EXPECT_EQ(test::listing(folder_.path()), before);
}

TEST_F(OutputsOfCommands, ReplaceARunOnlyOnRequest) {
  EXPECT_THAT(refused({"plan", "m.toml"}), test::has_code("run_exists", "run"));
  run({"plan", "m.toml", "--overwrite", "-q"});
  run({"rollout", "run", "--time", "4", "--out", "flown", "-q"});
  EXPECT_THAT(refused({"rollout", "run", "--time", "5", "--out", "flown"}),
              test::has_code("run_exists", "flown"));
  run({"rollout", "run", "--time", "5", "--out", "flown", "--overwrite", "-q"});
  EXPECT_THAT(refused({"plan", "m.toml", "--out", "flown"}), test::has_code("run_exists"));
  const Words replan{"replan", "run",   "--at-xy", "16.5,10.5", "--time",
                     "6",      "--out", "other",   "-q"};
  EXPECT_THAT(refused(replan), test::has_code("run_exists"));
  Words replacement = replan;
  replacement.emplace_back("--overwrite");
  run(replacement);
  EXPECT_THAT(refused({"rollout", "run", "--out", "other", "--overwrite"}),
              test::has_code("rollout_output_is_run"));
}

TEST_F(OutputsOfCommands, OfABatchDoNotReplaceOtherRuns) {
  write(
      "b.toml",
      "[batch]\nmission = \"m.toml\"\ndirectory = \"runs\"\n[vary]\nmission.departure = [2, 4]\n");
  const std::string report = run({"batch", "b.toml", "--dry-run", "-q"}).output;
  run({"batch", "b.toml", "-q"});
  std::string mission;
  for (const auto& entry : fs::directory_iterator(folder_ / "runs")) {
    if (entry.is_directory()) mission = entry.path().filename().string();
  }
  ASSERT_FALSE(mission.empty()) << report;
  fs::create_directories(folder_ / "later");
  fs::copy(folder_ / "run", folder_ / "later" / mission);
  EXPECT_THAT(refused({"batch", "b.toml", "--out", "later"}), test::has_code("run_exists"));
  run({"batch", "b.toml", "--out", "later", "--overwrite", "-q"});
  run({"batch", "b.toml", "--out", "later", "--resume", "-q"});
  fs::create_directories(folder_ / "tables");
  write("tables/batch.csv", "my,own\n");
  EXPECT_THAT(refused({"batch", "b.toml", "--out", "tables"}),
              test::has_code("mission_folder_foreign", "batch.csv"));
}

TEST_F(OutputsOfCommands, MayShareAFolderWithTheMissionFile) {
  fs::create_directories(folder_ / "new");
  fs::copy(folder_ / "m.toml", folder_ / "new/m.toml");
  run({"plan", "m.toml", "--out", "new", "-q"});
  EXPECT_TRUE(fs::exists(folder_ / "new/m.toml"));
}

TEST_F(OutputsOfCommands, AreWrittenByOneOfSimultaneousInits) {
  const Words words{"init",     "--environment", "gyre.h5", "--start",  "15.5,6.5",
                    "--target", "15.5,24.5",     "--out",   "same.toml"};
  for (int round = 0; round < 3; ++round) {
    std::array<test::ProgramResult, 3> results;
    {
      std::vector<std::jthread> threads;
      threads.reserve(results.size());
      for (auto& result : results) {
        threads.emplace_back([&] { result = test::run_tidewise_alone(words, folder_.path()); });
      }
    }
    int succeeded = 0;
    for (const auto& result : results) {
      succeeded += result.status == 0 ? 1 : 0;
      if (result.status == 0) continue;
      EXPECT_EQ(result.status, 2);
      EXPECT_THAT(result.errors, AnyOf(test::has_code("init_output_exists", "same.toml"),
                                       test::has_code("output_exists", "same.toml")));
    }
    EXPECT_EQ(succeeded, 1);
    fs::remove(folder_ / "same.toml");
  }
}

TEST_F(OutputsOfCommands, AnExampleCanBeRepeatedAfterAFullDisk) {
  const std::string before = test::listing(folder_.path());
  for (const char* name : {"washington", "norway", "double-gyre", "ensemble"}) {
    const auto result =
        test::run_tidewise_on_full_disk({"example", name, "-q"}, folder_.path(), 20'000);
    EXPECT_EQ(result.status, 1) << result.errors;
    EXPECT_EQ(test::listing(folder_.path()), before) << name;
    run({"example", name, "--out", std::string("of ") + name, "-q"});
    fs::remove_all(folder_ / (std::string("of ") + name));
  }
}

TEST_F(OutputsOfCommands, AnExampleThatWasKilledIsCompleted) {
  run({"example", "washington", "-q"});
  fs::remove(folder_ / "washington/track.csv");
  run({"example", "washington", "-q"});
  EXPECT_TRUE(fs::exists(folder_ / "washington/track.csv"));
  write("washington/track.csv", "mine\n");
  EXPECT_THAT(refused({"example", "washington"}), test::has_code("example_exists", "track.csv"));
  fs::remove(folder_ / "washington/track.csv");
  write("washington/washington.toml", "mine\n");
  EXPECT_THAT(refused({"example", "washington"}),
              test::has_code("example_exists", "washington.toml"));
}

}  // namespace
}  // namespace tidewise
