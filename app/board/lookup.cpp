#include "app/board/lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>

#include "app/error/codes.h"
#include "base/error.h"
#include "base/file/open_file.h"
#include "base/file/text_file.h"
#include "base/parse_number.h"
#include "env/levels/level_dates.h"
#include "env/units/calendar_time.h"
#include "env/units/geographic_position.h"
#include "env/units/meridian_convergence.h"
#include "output/run/policy_description.h"
#include "planner/problem/mission_problem.h"
#include "planner/run/path.h"
#include "planner/run/policy_validation.h"
#include "planner/run/replanning.h"
#include "solver/legs/legs.h"
#include "tidewise_policy.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

/// The levels of a policy as times.
struct PolicyLevels {
  double zeroth = 0;  ///< time of level 0 [s since 1970], or in the environment's units
  double step = 0;
  double count = 0;  ///< number of levels from level 0 on
};

/// The time of a question: seconds since 1970 if the policy has dates, else in the environment's
/// units. A number that is a valid level is refused: as seconds it would lie in 1970.
double time_of(const PolicyQuestion& question, bool has_dates, const PolicyLevels& levels,
               const std::string& policy) {
  if (const auto number = parse_number<double>(question.time)) {
    if (has_dates && *number >= 0 && *number < std::min(levels.count, levels.zeroth)) {
      throw input_error(errors::lookup_time_is_level, question.time, *number,
                        format_date(levels.zeroth + *number * levels.step));
    }
    if (std::isfinite(*number)) return *number;
    throw input_error(errors::lookup_time_not_finite, question.time);
  }
  if (!has_dates) {
    throw input_error(errors::lookup_time_without_dates, question.time, policy);
  }
  try {
    return parse_iso_time(question.time);
  } catch (const InputError& error) {
    throw input_error(errors::lookup_time_invalid, error.text());
  }
}

[[noreturn]] void refuse_degrees(const PolicyQuestion& question, const std::string& policy) {
  throw input_error(errors::lookup_place_in_degrees, question.first, question.second, policy,
                    question.first, question.second);
}

[[noreturn]] void refuse_positions(const std::string& policy) {
  throw input_error(errors::lookup_without_degrees, policy);
}

/// A policy file that is read with the code on board.
class BoardFile {
 public:
  explicit BoardFile(const fs::path& path) : path_(path.string()) {
    require_readable(path);
    stream_.open(path, std::ios::binary);
    const auto read = [](void* self, std::uint64_t offset, void* to, std::uint32_t count) {
      std::ifstream& stream = static_cast<BoardFile*>(self)->stream_;
      stream.seekg(static_cast<std::streamoff>(offset));
      stream.read(static_cast<char*>(to), count);
      return stream ? 0 : 1;
    };
    require(tw_policy_open_reader(&policy_, read, this, fs::file_size(path)));
    require(tw_policy_check(&policy_));
  }
  BoardFile(const BoardFile&) = delete;
  BoardFile& operator=(const BoardFile&) = delete;

  const tw_policy& policy() const { return policy_; }
  void require(tw_policy_status status) const {
    if (status == TW_POLICY_CORRUPT || status == TW_POLICY_UNREADABLE) {
      throw input_error(errors::board_policy_damaged, path_, tw_policy_text(status));
    }
    if (status == TW_POLICY_UNSUPPORTED) {
      throw input_error(errors::board_policy_version, path_, TW_POLICY_VERSION);
    }
  }

 private:
  std::string path_;
  std::ifstream stream_;
  tw_policy policy_{};
};

/// True if a question in x and y holds a longitude and latitude within the policy's domain.
bool is_in_degrees(const tw_policy& policy, const PolicyQuestion& question) {
  const Grid grid{static_cast<std::int32_t>(policy.plan_columns),
                  static_cast<std::int32_t>(policy.plan_rows),
                  policy.x0,
                  policy.y0,
                  policy.dx,
                  policy.dy};
  const bool is_metric = (policy.flags & TW_POLICY_IS_METRIC) != 0;
  const Units units = is_metric ? Units::metric : Units::nondimensional;
  double x = 0;
  double y = 0;
  return (policy.flags & TW_POLICY_HAS_POSITIONS) != 0 &&
         could_be_degrees(grid, units, question.first, question.second) &&
         tw_policy_to_plane(&policy, question.first, question.second, &x, &y) == TW_POLICY_OK &&
         (grid.column_at(x) != grid.column_at(question.first) ||
          grid.row_at(y) != grid.row_at(question.second));
}

std::int64_t index_of(std::uint32_t index) {
  return index == UINT32_MAX ? -1 : static_cast<std::int64_t>(index);
}

