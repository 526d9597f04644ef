#include "env/file/profile_words.h"

#include <cstdint>
#include <iterator>
#include <sstream>

namespace tidewise {
namespace {

constexpr const char* no_depths = "-";

/// One word for each profile.
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
  const bool is_alone = variable == "/";
  const auto text = [&](const char* name) {
    return split(file.text_attribute(variable, name).value_or(""));
  };
  const auto names = text(is_alone ? "profile" : "flag_meanings");
  const auto depths = text(is_alone ? "profile_depths" : "depths");
  std::vector<EnvironmentProfile> profiles;
  for (std::size_t p = 0; p < names.size(); ++p) {
    profiles.push_back({names[p], p < depths.size() && depths[p] != no_depths ? depths[p] : ""});
  }
  return profiles;
}

}  // namespace tidewise
