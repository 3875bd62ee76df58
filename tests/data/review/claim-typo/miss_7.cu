/*
[lanescope]
block = 32
[buffers]
p = "u32 r:2 i:32"
q = "u32 r:2 i:32 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q) {
  unsigned t4 = p[threadIdx.x], t5 = p[threadIdx.x + 32];
  // registers: t4 t5
  // register: r0
  // thread: i4 i3 i2 i1 i0
  q[threadIdx.x] = t4;
  q[threadIdx.x + 32] = t5;
}
