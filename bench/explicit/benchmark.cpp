#include "bench/explicit/benchmark.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/memory/device.h"
#include "base/random.h"
#include "bench/error/codes.h"
#include "bench/machine.h"
#include "bench/planner/problem.h"
#include "env/tools/double_gyre.h"
#include "model_builder/engines.h"
#include "solver/backup/expectation.h"
#include "solver/backup/level_backup.h"
#include "solver/explicit/device_backup.h"
#include "solver/policy/policy.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

constexpr const char* copy_name = "copy on the device";
// Copies of the model on the device, used in turn, so that no cache holds one.
constexpr std::int32_t copies = 8;
constexpr std::int32_t backups_per_sample = 24;  // enough to keep the device's queue full

// One level in the middle of a double gyre, its explicit model, values at the next level, and the
// results of the CPU.
struct Problem {
  explicit Problem(const ExplicitBenchmarkOptions& options) {
    const DoubleGyreOptions gyre = gyre_of(options);
    k = TimeLevel(gyre.level_count / 2);
    now = make_double_gyre_level(gyre, k);
    next = make_double_gyre_level(gyre, TimeLevel(k.value + 1));
    const Grid& grid = now.info.grid;
    rule = position_rule(options.landing, now.info);
    actions = make_actions({0.5, 1}, options.headings, grid, now.info.time);
    mission.last = TimeLevel(gyre.level_count - 1);
    mission.target = target_cells(grid, grid.x(grid.nx / 2), grid.y(4 * grid.ny / 5), 0);
    value_next = Array<float>(static_cast<std::size_t>(grid.cell_count()));
    const Philox random(1);
    for (std::size_t cell = 0; cell < value_next.size(); ++cell) {
      value_next[cell] = static_cast<float>(
          100 - 200 * to_unit(random(static_cast<std::uint32_t>(cell), 0).word[0]));
    }
    count(options.threads);
    solve(options.threads);
  }

  std::int32_t action_count() const { return static_cast<std::int32_t>(actions.size()); }
  std::uint32_t total() const { return row_total(now.info, rule); }
  double compact_bytes()
      const {  // row_start int32, offset uint16, count in as few bytes as possible
    const std::size_t count_bytes = total() <= 65535 ? 2 : 4;
    return static_cast<double>(4 * rows.row_start.size() + (2 + count_bytes) * rows.offset.size());
  }

  TimeLevel k;
  PositionRule rule;
  DoubleGyreLevel now, next;
  std::vector<Action> actions;
  Mission mission;
  Array<float> value_next;  // (y, x)
  SubGrid subgrid;
  CompactLevel rows;
  Array<float> value;          // (y, x), of the CPU
  Array<std::int16_t> action;  // (y, x), of the CPU

 private:
  void count(std::int32_t threads) {
    const EnvironmentInfo& info = now.info;
    std::vector<CellIndex> all;
    for (std::int32_t c = 0; c < info.grid.cell_count(); ++c) all.emplace_back(c);
    const View<const CellIndex> cells = all;
    const LevelView level = now.fields.view(info);
    subgrid = subgrid_of(bound_displacements(level, DisplacementScale(info.grid, info.time), rule,
                                             cells, actions, threads),
                         actions, rule);
    CompactLevelBuilder builder(info.grid, action_count(), subgrid, threads);
    make_cpu_engine(Engine::lattice, rule, info.grid, info.time, actions, threads)
        ->count_level(level, {}, cells, builder);
    rows = builder.take();
  }

  void solve(std::int32_t threads) {
    const Grid& grid = now.info.grid;
    value = Array<float>(value_next.size(), 0.0F);
    action = Array<std::int16_t>(value_next.size(), no_action);
    std::vector<CellIndex> non_terminal;
    const BoundaryValue at_boundary = boundary_value(now.info, mission);
    for (std::int32_t c = 0; c < grid.cell_count(); ++c) {
      const auto cell = static_cast<std::size_t>(c);
      const bool masked = now.fields.masked[cell] != 0;
      const bool in_target = mission.target[cell] != 0;
      if (is_non_terminal(masked, in_target)) {
        value[cell] = -std::numeric_limits<float>::infinity();
        non_terminal.emplace_back(c);
      } else {
        value[cell] = at_boundary(masked, in_target, cell);
      }
    }
    const OutcomeRule outcome = outcome_rule(
        now.info, mission, k, mission.target,
        {now.fields.masked, next.fields.masked, now.fields.scalar, next.fields.scalar, value_next});
    const ActionRewards rewards({actions, mission, rule}, now.info.time.step);
    const ObstacleIndex obstacles(grid, now.fields.masked, next.fields.masked);
    LevelBackup backup(outcome, rewards, inverse_count(total()), threads, obstacles, value, action);
    feed_counts(rows, subgrid, action_count(), non_terminal, threads, backup);
  }
};

