// The published method in single precision, compared with plain loops and with LevelBackup, and on
// the device with the host.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/memory/device.h"
#include "base/memory/device_transfer.h"
#include "explicit_level_fixture.h"
#include "solver/explicit/sparse_product.h"
#include "solver/published/device_model.h"
#include "solver/published/model.h"
#include "support/device.h"
#include "support/error_code.h"
#include "support/ocean/reference_step.h"

namespace tidewise {
namespace {

// Landing of one step in one realization, computed independently, and in double precision where
// single precision cannot matter.
Offset plain_landing(const test::ExplicitLevel& level, std::int32_t column, std::int32_t row,
                     const Action& action, std::size_t realization) {
  const auto cells = static_cast<std::size_t>(level.info.grid.cell_count());
  const auto cell = static_cast<std::size_t>(level.info.grid.cell(column, row).value);
  const auto realizations = static_cast<std::size_t>(level.info.realization_count);
  const auto flow = [&](const Array<float>& mean, const Array<float>& mode) {
    float v = mean[cell];
    for (std::size_t m = 0; m < static_cast<std::size_t>(level.info.mode_count); ++m) {
      v = std::fma(level.fields.coefficient[m * realizations + realization], mode[m * cells + cell],
                   v);
    }
    return v;
  };
  const auto cells_moved = [&](float v, double through_water, double spacing, std::int32_t from) {
    const auto step = static_cast<float>(level.info.time.step);
    const auto width = static_cast<float>(spacing);
    const float end = std::fma(v + static_cast<float>(through_water), step,
                               (static_cast<float>(from) + 0.5F) * width);
    return static_cast<std::int32_t>(std::floor(end / width)) - from;
  };
  return {cells_moved(flow(level.fields.u_mean, level.fields.u_mode),
                      action.speed * std::cos(action.heading), level.info.grid.dx, column),
          cells_moved(flow(level.fields.v_mean, level.fields.v_mode),
                      action.speed * std::sin(action.heading), level.info.grid.dy, row)};
}

struct Case {
  Objective objective;
  bool weighted;
  bool last_step;
};

std::string case_name(const testing::TestParamInfo<Case>& info) {
  return std::string(to_string(info.param.objective)) + (info.param.weighted ? "_weighted" : "") +
         (info.param.last_step ? "_last" : "");
}

class PublishedMethod : public testing::TestWithParam<Case> {
 protected:
  PublishedMethod()
      : level_({.objective = GetParam().objective,
                .weighted = GetParam().weighted,
                .last_step = GetParam().last_step}),
        problem_(level_.info, {level_.actions, level_.mission, test::by_cell}, 2),
        value_(problem_.cells()),
        action_(problem_.cells()) {
    LevelView now = level_.fields.view(level_.info);
    now.masked = level_.masked_now;
    now.scalar = level_.scalar_now;
    published_ = problem_.level(TimeLevel(0), now, level_.masked_next, level_.scalar_next, 1);
  }

  void back_up(const PublishedMatrices& matrices) {
    std::vector<float> expected(problem_.rows());
    problem_.back_up(matrices, published_.outcome, level_.value_next, expected, value_, action_);
  }

