// A new row in the table of keys, and everything that the program derives from the row.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/batch/file/batch_mission.h"
#include "app/batch/file/mission_identity.h"
#include "app/batch/pass/plan.h"
#include "base/error.h"
#include "planner/mission/read/echo.h"
#include "planner/mission/read/file.h"
#include "planner/mission/read/key_table.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The member in which new keys are stored; no key of a mission sets it.
constexpr auto member = &RunRequest::arrival_at_least;

MissionKey new_key(const char* name, Changes changes, double unit = 1) {
  return {.name = name,
          .changes = changes,
          .read =
              [=](const MissionKey::Source& source, RunRequest& request) {
                if (const auto found = source.keys.number(name, {.min = 0})) {
                  request.*member = *found * unit;
                }
              },
          .echo = [=](const RunRequest& request) -> nlohmann::ordered_json {
            if (!(request.*member) || unit != 1) return nullptr;
            return *(request.*member);
          },
          .says = "vehicle.made"};
}

const std::string base_mission =
    "environment.file='a.h5'\nvehicle.speeds=[1]\nmission.start=[1,2]\nmission.target=[3,4]\n";

RunRequest read(const std::string& text, const std::vector<Setting>& settings = {}) {
  return parse_mission(base_mission + text, "m", settings);
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(NewKey, RoundTripsThroughEcho) {
  const AddedKey added(new_key("vehicle.made", Changes::policy));
  const RunRequest request = read("vehicle.made = 0.25");
  EXPECT_EQ(request.*member, 0.25);
  EXPECT_EQ(request.place("vehicle.made"), "m:5");
  EXPECT_THAT(to_toml(request), HasSubstr("made = 0.25"));
  EXPECT_EQ(parse_mission(to_toml(request), "again").*member, 0.25);
  EXPECT_NO_THROW(validate_request(request));
  EXPECT_FALSE(read("").*member);
  EXPECT_THAT(to_toml(read("")), Not(HasSubstr("made")));
}

TEST(NewKey, ExistsOnlyDuringItsLifetime) {
  {
    const AddedKey added(new_key("vehicle.made", Changes::policy));
    EXPECT_THAT(error_of("vehicle.mdae = 1"), test::has_code("key_misspelled", "vehicle.made"));
    EXPECT_THAT(error_of("mission.made = 1"), test::has_code("key_misspelled", "vehicle.made"));
    EXPECT_THAT(error_of("vehicle.made = -1"),
                testing::AllOf(test::has_code("key_value_invalid", "vehicle.made"),
                               testing::HasSubstr("m:5")));
    EXPECT_THAT(error_of("vehicle.made.more = 1"), test::has_code("key_is_table", "vehicle.made"));
  }
  EXPECT_THAT(error_of("vehicle.made = 1"), test::has_code("key_unknown", "vehicle.made"));
}

TEST(NewKey, CommandLineReplacesAlternativeKey) {
  const AddedKey first(new_key("vehicle.made", Changes::policy));
  const AddedKey second(new_key("vehicle.made_percent", Changes::policy, 0.01));
  EXPECT_EQ(read("vehicle.made_percent = 50").*member, 0.5);
  EXPECT_EQ(read("vehicle.made_percent = 50", {{"vehicle.made=0.25"}}).*member, 0.25);
  EXPECT_EQ(read("vehicle.made = 0.25", {{"vehicle.made_percent=50"}}).*member, 0.5);
}

TEST(NewKey, SplitsBatchByItsStage) {
  const RunRequest first = read("");
  RunRequest second = first;
  second.*member = 0.5;
  Mission mission;
  mission.last = TimeLevel{3};
  for (const Changes changes :
       {Changes::counts, Changes::policy, Changes::flights, Changes::files, Changes::nothing}) {
    const AddedKey added(new_key("vehicle.made", changes));
    EXPECT_EQ(counting_key(first) == counting_key(second), changes != Changes::counts);
    EXPECT_EQ(solve_key(first, mission) == solve_key(second, mission), changes != Changes::policy);
    const bool is_same = changes == Changes::files || changes == Changes::nothing;
    EXPECT_EQ(identity_of(first) == identity_of(second), is_same);
  }
}

TEST(NewKey, IsAnAxisOfABatch) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "base.toml") << base_mission;
  std::ofstream(folder / "batch.toml")
      << "[batch]\nmission = \"base.toml\"\n[vary]\nvehicle.made = [0.25, 0.5]\n";
  EXPECT_THROW(expand_batch(read_batch_file(folder / "batch.toml"), {}), InputError);
  const AddedKey added(new_key("vehicle.made", Changes::flights));
  const auto missions = expand_batch(read_batch_file(folder / "batch.toml"), {});
  ASSERT_EQ(missions.size(), 2U);
  EXPECT_EQ(missions[0].request.*member, 0.25);
  EXPECT_EQ(missions[1].request.*member, 0.5);
  EXPECT_THAT(missions[0].directory, HasSubstr("made"));
}

}  // namespace
}  // namespace tidewise
