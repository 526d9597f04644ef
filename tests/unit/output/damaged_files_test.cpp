// All kinds of the program's files are damaged at random and read completely. Each must be rejected
// with a message of one line, or read as before. TIDEWISE_DAMAGES sets the number for each kind
// (default 60, which takes seconds), TIDEWISE_SEED the seed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <utility>

#include "base/error.h"
#include "env/file/reader.h"
#include "mdp/file/hdf5.h"
#include "mdp/file/solution.h"
#include "output/model/model_file.h"
#include "output/run/policy_file.h"
#include "output/run/trajectory_file.h"
#include "support/mdp/process_cases.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using Bytes = std::vector<char>;
using Path = std::filesystem::path;

std::uint64_t number_from(const char* variable, std::uint64_t default_value) {
  const char* text = std::getenv(variable);
  return text == nullptr ? default_value : std::strtoull(text, nullptr, 10);
}

/// The data that a reader returned from a file.
class Contents {
 public:
  template <class T>
  void add(const std::vector<T>& values) {
    for (const T& value : values) add(value);
  }
  template <class T>
  void add(const Array<T>& values) {
    for (const T value : values) add(value);
  }
  template <class T>
  void add(View<const T> values) {
    for (const T value : values) add(value);
  }
  void add(const std::string& text) { bytes_ += text; }
  template <class T>
  requires std::is_arithmetic_v<T>
  void add(T value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T)); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Adds the variables and attributes of any file.
void add_everything(const Hdf5File& file, Contents& contents) {
  for (const std::string& name : file.attribute_names("/")) {
    contents.add(file.text_attribute("/", name).value_or(""));
    contents.add(file.number_attributes("/", name));
  }
  for (const std::string& name : file.variables()) {
    contents.add(name);
    for (const auto extent : file.shape(name)) contents.add(extent);
    contents.add(file.text_attribute(name, "units").value_or(""));
    if (file.text_attribute(name, "NAME").value_or("").starts_with("This is a netCDF dim"))
      continue;
    contents.add(name.ends_with("_name") ? std::vector<double>() : file.read_all<double>(name));
  }
}

void add_environment(const Path& path, Contents& contents) {
  const EnvironmentReader reader(path);
  const EnvironmentInfo& info = reader.info();
  for (std::int32_t k = 0; k < info.time.level_count; ++k) {
    LevelFields<> fields(info);
    reader.read_level(TimeLevel(k), fields);
    contents.add(std::as_const(fields.u_mean).view());
    contents.add(std::as_const(fields.v_mode).view());
    contents.add(std::as_const(fields.coefficient).view());
    contents.add(std::as_const(fields.masked).view());
  }
}

void add_policy(const Path& path, Contents& contents) {
  const PolicyFile policy(path);
  const auto cells = static_cast<std::size_t>(policy.grid().cell_count());
  std::vector<std::int16_t> action(cells);
  std::vector<float> value(cells);
  for (std::int32_t k = 0; k <= policy.last_level().value; ++k) {
    policy.read_action(TimeLevel(k), {action.data(), cells});
    policy.read_value(TimeLevel(k), {value.data(), cells});
    contents.add(action);
    contents.add(value);
  }
  contents.add(policy.mission_text());
}

void add_model(const Path& path, Contents& contents) {
  const ModelFile model(path);
  for (std::int32_t k = 0; k + 1 < model.info().time.level_count; ++k) {
    const CompactLevel level = model.read_level(TimeLevel(k));
    contents.add(level.row_start);
    contents.add(level.offset);
    contents.add(level.count);
  }
}

void add_process(const Path& path, Contents& contents) {
  SilentProgress progress;
  const auto process = mdp::read_hdf5_process<double>(path, {}, progress);
  contents.add(View<const std::int64_t>(process.row_begin));
  contents.add(View<const std::int32_t>(process.successor));
  contents.add(View<const double>(process.probability));
  contents.add(View<const double>(process.reward));
  contents.add(process.state_names);
  contents.add(process.action_names);
}

void add_solution(const Path& path, Contents& contents) {
  const mdp::StoredSolution stored = mdp::read_solution(path);
  contents.add(stored.solution.value);
  contents.add(stored.solution.action);
  contents.add(stored.origin.method);
}

void add_flights(const Path& path, Contents& contents) {
  add_everything(Hdf5File::open(path), contents);
}

void write_environment_file(const Path& path) {
  const EnvironmentInfo info = test::plain_info(6, 5, 4, 2, 30);
  test::write_environment(path, info, [](TimeLevel k, LevelFields<>& fields) {
    std::mt19937 random(static_cast<unsigned>(k.value));
    std::normal_distribution<float> normal(0, 0.8F);
    for (auto* field :
         {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode, &fields.coefficient}) {
      for (auto& value : *field) value = normal(random);
    }
  });
}

void write_policy_file(const Path& path) {
  const EnvironmentInfo info = test::plain_info(12, 10, 9);
  PolicyWriter writer(path, info, make_actions({0.5, 1}, 6, info.grid, info.time), "a = 1\n",
                      TimeLevel(8));
  std::vector<std::int16_t> action(120);
  std::vector<float> value(120);
  for (std::int32_t k = 8; k >= 0; --k) {
    for (std::size_t n = 0; n < 120; ++n) {
      action[n] = static_cast<std::int16_t>((n * 7 + static_cast<std::size_t>(k)) % 13) - 1;
      value[n] = -0.25F * static_cast<float>(n) - static_cast<float>(k);
    }
    writer.accept(0, TimeLevel(k), {action.data(), 120}, {value.data(), 120});
  }
  writer.finish();
}