  test::ExplicitLevel level_;
  PublishedProblem problem_;
  PublishedLevel published_;
  std::vector<float> value_;          // (y, x)
  std::vector<std::int16_t> action_;  // (y, x)
};

TEST_P(PublishedMethod, MatchesPlainLoops) {
  const PublishedMatrices found = problem_.build(published_, 3);
  const Grid& grid = level_.info.grid;
  const auto total = static_cast<double>(level_.total());
  const OutcomeRule outcome = level_.outcome();
  std::size_t entry = 0;
  for (std::int32_t a = 0; a < problem_.action_count(); ++a) {
    const Action& action = level_.actions[static_cast<std::size_t>(a)];
    const ActionRewards kinds = level_.rewards();
    const float action_reward =
        kinds.kind[static_cast<std::size_t>(kinds.kind_of[static_cast<std::size_t>(a)])];
    for (std::int32_t c = 0; c < grid.cell_count(); ++c) {
      const CellIndex cell(c);
      test::RowCounts under_way;
      double reward = 0;
      for (std::int32_t r = 0; r < level_.info.realization_count; ++r) {
        if (!outcome.landing.is_non_terminal(static_cast<std::size_t>(c))) break;
        const Offset to = plain_landing(level_, grid.column(cell), grid.row(cell), action,
                                        static_cast<std::size_t>(r));
        const std::uint32_t weight =
            level_.info.realization_weight.empty()
                ? 1
                : level_.info.realization_weight[static_cast<std::size_t>(r)];
        const StepEnd end = outcome.landing(grid.column(cell), grid.row(cell), to);
        OutcomeRule immediate = outcome;  // with v(k+1, ·) = 0 unless time is up
        const std::vector<float> zero(problem_.cells(), 0.0F);
        if (end.outcome != StepOutcome::out_of_time) immediate.value_next = zero;
        reward += weight * double{immediate.step_return(end, grid.column(cell), grid.row(cell), to,
                                                        action_reward)};
        if (end.outcome == StepOutcome::under_way && weight > 0) {
          under_way[{to.dy, to.dx}] += weight;
        }
      }
      const std::size_t row =
          static_cast<std::size_t>(a) * problem_.cells() + static_cast<std::size_t>(c);
      ASSERT_NEAR(found.reward[row], reward / total, 1e-5 * (1 + std::abs(reward / total)));
      for (const auto& [offset, count] : under_way) {
        ASSERT_LT(entry, found.row.size());
        EXPECT_EQ(found.row[entry], static_cast<std::int32_t>(row));
        EXPECT_EQ(found.column[entry], c + offset.first * grid.nx + offset.second);
        EXPECT_EQ(std::lround(found.probability[entry] * total), static_cast<long>(count));
        ++entry;
      }
    }
  }
  EXPECT_EQ(entry, found.row.size());
  if (GetParam().last_step) {
    EXPECT_EQ(entry, 0u);  // every landing ends the mission
  } else {
    EXPECT_GT(entry, problem_.rows() / 2);
  }
}

// LevelBackup receives the counts of single-precision landings.
TEST_P(PublishedMethod, MatchesTheValuesOfLevelBackup) {
  back_up(problem_.build(published_, 1));
  const Grid& grid = level_.info.grid;
  std::vector<float> value(problem_.cells());
  std::vector<std::int16_t> action(problem_.cells(), no_action);
  const ActionRewards kinds = level_.rewards();
  const ObstacleIndex obstacles(grid, level_.masked_now, level_.masked_next);
  for (std::size_t cell = 0; cell < value.size(); ++cell) {
    const bool is_open =
        is_non_terminal(level_.masked_now[cell] != 0, level_.mission.target[cell] != 0);
    value[cell] = is_open
                      ? -INFINITY
                      : boundary_value(level_.info, level_.mission)(
                            level_.masked_now[cell] != 0, level_.mission.target[cell] != 0, cell);
  }
  LevelBackup backup(level_.outcome(), kinds, inverse_count(level_.total()), 1, obstacles, value,
                     action);
  const SubGrid& window = published_.subgrid;
  const Offset origin{window.dx_min, window.dy_min};
  std::vector<std::uint32_t> counts;
  for (std::int32_t a = 0; a < problem_.action_count(); ++a) {
    for (std::int32_t c = 0; c < grid.cell_count(); ++c) {
      if (value[static_cast<std::size_t>(c)] > -INFINITY && action[static_cast<std::size_t>(c)] < 0)
        continue;
      counts.assign(static_cast<std::size_t>(window.size()), 0);
      for (std::int32_t r = 0; r < level_.info.realization_count; ++r) {
        const CellIndex cell(c);
        const Offset to =
            plain_landing(level_, grid.column(cell), grid.row(cell),
                          level_.actions[static_cast<std::size_t>(a)], static_cast<std::size_t>(r));
        counts[static_cast<std::size_t>(window.index(to))] +=
            level_.info.realization_weight.empty()
                ? 1
                : level_.info.realization_weight[static_cast<std::size_t>(r)];
      }
      backup.accept(0, CellIndex(c),
                    {a, 1, window.width(), window.height(), &origin, counts.data()});
    }
  }
  for (std::size_t cell = 0; cell < value.size(); ++cell) {
    EXPECT_NEAR(value_[cell], value[cell], 1e-5 * (1 + std::abs(value[cell]))) << cell;
  }
  EXPECT_GT(std::count_if(action_.begin(), action_.end(), [](auto a) { return a >= 0; }), 100);
}

TEST_P(PublishedMethod, MatchesTheHostOnTheDevice) {
  TIDEWISE_REQUIRE_DEVICE();
  const PublishedMatrices expected = problem_.build(published_, 1);
  back_up(expected);
  const auto u_mean = upload(View<const float>(level_.fields.u_mean));
  const auto v_mean = upload(View<const float>(level_.fields.v_mean));
  const auto u_mode = upload(View<const float>(level_.fields.u_mode));
  const auto v_mode = upload(View<const float>(level_.fields.v_mode));
  const auto coefficient = upload(View<const float>(level_.fields.coefficient));
  const auto weights = upload(level_.info.realization_weight);
  const auto masked_now = upload(level_.masked_now);
  const auto masked_next = upload(level_.masked_next);
  const auto scalar_now = upload(level_.scalar_now);
  const auto scalar_next = upload(level_.scalar_next);
  const auto target = upload(level_.mission.target);
  const auto value_next = upload(level_.value_next);
  LevelView now = published_.level;
  now.u_mean = u_mean;
  now.v_mean = v_mean;
  now.u_mode = u_mode;
  now.v_mode = v_mode;
  now.coefficient = coefficient;
  now.masked = masked_now;
  now.scalar = scalar_now;
  const PublishedLevel device_level =
      PublishedProblem::in_memory_of(published_, now, masked_next, scalar_next, target, weights);
  constexpr std::size_t memory = std::size_t{1} << 30;
  for (const std::int32_t batch : {INT32_MAX, 37}) {
    for (const PublishedMemory location : {PublishedMemory::host, PublishedMemory::device}) {
      SCOPED_TRACE(batch);
      DevicePublishedModel model(problem_, location, 2, {96, 32, 64}, memory, batch);
      model.build(device_level);
      model.build(device_level);
      model.finish();
      EXPECT_EQ(model.entries(), 2 * expected.row.size());
      for (const std::int32_t place : {0, 1}) {
        const PublishedMatrices found = model.matrices(place);
        EXPECT_EQ(found.row, expected.row);
        EXPECT_EQ(found.column, expected.column);
        EXPECT_EQ(found.probability, expected.probability);
        EXPECT_EQ(found.reward, expected.reward);
      }
      if (location == PublishedMemory::host) continue;
      DeviceArray<float> device_value(value_.size());
      DeviceArray<std::int16_t> device_action(action_.size());
      Array<float> value(value_.size());
      Array<std::int16_t> action(action_.size());
      for (const PublishedProduct product : {PublishedProduct::rows, PublishedProduct::cusparse}) {
        if (product == PublishedProduct::cusparse && !has_sparse_product()) continue;
        model.back_up(1, product, device_level.outcome, value_next, device_value.view(),
                      device_action.view());
        model.finish();
        copy(value, device_value);
        copy(action, device_action);
        for (std::size_t cell = 0; cell < value_.size(); ++cell) {
          if (product == PublishedProduct::rows) {
            EXPECT_EQ(value[cell], value_[cell]) << cell;
            EXPECT_EQ(action[cell], action_[cell]) << cell;
          } else {
            EXPECT_NEAR(value[cell], value_[cell], 1e-4 * (1 + std::abs(value_[cell]))) << cell;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PublishedMethod,
                         testing::Values(Case{Objective::time, false, false},
                                         Case{Objective::energy, false, true},
                                         Case{Objective::net_energy, true, false},
                                         Case{Objective::net_energy, false, true}),
                         case_name);

TEST(PublishedMethodLimits, RejectBilinearWeights) {
  const test::ExplicitLevel level({});
  try {
    const PublishedProblem problem(level.info, {level.actions, level.mission, test::by_area});
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code("published_landing_by_area"));
  }
}

TEST(PublishedMethodLimits, RejectAModelLargerThanTheDevice) {
  TIDEWISE_REQUIRE_DEVICE();
  const test::ExplicitLevel level({});
  const PublishedProblem problem(level.info, {level.actions, level.mission, test::by_cell});
  EXPECT_THROW(DevicePublishedModel(problem, PublishedMemory::device, 2, {}, 1 << 20), RunError);
}

}  // namespace
}  // namespace tidewise
