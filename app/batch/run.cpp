#include "app/batch/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>

#include "app/batch/report.h"
#include "app/batch/resumption.h"
#include "app/batch/setup.h"
#include "app/batch/share.h"
#include "app/batch/table/recorder.h"
#include "app/batch/table/table.h"
#include "app/cli/interruption.h"
#include "app/error/codes.h"
#include "app/report/environment.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/parallel/first_error.h"
#include "base/parallel/start_thread.h"
#include "base/stopwatch.h"

namespace tidewise {
namespace {

/// The numbers without a row in `finished`.
std::vector<std::size_t> unfinished(std::vector<std::size_t> numbers,
                                    const FinishedMissions& finished) {
  std::set<std::size_t> done;
  for (const auto& row : finished.rows) done.insert(row.mission);
  std::erase_if(numbers, [&](std::size_t mission) { return done.contains(mission); });
  return numbers;
}

/// The numbers of the missions that this process computes.
std::vector<std::size_t> own_missions(const BatchSetup& setup) {
  if (setup.share) return setup.share->missions;
  std::vector<std::size_t> numbers(setup.missions.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

/// The rows of the missions that this process computes.
template <class Rows>
Rows own_rows(const BatchSetup& setup, const Rows& rows) {
  if (!setup.share) return rows;
  const std::set<std::size_t> own_numbers(setup.share->missions.begin(),
                                          setup.share->missions.end());
  Rows selected;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(selected),
               [&](const BatchRow& row) { return own_numbers.contains(row.mission); });
  return selected;
}

BatchPlan plan_unfinished(const BatchSetup& setup, const FinishedMissions& finished) {
  PassLimits limits{memory_for_policies(setup), setup.workers.size()};
  limits.tracks = static_cast<std::size_t>(setup.file.tracks);
  return plan_batch(setup.missions, unfinished(own_missions(setup), finished), limits,
                    setup.backend, setup.file.policies);
}

bool is_refused(Resumption resumption, const FinishedMissions& finished) {
  return resumption == Resumption::same_batch && !finished.another.empty();
}

std::string describe_another(const std::filesystem::path& folder,
                             const FinishedMissions& finished) {
  return error_text(errors::run_of_another_batch, folder.string(), finished.another);
}

class BatchRun {
 public:
  BatchRun(BatchSetup& setup, const BatchFolder& folder, const CommandContext& context)
      : setup_(setup), folder_(folder), context_(context) {}

  void run(Resumption resumption) {
    FinishedMissions finished;
    if (resumption != Resumption::refused) {
      finished = find_finished(folder_.path(), setup_.file.policies, own_missions(setup_),
                               setup_.missions);
      if (is_refused(resumption, finished)) {
        throw InputError(describe_another(folder_.path(), finished));
      }
      clear_half_written(setup_.share ? own_folders() : folders_in(folder_.path()));
    }
    const BatchPlan plan = plan_unfinished(setup_, finished);
    const std::size_t finished_before = own_rows(setup_, finished.rows).size();
    folder_.log(subject(),
                fmt::format("{} with {} missions, {} done before; {} solves in {} passes",
                            resumption == Resumption::refused ? "begins" : "goes on",
                            own_missions(setup_).size(), finished_before, plan.solves(),
                            plan.passes.size()));
    for (const auto& note : finished.notes) folder_.log(subject(), note);
    std::optional<SharedRows> shared_rows;
    JoinRows join;
    if (setup_.share) {
      shared_rows.emplace(folder_.path(), setup_.file.policies, setup_.missions, *setup_.share);
      join = [&](std::vector<BatchRow>& rows) { return shared_rows->join(rows); };
    }
    BatchRecorder recorder(folder_, setup_.missions, "Batch " + setup_.file.name, join);
    for (auto& row : finished.rows) recorder.keep(std::move(row));
    for (const auto& failure : plan.failures) {
      recorder.take({failure.mission, MissionStatus::failed, failure.reason, nullptr});
    }
    work(plan, recorder);
    conclude(recorder, finished_before, plan.passes.size());
  }

 private:
  /// The subject of this process's lines in the log.
  std::string subject() const {
    return setup_.share ? "part " + describe(setup_.share->part) : "batch";
  }

  std::vector<std::filesystem::path> own_folders() const {
    std::vector<std::filesystem::path> folders;
    for (const std::size_t mission : setup_.share->missions) {
      folders.push_back(folder_.path() / setup_.missions[mission].directory);
    }
    return folders;
  }

  void work(const BatchPlan& plan, BatchRecorder& recorder) {
    std::vector<PassRequest> requests;
    std::int64_t total = 0;
    for (const auto& pass : plan.passes) {
      requests.push_back(make_pass_request(pass, setup_.missions, setup_.file.policies,
                                           static_cast<std::size_t>(setup_.file.tracks)));
      total += requests.back().work();
    }
    if (requests.empty()) return;
    PassQueue queue(std::move(requests));
    const auto bar = context_.make_progress();
    FirstError error;
    {
      BatchProgress progress(*bar, total);
      const auto work = [&](const WorkerResources& resources) {
        error.run([&] { work_through(queue, resources, progress, recorder); });
      };
      auto threads = start_threads(setup_.workers.size() - 1,
                                   [&](std::size_t n) { work(setup_.workers[n + 1]); });
      work(setup_.workers.front());
      threads.clear();  // waits for them
      if (!interruption_requested()) progress.end();
    }
    if (!interruption_requested()) rethrow(error, recorder);
    for (const auto& request : queue.rest()) fail(request, recorder);
  }

  /// Rethrows an error of the workers after writing the tables.
  static void rethrow(const FirstError& error, BatchRecorder& recorder) {
    try {
      error.rethrow();
    } catch (...) {
      recorder.write_tables();
      throw;
    }
  }

  /// Fails the missions of a pass that no worker took.
  void fail(const PassRequest& request, BatchRecorder& recorder) const {
    if (interruption_requested()) return;
    for (const auto& solve : request.solves) {
      for (const auto& mission : solve) {
        const std::string reason =
            request.last_error.empty() ? "all GPUs were lost before its turn" : request.last_error;
        recorder.take({mission.index, MissionStatus::failed, reason, nullptr});
      }
    }
  }

  /// Prints one line for all missions with warnings, with the first warning.
  void warn_of(const std::vector<BatchRow>& rows) const {
    std::size_t missions = 0;
    std::string first;
    for (const BatchRow& row : rows) {
      const std::vector<std::string> warnings = warnings_of(row);
      if (warnings.empty()) continue;
      if (missions++ == 0) {
        first = fmt::format("{}: {}", setup_.missions[row.mission].directory, warnings.front());
      }
    }
    if (missions == 0) return;
    context_.warn(fmt::format("{} of {} missions warn (column warnings of batch.csv), the first {}",
                              missions, rows.size(), first));
  }

  void conclude(BatchRecorder& recorder, std::size_t finished_before, std::size_t passes) {
    recorder.write_tables();
    const auto all = recorder.rows();
    const auto rows = own_rows(setup_, all);
    const auto count = [&](MissionStatus status) {
      return std::count_if(rows.begin(), rows.end(),
                           [&](const BatchRow& row) { return row.status == status; });
    };
    const auto done = count(MissionStatus::done);
    const auto failed = count(MissionStatus::failed);
    const auto not_run = count(MissionStatus::not_run);
    const std::string end = fmt::format("{} done, {} failed, {} not run", done, failed, not_run);
    folder_.log(subject(), (interruption_requested() ? "interrupted: " : "ends: ") + end);
    if (interruption_requested()) {
      throw RunError(
          fmt::format("interrupted; {} of {} missions are done in {}; go on with --resume", done,
                      rows.size(), folder_.path().string()));
    }
    warn_of(rows);
    print("{}", describe_batch(setup_, rows, finished_before, passes, since_begin_.seconds()));
    if (setup_.share) {
      const auto ended = std::count_if(all.begin(), all.end(), [](const BatchRow& row) {
        return row.status != MissionStatus::not_run;
      });
      print("{}", report_line("all parts",
                              fmt::format("{} of {} missions have ended", ended, all.size())));
    }
    print("\n{}", describe_missions(setup_, rows));
    if (failed == 0 && not_run > 0) {
      throw RunError(
          fmt::format("{} of {} missions were not run; go on with --resume", not_run, rows.size()));
    }
    if (failed == 0) return;
    const auto first = std::find_if(rows.begin(), rows.end(), [](const BatchRow& row) {
      return row.status == MissionStatus::failed;
    });
    throw RunError(
        fmt::format("{} of {} missions failed, the first of them {} ({}); {} has all reasons",
                    failed, rows.size(), setup_.missions[first->mission].directory, first->message,
                    (folder_.path() / "batch.csv").string()));
  }

  BatchSetup& setup_;
  const BatchFolder& folder_;
  const CommandContext& context_;
  Stopwatch since_begin_;
};

/// Refuses a new batch in a folder with runs or tables of other origin. A resumed batch, or one
/// that is computed in parts, finds those of its earlier processes.
void require_free_folders(const BatchRequest& request, const BatchSetup& setup) {
  const std::filesystem::path& folder = setup.file.directory;
  const bool begins = request.resumption == Resumption::refused && !holds_batch(folder);
  if (!begins || request.overwrite == Overwrite::asked) return;
  for (const auto& mission : setup.missions) {
    require_no_run(folder / mission.directory, Overwrite::refused);
  }
  for (const char* name : {"batch.csv", "batch.nc"}) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder / name, ignored)) continue;
    throw input_error(errors::mission_folder_foreign, (folder / name).string());
  }
}

}  // namespace

