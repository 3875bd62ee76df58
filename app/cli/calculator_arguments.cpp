#include "app/cli/shared_options.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "app/cli/calculators/calculators.h"
#include "app/design/design.h"

namespace lanescope::cli {
namespace {

/// How the work of a whole kernel is cut into accesses, tiles and blocks.
void add_kernel_shape(CLI::App& c, PlanOptions& o, CLI::Option* global) {
  c.add_option("--warps-of-a-block", o.warps_of_a_block, "of --global, for conversions inside a warp (default: 8)")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32}))
      ->needs(global);
  c.add_option("--tile-group", o.tile_group,
               "of --global: tiles that follow one another along the destination's fastest axis; 0: all (default)")
      ->check(CLI::Range(0, 1024))
      ->needs(global);
  c.add_option("--tiles-in-a-row", o.tiles_in_a_row,
               "of --global: tiles that a block moves, each loaded before the one before it is stored (default: 1)")
      ->check(CLI::Range(1, 1024))
      ->needs(global);
  c.add_option("--blocks-of-a-multiprocessor", o.blocks_of_a_multiprocessor,
               "of --global: second argument of __launch_bounds__")
      ->check(CLI::Range(1, 32))
      ->needs(global);
  c.add_option("--access-bytes", o.access_bytes,
               "of --structures --global: 4, or 16 where the arrays are aligned to it (default: 16)")
      ->check(CLI::IsMember({4, 16}))
      ->needs(global);
  c.add_option("--groups", o.groups, "of --structures --global: groups that a warp moves one after another")
      ->check(CLI::Range(1, 16))
      ->needs(global);
}

}  // namespace

void add_access(Commands& all) {
  auto [c, o] = all.add<AccessOptions>("access", "calculate the cost of one warp-wide memory access", access);
  c->add_option("--space", o.space, "shared, global, constant or local");
  c->add_option("--path", o.path, "of global loads: caching, non-caching or read-only; or constant");
  c->add_option("--gpu", o.gpu, "GPU or architecture whose memory it is: K20, sm_35, ... (default: H200)");
  c->add_option("--op", o.op, "ld or st");
  c->add_option("--width", o.width, "bytes per lane: 1, 2, 4, 8 or 16");
  c->add_option("--mask", o.mask, "active lanes, hexadecimal")->capture_default_str();
  list_option(*c, "--offsets", o.offsets, "32 byte offsets, separated by commas");
  c->add_option("--pattern", o.pattern,
                "in place of offsets: aligned, permuted, misaligned:4, broadcast, scattered, "
                "stride:2, structure:12; after the colon bytes, elements or a seed");
  c->add_option("--formula", o.formula, "in place of offsets: bytes by lane, as 'lane*4 ^ (lane>>3)*4'");
  c->add_option("-o,--output", o.output, "picture file: .svg, .png, .json or .csv")->type_name("FILE");
  c->add_option("--theme", o.theme, "theme of the picture: dark, light or high-contrast")->capture_default_str();
  c->add_option("--what-if", o.what_if,
                "picture of shared memory: padding:32+1 or swizzle:32/4/1, in words of 4 bytes");
  c->add_option("--wavefront", o.wavefront, "picture of shared memory: show only this wavefront, from 0")
      ->check(CLI::Range(0, 65535));
  c->add_flag("--stdin", o.from_stdin, "read JSON lines from standard input, write one line for each");
  c->add_flag("--json", o.json, "JSON on standard output");
}

