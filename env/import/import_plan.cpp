#include "env/import/import_plan.h"

#include <fmt/format.h>

#include <cmath>

#include "base/atomic_file.h"
#include "base/error.h"
#include "env/import/calendar_time.h"

namespace tidewise {
namespace {

constexpr int most_lagged = 1000;
constexpr double most_levels = 1e5;
constexpr double most_bytes = 1e11;
constexpr double longest_gap = 100;  // [steps of the source]; a line across more foretells nothing

std::vector<double> make_lags(const ImportOptions& options, const ForecastSource& source) {
  const std::string first = options.files.front().string();
  if (source.member_count() > 1) {
    if (options.lagged == 0) return {0};
    throw InputError(fmt::format("{}: has {} members along {} already; leave --lagged out", first,
                                 source.member_count(), source.member_dimension()));
  }
  if (options.lagged == 0) {
    throw InputError(
        fmt::format("{}: is one forecast without an ensemble dimension (realization, "
                    "member, number, ensemble_member), and one member has no "
                    "uncertainty; make members with --lagged N, e.g. --lagged 4, or name "
                    "the dimension with --member",
                    first));
  }
  std::vector<double> lags;
  for (int lag = -options.lagged; lag <= options.lagged; ++lag) {
    lags.push_back(lag * source.time_step());
  }
  return lags;
}

/// A hole in the times is bridged by a line, but not for ever. One damaged time, such as 0 since
/// the reference, makes a gap of years, and as many levels in it.
void judge_gaps(const ForecastSource& source, const std::string& file, double first, double last) {
  const auto& times = source.times();
  for (std::size_t n = 1; n < times.size(); ++n) {
    const double gap = times[n] - times[n - 1];
    if (times[n] <= first || times[n - 1] >= last || gap <= longest_gap * source.time_step()) {
      continue;
    }
    throw InputError(fmt::format(
        "{}: there are no fields from {} to {}, {:.0f} steps of {:.6g} s, and {:.0f} are the most "
        "that are bridged; mend the times, add the files between, or stay on one side with --from "
        "and --to",
        file, format_iso_time(times[n - 1]), format_iso_time(times[n]), gap / source.time_step(),
        source.time_step(), longest_gap));
  }
}

/// The place of the output is judged before the work is done, not after.
void judge_out(const ImportOptions& options) {
  std::vector<std::filesystem::path> inputs = options.files;
  if (options.scalar_file) inputs.push_back(*options.scalar_file);
  if (options.obstacles) inputs.push_back(*options.obstacles);
  std::error_code ignored;
  for (const auto& input : inputs) {
    if (!std::filesystem::equivalent(input, options.out, ignored)) continue;
    throw InputError(
        fmt::format("--out {} is one of the files that are read, and would be lost; "
                    "choose another name",
                    options.out.string()));
  }
  const AtomicFile place(options.out);  // refuses what cannot be written to; makes nothing
}

}  // namespace

void judge_options(const ImportOptions& options) {
  const auto refuse = [](const char* option, const std::string& value, const char* allowed) {
    throw InputError(fmt::format("{} is {}; it must be {}", option, value, allowed));
  };
  if (options.files.empty()) throw InputError("no forecast is named; name one NetCDF file or more");
  judge_out(options);
  if (options.lagged < 0 || options.lagged > most_lagged) {
    refuse("--lagged", std::to_string(options.lagged), "a number of steps from 0 to 1000");
  }
  if (options.modes && *options.modes < 1) {
    refuse("--modes", std::to_string(*options.modes), "1 or more");
  }
  if (options.variance && !(*options.variance > 0 && *options.variance <= 1)) {
    refuse("--variance", fmt::format("{}", *options.variance),
           "a share above 0 and at most 1, e.g. 0.99");
  }
  if (options.realizations && (*options.realizations < 1 ||
                               static_cast<std::uint32_t>(*options.realizations) >= weight_total)) {
    refuse("--realizations", std::to_string(*options.realizations), "from 1 to below 2^24");
  }
  if (options.depth && !std::isfinite(*options.depth)) refuse("--depth", "not finite", "metres");
  if (options.scalar.empty() && (options.scalar_file || options.scalar_fill)) {
    throw InputError("--scalar-file and --scalar-fill go with --scalar; name the variable with it");
  }
  if (options.from && options.to && *options.from >= *options.to) {
    throw InputError(fmt::format("--from {} is not before --to {}; swap them",
                                 format_iso_time(*options.from), format_iso_time(*options.to)));
  }
}

ImportPlan plan_import(const ImportOptions& options, const ForecastSource& source) {
  const auto& times = source.times();
  const std::string file = options.files.front().string();
  if (times.size() < 2) {
    throw InputError(
        fmt::format("{}: holds {} time(s), and an environment needs two at least; name "
                    "all files along time",
                    file, times.size()));
  }
  ImportPlan plan;
  plan.lags = make_lags(options, source);
  plan.member_count = plan.lags.size() * source.member_count();
  if (options.modes && !options.variance &&
      static_cast<std::size_t>(*options.modes) >= plan.member_count) {
    throw InputError(fmt::format(
        "--modes is {}; {} members have at most {} modes, so ask for {} or "
        "fewer",
        *options.modes, plan.member_count, plan.member_count - 1, plan.member_count - 1));
  }
  plan.step = options.step.value_or(source.time_step());

  const std::size_t needed = 2 * static_cast<std::size_t>(options.lagged) + 2;
  if (times.size() < needed) {
    throw InputError(fmt::format(
        "{}: holds {} times, and --lagged {} needs {} at least ({} at each end, and two "
        "levels); use fewer lags or more files",
        file, times.size(), options.lagged, needed, options.lagged));
  }
  const double earliest = times.front() + plan.lags.back();
  const double latest = times.back() - plan.lags.back();
  const double first = options.from.value_or(earliest);
  const double last = options.to.value_or(latest);
  const std::string because =
      options.lagged > 0
          ? fmt::format(" after --lagged {} takes its steps at both ends", options.lagged)
          : "";
  if (first < earliest || last > latest) {
    throw InputError(
        fmt::format("{}: --from {} --to {} asks for more than the file holds, {} to {}{}; "
                    "choose times within",
                    file, format_iso_time(first), format_iso_time(last), format_iso_time(earliest),
                    format_iso_time(latest), because));
  }
  judge_gaps(source, file, first - plan.lags.back(), last + plan.lags.back());
  const double count = std::floor((last - first) / plan.step + 1e-9) + 1;
  if (!(count >= 2)) {
    throw InputError(
        fmt::format("{}: fewer than two levels of {:.6g} s fit between {} and {}{}; use a "
                    "shorter --step, fewer lags or more files",
                    file, plan.step, format_iso_time(first), format_iso_time(last), because));
  }
  if (count > most_levels) {
    throw InputError(fmt::format(
        "a step of {:.6g} s makes {:.0f} levels, more than {:.0f}; give a longer --step, "
        "or less time with --from and --to",
        plan.step, count, most_levels));
  }
  for (double level = 0; level < count; ++level) plan.levels.push_back(first + level * plan.step);
  return plan;
}

void judge_size(const ImportPlan& plan, const Grid& grid, std::size_t mode_count,
                std::size_t realization_count) {
  const auto levels = static_cast<double>(plan.levels.size());
  const auto cells = static_cast<double>(grid.cell_count());
  const auto modes = static_cast<double>(mode_count);
  const double bytes = sizeof(float) * levels *
                       (2 * cells * (1 + modes) + modes * static_cast<double>(realization_count));
  if (bytes <= most_bytes) return;
  throw InputError(fmt::format(
      "{:.0f} levels of {} × {} cells with {} mode(s) and {} realizations make {:.3g} GB, more "
      "than "
      "{:.0f}; give a longer --step, a larger --spacing, fewer --modes or --realizations, or a "
      "part "
      "with --bbox, --from and --to",
      levels, grid.nx, grid.ny, mode_count, realization_count, bytes / 1e9, most_bytes / 1e9));
}

}  // namespace tidewise
