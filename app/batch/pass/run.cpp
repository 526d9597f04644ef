#include "app/batch/pass/run.h"

#include <algorithm>
#include <exception>
#include <iterator>
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
#include "base/parallel/work_beside.h"
#include "output/run/attributes.h"
#include "planner/backend/problem_estimate.h"
#include "planner/run/run_mission.h"
#include "solver/fly/battery.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

class PassRun {
 public:
  PassRun(const PassRequest& request, PassProgress& progress, RowSink& rows)
      : request_(request), progress_(progress), rows_(rows) {}

  void run() {
    std::size_t max_via = 0;  // each via point adds a pass over the levels
    for (const auto& solve : request_.solves) {
      max_via = std::max(max_via, solve.front().request.goal.via.size());
    }
    if (open()) {
      progress_.begin_stage(counting_work(request_.levels, request_.solves.size()),
                            static_cast<int>(max_via) + 1);
      for (const auto& solve : request_.solves) make_ready(solve);
      if (!solves_.empty() && count_and_solve()) fly_and_write();
    }
    progress_.complete(request_.work());
  }

 private:
  /// Adds the row of a failed mission. Throws instead if the cause is an interruption or a lost
  /// GPU.
  void fail(std::size_t mission, const std::exception& error) {
    throw_if_interrupted();
    throw_if_device_lost(error.what());
    rows_.take(failed_row(mission, error));
  }

  static void throw_if_interrupted() {
    if (interruption_requested()) throw RunError("interrupted");
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
    const RunRequest& first = request_.solves.front().front().request;
    try {
      environment_ = environment_identity(first.environment);
      context_ = std::make_shared<PlanningContext>(PlanningContext::AtOnce(), first);
      take_backend();
      const auto threads = static_cast<std::size_t>(context_->backend().threads);
      // The further threads are the policies' pool, the writers, one reader, and on a GPU the
      // evaluation beside flights.
      const std::size_t evaluating = on_device_ ? threads + 1 : 0;
      prepare_threads(threads, threads + writer_threads().all() + 1 + evaluating);
      pool_.emplace(threads, request_.waiting);
      return true;
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& error) {
      for (const auto& solve : request_.solves) {
        for (const auto& mission : solve) fail(mission.index, error);
      }
      return false;
    }
  }

  /// An unusable backend fails the worker, not its missions.
  void take_backend() {
    try {
      on_device_ = context_->backend().kind == BackendKind::cuda;
    } catch (const std::exception& error) {
      throw DeviceLost(error.what());
    }
  }

