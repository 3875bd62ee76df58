#pragma once
// precompiled.h for tests, which have other options.

#include "cmake/precompiled.h"

#include <gtest/gtest.h>
#include <random>
