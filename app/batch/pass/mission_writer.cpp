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
    ++at_work_;
  }
  pool_.run([this, piece = std::move(work)] {
    error_.run(piece);
    const std::lock_guard lock(mutex_);
    --at_work_;
    done_.notify_all();
  });
}

void MissionWriter::put(ReadySolve& solve, ReadyMission& mission, RolloutResult rollout) {
  // Given back when the mission is written, or dropped.
  auto place = std::make_shared<ByteBudget::Share>(room_.take(1));
  {
    const std::lock_guard lock(mutex_);
    ++open_.try_emplace(&solve, 1).first->second;  // the one at first is end()'s
  }
  run([this, &solve, &mission, place, flown = std::move(rollout)] {
    if (!interruption_asked()) write(mission, flown);
    if (is_last(solve)) conclude(solve);
  });
}

void MissionWriter::end(ReadySolve& solve) {
  {
    const std::lock_guard lock(mutex_);
    open_.try_emplace(&solve, 1);
  }
  if (is_last(solve)) run([this, &solve] { conclude(solve); });
}

bool MissionWriter::is_last(const ReadySolve& solve) {
  const std::lock_guard lock(mutex_);
  return --open_.at(&solve) == 0;
}

void MissionWriter::wait() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return at_work_ == 0; });
}

void MissionWriter::finish() {
  wait();
  error_.rethrow();
}

// The failure that is known already is the one to report.
void MissionWriter::leave() noexcept { wait(); }

std::vector<BatchRow> MissionWriter::take_rows() {
  const std::lock_guard lock(mutex_);
  return std::exchange(rows_, {});
}

void MissionWriter::write(ReadyMission& mission, const RolloutResult& rollout) {
  try {
    write_flights(*mission.run, rollout, mission.folder->staging(), mission.summary, packers_,
                  tracks_);
  } catch (const std::exception& error) {
    fail(mission, error);
  }
}

void MissionWriter::conclude(ReadySolve& solve) {
  if (interruption_asked()) return;
  ReadyMission& leader = solve.missions.front();
  try {
    const double waited = solve.sink->waited_seconds();
    solve.sink->finish();
    leader.summary.seconds.write += solve.sink->waited_seconds() - waited;
  } catch (const std::exception& error) {  // the policy itself
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
      if (!interruption_asked()) {
        commit(*mission, solve.missions.front().folder->staging() / "policy.h5");
      }
      if (is_last(solve)) close(solve);
    });
  }
}

/// The policy leaves the first mission's folder when all others have theirs.
void MissionWriter::close(ReadySolve& solve) {
  if (interruption_asked()) return;
  ReadyMission& leader = solve.missions.front();
  if (leader.state == ReadyMission::State::flown) {
    commit(leader, leader.folder->staging() / "policy.h5");
  }
  solve.sink.reset();  // its memory is for the next ones
  solve.missions.clear();
}

void MissionWriter::commit(ReadyMission& mission, const std::filesystem::path& policy) {
  try {
    const Stopwatch writing;
    const auto own = mission.folder->staging() / "policy.h5";
    if (policies_ != PolicyFiles::none && own != policy) {
      copy_policy(policy, own, mission.run->echo);
    }
    SilentProgress silent;
    for (const std::string& warning :
         export_finished_run(mission.folder->staging(), mission.folder->path(),
                             mission.run->request.output.formats, packers_, silent)) {
      mission.summary.warnings.push_back(warning);
    }
    if (policies_ == PolicyFiles::none) std::filesystem::remove(own);
    mission.summary.seconds.write += writing.seconds();
    complete_(mission);
    write_summary(mission.folder->staging() / "summary.json", mission.summary);
    mission.folder->commit();
  } catch (const std::exception& error) {
    fail(mission, error);
    return;
  }
  mission.state = ReadyMission::State::ended;
  give({mission.asked->index, MissionStatus::done, "", to_json(mission.summary)});
}

void MissionWriter::fail(ReadyMission& mission, const std::exception& error) {
  if (mission.state == ReadyMission::State::ended) return;
  mission.state = ReadyMission::State::ended;
  if (interruption_asked()) return;  // it may well be why
  give(failed_row(mission.asked->index, error));
}

void MissionWriter::give(BatchRow row) {
  const std::lock_guard lock(mutex_);
  rows_.push_back(std::move(row));
}

}  // namespace tidewise
