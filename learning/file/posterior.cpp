#include "learning/file/posterior.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/same_file.h"
#include "base/parallel/strand.h"
#include "env/file/extras.h"
#include "env/file/layout.h"
#include "env/file/time_reference.h"
#include "env/file/writer.h"
#include "env/levels/level_dates.h"
#include "env/levels/level_stream.h"
#include "env/tools/each_profile.h"
#include "learning/error/codes.h"
#include "learning/file/innovation_mode.h"
#include "learning/file/observation_table.h"
#include "learning/track/repeated_legs.h"

namespace tidewise {
namespace {

constexpr std::size_t max_legs = 4000;  // two components each, in one dense solve
constexpr double max_dry_share = 0.5;   // share of a leg without water in the forecast

/// The forecast's levels, with the added mode if there is one.
class ForecastLevels {
 public:
  ForecastLevels(const EnvironmentReader& reader, std::vector<TimeLevel> order,
                 const EnvironmentInfo& info, const std::optional<InnovationMode>& mode,
                 const std::vector<float>& coefficient)
      : stream_(reader, std::move(order)),
        info_(info),
        mode_(mode),
        coefficient_(coefficient),
        extended_(mode ? LevelFields<>(info) : LevelFields<>()) {}

  /// The next level's fields, valid until the next call; the caller may change or swap them.
  LevelFields<>& next() {
    LevelFields<>& level = stream_.next();
    if (!mode_) return level;
    const auto copy = [](const auto& from, auto& to) {
      std::copy(from.begin(), from.end(), to.begin());
    };
    copy(level.u_mean, extended_.u_mean);
    copy(level.v_mean, extended_.v_mean);
    copy(level.coefficient, extended_.coefficient);
    copy(level.scalar, extended_.scalar);
    copy(level.masked, extended_.masked);
    copy(level.dry, extended_.dry);
    if (level.shared_modes) {
      if (!extended_modes_) extended_modes_ = extend(*level.shared_modes);
      extended_.shared_modes = extended_modes_;
    } else {
      extend(level.u_mode, mode_->u, level.dry, extended_.u_mode);
      extend(level.v_mode, mode_->v, level.dry, extended_.v_mode);
    }
    std::copy(coefficient_.begin(), coefficient_.end(),
              extended_.coefficient.data() + level.coefficient.size());
    return extended_;
  }

 private:
  /// Appends the added mode, which all profiles share, to the modes of each profile, in water.
  void extend(const Array<float>& modes, const std::vector<double>& mode,
              const Array<std::uint8_t>& dry, Array<float>& extended) const {
    const std::size_t cells = mode.size();
    const std::size_t profile_size = modes.size() / (dry.size() / cells);
    float* out = extended.data();
    for (std::size_t p = 0; p * cells < dry.size(); ++p) {
      out = std::copy_n(modes.data() + p * profile_size, profile_size, out);
      for (std::size_t n = 0; n < cells; ++n) {
        *out++ = dry[p * cells + n] != 0 ? 0 : static_cast<float>(mode[n]);
      }
    }
  }

  /// Appends the added mode to modes that levels share.
  std::shared_ptr<const SharedModes<>> extend(const SharedModes<>& modes) const {
    auto extended = std::make_shared<SharedModes<>>(info_);
    extend(modes.u, mode_->u, modes.missing, extended->u);
    extend(modes.v, mode_->v, modes.missing, extended->v);
    std::copy(modes.missing.begin(), modes.missing.end(), extended->missing.begin());
    return extended;
  }

  LevelStream stream_;
  const EnvironmentInfo& info_;
  const std::optional<InnovationMode>& mode_;
  const std::vector<float>& coefficient_;  // (realization), of the added mode
  LevelFields<> extended_;
  std::shared_ptr<const SharedModes<>> extended_modes_;
};

class PosteriorWriter {
 public:
  PosteriorWriter(const EnvironmentReader& reader, const std::vector<ObservedTrack>& tracks,
                  const PosteriorOptions& options, const DerivedFile& out, Progress& progress)
      : reader_(reader),
        info_(reader.info()),
        options_(options),
        out_(out),
        progress_(progress),
        extras_(read_environment_extras(reader)),
        earlier_(read_observation_table(reader)) {
    for (const ObservedTrack& track : tracks) {
      for (const ObservedLeg& leg : track.legs) {
        report_.legs.push_back({leg,
                                track.path.filename().string(),
                                profile_name(info_, leg.profile.value_or(0)),
                                {},
                                {}});
      }
    }
    leave_out_learned(tracks);
    if (report_.legs.size() > max_legs) {
      throw input_error(errors::legs_too_many_together, report_.legs.size(), max_legs);
    }
  }

