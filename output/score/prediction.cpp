#include "output/score/prediction.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

#include "base/error.h"
#include "base/file/made_folders.h"
#include "base/file/text_file.h"
#include "base/nesting.h"
#include "base/printable.h"
#include "env/units/calendar_time.h"
#include "output/error/codes.h"
#include "output/json_number.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string mark() { return fmt::format("{{\"{}\":", prediction_key); }

/// Reads the values of one line. Errors: InputError without file and line.
class LineReader {
 public:
  explicit LineReader(const Json& line) : line_(line) {}

  Prediction read() const {
    if (number(line_, prediction_key) != prediction_version) {
      throw input_error(errors::prediction_version_unknown, line_[prediction_key].dump(),
                        prediction_version);
    }
    Prediction prediction;
    prediction.line = line_;
    prediction.departure = date(line_, "departure");
    prediction.deadline = date(line_, "deadline");
    if (!(prediction.deadline > prediction.departure))
      refuse("deadline", "a date after the departure");
    prediction.start = {nan, nan};
    if (has(line_, "start")) prediction.start = point(line_["start"], "start");
    if (has(line_, "via")) {
      for (const Json& via : list(line_, "via")) prediction.targets.push_back(target(via, "via"));
    }
    if (has(line_, "target")) prediction.targets.push_back(target(line_["target"], "target"));
    if (has(line_, "arrival")) prediction.arrival = arrival(line_["arrival"]);
    if (has(line_, "surfacing")) prediction.surfacing = surfacing(line_["surfacing"]);
    if (has(line_, "outcome")) prediction.outcome = outcome(line_["outcome"]);
    return prediction;
  }

 private:
  [[noreturn]] static void refuse(std::string_view key, const std::string& wanted) {
    throw input_error(errors::prediction_value_invalid, key, wanted);
  }
  static bool has(const Json& part, std::string_view key) {
    return part.is_object() && part.contains(key) && !part[key].is_null();
  }
  static double number(const Json& part, std::string_view key) {
    if (!has(part, key) || !part[key].is_number()) refuse(key, "a number");
    return part[key].get<double>();
  }
  static double non_negative(const Json& part, std::string_view key) {
    const double value = number(part, key);
    if (!(value >= 0)) refuse(key, "a number that is not negative");
    return value;
  }
  static const Json& list(const Json& part, std::string_view key) {
    if (!has(part, key) || !part[key].is_array()) refuse(key, "a list");
    return part[key];
  }
  static double date(const Json& part, std::string_view key) {
    if (!has(part, key) || !part[key].is_string()) refuse(key, "a date");
    return parse_iso_time(part[key].get<std::string>());
  }

  static GeographicPoint point(const Json& pair, std::string_view key) {
    const bool is_pair =
        pair.is_array() && pair.size() == 2 && pair[0].is_number() && pair[1].is_number();
    if (!is_pair || !(std::abs(pair[1].get<double>()) <= 90)) refuse(key, "[LON, LAT] in degrees");
    return {pair[0].get<double>(), pair[1].get<double>()};
  }

  static GlobeTarget target(const Json& part, std::string_view key) {
    GlobeTarget result;
    if (has(part, "polygons")) {
      for (const Json& polygon : list(part, "polygons")) {
        if (!polygon.is_array()) refuse("polygons", "lists of rings");
        Polygon& rings = result.polygons.emplace_back();
        for (const Json& ring : polygon) {
          if (!ring.is_array()) refuse("polygons", "lists of rings");
          Ring& vertices = rings.emplace_back();
          for (const Json& pair : ring) {
            const GeographicPoint vertex = point(pair, "polygons");
            vertices.push_back({vertex.longitude, vertex.latitude});
          }
          if (vertices.size() < 4) refuse("polygons", "rings of four points or more");
        }
      }
      return result;
    }
    for (const Json& pair : list(part, "points")) result.points.push_back(point(pair, key));
    result.radius = non_negative(part, "radius");
    return result;
  }

  static ArrivalTimes times(const Json& part, std::string_view key, double missing) {
    const Json& values = list(part, key);
    ArrivalTimes times{};
    if (values.size() != times.size()) refuse(key, fmt::format("a list of {} times", times.size()));
    for (std::size_t n = 0; n < times.size(); ++n) {
      if (!values[n].is_null() && !values[n].is_number())
        refuse(key, "a list of numbers and nulls");
      times[n] = values[n].is_null() ? missing : values[n].get<double>();
      if (n > 0 && times[n] < times[n - 1]) refuse(key, "a list of ascending times");
    }
    return times;
  }

  static ArrivalQuantiles arrival(const Json& part) {
    ArrivalQuantiles result;
    result.probability = non_negative(part, "probability");
    if (result.probability > 1) refuse("probability", "a number from 0 to 1");
    result.all = times(part, "quantiles", infinity);
    result.arriving = times(part, "quantiles_of_arrivals", nan);
    if (result.probability > 0 && std::isnan(at(result.arriving, ArrivalShare::p95))) {
      refuse("quantiles_of_arrivals", "a list of times");
    }
    return result;
  }

