#include "app/batch/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "app/batch/table/table.h"
#include "app/report/columns.h"
#include "app/report/environment.h"
#include "app/report/pilot_words.h"
#include "base/byte_size.h"
#include "env/units/calendar_time.h"
#include "output/run/summary.h"
#include "planner/backend/problem_estimate.h"
#include "planner/figures/rounding.h"
#include "planner/run/flight_figures.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_lines = 20;

std::string describe_axes(const BatchFile& file) {
  std::string text;
  for (const auto& axis : file.axes) {
    const char* between = file.combine == Combination::zip ? " with " : " × ";
    text += fmt::format("{}{} {}", text.empty() ? "" : between, axis.values.size(), axis.key);
  }
  return text;
}

/// Seconds until the last of the workers finishes if each takes the longest remaining pass.
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

/// Indented lines, at most max_lines of them.
template <class Lines, class Describe>
std::string list_some(const Lines& lines, const Describe& describe) {
  std::string text;
  std::size_t shown = 0;
  for (const auto& line : lines) {
    if (shown++ == max_lines) {
      return text + fmt::format("  … and {} more\n", lines.size() - max_lines);
    }
    text += "  " + describe(line);
  }
  return text;
}

/// Times of all missions by kind of work, from their summaries; writing overlaps with the rest.
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

/// The outlook of a mission that is done, by its summary: arrival, time, 90 % window and
/// probability, or its station keeping; rounded as for one mission.
class MissionOutlook {
 public:
  explicit MissionOutlook(const Json& summary)
      : outlook_(summary.value("/recommendation/outlook"_json_pointer, Json())),
        summary_(summary),
        units_(summary.value("/batch/units/time"_json_pointer, "") == "s" ? Units::metric
                                                                          : Units::nondimensional),
        rounding_(round_times(standard_error(), time_step(), units_)) {}

  std::vector<std::string> columns() const {
    if (outlook_.contains("within")) {
      return {"within " + describe_chance(number("within")) + " of the time", "", "", ""};
    }
    if (outlook_.contains("distance")) {
      return {describe_keeping(number("distance"), true, units_), "", "", ""};
    }
    const double time = number("time");
    const bool arrives = time > 0;
    return {arrives ? arrival(time) : "–",
            arrives ? describe_duration(time, units_, rounding_.median) : "–",
            arrives ? window(time) : "", probability()};
  }

 private:
  double number(const char* key) const {
    const auto entry = outlook_.find(key);
    const bool is_number = entry != outlook_.end() && entry->is_number();
    return is_number ? entry->get<double>() : std::numeric_limits<double>::quiet_NaN();
  }
  /// The number at a JSON pointer of the summary; NaN if there is none.
  double at(const char* path) const {
    const Json value = summary_.value(Json::json_pointer(path), Json());
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
  }
  /// Standard error of the mean time; 0 if the flights have no forecast error.
  double standard_error() const {
    return outlook_.contains("arrival_probability") ? at("/rollout/time_standard_error") : 0;
  }
  double time_step() const {
    return (at("/deadline/time") - at("/departure/time")) /
           (at("/deadline/level") - at("/departure/level"));
  }
  std::string arrival(double time) const {
    const Json date = summary_.value("/recommendation/departure"_json_pointer, Json());
    if (!date.is_string()) return "";
    return describe_short_date(parse_iso_time(date.get<std::string>()) + time, rounding_.median);
  }
  std::string window(double time) const {
    if (!(number("earlier") + number("later") > 0)) return "";
    return fmt::format("{} to {}",
                       describe_duration(time - number("earlier"), units_, rounding_.quantile),
                       describe_duration(time + number("later"), units_, rounding_.quantile));
  }
  std::string probability() const {
    if (outlook_.contains("arrival_probability")) {
      return describe_chance(number("arrival_probability"), number("flights"));
    }
    if (!outlook_.contains("arrived")) return "";
    return fmt::format("{} of {}", number("arrived"), number("flights"));
  }

  Json outlook_;
  const Json& summary_;
  Units units_;
  TimeRounding rounding_;
};

/// Text such as " (part 3 of 8, of 2000 missions in 12 counting passes)".
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
                                      setup.workers.size(), setup.backend.device));
  text += list_some(plan.passes, [&](const auto& pass) { return describe_pass(pass, missions); });
  text += report_line(
      "memory", fmt::format("about {} for the largest pass", describe_bytes(plan.greatest_memory)));
  text += report_line(
      "time", fmt::format("{}, at the rate of {} of 2024",
                          describe_seconds(time_of_all(plan, setup.workers.size())),
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
                           std::size_t finished_before, std::size_t passes, double seconds) {
  std::vector<BatchRow> failed;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(failed),
               [](const BatchRow& row) { return row.status == MissionStatus::failed; });
  const auto done = std::count_if(rows.begin(), rows.end(), [](const BatchRow& row) {
    return row.status == MissionStatus::done;
  });
  std::string count = fmt::format("{}, {} done", rows.size(), done);
  if (finished_before > 0) count += fmt::format(" ({} of them before)", finished_before);
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
  if (finished_before == 0) text += report_line("of which", describe_parts(rows));
  const auto current = std::filesystem::current_path();
  text += report_line("written to", setup.file.directory.lexically_proximate(current).string());
  return text;
}

std::string describe_missions(const BatchSetup& setup, const std::vector<BatchRow>& rows) {
  std::vector<std::vector<std::string>> table{
      {"mission", "arrival", "after", "90 % after", "arrive"}};
  for (const BatchRow& row : rows) {
    if (table.size() > max_lines) break;
    std::vector<std::string> line{setup.missions[row.mission].directory};
    const std::vector<std::string> columns =
        row.status == MissionStatus::done     ? MissionOutlook(row.summary).columns()
        : row.status == MissionStatus::failed ? std::vector<std::string>{"failed", "", "", ""}
                                              : std::vector<std::string>{"not run", "", "", ""};
    line.insert(line.end(), columns.begin(), columns.end());
    table.push_back(std::move(line));
  }
  std::string text = as_columns(table);
  if (rows.size() > max_lines) {
    text += fmt::format("  … and {} more in batch.csv\n", rows.size() - max_lines);
  }
  return text;
}

}  // namespace tidewise
