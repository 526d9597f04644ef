#include "output/run/difference_file.h"

#include <limits>
#include <tuple>

#include "env/file/grid_mapping.h"
#include "output/run/attributes.h"
#include "output/run/policy_description.h"

namespace tidewise {
namespace {

std::vector<double> crop(const std::vector<double>& field, const Grid& grid,
                         const PolicyAlignment& alignment) {
  std::vector<double> cropped;
  for (std::int32_t j = alignment.common_rows.first; j <= alignment.common_rows.last; ++j) {
    const auto row = field.begin() + grid.cell(alignment.common_columns.first, j).value;
    cropped.insert(cropped.end(), row, row + alignment.common_columns.count());
  }
  return cropped;
}

}  // namespace

DifferenceWriter::DifferenceWriter(AtomicFile& file, const PolicyFile& b,
                                   const PolicyAlignment& alignment, const std::string& comment,
                                   const std::string& value_units)
    : ny_(static_cast<std::uint64_t>(alignment.common_rows.count())),
      nx_(static_cast<std::uint64_t>(alignment.common_columns.count())),
      file_(Hdf5File::create(file.temporary_path())) {
  const EnvironmentInfo info = describe_environment_of(b);
  set_source_attributes(file_, "Difference of two policies");
  file_.set_attribute("/", "history", history_with(info.history, "compared two policies"));
  file_.set_attribute("/", "comment", comment);
  if (!info.projection.empty()) file_.set_attribute("/", "projection", info.projection);
  define(info, b, alignment, value_units);
}

void DifferenceWriter::define(const EnvironmentInfo& info, const PolicyFile& b,
                              const PolicyAlignment& alignment, const std::string& value_units) {
  const auto& [columns, rows, levels] =
      std::tie(alignment.common_columns, alignment.common_rows, alignment.common_levels);
  const Grid& grid = info.grid;
  const Grid common{columns.count(),    rows.count(), grid.x(columns.first),
                    grid.y(rows.first), grid.dx,      grid.dy};
  define_axes(file_, info, common,
              {levels.count(), info.time.at(TimeLevel(levels.first)), info.time.step});
  const std::vector<std::string> shape{"time", "y", "x"};
  const Extents chunk{1, ny_, nx_};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  file_.define_variable("action_changed", NumberType::uint8, shape, {.chunk = chunk});
  describe(file_, "action_changed", "", "what became of the best action");
  file_.set_attribute("action_changed", "flag_values", std::vector<std::uint8_t>{0, 1, 2, 3, 4});
  file_.set_attribute("action_changed", "flag_meanings",
                      "same changed only_first only_second neither");
  file_.define_variable("heading_change", NumberType::float32, shape,
                        {.chunk = chunk, .fill = nan});
  describe(file_, "heading_change", "radian",
           "heading of the second policy less that of the first, counter-clockwise");
  file_.set_attribute("heading_change", "comment", "above 0 is a turn to port");
  file_.define_variable("value_change", NumberType::float32, shape, {.chunk = chunk, .fill = nan});
  describe(file_, "value_change", value_units,
           "expected total reward of the second less that of the first");
  if (info.coordinates == Coordinates::geographic) write_degrees(b, alignment);
  write_grid_mapping(file_, read_grid_mapping(b.file(), "action"),
                     {"action_changed", "heading_change", "value_change"});
}

void DifferenceWriter::write_degrees(const PolicyFile& b, const PolicyAlignment& alignment) {
  file_.define_variable("lon", NumberType::float64, {"y", "x"});
  file_.define_variable("lat", NumberType::float64, {"y", "x"});
  describe_longitude_latitude(file_);
  file_.write_all("lon", crop(read_longitude(b), b.grid(), alignment));
  file_.write_all("lat", crop(read_latitude(b), b.grid(), alignment));
  for (const char* variable : {"action_changed", "heading_change", "value_change"}) {
    file_.set_attribute(variable, "coordinates", "lon lat");
  }
}

void DifferenceWriter::accept(std::int32_t n, View<const std::uint8_t> state,
                              View<const float> heading, View<const float> value) {
  const Extents start{static_cast<std::uint64_t>(n), 0, 0};
  const Extents count{1, ny_, nx_};
  file_.write("action_changed", start, count, state.data);
  file_.write("heading_change", start, count, heading.data);
  file_.write("value_change", start, count, value.data);
}

void DifferenceWriter::finish() { file_.close(); }

}  // namespace tidewise