  static PredictedSurfacing surfacing(const Json& part) {
    PredictedSurfacing result;
    result.time = number(part, "time");
    result.centre = {number(part, "longitude"), number(part, "latitude")};
    result.bearing = number(part, "bearing");
    const Json& regions = list(part, "regions");
    if (regions.size() != result.semi_axes.size()) refuse("regions", "a list of two ellipses");
    for (std::size_t n = 0; n < result.semi_axes.size(); ++n) {
      result.semi_axes[n] = {non_negative(regions[n], "semi_major"),
                             non_negative(regions[n], "semi_minor")};
    }
    return result;
  }

  static PredictionOutcome outcome(const Json& part) {
    PredictionOutcome result;
    if (!has(part, "arrived") || !part["arrived"].is_boolean()) refuse("arrived", "true or false");
    if (part["arrived"].get<bool>()) result.arrived = non_negative(part, "time");
    if (!has(part, "surfaced")) return result;
    const Json& in = list(part, "surfaced");
    if (in.size() != 2 || !in[0].is_boolean() || !in[1].is_boolean()) {
      refuse("surfaced", "[true or false, true or false]");
    }
    result.surfaced = {in[0].get<bool>(), in[1].get<bool>()};
    return result;
  }

  const Json& line_;
};

Prediction read_line(const std::string& text) {
  require_shallow(text, NestedText::json, "the line");
  const Json line = Json::parse(text, nullptr, false);
  if (line.is_discarded() || !line.is_object()) throw input_error(errors::prediction_not_json);
  return LineReader(line).read();
}

Json times_json(const ArrivalTimes& times) {
  Json json = Json::array();
  for (const double time : times) json.push_back(json_number(time));
  return json;
}

std::string reason() { return std::error_code(errno, std::generic_category()).message(); }

/// An open log that no other process writes to.
class LockedLog {
 public:
  explicit LockedLog(const fs::path& path)
      : path_(path),
        file_(::open(path.c_str(),
                     O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666)) {
    if (file_ < 0 && errno == ELOOP) {
      throw input_error(errors::prediction_log_foreign, path.string(), "is a symbolic link");
    }
    if (file_ < 0) throw input_error(errors::prediction_log_not_opened, path.string(), reason());
    struct stat status {};
    const bool regular = ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
    if (!regular) refuse("is not a regular file");
    while (::flock(file_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const std::string why = reason();
      ::close(file_);
      throw input_error(errors::prediction_log_not_opened, path.string(), why);
    }
    (void)::fstat(file_, &status);  // another process may have added to it meanwhile
    size_ = status.st_size;
    if (size_ > 0 && read(0, mark().size()) != mark()) refuse("does not begin with a prediction");
    if (size_ > 0 && read(size_ - 1, 1) != "\n") refuse("ends in the middle of a line");
  }
  LockedLog(const LockedLog&) = delete;
  LockedLog& operator=(const LockedLog&) = delete;
  ~LockedLog() { ::close(file_); }

  void append(const std::string& text) const {
    const auto count = static_cast<ssize_t>(text.size());
    if (::write(file_, text.data(), text.size()) == count && ::fsync(file_) == 0) return;
    const std::string why = reason();
    (void)::ftruncate(file_, size_);
    throw RunError(fmt::format("{}: writing failed: {}", path_.string(), why));
  }

 private:
  [[noreturn]] void refuse(const char* what) const {
    ::close(file_);
    throw input_error(errors::prediction_log_foreign, path_.string(), what);
  }
  std::string read(off_t from, std::size_t count) const {
    std::string bytes(count, '\0');
    const ssize_t bytes_read = ::pread(file_, bytes.data(), count, from);
    bytes.resize(bytes_read > 0 ? static_cast<std::size_t>(bytes_read) : 0);
    return bytes;
  }

  const fs::path& path_;
  int file_;
  off_t size_ = 0;
};

}  // namespace

Json to_json(const ArrivalQuantiles& arrival) {
  return {{"probability", json_number(arrival.probability)},
          {"quantiles", times_json(arrival.all)},
          {"quantiles_of_arrivals", times_json(arrival.arriving)}};
}

Json to_json(const PredictionOutcome& outcome) {
  Json json{{"arrived", outcome.arrived.has_value()}};
  if (outcome.arrived) json["time"] = *outcome.arrived;
  if (outcome.surfaced) json["surfaced"] = *outcome.surfaced;
  return json;
}

std::vector<Prediction> read_predictions(const fs::path& path) {
  const std::string text = read_text_file(path, text_format::predictions);
  std::vector<Prediction> predictions;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    ++number;
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      predictions.push_back(read_line(line));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: line {}: {}", path.string(), number, error.what()));
    }
  }
  return predictions;
}

FileKind prediction_log_kind() { return kind_beginning_with("log of predictions", mark()); }

void require_prediction_log(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path, ignored);
  if (fs::is_symlink(status)) {
    throw input_error(errors::prediction_log_foreign, path.string(), "is a symbolic link");
  }
  if (!fs::exists(status)) {
    const fs::path parent = nearest_existing(path);
    if (fs::is_directory(parent, ignored)) return;
    throw input_error(errors::prediction_log_not_opened, path.string(),
                      parent.string() + " is not a folder");
  }
  (void)LockedLog(path);
}

void append_prediction(const fs::path& path, const Json& line) {
  MadeFolders folders;
  folders.make(fs::absolute(path).parent_path());
  LockedLog(path).append(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  folders.keep();
}

}  // namespace tidewise
