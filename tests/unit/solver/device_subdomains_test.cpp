#include "solver/subdomains/device_subdomains.h"

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
#include "solver/subdomains/nccl_halo_group.h"
#include "support/device.h"
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

constexpr std::int32_t columns = 13;
constexpr std::int32_t rows = 47;

std::size_t ample(const EnvironmentInfo&, std::size_t) { return std::size_t{64} << 20; }

class FullDisk final : public PolicySink {
 public:
  void accept(TimeLevel k, View<const std::int16_t>, View<const float>) override {
    if (k.value == 2) throw RunError("the disk is full");
  }
};

/// What `work` throws, as its kind and text.
std::string thrown_by(const std::function<void()>& work) {
  try {
    work();
  } catch (const HaloTooShort& error) {
    return fmt::format("halo: {}", error.needed());
  } catch (const InputError& error) {
    return std::string("input: ") + error.what();
  } catch (const RunError& error) {
    return std::string("run: ") + error.what();
  }
  return "";
}

/// A mission on an environment of random numbers, and what the CPU makes of it.
class DeviceSubdomains : public testing::Test {
 protected:
  void make(float speed, std::uint64_t seed, const test::FillLevel& fill = {}) {
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
  void solve_alone() {
    SilentProgress progress;
    report_ =
        solve_mission(*reader_, {actions_, mission_, test::by_cell}, {}, *expected_, progress);
  }

  using Solve = std::function<SolveReport(PolicySink&)>;
  void expect_same(const Solve& solve) {
    StrictTable found(reader_->info().grid, mission_.last);
    expect_same_report(solve(found));
    expect_same_policy(found);
  }
  void expect_same_report(const SolveReport& report) {
    EXPECT_EQ(report.rows, report_.rows);
    EXPECT_EQ(report.states, report_.states);
    EXPECT_EQ(report.transitions, report_.transitions);
  }
  void expect_same_policy(const StrictTable& found) {
    EXPECT_TRUE(found.complete());
    EXPECT_EQ(found.table.action, expected_->action);
    EXPECT_EQ(std::memcmp(found.table.value.data(), expected_->value.data(),
                          expected_->value.size() * sizeof(float)),
              0);
  }

  SolveReport solve_windows(const std::vector<RowWindow>& windows, const std::vector<int>& devices,
                            HaloTransport transport, PolicySink& sink,
                            Engine engine = Engine::lattice) {
    SilentProgress progress;
    PlannerOptions options;
    options.engine = engine;
    return solve_subdomains_on_devices(*reader_, windows, devices,
                                       {actions_, mission_, test::by_cell}, options, ample,
                                       transport, sink, progress);
  }
  /// Several bands on one device.
  SolveReport solve_on_one(const std::vector<RowWindow>& windows, PolicySink& sink,
                           Engine engine = Engine::lattice) {
    return solve_windows(windows, std::vector<int>(windows.size(), 0), HaloTransport::copies, sink,
                         engine);
  }
  SolveReport solve_by_itself(const std::vector<int>& devices, HaloTransport transport,
                              PolicySink& sink, const LevelBudget& budget = ample) {
    SilentProgress progress;
    return solve_mission_on_devices(*reader_, devices, {actions_, mission_, test::by_cell}, {},
                                    budget, transport, sink, progress);
  }
  std::string thrown_alone() {
    return thrown_by([&] { solve_alone(); });
  }
  std::string thrown_by_subdomains(std::int32_t count, std::int32_t halo) {
    return thrown_by([&] {
      StrictTable found(reader_->info().grid, mission_.last);
      solve_on_one(divide_rows(rows, count, halo), found);
    });
  }

  test::TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
  std::vector<Action> actions_;
  Mission mission_;
  std::optional<PolicyTable> expected_;
  SolveReport report_;
};

TEST_F(DeviceSubdomains, OfAnyNumberGiveTheCpusBits) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const std::uint64_t seed : {1, 2, 3}) {
    make(0.4F, seed);
    solve_alone();
    for (const int count : {1, 2, 3, 5}) {
      SCOPED_TRACE(fmt::format("seed {}, {} bands", seed, count));
      const auto windows = divide_rows(rows, count, count == 1 ? 0 : rows / 5);
      expect_same([&](PolicySink& sink) {
        return solve_on_one(windows, sink, seed == 2 ? Engine::direct : Engine::lattice);
      });
    }
  }
}

TEST_F(DeviceSubdomains, OfUnequalHeightsGiveTheCpusBits) {
  TIDEWISE_REQUIRE_DEVICE();
  make(0.4F, 1);
  solve_alone();
  expect_same([&](PolicySink& sink) {
    return solve_on_one({{0, 9, 0, 18}, {9, 30, 0, 39}, {30, 47, 21, 47}}, sink);
  });
}