/// Answers one question from policy.h5.
class RunQuestion {
 public:
  RunQuestion(const PolicyFile& policy, const PolicyQuestion& question)
      : policy_(policy),
        leg_number_(question.leg),
        leg_(policy.leg(question.leg)),
        grid_(policy.grid()),
        info_(describe_environment_of(policy)) {
    answer_.leg = question.leg;
    answer_.legs = policy.leg_count();
    answer_.metric = info_.units == Units::metric;
    answer_.has_date = info_.time_units.find(" since ") != std::string::npos;
    const TimeAxis& time = policy.time();
    answer_.first = place_of(policy, "").origin + time.first;
    answer_.last = answer_.first + policy.last_level().value * time.step;
    answer_.time =
        time_of(question, answer_.has_date, {answer_.first, time.step, double(time.level_count)},
                policy.path().string());
    if (info_.coordinates == Coordinates::geographic) {
      longitude_ = read_longitude(policy);
      latitude_ = read_latitude(policy);
    }
    place(question);
    answer_.status = tw_policy_text(answer());
  }

  const PolicyAnswer& answered() const { return answer_; }

 private:
  void place(const PolicyQuestion& question) {
    if (question.frame == PolicyQuestion::Frame::plane) {
      if (!longitude_.empty() && are_likely_degrees(grid_, info_.units, longitude_, latitude_,
                                                    question.first, question.second)) {
        refuse_degrees(question, policy_.path().string());
      }
      answer_.x = question.first;
      answer_.y = question.second;
      return;
    }
    if (longitude_.empty()) refuse_positions(policy_.path().string());
    if (!(std::abs(question.second) <= 90) || !std::isfinite(question.first)) return;
    const auto point = to_plane(grid_, longitude_, latitude_, question.first, question.second);
    if (!point) return;
    answer_.x = point->x;
    answer_.y = point->y;
  }

  tw_policy_status answer() {
    const TimeAxis& time = policy_.time();
    const double first = answer_.first;
    const double level = std::floor((answer_.time - first) / time.step + 1e-6);
    if (level >= time.level_count) return TW_POLICY_PAST_END;
    if (!(level >= 0)) return TW_POLICY_TOO_EARLY;
    answer_.level = static_cast<std::int64_t>(level);
    const std::int32_t column = grid_.column_at(answer_.x);
    const std::int32_t row = grid_.row_at(answer_.y);
    if (!grid_.contains(column, row)) return TW_POLICY_OUTSIDE;
    answer_.column = column;
    answer_.row = row;
    const TimeLevel k(static_cast<std::int32_t>(level));
    const auto cell = static_cast<std::size_t>(grid_.cell(column, row).value);
    std::vector<std::int16_t> action(static_cast<std::size_t>(grid_.cell_count()));
    leg_.read_action(k, {action.data(), action.size()});
    if (action[cell] == no_action) return without_action(k, cell);
    answer_.action = action[cell];
    const Action& planned = policy_.actions()[static_cast<std::size_t>(action[cell])];
    answer_.heading = planned.heading;
    answer_.speed = planned.speed;
    // A vehicle that dives surfaces at the latest when a step ends.
    if (!info_.profiles.empty()) {
      answer_.profile = info_.profiles[static_cast<std::size_t>(planned.profile)];
      answer_.hold_until = first + (k.value + 1) * time.step;
    }
    std::vector<float> value(action.size());
    leg_.read_value(k, {value.data(), value.size()});
    if (std::isnan(value[cell])) {
      throw input_error(errors::action_without_value, policy_.path().string(), k.value, row,
                        column);
    }
    answer_.value = static_cast<double>(value[cell]);
    if (policy_.decisions().hold()) {
      const std::int32_t next =
          std::min(k.value + policy_.decisions().until_next(k), policy_.last_level().value);
      answer_.hold_until = first + next * time.step;
    }
    if (!longitude_.empty()) {
      const MeridianConvergence convergence(grid_, longitude_, latitude_);
      answer_.bearing = true_bearing(planned.heading, convergence.at(answer_.x, answer_.y));
    }
    return TW_POLICY_OK;
  }

  /// The reason why a state has no action, from the environment if it is unchanged.
  tw_policy_status without_action(TimeLevel k, std::size_t cell) const {
    try {
      RunRequest request = mission_of(policy_, {});
      const auto planning = std::make_shared<PlanningContext>(request);
      validate_own_environment(policy_, *planning);
      const MissionProblem run(std::move(request), planning);
      if (run.environment().read_masked(k)[cell] != 0) return TW_POLICY_CLOSED;
      if (leg_mission(run.mission, leg_number_).target[cell] != 0) return TW_POLICY_IN_TARGET;
    } catch (const InputError&) {
      if (k != policy_.last_level()) return TW_POLICY_NO_ACTION;
    }
    return k == policy_.last_level() ? TW_POLICY_PAST_END : TW_POLICY_NO_ACTION;
  }

