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
  using Numbers = std::vector<double>;  ///< NaN where there is none
  using Integers = std::vector<std::int32_t>;
  using Flags = std::vector<std::uint8_t>;

  std::string name;
  std::string units;  ///< empty where there are none to name
  std::string long_name;
  std::variant<Texts, Numbers, Integers, Flags> values;
};

/// The table of a batch: a row a mission, in order. Columns: the number, name and folder, status
/// and message; what the missions ask for, with a column for each further key that the batch
/// varies; what is expected and what was flown; seconds. docs/plan/batch.md lists them.
std::vector<TableColumn> make_table(const std::vector<BatchMission>& missions,
                                    const std::vector<BatchRow>& rows);

/// The warnings of a mission's run, by its summary; entries that are no text are omitted.
std::vector<std::string> warnings_of(const BatchRow& row);

/// How long a part of its work took, by its summary; NaN where that has no such number.
double seconds_of(const BatchRow& row, const std::string& part);

/// batch.nc: NetCDF-4 with CF attributes, one dimension, `mission`. Atomic. Errors: RunError.
void write_table_netcdf(const std::filesystem::path& path, const std::vector<TableColumn>& table,
                        const std::string& title);
/// batch.csv: the same table (RFC 4180), nothing where there is no number. Atomic.
void write_table_csv(const std::filesystem::path& path, const std::vector<TableColumn>& table);

}  // namespace tidewise
