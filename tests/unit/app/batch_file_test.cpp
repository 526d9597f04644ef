// Batch files: what missions they stand for, what those are called, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/batch/file/batch_mission.h"
#include "base/error.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

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

  /// What the refusal says, without the folder of the test.
  std::string refusal(const std::string& text, const std::vector<Setting>& settings = {}) const {
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

TEST_F(BatchFiles, MakeTheProductInTheOrderOfTheFile) {
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

TEST_F(BatchFiles, TakeListsSideBySideWhereTheyAreZipped) {
  EXPECT_THAT(directories("combine = \"zip\"\n[vary]\nmission.departure = [0, 6]\n"
                          "mission.target_radius = [1.5, 2]\n"),
              ElementsAre("0000_departure0_target_radius1.5", "0001_departure6_target_radius2"));
}

TEST_F(BatchFiles, VarySeveralKeysAtOnceByTables) {
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

TEST_F(BatchFiles, CombineAListOfMissionsWithWhatVaries) {
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
  // What a mission says displaces the base's in the other coordinates.
  EXPECT_EQ(missions[0].request.goal.start.frame, Position::Frame::plane);
  EXPECT_EQ(missions[2].request.goal.start.frame, Position::Frame::geographic);
  EXPECT_EQ(missions[2].request.goal.target.frame, Position::Frame::geographic);
}

TEST_F(BatchFiles, FindEnvironmentsByPatternSorted) {
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
  EXPECT_THAT(refusal("[[mission]]\nname = \"--\"\n"),
              HasSubstr("name is \"--\"; it must be text in quotes with a letter or a number"));
}

TEST_F(BatchFiles, LeaveKeysOfTheBaseToSettings) {
  const auto missions =
      expand("[vary]\nmission.departure = [0, 6]\n", {"mission.start=[1.5, 1.5]"});
  EXPECT_EQ(missions[1].request.goal.start.frame, Position::Frame::plane);
  EXPECT_EQ(refusal("[vary]\nmission.departure = [0, 6]\n", {"mission.departure=3"}),
            "--set mission.departure=3: mission.departure is varied by b.toml; take it out of one "
            "of the two");
}

TEST_F(BatchFiles, RefuseInOneLine) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"",
       "b.toml: varies nothing; give lists under [vary], e.g. mission.objective = [\"time\", "
       "\"energy\"], or missions under [[mission]]"},
      {"[vary]\nmission.objectve = [\"time\"]",
       "b.toml:4: unknown key mission.objectve; did you mean mission.objective?"},
      {"[vary]\nweight.alpha = [0.5]",
       "b.toml:4: unknown key weight.alpha; did you mean mission.weight.alpha?"},
      {"[vary]\nmission.departure = 3",
       "b.toml:4: vary.mission.departure is 3; it must be a list of one or more values, which the "
       "batch varies"},
      {"[vary]\nmission.departure = []",
       "b.toml:4: vary.mission.departure is []; it must be a list of one or more values, which "
       "the batch varies"},
      {"[vary]\nmission.departure = [0, -3]",
       "b.toml:4: mission.departure is -3; it must be a whole number from 0 to 2147483647"},
      {"[vary]\nmission.objective = [\"time\", \"enery\"]",
       "b.toml:4: mission.objective is \"enery\"; it must be one of time, energy, net_energy, "
       "weighted, arrival, stay, follow (did you mean energy?)"},
      {"[vary]\nmission.departure = [1, 1]",
       "b.toml: missions 0 and 1 (departure1-1, departure1-2) are the same; take one of them out"},
      {"combine = \"zip\"\n[vary]\nmission.departure = [0, 6]\nmission.horizon = [1, 2, 3]",
       "b.toml:6: mission.horizon has 3 value(s), where mission.departure has 2; combine = "
       "\"zip\" takes lists of one length"},
      {"combine = \"zop\"\n[vary]\nmission.departure = [0]",
       "b.toml:3: batch.combine is \"zop\"; it must be one of product, zip (did you mean zip?)"},
      {"polices = \"none\"\n[vary]\nmission.departure = [0]",
       "b.toml:3: unknown key batch.polices; did you mean batch.policies?"},
      {"[vary]\noutput.directory = [\"a\", \"b\"]",
       "b.toml:4: output.directory cannot differ from mission to mission; give directory under "
       "[batch], or --out"},
      {"[vary]\nplanner.threads = [1, 2]",
       "b.toml:4: planner.threads cannot differ from mission to mission; give it in the base "
       "mission, or as an option"},
      {"[vary]\nplanner.devices = [[0], [1]]",
       "b.toml:4: planner.devices cannot differ from mission to mission; give it in the base "
       "mission, or as an option"},
      {"[mission]\nstart = [1, 1]",
       "b.toml:3: mission is no key of a batch; begin each mission of a list with [[mission]], or "
       "put what all share into the base mission"},
      {"[vary]\nmission.departure = [0, 1]\nmission = [{ departure = 3 }]", ""},
      {"[vary]\nvehicle = [{ spees = [1.0] }]",
       "b.toml:4: unknown key vehicle.spees; did you mean vehicle.speeds?"},
      {"[vary]\nmission.departure = [0]\n[[mission]]\nname = \"a\"\nmission.departure = 3",
       "b.toml:4: mission.departure is varied, and so it is in b.toml:7; keep one of them"},
      {"[[mission]]\nname = \"a\"\n[[mission]]\nname = \"a\"\nmission.departure = 3",
       "b.toml:6: name is \"a\"; it must be a name that no other one of the list bears"},
  };
  for (const auto& [text, expected] : cases) {
    SCOPED_TRACE(text);
    const std::string line = refusal(text);
    if (expected.empty()) {
      EXPECT_NE(line, "not refused");
    } else {
      EXPECT_EQ(line, expected);
    }
  }
  std::ofstream(folder_ / "odd\xff.h5") << "";
  EXPECT_THAT(refusal("[vary]\nenvironment.file = [\"odd*.h5\"]"), HasSubstr("is not UTF-8"));
  EXPECT_THAT(refusal("[vary]\nenvironment.file = [\"cycles/*.h5\"]"),
              HasSubstr("b.toml:4: environment.file has the pattern \"cycles/*.h5\", and no file"));
  EXPECT_THAT(refusal("[vary]\nmission.departure = [0]\n"
                      "mission.horizon = [1,2,3,4,5,6,7,8,9,10]\n"
                      "mission.target_radius = [1,2,3,4,5,6,7,8,9,10]\n"
                      "mission.arrival_reward = [1,2,3,4,5,6,7,8,9,10]\n"
                      "rollout.seed = [1,2,3,4,5,6,7,8,9,10]\n"
                      "rollout.flights = [1,2,3,4,5,6,7,8,9,10]\n"
                      "vehicle.headings = [1,2,3,4,5,6,7,8,9,10]\n"),
              HasSubstr("makes more than 100000 missions"));
  std::string seeds = "1";
  for (int seed = 2; seed <= 100'001; ++seed) seeds.append(",").append(std::to_string(seed));
  EXPECT_THAT(refusal("combine = \"zip\"\n[vary]\nrollout.seed = [" + seeds +
                      "]\nmission.target_radius = [" + seeds + "]\n"),
              HasSubstr("makes more than 100000 missions"));
}

TEST_F(BatchFiles, RefuseWhatIsNoFile) {
  EXPECT_THROW(read_batch_file(folder_ / "none.toml"), InputError);
  write("other.toml", "[batch]\n[vary]\nmission.departure = [0]\n");
  EXPECT_THROW(read_batch_file(folder_ / "other.toml"), InputError);
}

TEST(BatchConfigs, StandForMissions) {
  const auto missions =
      expand_batch(read_batch_file(fs::path(TIDEWISE_CONFIGS) / "batch_double_gyre.toml"), {});
  EXPECT_EQ(missions.size(), 30u);
  EXPECT_EQ(missions.back().directory, "0029_front75_departure40_target2");
  EXPECT_EQ(missions.back().request.goal.energy.alpha, 0.75);
}

TEST(DirectoryNames, AreSortedUniqueAndShort) {
  EXPECT_EQ(directory_name(7, 10, "north"), "0007_north");
  EXPECT_EQ(directory_name(7, 20'000, ""), "00007");
  EXPECT_EQ(directory_name(7, 10, std::string(200, 'a')), "0007");
}

}  // namespace
}  // namespace tidewise
