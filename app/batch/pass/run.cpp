#include "app/batch/pass/run.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "app/batch/file/mission_identity.h"
#include "app/batch/pass/mission_writer.h"
#include "app/batch/pass/plan.h"
#include "app/batch/pass/ready_mission.h"
#include "app/batch/pass/solve_sink.h"
#include "app/cli/interruption.h"
#include "base/error.h"
#include "base/memory/device.h"
#include "base/parallel/start_thread.h"
#include "output/run/attributes.h"
#include "planner/backend/problem_estimate.h"
#include "planner/run/run_mission.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

class PassRun {
 public:
  PassRun(const PassOrder& order, PassProgress& progress, RowSink& rows)
      : order_(order), progress_(progress), rows_(rows) {}

  void run() {
    std::size_t places =
        0;  // maximum number of via points of a mission: each leg is a pass over the levels
    for (const auto& solve : order_.solves) {
      places = std::max(places, solve.front().request.goal.via.size());
    }
    if (open()) {
      progress_.begin_stage(counting_work(order_.levels, order_.solves.size()),
                            static_cast<int>(places) + 1);
      for (const auto& solve : order_.solves) make_ready(solve);
      if (!solves_.empty() && count()) {
        evaluate();
        fly_and_write();
      }
    }
    progress_.complete(order_.work());
  }

 private:
  /// Says that a mission failed, unless something else than the mission is to blame.
  void fail(std::size_t mission, const std::exception& error) {
    throw_if_interrupted();
    throw_if_device_lost(error.what());
    rows_.take(failed_row(mission, error));
  }

  static void throw_if_interrupted() {
    if (interruption_asked()) throw RunError("interrupted");
  }

  void throw_if_device_lost(const std::string& reason) const {
    if (!on_device_) return;
    try {
      wait_for_device();
    } catch (const std::exception&) {
      throw DeviceLost(reason);
    }
  }

  bool open() {
    const RunRequest& first = order_.solves.front().front().request;
    try {
      environment_ = environment_identity(first.environment);
      context_ = std::make_shared<PlanningContext>(first);
      take_backend();
      const auto threads = static_cast<std::size_t>(context_->backend().threads);
      // Beside it the policies' pool, those that write, and one that reads.
      prepare_threads(threads, threads + writer_threads().all() + 1);
      pool_.emplace(threads, order_.waiting);
      return true;
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& error) {
      for (const auto& solve : order_.solves) {
        for (const auto& mission : solve) fail(mission.index, error);
      }
      return false;
    }
  }

  /// Without what it is to compute on, a worker fails, and not its missions.
  void take_backend() {
    try {
      on_device_ = context_->backend().kind == BackendKind::cuda;
    } catch (const std::exception& error) {
      throw DeviceLost(error.what());
    }
  }

  void make_ready(const std::vector<OrderedMission>& missions) {
    ReadySolve solve;
    for (const auto& mission : missions) {
      try {
        auto run = std::make_unique<MissionProblem>(mission.request, context_);
        auto folder = std::make_unique<RunFolder>(run->request.output.directory);
        RunSummary summary = begin_summary(*run);
        solve.missions.push_back({&mission, std::move(run), std::move(folder), std::move(summary)});
      } catch (const std::exception& error) {
        fail(mission.index, error);
      }
    }
    if (solve.missions.empty()) return;
    try {
      make_sink(solve);
      solves_.push_back(std::move(solve));
    } catch (const std::exception& error) {
      fail_all(solve, error);
    }
  }

  /// In place of one that was there.
  void make_sink(ReadySolve& solve) {
    solve.sink.reset();
    std::vector<TimeLevel> departures;
    for (const auto& mission : solve.missions) {
      for (const TimeLevel k : departure_levels(mission.run->mission)) departures.push_back(k);
    }
    const ReadyMission& leader = solve.missions.front();
    solve.sink = std::make_unique<SolveSink>(*leader.run, leader.folder->staging() / "policy.h5",
                                             order_.policies, departures, *pool_);
  }

