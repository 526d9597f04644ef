#include "bench/subdomains/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <thread>

#include "base/error.h"
#include "base/memory/device.h"
#include "bench/error/codes.h"
#include "bench/machine.h"
#include "bench/planner/problem.h"
#include "bench/subdomains/side.h"
#include "env/row_balance.h"
#include "solver/subdomains/induction.h"

namespace tidewise {
namespace {

constexpr double milliseconds = 1e-3;  // [s]

std::vector<CellIndex> open_cells(const LevelFields<>& level) {
  std::vector<CellIndex> cells;
  for (std::size_t cell = 0; cell < level.masked.size(); ++cell) {
    if (level.masked[cell] == 0) cells.emplace_back(static_cast<std::int32_t>(cell));
  }
  return cells;
}

std::vector<LevelFields<>> fill_levels(const PlannerCase& problem, Progress& progress) {
  std::vector<LevelFields<>> levels;
  progress.begin("making levels", static_cast<std::int64_t>(problem.place_count()), "levels");
  for (std::size_t place = 0; place < problem.place_count(); ++place) {
    problem.fill_place(place, levels.emplace_back(problem.info()));
    progress.advance_to(static_cast<std::int64_t>(place) + 1);
  }
  progress.end();
  return levels;
}

// Maximum number of rows that a step crosses at any of the levels.
std::int32_t reach_of(const PlannerCase& problem, const std::vector<LevelFields<>>& levels,
                      const std::vector<Action>& actions) {
  const auto threads = static_cast<std::int32_t>(std::max(1u, std::thread::hardware_concurrency()));
  std::int32_t reach = 0;
  for (const LevelFields<>& level : levels) {
    const auto cells = open_cells(level);
    reach = std::max(reach, reach_in_rows(level.view(problem.info()), problem.info().time, cells,
                                          actions, problem.rule(), threads));
  }
  return reach;
}

std::vector<int> first_devices(std::int32_t count) {
  std::vector<int> devices(static_cast<std::size_t>(count));
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

double total(const std::vector<SubdomainTimes>& times, double SubdomainTimes::*part) {
  double sum = 0;
  for (const SubdomainTimes& level : times) sum += level.*part;
  return milliseconds * sum;
}

double seconds_of(const std::vector<SubdomainRun>& runs) {
  auto begun = runs.front().begun;
  auto ended = runs.front().ended;
  for (const SubdomainRun& run : runs) {
    begun = std::min(begun, run.begun);
    ended = std::max(ended, run.ended);
  }
  return std::chrono::duration<double>(ended - begun).count();
}

std::uint64_t checksum_of(const std::vector<SubdomainRun>& runs) {
  return std::accumulate(
      runs.begin(), runs.end(), std::uint64_t{0},
      [](std::uint64_t sum, const SubdomainRun& run) { return sum + run.checksum; });
}

// Applies find() to the bands' times of each level, and sums the results.
template <class Find>
double sum_over_levels(const std::vector<SubdomainRun>& runs, double SubdomainTimes::*part,
                       const Find& find) {
  double sum = 0;
  std::vector<double> values(runs.size());
  for (std::size_t step = 0; step < runs.front().times.size(); ++step) {
    for (std::size_t subdomain = 0; subdomain < runs.size(); ++subdomain) {
      values[subdomain] = runs[subdomain].times[step].*part;
    }
    sum += find(values);
  }
  return milliseconds * sum;
}

double min(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}
double max(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}
double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// One side with the results of its passes.
struct Measured {
  SubdomainsSide side;
  std::unique_ptr<SubdomainSide> work;
  std::vector<double> seconds = {};                  ///< (repeat)
  std::vector<std::vector<SubdomainRun>> runs = {};  ///< (repeat)

  // Median over the repeats of figure(runs of a repeat).
  template <class Figure>
  double typical(const Figure& figure) const {
    std::vector<double> values;
    for (const auto& repeat_runs : runs) values.push_back(figure(repeat_runs));
    return median(values);
  }

  double solving() const {
    return typical([](const auto& subdomains) {
      return sum_over_levels(subdomains, &SubdomainTimes::solve, mean);
    });
  }

  void compute_losses(double one_device_solves) {
    for (std::size_t subdomain = 0; subdomain < work->subdomains().size(); ++subdomain) {
      const auto part = [&](double SubdomainTimes::*time) {
        return typical(
            [&](const auto& subdomains) { return total(subdomains[subdomain].times, time); });
      };
      side.subdomains.push_back({work->subdomains()[subdomain].size(), part(&SubdomainTimes::solve),
                                 part(&SubdomainTimes::exchange), part(&SubdomainTimes::wait),
                                 part(&SubdomainTimes::prepare)});
    }
    if (side.devices == 1) return;
    SubdomainLosses& losses = side.losses;
    losses.even_share = one_device_solves / side.devices;
    losses.more_work = solving() - losses.even_share;
    losses.imbalance = typical([](const auto& subdomains) {
      return sum_over_levels(subdomains, &SubdomainTimes::solve,
                             [](const auto& v) { return max(v) - mean(v); });
    });
    losses.exchange = typical([](const auto& subdomains) {
      return sum_over_levels(subdomains, &SubdomainTimes::exchange, min);
    });
    losses.preparation = typical([](const auto& subdomains) {
      return sum_over_levels(subdomains, &SubdomainTimes::wait, mean);
    });
    losses.rest = median(seconds) - losses.even_share - losses.more_work - losses.imbalance -
                  losses.exchange - losses.preparation;
  }
};

// All sides of one problem, whose levels are computed once.
class SubdomainsBenchmark {
 public:
  SubdomainsBenchmark(const SubdomainsBenchmarkOptions& options, Progress& progress)
      : options_(options),
        progress_(progress),
        problem_(options, level_memory(options)),
        levels_(fill_levels(problem_, progress)),
        actions_(problem_.actions(options.headings)),
        mission_(problem_.mission(Objective::time, options.steps)),
        halo_(reach_of(problem_, levels_, actions_)) {}

  SubdomainsBenchmarkReport run() {
    SubdomainsBenchmarkReport report;
    report.halo = halo_;
    for (const std::int32_t count : options_.counts) {
      const bool is_available = count <= device_count();
      if (!is_available) report.left_out.push_back(count);
      if (is_available) add_sides(count);
    }
    if (sides_.empty() || sides_.front().side.devices != 1) {
      throw input_error(errors::bench_bands_without_reference);
    }
    measure();
    const double one_device_solves = sides_.front().solving();
    for (Measured& measured : sides_) measured.compute_losses(one_device_solves);
    describe(report);
    return report;
  }

 private:
  // Memory for so many levels that each device's share of them exceeds its caches.
  static std::size_t level_memory(const SubdomainsBenchmarkOptions& options) {
    const std::int32_t max = *std::max_element(options.counts.begin(), options.counts.end());
    return beyond_caches * static_cast<std::size_t>(std::max(max, 2)) / 2;
  }

  void add_sides(std::int32_t count) {
    const std::int32_t ny = problem_.info().grid.ny;
    if (count > 1 && halo_ > ny / count) {
      throw input_error(errors::bench_bands_too_low, count, ny / count, halo_);
    }
    auto& even = add_side(count, divide_rows(ny, count, halo_),
                          count == 1 ? "1 device" : fmt::format("{} devices", count));
    if (count == 1) return;
    // Balances twice, because rows of one band may differ in cost.
    auto subdomains = even.work->subdomains();
    auto costs = costs_of(*even.work);
    subdomains = balance_rows(spread_costs(subdomains, costs), count, halo_);
    {
      SubdomainSide trial(problem_, levels_, subdomains, first_devices(count));
      costs = costs_of(trial);
    }
    subdomains = balance_rows(spread_costs(subdomains, costs), count, halo_);
    add_side(count, subdomains, fmt::format("{} devices, balanced", count));
  }

  // Adds a side and compares its results with the first side's; its first pass warms up.
  Measured& add_side(std::int32_t count, const std::vector<RowWindow>& subdomains,
                     const std::string& name) {
    SubdomainsSide side;
    side.name = name;
    side.devices = count;
    sides_.push_back({std::move(side), std::make_unique<SubdomainSide>(
                                           problem_, levels_, subdomains, first_devices(count))});
    const std::uint64_t checksum =
        checksum_of(sides_.back().work->run(actions_, mission_, SumUp::yes));
    if (sides_.size() == 1) expected_ = checksum;
    if (checksum != expected_) {
      throw RunError(
          fmt::format("bench bands: {} give another policy or other values than one device", name));
    }
    return sides_.back();
  }

  // Solving time of each band [s].
  std::vector<double> costs_of(SubdomainSide& side) const {
    std::vector<double> costs;
    for (const SubdomainRun& run : side.run(actions_, mission_, SumUp::no)) {
      costs.push_back(total(run.times, &SubdomainTimes::solve));
    }
    return costs;
  }

  void measure() {
    progress_.begin("measuring", options_.repeats, "rounds");
    for (std::int32_t repeat = 0; repeat < options_.repeats; ++repeat) {
      for (Measured& measured : sides_) {
        auto runs = measured.work->run(actions_, mission_, SumUp::no);
        measured.seconds.push_back(seconds_of(runs));
        measured.runs.push_back(std::move(runs));
      }
      progress_.advance_to(repeat + 1);
    }
    progress_.end();
  }

  void describe(SubdomainsBenchmarkReport& report) {
    SubdomainsBenchmarkOptions default_size;
    default_size.landing = options_.landing;
    const BenchmarkSize& size = default_size;
    const bool has_aims = options_ == size;
    BenchmarkReport& times = report.times;
    times.title = fmt::format(
        "bands: {0} × {0} cells, {1} levels, {2} actions, {3} realizations, {4} modes; halo of {5} "
        "rows",
        options_.cells, options_.steps + 1, actions_.size(), options_.realizations, options_.modes,
        halo_);
    times.machine = fmt::format("{} × {}; {}", device_count(), device_name(current_device()),
                                describe_machine());
    times.unit = "s in all";
    for (Measured& measured : sides_) {
      times.sides.push_back({measured.side.name, measured.seconds});
      const std::int32_t count = measured.side.devices;
      if (count > 1) {
        const double aim = !has_aims ? 0 : (count == 2 ? 1.9 : (count == 4 ? 3.6 : 0));
        times.ratios.push_back({sides_.front().side.name, measured.side.name, aim, 0});
      }
      report.sides.push_back(measured.side);
    }
  }

  const SubdomainsBenchmarkOptions& options_;
  Progress& progress_;
  PlannerCase problem_;
  std::vector<LevelFields<>> levels_;  ///< (place)
  std::vector<Action> actions_;
  Mission mission_;
  std::int32_t halo_;
  std::vector<Measured> sides_;
  std::uint64_t expected_ = 0;
};

}  // namespace

SubdomainsBenchmarkReport benchmark_subdomains(const SubdomainsBenchmarkOptions& options,
                                               Progress& progress) {
  if (device_count() == 0) {
    throw input_error(errors::bench_needs_gpu, "bands");
  }
  return SubdomainsBenchmark(options, progress).run();
}

}  // namespace tidewise
