#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>

#include "base/error.h"
#include "solver/subdomains/induction.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/in_subdomains.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/random_case.h"
#include "support/ocean/subdomain_cases.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::run_ranks;
using test::StrictTable;
using test::surge;
using testing::Each;
using testing::HasSubstr;

constexpr std::int32_t level_rows = 47;

/// A mission on an environment of random numbers, and what one solver makes of it.
class Subdomains : public testing::Test {
 protected:
  void make(float speed, std::uint64_t seed, const test::FillLevel& fill = {}) {
    EnvironmentInfo info = test::plain_info(13, level_rows, 9, 3, 30);
    if (seed % 2 == 0) info.realization_weight = test::random_weights(30);
    if (fill) {
      test::write_environment(folder_ / "env.h5", info, fill);
    } else {
      test::write_random_environment(folder_ / "env.h5", info, speed, seed);
    }
    reader_.emplace(folder_ / "env.h5");
    mission_ = test::random_mission(info);
    if (seed % 3 == 0) mission_.objective = Objective::time;
    actions_ = make_actions({0, 0.7, 1.5}, 8, info.grid, info.time);
    expected_.emplace(info.grid, mission_.last);
  }
  void solve_alone() {
    SilentProgress progress;
    report_ =
        solve_mission(*reader_, {actions_, mission_, test::by_cell}, {}, *expected_, progress);
  }

  /// The policy that ranks make together by `solve`, each with the sink that it gets.
  using Solve = std::function<SolveReport(Communicator&, PolicySink*)>;
  void expect_same(int ranks, const Solve& solve) {
    StrictTable found(reader_->info().grid, mission_.last);
    const auto thrown = run_ranks(ranks, [&](Communicator& communicator) {
      const SolveReport report = solve(communicator, communicator.rank() == 0 ? &found : nullptr);
      EXPECT_EQ(report.rows, report_.rows);
      EXPECT_EQ(report.states, report_.states);
      EXPECT_EQ(report.transitions, report_.transitions);
    });
    EXPECT_THAT(thrown, Each(""));
    EXPECT_TRUE(found.complete());
    EXPECT_EQ(found.table.action, expected_->action);
    EXPECT_EQ(std::memcmp(found.table.value.data(), expected_->value.data(),
                          expected_->value.size() * sizeof(float)),
              0);
  }

  SolveReport solve_windows(const std::vector<RowWindow>& windows, Communicator& communicator,
                            PolicySink* sink, const PlannerOptions& options = {}) {
    SilentProgress progress;
    return solve_subdomain(*reader_, windows, {actions_, mission_, test::by_cell}, options,
                           communicator, sink, progress);
  }

  test::TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
  Mission mission_;
  std::optional<PolicyTable> expected_;
  SolveReport report_;
};

TEST_F(Subdomains, OfAnyNumberGiveTheSameBits) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    make(0.4F, seed);
    solve_alone();
    for (const int count : {1, 2, 3, 4, 5}) {
      SCOPED_TRACE(fmt::format("seed {}, {} bands", seed, count));
      const auto windows = divide_rows(level_rows, count, count == 1 ? 0 : level_rows / 5);
      const PlannerOptions options{.engine = seed == 2 ? Engine::direct : Engine::lattice};
      expect_same(count, [&](Communicator& communicator, PolicySink* sink) {
        return solve_windows(windows, communicator, sink, options);
      });
    }
  }
}

TEST_F(Subdomains, ChooseTheirHalosByThemselves) {
  for (const float speed : {0.2F, 3.0F}) {
    make(speed, 4);
    solve_alone();
    for (const int ranks :
         {1, 2, 4, 7}) {  // with the fast flow some ranks are left without level_rows
      SCOPED_TRACE(fmt::format("speed {}, {} ranks", speed, ranks));
      expect_same(ranks, [&](Communicator& communicator, PolicySink* sink) {
        SilentProgress progress;
        return solve_in_subdomains(*reader_, {actions_, mission_, test::by_cell}, {.threads = 2},
                                   communicator, sink, progress);
      });
    }
  }
}

