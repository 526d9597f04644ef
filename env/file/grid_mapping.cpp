#include "env/file/grid_mapping.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tidewise {

bool is_housekeeping(std::string_view attribute) {
  constexpr std::array<std::string_view, 5> words{"CLASS", "NAME", "REFERENCE_LIST",
                                                  "DIMENSION_LIST", "DIMENSION_LABELS"};
  return attribute.starts_with('_') ||
         std::find(words.begin(), words.end(), attribute) != words.end();
}

GridMapping read_grid_mapping(const Hdf5File& file, const std::string& variable) {
  GridMapping mapping;
  const std::string name = file.text_attribute(variable, "grid_mapping").value_or("crs");
  if (!file.has(name)) return mapping;
  for (const std::string& attribute : file.attribute_names(name)) {
    if (is_housekeeping(attribute)) continue;
    read_attribute(file, name, attribute,
                   [&](const auto& value) { mapping.emplace_back(attribute, value); });
  }
  return mapping;
}

void write_grid_mapping(Hdf5File& file, const GridMapping& mapping,
                        const std::vector<std::string>& variables) {
  if (mapping.empty()) return;
  file.define_variable("crs", NumberType::int32, {});
  for (const auto& [name, value] : mapping) {
    std::visit([&, &key = name](const auto& v) { file.set_attribute("crs", key, v); }, value);
  }
  for (const auto& variable : variables) file.set_attribute(variable, "grid_mapping", "crs");
}

}  // namespace tidewise
