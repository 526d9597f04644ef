#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "app/batch/file/batch_mission.h"
#include "app/batch/table/row.h"

namespace tidewise {

/// One column of a batch's table.
struct TableColumn {
  using Texts = std::vector<std::string>;
  using Numbers = std::vector<double>;  ///< NaN if a mission has no number
  using Integers = std::vector<std::int32_t>;
  using Flags = std::vector<std::uint8_t>;

  std::string name;
  std::string units;  ///< empty if there are none
  std::string long_name;
  std::variant<Texts, Numbers, Integers, Flags> values;
};

/// The table of a batch, with a row per mission, in order. Columns: number, name, folder, status
/// and message; the missions' keys, with a column for each further key that the batch varies; the
/// model estimate and the results of simulated flights; seconds. docs/plan/batch.md lists them.
std::vector<TableColumn> make_table(const std::vector<BatchMission>& missions,
                                    const std::vector<BatchRow>& rows);

/// The warnings in the summary of a mission's run; entries that are not text are omitted.
std::vector<std::string> warnings_of(const BatchRow& row);

/// The duration of a part of the run's work, from its summary [s]; NaN if that has no such number.
double seconds_of(const BatchRow& row, const std::string& part);

/// Writes batch.nc: NetCDF-4 with CF attributes and the dimension `mission`. Atomic. Errors:
/// RunError.
void write_table_netcdf(const std::filesystem::path& path, const std::vector<TableColumn>& table,
                        const std::string& title);
/// Writes batch.csv: the table (RFC 4180) with empty fields for missing numbers. Atomic.
void write_table_csv(const std::filesystem::path& path, const std::vector<TableColumn>& table);

}  // namespace tidewise