TEST_F(Subdomains, WithTheTargetAcrossTheirBorderGiveTheSameBits) {
  make(0.4F, 5);
  const Grid& grid = reader_->info().grid;
  mission_.target = target_cells(grid, grid.x(6), grid.y(level_rows / 2), 3);
  mission_.disc = target_disc(grid, grid.x(6), grid.y(level_rows / 2), 3);
  solve_alone();
  expect_same(2, [&](Communicator& communicator, PolicySink* sink) {
    return solve_windows(divide_rows(level_rows, 2, 12), communicator, sink);
  });
}

TEST_F(Subdomains, AreOneForAFlowThatReachesFartherThanHalfTheGrid) {
  EXPECT_EQ(make_subdomains(level_rows, 4, 24).size(), 1U);
  EXPECT_EQ(make_subdomains(level_rows, 4, 23).size(), 2U);
  EXPECT_EQ(make_subdomains(level_rows, 4, 11).size(), 4U);
  EXPECT_EQ(make_subdomains(3, 4, 1).size(), 3U);
}

TEST_F(Subdomains, AllFindAHaloTooShort) {
  make(0, 1, surge);
  solve_alone();
  StrictTable found(reader_->info().grid, mission_.last);
  const auto thrown = run_ranks(3, [&](Communicator& communicator) {
    solve_windows(divide_rows(level_rows, 3, 3), communicator,
                  communicator.rank() == 0 ? &found : nullptr);
  });
  EXPECT_THAT(thrown, Each("halo: 7"));  // 5.2 + 0.3 · 0.6 + 1.5 level_rows
}

TEST_F(Subdomains, BeginAgainWithTheHaloThatTheyNeed) {
  make(0, 1, surge);
  solve_alone();
  for (const int ranks : {2, 3, 4}) {
    std::atomic<int> passes = 0;
    expect_same(ranks, [&](Communicator& communicator, PolicySink* sink) {
      return solve_with_halo(level_rows, ranks, 3, sink,
                             [&](const std::vector<RowWindow>& windows, PolicySink* continued) {
                               ++passes;
                               return solve_windows(windows, communicator, continued);
                             });
    });
    EXPECT_EQ(passes, 2 * ranks);
  }
}

TEST_F(Subdomains, FailTogetherWithTheOneThatReadsSomethingWrong) {
  make(0, 1, [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 4) fields.u_mode[13 * 40 + 2] = std::nanf("");
  });
  std::string alone;
  try {
    solve_alone();
  } catch (const InputError& error) {
    alone = error.what();
  }
  EXPECT_THAT(alone, HasSubstr("row 40, column 2"));
  const auto thrown = run_ranks(4, [&](Communicator& communicator) {
    SilentProgress progress;
    StrictTable found(reader_->info().grid, mission_.last);
    solve_in_subdomains(*reader_, {actions_, mission_, test::by_cell}, {}, communicator,
                        communicator.rank() == 0 ? &found : nullptr, progress);
  });
  EXPECT_THAT(thrown, Each("input: " + alone));
}

TEST_F(Subdomains, NameTheRowWhereRewardsOverflow) {
  make(0, 1, [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 4) {
      std::fill(fields.scalar.begin() + 13 * 30, fields.scalar.end(), 3e38F);
    }
  });
  mission_.energy.c_r = 100;
  std::string alone;
  try {
    solve_alone();
  } catch (const InputError& error) {
    alone = error.what();
  }
  EXPECT_THAT(alone, HasSubstr("too large for single precision"));
  const auto thrown = run_ranks(3, [&](Communicator& communicator) {
    StrictTable found(reader_->info().grid, mission_.last);
    solve_windows(divide_rows(level_rows, 3, 5), communicator,
                  communicator.rank() == 0 ? &found : nullptr);
  });
  EXPECT_THAT(thrown, Each("input: " + alone));
}

TEST_F(Subdomains, FailTogetherWithWhoWritesThePolicy) {
  class FullDisk final : public PolicySink {
   public:
    void accept(TimeLevel k, View<const std::int16_t>, View<const float>) override {
      if (k.value == 2) throw RunError("the disk is full");
    }
  };
  make(0.4F, 1);
  const auto thrown = run_ranks(3, [&](Communicator& communicator) {
    FullDisk disk;
    solve_windows(divide_rows(level_rows, 3, 9), communicator,
                  communicator.rank() == 0 ? &disk : nullptr);
  });
  EXPECT_THAT(thrown, Each("run: the disk is full"));
}

}  // namespace
}  // namespace tidewise
