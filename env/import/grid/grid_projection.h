#pragma once

#include <memory>
#include <string>

#include "env/import/grid/local_plane.h"

namespace tidewise::ingest {

struct Transformation;

/// A projection that a forecast's grid lies on, through PROJ.
class GridProjection {
 public:
  /// `proj` as in GridMappingText. Errors: InputError, without the file's name, when PROJ cannot
  /// make it.
  explicit GridProjection(const std::string& proj);
  ~GridProjection();

  /// Whether its coordinates are angles [degrees], and not metres.
  bool is_angular() const;
  /// NaN where the projection has no such place.
  GeographicPoint to_geographic(PlanePoint point) const;
  /// Of its ellipsoid; 0 for a sphere.
  double eccentricity_squared() const;

 private:
  std::string definition_;
  std::unique_ptr<Transformation> transformation_;
};

}  // namespace tidewise::ingest
