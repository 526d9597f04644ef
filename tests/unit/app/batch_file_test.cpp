// Batch files: the missions that they define, names of missions, and errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "app/batch/file/batch_mission.h"
#include "base/error.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class BatchFiles : public testing::Test {
 protected:
  BatchFiles() {
    write("base.toml", R"([environment]
file = "ocean.h5"
[vehicle]
speeds = [0.5]
[mission]
start_lonlat = [-126.0, 46.8]
target = [3.5, 3.5]
)");
  }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  std::vector<BatchMission> expand(const std::string& text,
                                   const std::vector<Setting>& settings = {}) const {
    write("b.toml", "[batch]\nmission = \"base.toml\"\n" + text);
    return expand_batch(read_batch_file(folder_ / "b.toml"), settings);
  }

  std::vector<std::string> directories(const std::string& text) const {
    std::vector<std::string> names;
    for (const auto& mission : expand(text)) names.push_back(mission.directory);
    return names;
  }

  /// Returns the error of a batch file, without the path of the test's folder.
  std::string error_of(const std::string& text, const std::vector<Setting>& settings = {}) const {
    try {
      expand(text, settings);
    } catch (const InputError& error) {
      std::string line = error.what();
      const std::string folder = folder_.path().string() + "/";
      for (auto at = line.find(folder); at != std::string::npos; at = line.find(folder)) {
        line.erase(at, folder.size());
      }
      return line;
    }
    return "not refused";
  }

  const test::TemporaryFolder folder_;
};

TEST_F(BatchFiles, MakesTheProductInFileOrder) {
  const auto missions = expand(R"([vary]
mission.target = [[1.5, 2.5], [2.5, 1.5]]
mission.departure = [0, 6]
"planner.engine" = ["direct"]
)");
  ASSERT_EQ(missions.size(), 4u);
  EXPECT_EQ(missions[1].directory, "0001_target1_departure6");
  EXPECT_EQ(missions[2].name, "target2_departure0");
  EXPECT_EQ(missions[2].request.goal.target.first, 2.5);
  EXPECT_EQ(missions[2].request.goal.departure, 0);
  EXPECT_EQ(missions[3].request.goal.departure, 6);
  EXPECT_EQ(missions[3].request.planner.engine, Engine::direct);
  EXPECT_EQ(missions[3].request.environment, folder_ / "ocean.h5");
  EXPECT_EQ(missions[3].request.output.directory, fs::absolute("runs/b/0003_target2_departure6"));
  EXPECT_THAT(missions[1].varied,
              ElementsAre(std::pair<std::string, std::string>("mission.target", "[1.5, 2.5]"),
                          std::pair<std::string, std::string>("mission.departure", "6"),
                          std::pair<std::string, std::string>("planner.engine", "direct")));
}

TEST_F(BatchFiles, ZipsLists) {
  EXPECT_THAT(directories("combine = \"zip\"\n[vary]\nmission.departure = [0, 6]\n"
                          "mission.target_radius = [1.5, 2]\n"),
              ElementsAre("0000_departure0_target_radius1.5", "0001_departure6_target_radius2"));
}

TEST_F(BatchFiles, VariesSeveralKeysByTables) {
  const auto missions = expand(R"([vary]
vehicle = [{ name = "slow glider", speeds = [0.25], energy.c_f = 2.0 }, { headings = 8 }]
)");
  ASSERT_EQ(missions.size(), 2u);
  EXPECT_EQ(missions[0].directory, "0000_slow-glider");
  EXPECT_EQ(missions[0].request.goal.energy.c_f, 2.0);
  EXPECT_THAT(missions[0].request.vehicle.speeds, ElementsAre(0.25));
  EXPECT_EQ(missions[1].directory, "0001_vehicle2");
  EXPECT_THAT(missions[1].request.vehicle.speeds, ElementsAre(0.5));
  EXPECT_EQ(missions[1].request.vehicle.headings, 8);
  EXPECT_EQ(missions[1].varied.at(0).second, "");
}

