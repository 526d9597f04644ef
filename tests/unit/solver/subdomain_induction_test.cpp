// Solvers that divide a grid into bands return the same bits as one solver of the whole grid, on
// any backend. An error in one band ends all with that error.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "solver/subdomains/device_subdomains.h"
#include "solver/subdomains/induction.h"
#include "solver/subdomains/nccl_halo_group.h"
#include "support/device.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/ocean/random_case.h"
#include "support/ocean/subdomain_cases.h"
#include "support/run_ranks.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::run_ranks;
using test::StrictTable;
using test::surge;
using testing::Each;
using testing::HasSubstr;

constexpr std::int32_t columns = 13;
constexpr std::int32_t rows = 47;

std::size_t ample(const EnvironmentInfo&, std::size_t) { return std::size_t{64} << 20; }

// Solvers of the bands: ranks on the CPU or on devices, or one process that drives one device with
// all bands or several devices with one each.
enum class Solvers { cpu_ranks, cuda_ranks, cuda, cuda_devices, cuda_devices_by_nccl };

std::string name_of(const testing::TestParamInfo<Solvers>& solvers) {
  constexpr const char* names[] = {"cpu_ranks", "cuda_ranks", "cuda", "cuda_devices",
                                   "cuda_devices_by_nccl"};
  return names[static_cast<int>(solvers.param)];
}

// One participant of a solve.
struct Part {
  Communicator& communicator;
  int bands;
  PolicySink* sink;  ///< null at ranks but the first
};

class FullDisk final : public PolicySink {
 public:
  void accept(std::size_t /*leg*/, TimeLevel k, View<const std::int16_t>,
              View<const float>) override {
    if (k.value == 2) throw RunError("the disk is full");
  }
};

// A mission in a random environment, and the result of one solver of the whole grid on the CPU.
class AutomaticSubdomains : public testing::TestWithParam<Solvers> {
 protected:
  void SetUp() override {
    if (GetParam() == Solvers::cpu_ranks) return;
    TIDEWISE_REQUIRE_DEVICE();
    if (!has_device_per_band()) return;
    if (device_count() < 2) GTEST_SKIP() << "only one GPU";
    if (transport() == HaloTransport::nccl && nccl_support() == NcclSupport::absent) {
      GTEST_SKIP() << "built without NCCL";
    }
  }