  PosteriorReport write() {
    observe();
    if (options_.added_mode_length) add_mode();
    check_consistency();
    write_environment();
    return std::move(report_);
  }

 private:
  std::string unit() const { return info_.units == Units::metric ? "m s-1" : "1"; }

  std::string time_text(double time) const {
    const auto reference = time_reference(reader_);
    return reference ? format_date(*reference + time) : fmt::format("time {:.10g}", time);
  }

  /// Removes legs from the report that the forecast has learned from already.
  void leave_out_learned(const std::vector<ObservedTrack>& tracks) {
    std::vector<LegResult> remaining;
    std::size_t n = 0;
    for (const ObservedTrack& track : tracks) {
      const std::vector<bool> learned = find_learned(track, earlier_.tracks, info_.grid);
      for (std::size_t leg = 0; leg < learned.size(); ++leg, ++n) {
        report_.legs[n].by = track.by;
        const double begin = report_.legs[n].leg.leg.times.front();
        const bool may_be_learned =
            earlier_.unknown_until && begin < *earlier_.unknown_until - 1e-6 * info_.time.step;
        if (!learned[leg] && !may_be_learned) remaining.push_back(std::move(report_.legs[n]));
      }
    }
    const std::size_t left_out = n - remaining.size();
    report_.legs = std::move(remaining);
    if (left_out == 0) return;
    const std::string what =
        fmt::format("{} has learned already from {} of {} legs, by its own record",
                    reader_.path().filename().string(), left_out, n);
    if (report_.legs.empty()) {
      throw input_error(errors::observations_learned_already, what);
    }
    report_.notes.push_back(what + "; they are left out");
  }

  /// Index of an observed level in the coefficients in memory.
  std::int32_t stored_level(std::int32_t level) const { return stored_levels_.at(level); }

  void observe() {
    std::vector<FlowOperator> operators;
    std::set<std::int32_t> levels;
    for (const LegResult& result : report_.legs) {
      operators.emplace_back(sample_leg(info_.grid, info_.time, result.leg.leg), info_.mode_count);
      for (const std::int32_t k : operators.back().levels()) levels.insert(k);
    }
    report_.first_observed = *levels.begin();
    report_.last_observed = *levels.rbegin();
    std::vector<TimeLevel> order;
    stored_levels_.clear();
    for (const std::int32_t k : levels) {
      stored_levels_[k] = static_cast<std::int32_t>(order.size());
      order.push_back(TimeLevel(k));
    }
    std::vector<float> coefficients;
    ForecastLevels stream(reader_, order, info_, mode_, mode_coefficient_);
    progress_.begin("observing", static_cast<std::int64_t>(order.size()), "levels");
    for (std::size_t n = 0; n < order.size(); ++n) {
      const LevelFields<>& fields = stream.next();
      for (std::size_t leg = 0; leg < operators.size(); ++leg) {
        const auto needed = operators[leg].levels();
        if (std::binary_search(needed.begin(), needed.end(), order[n].value)) {
          operators[leg].add(order[n],
                             fields.view(info_).profile(report_.legs[leg].leg.profile.value_or(0)));
        }
      }
      coefficients.insert(coefficients.end(), fields.coefficient.begin(), fields.coefficient.end());
      for (std::int32_t p = 0; options_.added_mode_length && !mode_ && p < info_.velocities; ++p) {
        keep_scaled(fields.view(info_).profile(p));
      }
      progress_.advance_to(static_cast<std::int64_t>(n) + 1);
    }
    progress_.end();
    leave_out_land(operators);
    smooth(operators, coefficients);
  }

