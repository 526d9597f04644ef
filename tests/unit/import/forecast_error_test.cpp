// Forecast errors as realizations: their statistics, coasts, and the default size.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "env/forecast_error/default_model.h"
#include "env/forecast_error/error_coefficients.h"
#include "env/forecast_error/error_modes.h"
#include "env/mask.h"
#include "support/error_code.h"

namespace tidewise {
namespace {

constexpr double hour = 3600;

/// Returns a model of two processes whose size grows for two days.
ForecastErrorModel growing_model() {
  ForecastErrorModel model;
  model.rms = {{0, 0.1}, {24 * hour, 0.2}, {48 * hour, 0.25}};
  model.length = 20e3;
  model.slow_share = 0.6;
  model.slow_time = 40 * hour;
  model.fast_time = 12 * hour;
  model.period = 12.42 * hour;
  return model;
}

/// Velocities of realizations at one level: (realization, cell).
struct Fields {
  std::vector<std::vector<float>> u, v;
};

Fields make_fields(const Grid& grid, const ErrorModes& modes, const std::vector<float>& coefficient,
                   std::size_t realizations) {
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  Fields fields{std::vector(realizations, std::vector<float>(cells)),
                std::vector(realizations, std::vector<float>(cells))};
  std::vector<float> u(cells);
  std::vector<float> v(cells);
  for (std::size_t mode = 0; mode < modes.count(); ++mode) {
    modes.fill_velocity(mode, u.data(), v.data());
    for (std::size_t r = 0; r < realizations; ++r) {
      const float c = coefficient[mode * realizations + r];
      for (std::size_t n = 0; n < cells; ++n) {
        fields.u[r][n] += c * u[n];
        fields.v[r][n] += c * v[n];
      }
    }
  }
  return fields;
}

double mean_square(const std::vector<std::vector<float>>& fields) {
  double sum = 0;
  for (const auto& field : fields) {
    for (const float value : field) sum += double{value} * value;
  }
  return sum / static_cast<double>(fields.size() * fields.front().size());
}

/// Returns the correlation of a component between cells that are `columns` and `rows` apart.
double correlation(const Grid& grid, const std::vector<std::vector<float>>& fields, int columns,
                   int rows) {
  double products = 0;
  double count = 0;
  for (const auto& field : fields) {
    for (int j = 0; j + rows < grid.ny; ++j) {
      for (int i = 0; i + columns < grid.nx; ++i) {
        products += double{field[static_cast<std::size_t>(grid.cell(i, j).value)]} *
                    field[static_cast<std::size_t>(grid.cell(i + columns, j + rows).value)];
        ++count;
      }
    }
  }
  return products / count / mean_square(fields);
}

TEST(ForecastError, HasTheSizeAndTheCorrelationInSpaceOfItsModel) {
  const Grid grid{50, 40, 0, 0, 2500, 2500};
  const ForecastErrorModel model = growing_model();
  const ErrorModes modes(grid, std::vector<std::uint8_t>(50 * 40, 0), model.length);
  EXPECT_GE(modes.share_kept(), 0.99);
  EXPECT_LT(modes.count(), 120u);
  constexpr std::size_t realizations = 500;
  ErrorCoefficients coefficients(model, 12 * hour, modes.count(), realizations, 3);
  std::vector<float> values(modes.count() * realizations);
  for (const auto& [lead, rms] : {std::pair{0.0, 0.1},
                                  {12 * hour, 0.15},
                                  {24 * hour, 0.2},
                                  {36 * hour, 0.225},
                                  {60 * hour, 0.25}}) {
    coefficients.fill_next(lead, values.data());
    const Fields fields = make_fields(grid, modes, values, realizations);
    EXPECT_NEAR(std::sqrt(mean_square(fields.u)), rms, 0.05 * rms) << lead;
    EXPECT_NEAR(std::sqrt(mean_square(fields.v)), rms, 0.05 * rms) << lead;
    if (lead > 0) continue;
    for (const int cells : {2, 4, 8, 12, 20}) {
      const double r = cells * grid.dx / model.length;
      const double along = std::exp(-r * r / 2);
      const double across = (1 - r * r) * along;
      EXPECT_NEAR(correlation(grid, fields.u, cells, 0), along, 0.05) << cells;
      EXPECT_NEAR(correlation(grid, fields.v, 0, cells), along, 0.05) << cells;
      EXPECT_NEAR(correlation(grid, fields.u, 0, cells), across, 0.05) << cells;
      EXPECT_NEAR(correlation(grid, fields.v, cells, 0), across, 0.05) << cells;
    }
  }
}

TEST(ForecastError, HasTheCorrelationInTimeOfItsModel) {
  ForecastErrorModel model = growing_model();
  constexpr std::size_t modes = 10;
  constexpr std::size_t realizations = 1000;
  for (const double share : {0.6, 0.0, 1.0}) {
    model.slow_share = share;
    ErrorCoefficients coefficients(model, 3 * hour, modes, realizations, 5);
    std::vector<float> first(modes * realizations);
    coefficients.fill_next(0, first.data());
    std::vector<float> later(first.size());
    for (int step = 1; step <= 16; ++step) {
      coefficients.fill_next(0, later.data());
      const double time = step * 3 * hour;
      const double expected = share * std::exp(-time / model.slow_time) +
                              (1 - share) * std::exp(-time / model.fast_time) *
                                  std::cos(2 * std::numbers::pi * time / model.period);
      double covariance = 0;
      for (std::size_t n = 0; n < first.size(); ++n) covariance += double{first[n]} * later[n];
      EXPECT_NEAR(covariance / static_cast<double>(first.size()) / 0.01, expected, 0.05) << step;
    }
  }
}

TEST(ForecastError, HasNoMeanAndExactVarianceInEveryModeAtEveryLevel) {
  constexpr std::size_t realizations = 7;
  ErrorCoefficients coefficients(growing_model(), 3 * hour, 4, realizations, 5);
  std::vector<float> values(4 * realizations);
  for (int level = 0; level < 3; ++level) {
    coefficients.fill_next(24 * hour, values.data());
    for (std::size_t mode = 0; mode < 4; ++mode) {
      double mean = 0;
      double square = 0;
      for (std::size_t r = 0; r < realizations; ++r) {
        const double value = values[mode * realizations + r];
        mean += value / realizations;
        square += value * value / realizations;
      }
      EXPECT_NEAR(mean, 0, 1e-8);
      EXPECT_NEAR(square, 0.04, 1e-8);
    }
  }
}

TEST(ForecastError, DependsOnlyOnTheSeed) {
  const auto draw = [](std::uint64_t seed, int threads) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    const Grid grid{20, 15, 0, 0, 5000, 5000};
    const ForecastErrorModel model = growing_model();
    const ErrorModes modes(grid, std::vector<std::uint8_t>(300, 0), model.length);
    ErrorCoefficients coefficients(model, 3 * hour, modes.count(), 5, seed);
    std::vector<float> values(modes.count() * 5);
    for (int level = 0; level < 3; ++level) coefficients.fill_next(0, values.data());
    std::vector<float> u(300);
    std::vector<float> v(300);
    modes.fill_velocity(3, u.data(), v.data());
    omp_set_num_threads(before);
    return std::tuple(values, u, v);
  };
  EXPECT_EQ(draw(1, 1), draw(1, 3));
  EXPECT_NE(std::get<0>(draw(1, 2)), std::get<0>(draw(2, 2)));
}

/// A coast in the west and an island, in 2.5 km cells.
class ErrorCoast : public testing::Test {
 protected:
  ErrorCoast() : mask(static_cast<std::size_t>(grid.cell_count()), 0) {
    for (int j = 0; j < grid.ny; ++j) {
      for (int i = 0; i < 6 + j % 3; ++i) mask[cell(i, j)] = closed_by_obstacle;
    }
    for (int j = 18; j < 22; ++j) {
      for (int i = 34; i < 38; ++i) mask[cell(i, j)] = closed_by_obstacle;
    }
    for (int j = 0; j < grid.ny; ++j) mask[cell(grid.nx - 1, j)] = beyond_forecast;
  }

