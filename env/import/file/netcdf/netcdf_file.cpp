#include "env/import/file/netcdf/netcdf_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>

#include "base/current.h"
#include "base/error.h"
#include "base/error_codes.h"
#include "base/file/guarded/guarded.h"
#include "base/hdf5/handle.h"
#include "base/printable.h"
#include "env/error/codes.h"
#include "env/import/file/netcdf/classic_length.h"
#include "env/import/file/netcdf/lent_fields.h"
#include "env/import/file/netcdf/number_text.h"
#include "env/import/file/netcdf/packing.h"
#include "env/import/file/netcdf/point_limit.h"
#include "env/import/file/netcdf/unreadable_file.h"
#include "env/units/speed_units.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

bool is_number(nc_type type) { return type != NC_CHAR && type >= NC_BYTE && type <= NC_UINT64; }

/// The value of a digit, the code of another character, and NaN for white space and NUL.
double flag_of(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  return letter > ' ' ? static_cast<double>(letter) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> flags_of(int file, int variable, const std::vector<std::size_t>& start,
                             const std::vector<std::size_t>& count, std::size_t size) {
  std::vector<char> text(size);
  if (nc_get_vara_text(file, variable, start.data(), count.data(), text.data()) != NC_NOERR) {
    return {};
  }
  std::vector<double> flags(size);
  std::transform(text.begin(), text.end(), flags.begin(), flag_of);
  return flags;
}

bool is_floating(nc_type type) { return type == NC_FLOAT || type == NC_DOUBLE; }

/// 2^bits for a signed integer type, 0 for other types.
double span_of(nc_type type) {
  switch (type) {
    case NC_BYTE:
      return 0x1p8;
    case NC_SHORT:
      return 0x1p16;
    case NC_INT:
      return 0x1p32;
    default:
      return 0;
  }
}

/// The netCDF library's default fill value of a type; bytes have none, because they use their whole
/// range.
std::vector<double> default_fill(nc_type type) {
  switch (type) {
    case NC_SHORT:
      return {NC_FILL_SHORT};
    case NC_USHORT:
      return {NC_FILL_USHORT};
    case NC_INT:
      return {NC_FILL_INT};
    case NC_UINT:
      return {NC_FILL_UINT};
    case NC_FLOAT:
      return {static_cast<double>(NC_FILL_FLOAT)};
    case NC_DOUBLE:
      return {NC_FILL_DOUBLE};
    default:
      return {};
  }
}

struct NumberAttribute {
  nc_type type = NC_NAT;
  std::vector<double> values;
};

NumberAttribute number_attribute(int file, int variable, const char* name) {
  NumberAttribute attribute;
  std::size_t size = 0;
  if (nc_inq_att(file, variable, name, &attribute.type, &size) != NC_NOERR) return {};
  if (!is_number(attribute.type)) return {};
  attribute.values.resize(size);
  if (nc_get_att_double(file, variable, name, attribute.values.data()) != NC_NOERR) return {};
  return attribute;
}

std::string text_attribute(int file, int variable, const char* name) {
  nc_type type = NC_NAT;
  std::size_t size = 0;
  if (nc_inq_att(file, variable, name, &type, &size) != NC_NOERR || size == 0) return {};
  if (type == NC_CHAR) {
    std::string value(size, '\0');
    nc_get_att_text(file, variable, name, value.data());
    return trimmed(value.c_str());
  }
  if (type != NC_STRING) return {};
  std::vector<char*> strings(size, nullptr);
  nc_get_att_string(file, variable, name, strings.data());
  std::string value = strings[0] == nullptr ? "" : trimmed(strings[0]);
  nc_free_string(size, strings.data());
  return value;
}

bool has_attribute(int file, int variable, const char* name) {
  return nc_inq_att(file, variable, name, nullptr, nullptr) == NC_NOERR;
}

/// The variables that others of a group list in ancillary_variables, such as quality flags.
std::set<std::string> ancillary_names(int group, int variable_count) {
  std::set<std::string> names;
  for (int variable = 0; variable < variable_count; ++variable) {
    std::istringstream words(text_attribute(group, variable, "ancillary_variables"));
    for (std::string name; words >> name;) names.insert(name);
  }
  return names;
}

/// True if a character variable holds quality flags, as in files of Argo, Seagliders and HF radars.
bool is_flag(int file, int variable, nc_type type, const std::string& name) {
  if (type != NC_CHAR) return false;
  const std::string lower = lower_case(name);
  return lower.ends_with("_qc") || lower == "qcflag" || lower.ends_with("_flag") ||
         has_attribute(file, variable, "flag_values") ||
         has_attribute(file, variable, "flag_meanings") ||
         lower_case(text_attribute(file, variable, "standard_name")).ends_with("_flag");
}

/// The numbers of an attribute, which may be stored as text: valid_range = "-10, 10". Errors:
/// InputError for other text.
NumberAttribute number_or_text_attribute(int file, int variable, const char* name) {
  NumberAttribute attribute = number_attribute(file, variable, name);
  if (!attribute.values.empty()) return attribute;
  const std::string text = text_attribute(file, variable, name);
  const auto numbers = parse_numbers(text);
  if (!numbers) {
    throw input_error(errors::attribute_is_text, name, shortened(on_one_line(text), 60));
  }
  return {numbers->is_floating ? NC_DOUBLE : NC_INT, numbers->values};
}

/// Sets the valid range. By CF it is in stored numbers, but a floating-point range on packed
/// integers can only mean unpacked values.
void set_valid_range(Packing& packing, const NumberAttribute& min, const NumberAttribute& max,
                     std::size_t max_index) {
  const auto is_unpacked = [&](const NumberAttribute& attribute) {
    return packing.stored_as == StoredAs::integers && is_floating(attribute.type);
  };
  if (!min.values.empty()) {
    (is_unpacked(min) ? packing.value_min : packing.stored_min) = min.values[0];
  }
  if (max.values.size() > max_index) {
    (is_unpacked(max) ? packing.value_max : packing.stored_max) = max.values[max_index];
  }
}

Packing packing_of(int file, int variable) {
  Packing packing;
  nc_type type = NC_NAT;
  nc_inq_vartype(file, variable, &type);
  packing.stored_as = is_floating(type) ? StoredAs::floating_point : StoredAs::integers;
  if (lower_case(text_attribute(file, variable, "_Unsigned")) == "true") {
    packing.unsigned_span = span_of(type);
  }
  const auto numbers = [&](const char* name) {
    NumberAttribute attribute = number_or_text_attribute(file, variable, name);
    if (is_floating(attribute.type)) return attribute;
    for (double& value : attribute.values) {
      if (value < 0) value += packing.unsigned_span;
    }
    return attribute;
  };
  const auto scale = number_or_text_attribute(file, variable, "scale_factor");
  const auto offset = number_or_text_attribute(file, variable, "add_offset");
  if (!scale.values.empty()) packing.scale = scale.values[0];
  if (!offset.values.empty()) packing.offset = offset.values[0];
  const auto fill = numbers("_FillValue");
  packing.missing = fill.values.empty() ? default_fill(type) : fill.values;
  const auto missing = numbers("missing_value");
  packing.missing.insert(packing.missing.end(), missing.values.begin(), missing.values.end());
  const auto range = numbers("valid_range");
  if (!range.values.empty() && range.values.size() != 2) {
    throw input_error(errors::valid_range_invalid, counted(range.values.size(), "number"));
  }
  if (range.values.size() == 2) {
    set_valid_range(packing, range, range, 1);
  } else {
    set_valid_range(packing, numbers("valid_min"), numbers("valid_max"), 0);
  }
  return packing;
}

/// True if a box has too many points. Their number is a floating-point number, because the sizes of
/// a damaged file may overflow an integer.
bool are_too_many(const std::vector<std::size_t>& count) {
  double size = 1;
  for (const std::size_t extent : count) size *= static_cast<double>(extent);
  return size > static_cast<double>(max_points);
}

/// The prefixes of full names in a group and its enclosing groups: "a/b/", "a/", "".
std::vector<std::string> scopes_of(const std::string& group) {
  std::vector<std::string> scopes;
  for (std::string outer = group; !outer.empty();) {
    scopes.push_back(outer + "/");
    const auto slash = outer.rfind('/');
    outer = slash == std::string::npos ? "" : outer.substr(0, slash);
  }
  scopes.emplace_back();
  return scopes;
}

void require_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.string().find("://") != std::string::npos && !std::filesystem::exists(path, ignored)) {
    throw input_error(errors::input_is_address, path.string());
  }
  if (!std::filesystem::exists(path, ignored)) {
    throw input_error(errors::file_missing, path.string());
  }
  for (const char* zarr_marker : {".zgroup", ".zarray", "zarr.json"}) {
    if (!std::filesystem::exists(path / zarr_marker, ignored)) continue;
    throw input_error(errors::input_is_zarr, path.string());
  }
  if (std::filesystem::is_directory(path, ignored)) {
    throw input_error(errors::input_is_folder, path.string());
  }
}

}  // namespace

