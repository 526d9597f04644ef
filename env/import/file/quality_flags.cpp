#include "env/import/file/quality_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "env/error/codes.h"
#include "env/import/file/bad_flags.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

using Words = std::vector<std::string>;

/// The words of `text` between any of `separators`.
Words split(const std::string& text, std::string_view separators) {
  Words words;
  std::size_t begin = 0;
  while ((begin = text.find_first_not_of(separators, begin)) != std::string::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

bool contains_any(const Words& words, std::initializer_list<const char*> known) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(known.begin(), known.end(),
                       [&](const char* prefix) { return word.starts_with(prefix); });
  });
}

enum class Rating { good, bad, unknown };

/// The rating of a flag's meaning, such as "probably_bad", "no_qc_performed" or "not_valid".
Rating rating_of(const std::string& meaning) {
  const Words words = split(lower_case(meaning), "_-");
  if (words.empty()) return Rating::unknown;
  const std::string& first = words.front();
  const bool is_negated = first == "no" || first == "not" || first == "non" || first == "without";
  const bool means_good = contains_any(words, {"good", "valid", "pass", "ok", "accept", "usable"});
  const bool means_bad =
      contains_any(words, {"bad", "fail", "missing", "suspect", "questionable", "doubtful", "wrong",
                           "error", "erroneous", "invalid", "reject", "outlier", "spike", "exceed",
                           "unusable", "unreliable", "poor", "land", "unsampled"});
  if (is_negated) {
    const bool is_absent = words.size() == 2 && contains_any(words, {"data", "value", "sampled"});
    return means_good || is_absent ? Rating::bad : Rating::good;
  }
  if (means_bad) return Rating::bad;
  const bool is_neutral =
      contains_any(words, {"nominal", "interpolated", "changed", "estimated", "corrected",
                           "adjusted", "unknown", "unevaluated", "spare", "reserved", "high"});
  return means_good || is_neutral ? Rating::good : Rating::unknown;
}

double value_of(char letter) {
  return std::isdigit(static_cast<unsigned char>(letter)) != 0 ? letter - '0'
                                                               : static_cast<double>(letter);
}

/// The attribute flag_values, stored as numbers or as text: "0123", "0 1 2", "G, B".
std::vector<double> flag_values(const NetcdfFile& file, const std::string& variable) {
  std::vector<double> values = file.numbers(variable, "flag_values");
  if (!values.empty()) return values;
  const std::string text = file.text(variable, "flag_values");
  const Words words = split(text, " ,");
  const bool is_list = words.size() > 1;
  for (const std::string& word : is_list ? words : Words{text}) {
    for (const char letter : is_list ? word.substr(0, 1) : word) values.push_back(value_of(letter));
  }
  return values;
}

std::string name_of(double value) {
  return value > 9 && value < 127 && std::isalpha(static_cast<int>(value)) != 0
             ? std::string(1, static_cast<char>(value))
             : fmt::format("{:.10g}", value);
}

bool has_meanings(const NetcdfFile& file, const std::string& variable) {
  return !file.text(variable, "flag_meanings").empty() || !flag_values(file, variable).empty() ||
         !file.numbers(variable, "flag_masks").empty();
}

bool contains(const std::string& text, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return text.find(part) != std::string::npos; });
}

/// True if an ancillary variable grades quality; others are errors or counts.
bool is_flag(const NetcdfFile& file, const std::string& variable) {
  return has_meanings(file, variable) ||
         contains(lower_case(file.text(variable, "standard_name")), {"_flag"}) ||
         contains(lower_case(variable), {"qc", "flag", "quality", "qartod"});
}

bool is_any(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_named_after(const std::string& flag, const std::string& variable) {
  for (const char* word : {"qc", "qf", "flag", "flags", "quality", "quality_flag", "status_flag",
                           "qc_flag", "qartod_agg", "qc_agg", "qc_aggregate"}) {
    if (flag == variable + "_" + word || flag == std::string(word) + "_" + variable) return true;
  }
  return flag == variable + "qc" || flag == variable + "flag";
}

/// True for names of flags that grade all variables at a point and a time.
bool is_general_flag(const std::string& name) {
  return is_any(name, {"qcflag", "qc_flag", "qc_flags", "quality_flag", "quality_flags", "qc",
                       "quality_control_flag", "quality_control", "flag", "flags", "primary_flag",
                       "qartod_primary_flag", "aggregate_quality_flag", "prim"});
}

/// True if all dimensions of a flag are dimensions of the field.
bool fits_dimensions(const NetcdfFile& file, const std::string& flag,
                     const std::vector<NetcdfDimension>& field) {
  const auto flag_dimensions = file.dimensions(flag);
  return std::all_of(
      flag_dimensions.begin(), flag_dimensions.end(), [&](const NetcdfDimension& dimension) {
        return dimension.size == 1 ||
               std::any_of(field.begin(), field.end(), [&](const NetcdfDimension& candidate) {
                 return candidate.name == dimension.name;
               });
      });
}

}  // namespace