// Device data that all sides share.
struct Fields {
  explicit Fields(const Problem& problem)
      : value(problem.value_next.size()), action(problem.value_next.size()) {
    copy(masked_now, problem.now.fields.masked);
    copy(masked_next, problem.next.fields.masked);
    copy(scalar_now, problem.now.fields.scalar);
    copy(scalar_next, problem.next.fields.scalar);
    copy(value_next, problem.value_next);
  }
  OutcomeFields view() const {
    return {masked_now, masked_next, scalar_now, scalar_next, value_next};
  }

  DeviceArray<std::uint8_t> masked_now, masked_next;
  DeviceArray<float> scalar_now, scalar_next, value_next;
  DeviceArray<float> value;
  DeviceArray<std::int16_t> action;
};

// One side, with copies of its work, so that none finds its data in a cache.
struct Contender {
  std::string name;
  std::function<void(std::int32_t copy)> work;
  double stored_bytes = 0;
};

using Rows = std::vector<DeviceCompactLevel>;

Rows upload_copies(const Problem& problem, std::int32_t threads) {
  Rows rows;
  for (std::int32_t n = 0; n < copies; ++n) {
    rows.push_back(
        upload(problem.rows, problem.subgrid, problem.action_count(), problem.total(), threads));
  }
  return rows;
}

// Refuses results that differ from the CPU in a bit, or for cuSPARSE by more than rounding.
void check(const Problem& problem, const Fields& fields, ExplicitMethod method) {
  Array<float> value;
  Array<std::int16_t> action;
  copy(value, fields.value);
  copy(action, fields.action);
  bool is_equal = true;
  if (method == ExplicitMethod::sparse) {
    for (std::size_t cell = 0; cell < value.size(); ++cell) {
      const float expected = problem.value[cell];
      is_equal = is_equal &&
                 std::abs(value[cell] - expected) <= 1e-4F * std::max(1.0F, std::abs(expected));
    }
  } else {
    is_equal = std::memcmp(value.data(), problem.value.data(), value.size() * sizeof(float)) == 0 &&
               std::equal(action.begin(), action.end(), problem.action.begin());
  }
  if (!is_equal) {
    throw RunError(
        fmt::format("bench explicit: {} gives other values than the CPU", to_string(method)));
  }
}

// Time at which prepare() runs: before the measurement, or in each sample.
enum class Outcomes { beforehand, each_time };

Contender make_contender(const Problem& problem, Fields& fields, ExplicitMethod method,
                         Outcomes outcomes, const Rows& rows, const DeviceStream& stream) {
  using Backups = std::vector<std::unique_ptr<ExplicitDeviceBackup>>;
  const auto backups = std::make_shared<Backups>();
  for (const auto& level : rows) {
    backups->push_back(std::make_unique<ExplicitDeviceBackup>(
        problem.now.info, PlanningProblem{problem.actions, problem.mission, problem.rule}, method));
    backups->back()->prepare(problem.k, level, fields.view(), stream);
  }
  Contender contender;
  contender.name = to_string(method);
  if (outcomes == Outcomes::each_time) contender.name += ", outcomes found each time";
  contender.work = [&, backups, outcomes](std::int32_t copy) {
    const auto n = static_cast<std::size_t>(copy);
    if (outcomes == Outcomes::each_time) {
      (*backups)[n]->prepare(problem.k, rows[n], fields.view(), stream);
    }
    (*backups)[n]->back_up(problem.k, rows[n], fields.view(), fields.value.view(),
                           fields.action.view(), stream);
  };
  contender.stored_bytes = static_cast<double>(backups->front()->model_bytes(rows.front()));
  contender.work(0);
  stream.synchronize();
  check(problem, fields, method);
  return contender;
}

Contender make_copy(std::size_t bytes, const DeviceStream& stream) {
  const auto arrays = std::make_shared<std::vector<DeviceArray<std::uint8_t>>>();
  for (std::int32_t n = 0; n < 2 * copies; ++n) arrays->emplace_back(bytes);
  return {copy_name,
          [&stream, arrays](std::int32_t copy) {
            const auto n = 2 * static_cast<std::size_t>(copy);
            tidewise::copy((*arrays)[n], (*arrays)[n + 1], stream);
          },
          static_cast<double>(bytes)};
}

