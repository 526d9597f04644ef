#include "app/batch/pass/mission_writer.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "app/cli/failure.h"
#include "app/cli/interruption.h"
#include "base/stopwatch.h"
#include "output/run/policy_file.h"
#include "planner/route/export.h"
#include "planner/run/run_mission.h"

namespace tidewise {
BatchRow failed_row(std::size_t mission, const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return {mission, MissionStatus::failed,
          memory ? "out of memory; give less memory under [batch], or take fewer threads"
                 : describe_failure(error),
          nullptr};
}

WriterThreads::WriterThreads(std::int32_t threads, std::size_t missions) {
  const auto half = static_cast<std::size_t>(std::max(1, threads / 2));
  writers = std::clamp(missions, std::size_t{1}, half);
  packers = std::max(1, threads / static_cast<std::int32_t>(writers));
}

MissionWriter::MissionWriter(PolicyFiles policies, std::size_t tracks, const WriterThreads& threads,
                             std::size_t room, std::function<void(ReadyMission&)> complete)
    : policies_(policies),
      tracks_(tracks),
      packers_(threads.packers),
      complete_(std::move(complete)),
      room_(room),
      pool_(threads.writers) {}

/// Runs `work` in the pool; finish() waits for it.
void MissionWriter::run(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    ++pieces_in_pool_;
  }
  pool_.run([this, piece = std::move(work)] {
    error_.run(piece);
    const std::lock_guard lock(mutex_);
    --pieces_in_pool_;
    done_.notify_all();
  });
}

void MissionWriter::put(ReadySolve& solve, ReadyMission& mission,
                        std::shared_ptr<const RolloutResult> flights) {
  // Freed when the flights are written or dropped.
  auto share = std::make_shared<ByteBudget::Share>(room_.take(1));
  {
    const std::lock_guard lock(mutex_);
    ++open_.try_emplace(&solve, 1).first->second;  // end() finishes the initial piece
  }
  run([this, &solve, &mission, share, flown = std::move(flights)] {
    if (!interruption_requested()) write(mission, *flown);
    if (finish_piece(solve)) conclude(solve);
  });
}

void MissionWriter::end(ReadySolve& solve) {
  {
    const std::lock_guard lock(mutex_);
    open_.try_emplace(&solve, 1);
  }
  if (finish_piece(solve)) run([this, &solve] { conclude(solve); });
}

bool MissionWriter::finish_piece(const ReadySolve& solve) {
  const std::lock_guard lock(mutex_);
  return --open_.at(&solve) == 0;
}

void MissionWriter::wait() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return pieces_in_pool_ == 0; });
}

void MissionWriter::finish() {
  wait();
  error_.rethrow();
}

// The caller reports the earlier failure.
void MissionWriter::finish_after_failure() noexcept { wait(); }

std::vector<BatchRow> MissionWriter::take_rows() {
  const std::lock_guard lock(mutex_);
  return std::exchange(rows_, {});
}

void MissionWriter::write(ReadyMission& mission, const RolloutResult& flights) {
  try {
    mission.write_seconds = write_flights(*mission.problem, flights, mission.folder->staging(),
                                          mission.summary, packers_, tracks_);
  } catch (const std::exception&) {
    mission.write_failure = std::current_exception();
  }
}

void MissionWriter::conclude(ReadySolve& solve) {
  if (interruption_requested()) return;
  for (ReadyMission& mission : solve.missions) {
    mission.summary.seconds.write += mission.write_seconds;
    try {
      if (mission.write_failure) std::rethrow_exception(mission.write_failure);
    } catch (const std::exception& error) {
      fail(mission, error);
    }
  }
  ReadyMission& leader = solve.missions.front();
  try {
    const double waited = solve.sink->waited_seconds();
    solve.sink->finish();
    leader.summary.seconds.write += solve.sink->waited_seconds() - waited;
  } catch (const std::exception& error) {  // the policy could not be completed
    for (auto& mission : solve.missions) fail(mission, error);
  }
  std::vector<ReadyMission*> followers;
  for (auto& mission : solve.missions) {
    const bool is_flown = mission.state == ReadyMission::State::flown;
    if (is_flown && &mission != &leader) followers.push_back(&mission);
  }
  if (followers.empty()) return close(solve);
  {
    const std::lock_guard lock(mutex_);
    open_[&solve] = followers.size();
  }
  for (ReadyMission* mission : followers) {
    run([this, &solve, mission] {
      if (!interruption_requested()) {
        commit(*mission, solve.missions.front().folder->staging() / "policy.h5");
      }
      if (finish_piece(solve)) close(solve);
    });
  }
}

/// The first mission's folder is committed last, since the others copy its policy.
void MissionWriter::close(ReadySolve& solve) {
  if (interruption_requested()) return;
  ReadyMission& leader = solve.missions.front();
  if (leader.state == ReadyMission::State::flown) {
    commit(leader, leader.folder->staging() / "policy.h5");
  }
  solve.sink.reset();  // frees memory for the next solves
  solve.missions.clear();
}

void MissionWriter::commit(ReadyMission& mission, const std::filesystem::path& policy) {
  try {
    const Stopwatch writing;
    const auto own_policy = mission.folder->staging() / "policy.h5";
    if (policies_ != PolicyFiles::none && own_policy != policy) {
      copy_policy(policy, own_policy, mission.problem->echo);
    }
    SilentProgress silent;
    for (const std::string& warning :
         export_finished_run(mission.folder->staging(), mission.folder->path(),
                             mission.problem->request.output.formats, packers_, silent)) {
      mission.summary.warnings.push_back(warning);
    }
    if (policies_ == PolicyFiles::none) std::filesystem::remove(own_policy);
    mission.summary.seconds.write += writing.seconds();
    complete_(mission);
    write_summary(mission.folder->staging() / "summary.json", mission.summary);
    mission.folder->commit();
  } catch (const std::exception& error) {
    fail(mission, error);
    return;
  }
  mission.state = ReadyMission::State::ended;
  add_row({mission.pass_mission->index, MissionStatus::done, "", to_json(mission.summary)});
}

void MissionWriter::fail(ReadyMission& mission, const std::exception& error) {
  if (mission.state == ReadyMission::State::ended) return;
  mission.state = ReadyMission::State::ended;
  if (interruption_requested()) return;  // it may be the cause
  add_row(failed_row(mission.pass_mission->index, error));
}

void MissionWriter::add_row(BatchRow row) {
  const std::lock_guard lock(mutex_);
  rows_.push_back(std::move(row));
}

}  // namespace tidewise