void add_plan(Commands& all) {
  auto [c, o] = all.add<PlanOptions>(
      "plan", "plan the conversion from one register assignment to another, and write its code", plan);
  CLI::Option* file = c->add_option("file", o.file, "designs (.toml): name, type, from and to");
  CLI::Option* from = c->add_option(
      "--from", o.from, "assignment, rows separated by semicolons: 'simd: k0; register: j3 j2; thread: ...'");
  CLI::Option* to = c->add_option("--to", o.to, "assignment; rows that are left out stay unchanged");
  CLI::Option* type = c->add_option("--type", o.type, "of the elements: f16, u8, ..., or a number of bits");
  from->needs(to, type)->excludes(file);
  to->needs(from);
  type->needs(from);
  c->add_option("--through", o.through, "an assignment between the two; may be given several times")
      ->needs(from)
      ->take_all();
  c->add_option("--rename", o.rename, "logical bits of the source that have other names in the others: 'i0=j0 i1=j1'")
      ->needs(from);
  c->add_flag("--free-lanes", o.free_lanes, "the thread bits of --to may be in any order")->needs(from);
  c->add_flag("--free-registers", o.free_registers, "the simd and register bits of --to may be permuted")->needs(from);
  CLI::Option* structures =
      c->add_option("--structures", o.structures,
                    "words of 4 bytes of a structure: plan the way from 32 structures, dealt to lanes word by word, to "
                    "one structure in each lane")
          ->check(CLI::Range(1, 64))
          ->excludes(file)
          ->excludes(from);
  c->add_flag("--to-structures", o.to_structures, "the way back")->needs(structures);
  c->add_option("--name", o.name, "of the function")
      ->capture_default_str()
      ->check(CLI::Validator(
          [](const std::string& s) {
            return design::is_function_name(s) ? std::string() : "use letters, digits and _";
          },
          "NAME"));
  c->add_option("--namespace", o.name_space, "around the function")
      ->check(CLI::Validator(
          [](const std::string& s) {
            for (std::size_t at = 0; at <= s.size();) {
              const std::size_t end = std::min(s.find("::", at), s.size());
              if (!design::is_function_name(s.substr(at, end - at))) return std::string("use words separated by ::");
              at = end + 2;
            }
            return std::string();
          },
          "NAME"));
  c->add_option("-o,--output", o.output, "header to write: the function in CUDA C++")->type_name("FILE");
  CLI::Option* global =
      c->add_option("--global", o.global, "header to write: a whole kernel from an array in global memory to another")
          ->type_name("FILE");
  c->add_option("--self-test", o.self_test, "program to write: the function and a main() that tests it on a GPU")
      ->type_name("FILE")
      ->excludes(structures);
  c->add_option("--kernel-file", o.kernel_file,
                "kernel file to write: the function, a kernel that uses it, claims, and its launch")
      ->type_name("FILE")
      ->excludes(structures);
  c->add_option("--element", o.element, "element type of a whole kernel in CUDA C++: float, __half, ...")
      ->needs(global);
  c->add_option("--from-axes", o.from_axes, "axes of the source array in memory, the fastest last: 'i j'")
      ->needs(global);
  c->add_option("--to-axes", o.to_axes, "axes of the destination array")->needs(global);
  add_kernel_shape(*c, o, global);
  c->add_option("--target", o.targets,
                "architectures that what is written is compiled for before: 'sm_80 sm_90' (default: all from sm_75 on; "
                "none: written without being compiled and run)");
  c->add_option("--plan", o.number, "which plan is written, from 1 (default: the recommended one)")
      ->check(CLI::Range(1, 1000));
  c->add_flag("--json", o.json, "JSON on standard output");
  c->callback([&all, &asked = o, file, from, structures] {
    if (file->count() + from->count() + structures->count() == 0)
      throw CLI::RequiredError("a file, or --from, --to and --type, or --structures");
    if (!asked.name_space.empty() && asked.output.empty() && asked.global.empty() && asked.self_test.empty() &&
        asked.kernel_file.empty())
      throw CLI::RequiresError("--namespace", "a file to write: --output, --global, --self-test or --kernel-file");
    all.status = plan(asked);
  });
}

