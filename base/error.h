#pragma once

#include "tidewise/error.h"  // InputError, RunError: those who link the libraries catch them too
