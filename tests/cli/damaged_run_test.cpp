// Each command that reads a dataset of a run checks its rank, shape, type and range.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "env/file/writer.h"
#include "support/campaign.h"
#include "support/damaged_dataset.h"
#include "support/ocean/environment_builder.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using test::Damage;
using testing::HasSubstr;
using Words = std::vector<std::string>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Command {
  Words words;
  bool reads_values;     ///< true if it reads action and value
  bool reads_positions;  ///< true if it reads lon and lat
};

class DamagedRun : public test::ProgramFixture {
 protected:
  DamagedRun() {
    make_once("damaged", [&] {
      write_environment();
      std::ofstream(folder_ / "m.toml") << R"([environment]
file = "sea.h5"
[vehicle]
speeds = [0.5]
headings = 8
[mission]
start = [1500, 1500]
target = [7500, 4500]
target_radius = 1200
departure = 1
[output]
directory = "trip"
)";
      std::ofstream(folder_ / "track.csv") << "time,lon,lat\n";
      run({"plan", "m.toml", "-q"});
      run({"reach", "trip", "-q"});
    });
  }

  /// 11 × 7 cells of 1 km, 25 levels of 15 min, with longitudes and latitudes.
  void write_environment() const {
    EnvironmentInfo info = test::plain_info(11, 7, 25, 1, 6);
    info.grid = {11, 7, 0, 0, 1000, 1000};
    info.time = {25, 0, 900};
    info.units = Units::metric;
    info.time_units = "seconds since 2025-03-01 00:00:00";
    info.coordinates = Coordinates::geographic;
    EnvironmentWriter writer(folder_ / "sea.h5", info);
    std::vector<double> longitude, latitude;
    for (std::int32_t j = 0; j < info.grid.ny; ++j) {
      for (std::int32_t i = 0; i < info.grid.nx; ++i) {
        longitude.push_back(-30 + 0.012 * i);
        latitude.push_back(41 + 0.009 * j);
      }
    }
    writer.write_longitude_latitude(longitude, latitude);
    for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
      LevelFields<> fields = test::still_level(info);
      for (float& u : fields.u_mean) u = 0.05F;
      for (float& u : fields.u_mode) u = 0.1F;
      float sign = -1;
      for (float& coefficient : fields.coefficient) coefficient = sign = -sign;
      writer.write_level(k, fields);
    }
    writer.finish();
  }

  /// Returns all commands that read the policy at night, and one of them in turn by day.
  std::vector<Command> commands() { return test::sample_of(all_commands(), turn_++); }
  static std::vector<Command> all_commands() {
    std::vector<Command> all{
        {{"lookup", "trip", "--at-xy", "1500,1500", "--time", "2025-03-01T03:00:00Z"}, true, true},
        {{"view", "trip", "--out", "page.html", "-q"}, true, true},
        {{"export", "trip", "--format", "csv", "--out", "route.csv"}, true, false},
        {{"export", "trip", "--format", "policy", "--out", "on_board.twp"}, true, false},
        {{"rollout", "trip", "--out", "flown"}, true, false},
        {{"compare", "trip", "trip"}, true, true},
        {{"departures", "trip"}, true, false},
        {{"research", "refine", "trip", "--out", "refined.h5"}, true, false},
        {{"reach", "trip", "--out", "reached.nc"}, true, true}};
#ifdef TIDEWISE_WITH_IMPORT
    all.push_back({{"rehearse", "trip", "--source", "none.nc"}, false, false});
#endif
#ifdef TIDEWISE_WITH_LEARNING
    all.push_back(
        {{"observe", "trip", "--track", "track.csv", "--out", "learned.h5"}, false, false});
#endif
    return all;
  }

  /// Runs `check` while one dataset of a file of the run is damaged.
  template <class Check>
  void check_damaged(const std::string& file, const std::string& dataset, Damage damage,
                     double value, const Check& check) const {
    const fs::path path = folder_ / "trip" / file;
    const std::string original = test::bytes_of(path);
    SCOPED_TRACE(dataset + ": " + test::to_string(damage) + " " + std::to_string(value));
    if (test::damage_dataset(path, dataset, damage, value)) check();
    std::ofstream(path, std::ios::binary) << original;
  }

  /// Expects a refusal in one line that names the file and a dataset, and no written file.
  void expect_refusal(const Words& words, const std::string& file) const {
    SCOPED_TRACE(words.front());
    EXPECT_THAT(refused(words),
                testing::AllOf(HasSubstr("trip/" + file + ": variable"),
                               testing::ContainsRegex(" \\[[a-z0-9]+_[a-z0-9_]+\\]")));
  }

  std::size_t turn_ = 0;

  static constexpr Damage structural_damage[] = {
      Damage::one_dimension_more, Damage::one_dimension_less, Damage::shorter,
      Damage::transposed,         Damage::other_type,         Damage::text};
};

