#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/kernel/for_each.cuh"
#include "base/memory/device_transfer.h"
#include "env/levels/level_stream.h"
#include "model_builder/cloud/coefficients.h"
#include "solver/flight/device_step_tables.h"
#include "solver/fly/device_rollout.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/fly_step.h"
#include "solver/fly/trajectory_accumulator.h"
#include "solver/policy/device_stream.h"
#include "solver/step/planning_problem.h"

namespace tidewise {
namespace {

/// A step of one member's flights.
template <class Step>
struct MemberFlight {
  FlyStep<Step> fly;
  std::uint32_t* under_way;  ///< a flag that is raised where a flight goes on
};

/// A step of the flights of several members, numbered as if each had as many as the one with most.
template <class Step>
struct FlyMembers {
  View<const MemberFlight<Step>> members;
  std::size_t most_flights;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const {
    const MemberFlight<Step>& member = members[n / most_flights];
    const std::size_t flight = n % most_flights;
    if (flight >= member.fly.ensemble.number.size) return;
    if (member.fly(flight)) *member.under_way = 1;  // whoever writes it writes the same
  }
};

/// The steps of some members at one level on their way to the device.
template <class Step>
class MemberSteps {
 public:
  explicit MemberSteps(std::size_t members)
      : members_(members),
        here_(DevicePolicyStream::ahead * members),
        there_(DevicePolicyStream::ahead * members) {}

  /// `place`: of the turn, as DevicePolicyStream has them.
  void begin(std::size_t place) {
    first_ = place * members_;
    count_ = 0;
    most_flights_ = 0;
  }
  void add(const FlyStep<Step>& fly, std::uint32_t* under_way) {
    here_[first_ + count_++] = {fly, under_way};
    most_flights_ = std::max(most_flights_, fly.ensemble.number.size);
  }
  bool empty() const { return count_ == 0; }
  void fly(const DeviceStream& stream) {
    copy_bytes(MemorySpace::device, there_.data() + first_, MemorySpace::pinned,
               here_.data() + first_, count_ * sizeof(MemberFlight<Step>), stream);
    constexpr unsigned block_threads = 32;  // a step is long, and flights are few
    for_each_on_device(
        count_ * most_flights_,
        FlyMembers<Step>{std::as_const(there_).view().part(first_, count_), most_flights_}, stream,
        block_threads);
  }

 private:
  std::size_t members_;
  PinnedArray<MemberFlight<Step>> here_;   // (place of the turn, member that flies)
  DeviceArray<MemberFlight<Step>> there_;  // the same
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t most_flights_ = 0;
};

/// One mission's flights.
struct Fleet {
  Fleet(const FlightMember& it, std::vector<std::int32_t> its_numbers, std::size_t first)
      : member(it), numbers(std::move(its_numbers)), first_flight(first) {}

  const FlightMember& member;
  std::vector<std::int32_t> numbers;
  std::size_t first_flight;  ///< of all flights
  enum class Is { to_depart, under_way, over } is = Is::to_depart;
  std::optional<Ensemble<>> ensemble;
  std::optional<TrajectoryAccumulator> accumulator;
  // In the log as it is filled at the moment.
  std::size_t first_step = 0;
  std::size_t steps = 0;
  std::size_t turns = 0;  ///< that it flew in, in all
  std::exception_ptr failure;

  const Mission& mission() const { return *member.mission; }
};

/// Points on the device, which come over as often as the log is full.
class DeviceLog {
 public:
  DeviceLog(std::size_t steps, std::size_t flights, const DeviceStream& stream)
      : there_(steps, flights), here_(steps, flights), flights_(flights) {
    // What flights that have ended leave unwritten comes over too.
    const std::size_t points = steps * flights;
    set_to_zero(there_.x, points, stream);
    set_to_zero(there_.y, points, stream);
    set_to_zero(there_.energy, points, stream);
    set_to_zero(there_.harvested, points, stream);
    set_to_zero(there_.action, points, stream);
  }
  FlightLogView of(const Fleet& fleet) { return there_.view().from(0, fleet.first_flight); }
  std::size_t logged() const { return logged_; }

  void add_step(std::deque<Fleet>& fleets, const DeviceStream& stream) {
    if (++logged_ == there_.steps()) flush(fleets, stream);
  }

