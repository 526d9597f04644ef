#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tidewise {

/// A column of a track's file: one number per row, NaN for empty cells.
struct TrackColumn {
  std::string name;                         ///< as in the file
  std::string units = {};                   ///< as in the file; "" for none
  std::string standard_name = {};           ///< CF standard name
  std::string calendar = {};                ///< CF calendar of a time
  std::vector<std::string> ancillary = {};  ///< names of CF's ancillary_variables
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};  ///< texts of a CSV's cells; else empty
};

/// The text of a row's cell, without surrounding blanks; "" if it is empty.
std::string text_at(const TrackColumn& column, std::size_t row);

/// The content of a track's file of any format.
struct TrackTable {
  std::filesystem::path path;
  std::string identity = {};  ///< name of one of several vehicles, "ID 64535"; "" for one
  std::vector<TrackColumn> columns;
  std::vector<std::size_t> rows;  ///< the file's numbers of the rows: lines of a CSV, from 1
  const char* row_name = "line";  ///< "line", "row" or "fix"
  std::string file_kind = {};     ///< as ObservedTrack::file_kind
  /// True if each current is on the row of the fix that ends its dive, and on no other row.
  bool currents_end_dives = false;
  bool at_many_places = false;  ///< currents at many positions at a time, not those of a vehicle
  std::vector<double> averaged_over = {};  ///< averaging time of each row's current [s], for these
  std::string errors = "the file's";       ///< the origin of the columns of errors, in words
  std::vector<std::string> notes = {};     ///< notes on the treatment of irregularities
};

/// Reads a CSV: one line of names, optionally one of units as ERDDAP writes it, then the rows.
/// Cells are separated by commas, semicolons or tabs. Quotes, remarks (#), a byte order mark,
/// Windows' line ends, and decimal commas (if commas do not separate) are supported. Units may
/// follow a name: "speed [kn]", "speed (m/s)". Errors: InputError naming file and line.
TrackTable read_csv_track(const std::filesystem::path& path);

/// Reads a NetCDF file of one track: a table for each of its dimensions, with the variables along
/// it, and one row of the numbers without dimension. `trajectory`: number of the track in a file
/// with several in rows (trajectory, obs). Errors: InputError naming file and variable; also in a
/// build without the netCDF library.
std::vector<TrackTable> read_netcdf_track(const std::filesystem::path& path,
                                          std::optional<std::int32_t> trajectory);

/// The text of a track's file. Errors: InputError if it is missing, too long, or not text.
std::string read_track_text(const std::filesystem::path& path);

/// Number of tracks that a NetCDF file has in rows (trajectory, obs); 1 for other files, and in a
/// build without the netCDF library. Errors: InputError for a file that cannot be read.
std::size_t count_netcdf_tracks(const std::filesystem::path& path);

/// True if a file begins like NetCDF files.
bool is_netcdf(const std::filesystem::path& path);

}  // namespace tidewise
