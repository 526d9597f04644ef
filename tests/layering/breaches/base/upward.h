#pragma once

  #  include "solver/step/mission.h"