  void make_ready(const std::vector<PassMission>& missions) {
    ReadySolve solve;
    for (const auto& mission : missions) {
      try {
        auto problem = std::make_unique<MissionProblem>(mission.request, context_);
        auto folder = std::make_unique<RunFolder>(problem->request.output.directory);
        RunSummary summary = begin_summary(*problem);
        solve.missions.push_back(
            {&mission, std::move(problem), std::move(folder), std::move(summary)});
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

  /// Replaces the sink of an earlier attempt.
  void make_sink(ReadySolve& solve) {
    solve.sink.reset();
    std::vector<TimeLevel> departures;
    for (const auto& mission : solve.missions) {
      for (const TimeLevel k : departure_levels(mission.problem->mission)) departures.push_back(k);
    }
    const ReadyMission& leader = solve.missions.front();
    solve.sink =
        std::make_unique<SolveSink>(*leader.problem, leader.folder->staging() / "policy.h5",
                                    request_.policies, departures, *pool_);
  }

  /// Fails the missions of the solve that have no row yet.
  void fail_all(ReadySolve& solve, const std::exception& error) {
    for (auto& mission : solve.missions) fail(mission, error);
  }
  void fail(ReadyMission& mission, const std::exception& error) {
    if (mission.state == ReadyMission::State::ended) return;
    fail(mission.pass_mission->index, error);
    mission.state = ReadyMission::State::ended;
  }

  static GroupMember member_of(const ReadySolve& solve) {
    return {&solve.missions.front().problem->mission, solve.sink.get()};
  }

  GroupReport solve_together() {
    std::vector<GroupMember> members;
    for (const auto& solve : solves_) members.push_back(member_of(solve));
    try {
      return context_->planner().solve_group(members, progress_);
    } catch (const InputError&) {
      // Missions that end before an unusable level, or whose target contains the cell with too
      // strong a flow, can still be solved.
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
        const GroupReport single = context_->planner().solve_group({member_of(solve)}, progress_);
        report.all += single.all;
        report.failure.back() = single.failure.front();
      } catch (const std::exception& error) {
        throw_if_interrupted();
        throw_if_device_lost(error.what());
        report.failure.back() = std::current_exception();
      }
    }
    return report;
  }

  /// Counts the transitions and computes the policies. Removes solves that failed. Returns false if
  /// the group failed as a whole.
  bool count_and_solve() {
    const Stopwatch solving;
    try {
      report_ = solve_together();
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& error) {
      for (auto& solve : solves_) fail_all(solve, error);
      return false;
    }
    throw_if_interrupted();  // solvers store an interruption as a member's failure
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
    solve_count_ = solves_.size();
    for (const auto& solve : solves_) solved_mission_count_ += solve.missions.size();
    return true;
  }

  /// The evaluation of all missions together.
  struct Evaluation {
    std::vector<ReadyMission*> missions;
    std::vector<EvaluationMember> members;
    std::vector<MemberOutcome> outcomes;
  };

  /// The evaluation, for which the starts of all missions are chosen.
  Evaluation prepare_evaluation() {
    Evaluation evaluation;
    for (auto& solve : solves_) {
      try {
        const PolicySource& policy = solve.sink->source();
        for (auto& mission : solve.missions) {
          mission.problem->choose_start(policy);
          evaluation.missions.push_back(&mission);
          evaluation.members.push_back({&mission.problem->mission, &policy});
        }
      } catch (const std::exception& error) {
        fail_all(solve, error);
      }
    }
    return evaluation;
  }

  /// Calls `evaluate`, which completes the evaluation; missions that fail get a row.
  template <class Evaluate>
  void take_outcomes(Evaluation& evaluation, const Evaluate& evaluate) {
    progress_.begin_stage(evaluating_work(request_.levels, solved_mission_count_), 1);
    const Stopwatch evaluating;  // only the wait after the flights if it was beside them
    try {
      evaluate();
    } catch (const std::exception& error) {
      throw_if_interrupted();
      throw_if_device_lost(error.what());
      return;  // conclude() then evaluates each mission on its own
    }
    const double share = evaluating.seconds() /
                         static_cast<double>(std::max(evaluation.members.size(), std::size_t{1}));
    for (std::size_t m = 0; m < evaluation.missions.size(); ++m) {
      ReadyMission& mission = *evaluation.missions[m];
      try {
        if (evaluation.outcomes[m].failure) std::rethrow_exception(evaluation.outcomes[m].failure);
        mission.summary.expected = evaluation.outcomes[m].expected;
        mission.summary.seconds.evaluate = share;
      } catch (const std::exception& error) {
        fail(mission, error);
      }
    }
  }

  /// A mission whose flights are simulated together with those of its group.
  struct FlyingMission {
    ReadySolve* solve;
    ReadyMission* mission;
    std::shared_ptr<RolloutResult> flights = std::make_shared<RolloutResult>();
  };
  using FlyingMissions = std::vector<FlyingMission>;

  WriterThreads writer_threads() const {
    std::size_t missions = 0;
    for (const auto& solve : request_.solves) missions += solve.size();
    return {context_->backend().threads, missions};
  }

  /// Flies groups of missions; each group is written while the next one flies. Evaluates all
  /// policies before, or on a GPU at the same time.
  void fly_and_write() {
    Evaluation evaluation = prepare_evaluation();
    const auto evaluate = [&, &planner = context_->planner()](Progress& progress) {
      evaluation.outcomes = planner.evaluate_group(evaluation.members, progress);
    };
    std::vector<FlyingMissions> groups = group_flights();
    std::size_t room = writer_threads().writers;
    for (const FlyingMissions& group : groups) room = std::max(room, group.size());
    std::optional<WorkBeside> evaluating;
    if (evaluates_beside(groups)) {
      evaluating.emplace("evaluating", evaluate);
    } else {
      take_outcomes(evaluation, [&] { evaluate(progress_); });
    }
    MissionWriter writer(request_.policies, request_.tracks, writer_threads(), room,
                         [this](ReadyMission& mission) { complete(mission); });
    try {
      for (FlyingMissions& group : groups) {
        fly(group, writer);
        if (!evaluating) conclude(group, writer);
      }
      if (evaluating) {
        take_outcomes(evaluation, [&] { evaluating->finish(progress_); });
        FlyingMissions all;
        for (FlyingMissions& group : groups)
          std::move(group.begin(), group.end(), std::back_inserter(all));
        conclude(all, writer);
      }
      writer.finish();
    } catch (...) {
      // Missions that are complete are still written. After an interruption, queued ones are
      // dropped.
      evaluating.reset();
      writer.finish_after_failure();
      take_rows(writer);
      throw;
    }
    take_rows(writer);
    throw_if_interrupted();  // the writer has dropped queued missions
  }

  /// Groups all missions, in their order, by the memory for their flights. On a GPU, which flies
  /// faster than missions are written, divides many missions into several groups, so that one can
  /// be written while the next one flies.
  std::vector<FlyingMissions> group_flights() {
    std::vector<FlyingMissions> groups;
    double group_memory = 0;
    constexpr std::size_t parts = 4;
    const std::size_t part = (solved_mission_count_ + parts - 1) / parts;
    const bool is_divided = on_device_ && part >= writer_threads().writers;
    for (ReadySolve& solve : solves_) {
      for (ReadyMission& mission : solve.missions) {
        const double needed = flight_memory(*mission.problem);
        if (groups.empty() || group_memory + needed > flight_group_memory ||
            (is_divided && groups.back().size() == part)) {
          groups.emplace_back();
          group_memory = 0;
        }
        group_memory += needed;
        groups.back().push_back({&solve, &mission});
      }
    }
    return groups;
  }

  /// Memory of a mission's flights [B].
  double flight_memory(const MissionProblem& problem) const {
    const Mission& mission = problem.mission;
    return estimate_flight_memory(flight_count(problem.rollout),
                                  mission.last.value - mission.departure.value,
                                  tracks_to_keep(mission, request_.tracks));
  }

  /// True if policies can be evaluated while missions fly. Then the flights of all groups stay in
  /// memory until the evaluation ends.
  bool evaluates_beside(const std::vector<FlyingMissions>& groups) const {
    std::vector<const Mission*> missions;
    std::size_t flights = 0;  // of the largest group
    double memory = 0;
    for (const FlyingMissions& group : groups) {
      std::size_t of_group = 0;
      for (const FlyingMission& flying : group) {
        missions.push_back(&flying.mission->problem->mission);
        of_group += flying.mission->problem->max_flights();
        memory += flight_memory(*flying.mission->problem);
      }
      flights = std::max(flights, of_group);
    }
    return memory <= flight_group_memory &&
           context_->planner().evaluates_beside_flights(missions, flights);
  }

  /// Forwards rows, which only this thread may do.
  void take_rows(MissionWriter& writer) {
    for (auto& row : writer.take_rows()) rows_.take(std::move(row));
  }

  void fly(FlyingMissions& group, MissionWriter& writer) {
    const Stopwatch stopwatch;
    progress_.begin_stage(flying_work(request_.levels) * static_cast<std::int64_t>(group.size()),
                          1);
    fly_together(group);
    add_rollout_seconds(group, stopwatch.seconds());
    for (FlyingMission& flying : group) {
      if (flies(flying)) writer.put(*flying.solve, *flying.mission, flying.flights);
      take_rows(writer);
    }
  }

  /// Adds what follows from evaluation and flights, and hands complete missions to the writer.
  void conclude(FlyingMissions& group, MissionWriter& writer) {
    const Stopwatch stopwatch;
    for (FlyingMission& flying : group) {
      if (flying.mission == &flying.solve->missions.front()) share_seconds(*flying.solve);
      if (flying.mission->state == ReadyMission::State::ended) continue;
      fail_on_error(flying, [&] {
        tidewise::evaluate(*flying.mission->problem, flying.solve->sink->source(),
                           flying.mission->summary, progress_);
      });
    }
    compute_statistics(group);
    for (FlyingMission& flying : group) {
      if (!flies(flying)) continue;
      fail_on_error(flying, [&] {
        fly_baselines(*flying.mission->problem, *flying.flights, flying.mission->summary,
                      progress_);
      });
    }
    add_rollout_seconds(group, stopwatch.seconds());
    for (FlyingMission& flying : group) {
      flying.flights.reset();
      if (flying.mission->state != ReadyMission::State::ended) {
        flying.mission->state = ReadyMission::State::flown;
      }
      if (flying.mission == &flying.solve->missions.back()) writer.end(*flying.solve);
      take_rows(writer);
    }
  }

  /// Divides the time of a group equally among its missions.
  static void add_rollout_seconds(const FlyingMissions& group, double seconds) {
    for (const FlyingMission& flying : group) {
      flying.mission->summary.seconds.rollout += seconds / static_cast<double>(group.size());
    }
  }

  template <class Work>
  void fail_on_error(FlyingMission& flying, const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      fail(*flying.mission, error);
    }
  }

  static bool flies(const FlyingMission& flying) {
    return flying.mission->state != ReadyMission::State::ended && flying.mission->problem->flies();
  }

  void fly_together(FlyingMissions& group) {
    std::vector<FlyingMission*> flying_missions;
    std::vector<FlightMember> members;
    for (FlyingMission& flying : group) {
      if (!flies(flying)) continue;
      const MissionProblem& problem = *flying.mission->problem;
      flying_missions.push_back(&flying);
      members.push_back({&problem.mission, &flying.solve->sink->source(), problem.rollout});
      members.back().options.tracks = request_.tracks;
    }
    if (members.empty()) return;
    std::vector<MemberFlights> flown;
    try {
      flown = context_->planner().fly_group(members, progress_);
    } catch (const std::exception& error) {
      throw_if_interrupted();
      throw_if_device_lost(error.what());
      flown = fly_apart(members);  // an unusable level does not concern all missions
    }
    for (std::size_t n = 0; n < flying_missions.size(); ++n) {
      fail_on_error(*flying_missions[n], [&] {
        if (flown[n].failure) std::rethrow_exception(flown[n].failure);
        *flying_missions[n]->flights = std::move(flown[n].rollout);
      });
    }
  }

  std::vector<MemberFlights> fly_apart(const std::vector<FlightMember>& members) {
    std::vector<MemberFlights> flown;
    for (const FlightMember& member : members) {
      MemberFlights& single = flown.emplace_back();
      try {
        single = std::move(context_->planner().fly_group({member}, progress_).front());
      } catch (const std::exception& error) {
        throw_if_interrupted();
        throw_if_device_lost(error.what());
        single.failure = std::current_exception();
      }
    }
    return flown;
  }

  /// Computes statistics of the flights, of several missions at a time.
  void compute_statistics(FlyingMissions& group) {
    std::vector<FlyingMission*> flying_missions;
    std::vector<SummarizedFlights> all;
    for (FlyingMission& flying : group) {
      if (!flies(flying)) continue;
      flying_missions.push_back(&flying);
      all.push_back(
          {flying.mission->problem.get(), flying.flights.get(), &flying.mission->summary});
    }
    // Only a quarter of the threads reads levels, because the writer's threads compress and write
    // at the same time.
    const std::int32_t threads = context_->backend().threads;
    const auto failures = add_flight_statistics(all, threads, std::max(1, threads / 4));
    for (std::size_t n = 0; n < flying_missions.size(); ++n) {
      if (failures[n])
        fail_on_error(*flying_missions[n], [&] { std::rethrow_exception(failures[n]); });
    }
  }

  /// Divides the times of the pass equally among its missions.
  void share_seconds(ReadySolve& solve) {
    const auto share = 1.0 / static_cast<double>(solved_mission_count_);
    for (auto& mission : solve.missions) {
      RunSeconds& seconds = mission.summary.seconds;
      seconds.read = share * report_.all.read_seconds;
      seconds.solve = share * std::max(0.0, seconds_ - report_.all.read_seconds);
      mission.summary.problem.rows =
          solve.sink->decided() * static_cast<std::int64_t>(mission.problem->actions.size());
      mission.summary.problem.transitions =
          mission.summary.problem.rows * mission.summary.problem.realizations;
    }
  }

  void complete(ReadyMission& mission) const {
    RunSummary& summary = mission.summary;
    tidewise::complete(*mission.problem, summary);
    RunSeconds& seconds = summary.seconds;
    seconds.total = seconds.prepare + seconds.read + seconds.solve + seconds.evaluate +
                    seconds.rollout + seconds.write;
    const Mission& resolved = mission.problem->mission;
    const Units units = mission.problem->info().units;
    const bool metric = units == Units::metric;
    summary.batch = {
        {"identity", identity_of(mission.pass_mission->request)},
        {"environment", environment_},
        {"start", {resolved.start_x, resolved.start_y}},
        {"target", {resolved.target_x, resolved.target_y}},
        {"units",
         {{"length", metric ? "m" : "1"},
          {"time", metric ? "s" : "1"},
          {"energy", energy_units(resolved.energy, units)}}},
        {"pass",
         {{"missions", solved_mission_count_}, {"solves", solve_count_}, {"seconds", seconds_}}}};
  }

  const PassRequest& request_;
  PassProgress& progress_;
  RowSink& rows_;
  Json environment_;
  std::shared_ptr<PlanningContext> context_;
  bool on_device_ = false;
  std::optional<PolicyPool> pool_;  // declared before the members that use it
  std::vector<ReadySolve> solves_;
  GroupReport report_;
  double seconds_ = 0;                    // time of counting and backups [s]
  std::size_t solved_mission_count_ = 0;  // number of solved missions
  std::size_t solve_count_ = 0;           // number of solves
};

}  // namespace

void run_pass(const PassRequest& request, PassProgress& progress, RowSink& rows) {
  PassRun(request, progress, rows).run();
}

}  // namespace tidewise
