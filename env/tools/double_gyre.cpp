#include "env/tools/double_gyre.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "env/error/codes.h"
#include "env/file/writer.h"

namespace tidewise {
namespace {

using std::numbers::pi;
constexpr double mean_speed = 1.5;        // greatest speed of the mean before scaling
constexpr double first_deviation = 0.28;  // standard deviation of the first mode's coefficient
constexpr double deviation_ratio =
    0.8;                          // ratio of a mode's standard deviation to the previous one's
constexpr double full_sun = 2.0;  // radiation without cloud

/// Two integers per mode: half waves along x and y.
std::array<int, 2> wave_numbers(int mode) {
  constexpr std::array<std::array<int, 2>, 10> first{
      {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {1, 3}, {3, 1}, {2, 3}, {3, 2}, {3, 3}, {1, 4}}};
  if (mode < 10) return first[mode];
  return {2 + mode % 7, 1 + mode / 7};
}

class DoubleGyre {
 public:
  explicit DoubleGyre(const DoubleGyreOptions& options) : options_(options) {
    draw_realizations();
    scale_ = 1;
    scale_ = options.greatest_speed / sampled_greatest_speed();
  }

  void fill(TimeLevel k, LevelFields<>& fields) const {
    fill_velocity(k, fields);
    fill_coefficients(k, fields.coefficient);
    fill_scalar(k, fields.scalar);
    fill_obstacles(k, fields.masked);
    std::fill(fields.dry.begin(), fields.dry.end(), std::uint8_t{0});
  }

 private:
  /// Time in units of the basin's crossing by a vehicle of speed 1.
  double phase(TimeLevel k) const { return static_cast<double>(k.value) / options_.nx; }

  double mean_stream(double i, double j, double t) const {
    const double x = (i + 0.5) / options_.nx;
    const double y = (j + 0.5) / options_.ny;
    const double shifted_y = y + 0.05 * std::sin(2 * pi * t) * std::sin(pi * y);
    return std::sin(pi * x) * std::sin(2 * pi * shifted_y);
  }

  double mode_stream(int mode, double i, double j, double t) const {
    const auto [kx, ky] = wave_numbers(mode);
    const double x = (i + 0.5) / options_.nx;
    const double y = (j + 0.5) / options_.ny;
    const double shifted_x = x + 0.08 * std::sin(2 * pi * t + mode) * std::sin(pi * x);
    return std::sin(kx * pi * shifted_x) * std::sin(ky * pi * y);
  }

  /// u = −∂ψ/∂y and v = ∂ψ/∂x by centred differences of a stream function on the grid.
  template <class Stream>
  void differentiate(const Stream& stream, float* u, float* v, double factor) const {
    const int nx = options_.nx;
    const int ny = options_.ny;
    std::vector<double> psi(static_cast<std::size_t>(nx + 2) * static_cast<std::size_t>(ny + 2));
    const auto psi_at = [&](int i, int j) -> double& {
      return psi[static_cast<std::size_t>(j + 1) * static_cast<std::size_t>(nx + 2) +
                 static_cast<std::size_t>(i + 1)];
    };
#pragma omp parallel for schedule(static)
    for (int j = -1; j <= ny; ++j) {
      for (int i = -1; i <= nx; ++i) psi_at(i, j) = stream(i, j);
    }
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        const auto cell = static_cast<std::size_t>(j * nx + i);
        u[cell] = static_cast<float>(-factor * (psi_at(i, j + 1) - psi_at(i, j - 1)) / 2);
        v[cell] = static_cast<float>(factor * (psi_at(i + 1, j) - psi_at(i - 1, j)) / 2);
      }
    }
  }

  void fill_velocity(TimeLevel k, LevelFields<>& fields) const {
    const double t = phase(k);
    const std::size_t cells = fields.u_mean.size();
    // ψ = sin πx sin 2πy on ny cells has the greatest velocity 2π / ny.
    const double mean_factor = scale_ * mean_speed * options_.ny / (2 * pi);
    differentiate([&](int i, int j) { return mean_stream(i, j, t); }, fields.u_mean.data(),
                  fields.v_mean.data(), mean_factor);
    for (int m = 0; m < options_.mode_count; ++m) {
      float* u = fields.u_mode.data() + static_cast<std::size_t>(m) * cells;
      float* v = fields.v_mode.data() + static_cast<std::size_t>(m) * cells;
      const auto [kx, ky] = wave_numbers(m);
      // The mean square velocity of sin kπx sin lπy is π²(k²/nx² + l²/ny²)/4.
      const double rms = pi / 2 * std::hypot(double(kx) / options_.nx, double(ky) / options_.ny);
      differentiate([&](int i, int j) { return mode_stream(m, i, j, t); }, u, v, scale_ / rms);
    }
  }

