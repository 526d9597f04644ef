#include "env/file/profile_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "base/printable.h"
#include "env/error/codes.h"
#include "env/units/profile_text.h"

namespace tidewise {
namespace {

constexpr const char* no_depths = "-";
constexpr std::size_t max_profiles = no_profile;  // profile numbers are below no_profile

/// The values of a member of all profiles as one text, one word for each profile.
std::string words(const std::vector<EnvironmentProfile>& profiles,
                  std::string EnvironmentProfile::*member) {
  std::string text;
  for (const EnvironmentProfile& profile : profiles) {
    if (!text.empty()) text += ' ';
    const std::string& word = profile.*member;
    if (word.empty()) text += no_depths;
    for (const char letter : word) text += letter == ' ' ? '_' : letter;
  }
  return text;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// True for the name of a CSV file, which files of an earlier version have as their depths.
bool is_file_name(const std::string& text) {
  constexpr std::size_t max_size = 255;
  const auto is_plain = [](unsigned char letter) { return letter > ' ' && letter < 127; };
  return text.size() <= max_size && text.find(':') == std::string::npos &&
         std::all_of(text.begin(), text.end(), is_plain);
}

/// Checks that 'env import' would accept the names and depths of a file.
void validate(const Hdf5File& file, const std::string& variable,
              const std::vector<std::string>& names, const std::vector<std::string>& depths) {
  const bool at_root = variable == "/";
  const auto refuse = [&](const char* attribute, const std::string& why) {
    throw InputError(fmt::format("{}: {} {}: {}", file.path().string(),
                                 at_root ? "attribute" : "variable profile:", attribute,
                                 add_words(why, "; make the file again")));
  };
  const auto echo = [](const std::string& text) { return shortened(on_one_line(text), 60); };
  const char* names_attribute = at_root ? "profile" : "flag_meanings";
  const char* depths_attribute = at_root ? "profile_depths" : "depths";
  if (names.size() > max_profiles) {
    refuse(names_attribute, error_text(errors::too_many_profiles, names.size(), max_profiles));
  }
  for (const std::string& name : names) {
    if (is_profile_name(name)) continue;
    refuse(names_attribute, error_text(errors::profile_name_invalid, echo(name), max_profile_name));
  }
  if (!depths.empty() && depths.size() != names.size()) {
    refuse(depths_attribute, error_text(errors::profile_depths_count, depths.size(), names.size()));
  }
  for (const std::string& word : depths) {
    if (word == no_depths || are_profile_depths(word) || is_file_name(word)) continue;
    refuse(depths_attribute, error_text(errors::profile_depths_invalid, echo(word)));
  }
}

}  // namespace

std::vector<std::string> names_of(const std::vector<EnvironmentProfile>& profiles) {
  std::vector<std::string> names;
  names.reserve(profiles.size());
  for (const EnvironmentProfile& profile : profiles) names.push_back(profile.name);
  return names;
}

void write_profile_words(Hdf5File& file, const std::string& variable,
                         const std::vector<EnvironmentProfile>& profiles) {
  std::vector<std::uint8_t> flags;
  for (std::size_t p = 0; p < profiles.size(); ++p) flags.push_back(static_cast<std::uint8_t>(p));
  file.set_attribute(variable, "flag_values", flags);
  file.set_attribute(variable, "flag_meanings", words(profiles, &EnvironmentProfile::name));
  file.set_attribute(variable, "depths", words(profiles, &EnvironmentProfile::depths));
}

void write_profile_words(Hdf5File& file, const EnvironmentProfile& profile) {
  file.set_attribute("/", "profile", words({profile}, &EnvironmentProfile::name));
  file.set_attribute("/", "profile_depths", words({profile}, &EnvironmentProfile::depths));
}

std::vector<EnvironmentProfile> read_profile_words(const Hdf5File& file,
                                                   const std::string& variable) {
  const bool at_root = variable == "/";
  const auto words_of = [&](const char* name) {
    return split(file.text_attribute(variable, name).value_or(""));
  };
  const auto names = words_of(at_root ? "profile" : "flag_meanings");
  const auto depths = words_of(at_root ? "profile_depths" : "depths");
  // Other programs may use an attribute named profile for something else.
  if (at_root && (names.size() != 1 || depths.empty())) return {};
  validate(file, variable, names, depths);
  std::vector<EnvironmentProfile> profiles;
  for (std::size_t p = 0; p < names.size(); ++p) {
    profiles.push_back({names[p], p < depths.size() && depths[p] != no_depths ? depths[p] : ""});
  }
  return profiles;
}

}  // namespace tidewise