NetcdfFile::NetcdfFile(std::filesystem::path path) : path_(std::move(path)) {
  require_file(path_);
  require_whole_classic_file(path_);
  guard_ = std::make_shared<Guarded<NetcdfFile>>(path_);
  full_variables_ = guard_->call<&NetcdfFile::variables>();
  full_all_ = guard_->call<&NetcdfFile::all_variables>();
  groups_ = guard_->call<&NetcdfFile::groups>();
  enter("");
}

std::shared_ptr<NetcdfFile> NetcdfFile::open_unguarded(const std::filesystem::path& path,
                                                       const std::filesystem::path& name) {
  return std::shared_ptr<NetcdfFile>(new NetcdfFile(path, name));
}

NetcdfFile::NetcdfFile(const std::filesystem::path& path, std::filesystem::path name)
    : path_(std::move(name)) {
  file_size_ = std::filesystem::file_size(path);
  const auto lock = lock_hdf5();
  const int status = nc_open(path.c_str(), NC_NOWRITE, &id_);
  if (status != NC_NOERR) {
    throw input_error(errors::not_netcdf, path_.string(), describe_unreadable(path, path_));
  }
  list_group(id_, "");
}

void NetcdfFile::list_group(int id, const std::string& name) {
  const std::string prefix = name.empty() ? "" : name + "/";
  places_[prefix] = {id, NC_GLOBAL};
  int count = 0;
  nc_inq_nvars(id, &count);
  const auto ancillary = ancillary_names(id, count);
  for (int variable = 0; variable < count; ++variable) {
    std::array<char, NC_MAX_NAME + 1> variable_name{};
    nc_type type = NC_NAT;
    nc_inq_var(id, variable, variable_name.data(), &type, nullptr, nullptr, nullptr);
    const std::string full = prefix + variable_name.data();
    places_[full] = {id, variable};
    const bool is_ancillary = type == NC_CHAR && ancillary.contains(variable_name.data());
    if (is_number(type) || is_ancillary || is_flag(id, variable, type, variable_name.data())) {
      variables_.push_back(full);
    }
    all_.push_back(full);
  }
  int groups = 0;
  if (nc_inq_grps(id, &groups, nullptr) != NC_NOERR) return;
  std::vector<int> ids(static_cast<std::size_t>(groups));
  nc_inq_grps(id, &groups, ids.data());
  for (const int group : ids) {
    std::array<char, NC_MAX_NAME + 1> group_name{};
    nc_inq_grpname(group, group_name.data());
    groups_.push_back(prefix + group_name.data());
    list_group(group, prefix + group_name.data());
  }
}

