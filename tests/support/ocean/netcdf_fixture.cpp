#include "support/ocean/netcdf_fixture.h"

#include <map>
#include <stdexcept>

#include "base/hdf5/handle.h"

namespace tidewise::test {
namespace {

void check(int status) {
  if (status != NC_NOERR) throw std::runtime_error(nc_strerror(status));
}

}  // namespace

NetcdfFixture::Variable& NetcdfFixture::variable(const std::string& name) {
  for (auto& variable : variables) {
    if (variable.name == name) return variable;
  }
  throw std::runtime_error("the fixture has no variable " + name);
}

void NetcdfFixture::write(const std::filesystem::path& path, int format) const {
  const auto lock = lock_hdf5();
  // A reader may still have an earlier file of this name open, which HDF5 locks.
  std::filesystem::remove(path);
  int file = -1;
  check(nc_create(path.c_str(), NC_CLOBBER | format, &file));
  define(file, {});
  check(nc_enddef(file));
  fill(file);
  check(nc_close(file));
}

void NetcdfFixture::define(int group, std::map<std::string, int> dimension_ids) const {
  for (const auto& [name, size] : dimensions) {
    check(nc_def_dim(group, name.c_str(), size, &dimension_ids[name]));
  }
  for (const auto& [name, value] : texts) {
    check(nc_put_att_text(group, NC_GLOBAL, name.c_str(), value.size(), value.c_str()));
  }
  for (const Variable& variable : variables) {
    std::vector<int> ids;
    for (const auto& dimension : variable.dimensions) ids.push_back(dimension_ids.at(dimension));
    int id = -1;
    check(nc_def_var(group, variable.name.c_str(), variable.type, static_cast<int>(ids.size()),
                     ids.data(), &id));
    for (const auto& [attribute, value] : variable.texts) {
      check(nc_put_att_text(group, id, attribute.c_str(), value.size(), value.c_str()));
    }
    for (const auto& [attribute, type, values] : variable.numbers) {
      check(nc_put_att_double(group, id, attribute.c_str(), type, values.size(), values.data()));
    }
  }
  for (const NetcdfFixture& inner : groups) {
    int id = -1;
    check(nc_def_grp(group, inner.group_name.c_str(), &id));
    inner.define(id, dimension_ids);
  }
}

void NetcdfFixture::fill(int group) const {
  for (const Variable& variable : variables) {
    if (variable.values.empty()) continue;
    int id = -1;
    check(nc_inq_varid(group, variable.name.c_str(), &id));
    if (variable.type == NC_CHAR) {
      const std::string text(variable.values.begin(), variable.values.end());
      check(nc_put_var_text(group, id, text.data()));
      continue;
    }
    check(nc_put_var_double(group, id, variable.values.data()));
  }
  for (const NetcdfFixture& inner : groups) {
    int id = -1;
    check(nc_inq_grp_ncid(group, inner.group_name.c_str(), &id));
    inner.fill(id);
  }
}

NetcdfFixture SmallForecast::fixture() const {
  std::map<std::string, std::size_t> sizes{{"lon", longitude.size()},
                                           {"lat", latitude.size()},
                                           {"time", hour.size()},
                                           {"depth", depth.size()},
                                           {"member", static_cast<std::size_t>(members)}};
  NetcdfFixture fixture;
  std::vector<std::string> used;
  for (const auto& name : order) {
    if (sizes.at(name) > 0) used.push_back(name);
  }
  std::size_t count = 1;
  for (const auto& name : used) {
    fixture.dimensions.emplace_back(name, sizes.at(name));
    count *= sizes.at(name);
  }
  std::vector<double> u_values(count);
  std::vector<double> v_values(count);
  for (std::size_t n = 0; n < count; ++n) {
    std::map<std::string, std::size_t> at{{"depth", 0}, {"member", 0}};
    std::size_t rest = n;
    for (auto name = used.rbegin(); name != used.rend(); ++name) {
      at[*name] = rest % sizes.at(*name);
      rest /= sizes.at(*name);
    }
    const double lon = longitude[at["lon"]];
    const double lat = latitude[at["lat"]];
    const int member = static_cast<int>(at["member"]);
    const double depth_term = 10.0 * static_cast<double>(at["depth"]);
    u_values[n] = u(lon, lat, hour[at["time"]], member) + depth_term;
    v_values[n] = v(lon, lat, hour[at["time"]], member) + depth_term;
  }
  fixture.variables = {
      {"lon", NC_DOUBLE, {"lon"}, longitude, {{"units", "degrees_east"}}, {}},
      {"lat", NC_DOUBLE, {"lat"}, latitude, {{"units", "degrees_north"}}, {}},
      {"time", NC_DOUBLE, {"time"}, hour, {{"units", "hours since 2024-10-28 00:00:00"}}, {}},
      {u_name, NC_FLOAT, used, u_values, {{"units", "m s-1"}}, {}},
      {v_name, NC_FLOAT, used, v_values, {{"units", "m s-1"}}, {}}};
  if (!depth.empty()) {
    fixture.variables.push_back(
        {"depth", NC_DOUBLE, {"depth"}, depth, {{"units", "m"}, {"positive", "down"}}, {}});
  }
  return fixture;
}

}  // namespace tidewise::test
