// Where the threads of a block are: warps, lanes, linear indices and ranks, of a kernel file or of numbers.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/answers/answer.h"
#include "app/cli/calculators/calculators.h"
#include "app/document/file_io.h"
#include "kernels/base/json_fields.h"
#include "kernels/source/source.h"
#include "kernels/trace/launch.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;
using trace::BlockShape;
using trace::Dim3;
using trace::ThreadPlace;

struct Launched {
  std::string kernel{};  ///< empty: numbers
  Dim3 grid, block;
};

/// No GPU has more (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
constexpr std::uint32_t most_threads = 1024;

Dim3 dim3_of(const std::vector<std::uint32_t>& numbers, std::uint32_t otherwise) {
  const auto at = [&](std::size_t i) { return i < numbers.size() ? numbers[i] : otherwise; };
  return {at(0), at(1), at(2)};
}

json json_of(Dim3 d) { return {d.x, d.y, d.z}; }

Expected<Launched> launch_of(const ThreadsOptions& o) {
  Launched out{.grid = dim3_of(o.grid, 1), .block = dim3_of(o.block, 1)};
  if (o.file.empty()) {
    if (o.block.empty()) return failure("a kernel file or --block is needed", "write --block 40,2");
    return out;
  }
  const auto text = LS_TRY(document::read_typed_text(o.file));
  const auto source = LS_TRY(source::read(o.file, text, {.watch_probes = false}));
  const auto& launches = source.header.launches;
  const auto chosen = o.kernel.empty()
                          ? launches.begin()
                          : std::ranges::find_if(launches, [&](const auto& l) { return l.kernel == o.kernel; });
  if (chosen == launches.end())
    return failure(Diagnostic{.file = o.file,
                              .message = o.kernel.empty() ? "no launch is known" : "no launch of " + o.kernel,
                              .remedy = "lanescope kernels lists the launches; --block states a block"});
  out.kernel = chosen->kernel;
  if (o.grid.empty()) out.grid = {chosen->grid[0], chosen->grid[1], chosen->grid[2]};
  if (o.block.empty()) out.block = {chosen->block[0], chosen->block[1], chosen->block[2]};
  return out;
}

Diagnostics wrong(const ThreadsOptions& o, const Launched& l) {
  const auto refuse = [](std::string message, std::string remedy) {
    return Diagnostics{{.message = std::move(message), .remedy = std::move(remedy)}};
  };
  if (l.grid.count() == 0 || l.block.count() == 0) return refuse("an extent of 0 has no thread", "give 1 or more");
  if (l.block.count() > most_threads)
    return refuse(fmt::format("{} threads in a block, at most {}", l.block.count(), most_threads),
                  "choose a smaller block");
  const Dim3 block = dim3_of(o.block_index, 0), thread = dim3_of(o.thread, 0);
  const auto inside = [](Dim3 at, Dim3 of) { return at.x < of.x && at.y < of.y && at.z < of.z; };
  if (!inside(block, l.grid))
    return refuse(fmt::format("the grid has no block {}", to_string(block)),
                  fmt::format("it has {} x {} x {}", l.grid.x, l.grid.y, l.grid.z));
  if (!inside(thread, l.block))
    return refuse(fmt::format("the block has no thread {}", to_string(thread)),
                  fmt::format("it has {} x {} x {}", l.block.x, l.block.y, l.block.z));
  return {};
}

/// Consecutive lanes of one row of the block.
struct Piece {
  ThreadPlace first, last;
};
std::vector<Piece> pieces_of(const Launched& l, std::uint64_t block, std::uint32_t warp) {
  std::vector<Piece> out;
  for (std::uint32_t lane = 0; lane < trace::warp_lanes; ++lane) {
    const auto p = thread_at(l.grid, l.block, block, warp, lane);
    if (!p) break;
    if (out.empty() || out.back().last.row != p->row)
      out.push_back({*p, *p});
    else
      out.back().last = *p;
  }
  return out;
}

json json_of(const ThreadPlace& p, int tile) {
  json out = fields("thread", json_of(p.thread), "block", json_of(p.block), "in_block", p.in_block, "in_grid",
                    p.in_grid, "warp", p.warp, "lane", p.lane, "row", p.row, "rank_in_row", p.in_row);
  if (tile > 0)
    out["tile"] = p.in_block / static_cast<std::uint32_t>(tile),
    out["rank_in_tile"] = p.in_block % static_cast<std::uint32_t>(tile);
  return out;
}

