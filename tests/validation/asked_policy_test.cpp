// A policy that is asked again between levels, as people and vehicles do who know their position
// anew, arrives as the flights do that ask it at levels.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/file/file_set.h"
#include "env/import/import_forecast.h"
#include "env/units/geographic_position.h"
#include "planner/board/export.h"
#include "solver/flight/realized_flow.h"
#include "support/shared_data.h"
#include "support/temporary_folder.h"
#include "tidewise/mission_file.h"
#include "tidewise/planner.h"
#include "tidewise_policy.h"

namespace tidewise {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// What to do at a place and a time after the first level [s]; nothing where there is no more to
/// do.
using Ask = std::function<std::optional<Policy::Steering>(double x, double y, double time)>;

struct Target {
  double x, y, radius;

  bool holds(double at_x, double at_y) const { return std::hypot(at_x - x, at_y - y) <= radius; }
};

/// The ocean as it comes to be, all levels in memory.
class RealizedOcean {
 public:
  explicit RealizedOcean(const std::filesystem::path& file) : reader_(file) {
    for (TimeLevel k{0}; k.value < info().time.level_count; ++k.value) {
      levels_.emplace_back(info());
      reader_.read_level(k, levels_.back());
    }
    longitude_ = reader_.read_longitude();
    latitude_ = reader_.read_latitude();
  }

  const EnvironmentInfo& info() const { return reader_.info(); }
  GeographicPoint globe(double x, double y) const {
    return to_globe(info().grid, longitude_, latitude_, {x, y});
  }

  /// When a vehicle arrives [s after the first level] that asks every so many seconds and holds
  /// what it is told in between; never where it strands or time is up.
  double arrival(std::int32_t realization, PlanePoint at, const Target& target, int ask_every,
                 const Ask& ask) const {
    const Grid& grid = info().grid;
    const int step = static_cast<int>(info().time.step);
    const int end = (info().time.level_count - 1) * step;
    Current own{};
    for (int time = 0; time < end; time += part) {
      if (time % ask_every == 0) {
        const auto told = ask(at.x, at.y, time);
        if (!told) return in_target_cell(at, target) ? time : never;
        own = {told->speed * std::cos(told->heading), told->speed * std::sin(told->heading)};
      }
      const LevelFields<>& fields = levels_[static_cast<std::size_t>(time / step)];
      const LevelView level = fields.view(info());
      RealizedFlow flow(level, grid, realization);
      const Current by = flow.carried(at.x, at.y, flow.at(at.x, at.y), own, part);
      at = {at.x + by.u, at.y + by.v};
      if (target.holds(at.x, at.y)) return time + part;
      const std::int32_t column = grid.column_at(at.x);
      const std::int32_t row = grid.row_at(at.y);
      if (!grid.contains(column, row)) return never;
      if (fields.masked[static_cast<std::size_t>(grid.cell(column, row).value)] != 0) return never;
    }
    return never;
  }

 private:
  static constexpr int part = 60;  // [s]

  bool in_target_cell(const PlanePoint& at, const Target& target) const {
    const Grid& grid = info().grid;
    return target.holds(grid.x(grid.column_at(at.x)), grid.y(grid.row_at(at.y)));
  }

  EnvironmentReader reader_;
  std::vector<LevelFields<>> levels_;
  std::vector<double> longitude_;
  std::vector<double> latitude_;
};

Ask ask_plan(const Policy& policy, double step) {
  return [policy, step](double x, double y, double time) {
    return policy.at(static_cast<std::int32_t>(time / step), x, y);
  };
}

/// By longitude, latitude and date, as a vehicle knows them.
Ask ask_on_board(const struct tw_policy& policy, const RealizedOcean& ocean) {
  return [&](double x, double y, double time) -> std::optional<Policy::Steering> {
    const GeographicPoint place = ocean.globe(x, y);
    struct tw_policy_action action;
    const auto status =
        tw_policy_act_lonlat(&policy, place.longitude, place.latitude, policy.t0 + time, &action);
    if (status != TW_POLICY_OK) return std::nullopt;
    return Policy::Steering{action.heading, action.speed};
  };
}

/// The arrivals are no later than the flights' by more than 2 % in the median, and by 5 % in any
/// realization.
void expect_no_harm(const RealizedOcean& ocean, const std::vector<Trajectory>& flights,
                    const PlanePoint& start, const Target& target, int ask_every, const Ask& ask) {
  std::vector<double> later;
  for (const Trajectory& flight : flights) {
    ASSERT_EQ(flight.outcome, TrajectoryOutcome::arrived);
    const double flown = flight.steps() * ocean.info().time.step;
    later.push_back(ocean.arrival(flight.realization, start, target, ask_every, ask) / flown);
    std::printf("%d %g h %g\n", flight.realization, flown / 3600, later.back());
  }
  std::sort(later.begin(), later.end());
  EXPECT_LT(later[later.size() / 2], 1.02);
  EXPECT_LT(later.back(), 1.05);
}

TEST(AskedPolicy, ArrivesAsTheFlightsDoHoweverOftenItIsAsked) {
  TIDEWISE_REQUIRE_SHARED_DATA(forecast, "rtofs_washington_2024.nc");
  const test::TemporaryFolder folder;
  ingest::ImportOptions options;
  options.files = {forecast};
  options.out = folder / "env.h5";
  options.spacing = 3000;
  options.step = 3 * 3600;
  options.lagged = 4;
  SilentProgress progress;
  ingest::import_forecast(options, progress);

  const MissionFile mission = read_mission(TIDEWISE_CONFIGS "/washington.toml");
  const Plan planned = plan(Environment::open(options.out), mission);
  const Flights flown = fly(planned, mission.rollout);
  planned.save(folder / "run", flown);
  FileSet files;
  export_board_policy({.run = (folder / "run").string(), .out = folder / "policy.twp"}, files);
  files.commit();
  std::ifstream file(folder / "policy.twp", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  struct tw_policy board;
  ASSERT_EQ(tw_policy_open(&board, bytes.data(), static_cast<std::uint32_t>(bytes.size())),
            TW_POLICY_OK);

  const RealizedOcean ocean(options.out);
  const auto summary = nlohmann::json::parse(std::ifstream(folder / "run/summary.json"));
  const PlanePoint start{summary["start"]["x"], summary["start"]["y"]};
  const Target target{summary["target"]["x"], summary["target"]["y"], summary["target"]["radius"]};
  for (const int ask_every : {10800, 3600, 600}) {
    SCOPED_TRACE("asked every " + std::to_string(ask_every) + " s");
    expect_no_harm(ocean, flown.trajectories(), start, target, ask_every,
                   ask_plan(planned.policy(), ocean.info().time.step));
    expect_no_harm(ocean, flown.trajectories(), start, target, ask_every,
                   ask_on_board(board, ocean));
  }
}

}  // namespace
}  // namespace tidewise