  std::size_t cell(int i, int j) const { return static_cast<std::size_t>(grid.cell(i, j).value); }

  const Grid grid{60, 40, 0, 0, 2500, 2500};
  std::vector<std::uint8_t> mask;
};

TEST_F(ErrorCoast, HasNoFlowAcross) {
  const ErrorModes modes(grid, mask, 15e3);
  std::vector<float> u(mask.size());
  std::vector<float> v(mask.size());
  for (std::size_t mode = 0; mode < modes.count(); ++mode) {
    const std::vector<double> corner = modes.stream_function(mode);
    modes.fill_velocity(mode, u.data(), v.data());
    for (int j = 0; j < grid.ny; ++j) {
      for (int i = 0; i < grid.nx; ++i) {
        if (mask[cell(i, j)] != closed_by_obstacle) continue;
        EXPECT_EQ(u[cell(i, j)], 0);
        EXPECT_EQ(v[cell(i, j)], 0);
        // The flux through a face is the difference of the stream function between its ends.
        for (const int n : {j * 61 + i, j * 61 + i + 1, (j + 1) * 61 + i, (j + 1) * 61 + i + 1}) {
          ASSERT_EQ(corner[static_cast<std::size_t>(n)], 0);
        }
      }
    }
  }
}

TEST_F(ErrorCoast, LeavesTheFlowFreeOfDivergence) {
  const ErrorModes modes(grid, mask, 15e3);
  std::vector<float> u(mask.size());
  std::vector<float> v(mask.size());
  for (std::size_t mode = 0; mode < modes.count(); ++mode) {
    modes.fill_velocity(mode, u.data(), v.data());
    const float max = *std::max_element(u.begin(), u.end());
    ASSERT_GT(max, 0);
    // The flux out of the square between the centres of four cells is 0.
    for (int j = 0; j + 1 < grid.ny; ++j) {
      for (int i = 0; i + 1 < grid.nx; ++i) {
        const double out = double{u[cell(i + 1, j)]} + u[cell(i + 1, j + 1)] - u[cell(i, j)] -
                           u[cell(i, j + 1)] + v[cell(i, j + 1)] + v[cell(i + 1, j + 1)] -
                           v[cell(i, j)] - v[cell(i + 1, j)];
        ASSERT_NEAR(out, 0, 1e-6 * max) << mode;
      }
    }
  }
}

TEST_F(ErrorCoast, LeavesVarianceInOpenWaterAndAlongTheCoast) {
  const ErrorModes modes(grid, mask, 15e3);
  std::vector<double> u_variance(mask.size());
  std::vector<double> v_variance(mask.size());
  std::vector<float> u(mask.size());
  std::vector<float> v(mask.size());
  for (std::size_t mode = 0; mode < modes.count(); ++mode) {
    modes.fill_velocity(mode, u.data(), v.data());
    for (std::size_t n = 0; n < mask.size(); ++n) {
      u_variance[n] += double{u[n]} * u[n];
      v_variance[n] += double{v[n]} * v[n];
    }
  }
  EXPECT_NEAR(u_variance[cell(20, 8)], 1, 0.05);
  EXPECT_NEAR(v_variance[cell(20, 8)], 1, 0.05);
  EXPECT_LT(u_variance[cell(8, 20)], 0.05);  // normal to the coast
  EXPECT_GT(v_variance[cell(8, 20)], 0.7);   // along it
}

TEST_F(ErrorCoast, RefusesLengthsThatCellsDoNotResolve) {
  try {
    const ErrorModes modes(grid, mask, 2000);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), test::has_code("error_length_too_short"));
  }
  const ErrorModes limited(grid, mask, 5000, {.share = 0.99, .max_count = 20});
  EXPECT_EQ(limited.count(), 20u);
  EXPECT_LT(limited.share_kept(), 0.5);
}