  const PolicyFile& policy_;
  std::size_t leg_number_;
  const PolicySource& leg_;
  const Grid& grid_;
  EnvironmentInfo info_;
  std::vector<double> longitude_, latitude_;  // (y, x); empty in a plane
  PolicyAnswer answer_;
};

}  // namespace

bool is_board_policy(const fs::path& file) { return read_beginning(file, 8) == "TWPOLICY"; }

PolicyAnswer ask_on_board(const fs::path& file, const PolicyQuestion& question) {
  const BoardFile board(file);
  const tw_policy& policy = board.policy();
  PolicyAnswer answer;
  answer.metric = (policy.flags & TW_POLICY_IS_METRIC) != 0;
  answer.has_date = (policy.flags & TW_POLICY_HAS_DATES) != 0;
  answer.time =
      time_of(question, answer.has_date,
              {policy.t0, policy.dt, double(policy.first_level) + policy.levels}, file.string());
  answer.first = policy.t0 + policy.first_level * policy.dt;
  answer.last = answer.first + (policy.levels - 1) * policy.dt;
  tw_policy_action action{};
  tw_policy_status status = TW_POLICY_OK;
  if (question.frame == PolicyQuestion::Frame::plane) {
    if (is_in_degrees(policy, question)) refuse_degrees(question, file.string());
    status = tw_policy_act_xy(&policy, question.first, question.second, answer.time, &action);
  } else {
    status = tw_policy_act_lonlat(&policy, question.first, question.second, answer.time, &action);
  }
  if (status == TW_POLICY_NO_POSITIONS) refuse_positions(file.string());
  board.require(status);
  answer.status = tw_policy_text(status);
  answer.x = action.x;
  answer.y = action.y;
  answer.heading = action.heading;
  answer.bearing = action.bearing;
  answer.speed = action.speed;
  answer.value = action.value;
  if (std::isfinite(action.dive_to)) {
    answer.profile.depths = action.dive_from < action.dive_to
                                ? fmt::format("{}:{}", action.dive_from, action.dive_to)
                                : fmt::format("at:{}", action.dive_to);
  }
  if ((policy.flags & TW_POLICY_HOLDS) != 0 || std::isfinite(action.dive_to)) {
    answer.hold_until = action.hold_until;
  }
  answer.action = index_of(action.action);
  answer.level = index_of(action.level);
  answer.row = index_of(action.row);
  answer.column = index_of(action.column);
  return answer;
}

PolicyAnswer ask_run(const fs::path& policy, const PolicyQuestion& question) {
  const PolicyFile file(policy);
  return RunQuestion(file, question).answered();
}

FlightsFromState fly_from(const fs::path& file, const PolicyAnswer& answer,
                          std::optional<double> surfacing, Progress& progress) {
  if (answer.leg > 0) {
    throw input_error(errors::lookup_leg_flights);
  }
  const PolicyFile policy(file);
  RunRequest request = mission_of(policy, {});
  request.goal.start = {Position::Frame::plane, answer.x, answer.y};
  request.goal.departure = Moment((answer.time - answer.first) / policy.time().step);
  request.rollout.mode = RolloutChoice::continuous;
  const auto planning = std::make_shared<PlanningContext>(request);
  std::vector<std::string> notes;
  (void)validate_own_environment(policy, *planning);
  end_as_before(request, policy, planning->environment(), notes);
  const auto problem = std::make_shared<const MissionProblem>(std::move(request), planning);
  const MissionProblem& run = *problem;
  RolloutResult flights = run.context->planner().fly(run.mission, policy, run.rollout, progress);
  const EnvironmentInfo& info = run.info();
  RolloutStatistics flown = summarize(flights, info);
  set_keeping(flight_ends(flights, info.time), flights.mode, run.mission, info, flown);
  const double departure = info.time.first + (answer.time - answer.first);
  const double remaining = answer.last - answer.time;
  const double until_decision = std::isfinite(answer.hold_until)
                                    ? answer.hold_until - answer.time
                                    : std::min(info.time.step, remaining);
  const double until_surfacing = surfacing.value_or(until_decision);
  const bool is_past_end = until_surfacing > remaining + 1e-6 * info.time.step;
  auto region = is_past_end ? std::nullopt : find_surfacing(flights, info, until_surfacing);
  return {std::move(flown),  run.mission.objective, run.mission.energy, std::move(region),
          departure,         departure + remaining, is_past_end,        problem,
          std::move(flights)};
}

}  // namespace tidewise
