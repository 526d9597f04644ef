#pragma once

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "env/file/writer.h"
#include "support/program_fixture.h"

namespace tidewise::test {

/// A fixture with a mission in both.h5, which has a small double gyre in the profile up and the
/// opposite flow in the profile down.
class MissionProfiles : public SmallGyreFixture {
 protected:
  MissionProfiles() {
    make_once("profiles", [&] {
      make_gyre("gyre.h5");
      write_both("both.h5", {{"up", "0:50"}, {"down", "0:1000"}});
      write_mission("both.h5", "run", 2);
    });
  }

  /// Writes the gyre as the first of two profiles, and the opposite flow as the second.
  void write_both(const std::string& file, const std::vector<EnvironmentProfile>& profiles) const {
    const EnvironmentReader gyre(folder_ / "gyre.h5");
    EnvironmentInfo info = gyre.info();
    info.profiles = profiles;
    EnvironmentWriter writer(folder_ / file, info);
    LevelFields<> fields(info);
    for (TimeLevel k(0); k.value < info.time.level_count; ++k.value) {
      gyre.read_level(k, fields);
      writer.write_level(k, fields, 0);
      for (auto* field : {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode}) {
        std::transform(field->begin(), field->end(), field->begin(), std::negate<>());
      }
      writer.write_level(k, fields, 1);
    }
    writer.finish();
  }

  nlohmann::json plan(const std::string& out, const std::string& setting) const {
    run({"plan", "m.toml", "-q", "--out", out, "--set", setting});
    return summary(out);
  }
  /// Plans with both profiles into the folder "both", and returns the summary.
  nlohmann::json plan_both() const {
    make_once("both", [&] { plan("both", R"(vehicle.profiles=["up", "down"])"); });
    return summary("both");
  }
};

}  // namespace tidewise::test