/// Returns statistics of waves with a wavelength λ of 40 km and a period of 10 steps: correlation
/// cos(2πr/λ) in space, cos(2πn/10) in time, variance a²/2.
FlowStatistics wave_statistics(double amplitude) {
  const Grid grid{80, 80, 0, 0, 1000, 1000};
  FlowStatistics flow(grid, hour, 40);
  std::vector<double> u(6400);
  std::vector<double> v(6400);
  for (int k = 0; k < 40; ++k) {
    for (int j = 0; j < 80; ++j) {
      for (int i = 0; i < 80; ++i) {
        const auto n = static_cast<std::size_t>(grid.cell(i, j).value);
        const double phase = 2 * std::numbers::pi * k / 10;
        u[n] = amplitude * std::cos(2 * std::numbers::pi * i / 40 - phase);
        v[n] = amplitude * std::cos(2 * std::numbers::pi * j / 40 - phase);
      }
    }
    u[7] = v[7] = std::nan("");
    flow.add(u, v);
  }
  return flow;
}

TEST(DefaultForecastError, MeasuresTheFlow) {
  const FlowStatistics flow = wave_statistics(0.4);
  EXPECT_NEAR(flow.variance(), 0.08, 0.002);
  const std::vector<double> change = flow.change_in_time();
  ASSERT_EQ(change.size(), 40u);
  EXPECT_EQ(change[0], 0);
  EXPECT_NEAR(change[1], 0.16 * (1 - std::cos(0.2 * std::numbers::pi)), 0.002);
  EXPECT_NEAR(change[5], 0.32, 0.005);
  EXPECT_GE(change[10], change[5]);  // it does not decrease when the wave returns
  // cos(2πL/40 km) = exp(−1/2)
  EXPECT_NEAR(flow.length(), 40e3 * std::acos(std::exp(-0.5)) / (2 * std::numbers::pi), 300);
}

