// CUDA's functions on a GPU (tests/library.h): 2^14 and 2^20 inputs of each, equal to the recorded results and to those of the
// emulator. LANESCOPE_RECORD_LIBRARY=FOLDER writes FOLDER/FILE.part.tsv and FILE.whole.tsv in place of the first comparison; all
// of them together are tests/data/library/part.tsv and whole.tsv. LANESCOPE_EMULATED_INPUTS=0 leaves out the emulator.

#include "tests/library.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "app/engine/hardware/run.h"
#include "app/engine/session/session.h"
#include "kernels/base/read_file.h"
#include "tests/gpu/instrumented.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

using library::Shown;

class LibraryOnGpu : public ::testing::TestWithParam<std::string> {
 protected:
  const std::string path = (library::folder() / GetParam()).string();
  const std::string text = read_file(path).value_or("");
  const std::vector<std::string> functions = library::functions(text);

  /// Contents of a buffer after a run on the GPU.
  trace::Bytes on_gpu(int rounds, const std::string& buffer, Shown shown = {}) const {
    const engine::Prepared prepared = gpu_test::prepared(path, library::text_with(text, rounds, shown));
    if (!prepared.ready) {
      ADD_FAILURE() << to_string(prepared.diagnostics.front());
      return {};
    }
    const auto answer = engine::run_on_gpu({prepared.plain, prepared.buffers, {}});
    if (!answer) {
      ADD_FAILURE() << to_string(answer.error().front());
      return {};
    }
    EXPECT_EQ(answer->result.fault, "");
    for (const trace::Buffer& b : answer->buffers)
      if (b.name == buffer) return b.bytes;
    return {};
  }

  /// The same in the emulator.
  trace::Bytes emulated(int rounds, const std::string& buffer, Shown shown = {}) const {
    engine::RunRequest request;
    request.file = path;
    request.text = library::text_with(text, rounds, shown);
    request.arch = device().arch();
    request.probed_run = false;
    request.max_steps = std::uint64_t{1} << 40;
    engine::Session session;
    session.run(request);
    for (const engine::Output& o : session.outputs())
      if (o.name == buffer) return o.bytes;
    ADD_FAILURE() << "no buffer " << buffer;
    return {};
  }

  /// The first input of a chunk with different results, with the arguments that have a row of their own.
  std::string first_difference(int rounds, Shown shown) const {
    const auto gpu = library::words_of(on_gpu(rounds, "values", shown));
    const auto own = library::words_of(emulated(rounds, "values", shown));
    std::size_t at = 0, different = 0;
    for (std::size_t i = gpu.size(); i-- > 0;)
      if (gpu[i] != own[i]) at = i, ++different;
    std::string words = fmt::format("{} inputs of chunk {} differ; the first: {:x} on the GPU, {:x} in the emulator",
                                    different, shown.chunk, gpu[at], own[at]);
    for (std::size_t f = 0; f < functions.size(); ++f)
      if (functions[f].find('(') == std::string::npos && functions[f].find(' ') == std::string::npos)
        words += fmt::format(", {} {:x}", functions[f],
                             library::words_of(emulated(rounds, "values", {static_cast<int>(f), shown.chunk}))[at]);
    return words;
  }
};

TEST_P(LibraryOnGpu, EqualsTheRecordedAndTheEmulators) {
  LS_NEEDS_GPU();
  const char* record = std::getenv("LANESCOPE_RECORD_LIBRARY");
  const char* emulate = std::getenv("LANESCOPE_EMULATED_INPUTS");
  for (const int rounds : {library::part_rounds, library::whole_rounds}) {
    const corners::Results gpu = library::results_of(functions, on_gpu(rounds, "digests"));
    ASSERT_EQ(gpu.size(), functions.size());
    if (record != nullptr) {
      std::ofstream out(std::filesystem::path(record) /
                        (GetParam() + (rounds == library::part_rounds ? ".part.tsv" : ".whole.tsv")));
      for (const auto& [function, digest] : gpu) out << GetParam() << '\t' << function << '\t' << digest << '\n';
    } else {
      EXPECT_EQ(gpu, corners::rows_of(library::table(rounds), GetParam()));
    }
    if (emulate != nullptr && std::string(emulate) == "0") continue;
    const corners::Results own = library::results_of(functions, emulated(rounds, "digests"));
    int explained = 0;
    for (std::size_t f = 0; f < functions.size(); ++f) {
      const std::string& name = functions[f];
      if (gpu.at(name) == own.at(name)) continue;
      ADD_FAILURE() << name << ", " << rounds << " rounds";
      if (const int chunk = library::first_difference(gpu.at(name), own.at(name)); chunk >= 0 && explained++ < 12)
        ADD_FAILURE() << name << ": " << first_difference(rounds, {static_cast<int>(f), chunk});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, LibraryOnGpu, ::testing::ValuesIn(library::files()),
                         [](const auto& info) { return corners::test_name(info.param); });

}  // namespace
}  // namespace lanescope::gpu_test
