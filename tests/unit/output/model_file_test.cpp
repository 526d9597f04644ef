#include "output/model/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

#include "base/error.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/landing_rules.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

class ExplicitModel : public testing::Test {
 protected:
  void SetUp() override {
    info_ = test::plain_info(6, 5, 4, 2, 30);
    write("env.h5", 1);
    actions_ = make_actions({0.5, 1}, 6, info_.grid, info_.time);
  }

  void write(const char* name, unsigned seed) {
    test::write_environment(folder_ / name, info_, [seed](TimeLevel k, LevelFields<>& fields) {
      std::mt19937 random(seed + static_cast<unsigned>(k.value));
      std::normal_distribution<float> normal(0, 0.8F);
      for (auto* field :
           {&fields.u_mean, &fields.v_mean, &fields.u_mode, &fields.v_mode, &fields.coefficient}) {
        for (auto& value : *field) value = normal(random);
      }
    });
  }

  ModelInfo build(const char* name, ModelForm form) {
    const EnvironmentReader reader(folder_ / "env.h5");
    SilentProgress progress;
    return write_model(folder_ / name, reader, test::by_cell, actions_, {.threads = 2}, form, "",
                       progress);
  }

  test::TemporaryFolder folder_;
  EnvironmentInfo info_;
  std::vector<Action> actions_;
};

TEST_F(ExplicitModel, EveryRowSumsToTheRealizations) {
  const ModelInfo built = build("model.h5", ModelForm::compact);
  const ModelFile model(folder_ / "model.h5");
  EXPECT_EQ(model.info().entries, built.entries);
  EXPECT_EQ(model.info().total, 30u);
  for (std::int32_t k = 0; k < 3; ++k) {
    const CompactLevel level = model.read_level(TimeLevel(k));
    ASSERT_EQ(level.row_start.size(), 30u * actions_.size() + 1);
    for (std::size_t row = 0; row + 1 < level.row_start.size(); ++row) {
      const auto sum = std::accumulate(level.count.begin() + level.row_start[row],
                                       level.count.begin() + level.row_start[row + 1], 0u);
      ASSERT_EQ(sum, 30u) << row;
      for (auto n = level.row_start[row] + 1; n < level.row_start[row + 1]; ++n) {
        ASSERT_LT(level.offset[static_cast<std::size_t>(n - 1)],
                  level.offset[static_cast<std::size_t>(n)]);
      }
    }
  }
}

TEST_F(ExplicitModel, CooNamesRowAndColumnOfEveryEntry) {
  build("model.h5", ModelForm::coo);
  const Hdf5File file = Hdf5File::open(folder_ / "model.h5");
  const auto row_start = file.read_all<std::int64_t>("row_start");
  const auto row = file.read_all<std::int64_t>("row");
  const auto column = file.read_all<std::int64_t>("column");
  const auto offset = file.read_all<std::int32_t>("offset");
  const auto dx = file.read_all<std::int32_t>("offset_dx");
  const auto dy = file.read_all<std::int32_t>("offset_dy");
  const std::int64_t cells = 30;
  const auto action_count = static_cast<std::int64_t>(actions_.size());
  ASSERT_EQ(row_start.size(), static_cast<std::size_t>(3 * cells * action_count + 1));
  EXPECT_EQ(row_start.back(), static_cast<std::int64_t>(row.size()));
  std::int64_t outside = 0;
  for (std::size_t n = 0; n < row.size(); ++n) {
    ASSERT_GE(static_cast<std::int64_t>(n), row_start[static_cast<std::size_t>(row[n])]);
    ASSERT_LT(static_cast<std::int64_t>(n), row_start[static_cast<std::size_t>(row[n]) + 1]);
    const std::int64_t state = row[n] / action_count;
    const std::int64_t k = state / cells;
    const std::int64_t i = state % cells % 6 + dx[static_cast<std::size_t>(offset[n])];
    const std::int64_t j = state % cells / 6 + dy[static_cast<std::size_t>(offset[n])];
    const bool inside = i >= 0 && i < 6 && j >= 0 && j < 5;
    ASSERT_EQ(column[n], inside ? (k + 1) * cells + j * 6 + i : 4 * cells);
    outside += inside ? 0 : 1;
  }
  EXPECT_GT(outside, 0);
}

