#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/kernel/for_each.cuh"
#include "base/memory/device_transfer.h"
#include "env/device/device_level_pair.h"
#include "model_builder/cloud/coefficients.h"
#include "solver/flight/device_step_tables.h"
#include "solver/fly/device_rollout.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/fly_step.h"
#include "solver/fly/trajectory_accumulator.h"
#include "solver/legs/legs.h"
#include "solver/pass/forward.h"
#include "solver/policy/device_stream.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

// pass_via_points() (solver/legs/legs.h) on the device. Trivially copyable.
struct PassViaPoints {
  View<const std::int32_t> cell;  ///< cells of the via points in turn, ascending for each
  View<const std::uint32_t> end;  ///< (via point): index after its last in `cell`
  View<std::uint32_t> leg;        ///< (flight); empty for a mission of one leg
  View<std::int32_t> passed;      ///< (flight, via point): steps after departure

  TIDEWISE_HOST_DEVICE std::size_t leg_of(std::size_t flight) const {
    return leg.size == 0 ? 0 : leg[flight];
  }
  // Updates a flight that is in cell `at`, `steps` after departure. Returns its leg.
  TIDEWISE_HOST_DEVICE std::size_t operator()(std::size_t flight, CellIndex at,
                                              std::int32_t steps) const {
    if (leg.size == 0) return 0;
    std::uint32_t n = leg[flight];
    while (n < end.size && holds(n, at)) passed[flight * end.size + n++] = steps;
    leg[flight] = n;
    return n;
  }

 private:
  TIDEWISE_HOST_DEVICE bool holds(std::uint32_t place, CellIndex at) const {
    std::uint32_t first = place == 0 ? 0 : end[place - 1];
    std::uint32_t last = end[place];
    while (first < last) {
      const std::uint32_t middle = (first + last) / 2;
      if (cell[middle] == at.value) return true;
      if (cell[middle] < at.value) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return false;
  }
};

// A step of one member's flights, each on its leg.
template <class Step>
struct MemberFlight {
  const FlyStep<Step>* fly;  ///< (leg)
  PassViaPoints pass;
  bool is_last_step;
  std::int32_t steps;        ///< since departure, including this one
  std::uint32_t* under_way;  ///< (leg): flags, set if a flight goes on

  TIDEWISE_HOST_DEVICE void operator()(std::size_t flight) const {
    if (flight >= fly[0].ensemble.number.size) return;
    std::size_t leg = pass.leg_of(flight);
    const FlyStep<Step>& step = fly[leg];
    if (!step(flight)) return;
    if (!is_last_step && pass.leg.size > 0) {
      const Grid& grid = step.step.context.rule.grid;
      const Vehicle& vehicle = step.ensemble.vehicle[flight];
      leg = pass(flight, grid.cell(grid.column_at(vehicle.x), grid.row_at(vehicle.y)), steps);
    }
    under_way[leg] = 1;  // all writers write the same value
  }
};

// A step of the flights of several members, numbered as if all had the maximum number of flights.
template <class Step>
struct FlyMembers {
  View<const MemberFlight<Step>> members;
  std::size_t max_flights;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    members[n / max_flights](n % max_flights);
  }
};

// The steps of some members at one level.
template <class Step>
class MemberSteps {
 public:
  MemberSteps(std::size_t members, std::size_t legs) : members_(members), legs_(legs) {}

  void begin(std::size_t place) {
    members_.begin(place);
    legs_.begin(place);
    max_flights_ = 0;
  }
  // Begins a member; add_leg() must follow for each of its legs.
  void add(MemberFlight<Step> member, std::size_t flights) {
    member.fly = legs_.next();
    members_.add(member);
    max_flights_ = std::max(max_flights_, flights);
  }
  void add_leg(const FlyStep<Step>& fly) { legs_.add(fly); }
  bool empty() const { return members_.size() == 0; }
  void fly(const DeviceStream& stream) {
    legs_.send(stream);
    const auto members = members_.send(stream);
    constexpr unsigned block_threads = 32;  // a step is long, and flights are few
    for_each_on_device(members.size * max_flights_, FlyMembers<Step>{members, max_flights_}, stream,
                       block_threads);
  }

