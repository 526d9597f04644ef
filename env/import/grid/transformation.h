#pragma once

#include <proj.h>

#include <string>

namespace tidewise::ingest {

/// A projection of PROJ with its own context.
struct Transformation {
  PJ_CONTEXT* context = proj_context_create();
  PJ* projection = nullptr;  ///< null if PROJ cannot make it

  explicit Transformation(const std::string& definition) {
    proj_log_level(context, PJ_LOG_NONE);
    projection = proj_create(context, definition.c_str());
  }
  Transformation(const Transformation&) = delete;
  Transformation& operator=(const Transformation&) = delete;
  ~Transformation() {
    proj_destroy(projection);
    proj_context_destroy(context);
  }
};

}  // namespace tidewise::ingest
