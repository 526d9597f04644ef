// Plans a pass by bands: height of halos, number of bands, repetition of the pass.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

#include "base/error.h"
#include "model_builder/step/level_bounds.h"
#include "solver/step/nearness.h"
#include "solver/step/planning_problem.h"
#include "solver/subdomains/induction.h"

namespace tidewise {
namespace {

constexpr std::int32_t max_sampled_levels = 5;

// A sample of the levels 0 … L−1, with the first and the last.
std::vector<TimeLevel> sample_levels(TimeLevel last) {
  std::vector<TimeLevel> levels;
  const std::int32_t count = std::min(last.value, max_sampled_levels);
  for (std::int32_t n = 0; n < count; ++n) {
    levels.emplace_back(
        count == 1 ? 0 : static_cast<std::int32_t>(std::int64_t{last.value - 1} * n / (count - 1)));
  }
  return levels;
}

// Maximum number of rows that a step moves at the sampled levels, from the rows of one rank.
std::int32_t sample_reach(const EnvironmentReader& rows, const PlanningProblem& problem,
                          std::int32_t threads) {
  LevelFields<> fields(rows.info());
  std::int32_t reach = 0;
  std::vector<CellIndex> open;
  for (const TimeLevel k : sample_levels(problem.mission.last)) {
    rows.read_level(k, fields);
    open.clear();
    for (std::size_t cell = 0; cell < fields.masked.size(); ++cell) {
      if (fields.masked[cell] == 0) open.emplace_back(static_cast<std::int32_t>(cell));
    }
    reach = std::max(reach, reach_in_rows(fields.view(rows.info()), rows.info().time, open,
                                          problem.actions, problem.rule, threads));
  }
  return reach;
}

// Leaves out the levels that an earlier pass has passed on.
class ContinuedSink final : public PolicySink {
 public:
  explicit ContinuedSink(PolicySink& inner) : inner_(inner) {}
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override {
    if (last_level_.size() <= leg)
      last_level_.resize(leg + 1, std::numeric_limits<std::int32_t>::max());
    if (k.value >= last_level_[leg]) return;
    inner_.accept(leg, k, action, value);
    last_level_[leg] = k.value;
  }

 private:
  PolicySink& inner_;
  std::vector<std::int32_t> last_level_;  // (leg): the last level passed on
};

}  // namespace

Mission subdomain_mission(const Mission& mission, const RowWindow& window, const Grid& grid) {
  Mission cropped = mission;
  const auto row = [&](std::int32_t j) {
    return mission.target.begin() + std::ptrdiff_t{j} * grid.nx;
  };
  cropped.target.assign(row(window.known_begin), row(window.known_end));
  for (ViaPlace& place : cropped.via) {
    std::erase_if(place.cells, [&](std::int32_t cell) {
      return cell < window.known_begin * grid.nx || cell >= window.known_end * grid.nx;
    });
    for (std::int32_t& cell : place.cells) cell -= window.known_begin * grid.nx;
  }
  return cropped;
}

std::int32_t reach_in_rows(const LevelView& level, const TimeAxis& time,
                           View<const CellIndex> cells, const std::vector<Action>& actions,
                           const PositionRule& rule, std::int32_t threads) {
  const SubGrid subgrid = subgrid_of(level, time, rule, cells, actions, threads);
  return std::max(-subgrid.dy_min, subgrid.dy_max);
}

std::int32_t choose_halo(const EnvironmentReader& whole, const PlanningProblem& problem,
                         std::int32_t threads, Communicator& communicator) {
  std::int32_t reach = 0;
  const std::int32_t ny = whole.info().grid.ny;
  const std::int32_t parts = std::min(communicator.size(), ny);
  if (communicator.rank() < parts) {
    try {
      const auto shares = divide_rows(ny, parts, 0);
      const EnvironmentReader rows(whole, shares[static_cast<std::size_t>(communicator.rank())]);
      reach = sample_reach(rows, problem, threads);
    } catch (const std::exception&) {
      // The pass finds the error again, in the right order of errors.
    }
  }
  reach = static_cast<std::int32_t>(communicator.all_max(reach));
  // The halo must contain closed cells and the border of the grid within the margin.
  const NearnessRule near{whole.info().grid, {problem.mission.margin, 0, 0}, {}, {}};
  return std::max(reach + std::max(1, reach / 4), near.rows());  // other levels may reach farther
}

std::vector<RowWindow> make_subdomains(std::int32_t ny, std::int32_t max_subdomains,
                                       std::int32_t halo) {
  const std::int32_t max_fitting = std::max(1, ny / std::max(1, halo));
  const std::int32_t parts = std::min(max_subdomains, max_fitting);
  return divide_rows(ny, parts, parts == 1 ? 0 : halo);
}

SolveReport solve_with_halo(std::int32_t ny, std::int32_t max_subdomains, std::int32_t halo,
                            PolicySink* sink, const SolveSubdomains& solve) {
  std::optional<ContinuedSink> continued;
  if (sink != nullptr) continued.emplace(*sink);
  while (true) {
    try {
      return solve(make_subdomains(ny, max_subdomains, halo), continued ? &*continued : nullptr);
    } catch (const HaloTooShort& error) {
      halo = std::max(halo + 1, error.needed());
    }
  }
}

}  // namespace tidewise
