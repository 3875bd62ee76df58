// Runs the kernels of join_kernels.h and random_joins.h on a GPU and prints their outcomes. record.sh calls it.
//
//   record emit DIR              writes DIR/0000.ptx, ... and DIR/names (NUMBER<TAB>"alone" or "beside"<TAB>NAME);
//                                DIR/r00000.ptx, ... with 50 random programs each
//   record run DIR NUMBER...     runs DIR/NUMBER.cubin, ... in one process, each in a stream of its own, and prints
//                                NUMBER<TAB>OUTCOME for each; nothing if one of several kernels faults
//   record random DIR FIRST END  runs the random programs that end, and prints NUMBER<TAB>HASH for each
//   record mismatches DIR FIRST  runs the next 24 random programs from FIRST on that must not end, and prints
//                                NUMBER<TAB>"hang" or "ended" for each
//
// A kernel hangs if it has not ended after `deadline`, while every other kernel of its process has its own stream and
// hardware queue (CUDA_DEVICE_MAX_CONNECTIONS). The process then leaves without a wait; the driver removes its kernels.

#include <cuda.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/kernels/emulator/joins/join_kernels.h"
#include "tests/kernels/emulator/joins/random_joins.h"

using namespace lanescope::emulator::test;

namespace {

constexpr auto deadline = std::chrono::milliseconds(500);

void must(CUresult r, const char* what) {
  if (r == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s: error %d\n", what, static_cast<int>(r));
  std::_Exit(1);
}

std::string path_of(const char* folder, std::size_t i, const char* end) {
  char text[32];
  std::snprintf(text, sizeof text, "/%04zu.", i);
  return folder + std::string(text) + end;
}

constexpr unsigned random_programs = 13'000, programs_each = 50;

std::string random_path(const char* folder, unsigned first, const char* end) {
  char text[32];
  std::snprintf(text, sizeof text, "/r%05u.", first);
  return folder + std::string(text) + end;
}

void emit(const char* folder) {
  const std::vector<JoinCase> cases = join_cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::FILE* f = std::fopen(path_of(folder, i, "ptx").c_str(), "w");
    std::fputs(cases[i].ptx.c_str(), f);
    std::fclose(f);
  }
  std::FILE* names = std::fopen((std::string(folder) + "/names").c_str(), "w");
  for (std::size_t i = 0; i < cases.size(); ++i)
    std::fprintf(names, "%zu\t%s\t%s\n", i, cases[i].alone ? "alone" : "beside", cases[i].name.c_str());
  std::fclose(names);
  for (unsigned first = 0; first < random_programs; first += programs_each) {
    std::FILE* f = std::fopen(random_path(folder, first, "ptx").c_str(), "w");
    std::fputs(random_joins_head, f);
    for (unsigned n = first; n < first + programs_each; ++n) std::fputs(random_joins(n).entry.c_str(), f);
    std::fclose(f);
  }
}

void open_context() {
  CUcontext context;
  CUdevice device;
  must(cuInit(0), "cuInit");
  must(cuDeviceGet(&device, 0), "cuDeviceGet");
  must(cuDevicePrimaryCtxRetain(&context, device), "context");
  must(cuCtxSetCurrent(context), "context");
  must(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096), "stack");
}

struct Running {
  std::size_t number = 0;
  unsigned threads = 32;
  CUfunction function{};
  CUstream stream{};
  unsigned* out = nullptr;  ///< join_out_words, in memory of the host
  CUdeviceptr in = 0, out_address = 0;
  bool ended = false;
};

void prepare(Running& r, CUmodule module, const std::string& kernel, CUstream stream) {
  must(cuModuleGetFunction(&r.function, module, kernel.c_str()), kernel.c_str());
  r.stream = stream;
  must(cuMemHostAlloc(reinterpret_cast<void**>(&r.out), join_out_words * 4, CU_MEMHOSTALLOC_DEVICEMAP), "out");
  for (unsigned w = 0; w < join_out_words; ++w) r.out[w] = unwritten;
  must(cuMemHostGetDevicePointer(&r.out_address, r.out, 0), "out");
  must(cuMemAlloc(&r.in, join_out_words * 4), "in");
  must(cuMemsetD32(r.in, 0, join_out_words), "in");
}

