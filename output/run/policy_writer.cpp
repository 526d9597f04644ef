#include <fmt/format.h>

#include "env/file/grid_mapping.h"
#include "env/file/profile_words.h"
#include "output/run/attributes.h"
#include "output/run/policy_file.h"

namespace tidewise {

PolicyWriter::PolicyWriter(const std::filesystem::path& path, const EnvironmentInfo& info,
                           const std::vector<Action>& actions, const std::string& mission_text,
                           TimeLevel last, const PolicyOrigin& origin)
    : grid_(info.grid),
      last_(last),
      legs_(origin.legs),
      atomic_(path),
      file_(Hdf5File::create(atomic_.temporary_path())),
      packer_(deflate_level) {
  set_run_attributes(file_, info, "Policy", mission_text, "planned the mission of this file");
  file_.set_attribute("/", "tidewise_policy", std::int32_t{1});
  if (!origin.environment_fingerprint.empty()) {
    file_.set_attribute("/", "environment_fingerprint", origin.environment_fingerprint);
  }
  if (origin.from_start) file_.set_attribute("/", from_start_attribute, origin.from_start->value);
  if (origin.decisions.hold()) {
    file_.set_attribute("/", decide_every_attribute, origin.decisions.every);
    file_.set_attribute("/", decides_at_attribute, origin.decisions.phase.value);
    if (origin.decisions.for_all_departures) {
      file_.set_attribute("/", all_departures_attribute, std::int32_t{1});
    }
  }
  if (legs_ > 1) file_.set_attribute("/", "legs", static_cast<std::int32_t>(legs_));
  define(info, actions, origin);
}

void PolicyWriter::define(const EnvironmentInfo& info, const std::vector<Action>& actions,
                          const PolicyOrigin& origin) {
  define_axes(file_, info, grid_, {last_.value + 1, info.time.first, info.time.step});

  // Not called `action`: NetCDF gives that name to the variable below.
  file_.define_dimension("action_index", actions.size());
  file_.define_variable("heading", NumberType::float64, {"action_index"});
  file_.define_variable("speed", NumberType::float64, {"action_index"});
  describe(file_, "heading", "radian", "heading of each action, counter-clockwise from the x axis");
  describe(file_, "speed", speed_units(info), "speed of each action through the water");
  std::vector<double> heading;
  std::vector<double> speed;
  for (const Action& action : actions) {
    heading.push_back(action.heading);
    speed.push_back(action.speed);
  }
  file_.write_all("heading", heading);
  file_.write_all("speed", speed);
  if (info.velocities > 1) {
    define_profiles(info, actions);
  } else if (!info.profiles.empty()) {
    write_profile_words(file_, info.profiles.front());
  }

  for (std::size_t leg = 0; leg < legs_; ++leg) define_leg(info, origin, leg);
}

void PolicyWriter::define_profiles(const EnvironmentInfo& info,
                                   const std::vector<Action>& actions) {
  std::vector<std::uint8_t> profile;
  profile.reserve(actions.size());
  for (const Action& action : actions) profile.push_back(static_cast<std::uint8_t>(action.profile));
  file_.define_variable("profile", NumberType::uint8, {"action_index"});
  describe(file_, "profile", "1", "where each action dives");
  write_profile_words(file_, "profile", info.profiles);
  file_.write_all("profile", profile);
}

void PolicyWriter::define_leg(const EnvironmentInfo& info, const PolicyOrigin& origin,
                              std::size_t leg) {
  const auto ny = static_cast<std::uint64_t>(grid_.ny);
  const auto nx = static_cast<std::uint64_t>(grid_.nx);
  const std::string action = action_variable(leg);
  const std::string value = value_variable(leg);
  const std::string leg_suffix = leg == 0 ? "" : fmt::format(" on leg {} of the mission", leg + 1);
  file_.define_variable(action, NumberType::int16, {"time", "y", "x"},
                        {.chunk = {1, ny, nx}, .deflate = deflate_level});
  file_.define_variable(value, NumberType::float32, {"time", "y", "x"}, {.chunk = {1, ny, nx}});
  describe(file_, action, "1", "best action, an index of heading and speed" + leg_suffix);
  file_.set_attribute(action, "comment",
                      "-1 where none is taken: in the target, in closed cells, at the last level");
  describe(file_, value, value_units(origin.objective, origin.energy, info.units),
           (origin.objective == Objective::arrival
                ? "probability of arriving in time from here on, less 2^-17 for "
                  "each step on the way"
                : "expected total reward from here on") +
               leg_suffix);
}

std::vector<std::string> PolicyWriter::variables() const {
  std::vector<std::string> names;
  for (std::size_t leg = 0; leg < legs_; ++leg) {
    names.push_back(action_variable(leg));
    names.push_back(value_variable(leg));
  }
  return names;
}

void PolicyWriter::write_longitude_latitude(const std::vector<double>& longitude,
                                            const std::vector<double>& latitude) {
  write_places(file_, grid_, longitude, latitude, variables());
}

void PolicyWriter::write_grid_mapping(const GridMapping& mapping) {
  std::vector<std::string> mapped = variables();
  if (file_.has("meridian_convergence")) mapped.emplace_back("meridian_convergence");
  tidewise::write_grid_mapping(file_, mapping, mapped);
}

void PolicyWriter::accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                          View<const float> value) {
  const auto level = static_cast<std::uint64_t>(k.value);
  // Actions shrink some twentyfold for little work; values hardly shrink at all.
  file_.write_packed_chunk(action_variable(leg), {level, 0, 0},
                           packer_.pack(action, DeflateSearch::runs));
  file_.write_plain_chunk(value_variable(leg), {level, 0, 0}, value);
  // The disk writes while levels are solved; else policies that end together would wait for it.
  constexpr std::size_t flushed_at_once = std::size_t{4} << 20;  // [B]
  const std::size_t levels = flushed_at_once / (value.size * sizeof(float)) + 1;
  if (level % levels == 0) atomic_.begin_flushing();
}

void PolicyWriter::finish() {
  file_.close();
  atomic_.commit();
}

}  // namespace tidewise
