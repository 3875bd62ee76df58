/* Two phases of a cooperative launch.
[lanescope]
grid = 4
block = 64
[buffers]
a = "f32 n:256"
b = "f32 n:256 = zeros"
c = "f32 n:256 = zeros"
*/
#include <cooperative_groups.h>

__global__ void __launch_bounds__(64) phases(const float *a, float *b, float *c)
{
    auto grid = cooperative_groups::this_grid();
    const unsigned i = grid.thread_rank();
    b[i] = 2.0f * a[i];
    grid.sync();
    c[i] = b[255 - i];
}
