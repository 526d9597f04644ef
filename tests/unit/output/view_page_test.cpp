#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "output/view/base64.h"
#include "output/view/packed_numbers.h"
#include "output/view/packed_run.h"
#include "output/view/page.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;
using Shape = std::vector<std::size_t>;

constexpr float gap = std::numeric_limits<float>::quiet_NaN();

/// Unpacks numbers by the steps of page/unpack.js.
std::vector<std::int32_t> unpack(const std::uint8_t* stream, std::size_t stream_size,
                                 const Shape& shape, std::size_t bytes_each,
                                 const std::vector<std::size_t>& axes) {
  const std::size_t count =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  std::vector<std::uint8_t> bytes(count * bytes_each);
  uLongf size = bytes.size();
  EXPECT_EQ(uncompress(bytes.data(), &size, stream, stream_size), Z_OK);
  EXPECT_EQ(size, bytes.size());
  const auto wrap = [&](std::uint32_t n) -> std::uint32_t {
    if (bytes_each == 1) return n & 0xff;
    if (bytes_each == 2) return static_cast<std::uint32_t>(static_cast<std::int16_t>(n));
    return n;
  };
  std::vector<std::uint32_t> numbers(count, 0);
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t b = 0; b < bytes_each; ++b) {
      numbers[n] |= std::uint32_t{bytes[b * count + n]} << 8 * b;
    }
    numbers[n] = wrap(numbers[n]);
  }
  for (const std::size_t axis : axes) {
    std::size_t stride = 1;
    for (std::size_t a = axis + 1; a < shape.size(); ++a) stride *= shape[a];
    for (std::size_t n = 0; n < count; ++n) {
      if (n / stride % shape[axis] > 0) numbers[n] = wrap(numbers[n] + numbers[n - stride]);
    }
  }
  return {numbers.begin(), numbers.end()};
}

std::vector<std::int32_t> unpack(const PackedNumbers& packed) {
  return unpack(packed.stream.data(), packed.stream.size(), packed.shape,
                static_cast<std::size_t>(packed.element), packed.axes);
}

std::vector<std::int32_t> unpack(const PackedRun& run, const std::string& name) {
  const Json& array = run.facts["arrays"][name];
  return unpack(run.bytes.data() + array["begin"].get<std::size_t>(), array["size"],
                array["shape"].get<Shape>(), array["bytes"],
                array["axes"].get<std::vector<std::size_t>>());
}

std::vector<double> values_of(const PackedRun& run, const std::string& name) {
  const Json& array = run.facts["arrays"][name];
  std::vector<double> values;
  for (const std::int32_t n : unpack(run, name)) {
    values.push_back(array["offset"].get<double>() + array["step"].get<double>() * n);
  }
  return values;
}

TEST(Base64, MatchesRfc4648) {
  const auto coded = [](std::string_view text) {
    return to_base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ(coded(""), "");  // RFC 4648, 10
  EXPECT_EQ(coded("f"), "Zg==");
  EXPECT_EQ(coded("fo"), "Zm8=");
  EXPECT_EQ(coded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(coded("\xff\xef\xbf"), "/++/");
}

TEST(PackedNumbers, RoundTripAnyNumbers) {
  std::mt19937 random(7);
  for (const ElementBytes element : {ElementBytes::one, ElementBytes::two, ElementBytes::four}) {
    for (const Shape& shape : {Shape{1}, Shape{100}, Shape{5, 7}, Shape{3, 4, 5}, Shape{2, 3, 4, 5},
                               Shape{9, 200, 200}}) {
      const std::size_t count =
          std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
      std::vector<std::int32_t> numbers(count);
      for (auto& n : numbers) {
        n = static_cast<std::int32_t>(random());  // in the full range: differences wrap around
        if (element == ElementBytes::one) n &= 0xff;
        if (element == ElementBytes::two) n = static_cast<std::int16_t>(n);
      }
      EXPECT_EQ(unpack(pack_numbers(numbers, shape, element)), numbers);
    }
  }
}

TEST(PackedNumbers, SmoothNumbersBecomeSmall) {
  const Shape shape{40, 50, 60};
  std::vector<std::int32_t> numbers;
  for (int k = 0; k < 40; ++k) {
    for (int j = 0; j < 50; ++j) {
      for (int i = 0; i < 60; ++i) {
        numbers.push_back(
            static_cast<int>(20000 * std::sin(0.05 * i + 0.02 * k) * std::cos(0.04 * j)));
      }
    }
  }
  const PackedNumbers packed = pack_numbers(numbers, shape, ElementBytes::two);
  EXPECT_EQ(unpack(packed), numbers);
  EXPECT_LT(packed.stream.size(), numbers.size());  // less than half of the bytes
}

TEST(PackedNumbers, QuantisedNumbersAreWithinHalfAStep) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-7e6, 120);
  std::vector<double> values(5000);
  for (double& value : values) value = uniform(random);
  values[0] = -7e6;
  values[1] = 120;
  const Quantisation scale = quantise_range(-7e6, 120);
  EXPECT_NEAR(scale.step, 7.00012e6 / 65534, 1e-6);
  const auto numbers = quantise(values, scale);
  for (std::size_t n = 0; n < values.size(); ++n) {
    EXPECT_NEAR(scale.offset + scale.step * numbers[n], values[n], 0.5001 * scale.step);
    EXPECT_GT(numbers[n], -32768);  // which marks a gap
    EXPECT_LE(numbers[n], 32767);
  }
  EXPECT_EQ(quantise_range(4, 4).offset, 4);
  EXPECT_GT(quantise_range(4, 4).step, 0);
}

