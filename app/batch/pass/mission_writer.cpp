#include "app/batch/pass/mission_writer.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "app/cli/failure.h"
#include "app/cli/interruption.h"
#include "base/stopwatch.h"
#include "output/run/policy_file.h"

namespace tidewise {
BatchRow failed_row(std::size_t mission, const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return {mission, MissionStatus::failed,
          memory ? "out of memory; give less memory under [batch], or take fewer threads"
                 : describe_failure(error),
          nullptr};
}

WriterThreads::WriterThreads(std::int32_t threads) {
  constexpr std::int32_t packers_that_help = 4;
  constexpr std::int32_t most_writers = 4;
  const std::int32_t count = std::clamp(threads / packers_that_help, 1, most_writers);
  writers = static_cast<std::size_t>(count);
  packers = std::max(1, threads / count);
}

MissionWriter::MissionWriter(PolicyFiles policies, const WriterThreads& threads, std::size_t room,
                             std::function<void(ReadyMission&)> complete)
    : policies_(policies),
      packers_(threads.packers),
      complete_(std::move(complete)),
      room_(room),
      pool_(threads.writers) {}

Strand& MissionWriter::strand_of(ReadySolve& solve) {
  return strands_.try_emplace(&solve, pool_).first->second;
}

void MissionWriter::put(ReadySolve& solve, ReadyMission& mission, RolloutResult rollout) {
  // Given back when the mission is written, or dropped.
  auto place = std::make_shared<ByteBudget::Share>(room_.take(1));
  strand_of(solve).put([this, &mission, place, flown = std::move(rollout)] {
    if (!interruption_asked()) write(mission, flown);
  });
}

void MissionWriter::end(ReadySolve& solve) {
  strand_of(solve).put([this, &solve] {
    if (!interruption_asked()) conclude(solve);
  });
}

void MissionWriter::finish() {
  for (auto& [solve, strand] : strands_) strand.finish();
}

void MissionWriter::leave() noexcept {
  for (auto& [solve, strand] : strands_) {
    try {
      strand.finish();
    } catch (const std::exception&) {
      // The failure that is known already is the one to be told.
    }
  }
}

std::vector<BatchRow> MissionWriter::take_rows() {
  const std::lock_guard lock(mutex_);
  return std::exchange(rows_, {});
}

void MissionWriter::write(ReadyMission& mission, const RolloutResult& rollout) {
  try {
    mission.run->write(rollout, mission.folder->staging(), mission.summary, packers_);
  } catch (const std::exception& error) {
    fail(mission, error);
  }
}

void MissionWriter::conclude(ReadySolve& solve) {
  ReadyMission& leader = solve.missions.front();
  try {
    const double waited = solve.sink->waited_seconds();
    solve.sink->finish();
    leader.summary.seconds.write += solve.sink->waited_seconds() - waited;
  } catch (const std::exception& error) {  // the policy itself
    for (auto& mission : solve.missions) fail(mission, error);
  }
  // The policy leaves the first one's folder last.
  const auto policy = leader.folder->staging() / "policy.h5";
  for (auto mission = solve.missions.rbegin(); mission != solve.missions.rend(); ++mission) {
    if (mission->state == ReadyMission::State::flown) commit(*mission, policy);
  }
  solve.sink.reset();  // its memory is for the next ones
  solve.missions.clear();
}

void MissionWriter::commit(ReadyMission& mission, const std::filesystem::path& policy) {
  try {
    const Stopwatch writing;
    const auto own = mission.folder->staging() / "policy.h5";
    if (policies_ == PolicyFiles::none) {
      std::filesystem::remove(own);
    } else if (own != policy) {
      copy_policy(policy, own, mission.run->echo());
    }
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
