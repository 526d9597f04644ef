#include "output/route/utm.h"

#include <cmath>

#include "env/units/angle.h"
#include "output/route/text.h"

namespace tidewise {
namespace {

// WGS 84 (NIMA TR8350.2) and the scale on the central meridian.
constexpr double semi_major_axis = 6378137;  // [m]
constexpr double flattening = 1 / 298.257223563;
constexpr double scale = 0.9996;

/// Krüger's α of Karney (2011), eq. 35, in the third flattening.
struct KruegerSeries {
  double radius = 0;  ///< radius of the rectifying sphere [m]
  double alpha[6] = {};
};

KruegerSeries make_series() {
  constexpr double n = flattening / (2 - flattening);
  constexpr double n2 = n * n;
  constexpr double n3 = n2 * n;
  constexpr double n4 = n3 * n;
  constexpr double n5 = n4 * n;
  constexpr double n6 = n5 * n;
  return {semi_major_axis / (1 + n) * (1 + n2 / 4 + n4 / 64 + n6 / 256),
          {n / 2 - 2 * n2 / 3 + 5 * n3 / 16 + 41 * n4 / 180 - 127 * n5 / 288 + 7891 * n6 / 37800,
           13 * n2 / 48 - 3 * n3 / 5 + 557 * n4 / 1440 + 281 * n5 / 630 - 1983433 * n6 / 1935360,
           61 * n3 / 240 - 103 * n4 / 140 + 15061 * n5 / 26880 + 167603 * n6 / 181440,
           49561 * n4 / 161280 - 179 * n5 / 168 + 6601661 * n6 / 7257600,
           34729 * n5 / 80640 - 3418889 * n6 / 1995840, 212378941 * n6 / 319334400}};
}

}  // namespace

int utm_zone(double longitude) {
  return static_cast<int>(std::floor((wrapped_longitude(longitude) + 180) / 6)) + 1;
}

double utm_central_meridian(int zone) { return 6 * zone - 183; }

PlanePoint utm_plane(int zone, const GeographicPoint& point) {
  static const KruegerSeries series = make_series();
  const double eccentricity = std::sqrt(flattening * (2 - flattening));
  const double lambda =
      wrapped_longitude(point.longitude - utm_central_meridian(zone)) * radians_per_degree;
  // The conformal latitude's tangent.
  const double tangent = std::tan(point.latitude * radians_per_degree);
  const double secant = std::hypot(1.0, tangent);
  const double sigma = std::sinh(eccentricity * std::atanh(eccentricity * tangent / secant));
  const double conformal = tangent * std::hypot(1.0, sigma) - sigma * secant;
  // Coordinates on the sphere; the series leads to those on the ellipsoid.
  const double northing = std::atan2(conformal, std::cos(lambda));
  const double easting = std::asinh(std::sin(lambda) / std::hypot(conformal, std::cos(lambda)));
  double x = easting;
  double y = northing;
  for (int j = 1; j <= 6; ++j) {
    x += series.alpha[j - 1] * std::cos(2 * j * northing) * std::sinh(2 * j * easting);
    y += series.alpha[j - 1] * std::sin(2 * j * northing) * std::cosh(2 * j * easting);
  }
  return {scale * series.radius * x, scale * series.radius * y};
}

}  // namespace tidewise