void NetcdfFile::enter(const std::string& group) {
  group_ = group;
  const auto visible = [&](const std::vector<std::string>& full_names) {
    std::vector<std::string> names;
    for (const std::string& scope : scopes_of(group_)) {
      for (const std::string& full : full_names) {
        const bool is_inside = full.starts_with(scope);
        if (!is_inside || full.find('/', scope.size()) != std::string::npos) continue;
        const std::string short_name = full.substr(scope.size());
        if (std::find(names.begin(), names.end(), short_name) == names.end())
          names.push_back(short_name);
      }
    }
    return names;
  };
  variables_ = visible(full_variables_);
  all_ = visible(full_all_);
}

std::string NetcdfFile::full_name(const std::string& variable) const {
  const auto scopes = scopes_of(group_);
  if (variable.empty()) return scopes.front();
  for (const std::string& scope : scopes) {
    std::string full = scope + variable;
    if (std::find(full_all_.begin(), full_all_.end(), full) != full_all_.end()) return full;
  }
  return variable;
}

bool NetcdfFile::is_own(const std::string& variable) const {
  const std::string full = scopes_of(group_).front() + variable;
  return std::find(full_all_.begin(), full_all_.end(), full) != full_all_.end();
}

NetcdfFile::~NetcdfFile() {
  if (guard_) return;
  const auto lock = lock_hdf5();
  nc_close(id_);
}