/// A run in a small plane, at levels 2 … 2 + levels − 1, with noise that cannot be compressed.
RunView make_run(std::int32_t levels = 6, std::size_t flight_count = 5, std::size_t profiles = 1) {
  constexpr std::int32_t nx = 9;
  constexpr std::int32_t ny = 7;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> noise(-1, 1);
  RunView run;
  run.facts = {{"name", "a </script> & run"}};
  run.grid = {nx, ny, 100, 200, 10, 20};
  run.obstacles.lattice = {2, 1, 1, 1, nx, ny};
  run.obstacles.closed.assign(nx * ny, 0);
  run.obstacles.closed[4] = 1;
  run.policy.lattice = {2, 1, levels, 1, nx, ny};
  for (std::size_t n = 0; n < run.policy.lattice.size(); ++n) {
    run.policy.action.push_back(static_cast<std::int16_t>(n % 33) - 1);
    run.policy.value.push_back(n % 63 == 4 ? gap : static_cast<float>(1000 * noise(random)));
  }
  FlowView flow;
  flow.lattice = run.policy.lattice;
  flow.mode_count = 2;
  flow.realization = {0, 3};
  const auto fill = [&](std::vector<float>& field, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) field.push_back(static_cast<float>(noise(random)));
  };
  flow.velocity.resize(profiles);
  for (VelocityView& velocity : flow.velocity) {
    fill(velocity.u_mean, flow.lattice.size());
    fill(velocity.v_mean, flow.lattice.size());
    fill(velocity.u_mode, 2 * flow.lattice.size());
    fill(velocity.v_mode, 2 * flow.lattice.size());
  }
  fill(flow.coefficient, static_cast<std::size_t>(levels) * 4);
  fill(flow.covariance, static_cast<std::size_t>(levels) * 4);
  run.flow = flow;
  FlightsView flights;
  flights.max_points = 4;
  for (std::size_t n = 0; n < flight_count; ++n) {
    flights.end_time.push_back(3 + 0.1 * static_cast<double>(n));
    flights.outcome.push_back(n % 4);
    flights.realization.push_back(static_cast<std::int32_t>(n));
    flights.energy.push_back(2.0F);
    flights.drawn.push_back(static_cast<std::int32_t>(n));
    flights.point_count.push_back(3);
    for (int m = 0; m < 4; ++m) {
      flights.x.push_back(100 + 40 * noise(random));
      flights.y.push_back(200 + 60 * noise(random));
    }
  }
  run.flights = flights;
  return run;
}

TEST(PackedRun, HoldsTheFlowPolicyAndFlightsOfTheRun) {
  const RunView run = make_run(6, 5, 2);
  const PackedRun packed = pack_run(run, 1'000'000);
  EXPECT_TRUE(packed.facts["notes"].empty());
  const double widest = 120;  // the greater range of 100 ± 40 and 200 ± 60
  const auto expect_near = [&](const std::string& name, const auto& expected, double tolerance) {
    const std::vector<double> values = values_of(packed, name);
    ASSERT_EQ(values.size(), expected.size()) << name;
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (std::isfinite(expected[n])) {
        EXPECT_NEAR(values[n], expected[n], tolerance) << name;
      }
    }
  };
  expect_near("track_x", run.flights->x, 0.51 * widest / 65534);
  expect_near("track_y", run.flights->y, 0.51 * widest / 65534);
  expect_near("value", run.policy.value, 0.51 * 2000 / 65534);
  expect_near("action", run.policy.action, 0);
  expect_near("closed", run.obstacles.closed, 0);
  expect_near("u_mean", run.flow->velocity[0].u_mean, 0.51 * std::sqrt(2.0) / 4000);
  expect_near("v_mode", run.flow->velocity[0].v_mode, 0.51 * std::sqrt(2.0) / 4000);
  expect_near("u_mean_1", run.flow->velocity[1].u_mean, 0.51 * std::sqrt(2.0) / 4000);
  expect_near("v_mode_1", run.flow->velocity[1].v_mode, 0.51 * std::sqrt(2.0) / 4000);
  expect_near("coefficient", run.flow->coefficient, 0.51 * 2.0 / 65534);
  expect_near("end_time", run.flights->end_time, 1e-8);
  const auto value = unpack(packed, "value");
  for (std::size_t n = 0; n < value.size(); ++n) {
    EXPECT_EQ(value[n] == -32768, std::isnan(run.policy.value[n]));
  }
}