  /// Collects the coefficients with which those of an added mode must not correlate.
  void keep_scaled(const LevelView& level) {
    const auto products = mode_products(level);
    const auto modes = static_cast<std::size_t>(info_.mode_count);
    const std::size_t members = level.coefficient.size / modes;
    for (std::size_t m = 0; m < modes; ++m) {
      for (std::size_t r = 0; r < members; ++r) {
        others_.push_back(std::sqrt(products[m * modes + m]) *
                          static_cast<double>(level.coefficient[m * members + r]));
      }
    }
  }

  void leave_out_land(std::vector<FlowOperator>& operators) {
    std::size_t closed = 0;
    std::size_t dry = 0;
    std::string first;
    for (std::size_t n = operators.size(); n-- > 0;) {
      if (operators[n].closed_share() > 0) {
        ++closed;
        first = fmt::format("row {} of {}", report_.legs[n].leg.row, report_.legs[n].track);
      }
      if (operators[n].dry_share() <= max_dry_share) continue;
      ++dry;
      operators.erase(operators.begin() + static_cast<std::ptrdiff_t>(n));
      report_.legs.erase(report_.legs.begin() + static_cast<std::ptrdiff_t>(n));
    }
    if (operators.empty()) {
      throw input_error(errors::track_on_land, reader_.path().string());
    }
    if (closed == 0 || mode_) return;  // with an added mode, the first update has warned
    report_.warnings.push_back(
        fmt::format("{} {} through cells that the environment closes, the first of them to {}; {}",
                    closed, closed == 1 ? "leg leads" : "legs lead", first,
                    dry == 0 ? "the flow of adjacent cells is used"
                             : fmt::format("{} of them without water nearby are left out", dry)));
  }

  void smooth(const std::vector<FlowOperator>& operators, const std::vector<float>& coefficients) {
    std::vector<FlowObservation> observations;
    for (std::size_t n = 0; n < operators.size(); ++n) {
      const ObservedLeg& leg = report_.legs[n].leg;
      observations.push_back(operators[n].observe_u(leg.u, leg.error_u));
      observations.push_back(operators[n].observe_v(leg.v, leg.error_v));
      for (std::size_t component = 2 * n; component < observations.size(); ++component) {
        observations[component].leg = static_cast<std::int32_t>(n);
      }
    }
    for (FlowObservation& observation : observations) {
      for (auto& part : observation.parts) part.level = stored_level(part.level);
    }
    smoother_.emplace(
        std::move(observations),
        CoefficientView{coefficients.data(), static_cast<std::int32_t>(stored_levels_.size()),
                        info_.mode_count, info_.realization_count},
        LearningEnsemble{{}, info_.realization_weight}, options_.smoother);
    report_.consistency = smoother_->consistency();
    for (std::size_t n = 0; n < report_.legs.size(); ++n) {
      report_.legs[n].u = smoother_->results()[2 * n];
      report_.legs[n].v = smoother_->results()[2 * n + 1];
    }
  }

  void add_mode() {
    std::vector<FlowResidual> residuals;
    double squares = 0;
    for (const LegResult& result : report_.legs) {
      const ObservedLeg& leg = result.leg;
      const PlanePoint a = leg.leg.points.front();
      const PlanePoint b = leg.leg.points.back();
      residuals.push_back({{0.5 * (a.x + b.x), 0.5 * (a.y + b.y)},
                           leg.u - result.u.posterior,
                           leg.v - result.v.posterior,
                           leg.error_u,
                           leg.error_v});
      squares += std::pow(residuals.back().u / leg.error_u, 2) +
                 std::pow(residuals.back().v / leg.error_v, 2);
    }
    const double normalized = std::sqrt(squares / (2 * static_cast<double>(residuals.size())));
    if (normalized <= 1) {
      report_.notes.push_back(fmt::format(
          "--add-mode: the modes leave {:.2f} of the errors of what was observed; none was added",
          normalized));
      return;
    }
    mode_ = find_innovation_mode(info_.grid, residuals, *options_.added_mode_length);
    mode_coefficient_ =
        draw_mode_coefficients(others_, smoother_->member_weights(), options_.smoother.seed);
    ++info_.mode_count;
    report_.mode_added = true;
    report_.notes.push_back(fmt::format(
        "--add-mode: the modes left {:.2f} times the errors of what was observed; mode {} is made "
        "of that, steady and without divergence, of covariance length {:.10g}{}",
        normalized, info_.mode_count, *options_.added_mode_length,
        info_.velocities > 1 ? ", the same at all depths" : ""));
    observe();
  }