  /// Enters what has been logged in the books.
  void flush(std::deque<Fleet>& fleets, const DeviceStream& stream) {
    const std::size_t points = logged_ * flights_;
    fetch_part(here_.x, there_.x, points, stream);
    fetch_part(here_.y, there_.y, points, stream);
    fetch_part(here_.energy, there_.energy, points, stream);
    fetch_part(here_.harvested, there_.harvested, points, stream);
    fetch_part(here_.action, there_.action, points, stream);
    stream.synchronize();
    std::vector<TrajectoryAccumulator::Part> parts;
    for (Fleet& fleet : fleets) {
      if (fleet.steps == 0) continue;
      parts.push_back({&*fleet.accumulator, here_.view().from(fleet.first_step, fleet.first_flight),
                       fleet.steps});
      fleet.steps = 0;
    }
    TrajectoryAccumulator::append(parts, fleets.front().member.options.threads);
    logged_ = 0;
  }

 private:
  template <class T>
  static void set_to_zero(DeviceArray<T>& values, std::size_t count, const DeviceStream& stream) {
    TIDEWISE_CUDA_CHECK(cudaMemsetAsync(values.data(), 0, count * sizeof(T), native(stream)));
  }
  template <class T>
  static void fetch_part(PinnedArray<T>& here, const DeviceArray<T>& there, std::size_t count,
                         const DeviceStream& stream) {
    copy_bytes(MemorySpace::pinned, here.data(), MemorySpace::device, there.data(),
               count * sizeof(T), stream);
  }

  FlightLog<MemorySpace::device> there_;
  FlightLog<MemorySpace::pinned> here_;
  std::size_t flights_;
  std::size_t logged_ = 0;
};

/// Advances the fleets of several missions on the device, a level at a time.
class DeviceRollout {
 public:
  DeviceRollout(DeviceEnvironment& environment, const PositionRule& rule,
                const std::vector<Action>& actions, const std::vector<FlightMember>& members)
      : environment_(environment),
        info_(environment.info()),
        rule_(rule),
        actions_(actions),
        members_(members) {
    for (const FlightMember& member : members_) {  // judged before anything is read
      std::vector<std::int32_t> numbers;
      std::exception_ptr failure;
      try {
        numbers = flight_numbers(info_, member.options);
      } catch (const InputError&) {
        failure = std::current_exception();
      }
      Fleet& fleet = fleets_.emplace_back(member, std::move(numbers), flights_);
      fleet.failure = failure;
      if (failure) {
        fleet.is = Fleet::Is::over;
        continue;
      }
      flights_ += fleet.numbers.size();
      const Mission& mission = fleet.mission();
      first_ = nobody_ ? mission.departure : std::min(first_, mission.departure);
      last_ = nobody_ ? mission.last : std::max(last_, mission.last);
      nobody_ = false;
    }
  }

  std::vector<MemberFlights> run(Progress& progress) {
    if (!nobody_) {
      environment_.begin(levels_between(first_, last_));
      const WaitAtEnd wait(stream_);
      progress.begin("flying", last_.value - first_.value, "levels");
      const LevelView first = environment_.next(stream_);
      depart(first_, first);
      if (!over()) fly(first, progress);
      environment_.release(stream_);
      environment_.finish();
      progress.end();
    }
    std::vector<MemberFlights> flown;
    for (Fleet& fleet : fleets_) {
      MemberFlights& of_member = flown.emplace_back();
      of_member.failure = fleet.failure;
      if (fleet.failure) continue;
      of_member.rollout =
          fleet.accumulator->close(*fleet.ensemble, fleet.member.options.mode, fleet.mission());
    }
    return flown;
  }

 private:
  bool over() const {
    return std::all_of(fleets_.begin(), fleets_.end(),
                       [](const Fleet& fleet) { return fleet.is == Fleet::Is::over; });
  }

