#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise::ingest {

/// A part of a dive: its depths take a share of the dive's time, evenly; both alike: one depth.
struct DepthRange {
  double from = 0;   ///< [m] below the surface
  double to = 0;     ///< [m], no less than `from`
  double share = 1;  ///< of the time
};

/// Where a vehicle spends the time of a dive.
struct Profile {
  std::string name;                ///< of letters, digits, "-" and "_"
  std::string told;                ///< its depths as they were told, for texts
  std::vector<DepthRange> ranges;  ///< one at least; shares sum to 1
  std::filesystem::path file{};    ///< the CSV file that they are read from; empty: none

  double least() const;     ///< [m]
  double greatest() const;  ///< [m]
};

/// A profile as a user tells it: NAME=FROM:TO (m, evenly), NAME=at:DEPTH, or NAME=FILE, a CSV file
/// with the columns from, to and share. Errors: InputError naming the option or the file.
Profile parse_profile(const std::string& text);

/// Errors: InputError for two of one name.
void require_different_names(const std::vector<Profile>& profiles);

/// What dives are averaged over, and where they end.
struct DiveRequest {
  std::vector<Profile> profiles;     ///< empty: one level is taken, and no dive
  double bottom_margin = 10;         ///< [m] of water below the deepest point of a dive
  double shallowest = 20;            ///< [m] of water; where there is less no dive begins
  std::filesystem::path bathymetry;  ///< FILE or FILE:NAME; empty: the forecast's own bottom

  double least() const;     ///< [m] of all profiles
  double greatest() const;  ///< [m]
};

}  // namespace tidewise::ingest
