#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "app/batch/table/table.h"
#include "base/file/atomic_file.h"
#include "base/hdf5/file.h"
#include "output/run/attributes.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr const char* dimension = "mission";

/// Writes one column into the file, as a variable of its kind.
struct VariableWriter {
  Hdf5File& file;
  const TableColumn& column;

  void operator()(const TableColumn::Texts& values) const {
    file.write_texts(column.name, dimension, values);
  }
  void operator()(const TableColumn::Numbers& values) const {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    file.define_variable(column.name, NumberType::float64, {dimension}, {.fill = nan});
    file.write_all(column.name, values);
  }
  void operator()(const TableColumn::Integers& values) const {
    if (column.name == dimension) {
      file.define_coordinate(dimension, {values.begin(), values.end()}, NumberType::int32);
      return;
    }
    file.define_variable(column.name, NumberType::int32, {dimension});
    file.write_all(column.name, values);
  }
  void operator()(const TableColumn::Flags& values) const {
    file.define_variable(column.name, NumberType::uint8, {dimension});
    file.write_all(column.name, values);
    file.set_attribute(column.name, "flag_values", std::vector<std::uint8_t>{0, 1, 2});
    file.set_attribute(column.name, "flag_meanings", "done failed not_run");
  }
};

/// Returns `text`, in quotes if it contains a separator of the format.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Formats one value of a column.
struct FieldWriter {
  std::size_t row;

  std::string operator()(const TableColumn::Texts& values) const { return csv_field(values[row]); }
  std::string operator()(const TableColumn::Numbers& values) const {
    return std::isnan(values[row]) ? std::string() : fmt::format("{}", values[row]);
  }
  std::string operator()(const TableColumn::Integers& values) const {
    return fmt::format("{}", values[row]);
  }
  std::string operator()(const TableColumn::Flags& values) const {
    constexpr const char* words[] = {"done", "failed", "not_run"};
    return words[values[row]];
  }
};

}  // namespace

void write_table_netcdf(const fs::path& path, const std::vector<TableColumn>& table,
                        const std::string& title) {
  AtomicFile atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary_path());
  set_source_attributes(file, title);
  file.set_attribute("/", "tidewise_batch", std::int32_t{1});
  for (const auto& column : table) {
    std::visit(VariableWriter{file, column}, column.values);
    describe(file, column.name, column.units, column.long_name);
  }
  file.close();
  atomic.commit();
}

void write_table_csv(const fs::path& path, const std::vector<TableColumn>& table) {
  std::string text;
  for (const auto& column : table) text += (text.empty() ? "" : ",") + column.name;
  text += "\n";
  const std::size_t rows = std::visit([](const auto& v) { return v.size(); }, table[0].values);
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line;
    for (const auto& column : table) {
      if (&column != &table.front()) line += ",";
      line += std::visit(FieldWriter{row}, column.values);
    }
    text += line + "\n";
  }
  write_text_file(path, text);
}

}  // namespace tidewise