  void prepare() {
    std::vector<PlanningProblem> problems;
    std::vector<const PolicySource*> policies;
    for (const FlightMember& member : members_) {
      problems.push_back({actions_, *member.mission, rule_});
      policies.push_back(member.policy);
    }
    const RolloutOptions& options = members_.front().options;
    tables_.emplace(info_, problems);
    policies_.emplace(policies, actions_.size(), static_cast<std::size_t>(info_.grid.cell_count()),
                      options.threads);
    continuous_.emplace(members_.size());
    chain_.emplace(members_.size());
    up_to_ = upload(summed_weights(info_, rule_), stream_);
    coefficients_.emplace(info_.mode_count, info_.realization_count);
    const auto steps = static_cast<std::size_t>(last_.value - first_.value);
    under_way_here_ = PinnedArray<std::uint32_t>(steps * fleets_.size(), 0);
    copy(under_way_, under_way_here_, stream_);
    there_.emplace(flights_);
    log_.emplace(log_steps(options.log_memory, flights_, steps), flights_, stream_);
  }

  /// Those whose departure the level is, whose fields are `level`.
  void depart(TimeLevel k, const LevelView& level) {
    std::vector<std::uint8_t> masked;
    for (Fleet& fleet : fleets_) {
      if (fleet.is != Fleet::Is::to_depart || fleet.mission().departure != k) continue;
      if (masked.empty()) masked = fetch_all(level.masked);
      const RolloutOptions& options = fleet.member.options;
      fleet.ensemble.emplace(
          tidewise::depart(info_, fleet.mission(), options.mode, fleet.numbers,
                           masked[static_cast<std::size_t>(fleet.mission().start.value)]));
      fleet.accumulator.emplace(actions_, *fleet.ensemble, options.threads);
      fleet.is = Fleet::Is::over;
      if (fleet.numbers.empty()) continue;
      if (fleet.ensemble->state[0] != StepOutcome::under_way) continue;  // they all start alike
      if (!tables_) prepare();
      fleet.is = Fleet::Is::under_way;
      send(there_->number, fleet.ensemble->number, fleet);
      send(there_->vehicle, fleet.ensemble->vehicle, fleet);
      send(there_->state, fleet.ensemble->state, fleet);
    }
  }

  template <class T>
  std::vector<std::remove_const_t<T>> fetch_all(View<T> there) {
    std::vector<std::remove_const_t<T>> here(there.size);
    copy_bytes(MemorySpace::host, here.data(), MemorySpace::device, there.data,
               there.size * sizeof(T), stream_);
    stream_.synchronize();
    return here;
  }

  template <class T>
  void send(DeviceArray<T>& there, const Array<T>& here, const Fleet& fleet) {
    copy_bytes(MemorySpace::device, there.data() + fleet.first_flight, MemorySpace::host,
               here.data(), here.size() * sizeof(T), stream_);
  }
  template <class T>
  void bring(Array<T>& here, const DeviceArray<T>& there, const Fleet& fleet) {
    copy_bytes(MemorySpace::host, here.data(), MemorySpace::device,
               there.data() + fleet.first_flight, here.size() * sizeof(T), stream_);
  }

  /// From the first departure, whose fields are `next`, until no flight is under way. The last
  /// level that it looked at is still held then.
  void fly(LevelView next, Progress& progress) {
    if (!tables_) prepare();
    for (TimeLevel k = first_; k < last_ && !over(); ++k.value) {
      policies_->begin();
      if (policies_->done() > 0) judge(policies_->done() - 1);
      turns_.push_back(read_policies(k));
      if (over()) break;
      const LevelView now = next;
      next = environment_.next(stream_);
      step(k, now, next);
      environment_.release(stream_);
      policies_->end(stream_);
      log_->add_step(fleets_, stream_);
      const TimeLevel after(k.value + 1);
      depart(after, next);
      for (Fleet& fleet : fleets_) {
        if (fleet.mission().last == after) fleet.is = Fleet::Is::over;
      }
      progress.advance_to(after.value - first_.value);
    }
    log_->flush(fleets_, stream_);
    for (Fleet& fleet : fleets_) {
      if (fleet.turns == 0) continue;
      bring(fleet.ensemble->vehicle, there_->vehicle, fleet);
      bring(fleet.ensemble->state, there_->state, fleet);
    }
    stream_.synchronize();
  }

  /// Who was still under way after a turn that the device is done with.
  void judge(std::size_t turn) {
    for (const std::size_t m : turns_[turn]) {
      if (under_way_here_[turn * fleets_.size() + m] == 0) fleets_[m].is = Fleet::Is::over;
    }
  }