void add_occupancy(Commands& all) {
  auto [c, o] = all.add<OccupancyOptions>(
      "occupancy", "calculate occupancy: resident blocks, limiting resource, and operations in flight", occupancy);
  kernel_options(*c, o, "kernel (.cu or .ptx); not needed with --registers and --threads");
  c->get_option("FILE")->required(false);
  verbose_option(*c, o);
  c->add_option("--registers", o.registers, "registers per thread")->check(CLI::Range(1, 10000));
  c->add_option("--threads", o.threads, "threads per block")->check(CLI::Range(1, 1000000));
  c->add_option("--shared", o.shared_bytes, "bytes of dynamic shared memory per block")->check(CLI::Range(0, 1 << 30));
  c->add_option("--gpu", o.gpu, "name of the GPU (default: that of the architecture; H200)");
  list_option(*c, "--caps", o.caps, "register limits to compile with, for example 32,64,128")
      ->check(CLI::Range(1, 255));
  CLI::Option* fixed = c->get_option("--shared");
  CLI::Option* each = c->add_option("--shared-per-thread", o.shared_per_thread,
                                    "bytes of dynamic shared memory for each thread of a block")
                          ->check(CLI::Range(0, 65536))
                          ->excludes(fixed);
  c->add_option("--shared-formula", o.shared_formula,
                "bytes of dynamic shared memory by `threads` of a block, as '(threads+2)*8'")
      ->type_name("FORMULA")
      ->excludes(fixed)
      ->excludes(each);
  c->add_option("--carveout", o.carveout_percent,
                "percentage of shared memory preferred over L1; l1, equal and shared are 0, 50 and 100, as "
                "cudaFuncSetCacheConfig() prefers them")
      ->check(CLI::Range(0, 100))
      ->transform(CLI::Transformer(std::map<std::string, std::string>{{"l1", "0"}, {"equal", "50"}, {"shared", "100"}}))
      ->option_text("PERCENT");
  c->add_option("--latency", o.latency_cycles, "latency of memory in cycles, in place of the table's")
      ->check(CLI::Range(1, 1000000));
  c->add_option("--arithmetic-latency", o.arithmetic_cycles, "latency of arithmetic in cycles")
      ->check(CLI::Range(1, 100000));
  c->add_option("--bandwidth", o.bandwidth_gb_per_s, "bandwidth of memory in GB/s, in place of the table's")
      ->check(CLI::Range(0.001, 1e6));
  ranged(*c, "--bytes-per-thread", o.bytes_per_thread, "bytes that each thread has in flight", 1, 4096);
  c->add_flag("--limits", o.limits, "list what the GPU has and allows, with sources");
  c->add_flag("--gpus", o.list_gpus, "list the GPUs of the table");
  auto [f, of_figures] =
      all.add<FiguresOptions>("figures", "compare the numbers of the reference documents with computed ones", figures);
  f->add_flag("--json", of_figures.json, "JSON on standard output");
}

void add_threads(Commands& all) {
  auto [c, o] = all.add<ThreadsOptions>(
      "threads", "map the threads of a block to warps and lanes, with idle lanes and ranks", threads);
  c->add_option("FILE", o.file, "kernel (.cu), whose launch is taken; not needed with --block");
  c->add_option("--kernel", o.kernel, "kernel or instance whose launch is taken")->type_name("NAME");
  const auto triple = [&](const char* name, std::vector<std::uint32_t>& numbers, const char* meaning) {
    c->add_option(name, numbers, meaning)
        ->delimiter(',')
        ->expected(1, 3)
        ->allow_extra_args(false)
        ->check(CLI::Range(0u, 2147483647u));
  };
  triple("--grid", o.grid, "blocks of the grid, x,y,z");
  triple("--block", o.block, "threads of a block, x,y,z");
  triple("--block-index", o.block_index, "blockIdx of the block, x,y,z");
  triple("--thread", o.thread, "threadIdx of one thread, x,y,z: only its place");
  c->add_option("--tile", o.tile, "threads of a cooperative-groups tile, for ranks in it")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32}));
  c->add_flag("--json", o.json, "JSON on standard output");
}

void add_explain(Commands& all) {
  auto [c, o] = all.add<ExplainOptions>(
      "explain", "explain an instruction of PTX or machine code, or those of a .ptx file", explain);
  c->add_option("INSTRUCTION", o.what, "as 'ld.global.ca.v4.f32', with or without operands; or a .ptx file")
      ->required();
  c->add_option("--gpu", o.gpu, "GPU or architecture whose memory it is: K20, sm_35, ... (default: sm_90)");
  c->add_flag("--unknown", o.unknown_only, "of a file: only instructions that are not explained fully");
  c->add_flag("--json", o.json, "JSON on standard output");
}

void add_counters(Commands& all) {
  auto [c, o] =
      all.add<CountersOptions>("counters", "list counters by today's and nvprof's names, or explain one", counters);
  c->add_option("NAME", o.name, "a name of either kind, as gld_throughput, or a part of some");
  c->add_flag("--json", o.json, "JSON on standard output");
}

}  // namespace lanescope::cli
