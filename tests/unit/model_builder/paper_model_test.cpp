// The kernels of the published algorithm, in loops on the host, and on the device.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "model_builder/paper/device_model.h"
#include "model_builder/paper/kernels.h"
#include "model_builder/paper/launch.h"
#include "model_builder/step/level_spread.h"
#include "support/device.h"
#include "support/error_code.h"
#include "support/ocean/counting_problem.h"

namespace tidewise {
namespace {

using test::Collector;
using test::CountingProblem;
using testing::ElementsAre;

/// One level of a problem, its sub-grid, and a reward for every landing.
struct PaperCase {
  CountingProblem problem{5, 4, 3, 70};
  std::vector<Action> actions;
  DisplacementScale scale;
  PositionRule rule;
  SubGrid subgrid;
  std::vector<std::uint32_t> weights;
  std::vector<float> reward;  // (place, sub-grid)

  PaperCase(bool weighted, LandingBy landing)
      : actions(problem.actions({0.5, 1}, 6)),
        scale(problem.info.grid, problem.info.time),
        rule{landing, 3} {
    problem.randomize(5, 0.4);
    problem.cells = {CellIndex(17), CellIndex(2), CellIndex(3), CellIndex(9), CellIndex(0)};
    const auto range =
        bound_displacements(problem.level(), scale, rule, problem.cell_view(), actions, 1);
    subgrid = subgrid_of(range, actions, rule);
    if (weighted) {
      problem.info.realization_weight.assign(70, weight_total / 70);
      problem.info.realization_weight[4] += weight_total % 70;
      weights = counting_weights(problem.info, rule);
    }
    const auto words = static_cast<std::size_t>(subgrid.size()) * problem.cells.size();
    for (std::size_t n = 0; n < words; ++n) reward.push_back(static_cast<float>(n % 13) - 4.0F);
  }

  View<const std::uint32_t> weight_view() const { return weights; }
  View<const float> reward_view() const { return reward; }
  float total() const { return static_cast<float>(row_total(problem.info, rule)); }

  /// The mean reward of a place from independent counts.
  double mean_reward(const test::Counts& counts, std::size_t place, int action) const {
    double sum = 0;
    for (const auto& [key, n] : counts) {
      const auto& [cell, a, dy, dx] = key;
      if (cell != problem.cells[place].value || a != action) continue;
      const auto s2 = static_cast<std::size_t>(subgrid.index({dx, dy}));
      sum += n * double{reward[place * static_cast<std::size_t>(subgrid.size()) + s2]};
    }
    return sum / static_cast<double>(total());
  }