  /// Reads the policies of all that may be under way, and tells who they are. One that cannot be
  /// read fails those that follow it, if any flight of theirs goes on.
  std::vector<std::size_t> read_policies(TimeLevel k) {
    std::vector<std::size_t> at_work;
    for (std::size_t m = 0; m < fleets_.size(); ++m) {
      if (fleets_[m].is == Fleet::Is::under_way) at_work.push_back(m);
    }
    policies_->read_policies(k, at_work, stream_);
    std::erase_if(at_work, [&](std::size_t m) {
      if (!policies_->failure(m)) return false;
      Fleet& fleet = fleets_[m];
      fleet.is = Fleet::Is::over;
      stream_.synchronize();
      const bool ended =
          fleet.turns > 0 && under_way_here_[(turns_.size() - 1) * fleets_.size() + m] == 0;
      if (!ended) fleet.failure = policies_->failure(m);
      return true;
    });
    return at_work;
  }

  void step(TimeLevel k, const LevelView& now, const LevelView& next) {
    continuous_->begin(policies_->place());
    chain_->begin(policies_->place());
    const std::size_t first_flag = (turns_.size() - 1) * fleets_.size();
    for (const std::size_t m : turns_.back()) {
      Fleet& fleet = fleets_[m];
      if (fleet.steps++ == 0) fleet.first_step = log_->logged();
      ++fleet.turns;
      const StepContext context = make_step_context(info_, fleet.mission(), k, now, next,
                                                    tables_->of(m, policies_->policy(m)));
      add(fleet, k, context, under_way_.data() + first_flag + m);
    }
    if (!continuous_->empty()) continuous_->fly(stream_);
    if (!chain_->empty()) {
      coefficients_->make(now, DisplacementScale(info_.grid, info_.time), rule_, stream_);
      chain_->fly(stream_);
    }
    copy_bytes(MemorySpace::pinned, under_way_here_.data() + first_flag, MemorySpace::device,
               under_way_.data() + first_flag, fleets_.size() * sizeof(std::uint32_t), stream_);
  }

  void add(const Fleet& fleet, TimeLevel k, const StepContext& context, std::uint32_t* under_way) {
    const RolloutOptions& options = fleet.member.options;
    const auto part = [&](auto& of_all) {
      return of_all.view().part(fleet.first_flight, fleet.numbers.size());
    };
    const EnsembleView ensemble{part(there_->number), part(there_->vehicle), part(there_->state)};
    const FlightLogView log = log_->of(fleet);
    if (options.mode == RolloutMode::continuous) {
      continuous_->add({{context}, k, ensemble, log, log_->logged()}, under_way);
    } else {
      const ChainStep chain{
          context,
          DisplacementScale(info_.grid, info_.time),
          rule_,
          coefficients_->mode_scale(),
          {Philox(options.seed), counting_total(info_, rule_), std::as_const(up_to_).view()}};
      chain_->add({chain, k, ensemble, log, log_->logged()}, under_way);
    }
  }

  DeviceEnvironment& environment_;
  const EnvironmentInfo& info_;
  PositionRule rule_;
  const std::vector<Action>& actions_;
  const std::vector<FlightMember>& members_;
  std::deque<Fleet> fleets_;  // (member)
  std::size_t flights_ = 0;   // of all
  bool nobody_ = true;
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
  std::optional<Ensemble<MemorySpace::device>> there_;  // flights of one member after the other
  std::optional<DeviceLog> log_;
  DeviceArray<std::uint32_t> under_way_;       // (turn, member), 1: flights go on after it
  PinnedArray<std::uint32_t> under_way_here_;  // (turn, member)
};

}  // namespace

std::vector<MemberFlights> fly_policies_on_device(DeviceEnvironment& environment,
                                                  const PositionRule& rule,
                                                  const std::vector<Action>& actions,
                                                  const std::vector<FlightMember>& members,
                                                  Progress& progress) {
  return DeviceRollout(environment, rule, actions, members).run(progress);
}

RolloutResult fly_on_device(DeviceEnvironment& environment, const PlanningProblem& problem,
                            const PolicySource& policy, const RolloutOptions& options,
                            Progress& progress) {
  const std::vector<FlightMember> one{{&problem.mission, &policy, options}};
  auto flown = fly_policies_on_device(environment, problem.rule, problem.actions, one, progress);
  if (flown.front().failure) std::rethrow_exception(flown.front().failure);
  return std::move(flown.front().rollout);
}

}  // namespace tidewise