void write_model_file(const Path& path) {
  const Path environment = path.parent_path() / "environment.h5";
  write_environment_file(environment);
  const EnvironmentReader reader(environment);
  SilentProgress progress;
  write_model(path, reader, test::by_area,
              make_actions({0.5, 1}, 6, reader.info().grid, reader.info().time), {.threads = 1},
              ModelForm::coo, "", progress);
}

void write_process_file(const Path& path) {
  SilentProgress progress;
  auto process = test::three_state_process<double>();
  process.state_names = {"harbour", "open water", "a cape of a long name"};
  process.labels = {{"end", {2}}};
  mdp::write_hdf5_process(path, process, "", progress);
}

void write_solution_file(const Path& path) {
  mdp::ProcessSolution<double> solution;
  for (int n = 0; n < 300; ++n) {
    solution.value.push_back(n * 0.5);
    solution.action.push_back(n % 5);
  }
  mdp::write_solution(path, solution, {"m.h5", "value-iteration", "cpu", 0.9, 1e-6, "history"});
}

void write_flights_file(const Path& path) {
  const Path environment = path.parent_path() / "environment.h5";
  test::write_environment(environment, test::plain_info(4, 3, 9));
  RolloutResult rollout;
  for (std::int32_t n = 0; n < 40; ++n) {
    const float x = 0.5F + 0.01F * static_cast<float>(n);
    rollout.trajectories.push_back({n,
                                    TrajectoryOutcome::arrived,
                                    96.5 - n,
                                    {{x, 1.5, 0.25F, 1, 0, 0}, {1.25, x, 0.5F, 2, 3, 4}}});
  }
  write_trajectories(path, EnvironmentReader(environment), Mission(), rollout, "text = 1\n", 1);
}

struct Kind {
  const char* name;
  void (*write)(const Path&);
  void (*add_contents)(const Path&, Contents&);
};

class DamagedFiles : public testing::TestWithParam<Kind> {
 protected:
  static Bytes read(const Path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void write(const Path& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  /// Changes a few bytes, sets a range to zero, copies another range to it, or cuts the end off.
  /// Half of the places are near a structure that HDF5 marks by four letters.
  Bytes damaged(Bytes bytes) {
    const auto draw = [&](std::size_t max) {
      return std::uniform_int_distribution<std::size_t>(0, max - 1)(random_);
    };
    const auto position = [&] {
      static constexpr const char* marks[] = {"OHDR", "OCHK", "FADB", "FAHD", "EAHD", "EAIB",
                                              "EADB", "GCOL", "FRHP", "FHDB", "BTHD", "BTLF"};
      const char* mark = marks[draw(std::size(marks))];
      std::vector<std::size_t> positions;
      for (auto match = bytes.begin();; ++match) {
        match = std::search(match, bytes.end(), mark, mark + 4);
        if (match == bytes.end()) break;
        positions.push_back(static_cast<std::size_t>(match - bytes.begin()));
      }
      if (positions.empty() || draw(2) == 0) return draw(bytes.size());
      return std::min(positions[draw(positions.size())] + draw(300), bytes.size() - 1);
    };
    switch (draw(4)) {
      case 0:
        for (std::size_t n = 1 + draw(4); n > 0; --n) {
          bytes[position()] = static_cast<char>(draw(256));
        }
        break;
      case 1:
        bytes.resize(draw(bytes.size()));
        break;
      case 2: {
        const std::size_t to = position();
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(to),
                    std::min(1 + draw(64), bytes.size() - to), char{0});
        break;
      }
      default: {
        const std::size_t to = position();
        const std::size_t from = position();
        const std::size_t size = std::min(1 + draw(64), bytes.size() - std::max(to, from));
        std::memmove(bytes.data() + to, bytes.data() + from, size);
      }
    }
    return bytes;
  }

  std::mt19937_64 random_{number_from("TIDEWISE_SEED", 1)};
  test::TemporaryFolder folder_;
};

TEST_P(DamagedFiles, AreRejectedOrReadAsBefore) {
  const Path intact = folder_ / "sound.h5";
  const Path path = folder_ / "damaged.h5";
  GetParam().write(intact);
  Contents before;
  GetParam().add_contents(intact, before);
  ASSERT_GT(before.bytes().size(), 50U);
  const Bytes intact_bytes = read(intact);
  const std::uint64_t damages = number_from("TIDEWISE_DAMAGES", 60);
  std::uint64_t rejected = 0;
  std::uint64_t by_guard = 0;
  for (std::uint64_t n = 0; n < damages; ++n) {
    write(path, damaged(intact_bytes));
    try {
      Contents after;
      GetParam().add_contents(path, after);
      EXPECT_EQ(after.bytes() == before.bytes(), true) << "damage " << n << " is not told";
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
      EXPECT_EQ(text.find(path.string()), 0U) << text;
      ++rejected;
      by_guard += text.find("[file_damaged]") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(rejected, damages / 4);
  RecordProperty("refused", std::to_string(rejected));
  std::printf("%s: %lu damages, %lu refused, %lu of them crashed or hung the reader\n",
              GetParam().name, damages, rejected, by_guard);
}

INSTANTIATE_TEST_SUITE_P(All, DamagedFiles,
                         testing::Values(Kind{"environment", write_environment_file,
                                              add_environment},
                                         Kind{"policy", write_policy_file, add_policy},
                                         Kind{"model", write_model_file, add_model},
                                         Kind{"process", write_process_file, add_process},
                                         Kind{"solution", write_solution_file, add_solution},
                                         Kind{"flights", write_flights_file, add_flights}),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace tidewise
