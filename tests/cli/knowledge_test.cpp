// Measures the value of knowing and of learning the flow by the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/hdf5/file.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/environment_fields.h"
#include "support/ocean/environment_part.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Knowledge : public test::SmallGyreFixture {
 protected:
  json knowledge(const std::string& run) const { return summary(run)["knowledge"]; }

  std::vector<double> numbers(const std::string& run, const std::string& variable) const {
    return Hdf5File::open(folder_ / run / "trajectories.nc").read_all<double>(variable);
  }

  /// Plans on the small gyre into `flow`, with these via points.
  void plan_gyre(const std::string& via = "[]") const {
    make_once("knowledge " + via, [&] {
      make_gyre("gyre.h5");
      write_mission("gyre.h5", "flow", 2);
      run({"plan", "m.toml", "--set", "mission.via=" + via, "-q"});
    });
  }
  void expect_separate_plans(const std::string& via) const;

  /// Writes `name`.toml, a mission in `name`.h5, and plans it into the folder `name`.
  void plan(const std::string& name, const std::string& mission, double speed) const {
    std::ofstream(folder_ / (name + ".toml")) << std::setprecision(17) << "[environment]\nfile = \""
                                              << name << R"(.h5"
[vehicle]
speeds = [)" << speed << "]\nheadings = 8\n[mission]\n"
                                              << mission << R"(
[rollout]
baselines = "none"
[output]
directory = ")" << name << "\"\n";
    run({"plan", name + ".toml", "-q"});
  }

  test::ProgramResult fly_adaptive(const std::string& planned, const std::string& out,
                                   std::vector<std::string> options) const {
    std::vector<std::string> words{"rollout", planned, "--mode", "adaptive", "--out", out, "-q"};
    words.insert(words.end(), options.begin(), options.end());
    return run(words);
  }
};

/// Two realizations with a flow across the path, one to the east and one to the west.
class OppositeCurrents : public Knowledge {
 protected:
  OppositeCurrents() {
    const auto info = test::plain_info(11, 11, 9, 1, 2);
    test::write_environment(folder_ / "opposite.h5", info, [](TimeLevel, LevelFields<>& fields) {
      std::fill(fields.u_mode.begin(), fields.u_mode.end(), 1.0F);
      fields.coefficient[0] = 1;
      fields.coefficient[1] = -1;
    });
  }
};

TEST_F(OppositeCurrents, ClairvoyantPlanCompensatesTheCurrent) {
  // On a diagonal against the current, the speed √2 gives one cell per step northwards and none
  // sideways.
  plan("opposite", "start = [5.5, 2.5]\ntarget = [5.5, 6.5]\ntarget_radius = 0",
       std::numbers::sqrt2);
  run({"research", "bound", "opposite", "--out", "bound", "-q"});
  const auto heading = numbers("bound", "heading");
  const std::size_t points = heading.size() / 2;
  ASSERT_EQ(points, 5u);
  for (std::size_t n = 0; n + 1 < points; ++n) {
    EXPECT_FLOAT_EQ(static_cast<float>(heading[n]), static_cast<float>(0.75 * std::numbers::pi));
    EXPECT_FLOAT_EQ(static_cast<float>(heading[points + n]),
                    static_cast<float>(0.25 * std::numbers::pi));
  }
  const json results = knowledge("bound");
  EXPECT_EQ(results["bound"]["arrival_rate"], 1.0);
  // A flight arrives at the southern edge of the target's cell, a plan in its middle.
  EXPECT_NEAR(results["bound"]["time"]["mean"], 3.5, 1e-6);
  EXPECT_NEAR(results["bound"]["mean_total_reward"], 96.5, 1e-6);
  EXPECT_NEAR(results["bound_promise_less_flown"]["mean"], -0.5, 1e-6);
  EXPECT_GT(results["bound_gain"]["total_reward"]["mean"], 0);
  EXPECT_EQ(summary("bound")["rollout"]["mode"], "clairvoyant");
  EXPECT_EQ(Hdf5File::open(folder_ / "bound/trajectories.nc").text_attribute("/", "rollout_mode"),
            "clairvoyant");
}

TEST_F(OppositeCurrents, TwoRealizationsAreTooFewToLearnFrom) {
  plan("opposite", "start = [5.5, 2.5]\ntarget = [5.5, 6.5]", std::numbers::sqrt2);
  EXPECT_THAT(refused({"rollout", "opposite", "--mode", "adaptive", "--error", "0.1"}),
              test::has_code("knowledge_realizations_too_few"));
}