  void check_consistency() {
    std::vector<std::string> outside;
    std::vector<std::string> rejected;
    for (const LegResult& result : report_.legs) {
      const std::string leg = fmt::format("that to row {} of {}", result.leg.row, result.track);
      if (result.rejected()) {
        rejected.push_back(leg);
      } else if (result.u.outside || result.v.outside) {
        outside.push_back(leg);
      }
    }
    if (!outside.empty()) {
      report_.warnings.push_back(fmt::format(
          "{} of {} legs observed a flow far from all realizations, the first {}: the fix or the "
          "vehicle's own motion is wrong (--reject-beyond 3 leaves such legs out), or the forecast "
          "is (--add-mode adds the missing flow)",
          outside.size(), report_.legs.size(), outside.front()));
    }
    if (!rejected.empty()) {
      report_.warnings.push_back(fmt::format(
          "{} of {} legs are more than {} standard deviations (forecast and errors) from the "
          "forecast, and were left out, the first {}: the fix or the vehicle's own motion is wrong "
          "or, if there are many such legs, the forecast is; --reject-beyond 0 keeps all",
          rejected.size(), report_.legs.size(), options_.smoother.reject_beyond, rejected.front()));
    }
    const Consistency& fit = report_.consistency;
    if (fit.degrees_of_freedom > 0 && fit.probability < improbable_chi_square) {
      report_.warnings.insert(
          report_.warnings.begin(),
          fmt::format("Observations contradict the forecast (chi-square {:.0f} of {}){}",
                      fit.chi_square, fit.degrees_of_freedom,
                      fit.contradicted
                          ? ": no probabilities; use a newer forecast"
                          : fmt::format(": spread inflated {:.1f} times", fit.inflation)));
    }
    if (info_.realization_count < 2 * fit.degrees_of_freedom &&
        options_.smoother.localisation == 0) {
      report_.warnings.push_back(fmt::format(
          "{} realizations are too few for {} observed components: chance correlations affect all "
          "times; give --localisation, about the correlation time of the flow",
          info_.realization_count, fit.degrees_of_freedom));
    }
  }

  EnvironmentInfo posterior_info() const {
    EnvironmentInfo info = info_;
    if (info.velocities > 1) {  // in the file's order
      info.profiles = read_environment_info(reader_.file(), reader_.names()).profiles;
      info.velocities = 1;
    }
    if (report_.consistency.contradicted) info.uncertainty = ForecastUncertainty::contradicted;
    info.history = with_line(info.history, out_.command);
    std::set<std::string> files;
    for (const LegResult& result : report_.legs) files.insert(result.track);
    std::string names;
    for (const std::string& file : files) names += (names.empty() ? "" : ", ") + file;
    std::string comment = fmt::format(
        "Corrected by {} observed legs of {}, from {}: ensemble smoother, {}; the coefficients' "
        "mean is in the mean flow.",
        report_.legs.size(), names, reader_.path().filename().string(),
        options_.smoother.scheme == UpdateScheme::square_root ? "square root"
                                                              : "perturbed observations");
    if (report_.mode_added) {
      comment +=
          fmt::format(" Mode {} was made of what the others left unexplained.", info.mode_count);
    }
    info.comment = with_line(info.comment, comment);
    return info;
  }

  void write_environment() {
    const EnvironmentInfo written = posterior_info();
    EnvironmentWriter writer(out_.path, written);
    std::erase_if(extras_.series, [](const EnvironmentSeries& item) {
      return item.name == "spread_before" || item.name == "spread_after" ||
             item.name == "mean_shift";
    });
    write_environment_extras(writer, extras_);
    if (info_.coordinates == Coordinates::geographic) {
      writer.write_longitude_latitude(reader_.read_longitude(), reader_.read_latitude());
    }
    write_levels(writer, written);
    const auto series = [&](const char* name, const char* words,
                            const std::vector<double>& values) {
      writer.write_series({name, unit(), words, values});
    };
    series("spread_before", "spread of the flow over the ensemble, before it was observed",
           report_.spread_before);
    series("spread_after", "spread of the flow over the ensemble, since it was observed",
           report_.spread_after);
    series("mean_shift", "how far the mean flow was moved by what was observed",
           report_.mean_shift);
    write_observation_table(writer, earlier_, report_.legs, unit(), written);
    const Consistency& fit = report_.consistency;
    writer.set_attribute("observations_chi_square", std::vector<double>{fit.chi_square});
    writer.set_attribute("observations_degrees_of_freedom",
                         std::vector<double>{static_cast<double>(fit.degrees_of_freedom)});
    writer.set_attribute("observations_probability", std::vector<double>{fit.probability});
    writer.set_attribute("observations_inflation", std::vector<double>{fit.inflation});
    writer.finish();
  }