 private:
  TurnArray<MemberFlight<Step>> members_;
  TurnArray<FlyStep<Step>> legs_;
  std::size_t max_flights_ = 0;
};

// Via points of a member, and progress of its flights.
struct FleetViaPoints {
  FleetViaPoints(const Mission& mission, std::size_t flights)
      : host_leg(flights), host_passed(flights * mission.via.size(), 0) {
    std::vector<std::int32_t> cells;
    std::vector<std::uint32_t> ends;
    for (const ViaPlace& place : mission.via) {
      cells.insert(cells.end(), place.cells.begin(), place.cells.end());
      ends.push_back(static_cast<std::uint32_t>(cells.size()));
    }
    cell = upload(cells);
    end = upload(ends);
  }
  // Starts the flights, all on the same leg.
  void depart(std::size_t first_leg_flown, const DeviceStream& stream) {
    std::fill(host_leg.begin(), host_leg.end(), static_cast<std::uint32_t>(first_leg_flown));
    leg = upload(host_leg, stream);
    passed = upload(host_passed, stream);
  }
  PassViaPoints view() {
    return {std::as_const(cell).view(), std::as_const(end).view(), leg.view(), passed.view()};
  }
  void copy_to_host(const DeviceStream& stream) {
    copy_bytes(MemorySpace::host, host_leg.data(), MemorySpace::device, leg.data(),
               host_leg.size() * sizeof(std::uint32_t), stream);
    copy_bytes(MemorySpace::host, host_passed.data(), MemorySpace::device, passed.data(),
               host_passed.size() * sizeof(std::int32_t), stream);
  }
  // Trajectory::passed of a flight, after copy_to_host().
  std::vector<std::int32_t> passed_by(std::size_t flight) const {
    const auto first = host_passed.begin() + static_cast<std::ptrdiff_t>(flight * end.size());
    return {first, first + host_leg[flight]};
  }

  DeviceArray<std::int32_t> cell;
  DeviceArray<std::uint32_t> end;
  DeviceArray<std::uint32_t> leg;
  DeviceArray<std::int32_t> passed;
  std::vector<std::uint32_t> host_leg;    // (flight)
  std::vector<std::int32_t> host_passed;  // (flight, via point), 0 if not passed
};

// The flights of one mission.
struct Fleet {
  Fleet(const FlightMember& the_member, std::vector<std::int32_t> the_numbers,
        std::size_t the_first_flight, std::size_t the_first_column, std::size_t the_first_leg)
      : member(the_member),
        numbers(std::move(the_numbers)),
        first_flight(the_first_flight),
        first_column(the_first_column),
        first_leg(the_first_leg),
        legs(leg_missions(*the_member.mission)),
        tracked(tracked_flights(numbers.size(), the_member.options.tracks)) {}

  const FlightMember& member;
  std::vector<std::int32_t> numbers;
  std::size_t first_flight;          ///< index among all flights
  std::size_t first_column;          ///< index among all tracks
  std::size_t first_leg;             ///< index among all members' legs
  std::vector<Mission> legs;         ///< legs of the mission (solver/legs/legs.h)
  std::vector<std::size_t> tracked;  ///< flights whose points are logged
  std::optional<FleetViaPoints> places;
  std::size_t departs_on = 0;  ///< leg at departure
  enum class State { to_depart, under_way, over } state = State::to_depart;
  std::optional<Ensemble<>> ensemble;
  std::optional<TrajectoryAccumulator> accumulator;
  // Index in the log that is being filled.
  std::size_t first_step = 0;
  std::size_t steps = 0;
  std::size_t turns = 0;  ///< number of turns in which its flights made a step
  std::exception_ptr failure;

  const Mission& mission() const { return *member.mission; }
};

