#include "support/ocean/environment_builder.h"

#include <algorithm>

#include "env/file/reader.h"
#include "env/file/writer.h"
#include "env/tools/each_profile.h"

namespace tidewise::test {

EnvironmentInfo plain_info(std::int32_t nx, std::int32_t ny, std::int32_t level_count,
                           std::int32_t mode_count, std::int32_t realization_count) {
  EnvironmentInfo info;
  info.grid = {nx, ny, 0.5, 0.5, 1, 1};
  info.time = {level_count, 0, 1};
  info.mode_count = mode_count;
  info.realization_count = realization_count;
  info.obstacles = Obstacles::moving;
  info.has_scalar = true;
  return info;
}

LevelFields<> still_level(const EnvironmentInfo& info) {
  LevelFields<> fields(info);
  for (auto* field : {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode,
                      &fields.coefficient, &fields.scalar}) {
    std::fill(field->begin(), field->end(), 0.0F);
  }
  std::fill(fields.masked.begin(), fields.masked.end(), std::uint8_t{0});
  std::fill(fields.dry.begin(), fields.dry.end(), std::uint8_t{0});
  return fields;
}

void write_environment(const std::filesystem::path& path, const EnvironmentInfo& info,
                       const FillLevel& fill) {
  write_profiles(path, info, [&](TimeLevel k, std::size_t, LevelFields<>& fields) {
    if (fill) fill(k, fields);
  });
}

void write_profiles(const std::filesystem::path& path, const EnvironmentInfo& info,
                    const FillProfile& fill) {
  EnvironmentWriter writer(path, info);
  for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
    for (std::size_t profile = 0; profile < std::max<std::size_t>(info.profiles.size(), 1);
         ++profile) {
      LevelFields<> fields = still_level(info);
      fill(k, profile, fields);
      writer.write_level(k, fields, profile);
    }
  }
  writer.finish();
}

void repeat_modes(const std::filesystem::path& from, const std::filesystem::path& to) {
  const EnvironmentReader reader(from);
  EnvironmentInfo info = reader.info();
  info.has_fixed_modes = false;
  EnvironmentWriter writer(to, info);
  for_each_profile(reader, [&](const EnvironmentReader& source, std::size_t profile) {
    LevelFields<> fields(source.info());
    for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
      source.read_level(k, fields);
      writer.write_level(k, fields, profile);
    }
  });
  writer.finish();
}

}  // namespace tidewise::test