void NetcdfFile::refuse(const std::string& variable, const std::string& why) const {
  throw InputError(fmt::format("{}: variable {}: {}", path_.string(), variable, why));
}

bool NetcdfFile::has(const std::string& variable) const {
  return std::find(variables_.begin(), variables_.end(), variable) != variables_.end();
}

NetcdfFile::Place NetcdfFile::place_of(const std::string& variable) const {
  if (!has(variable)) {
    refuse(variable, error_text(errors::netcdf_variable_unknown, fmt::join(variables_, ", ")));
  }
  return places_.at(variable);
}

NetcdfFile::Place NetcdfFile::attribute_owner(const std::string& variable) const {
  const auto found = places_.find(variable);
  return found == places_.end() ? place_of(variable) : found->second;
}

Packing NetcdfFile::packing(const std::string& variable) const {
  const Place place = place_of(variable);
  try {
    return packing_of(place.group, place.variable);
  } catch (const InputError& error) {
    refuse(variable, error.what());
  }
}

std::vector<std::pair<std::string, std::size_t>> NetcdfFile::dimension_pairs(
    const std::string& variable) const {
  std::vector<std::pair<std::string, std::size_t>> pairs;
  for (const auto& dimension : dimensions(variable))
    pairs.emplace_back(dimension.name, dimension.size);
  return pairs;
}

std::vector<NetcdfDimension> NetcdfFile::dimensions(const std::string& variable) const {
  if (guard_) {
    std::vector<NetcdfDimension> result;
    for (auto& [name, size] : guard_->call<&NetcdfFile::dimension_pairs>(full_name(variable))) {
      result.push_back({std::move(name), size});
    }
    return result;
  }
  const auto lock = lock_hdf5();
  const Place place = place_of(variable);
  int rank = 0;
  nc_inq_varndims(place.group, place.variable, &rank);
  std::vector<int> ids(static_cast<std::size_t>(rank));
  nc_inq_vardimid(place.group, place.variable, ids.data());
  std::vector<NetcdfDimension> dimensions;
  for (const int dimension : ids) {
    std::array<char, NC_MAX_NAME + 1> name{};
    std::size_t size = 0;
    nc_inq_dim(place.group, dimension, name.data(), &size);
    dimensions.push_back({name.data(), size});
  }
  return dimensions;
}

std::string NetcdfFile::text(const std::string& variable, const std::string& attribute) const {
  if (guard_) {
    const std::string value = guard_->call<&NetcdfFile::text>(full_name(variable), attribute);
    const bool is_of_group = variable.empty() && !group_.empty();
    // Attributes of the file also apply to its groups.
    return value.empty() && is_of_group ? guard_->call<&NetcdfFile::text>(std::string(), attribute)
                                        : value;
  }
  const auto lock = lock_hdf5();
  const Place owner = attribute_owner(variable);
  return text_attribute(owner.group, owner.variable, attribute.c_str());
}

std::vector<std::string> NetcdfFile::texts(const std::string& attribute) const {
  std::vector<std::string> values;
  if (guard_) {
    const auto all = guard_->call<&NetcdfFile::texts>(attribute);
    for (const std::string& variable : variables_) {
      const auto position =
          std::find(full_variables_.begin(), full_variables_.end(), full_name(variable));
      values.push_back(all.at(static_cast<std::size_t>(position - full_variables_.begin())));
    }
    return values;
  }
  for (const std::string& variable : variables_) values.push_back(text(variable, attribute));
  return values;
}

std::string NetcdfFile::units(const std::string& variable) const {
  std::string first_units;
  std::string first_name;
  for (const char* name : {"units", "Units", "UNITS", "unit", "Unit", "UNIT"}) {
    const std::string value = text(variable, name);
    if (value.empty()) continue;
    if (!first_units.empty() && !are_same_units(value, first_units)) {
      refuse(variable,
             error_text(errors::units_stated_twice, first_name, first_units, name, value));
    }
    if (!first_units.empty()) continue;
    first_units = value;
    first_name = name;
  }
  return first_units;
}

