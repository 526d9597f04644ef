// Tests of `research mdp gridworld`: its worlds, and invalid options.

#include <gmock/gmock.h>

#include "base/progress.h"
#include "mdp/file/reader.h"
#include "mdp/worlds/literature_worlds.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using testing::HasSubstr;

class MdpGridworld : public test::ProgramFixture {
 protected:
  test::ProgramResult make(std::vector<std::string> options) const {
    options.insert(options.begin(), {"research", "mdp", "gridworld", "-q"});
    return run(options);
  }
  void expect_refusal(std::vector<std::string> options, const std::string& words) const {
    options.insert(options.begin(), {"research", "mdp", "gridworld", "--out", "w.h5"});
    EXPECT_THAT(refused(options), test::has_code_of(words));
  }
  mdp::DecisionProcess<double> read(const std::string& name) const {
    SilentProgress silent;
    return mdp::read_process<double>(folder_ / name, {}, silent);
  }
};

TEST_F(MdpGridworld, WritesTheRequestedWorld) {
  const auto result =
      make({"--out", "w.h5", "--nx", "9", "--ny", "6", "--slip", "0.2", "--walls", "0.3", "--gamma",
            "0.8", "--seed", "7", "--start", "2,3", "--obstacles", "0.2"});
  mdp::GridworldOptions options = mdp::slip_world(9, 6, 0.2);
  options.wall_share = 0.3;
  options.obstacle_share = 0.2;
  options.discount = 0.8;
  options.seed = 7;
  options.start = {2, 3};
  const auto expected = make_gridworld<double>(options, 1);
  const auto world = read("w.h5");
  EXPECT_EQ(world.row_begin, expected.row_begin);
  EXPECT_EQ(world.successor, expected.successor);
  EXPECT_EQ(world.probability, expected.probability);
  EXPECT_EQ(world.reward, expected.reward);
  EXPECT_EQ(world.discount, 0.8);
  EXPECT_EQ(world.initial_state, 29);
  EXPECT_THAT(result.output, HasSubstr("w.h5: 54 states, 4 actions, "));
}

TEST_F(MdpGridworld, WritesAWetFloorWorld) {
  make({"--out", "w.json", "--nx", "20", "--successors", "4", "--rewired", "0.05"});
  mdp::GridworldOptions options = mdp::wet_floor_world(20, 4);
  options.rewired_share = 0.05;
  EXPECT_EQ(read("w.json").successor, make_gridworld<double>(options, 1).successor);
  EXPECT_THAT(make({"--out", "w2.h5", "--world", "wet-64x2"}).output,
              HasSubstr("w2.h5: 4096 states, 4 actions, 32764 entries, 0 terminal states"));
}

TEST_F(MdpGridworld, RefusesInOneLine) {
  expect_refusal({"--successors", "3"}, "[successor_count_invalid]");
  expect_refusal({"--successors", "4", "--slip", "0.1"}, "[slip_with_successors]");
  expect_refusal({"--world", "G7"}, "G7 [world_unknown]");
  expect_refusal({"--world", "G1", "--nx", "5"}, "[world_with_grid_options]");
  expect_refusal({"--goal", "64,0"}, "[grid_cell_outside]");
  expect_refusal({"--goal", "1.5,0"}, "[grid_place_invalid]");
  expect_refusal({"--precision", "half"},
                 "--precision: half not in {float,double} [command_line_invalid]");
  expect_refusal({"--threads", "0"}, "0 [count_too_small]");
}

}  // namespace
}  // namespace tidewise