  /// Corrects and writes all levels, profile by profile. `written`: has fields of one profile.
  void write_levels(EnvironmentWriter& writer, const EnvironmentInfo& written) {
    const std::int32_t count = written.time.level_count;
    for (auto* sums : {&report_.mean_shift, &report_.spread_before, &report_.spread_after}) {
      sums->assign(static_cast<std::size_t>(count), 0.0);
    }
    std::int64_t done = 0;
    progress_.begin("correcting", count * profile_passes(written), "levels");
    for_each_profile(reader_, [&](const EnvironmentReader& profile_reader, std::size_t profile) {
      ForecastLevels stream(profile_reader, levels_between(TimeLevel(0), TimeLevel(count - 1)),
                            written, mode_, mode_coefficient_);
      LevelFields<> corrected(written);
      Strand
          writing;  // writes the previous level, while this one is corrected and the next is read
      for (std::int32_t k = 0; k < count; ++k) {
        LevelFields<>& fields = stream.next();
        correct(TimeLevel(k), fields);
        writing.finish();
        std::swap(corrected, fields);
        writing.put([&writer, &corrected, k, profile] {
          writer.write_level(TimeLevel(k), corrected, profile);
        });
        progress_.advance_to(++done);
      }
      writing.finish();
    });
    progress_.end();
    for (auto* sums : {&report_.mean_shift, &report_.spread_before, &report_.spread_after}) {
      for (double& sum : *sums) sum = std::sqrt(std::max(0.0, sum / profile_passes(written)));
    }
  }

  /// Corrects a level of one profile, and adds its squares of shift and spread to the report.
  void correct(TimeLevel k, LevelFields<>& level) {
    std::vector<double> before(level.coefficient.begin(), level.coefficient.end());
    std::vector<double> after(before.size());
    smoother_->update_level(k, level.coefficient.view(), after);
    const auto& weight = smoother_->member_weights();
    const std::vector<double> posterior_mean = take_out_mean(after, weight);
    const std::vector<double> forecast_mean = take_out_mean(before, weight);
    move_mean(level, posterior_mean);
    std::copy(after.begin(), after.end(), level.coefficient.begin());
    const std::vector<double>& products = products_of(level);
    // The mean of the ensemble's flow before and after the update.
    double shift = 0;
    for (std::size_t a = 0; a < posterior_mean.size(); ++a) {
      for (std::size_t b = 0; b < posterior_mean.size(); ++b) {
        shift += products[a * posterior_mean.size() + b] * (posterior_mean[a] - forecast_mean[a]) *
                 (posterior_mean[b] - forecast_mean[b]);
      }
    }
    const auto at = static_cast<std::size_t>(k.value);
    report_.mean_shift[at] += shift;
    report_.spread_before[at] += flow_variance(products, before, weight);
    report_.spread_after[at] += flow_variance(products, after, weight);
  }

  /// Subtracts the mean of each mode's coefficients; the rest has a mean of about 0.
  std::vector<double> take_out_mean(std::vector<double>& coefficient,
                                    const std::vector<double>& weight) const {
    std::vector<double> mean = coefficient_moments(coefficient, info_.mode_count, weight).mean;
    for (std::size_t n = 0; n < coefficient.size(); ++n) coefficient[n] -= mean[n / weight.size()];
    return mean;
  }