  void make_problem(float speed, std::uint64_t seed, const test::FillLevel& fill = {}) {
    EnvironmentInfo info = test::plain_info(columns, rows, 12, 3, 30);
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
  PlanningProblem problem() const { return {actions_, mission_, test::by_cell}; }
  void solve_undivided() {
    SilentProgress progress;
    report_ = solve_mission(*reader_, problem(), {}, *expected_, progress);
  }
  std::string thrown_undivided() {
    return run_ranks(1, [&](Communicator&) { solve_undivided(); }).front();
  }

  // Number of bands: the requested one, but at most one per device if each has its own.
  int bands(int requested) const {
    return has_device_per_band() ? std::min(requested, device_count()) : requested;
  }

  using Solve = std::function<SolveReport(const Part&)>;
  // Messages of the errors that the participants throw; empty for a participant without error.
  std::vector<std::string> thrown_by(int bands, PolicySink& sink, const Solve& solve) const {
    const bool by_ranks = GetParam() == Solvers::cpu_ranks || GetParam() == Solvers::cuda_ranks;
    return run_ranks(by_ranks ? bands : 1, [&](Communicator& communicator) {
      (void)solve({communicator, bands, communicator.rank() == 0 ? &sink : nullptr});
    });
  }
  void expect_same(int bands, const Solve& solve) {
    StrictTable found(reader_->info().grid, mission_.last);
    const auto thrown = thrown_by(bands, found, [&](const Part& part) {
      const SolveReport report = solve(part);
      EXPECT_EQ(report.rows, report_.rows);
      EXPECT_EQ(report.states, report_.states);
      EXPECT_EQ(report.transitions, report_.transitions);
      return report;
    });
    EXPECT_THAT(thrown, Each(""));
    EXPECT_TRUE(found.complete());
    EXPECT_EQ(found.table.action, expected_->action);
    EXPECT_EQ(std::memcmp(found.table.value.data(), expected_->value.data(),
                          expected_->value.size() * sizeof(float)),
              0);
  }

  // Solves one participant's part with automatically chosen bands.
  SolveReport solve_automatically(const Part& part, const LevelBudget& budget = ample) const {
    SilentProgress progress;
    if (GetParam() == Solvers::cpu_ranks) {
      return solve_in_subdomains(*reader_, problem(), {.threads = 2}, part.communicator, part.sink,
                                 progress);
    }
    if (GetParam() == Solvers::cuda_ranks) {
      return solve_mission_on_devices_of_ranks(*reader_, problem(), {}, budget, part.communicator,
                                               part.sink, progress);
    }
    return solve_mission_on_devices(*reader_, devices(part.bands), problem(), {}, budget,
                                    transport(), *part.sink, progress);
  }
  // Solves one participant's part with given bands; not for cuda_ranks.
  SolveReport solve_windows(const Part& part, const std::vector<RowWindow>& windows,
                            PolicySink* sink) const {
    SilentProgress progress;
    const PlannerOptions options;
    if (GetParam() == Solvers::cpu_ranks) {
      return solve_subdomain(*reader_, windows, problem(), options, part.communicator, sink,
                             progress);
    }
    return solve_subdomains_on_devices(*reader_, windows, devices(part.bands), problem(), options,
                                       ample, transport(), *sink, progress);
  }
  void expect_same_in_windows(const std::vector<RowWindow>& windows) {
    expect_same(static_cast<int>(windows.size()),
                [&](const Part& part) { return solve_windows(part, windows, part.sink); });
  }
  std::vector<std::string> thrown_by_windows(int requested, std::int32_t halo, PolicySink& sink) {
    const auto windows = divide_rows(rows, bands(requested), halo);
    return thrown_by(bands(requested), sink,
                     [&](const Part& part) { return solve_windows(part, windows, part.sink); });
  }
  std::vector<std::string> thrown_by_windows(int requested, std::int32_t halo) {
    StrictTable found(reader_->info().grid, mission_.last);
    return thrown_by_windows(requested, halo, found);
  }

  test::TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
  Mission mission_;
  std::optional<PolicyTable> expected_;
  SolveReport report_;

 private:
  bool has_device_per_band() const {
    return GetParam() == Solvers::cuda_devices || GetParam() == Solvers::cuda_devices_by_nccl;
  }
  HaloTransport transport() const {
    return GetParam() == Solvers::cuda_devices_by_nccl ? HaloTransport::nccl
                                                       : HaloTransport::messages;
  }
  std::vector<int> devices(int count) const {
    std::vector<int> devices(static_cast<std::size_t>(count), 0);
    if (has_device_per_band()) std::iota(devices.begin(), devices.end(), 0);
    return devices;
  }
};

// Margins are wider than any step, so halos have their height.
TEST_P(AutomaticSubdomains, MatchOneSolveWithMarginsAndActionHolds) {
  for (const double margin : {1.5, 9.5}) {
    for (const std::int32_t every : {1, 2, 5}) {
      make_problem(0.3F, 5);
      mission_.margin = margin;
      mission_.decisions = {every, TimeLevel(1)};
      solve_undivided();
      expect_same(bands(3), [&](const Part& part) { return solve_automatically(part); });
    }
  }
}

TEST_P(AutomaticSubdomains, ChooseTheirHalos) {
  for (const float speed : {0.2F, 3.0F}) {  // the fast flow has fewer bands
    for (const std::uint64_t seed : {1, 4}) {
      make_problem(speed, seed);
      solve_undivided();
      for (const int count : {1, 2, 4, 7}) {
        SCOPED_TRACE(fmt::format("speed {}, seed {}, {} bands", speed, seed, count));
        expect_same(bands(count), [&](const Part& part) { return solve_automatically(part); });
      }
    }
  }
}

TEST_P(AutomaticSubdomains, RepeatWithTheNeededHalo) {
  make_problem(0, 1, surge);
  solve_undivided();
  for (const int count : {2, 3, 4}) {
    expect_same(bands(count), [&](const Part& part) { return solve_automatically(part); });
  }
}

void damage_level(TimeLevel k, LevelFields<>& fields) {
  if (k.value == 4) fields.u_mode[columns * 40 + 2] = std::nanf("");
}

TEST_P(AutomaticSubdomains, FailTogetherWhenOneReadsADamagedLevel) {
  make_problem(0, 1, damage_level);
  const std::string undivided_error = thrown_undivided();
  EXPECT_THAT(undivided_error, HasSubstr("row 40, column 2"));
  StrictTable found(reader_->info().grid, mission_.last);
  EXPECT_THAT(
      thrown_by(bands(4), found, [&](const Part& part) { return solve_automatically(part); }),
      Each(undivided_error));
}

INSTANTIATE_TEST_SUITE_P(Backends, AutomaticSubdomains,
                         testing::Values(Solvers::cpu_ranks, Solvers::cuda_ranks, Solvers::cuda,
                                         Solvers::cuda_devices, Solvers::cuda_devices_by_nccl),
                         name_of);

// Solvers that accept given bands.
class Subdomains : public AutomaticSubdomains {};

TEST_P(Subdomains, MatchOneSolveWithUnequalHeights) {
  if (bands(3) < 3) GTEST_SKIP() << "only two GPUs";
  make_problem(0.4F, 1);
  solve_undivided();
  expect_same_in_windows({{0, 9, 0, 18}, {9, 30, 0, 39}, {30, 47, 21, 47}});
}

TEST_P(Subdomains, ReportTheNeededHalo) {
  make_problem(0, 1, surge);
  class UpperLevels final : public PolicySink {
    void accept(std::size_t /*leg*/, TimeLevel k, View<const std::int16_t>,
                View<const float>) override {
      EXPECT_GT(k.value, 3);  // results with a halo that is too short are discarded
    }
  } upper;
  EXPECT_THAT(thrown_by_windows(3, 3, upper), Each("halo: 7"));  // 5.2 + 0.3 · 0.6 + 1.5 rows
}

TEST_P(Subdomains, RepeatWithTheNeededHalo) {
  make_problem(0, 1, surge);
  solve_undivided();
  for (const int count : {2, 3, 4}) {
    std::atomic<int> parts = 0;
    std::atomic<int> passes = 0;
    expect_same(bands(count), [&](const Part& part) {
      ++parts;
      return solve_with_halo(rows, part.bands, 3, part.sink,
                             [&](const std::vector<RowWindow>& windows, PolicySink* continued) {
                               ++passes;
                               return solve_windows(part, windows, continued);
                             });
    });
    EXPECT_EQ(passes, 2 * parts);
  }
}

TEST_P(Subdomains, FailTogetherWhenOneReadsADamagedLevel) {
  make_problem(0, 1, damage_level);
  const std::string undivided_error = thrown_undivided();
  EXPECT_THAT(undivided_error, HasSubstr("row 40, column 2"));
  EXPECT_THAT(thrown_by_windows(4, 5), Each(undivided_error));
  // With this many bands some devices run ahead of others by the largest possible number of levels.
  EXPECT_THAT(thrown_by_windows(9, 4), Each(undivided_error));
}

TEST_P(Subdomains, ReportARejectedFlowLikeOneProcess) {
  make_problem(0, 1, [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 4) fields.u_mean[columns * 40 + 2] = 2000;
  });
  const std::string undivided_error = thrown_undivided();
  EXPECT_THAT(undivided_error, HasSubstr("cells in one step"));
  EXPECT_THAT(thrown_by_windows(4, 5), Each(undivided_error));
}