// Log of points on the device, copied to the host whenever it is full.
class DeviceLog {
 public:
  /// `columns`: FlightLogView::column of all flights, each within its fleet. `tracks`: number of
  /// tracks of all fleets.
  DeviceLog(std::size_t steps, const std::vector<std::int32_t>& columns, std::size_t tracks,
            const DeviceStream& stream)
      : device_(steps, tracks),
        host_(steps, tracks),
        column_(upload(columns, stream)),
        tracks_(tracks) {
    // The copy includes elements that ended flights have not written.
    const std::size_t points = steps * tracks;
    set_to_zero(device_.x.data(), points, stream);
    set_to_zero(device_.y.data(), points, stream);
    set_to_zero(device_.energy.data(), points, stream);
    set_to_zero(device_.harvested.data(), points, stream);
    set_to_zero(device_.action.data(), points, stream);
  }
  FlightLogView of(const Fleet& fleet) {
    return device_.view().from(
        0, fleet.first_column,
        std::as_const(column_).view().part(fleet.first_flight, fleet.numbers.size()));
  }
  std::size_t logged() const { return logged_; }

  void add_step(std::deque<Fleet>& fleets, const DeviceStream& stream) {
    if (++logged_ == device_.steps()) flush(fleets, stream);
  }

  // Appends the logged points to the trajectories.
  void flush(std::deque<Fleet>& fleets, const DeviceStream& stream) {
    const std::size_t points = logged_ * tracks_;
    fetch_part(host_.x, device_.x, points, stream);
    fetch_part(host_.y, device_.y, points, stream);
    fetch_part(host_.energy, device_.energy, points, stream);
    fetch_part(host_.harvested, device_.harvested, points, stream);
    fetch_part(host_.action, device_.action, points, stream);
    stream.synchronize();
    std::vector<TrajectoryAccumulator::Part> parts;
    for (Fleet& fleet : fleets) {
      if (fleet.steps == 0) continue;
      parts.push_back({&*fleet.accumulator, host_.view().from(fleet.first_step, fleet.first_column),
                       fleet.steps});
      fleet.steps = 0;
    }
    TrajectoryAccumulator::append(parts, fleets.front().member.options.threads);
    logged_ = 0;
  }

 private:
  template <class T>
  static void fetch_part(PinnedArray<T>& host, const DeviceArray<T>& device, std::size_t count,
                         const DeviceStream& stream) {
    copy_bytes(MemorySpace::pinned, host.data(), MemorySpace::device, device.data(),
               count * sizeof(T), stream);
  }

  FlightLog<MemorySpace::device> device_;
  FlightLog<MemorySpace::pinned> host_;
  DeviceArray<std::int32_t> column_;  // (flight)
  std::size_t tracks_;
  std::size_t logged_ = 0;
};

// Advances the fleets of several missions on the device, level by level.
class DeviceRollout {
 public:
  DeviceRollout(DeviceEnvironment& environment, const PositionRule& rule,
                const std::vector<Action>& actions, const std::vector<FlightMember>& members)
      : environment_(environment),
        info_(environment.info()),
        rule_(rule),
        actions_(actions),
        members_(members) {
    for (const FlightMember& member : members_) {  // validated before anything is read
      std::vector<std::int32_t> numbers;
      std::exception_ptr failure;
      try {
        numbers = flight_numbers(info_, member.options);
      } catch (const InputError&) {
        failure = std::current_exception();
      }
      Fleet& fleet = fleets_.emplace_back(member, std::move(numbers), flights_, tracks_, legs_);
      legs_ += fleet.legs.size();
      fleet.failure = failure;
      if (failure) {
        fleet.state = Fleet::State::over;
        continue;
      }
      flights_ += fleet.numbers.size();
      tracks_ += fleet.tracked.size();
      const Mission& mission = fleet.mission();
      first_ = no_active_flights_ ? mission.departure : std::min(first_, mission.departure);
      last_ = no_active_flights_ ? mission.last : std::max(last_, mission.last);
      no_active_flights_ = false;
    }
  }

  std::vector<MemberFlights> run(Progress& progress) {
    if (!no_active_flights_) {
      DeviceLevelPair levels(environment_, stream_, first_, last_);
      const WaitAtEnd wait(stream_);
      progress.begin("flying", last_.value - first_.value, "levels");
      walk_forward(levels, first_, last_, *this,
                   [&](std::int32_t steps) { progress.advance_to(steps); });
      if (tables_) fetch_results();
      levels.finish();
      progress.end();
    }
    std::vector<MemberFlights> flown;
    for (Fleet& fleet : fleets_) {
      MemberFlights& of_member = flown.emplace_back();
      of_member.failure = fleet.failure;
      if (fleet.failure) continue;
      of_member.rollout =
          fleet.accumulator->close(*fleet.ensemble, fleet.member.options.mode, fleet.mission());
      if (!fleet.places) continue;
      for (std::size_t n = 0; n < fleet.numbers.size(); ++n) {
        of_member.rollout.trajectories[n].passed = fleet.places->passed_by(n);
      }
    }
    return flown;
  }