  /// Adds each mode times its mean coefficient to the mean flow.
  static void move_mean(LevelFields<>& level, const std::vector<double>& posterior_mean) {
    const std::size_t cells = level.masked.size();
    std::vector<double> sum(cells);
    const auto move = [&](Array<float>& mean, View<const float> mode) {
      std::copy(mean.begin(), mean.end(), sum.begin());
      for (std::size_t m = 0; m < posterior_mean.size(); ++m) {
        for (std::size_t n = 0; n < cells; ++n) sum[n] += posterior_mean[m] * mode[m * cells + n];
      }
      std::copy(sum.begin(), sum.end(), mean.begin());
    };
    move(level.u_mean, level.u_modes());
    move(level.v_mean, level.v_modes());
  }

  /// mode_products() of the level; those of the previous level if modes and open cells are the
  /// same.
  const std::vector<double>& products_of(const LevelFields<>& level) {
    const auto& masked = level.masked;
    const bool same =
        level.shared_modes && level.shared_modes == products_modes_ &&
        std::equal(masked.begin(), masked.end(), products_masked_.begin(), products_masked_.end());
    if (!same) {
      products_ = mode_products(level.view(info_));
      products_modes_ = level.shared_modes;
      products_masked_.assign(masked.begin(), masked.end());
    }
    return products_;
  }

  /// Mean of u_m u_n + v_m v_n over open cells, (mode, mode).
  static std::vector<double> mode_products(const LevelView& level) {
    const std::size_t cells = level.masked.size;
    const std::size_t modes = level.u_mode.size / cells;
    std::vector<double> products(modes * modes, 0.0);
    std::vector<double> flow(2 * modes);
    double open = 0;
    for (std::size_t n = 0; n < cells; ++n) {
      if (level.masked[n] != 0) continue;
      ++open;
      for (std::size_t m = 0; m < modes; ++m) {
        flow[m] = level.u_mode[m * cells + n];
        flow[modes + m] = level.v_mode[m * cells + n];
      }
      for (std::size_t a = 0; a < modes; ++a) {
        for (std::size_t b = 0; b < modes; ++b) {
          products[a * modes + b] += flow[a] * flow[b] + flow[modes + a] * flow[modes + b];
        }
      }
    }
    for (double& product : products) product /= std::max(open, 1.0);
    return products;
  }

  /// The spread of the flow, from coefficients without a mean, (mode, member).
  static double flow_variance(const std::vector<double>& products,
                              const std::vector<double>& coefficient,
                              const std::vector<double>& weight) {
    const std::size_t members = weight.size();
    const std::size_t modes = coefficient.size() / members;
    double squares = 0;
    for (const double share : weight) squares += share * share;
    double variance = 0;
    for (std::size_t a = 0; a < modes; ++a) {
      for (std::size_t b = 0; b < modes; ++b) {
        double covariance = 0;
        for (std::size_t r = 0; r < members; ++r) {
          covariance += weight[r] * coefficient[a * members + r] * coefficient[b * members + r];
        }
        variance += products[a * modes + b] * covariance / (1 - squares);
      }
    }
    return variance;
  }

  const EnvironmentReader& reader_;
  EnvironmentInfo info_;  // includes the added mode, if there is one
  const PosteriorOptions& options_;
  const DerivedFile& out_;
  Progress& progress_;
  EnvironmentExtras extras_;
  ObservationTable earlier_;
  std::map<std::int32_t, std::int32_t> stored_levels_;
  std::optional<InnovationMode> mode_;
  std::vector<float> mode_coefficient_;
  std::vector<double> others_;  // (observed level and mode, realization), for the added mode
  std::optional<EnsembleSmoother> smoother_;
  std::vector<double> products_;  // (mode, mode), of the current level
  std::shared_ptr<const SharedModes<>> products_modes_;
  std::vector<std::uint8_t> products_masked_;  // (y, x)
  PosteriorReport report_;
};

}  // namespace

PosteriorReport write_posterior(const EnvironmentReader& forecast,
                                const std::vector<ObservedTrack>& tracks,
                                const PosteriorOptions& options, const DerivedFile& out,
                                Progress& progress) {
  refuse_overwriting("--out", out.path, {forecast.path()});
  if (options.added_mode_length && !(*options.added_mode_length > 0)) {
    throw input_error(errors::mode_length_invalid, *options.added_mode_length);
  }
  const AtomicFile writable(out.path);  // refuses an unwritable path before the work begins
  return PosteriorWriter(forecast, tracks, options, out, progress).write();
}

}  // namespace tidewise