  /// Fails those that have no row yet.
  void fail_all(ReadySolve& solve, const std::exception& error) {
    for (auto& mission : solve.missions) fail(mission, error);
  }
  void fail(ReadyMission& mission, const std::exception& error) {
    if (mission.state == ReadyMission::State::ended) return;
    fail(mission.asked->index, error);
    mission.state = ReadyMission::State::ended;
  }

  static GroupMember member_of(const ReadySolve& solve) {
    return {&solve.missions.front().run->mission, solve.sink.get()};
  }

  GroupReport solve_together() {
    std::vector<GroupMember> members;
    for (const auto& solve : solves_) members.push_back(member_of(solve));
    try {
      return context_->planner().solve_group(members, progress_);
    } catch (const InputError&) {
      // A level that cannot be used may be no matter for missions that end before it, and a flow
      // that is too strong none for those whose target it is in.
      if (solves_.size() > 1) return solve_apart();
      throw;
    }
  }

  GroupReport solve_apart() {
    GroupReport report;
    for (auto& solve : solves_) {
      report.failure.emplace_back();
      try {
        make_sink(solve);
        const GroupReport one = context_->planner().solve_group({member_of(solve)}, progress_);
        report.all += one.all;
        report.failure.back() = one.failure.front();
      } catch (const std::exception& error) {
        throw_if_interrupted();
        throw_if_device_lost(error.what());
        report.failure.back() = std::current_exception();
      }
    }
    return report;
  }

  /// Solves them all; those that failed are out afterwards.
  bool count() {
    const Stopwatch solving;
    try {
      report_ = solve_together();
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& error) {
      for (auto& solve : solves_) fail_all(solve, error);
      return false;
    }
    throw_if_interrupted();  // solvers keep what ended a member
    seconds_ = solving.seconds();
    std::vector<ReadySolve> solved;
    for (std::size_t i = 0; i < solves_.size(); ++i) {
      try {
        if (report_.failure[i]) std::rethrow_exception(report_.failure[i]);
        solves_[i].sink->begin_completing();
        solved.push_back(std::move(solves_[i]));
      } catch (const std::exception& error) {
        fail_all(solves_[i], error);
      }
    }
    solves_ = std::move(solved);
    solved_ = solves_.size();
    for (const auto& solve : solves_) missions_ += solve.missions.size();
    return true;
  }

  /// Evaluates them all together; missions that failed have their row afterwards.
  void evaluate() {
    std::vector<ReadyMission*> missions;
    std::vector<EvaluationMember> members;
    for (auto& solve : solves_) add_to_evaluate(solve, missions, members);
    progress_.begin_stage(evaluating_work(order_.levels, missions_), 1);
    const Stopwatch evaluating;
    std::vector<MemberOutcome> outcomes;
    try {
      outcomes = context_->planner().evaluate_group(members, progress_);
    } catch (const std::exception& error) {
      throw_if_interrupted();
      throw_if_device_lost(error.what());
      return;  // each by itself then, as it flies
    }
    const double share =
        evaluating.seconds() / static_cast<double>(std::max(members.size(), std::size_t{1}));
    for (std::size_t m = 0; m < missions.size(); ++m) {
      try {
        if (outcomes[m].failure) std::rethrow_exception(outcomes[m].failure);
        missions[m]->summary.expected = outcomes[m].expected;
        missions[m]->summary.seconds.evaluate = share;
      } catch (const std::exception& error) {
        fail(*missions[m], error);
      }
    }
  }

  static void add_to_evaluate(ReadySolve& solve, std::vector<ReadyMission*>& missions,
                              std::vector<EvaluationMember>& members) {
    try {
      const PolicySource& policy = solve.sink->source();
      for (auto& mission : solve.missions) {
        mission.run->choose_start(policy);
        missions.push_back(&mission);
        members.push_back({&mission.run->mission, &policy});
      }
    } catch (const std::exception&) {  // reported when it is flown
    }
  }

