#include "env/tools/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/file/same_file.h"
#include "env/file/writer.h"
#include "env/levels/level_stream.h"
#include "env/tools/each_profile.h"

namespace tidewise {
namespace {

/// The parts of a text of every cycle, of which each is named once. Parts end at `separator`.
std::string joined(const MergePlan& plan, std::string EnvironmentInfo::*text,
                   const std::string& separator) {
  std::vector<std::string> parts;
  for (const EnvironmentReader* cycle : plan.cycles) {
    const std::string& own = cycle->info().*text;
    for (std::size_t begin = 0; begin < own.size();) {
      const std::size_t end = std::min(own.find(separator, begin), own.size());
      const std::string part = own.substr(begin, end - begin);
      if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
      begin = end + separator.size();
    }
  }
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string merge_comment(const MergePlan& plan) {
  std::string text = fmt::format("Joined along time from {} cycles:", plan.cycles.size());
  for (const MergePart& part : plan.parts) {
    text += fmt::format(" levels {} to {} from {};", part.at.value,
                        part.at.value + part.last.value - part.first.value,
                        plan.cycles[part.cycle]->path().filename().string());
  }
  text.back() = '.';
  return text +
         " Realization r is realization r of each cycle: where one cycle gives way to the next the "
         "number stays and the sample path jumps, and with it a continuous flight. The plan draws "
         "realizations anew at each step and does not depend on which follows which.";
}

/// The level-weighted mean, which is the common value where all agree.
std::optional<double> join_variance(const MergePlan& plan) {
  double sum = 0;
  double levels = 0;
  bool same = true;
  const auto& first = plan.cycles.front()->info().variance_kept;
  for (const MergePart& part : plan.parts) {
    const auto& kept = plan.cycles[part.cycle]->info().variance_kept;
    if (!kept) return std::nullopt;
    same = same && first && *kept == *first;
    const double count = part.last.value - part.first.value + 1;
    sum += count * *kept;
    levels += count;
  }
  return same ? *first : sum / levels;
}

/// By level, where every cycle records it.
std::vector<double> join_variance_by_level(const MergePlan& plan) {
  std::vector<double> all;
  for (const MergePart& part : plan.parts) {
    const auto& own = plan.extras[part.cycle].variance_kept;
    if (own.empty()) return {};
    all.insert(all.end(), own.begin() + part.first.value, own.begin() + part.last.value + 1);
  }
  return all;
}

/// Those that every cycle has, with the same units; described by the first.
std::vector<EnvironmentSeries> join_series(const MergePlan& plan) {
  std::vector<EnvironmentSeries> joined_series;
  for (EnvironmentSeries series : plan.extras.front().series) {
    series.values.clear();
    bool in_all = true;
    for (const MergePart& part : plan.parts) {
      const auto& own = plan.extras[part.cycle].series;
      const auto same = std::find_if(own.begin(), own.end(), [&](const EnvironmentSeries& other) {
        return other.name == series.name && other.units == series.units;
      });
      in_all = in_all && same != own.end();
      if (!in_all) break;
      series.values.insert(series.values.end(), same->values.begin() + part.first.value,
                           same->values.begin() + part.last.value + 1);
    }
    if (in_all) joined_series.push_back(std::move(series));
  }
  return joined_series;
}

EnvironmentInfo merged_info(const MergePlan& plan, const DerivedFile& out) {
  EnvironmentInfo info = plan.info;
  info.title = joined(plan, &EnvironmentInfo::title, "; ");
  info.source = joined(plan, &EnvironmentInfo::source, "; ");
  info.history = with_line(joined(plan, &EnvironmentInfo::history, "\n"), out.command);
  info.comment = with_line(joined(plan, &EnvironmentInfo::comment, "\n"), merge_comment(plan));
  info.variance_kept = join_variance(plan);
  return info;
}

}  // namespace

void write_merged(const MergePlan& plan, const DerivedFile& out, Progress& progress) {
  std::vector<std::filesystem::path> inputs;
  for (const EnvironmentReader* cycle : plan.cycles) inputs.push_back(cycle->path());
  refuse_overwriting("--out", out.path, inputs);
  const EnvironmentInfo info = merged_info(plan, out);
  EnvironmentWriter writer(out.path, info);
  EnvironmentExtras extras = plan.extras.front();
  extras.variance_kept = join_variance_by_level(plan);
  extras.series = join_series(plan);
  write_environment_extras(writer, extras);
  if (info.coordinates == Coordinates::geographic) {
    const EnvironmentReader& first = *plan.cycles.front();
    writer.write_longitude_latitude(first.read_longitude(), first.read_latitude());
  }
  std::int64_t done = 0;
  progress.begin("joining", info.time.level_count * profile_passes(info), "levels");
  for (const MergePart& part : plan.parts) {
    for_each_profile(*plan.cycles[part.cycle],
                     [&](const EnvironmentReader& own, std::size_t profile) {
                       LevelStream stream(own, levels_between(part.first, part.last));
                       const std::int32_t count = part.last.value - part.first.value + 1;
                       for (std::int32_t n = 0; n < count; ++n) {
                         writer.write_level(TimeLevel(part.at.value + n), stream.next(), profile);
                         progress.advance_to(++done);
                       }
                     });
  }
  progress.end();
  writer.finish();
}

}  // namespace tidewise
