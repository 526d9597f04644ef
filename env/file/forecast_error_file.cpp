#include "env/file/forecast_error_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/text_file.h"
#include "base/nesting.h"
#include "env/error/codes.h"
#include "env/units/quantity.h"

namespace tidewise {
namespace {

constexpr double hour = 3600;  // [s]
constexpr double kilometre = 1000;
constexpr const char* table_name = "forecast_error";
constexpr std::array<std::string_view, 8> known_keys{
    "rms", "length", "slow_share", "slow_time", "fast_time", "period", "source", "interval"};

class ModelReader {
 public:
  ModelReader(const toml::table& root, std::string file) : file_(std::move(file)) {
    for (const auto& [key, node] : root) {
      if (key.str() != table_name || !node.is_table()) {
        throw input_error(errors::error_model_key_unknown, location(node), key.str(),
                          "the table [forecast_error]");
      }
    }
    table_ = root[table_name].as_table();
    if (table_ == nullptr) {
      throw input_error(errors::error_model_key_missing, file_, "[forecast_error]");
    }
    for (const auto& [key, node] : *table_) {
      if (std::find(known_keys.begin(), known_keys.end(), key.str()) == known_keys.end()) {
        throw input_error(errors::error_model_key_unknown, location(node), key.str(),
                          fmt::format("{}", fmt::join(known_keys, ", ")));
      }
    }
  }

  ForecastErrorModel read() const {
    ForecastErrorModel model;
    model.rms = rms();
    model.length = parse_length(location_of("length"), text("length"));
    if (has("slow_share")) model.slow_share = number(*table_->get("slow_share"), "slow_share", 1);
    if (model.slow_share > 0 || has("slow_time")) model.slow_time = duration("slow_time");
    if (model.slow_share < 1 || has("fast_time")) model.fast_time = duration("fast_time");
    if (has("period")) model.period = duration("period");
    if (has("source")) model.source = text("source");
    return model;
  }

 private:
  bool has(std::string_view key) const { return table_->contains(key); }

  std::string location(const toml::node& node) const {
    return fmt::format("{}:{}", file_, node.source().begin.line);
  }

  const toml::node& required(std::string_view key) const {
    const toml::node* node = table_->get(key);
    if (node == nullptr) {
      throw input_error(errors::error_model_key_missing, location(*table_), key);
    }
    return *node;
  }

  std::string location_of(std::string_view key) const {
    return fmt::format("{}: {}", location(required(key)), key);
  }

  [[noreturn]] void refuse(const toml::node& node, std::string_view key,
                           std::string_view allowed) const {
    throw input_error(errors::error_model_value_invalid, location(node), key, allowed);
  }

  std::string text(std::string_view key) const {
    const toml::node& node = required(key);
    const auto value = node.value_exact<std::string>();
    if (!value) refuse(node, key, "text in quotes, a quantity with its unit");
    return *value;
  }

  double duration(std::string_view key) const {
    return parse_duration(location_of(key), text(key));
  }

  double number(const toml::node& node, std::string_view key, double max) const {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (value && *value >= 0 && *value <= max) return *value;
    refuse(node, key, max == 1 ? "a number from 0 to 1" : "a number from 0 on [m/s]");
  }

  std::vector<std::pair<double, double>> rms() const {
    constexpr const char* allowed =
        "a list of lead times and m/s per component, e.g. [[\"0h\", 0.3], [\"24h\", 0.4]]";
    const toml::node& node = required("rms");
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) refuse(node, "rms", allowed);
    std::vector<std::pair<double, double>> rms;
    for (const toml::node& element : *list) {
      const toml::array* pair = element.as_array();
      if (pair == nullptr || pair->size() != 2) refuse(element, "rms", allowed);
      const auto lead_text = (*pair)[0].value_exact<std::string>();
      if (!lead_text) refuse(element, "rms", allowed);
      const double lead = parse_lead_time(location(element) + ": rms", *lead_text);
      if (!rms.empty() && lead <= rms.back().first) {
        throw input_error(errors::error_model_leads_not_ascending, location(element), *lead_text);
      }
      rms.emplace_back(lead, number((*pair)[1], "rms", std::numeric_limits<double>::max()));
    }
    return rms;
  }

  std::string file_;
  const toml::table* table_ = nullptr;
};

std::string hours(double seconds) { return fmt::format("\"{:.5g}h\"", seconds / hour); }

std::string kilometres(double metres) { return fmt::format("\"{:.5g}km\"", metres / kilometre); }

std::string share(double value) { return fmt::format("{:.5g}", value); }

/// The line "KEY = [LOW, HIGH]"; empty if there is no interval.
template <class Format>
std::string interval_line(const char* key, const ForecastErrorIntervals::Interval& interval,
                          const Format& format_value) {
  if (!interval) return "";
  return fmt::format("{} = [{}, {}]\n", key, format_value(interval->first),
                     format_value(interval->second));
}

}  // namespace

ForecastErrorModel read_forecast_error_model(const std::filesystem::path& path) {
  const std::string file = path.string();
  const std::string text = read_text_file(path, text_format::toml);
  try {
    require_shallow(text, NestedText::toml, file);
    const toml::table root = toml::parse(text, file);
    return ModelReader(root, file).read();
  } catch (const toml::parse_error& error) {
    throw input_error(errors::error_model_not_toml, file, error.source().begin.line,
                      error.description());
  }
}

void write_forecast_error_model(const std::filesystem::path& path, const ForecastErrorModel& model,
                                const ForecastErrorIntervals& intervals) {
  std::string rms;
  for (const auto& [lead, value] : model.rms) {
    rms += fmt::format("{}[{}, {:.5g}]", rms.empty() ? "" : ", ", hours(lead), value);
  }
  std::string text = fmt::format(
      "[forecast_error]\nrms = [{}]  # lead time, m/s per component\nlength = {}\n"
      "slow_share = {}\n",
      rms, kilometres(model.length), share(model.slow_share));
  if (model.slow_time > 0) text += fmt::format("slow_time = {}\n", hours(model.slow_time));
  if (model.fast_time > 0) text += fmt::format("fast_time = {}\n", hours(model.fast_time));
  if (model.period > 0) text += fmt::format("period = {}\n", hours(model.period));
  if (!model.source.empty()) {
    std::ostringstream quoted;
    quoted << toml::value<std::string>(model.source);
    text += fmt::format("source = {}\n", quoted.str());
  }

  std::string rms_intervals;
  for (std::size_t n = 0; n < intervals.rms.size(); ++n) {
    if (!intervals.rms[n]) continue;
    const auto& [low, high] = *intervals.rms[n];
    rms_intervals += fmt::format("{}[{}, {:.5g}, {:.5g}]", rms_intervals.empty() ? "" : ", ",
                                 hours(model.rms[n].first), low, high);
  }
  std::string table = rms_intervals.empty() ? "" : fmt::format("rms = [{}]\n", rms_intervals);
  table += interval_line("length", intervals.length, kilometres);
  table += interval_line("slow_share", intervals.slow_share, share);
  table += interval_line("slow_time", intervals.slow_time, hours);
  table += interval_line("fast_time", intervals.fast_time, hours);
  table += interval_line("period", intervals.period, hours);
  if (!table.empty()) text += "\n[forecast_error.interval]  # 90 %\n" + table;
  write_text_file(path, text);
}

}  // namespace tidewise