  /// A mission whose policy is being solved.
  struct Flight {
    ReadySolve* solve;
    ReadyMission* mission;
    const PolicySource* policy = nullptr;
    RolloutResult rollout = {};
  };
  using Flights = std::vector<Flight>;

  WriterThreads writer_threads() const {
    std::size_t missions = 0;
    for (const auto& solve : order_.solves) missions += solve.size();
    return {context_->backend().threads, missions};
  }

  /// Missions fly some together, and are written while the next ones fly.
  void fly_and_write() {
    std::vector<Flights> groups = group_flights();
    std::size_t max = 1;
    for (const Flights& group : groups) max = std::max(max, group.size());
    MissionWriter writer(order_.policies, order_.tracks, writer_threads(), max,
                         [this](ReadyMission& mission) { complete(mission); });
    try {
      for (Flights& group : groups) fly(group, writer);
      writer.finish();
    } catch (...) {
      // Flown missions do not depend on the failed ones; after an interruption nothing is awaited.
      writer.leave();
      take_rows(writer);
      throw;
    }
    take_rows(writer);
    throw_if_interrupted();  // the writer has dropped what waited
  }

  /// All missions, in their order, as many together as the memory for flights holds.
  std::vector<Flights> group_flights() {
    std::vector<Flights> groups;
    double held = 0;
    for (ReadySolve& solve : solves_) {
      for (ReadyMission& mission : solve.missions) {
        const Mission& resolved = mission.run->mission;
        const double needed = estimate_flight_memory(
            flight_count(mission.run->rollout), resolved.last.value - resolved.departure.value);
        if (groups.empty() || held + needed > flight_group_memory) {
          groups.emplace_back();
          held = 0;
        }
        held += needed;
        groups.back().push_back({&solve, &mission});
      }
    }
    return groups;
  }

  /// Only this thread passes rows on.
  void take_rows(MissionWriter& writer) {
    for (auto& row : writer.take_rows()) rows_.take(std::move(row));
  }

  void fly(Flights& group, MissionWriter& writer) {
    const Stopwatch flying;
    progress_.begin_stage(flying_work(order_.levels) * static_cast<std::int64_t>(group.size()), 1);
    for (Flight& flight : group) begin(flight);
    fly_together(group);
    note(group);
    for (Flight& flight : group) {
      if (flies(flight))
        unless_it_fails(flight, [&] {
          fly_baselines(*flight.mission->run, flight.rollout, flight.mission->summary, progress_);
        });
    }
    const double share = flying.seconds() / static_cast<double>(group.size());
    for (std::size_t n = 0; n < group.size(); ++n) {
      Flight& flight = group[n];
      if (flight.mission->state != ReadyMission::State::ended) {
        flight.mission->summary.seconds.rollout += share;
        flight.mission->state = ReadyMission::State::flown;
        writer.put(*flight.solve, *flight.mission, std::move(flight.rollout));
      }
      if (flight.mission == &flight.solve->missions.back()) writer.end(*flight.solve);
      take_rows(writer);
    }
  }