TEST_F(ExplicitModel, IsRejectedForAnotherForecast) {
  build("model.h5", ModelForm::compact);
  write("other.h5", 100);
  const EnvironmentReader other(folder_ / "other.h5");
  const ModelFile model(folder_ / "model.h5");
  model.require_match(other, test::by_cell,
                      actions_);  // the same sizes: only the fingerprint differs
  Mission mission;
  mission.target = target_cells(info_.grid, 0.5, 0.5, 0);
  mission.last = TimeLevel(3);
  PolicyTable policy(info_.grid, mission.last);
  SilentProgress progress;
  EXPECT_THROW(solve_backward(other, {actions_, mission, test::by_cell}, 1,
                              model.counts(other.info(), 1), policy, progress),
               InputError);
  EXPECT_THROW(
      model.require_match(other, test::by_cell, make_actions({1}, 6, info_.grid, info_.time)),
      InputError);
}

TEST_F(ExplicitModel, IsRejectedForOtherWeightsOrAnotherStep) {
  const auto solve_with_model = [this](const char* name) {
    const EnvironmentReader reader(folder_ / name);
    const ModelFile model(folder_ / "model.h5");
    Mission mission;
    mission.target = target_cells(info_.grid, 0.5, 0.5, 0);
    mission.last = TimeLevel(3);
    PolicyTable policy(info_.grid, mission.last);
    SilentProgress progress;
    solve_backward(reader, {actions_, mission, test::by_cell}, 1, model.counts(reader.info(), 1),
                   policy, progress);
  };
  info_.realization_weight.assign(30, (1u << 24) / 32);
  info_.realization_weight[0] += (1u << 24) / 16;
  write("env.h5", 1);
  build("model.h5", ModelForm::compact);
  solve_with_model("env.h5");
  std::swap(info_.realization_weight[0], info_.realization_weight[1]);
  write("weighted.h5", 1);
  EXPECT_THROW(solve_with_model("weighted.h5"), InputError);
  std::swap(info_.realization_weight[0], info_.realization_weight[1]);
  info_.time.step = 2;
  write("slow.h5", 1);
  EXPECT_THROW(solve_with_model("slow.h5"), InputError);
}

/// A change to a model that HDF5 does not detect.
struct WrongModel {
  const char* name;
  std::function<void(Hdf5File&)> change;
  const char* message;
};
class WrongModels : public ExplicitModel, public testing::WithParamInterface<WrongModel> {};

template <class T>
void change_all(Hdf5File& file, const char* variable,
                const std::function<T(T, std::size_t)>& changed) {
  std::vector<T> values(file.shape(variable).at(0));
  file.read(variable, {0}, {values.size()}, values.data());
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = changed(values[n], n);
  file.write_all(variable, values);
}

