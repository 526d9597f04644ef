#pragma once

#include <string>
#include <vector>

#include "env/import/fineness.h"
#include "env/import/import_forecast.h"
#include "env/import/import_plan.h"

namespace tidewise::ingest {

/// What the steps of an import have found, for texts in the file and on the screen.
struct ImportFindings : FlowFineness {
  std::string u, v;             ///< variables of the velocity
  std::string how_chosen;       ///< "found by known names" or the like
  std::string members_by;       ///< "dimension number" or the like; "" for one member
  std::string source_text;      ///< title, source and institution of the first file
  double greatest_stretch = 0;  ///< of lengths on the plane, as a share
  double land_share = 0;        ///< of cells, at the first level
  double outside_share = 0;     ///< of cells, outside the source's area
  double obstacle_share = 0;    ///< of cells that obstacles close in the water, at the first level
  std::size_t obstacles = 0;    ///< polygons in the file
  std::size_t obstacles_used = 0;    ///< of them, those that close a cell at some level
  std::string obstacles_across_180;  ///< how those are read; "" for none
  std::size_t full_rank = 0;         ///< modes that would keep all the variance
  std::string error;                 ///< the model of error that was added; "" for none
  std::string past_error;            ///< the errors of earlier forecasts; "" for none
};

/// The command that would make the same file again, without paths: files by name, options in a
/// fixed order. Equal input gives equal text.
std::string history_of(const ImportOptions& options);
/// How the members and realizations came about, and the rules for land and vectors.
std::string comment_of(const ImportReport& report, const ImportOptions& options,
                       const ImportPlan& plan, const ImportFindings& findings);
std::vector<std::string> report_lines(const ImportReport& report, const ImportOptions& options,
                                      const ImportPlan& plan, const ImportFindings& findings);

}  // namespace tidewise::ingest