  template <class Work>
  void unless_it_fails(Flight& flight, const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      fail(*flight.mission, error);
    }
  }

  void begin(Flight& flight) {
    ReadyMission& mission = *flight.mission;
    if (&mission == &flight.solve->missions.front()) share_seconds(*flight.solve);
    if (mission.state == ReadyMission::State::ended) return;
    unless_it_fails(flight, [&] {
      flight.policy = &flight.solve->sink->source();
      tidewise::evaluate(*mission.run, *flight.policy, mission.summary, progress_);
    });
  }

  static bool flies(const Flight& flight) {
    return flight.mission->state != ReadyMission::State::ended && flight.mission->run->flies();
  }

  void fly_together(Flights& group) {
    std::vector<Flight*> flights;
    std::vector<FlightMember> members;
    for (Flight& flight : group) {
      if (!flies(flight)) continue;
      const MissionProblem& run = *flight.mission->run;
      flights.push_back(&flight);
      members.push_back({&run.mission, flight.policy, run.rollout});
    }
    if (members.empty()) return;
    std::vector<MemberFlights> flown;
    try {
      flown = context_->planner().fly_group(members, progress_);
    } catch (const std::exception& error) {
      throw_if_interrupted();
      throw_if_device_lost(error.what());
      flown = fly_apart(members);  // a level that cannot be used is no matter for all of them
    }
    for (std::size_t n = 0; n < flights.size(); ++n) {
      unless_it_fails(*flights[n], [&] {
        if (flown[n].failure) std::rethrow_exception(flown[n].failure);
        flights[n]->rollout = std::move(flown[n].rollout);
      });
    }
  }

  std::vector<MemberFlights> fly_apart(const std::vector<FlightMember>& members) {
    std::vector<MemberFlights> flown;
    for (const FlightMember& member : members) {
      MemberFlights& one = flown.emplace_back();
      try {
        one = std::move(context_->planner().fly_group({member}, progress_).front());
      } catch (const std::exception& error) {
        throw_if_interrupted();
        throw_if_device_lost(error.what());
        one.failure = std::current_exception();
      }
    }
    return flown;
  }

  /// Computes statistics of the flights, of several missions at a time.
  void note(Flights& group) {
    std::vector<Flight*> flights;
    std::vector<NotedFlights> all;
    for (Flight& flight : group) {
      if (!flies(flight)) continue;
      flights.push_back(&flight);
      all.push_back({flight.mission->run.get(), &flight.rollout, &flight.mission->summary});
    }
    // Others pack and write while reasons are looked for.
    const std::int32_t threads = context_->backend().threads;
    const auto failures = note_flights(all, threads, std::max(1, threads / 4));
    for (std::size_t n = 0; n < flights.size(); ++n) {
      if (failures[n]) unless_it_fails(*flights[n], [&] { std::rethrow_exception(failures[n]); });
    }
  }

  /// The pass belongs to all its missions alike.
  void share_seconds(ReadySolve& solve) {
    const auto share = 1.0 / static_cast<double>(missions_);
    for (auto& mission : solve.missions) {
      RunSeconds& seconds = mission.summary.seconds;
      seconds.read = share * report_.all.read_seconds;
      seconds.solve = share * std::max(0.0, seconds_ - report_.all.read_seconds);
      mission.summary.problem.rows =
          solve.sink->decided() * static_cast<std::int64_t>(mission.run->actions.size());
      mission.summary.problem.transitions =
          mission.summary.problem.rows * mission.summary.problem.realizations;
    }
  }

  void complete(ReadyMission& mission) const {
    RunSummary& summary = mission.summary;
    tidewise::complete(*mission.run, summary);
    RunSeconds& seconds = summary.seconds;
    seconds.total = seconds.prepare + seconds.read + seconds.solve + seconds.evaluate +
                    seconds.rollout + seconds.write;
    const Mission& resolved = mission.run->mission;
    const Units units = mission.run->info().units;
    const bool metric = units == Units::metric;
    summary.batch = {
        {"identity", identity_of(mission.asked->request)},
        {"environment", environment_},
        {"start", {resolved.start_x, resolved.start_y}},
        {"target", {resolved.target_x, resolved.target_y}},
        {"units",
         {{"length", metric ? "m" : "1"},
          {"time", metric ? "s" : "1"},
          {"energy", energy_units(resolved.energy, units)}}},
        {"pass", {{"missions", missions_}, {"solves", solved_}, {"seconds", seconds_}}}};
  }

  const PassOrder& order_;
  PassProgress& progress_;
  RowSink& rows_;
  Json environment_;
  std::shared_ptr<PlanningContext> context_;
  bool on_device_ = false;
  std::optional<PolicyPool> pool_;  // before what uses it
  std::vector<ReadySolve> solves_;
  GroupReport report_;
  double seconds_ = 0;        // time of counting and backups [s]
  std::size_t missions_ = 0;  // number of solved missions
  std::size_t solved_ = 0;
};

}  // namespace

void run_pass(const PassOrder& order, PassProgress& progress, RowSink& rows) {
  PassRun(order, progress, rows).run();
}

}  // namespace tidewise