TEST_F(DamagedRun, IsRefusedForTheStructureOfItsPolicyByEveryCommand) {
  for (const char* dataset :
       {"x", "y", "time", "heading", "speed", "action", "value", "lon", "lat"}) {
    for (const Damage damage : structural_damage) {
      check_damaged("policy.h5", dataset, damage, 0, [&] {
        for (const Command& command : commands()) expect_refusal(command.words, "policy.h5");
      });
    }
  }
}

TEST_F(DamagedRun, IsRefusedForImplausibleValuesOfItsPolicy) {
  struct Value {
    const char* dataset;
    std::vector<double> values;
  };
  for (const auto& [dataset, values] :
       {Value{"x", {nan, 1e300, 1e12}}, Value{"y", {nan, 1e300, 1e12}},
        Value{"time", {nan, 1e300, 1e12}}, Value{"heading", {nan, 1e300, 1e12}},
        Value{"speed", {nan, 1e300, 1e12, -1}}, Value{"action", {8, -2}},
        Value{"value", {nan, 1e300}}, Value{"lon", {nan, 1e300, 1e12}},
        Value{"lat", {nan, 1e300, 1e12, 91}}}) {
    const std::string name = dataset;
    for (const double value : values) {
      check_damaged("policy.h5", dataset, Damage::value, value, [&] {
        for (const Command& command : commands()) {
          if ((name == "action" || name == "value") && !command.reads_values) continue;
          if ((name == "lon" || name == "lat") && !command.reads_positions) continue;
          expect_refusal(command.words, "policy.h5");
        }
      });
    }
  }
}

TEST_F(DamagedRun, IsRefusedForInvalidFlights) {
  const Words view{"view", "trip", "--out", "page.html", "-q"};
  const Words exported{"export", "trip", "--format", "csv", "--out", "route.csv"};
  const Words reach{"reach", "trip", "--out", "reached.nc"};
  struct Dataset {
    const char* name;
    bool is_drawn;  ///< true if view and reach also reject it
    std::vector<double> values;
  };
  for (const auto& [name, is_drawn, values] :
       {Dataset{"x", true, {nan, 1e300, 1e12, -1e12}}, Dataset{"y", true, {nan, 1e300, 1e12}},
        Dataset{"time", true, {nan, 1e300, 1e12}}, Dataset{"heading", false, {1e300, 1e12}},
        Dataset{"speed", false, {1e300, 1e12, -1}}, Dataset{"energy", true, {1e300}},
        Dataset{"harvested", false, {1e300}}, Dataset{"outcome", true, {7}},
        Dataset{"realization", true, {-1}}, Dataset{"total_reward", true, {nan, 1e300}}}) {
    const auto check = [&, drawn = is_drawn] {
      const std::vector<Words> readers =
          drawn ? std::vector<Words>{exported, view, reach} : std::vector<Words>{exported};
      for (const Words& words : test::sample_of(readers, turn_++)) {
        expect_refusal(words, "trajectories.nc");
      }
    };
    for (const Damage damage : structural_damage)
      check_damaged("trajectories.nc", name, damage, 0, check);
    for (const double value : values) {
      check_damaged("trajectories.nc", name, Damage::value, value, check);
    }
  }
}

TEST_F(DamagedRun, IsRefusedForInvalidReach) {
  const Words view{"view", "trip", "--out", "page.html", "-q"};
  run(view);
  for (const char* dataset : {"arrival_probability", "time_to_go"}) {
    const auto check = [&] { expect_refusal(view, "reach.nc"); };
    for (const Damage damage : structural_damage)
      check_damaged("reach.nc", dataset, damage, 0, check);
    for (const double value : {1e300, 1e12, -0.5}) {
      check_damaged("reach.nc", dataset, Damage::value, value, check);
    }
  }
}

}  // namespace
}  // namespace tidewise