TEST(PackedRun, IsThinnedToTheLimitWithANote) {
  const RunView run = make_run(120, 4000, 2);
  const std::size_t whole = pack_run(run, 100'000'000).bytes.size();
  for (const std::size_t max : {whole / 2, whole / 5}) {
    const PackedRun packed = pack_run(run, max);
    EXPECT_LE(packed.bytes.size(), max);
    EXPECT_GT(packed.bytes.size(), max / 8);
    const std::string notes = packed.facts["notes"].dump();
    EXPECT_THAT(notes, HasSubstr("of 4000 flights are drawn"));
    EXPECT_THAT(notes, HasSubstr("The flow is kept at every"));
    // Percentages are of all flights, not only of those that are drawn.
    EXPECT_EQ(unpack(packed, "outcome").size(), 4000u);
    const auto drawn = unpack(packed, "drawn");
    const auto x = values_of(packed, "track_x");
    ASSERT_EQ(x.size(), drawn.size() * 4);
    for (std::size_t n = 0; n < drawn.size(); ++n) {
      EXPECT_NEAR(x[4 * n + 1], run.flights->x[4 * static_cast<std::size_t>(drawn[n]) + 1], 0.01);
    }
  }
}

TEST(PackedRun, ThinnedFieldsKeepTheirPositions) {
  const RunView run = make_run(120, 1);
  const std::size_t whole = pack_run(run, 100'000'000).bytes.size();
  const PackedRun packed = pack_run(run, whole / 4);
  const Json& thinned = packed.facts["policy"];
  const auto stride = thinned["cell_stride"].get<std::size_t>();
  const auto levels = thinned["level_stride"].get<std::size_t>();
  const auto nx = thinned["nx"].get<std::size_t>();
  const auto ny = thinned["ny"].get<std::size_t>();
  ASSERT_GT(stride * levels, 1u);
  const auto action = unpack(packed, "action");
  ASSERT_EQ(action.size(), thinned["level_count"].get<std::size_t>() * nx * ny);
  for (std::size_t n = 0; n < action.size(); ++n) {
    const std::size_t k = n / (nx * ny) * levels;
    const std::size_t j = n / nx % ny * stride;
    const std::size_t i = n % nx * stride;
    EXPECT_EQ(action[n], run.policy.action[(k * 7 + j) * 9 + i]);
  }
}

TEST(ViewPage, HasAStrictContentSecurityPolicy) {
  const std::string page = make_view_page({make_run()});
  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe")));
  EXPECT_THAT(page, Not(HasSubstr("http:")));
  EXPECT_THAT(page, Not(HasSubstr("https:")));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, HasSubstr("<title>a &lt;/script&gt; &amp; run &#183; Tidewise</title>"));
  EXPECT_THAT(page, HasSubstr("a \\u003c/script>"));  // would end the facts without an escape
}

TEST(ViewPage, ForAServerHasNoRunAndConnectsOnlyToIt) {
  const std::string page = make_served_page();
  EXPECT_THAT(page, HasSubstr("connect-src 'self'"));
  EXPECT_THAT(make_view_page({make_run()}), Not(HasSubstr("connect-src")));
  EXPECT_THAT(page, HasSubstr("\"served\":true"));
  EXPECT_THAT(page, Not(HasSubstr("id=\"data-")));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(ViewPage, DataForAServerEqualsThatOfAPage) {
  const Json data = Json::parse(make_view_data({make_run(), make_run()}));
  const std::string page = make_view_page({make_run(), make_run()});
  ASSERT_EQ(data["data"].size(), 2u);
  for (const Json& text : data["data"]) EXPECT_THAT(page, HasSubstr(text.get<std::string>()));
  ASSERT_EQ(data["facts"]["runs"].size(), 2u);
  EXPECT_EQ(data["facts"]["runs"][0]["name"], "a </script> & run");
}

TEST(ViewPage, StaysBelowItsBound) {
  for (const std::size_t max : {std::size_t{400'000}, std::size_t{600'000}}) {
    EXPECT_LE(make_view_page({make_run(300, 20000), make_run(300, 20000)}, max).size(), max);
  }
}

}  // namespace
}  // namespace tidewise