void Knowledge::expect_separate_plans(const std::string& via) const {
  plan_gyre(via);
  run({"research", "bound", "flow", "--realizations", "[7,31]", "--out", "bound", "-q"});
  const auto x = numbers("bound", "x");
  const auto y = numbers("bound", "y");
  const auto reward = numbers("bound", "total_reward");
  double predicted_less_flown = 0;
  for (std::size_t n = 0; n < 2; ++n) {
    const std::int32_t realization = n == 0 ? 7 : 31;
    const std::string number = std::to_string(realization);
    test::write_part(folder_ / "gyre.h5", folder_ / ("r" + number + ".h5"),
                     {.realizations = {realization}});
    run({"plan", "m.toml", "--set", "environment.file=r" + number + ".h5", "--set",
         "mission.via=" + via, "--out", number, "-q"});
    const auto single_x = numbers(number, "x");
    const auto single_y = numbers(number, "y");
    const std::size_t points = x.size() / 2;
    for (std::size_t p = 0; p < single_x.size(); ++p) {
      EXPECT_EQ(x[n * points + p], single_x[p]);
      EXPECT_EQ(y[n * points + p], single_y[p]);
    }
    EXPECT_EQ(reward[n], numbers(number, "total_reward")[0]);
    predicted_less_flown += summary(number)["value_at_start"].get<double>() - reward[n];
  }
  EXPECT_DOUBLE_EQ(knowledge("bound")["bound_promise_less_flown"]["mean"],
                   predicted_less_flown / 2);
}

constexpr const char* two_via_points =
    "[{point=[8.5, 14.5], radius=2}, {point=[20.5, 18.5], radius=2}]";

TEST_F(Knowledge, BoundPlansEachRealizationSeparately) { expect_separate_plans("[]"); }

TEST_F(Knowledge, BoundHoldsForViaPoints) {
  expect_separate_plans(two_via_points);
  const auto passed = numbers("bound", "passed_time");
  ASSERT_EQ(passed.size(), 4u);
  EXPECT_LT(passed[0], passed[1]);
}

TEST_F(Knowledge, WithoutReplanningEqualsOpenPolicy) {
  plan_gyre();
  run({"rollout", "flow", "--realizations", "5", "--out", "open", "-q"});
  fly_adaptive("flow", "adaptive", {"--every", "1000", "--error", "0.1", "--realizations", "5"});
  EXPECT_THAT(test::differing_variables(folder_ / "open/trajectories.nc",
                                        folder_ / "adaptive/trajectories.nc"),
              IsEmpty());
  const json results = knowledge("adaptive");
  EXPECT_EQ(results["learning"]["replans"], 0);
  EXPECT_DOUBLE_EQ(results["regret_closed"]["mean"], 0);
  EXPECT_EQ(results["open"]["mean_total_reward"], results["adaptive"]["mean_total_reward"]);
  EXPECT_EQ(summary("adaptive")["rollout"]["mode"], "adaptive");
}

TEST_F(Knowledge, CertainFlowHasNoGain) {
  const auto info = test::plain_info(15, 15, 25, 2, 4);
  test::write_environment(folder_ / "certain.h5", info, [](TimeLevel k, LevelFields<>& fields) {
    for (std::size_t cell = 0; cell < fields.u_mean.size(); ++cell) {
      fields.u_mean[cell] = 0.3F * std::sin(0.7F * static_cast<float>(cell % 15 + k.value));
      fields.v_mean[cell] = 0.2F;
      fields.u_mode[cell] = 1;
    }
  });
  std::filesystem::copy_file(folder_ / "certain.h5", folder_ / "truth.h5");
  for (const std::string via : {"[]", "[{point=[5.5, 5.5], radius=1}, {point=[8.5, 8.5]}]"}) {
    plan("certain", "start = [7.5, 2.5]\ntarget = [7.5, 12.5]\nvia = " + via, 0.7);
    run({"rollout", "certain", "--environment", "truth.h5", "--out", "open", "-q"});
    fly_adaptive("certain", "adaptive", {"--every", "2", "--error", "0.3", "--truth", "truth.h5"});
    EXPECT_THAT(test::differing_variables(folder_ / "open/trajectories.nc",
                                          folder_ / "adaptive/trajectories.nc"),
                IsEmpty());
    EXPECT_GT(knowledge("adaptive")["learning"]["replans"], 4);
    for (const char* run_name : {"certain", "open", "adaptive"}) {
      std::filesystem::remove_all(folder_ / run_name);
    }
  }
}