TEST(DefaultForecastError, SeparatesTidesFromTheSlowPart) {
  const Grid grid{20, 20, 0, 0, 1000, 1000};
  constexpr double period = 200;  // [h] of the slow flow; that of the tide is 12.5 h
  constexpr int levels = 400;
  FlowStatistics flow(grid, hour, levels);
  std::vector<double> u(400);
  std::vector<double> v(400);
  for (int k = 0; k < levels; ++k) {
    for (std::size_t n = 0; n < u.size(); ++n) {
      const double phase = static_cast<double>(n % 20) * std::numbers::pi / 10;
      u[n] = 0.1 * std::cos(2 * std::numbers::pi * k / period + phase) +
             0.2 * std::cos(2 * std::numbers::pi * k / 12.5 + phase);
      v[n] = u[n];
    }
    flow.add(u, v);
  }
  const ForecastErrorModel model = default_error_model(flow);
  // A mean over 25 h leaves sin(πx)/(πx) of the slow flow, x = 25/200.
  const double kept_share = std::sin(std::numbers::pi / 8) / (std::numbers::pi / 8);
  EXPECT_NEAR(model.slow_share, 0.01 * kept_share * kept_share / (0.01 + 0.04), 0.005);
  // 1 − cos(2πt/200 h) = 1 − 1/e
  const double slow = period / (2 * std::numbers::pi) * std::acos(std::exp(-1.0));
  EXPECT_NEAR(model.slow_time, slow * hour, hour);
  EXPECT_GE(model.fast_time, 2 * hour);
  EXPECT_LE(model.fast_time, 4 * hour);
  EXPECT_EQ(model.period, 0);
}

TEST(DefaultForecastError, GrowsFromTheAnalysisErrorToTwiceTheVariance) {
  const ForecastErrorModel model = default_error_model(wave_statistics(0.4));
  EXPECT_NEAR(rms_at(model, 0), 0.15, 1e-9);
  const double change = 0.16 * (1 - std::cos(0.2 * std::numbers::pi));
  EXPECT_NEAR(rms_at(model, hour), std::sqrt(0.15 * 0.15 + 0.64 * change), 0.003);
  EXPECT_LE(rms_at(model, 100 * hour), std::sqrt(2 * 0.081));
  EXPECT_EQ(model.slow_share, 1);
  EXPECT_EQ(model.slow_time, 2 * hour);  // cos(2π·2/10) is the first value below 1/e
  EXPECT_NEAR(rms_at(default_error_model(wave_statistics(0.4), 0.5), 0), 0.075, 1e-9);
  // In such a weak flow, the error is at most the difference of two unrelated flows.
  EXPECT_NEAR(rms_at(default_error_model(wave_statistics(0.05)), 0), 0.05, 0.001);
}

}  // namespace
}  // namespace tidewise