  // Functions that walk_forward() calls.
  void arrive(TimeLevel k, const LevelView& level) {
    depart(k, level);
    for (Fleet& fleet : fleets_) {
      if (fleet.mission().last == k) fleet.state = Fleet::State::over;
    }
  }
  bool goes_on(TimeLevel k) {
    if (over()) return false;
    if (!tables_) prepare();
    policies_->begin();
    if (policies_->done() > 0) check_turn(policies_->done() - 1);
    turns_.push_back(read_policies(k));
    return !over();
  }
  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    fly(k, now, next);
    policies_->end(stream_);
    log_->add_step(fleets_, stream_);
  }

 private:
  bool over() const {
    return std::all_of(fleets_.begin(), fleets_.end(),
                       [](const Fleet& fleet) { return fleet.state == Fleet::State::over; });
  }

  void prepare() {
    std::vector<PlanningProblem> problems;
    std::vector<const PolicySource*> policies;
    for (const Fleet& fleet : fleets_) {
      for (std::size_t leg = 0; leg < fleet.legs.size(); ++leg) {
        problems.push_back({actions_, fleet.legs[leg], rule_});
        policies.push_back(&fleet.member.policy->leg(leg));
      }
    }
    const RolloutOptions& options = members_.front().options;
    tables_.emplace(info_, problems);
    policies_.emplace(policies, actions_.size(), static_cast<std::size_t>(info_.grid.cell_count()),
                      options.threads);
    continuous_.emplace(members_.size(), legs_);
    chain_.emplace(members_.size(), legs_);
    up_to_ = upload(summed_weights(info_, rule_), stream_);
    coefficients_.emplace(info_.mode_count, info_.realization_count);
    const auto steps = static_cast<std::size_t>(last_.value - first_.value);
    host_under_way_ = PinnedArray<std::uint32_t>(steps * legs_, 0);
    copy(under_way_, host_under_way_, stream_);
    device_ensemble_.emplace(flights_);
    std::vector<std::int32_t> columns;
    for (const Fleet& fleet : fleets_) {
      const std::vector<std::int32_t> of_fleet = log_columns(fleet.numbers.size(), fleet.tracked);
      columns.insert(columns.end(), of_fleet.begin(), of_fleet.end());
    }
    log_.emplace(log_steps(options.log_memory, tracks_, steps), columns, tracks_, stream_);
  }

  // Starts the members that depart at this level; `level`: its fields.
  void depart(TimeLevel k, const LevelView& level) {
    std::vector<std::uint8_t> masked;
    for (Fleet& fleet : fleets_) {
      if (fleet.state != Fleet::State::to_depart || fleet.mission().departure != k) continue;
      if (masked.empty()) masked = fetch_all(level.masked, stream_);
      const RolloutOptions& options = fleet.member.options;
      fleet.ensemble.emplace(
          tidewise::depart(info_, fleet.legs.front(), options.mode, fleet.numbers,
                           masked[static_cast<std::size_t>(fleet.mission().start.value)]));
      fleet.accumulator.emplace(actions_, *fleet.ensemble, fleet.tracked, options.threads);
      fleet.state = Fleet::State::over;
      if (fleet.numbers.empty()) continue;
      // All flights start in the same state.
      if (fleet.ensemble->state[0] != StepOutcome::under_way) continue;
      if (!tables_) prepare();
      fleet.state = Fleet::State::under_way;
      send(device_ensemble_->number, fleet.ensemble->number, fleet);
      send(device_ensemble_->vehicle, fleet.ensemble->vehicle, fleet);
      send(device_ensemble_->state, fleet.ensemble->state, fleet);
      if (fleet.legs.size() > 1) begin_legs(fleet);
    }
  }

  void begin_legs(Fleet& fleet) {
    const Mission& mission = fleet.mission();
    fleet.places.emplace(mission, fleet.numbers.size());
    const Vehicle& vehicle = fleet.ensemble->vehicle[0];
    std::vector<std::int32_t> passed;
    fleet.departs_on = pass_via_points(
        mission, mission.departure,
        info_.grid.cell(info_.grid.column_at(vehicle.x), info_.grid.row_at(vehicle.y)), 0, passed);
    fleet.places->depart(fleet.departs_on, stream_);
  }

  template <class T>
  void send(DeviceArray<T>& device, const Array<T>& host, const Fleet& fleet) {
    copy_bytes(MemorySpace::device, device.data() + fleet.first_flight, MemorySpace::host,
               host.data(), host.size() * sizeof(T), stream_);
  }
  template <class T>
  void copy_to_host(Array<T>& host, const DeviceArray<T>& device, const Fleet& fleet) {
    copy_bytes(MemorySpace::host, host.data(), MemorySpace::device,
               device.data() + fleet.first_flight, host.size() * sizeof(T), stream_);
  }

  // Copies the flights' results to the host.
  void fetch_results() {
    log_->flush(fleets_, stream_);
    for (Fleet& fleet : fleets_) {
      if (fleet.turns == 0) continue;
      copy_to_host(fleet.ensemble->vehicle, device_ensemble_->vehicle, fleet);
      copy_to_host(fleet.ensemble->state, device_ensemble_->state, fleet);
      if (fleet.places) fleet.places->copy_to_host(stream_);
    }
    stream_.synchronize();
  }

  // Finds the members that were still under way after a completed turn.
  void check_turn(std::size_t turn) {
    for (const std::size_t m : turns_[turn]) {
      if (!some_go_on(turn, fleets_[m])) fleets_[m].state = Fleet::State::over;
    }
  }

  // True if flights of that leg went on after a completed turn.
  bool goes_on(std::size_t turn, const Fleet& fleet, std::size_t leg) const {
    return host_under_way_[turn * legs_ + fleet.first_leg + leg] != 0;
  }
  bool some_go_on(std::size_t turn, const Fleet& fleet) const {
    for (std::size_t leg = 0; leg < fleet.legs.size(); ++leg) {
      if (goes_on(turn, fleet, leg)) return true;
    }
    return false;
  }

  // Reads the policies of all members that may be under way and returns these members. If a policy
  // cannot be read, the members with flights on that leg fail.
  std::vector<std::size_t> read_policies(TimeLevel k) {
    std::vector<std::size_t> active;
    std::vector<std::size_t> legs;
    for (std::size_t m = 0; m < fleets_.size(); ++m) {
      if (fleets_[m].state != Fleet::State::under_way) continue;
      active.push_back(m);
      for (std::size_t leg = 0; leg < fleets_[m].legs.size(); ++leg) {
        legs.push_back(fleets_[m].first_leg + leg);
      }
    }
    policies_->read_policies(k, legs, stream_);
    std::erase_if(active, [&](std::size_t m) { return !can_fly(fleets_[m]); });
    return active;
  }

  // True if the policies that the fleet's flights follow could be read; otherwise ends the fleet.
  bool can_fly(Fleet& fleet) {
    for (std::size_t leg = 0; leg < fleet.legs.size(); ++leg) {
      const std::exception_ptr failure = policies_->failure(fleet.first_leg + leg);
      if (!failure) continue;
      stream_.synchronize();
      const std::size_t before = turns_.size() - 1;
      if (fleet.turns > 0 && !some_go_on(before, fleet)) {
        fleet.state = Fleet::State::over;
        return false;
      }
      const bool follows = fleet.turns > 0 ? goes_on(before, fleet, leg) : leg == fleet.departs_on;
      if (!follows) continue;
      fleet.failure = failure;
      fleet.state = Fleet::State::over;
      return false;
    }
    return true;
  }

  void fly(TimeLevel k, const LevelView& now, const LevelView& next) {
    continuous_->begin(policies_->place());
    chain_->begin(policies_->place());
    const std::size_t first_flag = (turns_.size() - 1) * legs_;
    for (const std::size_t m : turns_.back()) {
      Fleet& fleet = fleets_[m];
      if (fleet.steps++ == 0) fleet.first_step = log_->logged();
      ++fleet.turns;
      std::vector<StepContext> contexts;
      for (std::size_t leg = 0; leg < fleet.legs.size(); ++leg) {
        const std::size_t of_all = fleet.first_leg + leg;
        contexts.push_back(make_step_context(info_, fleet.legs[leg], k, now, next,
                                             tables_->of(of_all, policies_->policy(of_all))));
      }
      add(fleet, k, contexts, under_way_.data() + first_flag + fleet.first_leg);
    }
    if (!continuous_->empty()) continuous_->fly(stream_);
    if (!chain_->empty()) {
      coefficients_->make(now, DisplacementScale(info_.grid, info_.time), rule_, stream_);
      chain_->fly(stream_);
    }
    copy_bytes(MemorySpace::pinned, host_under_way_.data() + first_flag, MemorySpace::device,
               under_way_.data() + first_flag, legs_ * sizeof(std::uint32_t), stream_);
  }

  /// Adds the next step of a fleet's flights. `contexts`: (leg)
  void add(Fleet& fleet, TimeLevel k, const std::vector<StepContext>& contexts,
           std::uint32_t* under_way) {
    const RolloutOptions& options = fleet.member.options;
    const auto part = [&](auto& of_all) {
      return of_all.view().part(fleet.first_flight, fleet.numbers.size());
    };
    const EnsembleView ensemble{part(device_ensemble_->number), part(device_ensemble_->vehicle),
                                part(device_ensemble_->state)};
    const FlightLogView log = log_->of(fleet);
    const Mission& mission = fleet.mission();
    const auto begin = [&](auto& steps) {
      steps.add(
          {nullptr, fleet.places ? fleet.places->view() : PassViaPoints{},
           !(k.value + 1 < mission.last.value), k.value + 1 - mission.departure.value, under_way},
          fleet.numbers.size());
    };
    if (options.mode == RolloutMode::continuous) {
      begin(*continuous_);
      for (const StepContext& context : contexts) {
        continuous_->add_leg({{context}, k, ensemble, log, log_->logged()});
      }
      return;
    }
    begin(*chain_);
    for (const StepContext& context : contexts) {
      const ChainStep chain{
          context,
          DisplacementScale(info_.grid, info_.time),
          rule_,
          coefficients_->mode_scale(),
          {Philox(options.seed), counting_total(info_, rule_), std::as_const(up_to_).view()}};
      chain_->add_leg({chain, k, ensemble, log, log_->logged()});
    }
  }

  DeviceEnvironment& environment_;
  const EnvironmentInfo& info_;
  PositionRule rule_;
  const std::vector<Action>& actions_;
  const std::vector<FlightMember>& members_;
  std::deque<Fleet> fleets_;  // (member)
  std::size_t flights_ = 0;   // number of flights of all members
  std::size_t tracks_ = 0;    // number of tracks of all members
  std::size_t legs_ = 0;      // number of legs of all members
  bool no_active_flights_ = true;
  TimeLevel first_;
  TimeLevel last_;
  std::vector<std::vector<std::size_t>> turns_;  // (turn): members that flew
  DeviceStream stream_;
  std::optional<DeviceStepTables> tables_;
  std::optional<DevicePolicyStream> policies_;
  std::optional<MemberSteps<ContinuousStep<>>> continuous_;
  std::optional<MemberSteps<ChainStep>> chain_;
  DeviceArray<std::uint32_t> up_to_;  // (realization)
  std::optional<DeviceCoefficients> coefficients_;
  // Flights of one member after the other.
  std::optional<Ensemble<MemorySpace::device>> device_ensemble_;
  std::optional<DeviceLog> log_;
  DeviceArray<std::uint32_t> under_way_;       // (turn, leg), 1: some flight goes on
  PinnedArray<std::uint32_t> host_under_way_;  // (turn, leg)
};

}  // namespace

std::vector<MemberFlights> fly_policies_on_device(DeviceEnvironment& environment,
                                                  const PositionRule& rule,
                                                  const std::vector<Action>& actions,
                                                  const std::vector<FlightMember>& members,
                                                  Progress& progress) {
  return DeviceRollout(environment, rule, actions, members).run(progress);
}

}  // namespace tidewise