/// One mode with a constant coefficient for each realization. Its flow across the path is weak in
/// the south, where flights start, and strong in the north.
class OneMode : public Knowledge {
 protected:
  OneMode() {
    const auto info = test::plain_info(19, 27, 36, 1, 21);
    test::write_environment(folder_ / "one.h5", info, [](TimeLevel, LevelFields<>& fields) {
      for (std::size_t cell = 0; cell < fields.u_mode.size(); ++cell) {
        fields.u_mode[cell] = cell / 19 < 7 ? 0.05F : 1.0F;
      }
      for (std::size_t r = 0; r < 21; ++r) {
        fields.coefficient[r] = 0.08F * (static_cast<float>(r) - 10);
      }
    });
    plan("one", "start = [9.5, 2.5]\ntarget = [9.5, 23.5]\ntarget_radius = 1", 1);
  }
};

TEST_F(OneMode, PerfectObservationsReachTheBound) {
  fly_adaptive("one", "adaptive", {"--every", "2", "--error", "1e-6"});
  const json results = knowledge("adaptive");
  EXPECT_GT(results["bound_gain"]["time"]["mean"].get<double>(), 1);  // knowledge has a value
  EXPECT_EQ(results["adaptive"]["arrival_rate"], 1.0);
  EXPECT_GT(results["regret_closed"]["mean"].get<double>(), 0.95);
}

TEST_F(OneMode, NoisyObservationsGainNothing) {
  fly_adaptive("one", "adaptive", {"--every", "2", "--error", "1e4"});
  const json results = knowledge("adaptive");
  EXPECT_LT(std::abs(results["regret_closed"]["mean"].get<double>()), 0.1);
}

TEST_F(OneMode, WarnsOfOverconfidentObservations) {
  fly_adaptive("one", "modest", {"--every", "8", "--error", "0.3", "--no-bound"});
  EXPECT_EQ(summary("modest")["warnings"].dump().find("chi-square"), std::string::npos);
  EXPECT_FALSE(knowledge("modest").contains("bound"));
  fly_adaptive("one", "sure",
               {"--every", "8", "--error", "0.3", "--assumed-error", "0.03", "--no-bound"});
  EXPECT_THAT(summary("sure")["warnings"].dump(), HasSubstr("chi-square"));
  EXPECT_GT(knowledge("sure")["learning"]["consistency"].get<double>(), 20);
}

/// Departures half a step after level 2; at level 3 a helpful current begins. Realizations differ
/// across the path.
class BetweenLevels : public Knowledge {
 protected:
  BetweenLevels() {
    auto info = test::plain_info(11, 17, 25, 1, 5);
    info.units = Units::metric;
    info.time.step = 10;
    info.time_units = "seconds since 2024-10-28 00:00:00";
    test::write_environment(folder_ / "dated.h5", info, [](TimeLevel k, LevelFields<>& fields) {
      std::fill(fields.v_mean.begin(), fields.v_mean.end(), k.value < 3 ? 0.0F : 0.05F);
      std::fill(fields.u_mode.begin(), fields.u_mode.end(), 0.02F);
      for (std::size_t r = 0; r < 5; ++r) fields.coefficient[r] = static_cast<float>(r) - 2;
    });
    plan("dated",
         "departure = \"2024-10-28T00:00:25Z\"\nstart = [5.5, 2.5]\ntarget = [5.5, 12.5]\n"
         "target_radius = 1",
         0.1);
  }
};

// The half step is observed with its own length: otherwise chi-square per degree of freedom would
// be hundreds.
TEST_F(BetweenLevels, FirstLegUsesTheRestOfItsStep) {
  fly_adaptive("dated", "adaptive", {"--every", "1", "--error", "0.002", "--no-bound"});
  EXPECT_EQ(knowledge("adaptive")["adaptive"]["arrival_rate"], 1.0);
  EXPECT_LT(knowledge("adaptive")["learning"]["consistency"].get<double>(), 3);
}

