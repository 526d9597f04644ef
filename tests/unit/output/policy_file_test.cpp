#include "output/run/policy_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

const std::string mission_text = "[mission]\nobjective = \"time\"  # Δt\n";

class PolicyFileTest : public testing::Test {
 protected:
  PolicyFileTest() {
    info_ = test::plain_info(5, 4, 9);
    info_.grid = {5, 4, 1000, -500, 250, 125};
    info_.time = {9, 3600, 600};
    info_.units = Units::metric;
    info_.time_units = "seconds since 2024-10-28 00:00:00";
    actions_ = make_actions({0.25, 0}, 8, info_.grid, info_.time);
  }

  static std::int16_t action(int k, int cell) {
    return k == 6 ? no_action : static_cast<std::int16_t>((k + cell) % 10 - 1);
  }
  static float value(int k, int cell) {
    return static_cast<float>(k) - 0.1F * static_cast<float>(cell);
  }

  void write(const std::filesystem::path& path) {
    PolicyWriter writer(path, info_, actions_, mission_text, TimeLevel(6));
    for (int k = 6; k >= 0; --k) {
      std::vector<std::int16_t> actions;
      std::vector<float> values;
      for (int cell = 0; cell < 20; ++cell) {
        actions.push_back(action(k, cell));
        values.push_back(value(k, cell));
      }
      writer.accept(0, TimeLevel(k), {actions.data(), 20}, {values.data(), 20});
    }
    writer.finish();
  }

  test::TemporaryFolder folder_;
  EnvironmentInfo info_;
  std::vector<Action> actions_;
};

TEST_F(PolicyFileTest, RoundTrips) {
  write(folder_ / "policy.h5");
  const PolicyFile policy(folder_ / "policy.h5");
  EXPECT_EQ(policy.mission_text(), mission_text);
  EXPECT_EQ(policy.last_level(), TimeLevel(6));
  EXPECT_EQ(policy.time().step, 600);
  EXPECT_EQ(policy.grid().dy, 125);
  ASSERT_EQ(policy.actions().size(), actions_.size());
  for (std::size_t a = 0; a < actions_.size(); ++a) {
    EXPECT_EQ(policy.actions()[a].heading, actions_[a].heading);
    EXPECT_EQ(policy.actions()[a].speed, actions_[a].speed);
    EXPECT_EQ(policy.actions()[a].displacement.x, actions_[a].displacement.x);
    EXPECT_EQ(policy.actions()[a].displacement.y, actions_[a].displacement.y);
  }
  std::vector<std::int16_t> actions(20);
  std::vector<float> values(20);
  for (const int k : {3, 0, 6}) {
    policy.read_action(TimeLevel(k), {actions.data(), 20});
    policy.read_value(TimeLevel(k), {values.data(), 20});
    for (int cell = 0; cell < 20; ++cell) {
      EXPECT_EQ(actions[static_cast<std::size_t>(cell)], action(k, cell));
      EXPECT_EQ(values[static_cast<std::size_t>(cell)], value(k, cell));
    }
  }
  EXPECT_THROW(policy.read_action(TimeLevel(7), {actions.data(), 20}), InputError);
}

TEST_F(PolicyFileTest, HasDocumentedDimensionsAndAttributes) {
  write(folder_ / "policy.h5");
  const Hdf5File file = Hdf5File::open(folder_ / "policy.h5");
  EXPECT_EQ(file.shape("action"), (Extents{7, 4, 5}));
  EXPECT_EQ(file.shape("value"), (Extents{7, 4, 5}));
  EXPECT_EQ(file.shape("heading"), (Extents{9}));
  EXPECT_FALSE(file.is_floating("action"));
  EXPECT_EQ(file.read_all<double>("time").back(), 3600 + 6 * 600);
  EXPECT_EQ(file.read_all<double>("y")[1], -375);
  EXPECT_EQ(file.text_attribute("time", "units"), info_.time_units);
  EXPECT_EQ(file.text_attribute("x", "units"), "m");
  EXPECT_EQ(file.text_attribute("speed", "units"), "m s-1");
  EXPECT_EQ(file.text_attribute("/", "Conventions"), "CF-1.9");
  EXPECT_EQ(file.text_attribute("/", "mission"), mission_text);
}

