#include "world.h"

namespace lanescope::claims::test {

int World::buffer(const std::string& name, int element_bits, const std::vector<AxisBits>& axes) {
  source::BufferSpec b;
  b.name = name;
  b.element_bits = element_bits;
  std::uint64_t stride = 1;
  for (std::size_t n = axes.size(); n-- > 0;) {
    b.axes.insert(b.axes.begin(), {axes[n].name, std::uint64_t{1} << axes[n].bits, stride});
    stride <<= axes[n].bits;
  }
  b.elements = stride;
  std::uint32_t first = 0;
  for (const auto& r : pool.space.buffers) first = r.first_word + r.words;
  const std::uint64_t words = (stride * static_cast<std::uint64_t>(element_bits) + 31) / 32;
  pool.space.buffers.push_back({first, static_cast<std::uint32_t>(words), element_bits, true});
  source.header.buffers.push_back(b);
  return static_cast<int>(source.header.buffers.size()) - 1;
}

int World::variable(const std::string& name, int bytes, const std::string& type) {
  source::Variable v;
  v.id = static_cast<int>(source.variables.size());
  v.name = name;
  v.type = type;
  v.function = "kernel";
  source.variables.push_back(v);
  value_bytes.push_back(bytes);
  return v.id;
}

int World::claim(const std::string& name, std::vector<int> registers, const layout::Assignment& stated, int line) {
  source::Claim c;
  c.first_line = c.last_line = line;
  c.variable = name;
  c.registers = registers;
  c.stated = stated;
  c.probe = static_cast<int>(source.probes.size());
  source.claims.push_back(c);
  source.probes.push_back({c.probe, static_cast<int>(source.claims.size()) - 1, line + 1, 1, line - 1, registers});
  return static_cast<int>(source.claims.size()) - 1;
}

int World::watch(int variable, int statement_line) {
  const int id = static_cast<int>(source.probes.size());
  source.probes.push_back({id, -1, statement_line + 1, 1, statement_line, {variable}});
  return id;
}

trace::WordTag World::word(int buffer, const std::vector<std::optional<std::uint64_t>>& elements, int half) {
  const auto& range = pool.space.buffers[static_cast<std::size_t>(buffer)];
  trace::WordBits bits{};
  const int wide = range.element_bits;
  for (std::size_t part = 0; part < elements.size(); ++part) {
    if (!elements[part]) continue;
    const std::uint64_t start = std::uint64_t{range.first_word} * 32 +
                                *elements[part] * static_cast<std::uint64_t>(wide) +
                                static_cast<std::uint64_t>(half) * 32;
    for (int b = 0; b < std::min(wide, 32); ++b) {
      const auto at = part * static_cast<std::size_t>(wide) + static_cast<std::size_t>(b);
      bits[at] = trace::BitTag::source(start + static_cast<std::uint64_t>(b));
    }
  }
  return pool.intern(bits);
}

void World::emit(Collector& collector, const Emit& w, const std::vector<trace::WordTag>& lanes) {
  const std::vector<std::uint32_t> values(32);
  trace::ProbeEvent e;
  e.where = {++step, w.block, w.warp, w.pc, w.active};
  e.probe = w.probe;
  e.variable = w.variable;
  e.byte_offset = w.byte_offset;
  e.values = values;
  e.tags = lanes;
  collector.on_probe(e);
}

void run(World& world, Collector& collector, int claim, int buffer, const Shape& shape, const Truth& truth,
         std::uint32_t pc) {
  const source::Claim& c = world.source.claims[static_cast<std::size_t>(claim)];
  const int words_per_register = shape.element_bits == 64 ? 2 : 1;
  const int parts = std::max(1, 32 / shape.element_bits);
  for (std::uint32_t block = 0; block < shape.blocks; ++block) {
    for (std::uint32_t warp = 0; warp < shape.warps; ++warp) {
      std::size_t variable = 0;
      int offset = 0;
      for (int reg = 0; reg < shape.registers; ++reg) {
        for (int half = 0; half < words_per_register; ++half) {
          std::vector<trace::WordTag> lanes;
          for (int lane = 0; lane < 32; ++lane) {
            std::vector<std::optional<std::uint64_t>> elements;
            for (int part = 0; part < parts; ++part) elements.push_back(truth(block, warp, reg, lane, part));
            lanes.push_back(world.word(buffer, elements, half));
          }
          const std::uint32_t active = shape.active ? shape.active(block, warp) : ~0u;
          const int id = c.registers[variable];
          if (active != 0) world.emit(collector, {c.probe, id, offset, block, warp, pc, active}, lanes);
          offset += 4;
          if (offset >= world.value_bytes[static_cast<std::size_t>(id)]) {
            offset = 0;
            ++variable;
          }
        }
      }
    }
  }
}

layout::AffineMap random_map(std::mt19937_64& random, int bits) {
  while (true) {
    layout::AffineMap m{.out_bits = bits, .columns = {}, .constant = 0};
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    for (int b = 0; b < bits; ++b) m.columns.push_back(random() & mask);
    m.constant = random() & mask;
    if (rank(m) == bits) return m;
  }
}

layout::Assignment assignment_of(const layout::PhysicalShape& shape, const std::vector<AxisBits>& axes,
                                 const layout::AffineMap& map) {
  std::vector<std::string> names;
  for (std::size_t n = axes.size(); n-- > 0;) {
    for (int b = 0; b < axes[n].bits; ++b) names.push_back(axes[n].name + std::to_string(b));
  }
  layout::Assignment a = layout::from_map({shape, names, map});
  for (int p = 0; p < layout::place_count; ++p) {
    if (shape.bits[static_cast<std::size_t>(p)] == 0 && p < 3) a.rows[static_cast<std::size_t>(p)].emplace();
  }
  return a;
}

}  // namespace lanescope::claims::test