QualityFlag::QualityFlag(const NetcdfFile& file, std::string variable)
    : variable_(std::move(variable)) {
  const Words meanings = split(file.text(variable_, "flag_meanings"), " ,\t\n");
  const std::vector<double> values = flag_values(file, variable_);
  const std::vector<double> masks = file.numbers(variable_, "flag_masks");
  const bool has_masks = masks.size() == meanings.size();
  if (meanings.empty() || (!has_masks && values.size() != meanings.size())) {
    for (const double bad : bad_flags) grades_.push_back({0, bad, true});
    bad_values_ = fmt::format("{:g}", fmt::join(bad_flags, ", "));
    return;
  }
  Words bad;
  Words unknown;
  for (std::size_t n = 0; n < meanings.size(); ++n) {
    Grade grade;
    if (has_masks) grade.mask = static_cast<std::uint64_t>(std::max(masks[n], 0.0));
    grade.value = values.size() == meanings.size() ? values[n] : masks[n];
    const Rating rating = rating_of(meanings[n]);
    grade.is_bad = rating == Rating::bad;
    if (grade.is_bad) bad.push_back(fmt::format("{} ({})", name_of(grade.value), meanings[n]));
    if (rating == Rating::unknown) unknown.push_back(meanings[n]);
    grades_.push_back(grade);
  }
  bad_values_ = fmt::format("{}", fmt::join(bad, ", "));
  unknown_meanings_ = fmt::format("{}", fmt::join(unknown, ", "));
}

bool QualityFlag::is_bad(double flag) const {
  const auto bits = static_cast<std::uint64_t>(flag >= 0 ? std::min(flag, 0x1p62) : 0);
  return std::any_of(grades_.begin(), grades_.end(), [&](const Grade& grade) {
    if (!grade.is_bad) return false;
    return grade.mask == 0 ? flag == grade.value
                           : static_cast<double>(bits & grade.mask) == grade.value;
  });
}

std::vector<QualityFlag> find_quality_flags(const NetcdfFile& file, const std::string& variable) {
  const std::string lower_name = lower_case(variable);
  const std::string standard_name = lower_case(file.text(variable, "standard_name"));
  const Words ancillary = split(file.text(variable, "ancillary_variables"), " ,\t\n");
  const auto field = file.dimensions(variable);
  std::vector<QualityFlag> flags;
  const auto standard_names = file.texts("standard_name");
  for (std::size_t n = 0; n < standard_names.size(); ++n) {
    const std::string& candidate = file.variables()[n];
    if (candidate == variable) continue;
    const std::string name = lower_case(candidate);
    const bool is_listed =
        std::find(ancillary.begin(), ancillary.end(), candidate) != ancillary.end();
    const std::string candidate_standard_name = lower_case(standard_names[n]);
    const bool names_match =
        is_named_after(name, lower_name) ||
        (!standard_name.empty() && candidate_standard_name.starts_with(standard_name + " ") &&
         candidate_standard_name.ends_with("_flag"));
    const bool is_certain =
        (is_listed && is_flag(file, candidate)) || names_match || name == "qcflag";
    if (!is_certain && !is_general_flag(name)) continue;
    if (fits_dimensions(file, candidate, field)) {
      flags.emplace_back(file, candidate);
    } else if (is_certain) {
      file.refuse(candidate, error_text(errors::flags_on_other_dimensions, variable));
    }
  }
  return flags;
}

void remove_bad_values(const NetcdfFile& file, const std::string& variable, const QualityFlag& flag,
                       const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
                       std::vector<double>& values) {
  const auto field = file.dimensions(variable);
  const auto flag_dimensions = file.dimensions(flag.variable());
  std::vector<std::size_t> flag_start(flag_dimensions.size(), 0);
  std::vector<std::size_t> flag_count(flag_dimensions.size(), 1);
  std::vector<std::size_t> stride(field.size(), 0);  // of the field's dimensions in the flags
  std::size_t step = 1;
  for (std::size_t d = flag_dimensions.size(); d-- > 0;) {
    for (std::size_t f = 0; f < field.size(); ++f) {
      if (field[f].name != flag_dimensions[d].name) continue;
      flag_start[d] = start[f];
      flag_count[d] = count[f];
      stride[f] = step;
    }
    step *= flag_count[d];
  }
  const auto flags = file.read(flag.variable(), flag_start, flag_count);
  for (std::size_t n = 0; n < values.size(); ++n) {
    std::size_t index = 0;
    for (std::size_t f = field.size(), rest = n; f-- > 0; rest /= count[f]) {
      index += rest % count[f] * stride[f];
    }
    if (flag.is_bad(flags[index])) values[n] = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace tidewise::ingest
