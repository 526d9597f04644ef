#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tidewise {

/// A column of a track's file: a number a row, NaN where there is none.
struct TrackColumn {
  std::string name;                         ///< as the file has it
  std::string units = {};                   ///< as the file says; "" where it says none
  std::string standard_name = {};           ///< CF's
  std::string calendar = {};                ///< CF's, of a time
  std::vector<std::string> ancillary = {};  ///< names of CF's ancillary_variables
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};  ///< what stands there, of a CSV; else empty
};

/// What stands in a row, without blanks around it; "" where nothing does.
std::string text_at(const TrackColumn& column, std::size_t row);

/// What a track's file holds, whatever its form.
struct TrackTable {
  std::filesystem::path path;
  std::string identity = {};  ///< which of several vehicles of the file, "ID 64535"; "" for one
  std::vector<TrackColumn> columns;
  std::vector<std::size_t> rows;  ///< how the file numbers them: lines of a CSV, from 1
  const char* row_name = "line";  ///< "line", "row" or "fix"
  std::string form = {};          ///< whose file it is, where that is known: "an OG1 file"
  /// Whether each current stands on the row of the fix that ends its dive, and nowhere else.
  bool currents_end_dives = false;
  bool at_many_places = false;             ///< currents at many places at a time, of no vehicle
  std::vector<double> averaged_over = {};  ///< of those: each row's current [s]
  std::string errors = "the file's";       ///< what the columns of errors hold, in words
  std::vector<std::string> notes = {};     ///< what was done about what was odd
};

/// Reads a CSV: one line of names, perhaps one of units as ERDDAP writes it, then the rows.
/// Separated by commas, semicolons or tabs; quotes, remarks (#), a byte order mark and Windows'
/// line ends are understood, and decimal commas where commas do not separate. Units may stand
/// behind a name: "speed [kn]", "speed (m/s)". Errors: InputError naming file and line.
TrackTable read_csv_track(const std::filesystem::path& path);

/// Reads a NetCDF file of one track: the tables of all its dimensions, each with the variables
/// along it, and one row of the numbers that have none. `trajectory`: which one of a file that
/// holds many in rows (trajectory, obs). Errors: InputError naming file and variable; where this
/// build has no netCDF library.
std::vector<TrackTable> read_netcdf_track(const std::filesystem::path& path,
                                          std::optional<std::int32_t> trajectory);

/// The text of a track's file. Errors: InputError where there is none, it is too long, or no text.
std::string read_track_text(const std::filesystem::path& path);

/// How many tracks a NetCDF file holds in rows (trajectory, obs); 1 for others, and where this
/// build has no netCDF library. Errors: InputError for a file that cannot be read.
std::size_t count_netcdf_tracks(const std::filesystem::path& path);

/// Whether a file begins as NetCDF files do.
bool is_netcdf(const std::filesystem::path& path);

}  // namespace tidewise
