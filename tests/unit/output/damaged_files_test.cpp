// A seeded campaign: all kinds of the program's files are damaged at random and read completely.
// Each must be refused in one line or read as before. TIDEWISE_DAMAGES sets the number for each
// kind (default 60: seconds), TIDEWISE_SEED the seed.

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

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// All that a reader took from a file.
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

/// Variables and attributes of any file.
void take_everything(const Hdf5File& file, Contents& found) {
  for (const std::string& name : file.attribute_names("/")) {
    found.add(file.text_attribute("/", name).value_or(""));
    found.add(file.number_attributes("/", name));
  }
  for (const std::string& name : file.variables()) {
    found.add(name);
    for (const auto extent : file.shape(name)) found.add(extent);
    found.add(file.text_attribute(name, "units").value_or(""));
    if (file.text_attribute(name, "NAME").value_or("").starts_with("This is a netCDF dim"))
      continue;
    found.add(name.ends_with("_name") ? std::vector<double>() : file.read_all<double>(name));
  }
}

void take_environment(const Path& path, Contents& found) {
  const EnvironmentReader reader(path);
  const EnvironmentInfo& info = reader.info();
  for (std::int32_t k = 0; k < info.time.level_count; ++k) {
    LevelFields<> fields(info);
    reader.read_level(TimeLevel(k), fields);
    found.add(std::as_const(fields.u_mean).view());
    found.add(std::as_const(fields.v_mode).view());
    found.add(std::as_const(fields.coefficient).view());
    found.add(std::as_const(fields.masked).view());
  }
}

void take_policy(const Path& path, Contents& found) {
  const PolicyFile policy(path);
  const auto cells = static_cast<std::size_t>(policy.grid().cell_count());
  std::vector<std::int16_t> action(cells);
  std::vector<float> value(cells);
  for (std::int32_t k = 0; k <= policy.last_level().value; ++k) {
    policy.read_action(TimeLevel(k), {action.data(), cells});
    policy.read_value(TimeLevel(k), {value.data(), cells});
    found.add(action);
    found.add(value);
  }
  found.add(policy.mission_text());
}

void take_model(const Path& path, Contents& found) {
  const ModelFile model(path);
  for (std::int32_t k = 0; k + 1 < model.info().time.level_count; ++k) {
    const CompactLevel level = model.read_level(TimeLevel(k));
    found.add(level.row_start);
    found.add(level.offset);
    found.add(level.count);
  }
}

void take_process(const Path& path, Contents& found) {
  SilentProgress progress;
  const auto process = mdp::read_hdf5_process<double>(path, {}, progress);
  found.add(View<const std::int64_t>(process.row_begin));
  found.add(View<const std::int32_t>(process.successor));
  found.add(View<const double>(process.probability));
  found.add(View<const double>(process.reward));
  found.add(process.state_names);
  found.add(process.action_names);
}

void take_solution(const Path& path, Contents& found) {
  const mdp::StoredSolution stored = mdp::read_solution(path);
  found.add(stored.solution.value);
  found.add(stored.solution.action);
  found.add(stored.origin.method);
}

void take_flights(const Path& path, Contents& found) {
  take_everything(Hdf5File::open(path), found);
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
  void (*take)(const Path&, Contents&);
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

  /// A few bytes changed, a range zeroed, another range in its place, the end cut off; half of it
  /// within a few hundred bytes of one of the structures that HDF5 marks by four letters.
  Bytes damaged(Bytes bytes) {
    const auto below = [&](std::size_t max) {
      return std::uniform_int_distribution<std::size_t>(0, max - 1)(random_);
    };
    const auto place = [&] {
      static constexpr const char* marks[] = {"OHDR", "OCHK", "FADB", "FAHD", "EAHD", "EAIB",
                                              "EADB", "GCOL", "FRHP", "FHDB", "BTHD", "BTLF"};
      const char* mark = marks[below(std::size(marks))];
      std::vector<std::size_t> found;
      for (auto at = bytes.begin();; ++at) {
        at = std::search(at, bytes.end(), mark, mark + 4);
        if (at == bytes.end()) break;
        found.push_back(static_cast<std::size_t>(at - bytes.begin()));
      }
      if (found.empty() || below(2) == 0) return below(bytes.size());
      return std::min(found[below(found.size())] + below(300), bytes.size() - 1);
    };
    switch (below(4)) {
      case 0:
        for (std::size_t n = 1 + below(4); n > 0; --n) {
          bytes[place()] = static_cast<char>(below(256));
        }
        break;
      case 1:
        bytes.resize(below(bytes.size()));
        break;
      case 2: {
        const std::size_t at = place();
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    std::min(1 + below(64), bytes.size() - at), char{0});
        break;
      }
      default: {
        const std::size_t at = place();
        const std::size_t from = place();
        const std::size_t size = std::min(1 + below(64), bytes.size() - std::max(at, from));
        std::memmove(bytes.data() + at, bytes.data() + from, size);
      }
    }
    return bytes;
  }

  std::mt19937_64 random_{number_from("TIDEWISE_SEED", 1)};
  test::TemporaryFolder folder_;
};

TEST_P(DamagedFiles, AreRefusedOrReadAsBefore) {
  const Path sound = folder_ / "sound.h5";
  const Path path = folder_ / "damaged.h5";
  GetParam().write(sound);
  Contents before;
  GetParam().take(sound, before);
  ASSERT_GT(before.bytes().size(), 50U);
  const Bytes whole = read(sound);
  const std::uint64_t damages = number_from("TIDEWISE_DAMAGES", 60);
  std::uint64_t refused = 0;
  std::uint64_t by_guard = 0;
  for (std::uint64_t n = 0; n < damages; ++n) {
    write(path, damaged(whole));
    try {
      Contents after;
      GetParam().take(path, after);
      EXPECT_EQ(after.bytes() == before.bytes(), true) << "damage " << n << " is not told";
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
      EXPECT_EQ(text.find(path.string()), 0U) << text;
      ++refused;
      by_guard += text.find("[file_damaged]") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(refused, damages / 4);
  RecordProperty("refused", std::to_string(refused));
  std::printf("%s: %lu damages, %lu refused, %lu of them crashed or hung the reader\n",
              GetParam().name, damages, refused, by_guard);
}

INSTANTIATE_TEST_SUITE_P(All, DamagedFiles,
                         testing::Values(Kind{"environment", write_environment_file,
                                              take_environment},
                                         Kind{"policy", write_policy_file, take_policy},
                                         Kind{"model", write_model_file, take_model},
                                         Kind{"process", write_process_file, take_process},
                                         Kind{"solution", write_solution_file, take_solution},
                                         Kind{"flights", write_flights_file, take_flights}),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace tidewise