TEST_F(DeviceSubdomains, ChooseTheirHalosByThemselves) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const float speed : {0.2F, 3.0F}) {  // of the fast flow there is one band alone
    make(speed, 4);
    solve_alone();
    for (const std::size_t count : {1, 2, 4}) {
      SCOPED_TRACE(fmt::format("speed {}, {} bands", speed, count));
      expect_same([&](PolicySink& sink) {
        return solve_by_itself(std::vector<int>(count, 0), HaloTransport::copies, sink);
      });
    }
  }
}

TEST_F(DeviceSubdomains, WithTheTargetAcrossTheirBorderGiveTheCpusBits) {
  TIDEWISE_REQUIRE_DEVICE();
  make(0.4F, 5);
  const Grid& grid = reader_->info().grid;
  mission_.target = target_cells(grid, grid.x(6), grid.y(rows / 2), 3);
  mission_.disc = target_disc(grid, grid.x(6), grid.y(rows / 2), 3);
  solve_alone();
  expect_same([&](PolicySink& sink) { return solve_on_one(divide_rows(rows, 2, 12), sink); });
}

TEST_F(DeviceSubdomains, OfRanksGiveTheCpusBits) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const float speed : {0.2F, 3.0F}) {  // of the fast flow there are fewer bands than ranks
    make(speed, 1);
    solve_alone();
    for (const int ranks : {1, 2, 4}) {
      SCOPED_TRACE(fmt::format("speed {}, {} ranks", speed, ranks));
      StrictTable found(reader_->info().grid, mission_.last);
      const auto thrown = run_ranks(ranks, [&](Communicator& communicator) {
        SilentProgress progress;
        expect_same_report(solve_mission_on_devices_of_ranks(
            *reader_, {actions_, mission_, test::by_cell}, {}, ample, communicator,
            communicator.rank() == 0 ? &found : nullptr, progress));
      });
      EXPECT_THAT(thrown, Each(""));
      expect_same_policy(found);
    }
  }
}

TEST_F(DeviceSubdomains, SayWhichHaloTheyNeed) {
  TIDEWISE_REQUIRE_DEVICE();
  make(0, 1, surge);
  EXPECT_EQ(thrown_by([&] {
              class Upper final : public PolicySink {
                void accept(TimeLevel k, View<const std::int16_t>, View<const float>) override {
                  EXPECT_GT(k.value, 3);  // what comes of a halo that is too short goes nowhere
                }
              } upper;
              solve_on_one(divide_rows(rows, 3, 3), upper);
            }),
            "halo: 7");  // 5.2 + 0.3 · 0.6 + 1.5 rows
}

TEST_F(DeviceSubdomains, BeginAgainWithTheHaloThatTheyNeed) {
  TIDEWISE_REQUIRE_DEVICE();
  make(0, 1, surge);
  solve_alone();
  for (const int count : {2, 3, 4}) {
    int passes = 0;
    expect_same([&](PolicySink& sink) {
      return solve_with_halo(rows, count, 3, &sink,
                             [&](const std::vector<RowWindow>& windows, PolicySink* continued) {
                               ++passes;
                               return solve_on_one(windows, *continued);
                             });
    });
    EXPECT_EQ(passes, 2);
  }
  StrictTable found(reader_->info().grid, mission_.last);
  const auto thrown = run_ranks(3, [&](Communicator& communicator) {
    SilentProgress progress;
    solve_mission_on_devices_of_ranks(*reader_, {actions_, mission_, test::by_cell}, {}, ample,
                                      communicator, communicator.rank() == 0 ? &found : nullptr,
                                      progress);
  });
  EXPECT_THAT(thrown, Each(""));
  expect_same_policy(found);
}

TEST_F(DeviceSubdomains, FailWithTheOneThatReadsSomethingWrong) {
  TIDEWISE_REQUIRE_DEVICE();
  make(0, 1, [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 4) fields.u_mode[columns * 40 + 2] = std::nanf("");
  });
  const std::string alone = thrown_alone();
  EXPECT_THAT(alone, HasSubstr("row 40, column 2"));
  EXPECT_EQ(thrown_by_subdomains(4, 5), alone);
  EXPECT_EQ(thrown_by_subdomains(9, 4), alone);  // of so many some are as far ahead as they may be
  const auto thrown = run_ranks(4, [&](Communicator& communicator) {
    SilentProgress progress;
    StrictTable found(reader_->info().grid, mission_.last);
    solve_mission_on_devices_of_ranks(*reader_, {actions_, mission_, test::by_cell}, {}, ample,
                                      communicator, communicator.rank() == 0 ? &found : nullptr,
                                      progress);
  });
  EXPECT_THAT(thrown, Each(alone));
}

TEST_F(DeviceSubdomains, RefuseAFlowInTheCpusWords) {
  TIDEWISE_REQUIRE_DEVICE();
  make(0, 1, [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 4) fields.u_mean[columns * 40 + 2] = 2000;
  });
  const std::string alone = thrown_alone();
  EXPECT_THAT(alone, HasSubstr("cells in one step"));
  EXPECT_EQ(thrown_by_subdomains(4, 5), alone);
}