  /// The random numbers of a realization and mode: two normal numbers and the side of the mixture.
  struct Draw {
    float first;
    float second;
    float side;
  };

  void draw_realizations() {
    const Philox random(options_.seed);
    draws_.resize(static_cast<std::size_t>(options_.mode_count) *
                  static_cast<std::size_t>(options_.realization_count));
    for (int m = 0; m < options_.mode_count; ++m) {
      for (int r = 0; r < options_.realization_count; ++r) {
        const auto words = random(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(m));
        const double radius = std::sqrt(-2 * std::log1p(-to_unit(words.word[0])));
        const double angle = 2 * pi * to_unit(words.word[1]);
        // Unequal halves, so that the third moment is not 0.
        const float side = to_unit(words.word[2]) < 0.6 ? 1.0F : -1.5F;
        draws_[index(m, r)] = {static_cast<float>(radius * std::cos(angle)),
                               static_cast<float>(radius * std::sin(angle)), side};
      }
    }
  }

  std::size_t index(int mode, int realization) const {
    return static_cast<std::size_t>(mode) * static_cast<std::size_t>(options_.realization_count) +
           static_cast<std::size_t>(realization);
  }

  void fill_coefficients(TimeLevel k, View<float> coefficient) const {
    const double t = phase(k);
    const double separation = 0.35 + 0.5 * std::tanh(2 * t);  // share of the sides in the deviation
    const double growth = 0.7 + 0.3 * std::tanh(3 * t);
    for (int m = 0; m < options_.mode_count; ++m) {
      const double deviation = first_deviation * std::pow(deviation_ratio, m) * growth;
      const double angle = 2 * pi * t / (1 + 0.5 * m);
      const double normal = deviation * std::sqrt(1 - separation * separation);
      const double side = deviation * separation / std::sqrt(1.5);  // E[side²] = 1.5
      double sum = 0;
      for (int r = 0; r < options_.realization_count; ++r) {
        const Draw& draw = draws_[index(m, r)];
        const double value =
            normal * (draw.first * std::cos(angle) + draw.second * std::sin(angle)) +
            side * draw.side;
        coefficient[index(m, r)] = static_cast<float>(value);
        sum += value;
      }
      const auto mean = static_cast<float>(sum / options_.realization_count);
      for (int r = 0; r < options_.realization_count; ++r) coefficient[index(m, r)] -= mean;
    }
  }

  void fill_scalar(TimeLevel k, View<float> scalar) const {
    const double centre = 0.95 - 0.5 * phase(k);
    for (int j = 0; j < options_.ny; ++j) {
      for (int i = 0; i < options_.nx; ++i) {
        const double x = ((i + 0.5) / options_.nx - centre) / 0.3;
        const double y = ((j + 0.5) / options_.ny - 0.5) / 0.8;
        scalar[j * options_.nx + i] =
            static_cast<float>(full_sun * (1 - 0.9 * std::exp(-x * x - y * y)));
      }
    }
  }

  void fill_obstacles(TimeLevel k, View<std::uint8_t> masked) const {
    std::fill(masked.begin(), masked.end(), std::uint8_t{0});
    const int width = std::max(1, options_.nx / 10);
    const int height = std::max(1, options_.ny / 10);
    const auto close_square = [&](double west, double south) {
      const int first = static_cast<int>(std::lround(west * options_.nx)) + k.value;
      const int bottom = static_cast<int>(std::lround(south * options_.ny));
      for (int j = bottom; j < std::min(bottom + height, options_.ny); ++j) {
        for (int i = std::max(first, 0); i < std::min(first + width, options_.nx); ++i) {
          masked[j * options_.nx + i] = 1;
        }
      }
    };
    close_square(0.15, 0.36);
    close_square(0.05, 0.58);
  }