json json_of(const Launched& l, const BlockShape& shape, std::uint64_t block, int tile) {
  json out = fields("grid", json_of(l.grid), "block", json_of(l.block), "threads", shape.threads, "warps",
                    json::array(), "idle_lanes", shape.idle_lanes, "idle_percent", shape.idle_percent, "rows_in_a_warp",
                    shape.rows_in_a_warp, "cut_rows", shape.cut_rows);
  put_known(out, "kernel", l.kernel);
  for (std::uint32_t warp = 0; warp < shape.warps; ++warp) {
    json rows = json::array();
    std::uint32_t used = 0;
    for (const Piece& piece : pieces_of(l, block, warp)) {
      rows.push_back(fields("first", json_of(piece.first, tile), "last", json_of(piece.last, tile)));
      used = piece.last.lane + 1;
    }
    out["warps"].push_back(fields("warp", warp, "pieces", std::move(rows), "idle_lanes", trace::warp_lanes - used));
  }
  return out;
}

std::string lanes(std::uint32_t first, std::uint32_t last) {
  return first == last ? fmt::format("lane {}", first) : fmt::format("lanes {} to {}", first, last);
}

void print(const Launched& l, const BlockShape& shape, std::uint64_t block, int tile) {
  say("{}{}\n", l.kernel.empty() ? "" : l.kernel + ": ", words(l.block, shape));
  if (shape.cut_rows > 0)
    say("{} of {} rows are in more warps than their threads fill\n", shape.cut_rows, l.block.y * l.block.z);
  for (std::uint32_t warp = 0; warp < shape.warps; ++warp) {
    std::uint32_t used = 0;
    std::string text;
    for (const Piece& piece : pieces_of(l, block, warp)) {
      text += fmt::format("{}{}: {} to {}", text.empty() ? "" : "; ", lanes(piece.first.lane, piece.last.lane),
                          to_string(piece.first.thread), to_string(piece.last.thread));
      used = piece.last.lane + 1;
    }
    if (used < trace::warp_lanes) text += fmt::format("; {}: idle", lanes(used, trace::warp_lanes - 1));
    say("  warp {:<3} {}\n", warp, text);
  }
  if (tile > 0)
    say("tiles of {} threads: {} in the block, {} in each whole warp\n", tile,
        (shape.threads + static_cast<std::uint32_t>(tile) - 1) / static_cast<std::uint32_t>(tile),
        trace::warp_lanes / static_cast<std::uint32_t>(tile));
}

void print(const ThreadPlace& p, int tile) {
  say("thread {} of block {}: {} in the block, {} in the grid; warp {}, lane {}; rank {} in row {} of the block",
      to_string(p.thread), to_string(p.block), p.in_block, p.in_grid, p.warp, p.lane, p.in_row, p.row);
  if (tile > 0)
    say("; rank {} in tile {}", p.in_block % static_cast<std::uint32_t>(tile),
        p.in_block / static_cast<std::uint32_t>(tile));
  say("\n");
}

}  // namespace

int threads(const ThreadsOptions& options) {
  const auto refuse = [&](const Diagnostics& why) {
    return print({.status = bad_input, .diagnostics = why}, options.json);
  };
  const auto launch = launch_of(options);
  if (!launch) return refuse(launch.error());
  if (const Diagnostics mistakes = wrong(options, *launch); !mistakes.empty()) return refuse(mistakes);
  const BlockShape shape = trace::block_shape(launch->block);
  const std::uint64_t block = trace::number_of(launch->grid, dim3_of(options.block_index, 0));
  const ThreadPlace one =
      trace::thread_place(launch->grid, launch->block, block,
                          static_cast<std::uint32_t>(trace::number_of(launch->block, dim3_of(options.thread, 0))));
  if (options.json) {
    json out = json_of(*launch, shape, block, options.tile);
    if (!options.thread.empty()) out["thread"] = json_of(one, options.tile);
    say(out);
  } else if (!options.thread.empty()) {
    print(one, options.tile);
  } else {
    print(*launch, shape, block, options.tile);
  }
  return all_good;
}

}  // namespace lanescope::cli
