#pragma once

#include "mdp/process/options.h"
