#include "env/tools/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/file/same_file.h"
#include "env/file/extras.h"
#include "env/file/writer.h"
#include "env/levels/level_stream.h"
#include "env/tools/each_profile.h"
#include "env/tools/ensemble_mean.h"
#include "env/tools/statistics.h"
#include "env/weights.h"

namespace tidewise {
namespace {

/// Of the selected realizations, summing to 2^24; none where the file has none.
std::vector<std::uint32_t> selected_weights(const EnvironmentReader& reader,
                                            const EnsembleSelection& selection) {
  const auto& all = reader.info().realization_weight;
  if (all.empty()) return {};
  std::vector<double> weights;
  for (const std::int32_t r : selection.realizations) {
    weights.push_back(all[static_cast<std::size_t>(r)]);
  }
  try {
    return to_integer_weights(weights);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: variable {}: of the selected realizations, {}",
                                 reader.path().string(), reader.names().realization_weight,
                                 error.what()));
  }
}

class SelectionWriter {
 public:
  SelectionWriter(const EnvironmentReader& reader, const EnsembleSelection& selection,
                  const DerivedFile& out)
      : reader_(reader),
        info_(reader.info()),
        selection_(selection),
        selected_(selected_info(reader, selection)),
        shares_(realization_shares(selection.realizations, selected_weights(reader, selection))),
        extras_(read_environment_extras(reader)) {
    selected_.history = with_line(info_.history, out.command);
    selected_.comment = with_line(info_.comment, comment());
  }

  double write(const std::filesystem::path& path, Progress& progress) {
    // Both say how much the modes keep, which is known at the end where some are left out.
    const std::vector<double> kept_before = std::exchange(extras_.variance_kept, {});
    // What else is known level by level is of the whole ensemble.
    extras_.series.clear();
    EnvironmentWriter writer(path, selected_);
    write_environment_extras(writer, extras_);
    if (info_.coordinates == Coordinates::geographic) {
      writer.write_longitude_latitude(reader_.read_longitude(), reader_.read_latitude());
    }
    write_levels(writer, progress);
    write_variance(writer, kept_before);
    writer.finish();
    if (selection_.flow != FlowKept::ensemble) return 0;
    const double all = std::accumulate(all_.begin(), all_.end(), 0.0);
    return all > 0 ? std::accumulate(kept_.begin(), kept_.end(), 0.0) / all : 1;
  }

 private:
  /// Where the flow stays uncertain, and somewhat less so.
  bool drops_modes() const {
    return selection_.flow == FlowKept::ensemble && selection_.mode_count < info_.mode_count;
  }

  std::string comment() const {
    const std::string from = reader_.path().filename().string();
    if (selection_.flow == FlowKept::still) {
      return fmt::format("Selected from {}: no flow, still water in its place.", from);
    }
    const std::string text =
        fmt::format("Selected from {}: {} of {} realizations, the first {} of {} modes.", from,
                    selection_.realizations.size(), info_.realization_count, selection_.mode_count,
                    info_.mode_count);
    if (selection_.flow == FlowKept::mean) {
      return text + fmt::format(
                        " The flow is their mean alone{}, mean(u_mean + sum(coefficient * "
                        "u_mode)) and v likewise; nothing of their variance is kept.",
                        info_.realization_weight.empty() ? "" : " by their weights");
    }
    return info_.variance_kept ? text + " variance_kept is that of the whole ensemble." : text;
  }

  void write_levels(EnvironmentWriter& writer, Progress& progress) {
    const std::int32_t count = info_.time.level_count;
    LevelFields<> fields(selected_);
    std::int64_t done = 0;
    all_.assign(drops_modes() ? static_cast<std::size_t>(count) : 0, 0.0);
    kept_ = all_;
    progress.begin("selecting", count * profile_passes(info_), "levels");
    for_each_profile(reader_, [&](const EnvironmentReader& own, std::size_t profile) {
      LevelStream stream(own, levels_between(TimeLevel(0), TimeLevel(count - 1)));
      for (std::int32_t k = 0; k < count; ++k) {
        const LevelFields<>& whole = stream.next();
        if (drops_modes()) measure(static_cast<std::size_t>(k), whole);
        select_level(whole, fields);
        writer.write_level(TimeLevel(k), fields, profile);
        progress.advance_to(++done);
      }
    });
    progress.end();
  }

