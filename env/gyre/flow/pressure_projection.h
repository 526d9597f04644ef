#pragma once

#include <memory>

#include "env/gyre/flow/velocity_field.h"

namespace tidewise::gyre {

/// Takes the gradient part off a velocity: u − ∇p with ∇²p = ∇·u, no flow through the walls. The
/// discrete Poisson equation on cell centres is diagonal in cosines (DCT-II), so it is solved
/// exactly but for round-off.
class PressureProjection {
 public:
  explicit PressureProjection(const StaggeredGrid& grid);
  ~PressureProjection();

  /// In place. Several threads may call it at once, each for a field of its own; the result does
  /// not depend on which.
  void project(VelocityField& velocity) const;

 private:
  class Implementation;
  std::unique_ptr<const Implementation> implementation_;
};

}  // namespace tidewise::gyre