TEST_F(BetweenLevels, ClairvoyantPredictionsMatchTheModel) {
  run({"research", "bound", "dated", "--out", "bound", "-q"});
  const auto reward = numbers("bound", "total_reward");
  ASSERT_EQ(reward.size(), 5u);
  double gap = 0;
  for (std::size_t r = 0; r < 5; ++r) {
    test::write_part(folder_ / "dated.h5", folder_ / "one.h5",
                     {.realizations = {static_cast<std::int32_t>(r)}});
    run({"plan", "dated.toml", "--set", "environment.file=one.h5", "--out", "one", "-q"});
    EXPECT_EQ(numbers("one", "total_reward")[0], reward[r]);
    gap += summary("one")["value_at_start"].get<double>() - reward[r];
    std::filesystem::remove_all(folder_ / "one");
  }
  EXPECT_DOUBLE_EQ(knowledge("bound")["bound_promise_less_flown"]["mean"], gap / 5);
}

TEST_F(Knowledge, DoesNotDependOnTheNumberOfThreads) {
  plan_gyre();
  const std::vector<std::string> words{"--every",        "8", "--error",  "0.2",
                                       "--realizations", "4", "--threads"};
  for (const std::string threads : {"1", "3"}) {
    auto options = words;
    options.push_back(threads);
    fly_adaptive("flow", "adaptive_" + threads, options);
    run({"research", "bound", "flow", "--realizations", "4", "--threads", threads, "--out",
         "bound_" + threads, "-q"});
  }
  for (const std::string kind : {"adaptive", "bound"}) {
    EXPECT_THAT(test::differing_variables(folder_ / (kind + "_1/trajectories.nc"),
                                          folder_ / (kind + "_3/trajectories.nc")),
                IsEmpty());
    EXPECT_EQ(knowledge(kind + "_1"), knowledge(kind + "_3"));
  }
  EXPECT_EQ(knowledge("adaptive_1")["bound"], knowledge("bound_1")["bound"]);
  EXPECT_NE(numbers("adaptive_1", "total_reward"), numbers("bound_1", "total_reward"));
}

TEST_F(Knowledge, RejectsImpossibleRequests) {
  plan_gyre();
  const auto adaptive_refusal = [&](std::vector<std::string> options) {
    std::vector<std::string> words{"rollout", "flow", "--mode", "adaptive"};
    words.insert(words.end(), options.begin(), options.end());
    return refused(words);
  };
  EXPECT_THAT(adaptive_refusal({}), test::has_code("adaptive_error_missing", "--error"));
  EXPECT_THAT(adaptive_refusal({"--error", "-1"}), test::has_code("adaptive_error_not_positive"));
  EXPECT_THAT(adaptive_refusal({"--error", "0.1", "--every", "0"}),
              test::has_code("count_too_small", "--every"));
  EXPECT_THAT(adaptive_refusal({"--error", "0.1", "--inflation", "0.5"}),
              testing::AllOf(test::has_code("adaptive_option_outside_range", "--inflation"),
                             testing::HasSubstr("0.5")));
  EXPECT_THAT(adaptive_refusal({"--error", "0.1", "--flights", "9"}),
              test::has_code("adaptive_flights_per_realization", "--flights 9"));
  EXPECT_THAT(adaptive_refusal({"--error", "0.1", "--relaxation", "2"}),
              test::has_code("adaptive_option_outside_range", "0"));
  EXPECT_THAT(adaptive_refusal({"--error", "0.1", "--truth", "nowhere.h5"}),
              test::has_code("file_missing", "nowhere.h5"));
  EXPECT_THAT(refused({"rollout", "flow", "--every", "3"}),
              test::has_code("adaptive_option_without_mode", "--every"));
  EXPECT_THAT(refused({"research", "bound", "nowhere"}), test::has_code("run_missing", "nowhere"));
  EXPECT_THAT(refused({"research", "bound", "flow", "--realizations", "[60]"}),
              test::has_code("realizations_outside", "59"));
  run({"env", "double-gyre", "--out", "small.h5", "--nx", "20", "--ny", "20", "--nt", "45",
       "--modes", "3", "--realizations", "9", "-q"});
  EXPECT_THAT(adaptive_refusal({"--error", "0.1", "--truth", "small.h5"}),
              test::has_code("other_environment_differs", "small.h5"));
}

TEST_F(Knowledge, InterruptionLeavesNoFiles) {
  plan_gyre();
  const auto file_names = [this] {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path())) {
      names.push_back(entry.path().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  const auto before = file_names();
  const auto result = test::interrupt_tidewise(
      {"rollout", "flow", "--mode", "adaptive", "--error", "0.1", "-q"}, folder_.path(),
      [this] { return std::filesystem::exists(folder_ / "flow/adaptive_1"); });
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.errors, "tidewise: error: interrupted; nothing was written\n");
  EXPECT_EQ(file_names(), before);
}

}  // namespace
}  // namespace tidewise
