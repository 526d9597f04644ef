#pragma once

#include <memory>

#include "env/gyre/flow/velocity_field.h"

namespace tidewise::gyre {

/// Removes the gradient part of a velocity: u − ∇p with ∇²p = ∇·u, and no flow through the walls.
/// The discrete Poisson equation on cell centres is diagonal in cosines (DCT-II), so it is solved
/// to round-off.
class PressureProjection {
 public:
  explicit PressureProjection(const StaggeredGrid& grid);
  ~PressureProjection();

  /// Projects in place. Several threads may call it at once, each for its own field; the result
  /// does not depend on the threads.
  void project(VelocityField& velocity) const;

 private:
  class Implementation;
  std::unique_ptr<const Implementation> implementation_;
};

}  // namespace tidewise::gyre
