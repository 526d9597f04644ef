#include "solver/missions/lane_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/memory/array.h"
#include "support/simd_targets.h"

namespace tidewise {
namespace {

// Random counts and values of one cell, and plain loops over them.
struct Problem {
  std::mt19937 random{7};
  std::int32_t actions = 5, width = 0, height = 0;
  std::size_t cells = 60, lanes = 0;
  std::vector<std::uint32_t> count;  // (action, row, column)
  std::vector<std::int32_t> place;   // (row, column)
  std::int32_t place_width = 0;
  std::vector<std::int32_t> first_place;  // (action)
  std::vector<std::int32_t> kind{0, 1, 1, 0, 1};
  Array<float> next, late, action_part, obstacle, outside, harvest, scalar_next;
  Array<float> fraction, gained;  // (end, lane)
  std::vector<std::int32_t> scalar_cell{5, 0, 17};
  LaneValues values{};
  static constexpr float scalar_from = 0.7F;

  float number() { return std::uniform_real_distribution<float>(-3, 3)(random); }
  std::int32_t draw(std::int32_t n) { return static_cast<std::int32_t>(random() % n); }

  Problem(std::int32_t the_width, std::int32_t the_height, std::size_t the_lanes)
      : width(the_width), height(the_height), lanes(the_lanes) {
    place_width = width + 2;
    for (std::int32_t n = 0; n < place_width * (height + 2); ++n) {
      const std::int32_t kinds_of_failure[] = {place_of_obstacle, place_outside,
                                               first_place_of_ends, first_place_of_ends - 2};
      place.push_back(draw(4) == 0 ? kinds_of_failure[draw(4)]
                                   : draw(static_cast<std::int32_t>(cells)));
    }
    for (std::int32_t a = 0; a < actions; ++a) {
      first_place.push_back(draw(3) * place_width + draw(3));
      for (std::int32_t row = 0; row < height; ++row) {
        const bool empty = draw(4) == 0;
        for (std::int32_t column = 0; column < width; ++column) {
          count.push_back(empty || draw(3) == 0 ? 0 : static_cast<std::uint32_t>(draw(1 << 24)));
        }
      }
    }
    const auto fill = [&](Array<float>& array, std::size_t size) {
      array = Array<float>(size);
      for (float& value : array) value = number();
    };
    fill(next, cells * lanes);
    fill(action_part, 2 * lanes);
    fill(late, cells * lanes);
    fill(obstacle, lanes);
    fill(outside, lanes);
    fill(fraction, 3 * lanes);
    fill(gained, 3 * lanes);
    fill(harvest, lanes);
    fill(scalar_next, cells);
    // Every third lane is at its last step: its values are NaN outside the target.
    for (std::size_t n = 0; n < cells * lanes; ++n) {
      if (n % lanes % 3 == 1 && n / lanes % 4 != 0) next[n] = std::nanf("");
    }
    values = {lanes,           next.data(),    late.data(),    action_part.data(),
              obstacle.data(), outside.data(), harvest.data(), scalar_next.data(),
              1.0F / 5000};
  }

  float value_of(std::size_t lane, std::int32_t to, std::int32_t action, const LaneRun& run) const {
    if (to == place_of_obstacle) return obstacle[lane];
    if (to == place_outside) return outside[lane];
    const bool enters_target = to <= first_place_of_ends;
    const auto end = static_cast<std::size_t>(enters_target ? first_place_of_ends - to : 0);
    const auto cell = static_cast<std::size_t>(enters_target ? scalar_cell[end] : to);
    const auto action_kind = static_cast<std::size_t>(kind[static_cast<std::size_t>(action)]);
    float reward = action_part[action_kind * lanes + lane];
    if (run.harvests) reward = std::fma(harvest[lane], scalar_from + scalar_next[cell], reward);
    const float value = next[cell * lanes + lane];
    if (enters_target)
      return std::fma(fraction[end * lanes + lane], reward, gained[end * lanes + lane]);
    return std::isnan(value) ? late[cell * lanes + lane] : reward + value;
  }

