// Every form of an instruction that computes registers from registers, on a real GPU against the emulator: 8,192 inputs
// each, random ones and the corners of every type, bit for bit. Then every form of a product
// of matrices that the GPU has, against the emulator and against the product that the test has.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "kernels/emulator/emulator.h"
#include "kernels/gpu/program.h"
#include "tests/gpu/machine.h"
#include "tests/kernels/emulator/oracle/lane_forms.h"
#include "tests/kernels/emulator/oracle/products.h"
#include "tests/kernels/emulator/oracle/warpgroups.h"

namespace lanescope::gpu_test {
namespace {

using emulator::Form;
using emulator::test::Case;
using emulator::test::LaneInputs;

constexpr std::size_t form_threads = 8192, form_batch = 96;
/// The newest of the driver that all forms here were known to.
const char* forms_version() { return device().driver_version >= 13000 ? "9.0" : "8.4"; }

/// "sm_100a" only runs on that architecture, "sm_80" on later ones, too.
bool runs_here(std::string_view target) {
  const int here = device().major * 10 + device().minor;
  const int least = std::atoi(target.data() + 3);
  return target.back() == 'a' ? least == here : least <= here;
}
std::string arch_of_forms(bool accelerated) { return device().arch() + (accelerated ? "a" : ""); }

/// Differences by form: at most so many are reported, all are counted.
class Differences {
 public:
  void add(const std::string& words) {
    if (++count_ <= most_reported) ADD_FAILURE() << words;
  }
  std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t most_reported = 800;
  std::size_t count_ = 0;
};

/// Runs the module's launches one after the other over these buffers. Error: the driver refuses the text, or they fault.
Expected<void> run_on_gpu(const std::string& text, const std::vector<trace::Launch>& launches,
                          std::vector<trace::Buffer>& buffers) {
  auto program = gpu::Program::open(0);
  if (!program) return tl::unexpected(program.error());
  if (auto loaded = (*program)->load(text, launches, buffers); !loaded) return loaded;
  gpu::Status status = (*program)->upload(buffers);
  for (std::size_t i = 0; i < launches.size() && !status; ++i) status = (*program)->launch(i);
  if (!status) status = (*program)->synchronize();
  if (!status) status = (*program)->download(buffers);
  if (status) return failure(gpu::status_words(status));
  return {};
}

/// Calls run(part) for a part of `all` that the driver takes: halves of what it refuses, down to the forms at fault.
template <class T, class Run>
void run_parts(std::span<const T> all, const Run& run, Differences& refused) {
  if (all.empty()) return;
  const Expected<void> ran = run(all);
  if (ran) return;
  if (all.size() == 1) return refused.add("the GPU does not run it: " + to_string(ran.error().front()));
  run_parts<T>(all.first(all.size() / 2), run, refused);
  run_parts<T>(all.subspan(all.size() / 2), run, refused);
}

// ---- registers from registers

struct LaneForm {
  std::string instance;
  /// Code of ptxas 13.0 for sm_90 is known to compute another thing than the text of the PTX ISA, which the emulator follows:
  /// these are counted, the others have to agree.
  bool known_to_differ = false;
};

bool known_to_differ(const Form& form, std::string_view instance) {
  if (form.test == "LaneForms.Video") return true;
  return instance.find("madc.hi.sat.s32") != std::string_view::npos;
}

/// Both, over the same inputs.
Expected<void> compare_lanes(std::span<const LaneForm> forms, bool accelerated, LaneInputs& numbers,
                             Differences& differ, std::vector<std::string>& known) {
  std::vector<std::string> instances;
  for (const LaneForm& f : forms) instances.push_back(f.instance);
  const std::string text = emulator::test::lane_kernel(instances, arch_of_forms(accelerated), forms_version());
  std::vector<trace::Buffer> on_gpu(4);
  std::vector<std::uint64_t> inputs[3];
  for (auto& in : inputs) in.resize(form_threads);
  for (std::size_t i = 0; i < form_threads; ++i) {
    // Every second thread has inputs of one kind, so that two doubles, say, meet often.
    const int kind = i % 2 == 0 ? -1 : static_cast<int>(numbers.random() % LaneInputs::kinds);
    for (auto& in : inputs) in[i] = kind < 0 ? numbers.next() : numbers.next(kind);
    if (i % 13 == 0) inputs[1][i] = inputs[0][i] ^ (numbers.random() & 1);  // close to each other
  }
  for (std::size_t b = 0; b < 3; ++b) {
    on_gpu[b] = {fmt::format("in{}", b), "u64", 64, std::vector<std::byte>(form_threads * 8), true};
    std::memcpy(on_gpu[b].bytes.data(), inputs[b].data(), form_threads * 8);
  }
  on_gpu[3] = {"out", "u64", 64, std::vector<std::byte>(instances.size() * form_threads * 16), true};
  std::vector<trace::Buffer> emulated = on_gpu;
  trace::Launch launch;
  launch.kernel = "forms";
  launch.grid = {form_threads / 256, 1, 1};
  launch.block = {256, 1, 1};
  for (int i = 0; i < 4; ++i) launch.arguments.emplace_back(std::in_place_type<trace::BufferArgument>, i);
  if (auto ran = run_on_gpu(text, {launch}, on_gpu); !ran) return ran;
  const auto module = ptx::parse(text);
  if (!module) return tl::unexpected(module.error());
  const auto result = emulator::run(*module, launch, emulated, {.slice = 0});
  if (!result) return tl::unexpected(result.error());
  if (!result->faults.empty()) return failure(result->faults.front().message);
  const auto word = [](const trace::Buffer& b, std::size_t at) {
    std::uint64_t x;
    std::memcpy(&x, b.bytes.data() + at * 8, 8);
    return x;
  };
  for (std::size_t k = 0; k < forms.size(); ++k) {
    std::size_t count = 0, first = 0;
    for (std::size_t i = 0; i < form_threads; ++i) {
      const std::size_t at = 2 * (k * form_threads + i);
      const bool same =
          word(on_gpu[3], at) == word(emulated[3], at) && word(on_gpu[3], at + 1) == word(emulated[3], at + 1);
      if (same) continue;
      if (count++ == 0) first = i;
    }
    if (count == 0) continue;
    if (forms[k].known_to_differ) {
      known.push_back(instances[k]);
      continue;
    }
    const std::size_t at = 2 * (k * form_threads + first);
    differ.add(
        fmt::format("{}: {} of {} differ, the first for a={:#x} b={:#x} c={:#x}: GPU {:#x} {:#x}, emulator {:#x} {:#x}",
                    instances[k], count, form_threads, inputs[0][first], inputs[1][first], inputs[2][first],
                    word(on_gpu[3], at), word(on_gpu[3], at + 1), word(emulated[3], at), word(emulated[3], at + 1)));
  }
  return {};
}

TEST(FormsOnGpu, AreWhatTheEmulatorComputes) {
  LS_NEEDS_GPU();
  const auto begin = std::chrono::steady_clock::now();
  LaneInputs numbers(seed());
  Differences differ, refused;
  std::vector<std::string> known;
  std::size_t compared = 0;
  for (const bool accelerated : {false, true}) {
    std::vector<LaneForm> all;
    for (const Form& form : emulator::forms())
      if (emulator::test::is_lane_form(form) && runs_here(form.target) && (form.target.back() == 'a') == accelerated)
        for (std::string& i : emulator::instances(form)) {
          const bool known_here = known_to_differ(form, i);
          all.push_back({std::move(i), known_here});
        }
    compared += all.size();
    for (std::size_t i = 0; i < all.size(); i += form_batch)
      run_parts<LaneForm>(
          std::span<const LaneForm>(all).subspan(i, std::min(form_batch, all.size() - i)),
          [&](std::span<const LaneForm> some) { return compare_lanes(some, accelerated, numbers, differ, known); },
          refused);
  }
  EXPECT_GT(compared, 1000u);
  nlohmann::ordered_json results;
  results["instances"] = compared;
  results["inputs_each"] = form_threads;
  results["instances_that_differ"] = differ.count();
  results["instances_known_to_differ"] = known;
  results["instances_refused"] = refused.count();
  results["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  write_results("gpu_forms", std::move(results));
}

// ---- one kernel each

/// Runs each case on both, in one module; judge(case, words of the GPU, words of the emulator) shows what differs.
template <class Judge>
void compare_cases(const std::vector<Case>& all, bool accelerated, Differences& differ, Differences& refused,
                   Judge judge) {
  constexpr std::size_t batch = 48;
  const auto run = [&](std::span<const Case> some) -> Expected<void> {
    const std::string text = emulator::test::module_of_cases(some, arch_of_forms(accelerated), forms_version());
    std::vector<trace::Buffer> on_gpu(1);
    on_gpu[0] = {"words", "u32", 32, {}, false};
    std::vector<trace::Launch> launches;
    std::vector<std::size_t> begins;
    for (const Case& c : some) {
      trace::Bytes& bytes = on_gpu[0].bytes;
      begins.push_back(bytes.size());
      trace::Launch launch;
      launch.kernel = fmt::format("k{}", launches.size());
      launch.block = {c.threads, 1, 1};
      launch.arguments.emplace_back(trace::BufferArgument{0, static_cast<std::int64_t>(bytes.size())});
      launches.push_back(launch);
      bytes.resize((bytes.size() + c.words.size() * 4 + 255) / 256 * 256);
      std::memcpy(bytes.data() + begins.back(), c.words.data(), c.words.size() * 4);
    }
    std::vector<trace::Buffer> emulated = on_gpu;
    if (auto ran = run_on_gpu(text, launches, on_gpu); !ran) return ran;
    const auto module = ptx::parse(text);
    if (!module) return tl::unexpected(module.error());
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto result = emulator::run(*module, launches[i], emulated, {});
      if (!result) return tl::unexpected(result.error());
      if (!result->faults.empty()) differ.add(fmt::format("{}: {}", some[i].instance, result->faults.front().message));
    }
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto words_of = [&](const trace::Buffer& b) {
        std::vector<std::uint32_t> words(some[i].words.size());
        std::memcpy(words.data(), b.bytes.data() + begins[i], words.size() * 4);
        return words;
      };
      const std::string wrong = judge(&some[i] - all.data(), words_of(on_gpu[0]), words_of(emulated[0]));
      if (!wrong.empty()) differ.add(wrong);
    }
    return {};
  };
  for (std::size_t i = 0; i < all.size(); i += batch)
    run_parts<Case>(std::span<const Case>(all).subspan(i, std::min(batch, all.size() - i)), run, refused);
}

/// The first word that differs.
std::string difference_of(const std::string& instance, const std::vector<std::uint32_t>& gpu,
                          const std::vector<std::uint32_t>& emulated) {
  const auto [a, b] = std::mismatch(gpu.begin(), gpu.end(), emulated.begin());
  if (a == gpu.end()) return {};
  std::size_t count = 0;
  for (std::size_t i = 0; i < gpu.size(); ++i) count += gpu[i] != emulated[i] ? 1 : 0;
  return fmt::format("{}: {} words differ, the first is word {}: GPU {:#x}, emulator {:#x}", instance, count,
                     a - gpu.begin(), *a, *b);
}

/// Dense and sparse products of registers: eight warps each, random whole numbers, infinities and NaN among them in two.
TEST(FormsOnGpu, ProductsAreWhatTheTestAndTheEmulatorSay) {
  LS_NEEDS_GPU();
  std::mt19937_64 random(seed());
  Differences differ, refused;
  std::size_t compared = 0;
  for (const bool accelerated : {false, true}) {
    std::vector<emulator::test::ProductCase> products;
    std::vector<Case> cases;
    for (const Form& form : emulator::forms()) {
      if ((form.test != "Products.Dense" && form.test != "Products.Sparse") || !runs_here(form.target) ||
          (form.target.back() == 'a') != accelerated)
        continue;
      for (const std::string& i : emulator::instances(form)) {
        products.push_back(emulator::test::product_case(i, random, 8));
        cases.push_back(products.back().run);
      }
    }
    compared += cases.size();
    compare_cases(
        cases, accelerated, differ, refused,
        [&](std::ptrdiff_t k, const std::vector<std::uint32_t>& gpu, const std::vector<std::uint32_t>& emulated) {
          const auto& c = products[static_cast<std::size_t>(k)];
          const std::string wrong = emulator::test::judge_product(c, gpu);
          if (!wrong.empty()) return "GPU and test differ: " + wrong;
          return difference_of(c.product.instance, gpu, emulated);
        });
  }
  EXPECT_GT(compared, 100u);
  nlohmann::ordered_json results;
  results["instances"] = compared, results["products_each"] = 8;
  results["instances_that_differ"] = differ.count(), results["instances_refused"] = refused.count();
  write_results("gpu_forms_products", std::move(results));
}

/// wgmma: shapes, types, swizzles, transposes and sparse A.
TEST(FormsOnGpu, WarpgroupProductsAreWhatTheTestAndTheEmulatorSay) {
  LS_NEEDS_GPU();
  if (!runs_here("sm_90a")) GTEST_SKIP() << "SKIPPED, wgmma needs sm_90a";
  std::mt19937_64 random(seed());
  Differences differ, refused;
  // A third of them: compiling takes a second for 50.
  auto products = emulator::test::warpgroup_cases(random);
  std::erase_if(products, [&](const auto&) { return random() % 3 != 0; });
  std::vector<Case> cases;
  for (const auto& p : products) cases.push_back(p.run);
  compare_cases(
      cases, true, differ, refused,
      [&](std::ptrdiff_t k, const std::vector<std::uint32_t>& gpu, const std::vector<std::uint32_t>& emulated) {
        const auto& c = products[static_cast<std::size_t>(k)];
        const std::string wrong = emulator::test::judge_warpgroup(c, gpu);
        if (!wrong.empty()) return "GPU and test differ: " + wrong;
        return difference_of(c.words(), gpu, emulated);
      });
  nlohmann::ordered_json results;
  results["cases"] = cases.size();
  results["cases_that_differ"] = differ.count(), results["cases_refused"] = refused.count();
  write_results("gpu_forms_warpgroups", std::move(results));
}

}  // namespace
}  // namespace lanescope::gpu_test