double NetcdfFile::zero_tolerance(const std::string& variable) const {
  if (guard_) return guard_->call<&NetcdfFile::zero_tolerance>(full_name(variable));
  const auto lock = lock_hdf5();
  return packing(variable).zero_tolerance();
}

std::vector<double> NetcdfFile::numbers(const std::string& variable,
                                        const std::string& attribute) const {
  if (guard_) return guard_->call<&NetcdfFile::numbers>(full_name(variable), attribute);
  const auto lock = lock_hdf5();
  const Place owner = attribute_owner(variable);
  return number_attribute(owner.group, owner.variable, attribute.c_str()).values;
}

std::vector<double> NetcdfFile::read(const std::string& variable,
                                     const std::vector<std::size_t>& start,
                                     const std::vector<std::size_t>& count) const {
  if (are_too_many(count)) {
    refuse(variable,
           error_text(errors::variable_too_many_points, fmt::join(count, " × "), too_many_points));
  }
  const std::size_t size =
      std::accumulate(count.begin(), count.end(), std::size_t{1}, std::multiplies<>());
  if (LentFields* lent = guard_ ? current<LentFields>() : nullptr) {
    if (const auto values = lent->read(path_, variable, start, count)) {
      return unpacked(variable, *values);
    }
  }
  if (guard_) {
    const std::string full = full_name(variable);
    guard_->call<&NetcdfFile::validate>(full, size);
    const auto hold = guard_->lock();
    const std::uint64_t bytes = size * sizeof(double);
    const auto* shared = static_cast<const double*>(guard_->memory(bytes));
    guard_->call<&NetcdfFile::share>(full, start, count, SharedBytes{bytes});
    return {shared, shared + size};
  }
  const auto lock = lock_hdf5();
  const auto [group, id] = place_of(variable);
  std::vector<double> values(size);
  if (values.empty()) return values;
  nc_type type = NC_NAT;
  nc_inq_vartype(group, id, &type);
  if (type == NC_CHAR) {
    values = flags_of(group, id, start, count, size);
    if (!values.empty()) return values;
    refuse(variable, error_text(errors::netcdf_variable_unreadable));
  }
  const int status = nc_get_vara_double(group, id, start.data(), count.data(), values.data());
  if (status != NC_NOERR) {
    refuse(variable, error_text(errors::netcdf_variable_unreadable));
  }
  const Packing packing = this->packing(variable);
  for (double& value : values) value = packing.unpack(value);
  return values;
}

void NetcdfFile::share(const std::string& variable, const std::vector<std::size_t>& start,
                       const std::vector<std::size_t>& count, const SharedBytes& out) const {
  const std::vector<double> values = read(variable, start, count);
  if (!values.empty()) std::memcpy(out.data, values.data(), values.size() * sizeof(double));
}

std::vector<double> NetcdfFile::unpacked(const std::string& variable,
                                         const std::vector<double>& stored) const {
  if (stored.empty()) return stored;
  const auto hold = guard_->lock();
  const std::uint64_t bytes = stored.size() * sizeof(double);
  void* memory = guard_->memory(bytes);
  std::memcpy(memory, stored.data(), bytes);
  guard_->call<&NetcdfFile::unpack>(full_name(variable), SharedBytes{bytes});
  const auto* values = static_cast<const double*>(memory);
  return {values, values + stored.size()};
}

void NetcdfFile::unpack(const std::string& variable, const SharedBytes& values) const {
  const auto lock = lock_hdf5();
  const Packing packing = this->packing(variable);
  auto* value = static_cast<double*>(values.data);
  for (std::size_t n = 0; n < values.size / sizeof(double); ++n)
    value[n] = packing.unpack(value[n]);
}

void NetcdfFile::validate(const std::string& variable, std::uint64_t size) const {
  constexpr std::uint64_t max_inflated_bytes = 1100;  // deflate's greatest ratio
  constexpr std::uint64_t always_allowed = 1 << 20;
  if (size > always_allowed && size / max_inflated_bytes > file_size_) {
    refuse(variable, error_text(errors::variable_size_claimed, size));
  }
}

std::vector<double> NetcdfFile::read_all(const std::string& variable) const {
  std::vector<std::size_t> count;
  for (const auto& dimension : dimensions(variable)) count.push_back(dimension.size);
  return read(variable, std::vector<std::size_t>(count.size(), 0), count);
}

}  // namespace tidewise::ingest