TEST_F(BatchFiles, CombinesMissionsWithVariedKeys) {
  const auto missions = expand(R"([vary]
mission.departure = [0, 6]
[[mission]]
name = "north"
mission.start = [1.5, 1.5]
[[mission]]
mission.target_lonlat = [-126.0, 46.8]
)");
  ASSERT_EQ(missions.size(), 4u);
  EXPECT_EQ(missions[1].directory, "0001_north_departure6");
  EXPECT_EQ(missions[2].directory, "0002_mission2_departure0");
  // A mission's position replaces that of the base in other coordinates.
  EXPECT_EQ(missions[0].request.goal.start.frame, Position::Frame::plane);
  EXPECT_EQ(missions[2].request.goal.start.frame, Position::Frame::geographic);
  EXPECT_EQ(missions[2].request.goal.target.frame, Position::Frame::geographic);
}

TEST_F(BatchFiles, FindsEnvironmentsByPatternInOrder) {
  for (const char* name : {"cycles/b.h5", "cycles/a.h5", "cycles/c.nc", "a.h5"}) write(name, "");
  const auto missions = expand("[vary]\nenvironment.file = [\"cycles/*.h5\", \"a.h5\"]\n");
  ASSERT_EQ(missions.size(), 3u);
  EXPECT_EQ(missions[0].request.environment, folder_ / "cycles/a.h5");
  EXPECT_EQ(missions[0].directory, "0000_a-1");  // two files of one name
  EXPECT_EQ(missions[1].directory, "0001_b");
  EXPECT_EQ(missions[2].request.environment, folder_ / "a.h5");
}

TEST_F(BatchFiles, NameMissionsInAnyLanguage) {
  const auto missions = expand(
      "[[mission]]\nname = \"目標 a\"\nmission.departure = 0\n"
      "[[mission]]\nname = \"Übung/../x\"\nmission.departure = 6\n");
  EXPECT_EQ(missions.at(0).directory, "0000_目標-a");
  EXPECT_EQ(missions.at(1).directory, "0001_Übung-..-x");
  EXPECT_THAT(error_of("[[mission]]\nname = \"--\"\n"),
              test::has_code("key_value_invalid", "text in quotes with a letter or a number"));
}

TEST_F(BatchFiles, LetSettingsReplaceKeysOfTheBase) {
  const auto missions =
      expand("[vary]\nmission.departure = [0, 6]\n", {"mission.start=[1.5, 1.5]"});
  EXPECT_EQ(missions[1].request.goal.start.frame, Position::Frame::plane);
  EXPECT_THAT(error_of("[vary]\nmission.departure = [0, 6]\n", {"mission.departure=3"}),
              test::has_code("key_varied_and_fixed", "--set mission.departure=3"));
}