  /// Of all profiles together.
  void measure(std::size_t k, const LevelFields<>& level) {
    StatisticsGatherer gatherer(info_);
    gatherer.add(level.view(info_));
    const auto variance = gatherer.result().mode_variance;
    all_[k] += std::accumulate(variance.begin(), variance.end(), 0.0);
    kept_[k] += std::accumulate(variance.begin(), variance.begin() + selection_.mode_count, 0.0);
  }

  void select_level(const LevelFields<>& whole, LevelFields<>& fields) const {
    // Modes are outermost: the first of them come first.
    const auto copy = [](const auto& from, auto& to) {
      std::copy_n(from.begin(), to.size(), to.begin());
    };
    copy(whole.scalar, fields.scalar);
    copy(whole.masked, fields.masked);
    copy(whole.dry, fields.dry);
    if (selection_.flow != FlowKept::ensemble) {
      make_certain(whole, fields);
      return;
    }
    copy(whole.u_mean, fields.u_mean);
    copy(whole.v_mean, fields.v_mean);
    copy(whole.u_mode, fields.u_mode);
    copy(whole.v_mode, fields.v_mode);
    const auto& chosen = selection_.realizations;
    for (std::int32_t m = 0; m < selection_.mode_count; ++m) {
      const float* from = whole.coefficient.data() + std::ptrdiff_t{m} * info_.realization_count;
      float* to = fields.coefficient.data() + static_cast<std::size_t>(m) * chosen.size();
      for (std::size_t n = 0; n < chosen.size(); ++n) to[n] = from[chosen[n]];
    }
  }

  /// One flow without uncertainty.
  void make_certain(const LevelFields<>& whole, LevelFields<>& fields) const {
    for (auto* field :
         {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode, &fields.coefficient}) {
      std::fill(field->begin(), field->end(), 0.0F);
    }
    if (selection_.flow == FlowKept::still) return;
    average_flow(whole.view(info_), shares_, selection_.mode_count, fields.u_mean, fields.v_mean);
  }

  /// Of the ensemble's variance at a level, T, the modes carry V and the file says that they keep
  /// V/T; the first of them, carrying v, keep v/V of that.
  void write_variance(EnvironmentWriter& writer, std::vector<double> kept_before) const {
    if (!drops_modes()) {
      if (selection_.flow != FlowKept::ensemble) {
        std::fill(kept_before.begin(), kept_before.end(), 0.0);
      }
      if (!kept_before.empty()) writer.write_variance_kept(kept_before);
      return;
    }
    double kept = 0;
    double total = 0;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const double share = all_[k] > 0 ? kept_[k] / all_[k] : 1;
      const double before = kept_before.empty() ? info_.variance_kept.value_or(1) : kept_before[k];
      kept += kept_[k];
      total += before > 0 ? all_[k] / before : 0;
      if (!kept_before.empty()) kept_before[k] = before * share;
    }
    if (!kept_before.empty()) writer.write_variance_kept(kept_before);
    if (info_.variance_kept && total > 0) {
      writer.set_attribute("variance_kept", std::vector<double>{kept / total});
    }
  }

  const EnvironmentReader& reader_;
  const EnvironmentInfo& info_;
  const EnsembleSelection& selection_;
  EnvironmentInfo selected_;
  RealizationShares shares_;
  EnvironmentExtras extras_;
  std::vector<double> all_;   // (time): variance of all modes, where some are left out
  std::vector<double> kept_;  // and of those that are kept
};

}  // namespace

EnvironmentInfo selected_info(const EnvironmentReader& reader, const EnsembleSelection& selection) {
  EnvironmentInfo info = reader.info();
  info.mode_count = selection.mode_count;
  info.realization_count = static_cast<std::int32_t>(selection.realizations.size());
  info.realization_weight = selected_weights(reader, selection);
  if (selection.flow == FlowKept::ensemble) return info;
  info.mode_count = 1;
  info.realization_count = 1;
  info.realization_weight.clear();
  if (info.variance_kept) info.variance_kept = 0;
  return info;
}

double write_selection(const EnvironmentReader& reader, const EnsembleSelection& selection,
                       const DerivedFile& out, Progress& progress) {
  refuse_overwriting("--out", out.path, {reader.path()});
  return SelectionWriter(reader, selection, out).write(out.path, progress);
}

}  // namespace tidewise
