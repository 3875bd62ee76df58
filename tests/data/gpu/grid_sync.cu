/* lanescope
[lanescope]
grid = 4
block = 64
args = ["x", "y"]
[buffers]
x = "u32 i:256 = iota"
y = { type = "u32", axes = "i:256", init = "zeros" }
*/
#include <cooperative_groups.h>
__global__ void k(unsigned* x, unsigned* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 3 * i;
  cooperative_groups::this_grid().sync();
  y[i] = x[255 - i];
}