double microseconds_per_backup(const Contender& contender, const DeviceStream& stream) {
  DeviceEvent begin;
  DeviceEvent end;
  begin.record(stream);
  for (std::int32_t n = 0; n < backups_per_sample; ++n) contender.work(n % copies);
  end.record(stream);
  end.synchronize();
  return end.milliseconds_since(begin) * 1000 / backups_per_sample;
}

}  // namespace

ExplicitBenchmarkReport benchmark_explicit(const ExplicitBenchmarkOptions& options,
                                           Progress& progress) {
  if (device_count() == 0) {
    throw input_error(errors::bench_needs_gpu, "explicit");
  }
  const Problem problem(options);
  const DeviceStream stream;
  Fields fields(problem);
  const Rows rows = upload_copies(problem, options.threads);
  std::vector<Contender> contenders;
  contenders.push_back(make_copy(static_cast<std::size_t>(problem.compact_bytes()), stream));
  const auto add = [&](ExplicitMethod method, Outcomes outcomes) {
    contenders.push_back(make_contender(problem, fields, method, outcomes, rows, stream));
  };
  add(ExplicitMethod::padded, Outcomes::beforehand);
  add(ExplicitMethod::padded, Outcomes::each_time);
  add(ExplicitMethod::look_up, Outcomes::beforehand);
  if (has_sparse_product()) add(ExplicitMethod::sparse, Outcomes::beforehand);

  ExplicitBenchmarkReport report;
  report.times.title = fmt::format(
      "explicit: one level from the model on the device, {} × {} cells, {} actions, {} "
      "realizations, {} entries ({:.1f} a row), windows of {} cells at most",
      options.cells, options.cells, problem.actions.size(), options.realizations,
      problem.rows.offset.size(),
      static_cast<double>(problem.rows.offset.size()) /
          static_cast<double>(problem.rows.row_start.size() - 1),
      rows.front().max_window_places);
  report.times.machine = fmt::format("{}; {}", device_name(current_device()), describe_machine());
  report.times.unit = "µs a level";
  std::vector<BenchmarkContender> timed;
  for (const Contender& contender : contenders) {
    timed.push_back(
        {contender.name, [&](std::int32_t) { return microseconds_per_backup(contender, stream); }});
  }
  measure_in_turn(timed, options.repeats, WarmUp::one_round, report.times, progress);
  const double copy_seconds = median(report.times.sides.front().samples) * 1e-6;
  for (std::size_t n = 1; n < contenders.size(); ++n) {
    report.bandwidths.push_back(
        {contenders[n].name, contenders[n].stored_bytes, problem.compact_bytes(),
         median(report.times.sides[n].samples) * 1e-6, 2 * problem.compact_bytes() / copy_seconds});
    if (n > 1) report.times.ratios.push_back({contenders[n].name, contenders[1].name, 0});
  }
  return report;
}

std::string ExplicitBenchmarkReport::to_text() const {
  std::string text = times.to_text();
  if (bandwidths.empty()) return text;
  text += fmt::format(
      "\nThe copy moves {:.0f} GB/s, read and written. Reading the model, each of its bytes once:\n"
      "{:<34} {:>10} {:>10} {:>10}   {:>10} {:>10} {:>10}\n",
      bandwidths.front().copy_bandwidth * 1e-9, "", "stored MB", "GB/s", "% of copy", "compact MB",
      "GB/s", "% of copy");
  for (const auto& side : bandwidths) {
    const double stored = side.stored_bytes / side.seconds;
    const double compact = side.compact_bytes / side.seconds;
    text += fmt::format("{:<34} {:>10.1f} {:>10.0f} {:>10.1f}   {:>10.1f} {:>10.0f} {:>10.1f}\n",
                        side.name, side.stored_bytes * 1e-6, stored * 1e-9,
                        100 * stored / side.copy_bandwidth, side.compact_bytes * 1e-6,
                        compact * 1e-9, 100 * compact / side.copy_bandwidth);
  }
  return text + "(aim: our best at 80 % of the copy or more, counting the compact form's bytes)\n";
}

nlohmann::ordered_json ExplicitBenchmarkReport::to_json() const {
  nlohmann::ordered_json json = times.to_json();
  for (const auto& side : bandwidths) {
    json["bandwidths"].push_back(
        {{"name", side.name},
         {"stored_bytes", side.stored_bytes},
         {"compact_bytes", side.compact_bytes},
         {"seconds", side.seconds},
         {"copy_bytes_a_second", side.copy_bandwidth},
         {"stored_share_of_copy", side.stored_bytes / side.seconds / side.copy_bandwidth},
         {"compact_share_of_copy", side.compact_bytes / side.seconds / side.copy_bandwidth}});
  }
  return json;
}

}  // namespace tidewise
