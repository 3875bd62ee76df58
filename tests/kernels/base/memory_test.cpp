#include "kernels/base/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

namespace lanescope {
namespace {

constexpr std::uint64_t mebi = std::uint64_t{1} << 20;

[[noreturn]] void end_with(const Diagnostic& d) {
  std::fputs((d.message + "\n").c_str(), stderr);
  std::_Exit(7);
}

TEST(Memory, TheBudgetIsHalfOfTheMachinesUnlessItIsGiven) {
  EXPECT_GT(machine_memory_bytes(), 256 * mebi);
  EXPECT_EQ(memory_budget_bytes(), machine_memory_bytes() / 2);
  set_memory_budget(3 * mebi);
  EXPECT_EQ(memory_budget_bytes(), 3 * mebi);
  set_memory_budget(0);
  EXPECT_EQ(memory_budget_bytes(), machine_memory_bytes() / 2);
}

TEST(Memory, PagesOfItsOwnAndOfFilesWithoutANameAreUsed) {
  const std::uint64_t before = used_memory_bytes();
  EXPECT_GT(before, 0U);
  {
    // Not from the heap: that may give pages that were touched before.
    void* fresh = ::mmap(nullptr, 64 * mebi, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(fresh, MAP_FAILED);
    EXPECT_LT(used_memory_bytes(), before + 4 * mebi) << "no page is touched yet";
    std::memset(fresh, 1, 64 * mebi);
    EXPECT_GT(used_memory_bytes(), before + 60 * mebi);
    ::munmap(fresh, 64 * mebi);
    EXPECT_LT(used_memory_bytes(), before + 4 * mebi);
  }
  count_shared_pages(64 * mebi);
  EXPECT_GT(used_memory_bytes(), before + 60 * mebi);
  count_shared_pages(-static_cast<std::ptrdiff_t>(64 * mebi));
}

TEST(MemoryDeathTest, WhatIsBeyondTheBudgetEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        set_memory_budget(used_memory_bytes() + 64 * mebi);
        watch_memory(end_with);
        const std::vector<char> touched(256 * mebi, 1);
        std::this_thread::sleep_for(std::chrono::minutes(1 + touched[0]));
      },
      testing::ExitedWithCode(7), "of memory are in use, and .* may be");
}

TEST(MemoryDeathTest, AnAllocationThatFailsEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        watch_memory(end_with);
        std::thread([] { static_cast<volatile char*>(::operator new (std::size_t{1} << 62))[0] = 1; }).join();
      },
      testing::ExitedWithCode(7), "the system has no more memory to give");
}

}  // namespace
}  // namespace lanescope