  void expect_mean_rewards(const std::vector<float>& found, int action) const {
    ASSERT_EQ(found.size(), problem.cells.size());
    const auto counts = problem.reference(rule, actions, weights);
    for (std::size_t place = 0; place < found.size(); ++place) {
      EXPECT_NEAR(found[place], mean_reward(counts, place, action), 1e-4) << place;
    }
  }
};

/// Runs all kernels of one action in loops, with the launch's numbering of cells.
PaperModel build_on_host(const PaperCase& paper, std::size_t action, const LaunchLimits& limits) {
  const CountingProblem& problem = paper.problem;
  const std::size_t cells = problem.cells.size();
  const auto window = static_cast<std::size_t>(paper.subgrid.size());
  std::vector<std::uint32_t> s2_count(cells * window, 0);
  std::vector<float> sum_r(cells, 0.0F);
  const std::vector<ModeScale> modes = mode_scales(problem.level(), paper.scale, paper.rule);
  const PaperTransition transition{problem.level(),
                                   paper.weight_view(),
                                   problem.cell_view(),
                                   paper.scale,
                                   paper.rule,
                                   {modes.data(), modes.size()},
                                   paper.actions[action].displacement,
                                   paper.subgrid,
                                   paper.reward_view(),
                                   s2_count.data(),
                                   sum_r.data()};
  const CellBlocks blocks = span_cells(cells, limits);
  for (std::size_t z = 0; z < blocks.second; ++z) {
    for (std::size_t y = 0; y < blocks.first; ++y) {
      for (std::size_t r = 0; r < 70; ++r) {
        if (z * blocks.first + y < cells) transition(z * blocks.first + y, r);
      }
    }
  }
  std::vector<std::int32_t> start;
  std::int32_t entries = 0;
  for (std::size_t place = 0; place < cells; ++place) {
    PaperMean{sum_r.data(), paper.total()}(place);
    start.push_back(entries);
    const auto* counts = s2_count.data() + place * window;
    entries += static_cast<std::int32_t>(
        std::count_if(counts, counts + window, [](std::uint32_t n) { return n != 0; }));
  }
  PaperModel model;
  const auto size = static_cast<std::size_t>(entries);
  model.row.resize(size);
  model.offset.resize(size);
  model.count.resize(size);
  model.mean_reward = sum_r;
  const PaperReduceToCoo<PaperCoo> reduce{
      s2_count.data(),
      start.data(),
      paper.subgrid.size(),
      {0, model.row.data(), model.offset.data(), model.count.data()}};
  for (std::size_t place = 0; place < cells; ++place) reduce(place);
  return model;
}

class PaperModels : public testing::TestWithParam<std::tuple<bool, LandingBy>> {
 protected:
  PaperCase make() const { return PaperCase(std::get<0>(GetParam()), std::get<1>(GetParam())); }
};
INSTANTIATE_TEST_SUITE_P(Weights, PaperModels,
                         testing::Combine(testing::Bool(),
                                          testing::Values(LandingBy::area, LandingBy::cell)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param) ? "weighted" : "alike") +
                                  "_by_" + std::string(to_string(std::get<1>(test.param)));
                         });

TEST_P(PaperModels, MatchesTheReferenceOnTheHost) {
  const PaperCase paper = make();
  Collector collector(1);
  for (std::size_t a = 0; a < paper.actions.size(); ++a) {
    const PaperModel model = build_on_host(paper, a, {64, 100, 2, 3});
    feed_counts(model, paper.subgrid, ActionIndex(static_cast<std::int32_t>(a)),
                paper.problem.cell_view(), collector);
    paper.expect_mean_rewards(model.mean_reward, static_cast<int>(a));
  }
  EXPECT_TRUE(collector.take() ==
              paper.problem.reference(paper.rule, paper.actions, paper.weights));
}

TEST(PaperModel, PassesTheSmallestWindowOfEveryCell) {
  class Windows final : public CountSink {
   public:
    void accept(std::int32_t, CellIndex cell, const CellTransitions& counts) override {
      found.push_back({cell.value, counts.first_action, counts.origin->dx, counts.origin->dy,
                       counts.width, counts.height});
      words.assign(counts.count, counts.count + counts.width * counts.height);
    }
    std::vector<std::vector<int>> found;
    std::vector<std::uint32_t> words;
  };
  const SubGrid subgrid{-1, 2, -2, 1};
  const CellIndex cells[3] = {CellIndex(8), CellIndex(5), CellIndex(6)};
  // Place 1 has no entries, as if all its realizations had weight 0.
  const PaperModel model{{0, 2, 2}, {6, 5, 11}, {9, 4, 3}, {}};
  Windows windows;
  feed_counts(model, subgrid, ActionIndex(7), {cells, 3}, windows);
  EXPECT_THAT(windows.found,
              ElementsAre(ElementsAre(8, 7, 1, -1, 1, 1),  //
                          ElementsAre(5, 7, 0, 0, 1, 1), ElementsAre(6, 7, 0, -1, 3, 2)));
  EXPECT_THAT(windows.words, ElementsAre(4, 0, 0, 0, 0, 3));
}

