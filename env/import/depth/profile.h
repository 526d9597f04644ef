#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tidewise::ingest {

/// A part of a dive. The vehicle spends a share of the dive's time evenly between two depths, or at
/// one depth if they are equal.
struct DepthRange {
  double from = 0;   ///< [m] below the surface
  double to = 0;     ///< [m], ≥ `from`
  double share = 1;  ///< share of the dive's time
};

/// The depths at which a vehicle spends the time of a dive.
struct Profile {
  std::string name;                ///< letters, digits, "-" and "_"
  std::string depths;              ///< the depths as the user gave them, for texts
  std::vector<DepthRange> ranges;  ///< at least one; shares sum to 1
  std::filesystem::path file{};    ///< the CSV file of the ranges; empty: none

  double least() const;     ///< shallowest depth [m]
  double greatest() const;  ///< deepest depth [m]
};

/// Parses NAME=FROM:TO (m, evenly), NAME=at:DEPTH, or NAME=FILE, a CSV file with the columns from,
/// to and share. Errors: InputError naming the option or the file.
Profile parse_profile(const std::string& text);

/// Throws InputError if two profiles have the same name.
void require_different_names(const std::vector<Profile>& profiles);

/// The depths over which an import averages, and the ends of dives.
struct DiveRequest {
  std::vector<Profile> profiles;     ///< empty: one level, no dives
  double bottom_margin = 10;         ///< [m] of water below the deepest point of a dive
  double shallowest = 20;            ///< [m]; no dive begins in water of less depth
  std::filesystem::path bathymetry;  ///< FILE or FILE:NAME; empty: the forecast's own bottom

  double least() const;     ///< shallowest depth of all profiles [m]
  double greatest() const;  ///< deepest depth of all profiles [m]
};

}  // namespace tidewise::ingest
