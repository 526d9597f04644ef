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

bool holds_any(const Words& words, std::initializer_list<const char*> known) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(known.begin(), known.end(),
                       [&](const char* one) { return word.starts_with(one); });
  });
}

enum class Rating { good, bad, unknown };

/// The grade of one of flag_meanings: "probably_bad", "no_qc_performed", "not_valid".
Rating rating_of(const std::string& meaning) {
  const Words words = split(lower_case(meaning), "_-");
  if (words.empty()) return Rating::unknown;
  const std::string& first = words.front();
  const bool is_denied = first == "no" || first == "not" || first == "non" || first == "without";
  const bool is_praise = holds_any(words, {"good", "valid", "pass", "ok", "accept", "usable"});
  const bool is_blame =
      holds_any(words, {"bad", "fail", "missing", "suspect", "questionable", "doubtful", "wrong",
                        "error", "erroneous", "invalid", "reject", "outlier", "spike", "exceed",
                        "unusable", "unreliable", "poor", "land", "unsampled"});
  if (is_denied) {
    const bool is_absent = words.size() == 2 && holds_any(words, {"data", "value", "sampled"});
    return is_praise || is_absent ? Rating::bad : Rating::good;
  }
  if (is_blame) return Rating::bad;
  const bool is_neutral =
      holds_any(words, {"nominal", "interpolated", "changed", "estimated", "corrected", "adjusted",
                        "unknown", "unevaluated", "spare", "reserved", "high"});
  return is_praise || is_neutral ? Rating::good : Rating::unknown;
}

double value_of(char letter) {
  return std::isdigit(static_cast<unsigned char>(letter)) != 0 ? letter - '0'
                                                               : static_cast<double>(letter);
}

/// flag_values as numbers, or as text: "0123", "0 1 2", "G, B".
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

/// True if an ancillary variable grades quality; it may also be an error or a count.
bool is_flag(const NetcdfFile& file, const std::string& variable) {
  return has_meanings(file, variable) ||
         contains(lower_case(file.text(variable, "standard_name")), {"_flag"}) ||
         contains(lower_case(variable), {"qc", "flag", "quality", "qartod"});
}

bool is_any(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_name_of(const std::string& flag, const std::string& variable) {
  for (const char* word : {"qc", "qf", "flag", "flags", "quality", "quality_flag", "status_flag",
                           "qc_flag", "qartod_agg", "qc_agg", "qc_aggregate"}) {
    if (flag == variable + "_" + word || flag == std::string(word) + "_" + variable) return true;
  }
  return flag == variable + "qc" || flag == variable + "flag";
}

/// True for names of flags that grade all variables at a point and a time.
bool is_of_all(const std::string& name) {
  return is_any(name, {"qcflag", "qc_flag", "qc_flags", "quality_flag", "quality_flags", "qc",
                       "quality_control_flag", "quality_control", "flag", "flags", "primary_flag",
                       "qartod_primary_flag", "aggregate_quality_flag", "prim"});
}

bool lies_on(const NetcdfFile& file, const std::string& flag,
             const std::vector<NetcdfDimension>& field) {
  const auto own = file.dimensions(flag);
  return std::all_of(own.begin(), own.end(), [&](const NetcdfDimension& one) {
    return one.size == 1 ||
           std::any_of(field.begin(), field.end(),
                       [&](const NetcdfDimension& other) { return other.name == one.name; });
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
  const std::string own_name = lower_case(variable);
  const std::string standard_name = lower_case(file.text(variable, "standard_name"));
  const Words ancillary = split(file.text(variable, "ancillary_variables"), " ,\t\n");
  const auto field = file.dimensions(variable);
  std::vector<QualityFlag> flags;
  const auto standard_names = file.texts("standard_name");
  for (std::size_t n = 0; n < standard_names.size(); ++n) {
    const std::string& other = file.variables()[n];
    if (other == variable) continue;
    const std::string name = lower_case(other);
    const bool is_listed = std::find(ancillary.begin(), ancillary.end(), other) != ancillary.end();
    const std::string own_standard = lower_case(standard_names[n]);
    const bool is_own = has_name_of(name, own_name) ||
                        (!standard_name.empty() && own_standard.starts_with(standard_name + " ") &&
                         own_standard.ends_with("_flag"));
    const bool is_certain = (is_listed && is_flag(file, other)) || is_own || name == "qcflag";
    if (!is_certain && !is_of_all(name)) continue;
    if (lies_on(file, other, field)) {
      flags.emplace_back(file, other);
    } else if (is_certain) {
      file.refuse(other, error_text(errors::flags_on_other_dimensions, variable));
    }
  }
  return flags;
}

void take_out_bad(const NetcdfFile& file, const std::string& variable, const QualityFlag& flag,
                  const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
                  std::vector<double>& values) {
  const auto field = file.dimensions(variable);
  const auto own = file.dimensions(flag.variable());
  std::vector<std::size_t> own_start(own.size(), 0);
  std::vector<std::size_t> own_count(own.size(), 1);
  std::vector<std::size_t> stride(field.size(),
                                  0);  // stride of each of the field's dimensions in the flags
  std::size_t step = 1;
  for (std::size_t d = own.size(); d-- > 0;) {
    for (std::size_t f = 0; f < field.size(); ++f) {
      if (field[f].name != own[d].name) continue;
      own_start[d] = start[f];
      own_count[d] = count[f];
      stride[f] = step;
    }
    step *= own_count[d];
  }
  const auto flags = file.read(flag.variable(), own_start, own_count);
  for (std::size_t n = 0; n < values.size(); ++n) {
    std::size_t at = 0;
    for (std::size_t f = field.size(), rest = n; f-- > 0; rest /= count[f]) {
      at += rest % count[f] * stride[f];
    }
    if (flag.is_bad(flags[at])) values[n] = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace tidewise::ingest