TEST(PaperLaunch, SpansEveryCellOnceWithinTheLimits) {
  const LaunchLimits limits{64, 1000, 7, 5};
  for (std::size_t cells = 1; cells <= 35; ++cells) {
    const CellBlocks blocks = span_cells(cells, limits);
    EXPECT_LE(blocks.first, 7u);
    EXPECT_LE(blocks.second, 5u);
    EXPECT_GE(blocks.first * blocks.second, cells);
  }
  EXPECT_EQ(cells_per_batch(10, 1'000'000, limits), 35u);          // limited by y and z
  EXPECT_EQ(cells_per_batch(10, 1'000'000, {64, 20, 7, 5}), 20u);  // limited by K_COUNT's blocks
  EXPECT_EQ(cells_per_batch(10, 95, limits), 9u);                  // limited by memory
  EXPECT_EQ(cells_per_batch(1000, 95, limits), 1u);
}

TEST(LaunchLimits, RejectABlockThatTheDeviceDoesNotHave) {
  EXPECT_NO_THROW(require_block_size(1024, {}));
  for (const std::int32_t size : {0, 1025}) {
    EXPECT_THAT([&] { require_block_size(size, {}); },
                testing::ThrowsMessage<InputError>(
                    test::has_code("block_size_invalid", std::to_string(size))));
  }
}

template <class T>
DeviceArray<T> upload(View<const T> source) {
  Array<T> on_host(source.size);
  std::copy(source.begin(), source.end(), on_host.begin());
  DeviceArray<T> on_device;
  copy(on_device, on_host);
  return on_device;
}

TEST_P(PaperModels, MatchesTheHostOnADevice) {
  TIDEWISE_REQUIRE_DEVICE();
  const PaperCase paper = make();
  const LevelView host = paper.problem.level();
  const auto u_mean = upload(host.u_mean);
  const auto v_mean = upload(host.v_mean);
  const auto u_mode = upload(host.u_mode);
  const auto v_mode = upload(host.v_mode);
  const auto coefficient = upload(host.coefficient);
  const auto weights = upload(paper.weight_view());
  const auto cells = upload(paper.problem.cell_view());
  const auto reward = upload(paper.reward_view());
  DevicePaperLevel level;
  level.level = host;
  level.level.u_mean = u_mean;
  level.level.v_mean = v_mean;
  level.level.u_mode = u_mode;
  level.level.v_mode = v_mode;
  level.level.coefficient = coefficient;
  level.weights = weights;
  level.cells = cells;
  level.subgrid = paper.subgrid;
  level.landing_reward = reward;

  const DeviceStream stream;
  for (const std::int32_t batch : {1, 2, 100}) {
    DevicePaperModel device(paper.rule, paper.problem.info.grid, paper.problem.info.time,
                            paper.actions, 64, batch);
    std::vector<PaperModel> models;
    device.build_level(level, models, stream);
    ASSERT_EQ(models.size(), paper.actions.size());
    for (std::size_t a = 0; a < models.size(); ++a) {
      const PaperModel expected = build_on_host(paper, a, {});
      EXPECT_EQ(models[a].row, expected.row);
      EXPECT_EQ(models[a].offset, expected.offset);
      EXPECT_EQ(models[a].count, expected.count);
      paper.expect_mean_rewards(models[a].mean_reward, static_cast<int>(a));
    }
    device.build_level(level, models, stream);
    EXPECT_EQ(models[3].count.size(), 2 * build_on_host(paper, 3, {}).count.size());
  }
}

TEST(DevicePaperModel, RejectsABlockThatNoDeviceHas) {
  TIDEWISE_REQUIRE_DEVICE();
  const CountingProblem problem(2, 2, 1, 4);
  const auto make = [&](std::int32_t block_size) {
    DevicePaperModel({}, problem.info.grid, problem.info.time, problem.actions({1}, 4), block_size);
  };
  EXPECT_NO_THROW(make(1024));
  EXPECT_THROW(make(0), InputError);
  EXPECT_THROW(make(1 << 20), InputError);
}

TEST(DevicePaperModel, ThrowsInABuildWithoutCuda) {
  if (cuda_support() == CudaSupport::compiled) return;
  const CountingProblem problem(2, 2, 1, 4);
  EXPECT_THROW(DevicePaperModel({}, problem.info.grid, problem.info.time, problem.actions({1}, 4)),
               RunError);
}

}  // namespace
}  // namespace tidewise
