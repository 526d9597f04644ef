#pragma once

#include "tidewise/error.h"  // InputError, RunError; programs that link the libraries also catch them