  void expect_backed_up(const LaneRun& run, const Array<float>& value,
                        const Array<std::int16_t>& action) const {
    for (std::size_t lane = run.first; lane < run.first + run.count; ++lane) {
      float best = -std::numeric_limits<float>::infinity();
      std::int32_t best_action = -1;
      for (std::int32_t a = 0; a < actions; ++a) {
        float total = 0;
        for (std::int32_t row = 0; row < height; ++row) {
          float sum = 0;
          for (std::int32_t column = 0; column < width; ++column) {
            const auto at = static_cast<std::size_t>((a * height + row) * width + column);
            const auto to = static_cast<std::size_t>(first_place[static_cast<std::size_t>(a)] +
                                                     row * place_width + column);
            if (count[at] == 0) continue;
            sum = std::fma(static_cast<float>(count[at]), value_of(lane, place[to], a, run), sum);
          }
          total += sum;
        }
        const float expected = total * values.inverse_count;
        if (expected > best) {
          best = expected;
          best_action = a;
        }
      }
      if (!run.ends && std::isnan(next[lane + lanes]))
        continue;  // the kernels are not run for such lanes
      EXPECT_EQ(value[lane], best) << "lane " << lane;
      EXPECT_EQ(action[lane], best_action) << "lane " << lane;
    }
  }

  // Backs up in two calls: the actions before `first`, and the others.
  void back_up(const LaneRun& run, std::int32_t first, Array<float>& value,
               Array<std::int16_t>& action) const {
    for (const auto& [begin, end] : {std::pair{0, first}, std::pair{first, actions}}) {
      if (begin == end) continue;
      const std::size_t rows = static_cast<std::size_t>((end - begin) * height);
      std::vector<float> kept_count(rows * static_cast<std::size_t>(width) + landing_slack);
      std::vector<std::int32_t> kept_place(kept_count.size());
      std::vector<std::int32_t> row_end(rows + 1);
      std::vector<std::int32_t> action_end(static_cast<std::size_t>(end - begin));
      const Landings kept{kept_count.data(), kept_place.data(), row_end.data(), action_end.data()};
      keep_transitions({end - begin, width, height, count.data() + begin * height * width,
                        place.data(), place_width, first_place.data() + begin},
                       kept);
      back_up_lanes(kept, run, values,
                    {begin,
                     end - begin,
                     kind.data() + begin,
                     {fraction.data(), gained.data(), scalar_cell.data()},
                     scalar_from,
                     value.data(),
                     action.data()});
    }
  }
};

class LaneKernelsTest : public test::OnEveryTarget {};

TEST_P(LaneKernelsTest, MatchPlainSumsInEveryLane) {
  for (const std::int32_t width : {1, 3, 8, 9, 16, 21}) {
    for (const std::size_t blocks : {1, 2, 3, 4, 5, 9}) {
      Problem problem(width, 4, blocks * lane_block);
      for (const bool harvests : {false, true}) {
        for (const bool ends : {false, true}) {
          for (const std::int32_t first : {0, 2}) {
            SCOPED_TRACE(testing::Message()
                         << width << " columns, " << blocks << " blocks, harvest " << harvests
                         << ", end " << ends << ", " << first);
            Array<float> value(problem.lanes, 0.0F);
            Array<std::int16_t> action(problem.lanes, std::int16_t{0});
            const std::size_t skipped = blocks > 2 ? lane_block : 0;
            const LaneRun run{skipped, problem.lanes - skipped, harvests, ends};
            problem.back_up(run, first, value, action);
            problem.expect_backed_up(run, value, action);
            for (std::size_t lane = 0; lane < skipped; ++lane) EXPECT_EQ(value[lane], 0.0F);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, LaneKernelsTest, testing::ValuesIn(test::simd_targets()),
                         test::name_of_target);

}  // namespace
}  // namespace tidewise