TEST_F(PolicyFileTest, KeepsLongitudeAndLatitude) {
  write(folder_ / "plain.h5");
  EXPECT_FALSE(Hdf5File::open(folder_ / "plain.h5").has("lon"));
  PolicyWriter writer(folder_ / "policy.h5", info_, actions_, mission_text, TimeLevel(6));
  std::vector<double> longitude(20, -125.5);
  longitude[7] = -126;
  writer.write_longitude_latitude(longitude, std::vector<double>(20, 47));
  writer.finish();
  const Hdf5File file = Hdf5File::open(folder_ / "policy.h5");
  EXPECT_EQ(file.read_all<double>("lon"), longitude);
  EXPECT_EQ(file.shape("lat"), (Extents{4, 5}));
  EXPECT_EQ(file.text_attribute("lat", "units"), "degrees_north");
  EXPECT_EQ(file.text_attribute("action", "coordinates"), "lon lat");
}

TEST_F(PolicyFileTest, RecordsNorthAndUnits) {
  info_.history = "env import";
  PolicyWriter writer(folder_ / "policy.h5", info_, actions_, mission_text, TimeLevel(6),
                      {Objective::energy, "abc-7"});
  // A plane that is turned by 30 degrees: +y points to the east of north.
  std::vector<double> longitude;
  std::vector<double> latitude;
  for (int cell = 0; cell < 20; ++cell) {
    const double x = 1e-3 * (cell % 5) * info_.grid.dx;
    const int row = cell / 5;
    const double y = 1e-3 * row * info_.grid.dy;
    longitude.push_back(1e-3 * (x * std::sqrt(0.75) + y * 0.5));
    latitude.push_back(1e-3 * (-x * 0.5 + y * std::sqrt(0.75)));
  }
  writer.write_longitude_latitude(longitude, latitude);
  writer.write_grid_mapping({{"grid_mapping_name", "stereographic"}});
  writer.finish();
  const Hdf5File file = Hdf5File::open(folder_ / "policy.h5");
  for (const double angle : file.read_all<double>("meridian_convergence")) {
    EXPECT_NEAR(angle, 30, 1e-4);
  }
  EXPECT_EQ(file.text_attribute("meridian_convergence", "units"), "degree");
  for (const char* name : {"action", "value", "meridian_convergence"}) {
    EXPECT_EQ(file.text_attribute(name, "grid_mapping"), "crs") << name;
  }
  EXPECT_EQ(file.text_attribute("crs", "grid_mapping_name"), "stereographic");
  EXPECT_EQ(file.text_attribute("value", "units"), "m2 s-1");
  PolicyWriter in_watts(folder_ / "watts.h5", info_, actions_, mission_text, TimeLevel(6),
                        {.objective = Objective::energy, .energy = {.c_t = 2}});
  in_watts.finish();
  EXPECT_EQ(Hdf5File::open(folder_ / "watts.h5").text_attribute("value", "units"), "J");
  EXPECT_EQ(PolicyFile(folder_ / "policy.h5").environment_fingerprint(), "abc-7");
  const std::string history = file.text_attribute("/", "history").value_or("");
  EXPECT_TRUE(history.starts_with("env import\ntidewise ")) << history;
}

TEST_F(PolicyFileTest, LeavesNoFileWhenAbandoned) {
  { PolicyWriter writer(folder_ / "policy.h5", info_, actions_, mission_text, TimeLevel(6)); }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(PolicyFileTest, RejectsOtherEnvironments) {
  write(folder_ / "policy.h5");
  const PolicyFile policy(folder_ / "policy.h5");
  policy.require_match(info_, "env.h5");
  const auto reject = [&](auto change, const char* message) {
    EnvironmentInfo other = info_;
    change(other);
    try {
      policy.require_match(other, "env.h5");
      ADD_FAILURE() << "not refused: " << message;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("env.h5"), std::string::npos);
    }
  };
  reject([](auto& info) { info.grid.nx = 6; },
         "5 × 4 cells in the policy, 6 × 4 in the environment");
  reject([](auto& info) { info.grid.x_first += 250; }, "cells have other positions");
  reject([](auto& info) { info.grid.dy = 126; }, "cells have other positions");
  reject([](auto& info) { info.time.level_count = 6; },
         "7 levels in the policy, only 6 in the environment");
  reject([](auto& info) { info.time.step = 601; }, "times differ");
  reject([](auto& info) { info.time.first = 0; }, "times differ");
}

TEST_F(PolicyFileTest, RejectsOtherFiles) {
  test::write_environment(folder_ / "env.h5", test::plain_info(3, 3, 2));
  EXPECT_THROW(PolicyFile(folder_ / "env.h5"), InputError);
  EXPECT_THROW(PolicyFile(folder_ / "none.h5"), InputError);
}

}  // namespace
}  // namespace tidewise