TEST_F(DeviceSubdomains, NameTheRowWhereRewardsOverflow) {
  TIDEWISE_REQUIRE_DEVICE();
  make(0, 1, [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 4) {
      std::fill(fields.scalar.begin() + columns * 30, fields.scalar.end(), 3e38F);
    }
  });
  mission_.energy.c_r = 100;
  const std::string alone = thrown_alone();
  EXPECT_THAT(alone, HasSubstr("too large for single precision"));
  EXPECT_EQ(thrown_by_subdomains(3, 5), alone);
}

TEST_F(DeviceSubdomains, FailWithWhoWritesThePolicy) {
  TIDEWISE_REQUIRE_DEVICE();
  make(0.4F, 1);
  FullDisk disk;
  EXPECT_EQ(thrown_by([&] { solve_on_one(divide_rows(rows, 3, 9), disk); }),
            "run: the disk is full");
}

TEST_F(DeviceSubdomains, FailWithTheOneThatFindsNoMemory) {
  TIDEWISE_REQUIRE_DEVICE();
  make(0.4F, 1);
  StrictTable found(reader_->info().grid, mission_.last);
  const auto little = [](const EnvironmentInfo& info, std::size_t subdomain) {
    return subdomain == 1 ? std::size_t{0} : ample(info, subdomain);
  };
  EXPECT_THAT(thrown_by([&] {
                solve_by_itself({0, 0, 0}, HaloTransport::copies, found, little);
              }),
              HasSubstr("do not hold three of its levels"));
}

/// The same by NCCL, on as many devices as there are.
class NcclSubdomains : public DeviceSubdomains {
 protected:
  void SetUp() override {
    TIDEWISE_REQUIRE_DEVICE();
    if (nccl_support() == NcclSupport::absent) GTEST_SKIP() << "built without NCCL";
    if (device_count() < 2) GTEST_SKIP() << "one GPU alone";
  }
  static std::vector<int> devices(int count) {
    std::vector<int> devices;
    for (int device = 0; device < count; ++device) devices.push_back(device);
    return devices;
  }
};

TEST_F(NcclSubdomains, OfAnyNumberGiveTheCpusBits) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    make(0.4F, seed);
    solve_alone();
    for (int count = 2; count <= std::min(device_count(), 5); ++count) {
      SCOPED_TRACE(fmt::format("seed {}, {} bands", seed, count));
      for (const HaloTransport transport : {HaloTransport::nccl, HaloTransport::copies}) {
        expect_same([&](PolicySink& sink) {
          return solve_windows(divide_rows(rows, count, rows / 5), devices(count), transport, sink,
                               seed == 2 ? Engine::direct : Engine::lattice);
        });
      }
    }
  }
}

TEST_F(NcclSubdomains, BeginAgainWithTheHaloThatTheyNeed) {
  make(0, 1, surge);
  solve_alone();
  expect_same([&](PolicySink& sink) {
    return solve_by_itself(devices(std::min(device_count(), 4)), HaloTransport::nccl, sink);
  });
}

TEST_F(NcclSubdomains, FailTogether) {
  make(0.4F, 1);
  const auto windows = divide_rows(rows, 2, 9);
  FullDisk disk;
  EXPECT_EQ(thrown_by([&] { solve_windows(windows, devices(2), HaloTransport::nccl, disk); }),
            "run: the disk is full");
  const auto little = [](const EnvironmentInfo& info, std::size_t subdomain) {
    return subdomain == 1 ? std::size_t{0} : ample(info, subdomain);
  };
  EXPECT_THAT(thrown_by([&] { solve_by_itself(devices(2), HaloTransport::nccl, disk, little); }),
              HasSubstr("do not hold three of its levels"));
}

TEST_F(NcclSubdomains, FailWithTheOneThatReadsSomethingWrong) {
  make(0, 1, [](TimeLevel k, LevelFields<>& fields) {
    if (k.value == 4) fields.u_mode[columns * 40 + 2] = std::nanf("");
  });
  const std::string alone = thrown_alone();
  EXPECT_EQ(thrown_by([&] {
              StrictTable found(reader_->info().grid, mission_.last);
              solve_windows(divide_rows(rows, 2, 5), devices(2), HaloTransport::nccl, found);
            }),
            alone);
}

TEST(NcclHaloGroup, SaysThatTheBuildHoldsNoNccl) {
  if (nccl_support() == NcclSupport::compiled) GTEST_SKIP() << "built with NCCL";
  EXPECT_THAT(thrown_by([] {
                (void)make_nccl_halo_group(divide_rows(20, 2, 3), 10, {0, 1});
              }),
              HasSubstr("this build holds no NCCL"));
}

}  // namespace
}  // namespace tidewise