TEST_P(WrongModels, AreRejected) {
  build("model.h5", ModelForm::coo);
  {
    Hdf5File file = Hdf5File::open_to_change(folder_ / "model.h5");
    GetParam().change(file);
    file.close();
  }
  const EnvironmentReader reader(folder_ / "env.h5");
  Mission mission;
  mission.target = target_cells(info_.grid, 0.5, 0.5, 0);
  mission.last = TimeLevel(3);
  SilentProgress progress;
  const auto error_of = [](const auto& solve) -> std::string {
    try {
      solve();
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was refused";
  };
  const std::string error = error_of([&] {
    const ModelFile model(folder_ / "model.h5");
    PolicyTable policy(info_.grid, mission.last);
    solve_backward(reader, {actions_, mission, test::by_cell}, 1, model.counts(info_, 1), policy,
                   progress);
  });
  EXPECT_NE(error.find(GetParam().message), std::string::npos) << error;
  EXPECT_NE(error.find("model.h5: "), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongModels,
    testing::Values(
        WrongModel{"doubled",
                   [](Hdf5File& f) {
                     change_all<std::uint32_t>(f, "count",
                                               [](std::uint32_t c, std::size_t) { return 2 * c; });
                   },
                   "sum to 60 and must sum to 30"},
        WrongModel{"none",
                   [](Hdf5File& f) {
                     change_all<std::uint32_t>(f, "count",
                                               [](std::uint32_t, std::size_t) { return 0U; });
                   },
                   "sum to 0 and must sum to 30"},
        WrongModel{"negative",
                   [](Hdf5File& f) {
                     change_all<std::uint32_t>(f, "count", [](std::uint32_t c, std::size_t n) {
                       return n == 5 ? static_cast<std::uint32_t>(-3) : c;
                     });
                   },
                   "must sum to 30"},
        WrongModel{"descending",
                   [](Hdf5File& f) {
                     change_all<std::int64_t>(f, "row_start", [](std::int64_t s, std::size_t n) {
                       return n == 100 ? s - 50 : s;
                     });
                   },
                   "[model_rows_damaged]"},
        WrongModel{"beyond",
                   [](Hdf5File& f) {
                     change_all<std::int64_t>(f, "row_start", [](std::int64_t s, std::size_t) {
                       return s + 1'000'000'000;
                     });
                   },
                   "[model_rows_damaged]"},
        WrongModel{"far",
                   [](Hdf5File& f) {
                     change_all<std::uint16_t>(f, "offset", [](std::uint16_t o, std::size_t n) {
                       return n == 7 ? std::uint16_t{65535} : o;
                     });
                   },
                   "[model_offset_outside]"},
        WrongModel{"eastwards",
                   [](Hdf5File& f) {
                     change_all<std::int32_t>(f, "offset_dx",
                                              [](std::int32_t o, std::size_t) { return o + 1; });
                   },
                   "column"},
        WrongModel{"away",
                   [](Hdf5File& f) {
                     change_all<std::int32_t>(
                         f, "offset_dx", [](std::int32_t o, std::size_t) { return o + 100'000; });
                   },
                   "[model_offsets_damaged]"},
        WrongModel{"mixed",
                   [](Hdf5File& f) {
                     change_all<std::int32_t>(f, "offset_dy", [](std::int32_t o, std::size_t n) {
                       return n == 3 ? o + 1 : o;
                     });
                   },
                   "[model_offsets_damaged]"},
        WrongModel{"columns",
                   [](Hdf5File& f) {
                     change_all<std::int64_t>(f, "column", [](std::int64_t c, std::size_t n) {
                       return n == 9 ? c + 1 : c;
                     });
                   },
                   "[model_column_misplaced]"},
        WrongModel{"total", [](Hdf5File& f) { f.set_attribute("/", "count_total", -1.0); },
                   "[model_count_total_invalid]"}),
    [](const auto& wrong) { return wrong.param.name; });

TEST_F(ExplicitModel, RejectsRowsOfAnotherFlow) {
  build("model.h5", ModelForm::compact);
  {
    Hdf5File file = Hdf5File::open_to_change(folder_ / "model.h5");
    change_all<std::int32_t>(file, "offset_dx",
                             [](std::int32_t offset, std::size_t) { return offset + 1; });
    file.close();
  }
  const EnvironmentReader reader(folder_ / "env.h5");
  const ModelFile model(folder_ / "model.h5");
  Mission mission;
  mission.target = target_cells(info_.grid, 0.5, 0.5, 0);
  mission.last = TimeLevel(3);
  PolicyTable policy(info_.grid, mission.last);
  SilentProgress progress;
  EXPECT_THROW(solve_backward(reader, {actions_, mission, test::by_cell}, 1, model.counts(info_, 1),
                              policy, progress),
               InputError);
}

TEST_F(ExplicitModel, RejectsDamage) {
  EXPECT_THROW(ModelFile(folder_ / "env.h5"), InputError);
  build("model.h5", ModelForm::compact);
  std::filesystem::resize_file(folder_ / "model.h5", 3000);
  EXPECT_THROW(ModelFile(folder_ / "model.h5"), InputError);
}

TEST_F(ExplicitModel, RejectsANumberInPlaceOfAnArray) {
  build("model.h5", ModelForm::compact);
  {
    const Hdf5Handle file(H5Fopen((folder_ / "model.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                          H5Fclose);
    ASSERT_GE(H5Ldelete(file.id(), "offset", H5P_DEFAULT), 0);
    const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle offset(H5Dcreate2(file.id(), "offset", H5T_STD_I32LE, scalar.id(), H5P_DEFAULT,
                                       H5P_DEFAULT, H5P_DEFAULT),
                            H5Dclose);
  }
  EXPECT_THAT([&] { (void)ModelFile(folder_ / "model.h5"); },
              testing::ThrowsMessage<InputError>(test::has_code("model_offset_shape")));
}

}  // namespace
}  // namespace tidewise
