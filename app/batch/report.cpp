#include "app/batch/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "app/batch/table/table.h"
#include "app/report/environment.h"
#include "base/byte_size.h"
#include "output/run/summary.h"
#include "planner/backend/problem_estimate.h"

namespace tidewise {
namespace {

constexpr std::size_t most_lines = 20;

std::string describe_axes(const BatchFile& file) {
  std::string text;
  for (const auto& axis : file.axes) {
    const char* between = file.combine == Combination::zip ? " with " : " × ";
    text += fmt::format("{}{} {}", text.empty() ? "" : between, axis.values.size(), axis.key);
  }
  return text;
}

/// Seconds until the last of so many workers is done that take the longest passes first.
double time_of_all(const BatchPlan& plan, std::size_t workers) {
  std::vector<double> passes;
  for (const auto& pass : plan.passes) passes.push_back(pass.seconds);
  std::sort(passes.rbegin(), passes.rend());
  std::vector<double> busy(workers, 0);
  for (const double seconds : passes) *std::min_element(busy.begin(), busy.end()) += seconds;
  return *std::max_element(busy.begin(), busy.end());
}

std::string describe_pass(const CountingPass& pass, const std::vector<BatchMission>& missions) {
  const BatchMission& first = missions[pass.solves.front().front()];
  return fmt::format("{} mission(s), {} solve(s) on {}, from {} on: {}, {} for policies\n",
                     pass.missions(), pass.solves.size(),
                     first.request.environment.filename().string(), first.directory,
                     describe_seconds(pass.seconds), describe_bytes(pass.memory));
}

/// "  text", no more than some of them.
template <class Lines, class Describe>
std::string list_some(const Lines& lines, const Describe& describe) {
  std::string text;
  std::size_t shown = 0;
  for (const auto& line : lines) {
    if (shown++ == most_lines) {
      return text + fmt::format("  … and {} more\n", lines.size() - most_lines);
    }
    text += "  " + describe(line);
  }
  return text;
}

/// Where the time of all missions went, by their summaries; that of writing is beside the rest.
std::string describe_parts(const std::vector<BatchRow>& rows) {
  std::string text;
  for (const char* part : {"prepare", "read", "solve", "evaluate", "rollout", "write"}) {
    double sum = 0;
    for (const BatchRow& row : rows) {
      if (row.status != MissionStatus::done) continue;
      const double seconds = seconds_of(row, part);
      if (!std::isnan(seconds)) sum += seconds;
    }
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", part, sum);
  }
  return text + " s";
}

/// " (part 3 of 8: of 2000 missions in 12 counting passes)"
std::string describe_part(const BatchShare& share, std::size_t missions) {
  return fmt::format(" (part {}, of {} missions in {} counting passes)", describe(share.part),
                     missions, share.passes_of_all);
}

}  // namespace

std::string describe_plan(const BatchSetup& setup, const BatchPlan& plan,
                          const FinishedMissions& finished) {
  const auto& missions = setup.missions;
  double disk = 0;
  for (const auto& pass : plan.passes) disk += pass.disk;
  std::string text =
      report_line("missions", fmt::format("{} ({})", missions.size(), describe_axes(setup.file)));
  if (setup.share) {
    text += report_line("of which", fmt::format("{}{}", setup.share->missions.size(),
                                                describe_part(*setup.share, missions.size())));
  }
  if (!finished.rows.empty()) {
    text += report_line("finished", fmt::format("{} of them", finished.rows.size()));
  }
  text +=
      report_line("work", fmt::format("{} mission(s) by {} solve(s) in {} counting pass(es), on "
                                      "{} worker(s), {}",
                                      plan.missions(), plan.solves(), plan.passes.size(),
                                      setup.places.size(), setup.backend.device));
  text += list_some(plan.passes, [&](const auto& pass) { return describe_pass(pass, missions); });
  text += report_line(
      "memory", fmt::format("about {} for the largest pass", describe_bytes(plan.greatest_memory)));
  text += report_line(
      "time", fmt::format("{}, at the rate of {} of 2024",
                          describe_seconds(time_of_all(plan, setup.places.size())),
                          setup.backend.kind == BackendKind::cuda ? "an H200" : "a processor"));
  text += report_line("disk", fmt::format("{} at most", describe_bytes(disk)));
  text += report_line("folder", setup.file.directory.string());
  for (const auto& note : finished.notes) text += report_line("note", note);
  if (!plan.failures.empty()) {
    text += report_line("cannot be run", fmt::format("{} mission(s)", plan.failures.size()));
    text += list_some(plan.failures, [&](const auto& failure) {
      return fmt::format("{}: {}\n", missions[failure.mission].directory, failure.reason);
    });
  }
  return text;
}

std::string describe_batch(const BatchSetup& setup, const std::vector<BatchRow>& rows,
                           std::size_t kept, std::size_t passes, double seconds) {
  std::vector<BatchRow> failed;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(failed),
               [](const BatchRow& row) { return row.status == MissionStatus::failed; });
  const auto done = std::count_if(rows.begin(), rows.end(), [](const BatchRow& row) {
    return row.status == MissionStatus::done;
  });
  std::string count = fmt::format("{}, {} done", rows.size(), done);
  if (kept > 0) count += fmt::format(" ({} of them before)", kept);
  if (!failed.empty()) count += fmt::format(", {} failed", failed.size());
  if (setup.share) count += describe_part(*setup.share, setup.missions.size());
  std::set<std::string> notes;
  for (const BatchRow& row : rows) {
    if (row.status == MissionStatus::done) {
      notes.insert(uncertainty_note(uncertainty_in(row.summary)));
    }
  }
  std::string text;
  for (const std::string& note : notes) text += note.empty() ? "" : note + "\n";
  text += report_line("missions", count);
  text += list_some(failed, [&](const BatchRow& row) {
    return fmt::format("{}: {}\n", setup.missions[row.mission].directory, row.message);
  });
  text += report_line("work", fmt::format("{} counting pass(es), {:.2f} s", passes, seconds));
  if (kept == 0) text += report_line("of which", describe_parts(rows));
  const auto here = std::filesystem::current_path();
  text += report_line("written to", setup.file.directory.lexically_proximate(here).string());
  return text;
}

}  // namespace tidewise