TEST_F(BatchFiles, RejectsInvalidInput) {
  const std::vector<std::array<std::string, 3>> cases{
      {"", "batch_varies_nothing", "b.toml"},
      {"[vary]\nmission.objectve = [\"time\"]", "key_misspelled", "mission.objectve"},
      {"[vary]\nweight.alpha = [0.5]", "key_misspelled", "weight.alpha"},
      {"[vary]\nmission.departure = 3", "key_value_invalid", "vary.mission.departure"},
      {"[vary]\nmission.departure = []", "key_value_invalid", "vary.mission.departure"},
      {"[vary]\nmission.departure = [0, -3]", "key_value_invalid", "mission.departure"},
      {"[vary]\nmission.objective = [\"time\", \"enery\"]", "key_value_invalid",
       "mission.objective"},
      {"[vary]\nmission.departure = [1, 1]", "missions_equal", "b.toml"},
      {"combine = \"zip\"\n[vary]\nmission.departure = [0, 6]\nmission.horizon = [1, 2, 3]",
       "zip_lengths_differ", "mission.horizon"},
      {"combine = \"zop\"\n[vary]\nmission.departure = [0]", "key_value_invalid", "batch.combine"},
      {"polices = \"none\"\n[vary]\nmission.departure = [0]", "batch_key_misspelled",
       "batch.polices"},
      {"[vary]\noutput.directory = [\"a\", \"b\"]", "key_not_variable", "output.directory"},
      {"[vary]\nplanner.threads = [1, 2]", "key_not_variable", "planner.threads"},
      {"[vary]\nplanner.devices = [[0], [1]]", "key_not_variable", "planner.devices"},
      {"[mission]\nstart = [1, 1]", "batch_key_misplaced", "b.toml:3"},
      {"[vary]\nmission.departure = [0, 1]\nmission = [{ departure = 3 }]", "", ""},
      {"[vary]\nvehicle = [{ spees = [1.0] }]", "key_misspelled", "vehicle.spees"},
      {"[vary]\nmission.departure = [0]\n[[mission]]\nname = \"a\"\nmission.departure = 3",
       "varied_twice", "mission.departure"},
      {"[[mission]]\nname = \"a\"\n[[mission]]\nname = \"a\"\nmission.departure = 3",
       "key_value_invalid", "b.toml:6"},
  };
  for (const auto& [text, code, key] : cases) {
    SCOPED_TRACE(text);
    const std::string line = error_of(text);
    if (code.empty()) {
      EXPECT_NE(line, "not refused");
    } else {
      EXPECT_THAT(line, test::has_code(code, key));
    }
  }
  std::ofstream(folder_ / "odd\xff.h5") << "";
  EXPECT_THAT(error_of("[vary]\nenvironment.file = [\"odd*.h5\"]"),
              test::has_code("batch_file_name_not_utf8"));
  EXPECT_THAT(error_of("[vary]\nenvironment.file = [\"cycles/*.h5\"]"),
              test::has_code("pattern_matches_nothing", "b.toml:4"));
  EXPECT_THAT(error_of("[vary]\nmission.departure = [0]\n"
                       "mission.horizon = [1,2,3,4,5,6,7,8,9,10]\n"
                       "mission.target_radius = [1,2,3,4,5,6,7,8,9,10]\n"
                       "mission.arrival_reward = [1,2,3,4,5,6,7,8,9,10]\n"
                       "rollout.seed = [1,2,3,4,5,6,7,8,9,10]\n"
                       "rollout.flights = [1,2,3,4,5,6,7,8,9,10]\n"
                       "vehicle.headings = [1,2,3,4,5,6,7,8,9,10]\n"),
              test::has_code("too_many_missions"));
  std::string seeds = "1";
  for (int seed = 2; seed <= 100'001; ++seed) seeds.append(",").append(std::to_string(seed));
  EXPECT_THAT(error_of("combine = \"zip\"\n[vary]\nrollout.seed = [" + seeds +
                       "]\nmission.target_radius = [" + seeds + "]\n"),
              test::has_code("too_many_missions"));
}

TEST_F(BatchFiles, RejectsMissingFiles) {
  EXPECT_THROW(read_batch_file(folder_ / "none.toml"), InputError);
  write("other.toml", "[batch]\n[vary]\nmission.departure = [0]\n");
  EXPECT_THROW(read_batch_file(folder_ / "other.toml"), InputError);
}

TEST(BatchConfigs, DefineMissions) {
  const auto missions =
      expand_batch(read_batch_file(TIDEWISE_CONFIGS "/../examples/double-gyre/batch.toml"), {});
  EXPECT_EQ(missions.size(), 12u);
  EXPECT_EQ(missions.back().directory, "0011_sparing_departure10_target2");
  EXPECT_EQ(missions[7].request.goal.energy.alpha, 0.5);
}

TEST(DirectoryNames, AreSortedUniqueAndShort) {
  EXPECT_EQ(directory_name(7, 10, "north"), "0007_north");
  EXPECT_EQ(directory_name(7, 20'000, ""), "00007");
  EXPECT_EQ(directory_name(7, 10, std::string(200, 'a')), "0007");
}

}  // namespace
}  // namespace tidewise