TEST_P(Subdomains, ReportTheRowWhereRewardsOverflow) {
  make_problem(0, 1, [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 4) {
      std::fill(fields.scalar.begin() + columns * 30, fields.scalar.end(), 3e38F);
    }
  });
  mission_.energy.c_r = 100;
  const std::string undivided_error = thrown_undivided();
  EXPECT_THAT(undivided_error, test::has_code("value_overflows"));
  EXPECT_THAT(thrown_by_windows(3, 5), Each(undivided_error));
}

TEST_P(Subdomains, FailTogetherWhenThePolicySinkFails) {
  make_problem(0.4F, 1);
  FullDisk disk;
  EXPECT_THAT(thrown_by_windows(3, 9, disk), Each("run: the disk is full"));
}

TEST_P(Subdomains, FailTogetherWhenOneHasNoMemory) {
  if (GetParam() == Solvers::cpu_ranks) GTEST_SKIP() << "only for devices' memory";
  make_problem(0.4F, 1);
  StrictTable found(reader_->info().grid, mission_.last);
  const auto little = [](const EnvironmentInfo& info, std::size_t subdomain) {
    return subdomain == 1 ? std::size_t{0} : ample(info, subdomain);
  };
  EXPECT_THAT(thrown_by(bands(3), found,
                        [&](const Part& part) { return solve_automatically(part, little); }),
              Each(HasSubstr("do not hold three of its levels")));
}

INSTANTIATE_TEST_SUITE_P(Backends, Subdomains,
                         testing::Values(Solvers::cpu_ranks, Solvers::cuda, Solvers::cuda_devices,
                                         Solvers::cuda_devices_by_nccl),
                         name_of);

TEST(MakeSubdomains, ReturnsOneForAFlowThatReachesFartherThanHalfTheGrid) {
  EXPECT_EQ(make_subdomains(rows, 4, 24).size(), 1U);
  EXPECT_EQ(make_subdomains(rows, 4, 23).size(), 2U);
  EXPECT_EQ(make_subdomains(rows, 4, 11).size(), 4U);
  EXPECT_EQ(make_subdomains(3, 4, 1).size(), 3U);
}

TEST(NcclHaloGroup, ReportsABuildWithoutNccl) {
  if (nccl_support() == NcclSupport::compiled) GTEST_SKIP() << "built with NCCL";
  EXPECT_THAT(run_ranks(1,
                        [](Communicator&) {
                          (void)make_nccl_halo_group(divide_rows(20, 2, 3), 10, {0, 1});
                        }),
              Each(HasSubstr("need NCCL to exchange values")));
}

}  // namespace
}  // namespace tidewise