  /// The greatest speed over some levels, some thousands of cells and all realizations. The fields
  /// are smooth, so this is close to the greatest of all.
  double sampled_greatest_speed() const {
    const EnvironmentInfo info = describe(options_);
    LevelFields<> fields(info);
    const std::size_t cells = fields.u_mean.size();
    const std::size_t stride = std::max<std::size_t>(1, cells / 5000);
    double largest = 0;
    for (int sample = 0; sample < 8; ++sample) {
      const TimeLevel k(sample * (options_.level_count - 1) / 7);
      fill_velocity(k, fields);
      fill_coefficients(k, fields.coefficient);
#pragma omp parallel for reduction(max : largest) schedule(static)
      for (std::size_t cell = 0; cell < cells; cell += stride) {
        for (int r = 0; r < options_.realization_count; ++r) {
          double u = fields.u_mean[cell];
          double v = fields.v_mean[cell];
          for (int m = 0; m < options_.mode_count; ++m) {
            const double c = fields.coefficient[index(m, r)];
            u += c * fields.u_mode[static_cast<std::size_t>(m) * cells + cell];
            v += c * fields.v_mode[static_cast<std::size_t>(m) * cells + cell];
          }
          largest = std::max(largest, std::hypot(u, v));
        }
      }
    }
    return largest;
  }

 public:
  static EnvironmentInfo describe(const DoubleGyreOptions& options) {
    EnvironmentInfo info;
    info.grid = {options.nx, options.ny, 0.5, 0.5, 1.0, 1.0};
    info.time = {options.level_count, 0.0, 1.0};
    info.mode_count = options.mode_count;
    info.realization_count = options.realization_count;
    info.obstacles = Obstacles::moving;
    info.has_scalar = true;
    info.scalar_long_name = "radiation";
    info.title = "Kinematic stochastic double gyre";
    info.history = fmt::format(
        "tidewise env double-gyre --nx {} --ny {} --nt {} --modes {} --realizations {} --seed {} "
        "--speed {}",
        options.nx, options.ny, options.level_count, options.mode_count, options.realization_count,
        options.seed, options.greatest_speed);
    info.source = "prescribed stream functions with stochastic coefficients";
    return info;
  }

 private:
  DoubleGyreOptions options_;
  std::vector<Draw> draws_;  // (mode, realization)
  double scale_ = 1;
};

void validate_double_gyre(const DoubleGyreOptions& options) {
  const auto require = [](const char* option, std::int64_t value, std::int64_t smallest,
                          std::int64_t largest) {
    if (value >= smallest && value <= largest) return;
    throw input_error(errors::env_option_outside_range, option, value, smallest, largest);
  };
  require("--nx", options.nx, 10, 1 << 15);
  require("--ny", options.ny, 10, 1 << 15);
  require("--nt", options.level_count, 2, 1'000'000);
  require("--modes", options.mode_count, 1, 40);
  require("--realizations", options.realization_count, 1, weight_total - 1);
  if (!(options.greatest_speed > 0) || options.greatest_speed > 100) {
    throw input_error(errors::double_gyre_speed_invalid, options.greatest_speed);
  }
}

}  // namespace

void write_double_gyre(const std::filesystem::path& path, const DoubleGyreOptions& options,
                       Progress& progress) {
  validate_double_gyre(options);
  const EnvironmentInfo info = DoubleGyre::describe(options);
  EnvironmentWriter writer(path, info);
  const DoubleGyre gyre(options);
  LevelFields<> fields(info);
  progress.begin("making the double gyre", options.level_count, "levels");
  for (std::int32_t k = 0; k < options.level_count; ++k) {
    gyre.fill(TimeLevel(k), fields);
    writer.write_level(TimeLevel(k), fields);
    progress.advance_to(k + 1);
  }
  progress.end();
  writer.finish();
}

DoubleGyreLevel make_double_gyre_level(const DoubleGyreOptions& options, TimeLevel k) {
  const DoubleGyreSource source(options);
  DoubleGyreLevel level{source.info(), LevelFields<>(source.info())};
  source.fill(k, level.fields);
  return level;
}

class DoubleGyreSource::Implementation : public DoubleGyre {
  using DoubleGyre::DoubleGyre;
};

DoubleGyreSource::DoubleGyreSource(const DoubleGyreOptions& options) {
  validate_double_gyre(options);
  info_ = DoubleGyre::describe(options);
  implementation_ = std::make_unique<const Implementation>(options);
}
DoubleGyreSource::~DoubleGyreSource() = default;

void DoubleGyreSource::fill(TimeLevel k, LevelFields<>& fields) const {
  implementation_->fill(k, fields);
}

}  // namespace tidewise
