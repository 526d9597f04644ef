#pragma once

#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "support/program_fixture.h"
#include "support/run_contents.h"

namespace tidewise::test {

/// A fixture with a small double gyre, a mission in it, and batches of that mission.
class BatchFixture : public ProgramFixture {
 protected:
  BatchFixture() {
    write("m.toml", R"([environment]
file = "gyre.h5"
[vehicle]
speeds = [0.8, 1.6]
headings = 8
energy = { c_f = 1.0, c_t = 0.05 }
[mission]
start = [10.5, 4.5]
target = [10.5, 16.5]
target_radius = 1.5
departure = 1
[planner]
threads = 1
backend = "cpu"
)");
    make_environment("gyre.h5", "1");
  }

  void make_environment(const std::string& name, const std::string& seed) const {
    run({"env", "double-gyre", "--out", name, "--nx", "20", "--ny", "20", "--nt", "25", "--modes",
         "2", "--realizations", "30", "--seed", seed, "-q"});
  }

  ProgramResult batch(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments{"batch", "b.toml", "-q"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_tidewise(arguments, folder_.path());
  }

  std::vector<double> column(const std::string& name, const std::string& batch = "runs/b") const {
    return Hdf5File::open(folder_ / batch / "batch.nc").read_all<double>(name);
  }
  std::vector<std::string> texts(const std::string& name,
                                 const std::string& batch = "runs/b") const {
    return Hdf5File::open(folder_ / batch / "batch.nc").read_texts(name);
  }
};

}  // namespace tidewise::test