CUstream new_stream() {
  CUstream stream;
  must(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "stream");
  return stream;
}

/// Whether one faulted. Those that do not end in time stay so.
bool run_all(std::vector<Running>& all, std::chrono::milliseconds time) {
  must(cuCtxSynchronize(), "before the launches");
  for (Running& r : all) {
    void* arguments[] = {&r.out_address, &r.in};
    must(cuLaunchKernel(r.function, 1, 1, 1, r.threads, 1, 1, 0, r.stream, arguments, nullptr), "launch");
  }
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t left = all.size(); left != 0 && std::chrono::steady_clock::now() - begin < time;)
    for (Running& r : all) {
      if (r.ended) continue;
      const CUresult state = cuStreamQuery(r.stream);
      if (state == CUDA_ERROR_NOT_READY) continue;
      if (state != CUDA_SUCCESS) return true;
      r.ended = true;
      --left;
    }
  return false;
}

[[noreturn]] void leave() {
  std::fflush(stdout);
  std::_Exit(0);
}

void run(const char* folder, const std::vector<std::size_t>& numbers) {
  const std::vector<JoinCase> cases = join_cases();
  open_context();
  std::vector<Running> all(numbers.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CUmodule module;
    must(cuModuleLoad(&module, path_of(folder, numbers[i], "cubin").c_str()), cases[numbers[i]].name.c_str());
    all[i].number = numbers[i];
    all[i].threads = cases[numbers[i]].threads;
    prepare(all[i], module, "k", new_stream());
  }
  const bool fault = run_all(all, deadline);
  if (!fault || all.size() == 1)
    for (const Running& r : all)
      std::printf("%zu\t%s\n", r.number, outcome_words(r.out, r.threads, !r.ended && !fault, fault).c_str());
  leave();
}

/// Programs of the series from `first` on, before `end`, that must end or must not; at most `most`.
std::vector<Running> random_kernels(const char* folder, unsigned first, unsigned end, bool mismatch, std::size_t most) {
  std::vector<Running> all;
  std::vector<CUstream> streams;
  for (int i = 0; i < 24; ++i) streams.push_back(new_stream());
  CUmodule module{};
  unsigned loaded = ~0u;
  for (unsigned n = first; n < end && n < random_programs && all.size() < most; ++n) {
    if (random_joins(n).mismatch != mismatch) continue;
    if (n / programs_each != loaded) {
      loaded = n / programs_each;
      must(cuModuleLoad(&module, random_path(folder, loaded * programs_each, "cubin").c_str()), "random programs");
    }
    Running r;
    r.number = n;
    prepare(r, module, "k" + std::to_string(n), streams[all.size() % streams.size()]);
    all.push_back(r);
  }
  return all;
}

void run_random(const char* folder, unsigned first, unsigned end) {
  open_context();
  std::vector<Running> all = random_kernels(folder, first, end, false, random_programs);
  const bool fault = run_all(all, 6 * deadline);
  for (const Running& r : all)
    if (r.ended && !fault)
      std::printf("%zu\t%08x\n", r.number, results_hash(r.out));
    else
      std::printf("%zu\t%s\n", r.number, fault ? "fault" : "hang");
  leave();
}

void run_mismatches(const char* folder, unsigned first) {
  open_context();
  std::vector<Running> all = random_kernels(folder, first, random_programs, true, 24);
  const bool fault = run_all(all, deadline);
  for (const Running& r : all) std::printf("%zu\t%s\n", r.number, fault ? "fault" : r.ended ? "ended" : "hang");
  leave();
}

}  // namespace

int main(int count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IOFBF, 1 << 20);  // one write for each process: several append to one file
  const std::string mode = count > 2 ? arguments[1] : "";
  const auto number = [&](int i) { return static_cast<unsigned>(std::strtoul(arguments[i], nullptr, 10)); };
  if (mode == "emit") emit(arguments[2]);
  if (mode == "random" && count == 5) run_random(arguments[2], number(3), number(4));
  if (mode == "mismatches" && count == 4) run_mismatches(arguments[2], number(3));
  if (mode != "run") return 0;
  std::vector<std::size_t> numbers;
  for (int i = 3; i < count; ++i) numbers.push_back(number(i));
  run(arguments[2], numbers);
}
