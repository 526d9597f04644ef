#include "bench/q_learning/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/machine.h"
#include "mdp/learning/policy_value.h"
#include "mdp/solve/solve_process.h"
#include "mdp/worlds/mine_field.h"

namespace tidewise {
namespace {

constexpr std::uint64_t seed_count = 10;
constexpr std::int32_t curve_points = 20;
constexpr double small_loss = 2;  // [%]

mdp::SolveOptions learning_options(const QLearningBenchmarkOptions& options, bool on_device) {
  mdp::SolveOptions learning;
  learning.method = mdp::Method::q_learning;
  learning.backend = on_device ? BackendChoice::cuda : BackendChoice::cpu;
  learning.threads = options.threads;
  learning.q_learning.agents = options.agents;
  learning.q_learning.steps = options.steps;
  return learning;
}

// Adds the time of a round on the host and, on a device, with each number of lanes per agent.
void measure_rounds(const mdp::DecisionProcess<double>& process,
                    const QLearningBenchmarkOptions& options, QLearningBenchmarkReport& report,
                    Progress& progress) {
  std::vector<double> first_value;
  std::vector<BenchmarkContender> contenders;
  const auto add = [&](const std::string& name, const mdp::SolveOptions& learning) {
    contenders.push_back({name, [&, learning](std::int32_t round) {
                            const auto solution = mdp::solve_process(process, learning, progress);
                            if (first_value.empty()) first_value = solution.value;
                            if (solution.value != first_value) report.has_equal_values = false;
                            if (round == 1 && solution.learning.launch.lanes > 0) {
                              report.launches.push_back(solution.learning.launch);
                            }
                            return 1e6 * solution.seconds_per_sweep();
                          }});
  };
  add(fmt::format("CPU, {} thread(s)", options.threads), learning_options(options, false));
  if (options.on_device) {
    mdp::SolveOptions on_device = learning_options(options, true);
    add("GPU, warp reductions", on_device);
    on_device.q_learning.lanes = 1;
    add("GPU, one thread per agent", on_device);
    report.times.ratios = {{contenders[2].name, contenders[1].name},
                           {contenders[0].name, contenders[1].name}};
  }
  measure_in_turn(contenders, options.repeats, WarmUp::one_round, report.times, progress);
}

void add_curve(const mdp::DecisionProcess<double>& process, mdp::SolveOptions learning,
               std::uint64_t seed, QLearningBenchmarkReport& report, Progress& progress) {
  learning.q_learning.seed = seed;
  learning.q_learning.curve_points = curve_points;
  const auto first = static_cast<std::size_t>(process.initial_state);
  const auto solution = mdp::solve_process(process, learning, progress);
  LearningCurve curve{seed, {}};
  report.rounds.clear();
  for (const mdp::LearnedPolicy& policy : solution.learning.curve) {
    const double value = mdp::policy_value(process, policy.action, learning.threads)[first];
    report.rounds.push_back(policy.rounds);
    curve.loss.push_back(100 * (report.optimum - value) / std::abs(report.optimum));
  }
  report.curves.push_back(std::move(curve));
}

std::vector<double> losses_at(const QLearningBenchmarkReport& report, std::size_t point) {
  std::vector<double> losses;
  for (const LearningCurve& curve : report.curves) losses.push_back(curve.loss[point]);
  return losses;
}

std::ptrdiff_t count_small(const std::vector<double>& losses) {
  return std::count_if(losses.begin(), losses.end(),
                       [](double loss) { return loss <= small_loss; });
}

}  // namespace

std::string QLearningBenchmarkReport::to_text() const {
  std::string text = times.to_text();
  for (const mdp::LearningLaunch& launch : launches) {
    text += fmt::format(
        "{} lane(s) per agent: {} blocks of {} threads; {} blocks fit on a multiprocessor, "
        "occupancy {:.0f} %\n",
        launch.lanes, launch.blocks, launch.block_threads, launch.blocks_per_processor,
        100 * launch.occupancy);
  }
  text +=
      fmt::format("All sides learned {} values.\n", has_equal_values ? "the same" : "DIFFERENT");
  text += fmt::format(
      "\nLoss of the greedy policy in the initial state, % of V* = {:.4g}, over {} seeds\n"
      "{:>10} {:>10} {:>10} {:>12}\n",
      optimum, curves.size(), "rounds", "median", "greatest", "within 2 %");
  for (std::size_t point = 0; point < rounds.size(); ++point) {
    const std::vector<double> losses = losses_at(*this, point);
    text += fmt::format("{:>10} {:>10.2f} {:>10.2f} {:>12}\n", rounds[point], median(losses),
                        *std::max_element(losses.begin(), losses.end()), count_small(losses));
  }
  return text;
}

nlohmann::ordered_json QLearningBenchmarkReport::to_json() const {
  nlohmann::ordered_json json = times.to_json();
  json["values_are_equal"] = has_equal_values;
  for (const mdp::LearningLaunch& launch : launches) {
    json["launches"].push_back({{"lanes", launch.lanes},
                                {"blocks", launch.blocks},
                                {"block_threads", launch.block_threads},
                                {"blocks_per_multiprocessor", launch.blocks_per_processor},
                                {"occupancy", launch.occupancy}});
  }
  json["optimum"] = optimum;
  json["rounds"] = rounds;
  for (const LearningCurve& curve : curves) {
    json["curves"].push_back({{"seed", curve.seed}, {"loss_percent", curve.loss}});
  }
  return json;
}

QLearningBenchmarkReport benchmark_q_learning(const QLearningBenchmarkOptions& options,
                                              Progress& progress) {
  mdp::MineFieldOptions field;
  field.moves = options.moves;
  const auto process = mdp::make_mine_field<double>(field);
  QLearningBenchmarkReport report;
  report.times.title = fmt::format(
      "Q-learning of a mine field of {} × {} cells with {} moves by {} agents, {} rounds",
      field.width, field.height, field.moves, options.agents, options.steps);
  report.times.machine = describe_machine();
  report.times.unit = "µs a round";
  mdp::SolveOptions exact;
  exact.threads = options.threads;
  exact.tolerance = 1e-9;
  const auto optimum = mdp::solve_process(process, exact, progress);
  report.optimum = optimum.value[static_cast<std::size_t>(process.initial_state)];
  measure_rounds(process, options, report, progress);
  for (std::uint64_t seed = 1; seed <= seed_count; ++seed) {
    add_curve(process, learning_options(options, options.on_device), seed, report, progress);
  }
  return report;
}

}  // namespace tidewise