void run_batch(const BatchRequest& request, const CommandContext& context) {
  BatchSetup setup = set_up_batch(request);
  const auto part = setup.share ? std::optional(setup.share->part) : std::nullopt;
  require_free_folders(request, setup);
  const BatchFolder folder(setup.file.directory, request.resumption, part);
  BatchRun(setup, folder, context).run(request.resumption);
}

void preview_batch(const BatchRequest& request) {
  BatchSetup setup = set_up_batch(request);
  FinishedMissions finished;
  if (request.resumption != Resumption::refused) {
    finished = find_finished(setup.file.directory, setup.file.policies, own_missions(setup),
                             setup.missions);
    if (is_refused(request.resumption, finished)) {
      finished.notes = {describe_another(setup.file.directory, finished)};
    }
  } else if (holds_batch(setup.file.directory)) {
    finished.notes.push_back(
        fmt::format("{}: holds a batch already; it can be gone on with by --resume",
                    setup.file.directory.string()));
  }
  const BatchPlan plan = plan_unfinished(setup, finished);
  const std::size_t passes = setup.share ? setup.share->passes_of_all : plan.passes.size();
  (void)give_figures({{"missions", setup.missions.size()}, {"passes", passes}});
  print("{}", describe_plan(setup, plan, finished));
}

}  // namespace tidewise
